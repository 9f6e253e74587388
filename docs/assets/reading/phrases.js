// Phrases: finds the words of a table in a text, in any language. In scripts without
// blanks between words a phrase may stand inside a word; in others it may not.

const LATIN = /[\p{Script=Latin}\p{Script=Cyrillic}]/u

/** A phrase as a regular expression. A blank stands for any separator, or for none.
 * @param {string} phrase */
function source(phrase) {
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/[ -]/g, "[\\s_./-]*")
  const [first, last] = [phrase[0], phrase.at(-1) ?? ""].map((letter) => LATIN.test(letter))
  const before = first ? "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])" : ""
  return `${before}${escaped}${last ? "(?![\\p{Script=Latin}\\p{Script=Cyrillic}])" : ""}`
}

/** A function that finds the phrases of a table in a text, the longest at each place. The first phrase of two equal
 * ones
 * decides.
 * @param {Record<string, string[]>} phrases  by what they mean
 * @returns {(text: string) => { role: string, start: number, end: number, text: string }[]} */
export function pattern(phrases) {
  const every = Object.entries(phrases).flatMap(([role, list]) => list.map((phrase) => ({ role, phrase })))
  every.sort((one, other) => other.phrase.length - one.phrase.length)
  /** @type {Map<string, string>} */
  const roles = new Map()
  for (const { role, phrase } of every) if (!roles.has(bare(phrase))) roles.set(bare(phrase), role)
  const expression = new RegExp(every.map(({ phrase }) => source(phrase.toLowerCase())).join("|"), "giu")
  return (text) =>
    [...text.matchAll(expression)].map(({ index, 0: match }) => ({
      role: roles.get(bare(match)) ?? "",
      start: index,
      end: index + match.length,
      text: match,
    }))
}

/** A phrase without separators, in lower case. @param {string} phrase */
export const bare = (phrase) => phrase.toLowerCase().replace(/[\s_./-]+/g, "")
