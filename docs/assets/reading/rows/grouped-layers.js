// Explains a list in which each row counts a tensor of all layers at once, because the layer numbers were removed from
// the names before the counts were added up:
//
//     encoder.layer.N.attention.self.query.weight: 7,077,888
//
// The models whose total is the sum of all rows are candidates. The first whose tensors, added up in the same way, have
// exactly these names and counts is taken.

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

/** Whether two names are equal, apart from modules in front that only one of them has.
 * @param {string} one @param {string} other */
const isSameName = (one, other) => `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`)

/** The group that each row counts; null if a row counts none, or if a group has no row.
 * @param {TextRow[]} rows @param {TensorGroup[]} groups */
function groupsOfRows(rows, groups) {
  if (rows.length !== groups.length) return null
  const unusedGroups = new Set(groups)
  const groupsInOrder = rows.map(({ name, low }) => {
    const rowName = name.replace(PLACEHOLDER, "").replace(/(?<=\blayers?)\.(?=\.)/g, "")
    const group = [...unusedGroups].find(
      (candidate) => isSameName(candidate.name, rowName) && sumBy(candidate.tensors, untiedElements) === low,
    )
    if (group) unusedGroups.delete(group)
    return group
  })
  return groupsInOrder.every((group) => group !== undefined) ? groupsInOrder : null
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
    const groups = groupsOfRows(rows, groupsOf(ruler))
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
