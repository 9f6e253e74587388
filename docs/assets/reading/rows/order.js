// Names the rows of a list of tensors without names, such as a list of shapes, by their
// order: they are compared one by one with the tensors of each class. The class is found if
// its tensors have these sizes in this order. A list that breaks off is compared with the first
// tensors of published models.

import table from "../../../data/table.js"
import { architectures, classesOf, classOfBare, product } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { nameOfRow, nameWithNumbers, rowsOfClass, rulerOf } from "./ruler.js"
import { sizesOf } from "./sizes.js"
import { MAX_LAYERS } from "./solving.js"

export const MIN_TENSORS_AT_BEGINNING = 5 // the minimum number of tensors, of which the first three are tables
const MIN_TENSORS_IN_ORDER = 12 // the minimum number of tensors; fewer may agree with a class by chance

/** The rows of a list of tensors, named after the tensors of a class in the same order; null if there are too few, or
 * if no class has tensors of these sizes in this order.
 * @param {TextRow[]} textRows @returns {TextRow[] | null} */
export function nameByOrder(textRows) {
  if (textRows.length < MIN_TENSORS_IN_ORDER) return null
  for (const { name: architecture } of table.architectures)
    for (const modelClass of classesOf(architecture))
      for (const pooler of [true, false]) {
        const matches = matchesInOrder(textRows, modelClass, { pooler })
        const sizes = sizesOf(matches)
        if (matches.length && matches.every(({ text, row }) => product(row.dimensions, sizes) === text.low))
          return matches.map(({ text, row, numbers }) => ({
            ...text,
            name: nameWithNumbers(nameOfRow(row, architecture), numbers),
          }))
      }
  return null
}

/** The rows at the beginning of a list of tensors, named after those of the most widely used model whose first tensors
 * have these shapes in this order; null if there are too few, or if no published model begins like this.
 * @param {TextRow[]} textRows @returns {TextRow[] | null} */
export function nameByBeginning(textRows) {
  if (textRows.length < MIN_TENSORS_AT_BEGINNING) return null
  for (const { architecture, sizes } of modelsByUse) {
    const { tensors } = rulerOf(classOfBare(architecture), sizes)
    if (textRows.every(({ shape }, index) => String(shape) === String(tensors[index]?.shape)))
      // Shapes do not show whether the class has a head, whose body has a prefix.
      return textRows.map((text, index) => ({ ...text, name: withoutPrefix(tensors[index].name, architecture) }))
  }
  return null
}

/** The name of a tensor in the bare model. @param {string} name @param {string} architecture */
function withoutPrefix(name, architecture) {
  const { prefix } = architectures.get(architecture)
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}

/** Each tensor of a list, matched with the row at its position in a class; empty if the class cannot have this number
 * of tensors, or if its layers are in groups.
 * @param {TextRow[]} textRows @param {ModelClass} modelClass @param {Partial<Choices>} choices
 * @returns {(NameMatch & { row: Row })[]} */
function matchesInOrder(textRows, modelClass, choices) {
  // Some models have a projection only if the embeddings and the layers differ in width. Without names this is not
  // known beforehand, so the projection is always expected.
  const rows = rowsOfClass(modelClass, choices, { E: 1, H: 2 }).filter((row) => !row.tied_to)
  const start = rows.findIndex(({ repeated }) => repeated)
  const end = rows.length - [...rows].reverse().findIndex(({ repeated }) => repeated)
  const layers = (textRows.length - rows.length) / (end - start) + 1
  if (start < 0 || modelClass.layers.length > 1) return []
  if (!Number.isInteger(layers) || layers < 1 || layers > MAX_LAYERS) return []
  const rowsOfLayers = Array.from({ length: layers }, (_, number) =>
    rows.slice(start, end).map((row) => ({ row, numbers: [number] })),
  )
  /** Rows outside the layers. */
  const outsideLayers = (/** @type {Row[]} */ list) =>
    list.map((row) => ({ row, numbers: /** @type {number[]} */ ([]) }))
  const order = [...outsideLayers(rows.slice(0, start)), ...rowsOfLayers.flat(), ...outsideLayers(rows.slice(end))]
  return order.map((place, index) => ({ ...place, text: textRows[index], rows: new Set([place.row]), isPrinted: true }))
}
