// Explains a list in which each row counts a tensor of all layers at once, because the layer numbers were removed from
// the names before the counts were added up:
//
//     encoder.layer.N.attention.self.query.weight: 7,077,888
//
// The sum of all rows gives the models that it may be. Of these, the first is taken whose tensors, added up in the same
// way, have exactly these names and counts.

import { getOrMake, models, sumBy } from "../../counting/engine.js"
import { correctTotals } from "../../explaining/explain.js"
import { asClass, titleOf } from "../labels/meanings.js"
import { accountWith, words } from "../words.js"
import { untiedElements } from "./aligning.js"
import { withoutLayerNumbers } from "./names.js"
import { partInWords } from "./parts-in-words.js"
import { rulerOf } from "./ruler.js"

const MIN_ROWS = 6 // fewer rows are the parts of a model
const MAX_ATTEMPTS = 20 // the maximum number of classes that are tried

/** A part of a name in place of a layer number: N, i, x, *, #, or a word in brackets. */
const PLACEHOLDER = /(?<=\blayers?)\.(?:[a-zA-Z*#_]|[[{<]\w*[\]}>])(?=\.)/g

/** Tensors that differ only in their layer, or a single tensor outside the layers.
 * @typedef {{ name: string, tensors: RulerTensor[] }} TensorGroup */

/** The tensors of a model, grouped by their names without layer numbers.
 * @param {Ruler} ruler @returns {TensorGroup[]} */
function groupsOf(ruler) {
  /** @type {Map<string, TensorGroup>} */
  const groups = new Map()
  for (const tensor of ruler.tensors) {
    if (tensor.tied) continue
    const name = withoutLayerNumbers(tensor.name)
    getOrMake(groups, name, () => ({ name, tensors: [] })).tensors.push(tensor)
  }
  return [...groups.values()]
}

/** Whether one name is the other, perhaps without the modules in front. @param {string} one @param {string} other */
const isSameName = (one, other) => `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`)

/** The groups that rows count, in the order of the rows; null if a row counts none, or if a group has no row.
 * @param {TextRow[]} rows @param {TensorGroup[]} groups */
function groupsCounted(rows, groups) {
  if (rows.length !== groups.length) return null
  const rest = new Set(groups)
  const counted = rows.map(({ name, low }) => {
    const rowName = name.replace(PLACEHOLDER, "").replace(/(?<=\blayers?)\.(?=\.)/g, "")
    const group = [...rest].find(
      (candidate) => isSameName(candidate.name, rowName) && sumBy(candidate.tensors, untiedElements) === low,
    )
    if (group) rest.delete(group)
    return group
  })
  return counted.every((group) => group !== undefined) ? counted : null
}

/** The account of rows that each count a tensor of all layers; null for any other rows.
 * @param {PrintOut} printOut @returns {Account | null} */
export function accountOfGroupedLayers({ rows }) {
  const isCount = (/** @type {TextRow} */ { name, low, high, shape }) =>
    name && !shape && low !== null && low === high && !/(?<![\w])[0-9]+(?![\w])/.test(name)
  if (rows.length < MIN_ROWS || !rows.every(isCount)) return null
  const total = sumBy(rows, ({ low }) => low ?? 0)
  const candidates = correctTotals(total).flatMap(({ models: [model], classes, labels }) =>
    classes.map((modelClass) => ({ model, modelClass, labels })),
  )
  for (const { model, modelClass, labels } of candidates.slice(0, MAX_ATTEMPTS)) {
    const { sizes } = models.get(model)
    const ruler = rulerOf(modelClass, labels ? { ...sizes, C: labels } : sizes)
    const groups = groupsCounted(rows, groupsOf(ruler))
    if (!groups) continue
    return accountWith({
      kind: "rows",
      headline: words`Each of your rows adds up the tensors of all layers that share its name. This is ${titleOf(model)}, ${asClass(modelClass, labels)}: ${total} parameters. Every row is right and none is missing.`,
      lines: rows.map(({ line, low }, index) => ({
        source: line.source,
        part: partInWords(groups[index].tensors, ruler),
        stated: low,
        right: low,
        verdict: "right",
        times: 1,
      })),
      model: { name: model, modelClass, total },
      confidence: "certain",
    })
  }
  return null
}
