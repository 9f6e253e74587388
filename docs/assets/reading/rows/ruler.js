// The ruler: all tensors of a class, in the order of its modules. A print-out is measured
// by aligning its rows with this list, which shows whether each tensor is covered once,
// twice or not at all.

import {
  architectures,
  Counter,
  classes,
  defaultChoices,
  getOrMake,
  isThere,
  product,
  rows,
  sizeOfDimension,
} from "../../counting/engine.js"

/** The cached names of rows by architecture. @type {Map<string, Map<Row, string>>} */
const namesByArchitecture = new Map()

/** The name of each row of an architecture in transformers, with asterisks for layer numbers.
 * @param {string} architectureName @returns {Map<Row, string>} */
export function namesOf(architectureName) {
  return getOrMake(namesByArchitecture, architectureName, () => {
    const architecture = architectures.get(architectureName)
    const names = /** @type {Record<string, string>} */ (architecture.names)
    const indices = new Set(architecture.classes.flatMap((modelClass) => modelClass.rows))
    return new Map([...indices].map((index) => [rows[index], names[index]]))
  })
}

/** The name of a row of an architecture in transformers; its path if it has none.
 * @param {Row} row @param {string} architecture */
export const nameOfRow = (row, architecture) => namesOf(architecture).get(row) ?? row.path

/** Every combination of layer numbers. For BERT's layers, each has one number. For ALBERT's, each has two: that of the
 * group and that of the layer within it.
 * @param {string[]} letters @param {Sizes} sizes @returns {number[][]} */
const combinations = (letters, sizes) =>
  letters.reduce(
    (/** @type {number[][]} */ prefixes, letter) =>
      prefixes.flatMap((numbers) => Array.from({ length: sizes[letter] }, (_, number) => [...numbers, number])),
    [[]],
  )

/** A name with its asterisks replaced by numbers, in order. @param {string} name @param {number[]} numbers */
export const nameWithNumbers = (name, numbers) =>
  numbers.reduce((rest, number) => rest.replace("*", String(number)), name)

/** The ruler of a class with given sizes and choices. Repeated rows are grouped by layer: all rows of one layer, then
 * all of the next.
 * @param {string} modelClass @param {Sizes} sizes @param {Partial<Choices>} [choices] @returns {Ruler} */
export function rulerOf(modelClass, sizes, choices = {}) {
  const { architecture, layers } = classes.get(modelClass)
  const counter = new Counter(modelClass, sizes, choices)
  const { list } = counter.rows
  const isTied = counter.tied
  const allLayers = combinations(layers, sizes)
  /** The tensor of a row in the layer with these numbers.
   * @param {Row} row @param {number[]} numbers @returns {RulerTensor} */
  const tensorOf = (row, numbers) => {
    const name = nameWithNumbers(nameOfRow(row, architecture), numbers)
    const shape = row.dimensions.map((size) => sizeOfDimension(size, sizes))
    return {
      row,
      name,
      module: name.slice(0, name.lastIndexOf(".")),
      numbers: row.repeated ? numbers : [],
      shape: row.transposed ? [...shape].reverse() : shape,
      elements: product(row.dimensions, sizes),
      tied: Boolean(row.tied_to) && isTied,
    }
  }
  /** @type {RulerTensor[]} */
  const tensors = []
  let index = 0
  while (index < list.length) {
    if (!list[index].repeated) {
      tensors.push(tensorOf(list[index], []))
      index += 1
      continue
    }
    const start = index
    while (index < list.length && list[index].repeated) index += 1
    const layerRows = list.slice(start, index)
    for (const numbers of allLayers)
      for (const row of layerRows)
        if (!(row.skips_first_layer && numbers.every((number) => number === 0))) tensors.push(tensorOf(row, numbers))
  }
  const total = tensors.reduce((sum, { tied, elements }) => sum + (tied ? 0 : elements), 0)
  return { architecture, modelClass, sizes, choices: { ...defaultChoices(architecture), ...choices }, tensors, total }
}

/** The rows that a class has with these choices and sizes.
 * @param {ModelClass} modelClass @param {Partial<Choices>} choices @param {Sizes} sizes */
export function rowsOfClass(modelClass, choices, sizes) {
  const allChoices = { ...modelClass.defaults, ...choices, ...modelClass.fixed }
  return modelClass.rows.filter((row) => isThere(row, allChoices, sizes))
}
