// Finds the phrases of a table in a text, in any language. In writing systems without spaces
// between words, a phrase may be inside a word; in others it may not. The phrases are stored as a
// tree of letters, because a browser takes too long to compile one regular expression of all
// phrases.

import { getOrMake } from "../../counting/engine.js"

/** The scripts in the table that put spaces between words. */
const SPACED_SCRIPT = /[\p{Script=Latin}\p{Script=Cyrillic}]/u
/** A character between the words of a phrase. */
const SEPARATOR = /[\s_./-]/

/** A place in the tree, with the letters that may follow. `role` is the meaning of the phrase that ends here; null if
 * none does.
 * @typedef {{ next: Map<string, Node>, role: string | null }} Node */

/** A phrase that was found in a text, with its meaning and its place.
 * @typedef {{ role: string, start: number, end: number, text: string }} Phrase */

/** Whether a character belongs to a script with spaces between words. @param {string | undefined} character */
const isSpaced = (character) => character !== undefined && SPACED_SCRIPT.test(character)

/** A new node. @returns {Node} */
const newNode = () => ({ next: new Map(), role: null })

/** The node that a letter leads to from another node; created if necessary.
 * @param {Node} from @param {string} letter */
function childOf(from, letter) {
  const to = from.next.get(letter) ?? newNode()
  from.next.set(letter, to)
  return to
}

/** The tree of phrases, in which a space matches any separators, or none.
 * @param {{ role: string, phrase: string }[]} phrases */
function treeOf(phrases) {
  const root = newNode()
  for (const { role, phrase } of phrases) {
    const letters = phrase.toLowerCase().replace(/[ -]+/g, " ")
    const last = [...letters].reduce(childOf, root)
    last.role ??= role
  }
  return root
}

/** The end and the meaning of the longest phrase that begins at a place; null if none does.
 * @param {Node} root @param {string} text  in lower case @param {number} start
 * @returns {{ role: string, end: number } | null} */
function longestAt(root, text, start) {
  if (isSpaced(text[start]) && isSpaced(text[start - 1])) return null
  /** @type {{ role: string, end: number } | null} */
  let longest = null
  /** Follows the text from `index` on through the tree, and keeps the longest phrase.
   * @param {Node} from @param {number} index */
  const walk = (from, index) => {
    const isWhole = !(isSpaced(text[index - 1]) && isSpaced(text[index]))
    if (from.role !== null && isWhole && index > (longest?.end ?? start)) longest = { role: from.role, end: index }
    const afterLetter = from.next.get(text[index])
    if (afterLetter) walk(afterLetter, index + 1)
    const afterSpace = from.next.get(" ")
    if (!afterSpace) return
    let end = index
    while (end < text.length && SEPARATOR.test(text[end])) end++
    // A single space has already been followed as a letter.
    if (text[index] !== " " || end > index + 1) walk(afterSpace, end)
  }
  walk(root, start)
  return longest
}

/** The phrases of a table, each with its role. @param {Record<string, string[]>} phrases  by their roles
 * @returns {[phrase: string, role: string][]} */
export const withRoles = (phrases) =>
  Object.entries(phrases).flatMap(([role, list]) =>
    list.map((phrase) => /** @type {[string, string]} */ ([phrase, role])),
  )

/** A function that finds phrases in a text, the longest at each place. If a phrase has two roles, the first counts.
 * @param {[phrase: string, role: string][]} phrases
 * @param {boolean} [areNames]  whether phrases are names, which do not start within a word: "12M. BERT" contains no
 * mBERT
 * @returns {(text: string) => Phrase[]} */
export function phraseFinder(phrases, areNames = false) {
  // Of phrases that differ only in their separators, the longest decides.
  const longestFirst = [...phrases].sort(([one], [other]) => other.length - one.length)
  /** @type {Map<string, string>} */
  const roles = new Map()
  const tree = treeOf(
    longestFirst.map(([phrase, role]) => ({ phrase, role: getOrMake(roles, withoutSeparators(phrase), () => role) })),
  )
  return (text) => {
    // Letter by letter, because some letters become two in lower case.
    const lowerText = Array.from({ length: text.length }, (_, index) => text[index].toLowerCase()[0]).join("")
    /** @type {Phrase[]} */
    const foundPhrases = []
    for (let start = 0; start < text.length; start++) {
      if (areNames && /[a-z0-9_]/.test(lowerText[start - 1] ?? "")) continue
      const longest = longestAt(tree, lowerText, start)
      if (!longest) continue
      const { role, end } = longest
      foundPhrases.push({ role, start, end, text: text.slice(start, end) })
      start = end - 1
    }
    return foundPhrases
  }
}

/** A phrase without separators, in lower case. @param {string} phrase */
export const withoutSeparators = (phrase) => phrase.toLowerCase().replace(/[\s_./-]+/g, "")
