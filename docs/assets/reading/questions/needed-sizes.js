// Answers questions on sizes: with which size a model has a given number of parameters, as in "What
// vocabulary size gives 110,000,000 parameters?", and what one more unit of a size adds. The total is
// linear in the size, so the size follows from two totals. If it is not a whole number, the answer
// gives the two nearest sizes.

import { count, models, whole } from "../../counting/engine.js"
import { read, typedNumberOf } from "../../explaining/read.js"
import { titleOf } from "../labels/meanings.js"
import { BYTES_PER_NUMBER } from "../labels/memory.js"
import { nameOfModel } from "../labels/mentions.js"
import { sizesInWords, sizesOf, withSizesThatFollow } from "../labels/settings.js"
import { classAndTotal } from "../labels/totals.js"
import { code, words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

/** A question about the size that leads to a number, with the name of the size and the number. */
const QUESTION =
  /\b(?:what|which|how\s(?:large|big|many|much))\b[^\n?]{0,40}?\b(vocab\w*|layers|positions|hidden\s(?:size|width|dim\w*)|d_model)\b[^\n?]{0,40}?\b(?:gives?|makes?|leads?\sto|yields?|results?\sin|reach(?:es)?|gets?|(?:needed|required|necessary)\s(?:for|to)|fits?\s(?:into|in|within))\b[^\n0-9?]{0,40}([0-9][0-9,.]*(?:\s?(?:M|B|k|million|billion)\b)?)[^\n?]{0,40}\?/i

/** The sizes that a question may be about: the beginning of the name, the letter, the noun, and a function that puts a
 * value into words.
 * @type {[start: string, letter: string, noun: string, words: (size: number) => string][]} */
const SIZES = [
  ["vocab", "V", "vocabulary size", (size) => `a vocabulary of ${whole(size)}`],
  ["layers", "L", "number of layers", (size) => `${whole(size)} ${size === 1 ? "layer" : "layers"}`],
  ["positions", "P", "number of positions", (size) => `${whole(size)} positions`],
]

/** The same question about layers in German, French, Spanish and Chinese, with the number. */
const QUESTION_ON_LAYERS =
  /(?:wie\s?viele\s(?:schichten|lagen)|combien\sde\scouches|cuántas\scapas|多少层|几层)[^\n0-9?？]{0,60}([0-9][0-9,.]*(?:\s?(?:M|B|k|Millionen|millions?|millones)\b)?)[^\n?？]{0,60}[?？]/i

/** A number of layers that the model in a question has. */
const LAYERS_OF_MODEL = /(?:,\s|\b(?:with|and|has|at|of)\s)?\b(?<layers>[0-9]{1,3})[\s-]layers?\b/i
const MAX_GOAL = 1e11 // parameters; beyond this, searching for the hidden size takes too long
const HIDDEN = /^(?:hidden|d_model)/i

/** One more unit of a size, or each of its units, and a word for what it adds. */
const ONE_MORE =
  /\b(?:(?:one|an|each|every)\s(?:more|additional|extra|further)\s(?:(?:vocab\w*\s(?:entry|item|token|word)|token|word(?:piece)?)|(?:encoder\s)?(?<layer>layer)|(?<more>position))|(?:per|each|every)\s(?:token\b.{0,20}\bvocab\w*|(?<each>position)))\b/i
const ADDS = /\b(?:adds?|costs?|takes?|needs?|parameters?|params?)\b/i
/** A number of at least five digits, or of four in millions, which may be a count of parameters. */
const LARGE_NUMBER = /[0-9](?:[,.]?[0-9]){4}|[0-9](?:[,.]?[0-9]){3}\s?(?:M|million)\b/

/** The account of a text on what one more token, layer or position adds; null for any other text, and for a text with a
 * large number, which other modules explain.
 * @param {string} text @returns {Account | null} */
export function accountOfOneMore(text) {
  const match = text.length > MAX_LENGTH || LARGE_NUMBER.test(text) || !ADDS.test(text) ? null : ONE_MORE.exec(text)
  const name = match && nameOfModel(text)
  if (!match || !name) return null
  const { layer, more, each } = match.groups ?? {}
  const position = more ?? each
  // A token of a text adds nothing; one of the vocabulary adds a row.
  if (!layer && !position && !/\b(?:vocab|param)/i.test(text)) return null
  const { modelClass, total } = classAndTotal(name)
  const { sizes } = models.get(name)
  const letterOfOther = position ? "P" : "V"
  const letter = layer ? "L" : letterOfOther
  const unit = { L: "layer", P: "position", V: "token of the vocabulary" }[letter]
  const addedCount = count({ modelClass, sizes: { ...sizes, [letter]: sizes[letter] + 1 } }) - total
  if (!addedCount) return null
  return answer(
    words`One more ${unit} adds ${addedCount} parameters to ${titleOf(name)}, as ${code(modelClass)}: ${addedCount * BYTES_PER_NUMBER.float32} bytes in float32.`,
  )
}

/** The number of parameters that digits with their unit stand for; 0 if they count something else.
 * @param {string} digits */
function goalOf(digits) {
  const number = digits ? read(digits.replace(/[.,]$/, "")) : null
  return number?.amount === "count" ? typedNumberOf(number) : 0
}

/** The account of a question about the hidden size that leads to a given number of parameters, as a multiple of the
 * number of heads; null if the digits count something else or more than `MAX_GOAL` parameters, or if even the
 * smallest hidden size leads to more parameters.
 * @param {string} text @param {string} digits @param {number} layers  0 for those of the model */
function accountOfNeededWidth(text, digits, layers) {
  const [goal, name] = [goalOf(digits), nameOfModel(text)]
  if (!goal || !name) return null
  const { modelClass, total } = classAndTotal(name)
  if (!total || goal > MAX_GOAL) return null
  const sizes = layers ? { ...models.get(name).sizes, L: layers } : models.get(name).sizes
  const { A } = sizes
  const totalWith = (/** @type {number} */ H) => count({ modelClass, sizes: withSizesThatFollow(sizes, { H }) })
  let below = 0
  while (totalWith(below + A) <= goal) below += A
  if (!below) return null
  const inWords = (/** @type {number} */ H) =>
    words`${totalWith(H)} parameters with ${sizesInWords(sizesOf(["H", "F"], withSizesThatFollow(sizes, { H })))}`
  const subject = words`${titleOf(name)}, as ${code(modelClass)},`
  const withLayers = layers ? words` With ${layers} layers, it` : words` It`
  return answer(
    words`${subject} has ${total} parameters.${withLayers} would have ${inWords(below)}, and ${inWords(below + A)}. The hidden size must be a multiple of the ${A} heads.`,
  )
}

/** The account of a question about the size that leads to a given number of parameters; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfNeededSize(text) {
  if (text.length > MAX_LENGTH) return null
  const layersInText = LAYERS_OF_MODEL.exec(text)
  const [, digitsOfLayers = ""] = QUESTION_ON_LAYERS.exec(text) ?? []
  const [, sizeName = "", digits = ""] = digitsOfLayers
    ? ["", "layers", digitsOfLayers]
    : (QUESTION.exec(text.replace(LAYERS_OF_MODEL, "")) ?? [])
  if (HIDDEN.test(sizeName)) return accountOfNeededWidth(text, digits, Number(layersInText?.groups?.layers ?? 0))
  if (layersInText) return null
  const [, letter = "", noun = "", inWords = String] =
    SIZES.find(([start]) => sizeName.toLowerCase().startsWith(start)) ?? []
  const goal = letter ? goalOf(digits) : 0
  if (!goal) return null
  const name = nameOfModel(text)
  if (!name) return null
  const { modelClass, total } = classAndTotal(name)
  const { sizes } = models.get(name)
  /** The total with another size. */
  const totalWith = (/** @type {number} */ size) => count({ modelClass, sizes: { ...sizes, [letter]: size } })
  const perUnit = totalWith(2) - totalWith(1)
  if (!perUnit) {
    const reason = letter === "P" ? "none of its tables has a row for each position" : "its layers share their weights"
    return answer(
      words`${titleOf(name)}, as ${code(modelClass)}, has ${total} parameters with any ${noun}, because ${reason}.`,
    )
  }
  const size = perUnit > 0 ? (goal - totalWith(1)) / perUnit + 1 : 0
  if (size < 1) return null
  const subject = words`${titleOf(name)}, as ${code(modelClass)}, has ${total} parameters`
  if (Number.isInteger(size)) return answer(words`${subject}. With ${inWords(size)}, it would have ${goal}.`)
  const [below, above] = [Math.floor(size), Math.ceil(size)]
  return answer(
    words`No ${noun} gives exactly ${goal}: ${titleOf(name)}, as ${code(modelClass)}, would have ${totalWith(below)} parameters with ${inWords(below)}, and ${totalWith(above)} with ${inWords(above)}.`,
  )
}
