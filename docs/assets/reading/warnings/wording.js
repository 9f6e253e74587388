// Puts the groups of a warning into words: parts with their parameter counts, layers
// with their indices, the class and the file. If the sizes are unknown, the number of
// parameters is given in letters, such as H·C + C, provided that the sum is short.

import table from "../../../data/table.js"
import { noun, rows } from "../../counting/engine.js"
import { cut } from "../../counting/short.js"
import { code, enumeration, firstOf, words } from "../words.js"
import { isTied, PART_TITLES } from "./groups.js"
import { tensorCountOf } from "./names.js"

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./names.js").NameEntry} NameEntry */
/** @typedef {import("./groups.js").ParsedWarning} ParsedWarning */

/** The maximum length of a quoted name, in characters. */
const MAX_NAME_LENGTH = 80
/** The maximum number of names in a sentence. */
const MAX_NAMES = 4
/** The maximum number of terms of a sum in letters; a longer one would be hard to read. */
const MAX_TERMS = 4

/** A name as code, cut if it is too long. @param {string} name */
export const asCode = (name) => code(cut(name, MAX_NAME_LENGTH))

/** The words for the number of parameters of a part or, if the sizes are unknown, for a sum in letters; for the number
 * of names if the sum would be impossible or too long.
 * @param {Group} group @param {ParsedWarning} warning @returns {Words} */
function amountInWords(group, { sizes, model, report }) {
  const { number, entries, needsLabelCount } = group
  if (number !== null) {
    // If the text gives the number of labels neither in words nor in a shape, it is transformers' default of two.
    const isUsual = !report.labels && (!model || sizes?.C === model.sizes.C)
    const usual = isUsual ? "the usual " : ""
    const labels = needsLabelCount && sizes ? words` with ${usual}${sizes.C} ${noun(sizes.C, "label")}` : []
    return words`${number} ${noun(number, "parameter")}${labels}`
  }
  const untiedRows = entries.flatMap((entry) => entry.rows).filter((row) => !row.tied_to)
  if (!untiedRows.length || untiedRows.length > MAX_TERMS || untiedRows.some((row) => row.repeated))
    return words`${entries.length} ${noun(entries.length, "name")}`
  const letters = untiedRows
    .sort((one, other) => rows.indexOf(one) - rows.indexOf(other))
    .map(({ dimensions }) => dimensions.join("·"))
    .join(" + ")
  return words`${letters} parameters`
}

/** The words for a part with its number of parameters.
 * @param {Group} group @param {ParsedWarning} warning @returns {Words} */
function partWithAmount(group, warning) {
  const title = PART_TITLES[group.part]
  if (group.part === "buffers" || group.part === "empty") return [title]
  if (group.entries.every(isTied)) return words`the decoder, which shares its weights and adds nothing`
  return words`${title} (${amountInWords(group, warning)})`
}

/** An enumeration of groups, each with its number of parameters.
 * @param {Group[]} groups @param {ParsedWarning} warning */
export const partsWithAmounts = (groups, warning) => enumeration(groups.map((group) => partWithAmount(group, warning)))

/** The words for the class, or for the architecture if the class is unknown.
 * @param {ParsedWarning} warning @returns {Words} */
export const classInWords = ({ className, architecture }) =>
  className ? words`${asCode(className)}` : words`the ${architecture.title} model`

/** The words for the checkpoint, or "the file" if the text does not name it.
 * @param {ParsedWarning} warning @returns {Words} */
export const fileInWords = ({ checkpoint }) => (checkpoint ? words`${asCode(checkpoint)}` : words`the file`)

/** The parts that the site has words for, by path. */
const PARTS_BY_PATH = new Map(table.explanations.parts.filter(({ tag }) => !tag).map((part) => [part.path, part]))

/** The part that consists of this row alone, with its words and page; undefined if the site has none.
 * @param {Row} row */
export const partOfRow = ({ path }) => PARTS_BY_PATH.get(path.replace("layer_*", "layer_0"))

/** The first names, as written, and the number of the others. @param {NameEntry[]} entries */
export const namesInWords = (entries) =>
  firstOf(
    entries.map(({ mention }) => asCode(mention.source)),
    MAX_NAMES,
  )

/** The words for the tensors of a group in the body, with the indices of their layers.
 * @param {Group} group @returns {string} */
export function tensorsInWords({ part, entries }) {
  if (part !== "encoder") {
    const rowsOfEntries = entries.flatMap((entry) => entry.rows)
    return rowsOfEntries.length === 1
      ? (partOfRow(rowsOfEntries[0])?.words ?? PART_TITLES[part])
      : `${rowsOfEntries.length} tensors of the embeddings`
  }
  const layers = [...new Set(entries.flatMap(({ mention }) => [...mention.layers]))]
    .map(Number)
    .sort((one, other) => one - other)
  const tensorCount = tensorCountOf(entries)
  return `${tensorCount} ${noun(tensorCount, "tensor")} ${layers.length ? `in ${layersInWords(layers)}` : "of the encoder"}`
}

/** The words for layers: the index of one, the range of several, or only their count if the range has gaps.
 * @param {number[]} layers  at least one, in ascending order */
function layersInWords(layers) {
  const [first, last] = [layers[0], layers[layers.length - 1]]
  // A layer of ALBERT has no single index: it has its group's index and its own within the group.
  if (layers.length === 1) return Number.isNaN(first) ? "one layer" : `layer ${first}`
  return last - first === layers.length - 1 ? `layers ${first} to ${last}` : `${layers.length} layers`
}
