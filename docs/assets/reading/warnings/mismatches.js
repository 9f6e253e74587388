// The verdict on shapes that do not fit. A head for a different number of labels is meant to
// be replaced; a table for a different vocabulary is not. The first dimension in which the shapes
// differ shows which size differs, such as the number of labels.

import table from "../../../data/table.js"
import { noun, product, sizeWithNoun, sumBy, whole } from "../../counting/engine.js"
import { shapeInWords } from "../rows/model-in-words.js"
import { code, enumeration, finding, isPlural, withCapital, words } from "../words.js"
import { PART_TITLES, TASK_HEADS } from "./groups.js"
import { asCode, classInWords } from "./wording.js"

/** @typedef {import("./names.js").NameEntry} NameEntry */
/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./groups.js").ParsedWarning} ParsedWarning */
/** @typedef {import("./verdicts.js").WarningVerdict} WarningVerdict */

const MAX_SENTENCES = 6 // tensors with a sentence each; further ones usually repeat these in other layers

/** The verdict if there are mismatched shapes; null if there are none.
 * @param {Group[]} groups @param {ParsedWarning} warning @returns {WarningVerdict | null} */
export function mismatchVerdict(groups, warning) {
  const entries = groups.flatMap((group) => group.entries)
  if (!entries.length) return null
  const findings = entries.slice(0, MAX_SENTENCES).map((entry, index) => finding(60 - index, sentenceOfMismatch(entry)))
  const reasons = [...new Set(entries.flatMap((entry) => reasonOfMismatch(entry) ?? []))]
  const isOfTaskHeads = groups.every(({ part }) => TASK_HEADS.includes(part))
  const partWords = enumeration(
    groups.map(({ part, entries }) => {
      const number = parametersInFile(entries)
      return words`${PART_TITLES[part]}${number ? words` (${number} ${noun(number, "parameter")})` : []}`
    }),
  )
  const why = reasons.length ? words`: ${enumeration(reasons.map((reason) => words`${reason}`))}` : []
  const verb = groups.length > 1 || isPlural([PART_TITLES[groups[0].part]]) ? "do" : "does"
  const headline = isOfTaskHeads
    ? words`${withCapital(partWords)} in the file ${verb} not fit ${classInWords(warning)}${why}.`
    : words`This is not as it should be: ${partWords} in the file ${verb} not fit ${classInWords(warning)}${why}.`
  const consequence = isOfTaskHeads
    ? words`If you want a head of your own, load with ${code("ignore_mismatched_sizes=True")}: it starts from random values, so train it before use.`
    : words`Give the model the sizes in the file's config.json; a resized or random tensor is no substitute for the trained one.`
  return { headline, findings: [...findings, finding(50, consequence)], isBad: !isOfTaskHeads, groups }
}

/** The number of parameters that the file has for a part; 0 if the text lacks a shape or a name covers several layers.
 * @param {NameEntry[]} entries */
const parametersInFile = (entries) =>
  entries.every(({ mention }) => mention.from && mention.layers.size <= 1)
    ? sumBy(entries, ({ mention }) => product(mention.from ?? [], {}))
    : 0

/** The sentence about a tensor whose shapes differ. @param {NameEntry} entry @returns {Words} */
function sentenceOfMismatch({ mention: { from, to, source } }) {
  if (!from || !to) return words`${asCode(source)} has a different shape in the model.`
  const [inFile, inModel] = [from, to].map((shape) => product(shape, {}))
  return words`${asCode(source)} is ${shapeInWords(from)} in the file, ${inFile} ${noun(inFile, "parameter")}, and ${shapeInWords(to)} in the model, ${inModel}.`
}

/** The reason why two shapes differ; null if it is unknown. @param {NameEntry} entry */
function reasonOfMismatch({ rows, mention: { from, to } }) {
  const [row] = rows
  if (!row || !from || !to) return null
  const axis = from.findIndex((size, index) => size !== to[index])
  if (axis < 0 || [to, row.dimensions].some(({ length }) => length !== from.length)) return null
  // PyTorch stores the transpose of some rows' matrices.
  const letters = row.transposed ? [...row.dimensions].reverse() : row.dimensions
  const letter = String(letters[axis])
  const [inFile, inModel] = [from, to].map((shape) => shape[axis])
  return letter in table.explanations.nouns
    ? `the file has ${sizeWithNoun(letter, inFile)}, the model ${whole(inModel)}`
    : `the file has ${whole(inFile)} where the model has ${whole(inModel)}`
}
