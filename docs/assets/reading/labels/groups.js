// Explains the groups into which an optimiser divides parameters. Weight decay usually applies to
// matrices and tables only, so biases and LayerNorms have a group of their own. Neither number is a
// total, but their sum is.

import { models, sumBy } from "../../counting/engine.js"
import { isRight } from "../../explaining/explain.js"
import { rulerOf } from "../rows/ruler.js"
import { accountWith, words } from "../words.js"
import { lineOfNumber } from "./lines.js"
import { asClass, classOf, titleOf, usualLabels } from "./meanings.js"

const MIN_COUNT = 1000 // a smaller number may count tensors or groups
const GROUP_COUNT = 2

/** The account of two counts, one of the matrices of a model and one of its vectors, perhaps with their sum; null for
 * any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfGroups(labelledText) {
  const counts = labelledText.numbers.filter(
    ({ role, number }) => role === "count" && number.exact && number.low >= MIN_COUNT,
  )
  const [larger, smaller, ...others] = [...counts].sort((one, other) => other.number.low - one.number.low)
  // The text may state the sum as well.
  const isSumStated = others.length === 1 && larger.number.low === smaller.number.low + others[0].number.low
  const groups = isSumStated ? [smaller, ...others] : counts
  if (groups.length !== GROUP_COUNT) return null
  const total = sumBy(groups, ({ number }) => number.low)
  const [way] = labelledText.explain(String(total), "")
  if (!way?.models.length || way.parts.length || !(isRight(way) || way.kind === "labels")) return null
  const [name] = way.models
  const modelClass = classOf(way)
  const labels = way.labels || usualLabels(modelClass, name)
  const { sizes } = models.get(name)
  const tensors = rulerOf(modelClass, labels ? { ...sizes, C: labels } : sizes).tensors.filter(({ tied }) => !tied)
  const vectorSum = sumBy(tensors, ({ shape, elements }) => (shape.length > 1 ? 0 : elements))
  const vectors = groups.find(({ number }) => number.low === vectorSum)
  const matrices = groups.find((group) => group !== vectors)
  if (!vectors || !matrices) return null
  const partOf = (/** @type {Quantity} */ quantity) => {
    if (quantity === vectors) return words`the biases and the LayerNorms`
    return quantity === matrices ? words`the matrices and the embedding tables` : words`both groups together`
  }
  return accountWith({
    kind: "labels",
    headline: words`These two groups add up to ${total}: ${titleOf(name)}, ${asClass(modelClass, labels)}. ${matrices.number.low} parameters are in the matrices and the embedding tables, and ${vectors.number.low} in the biases and the LayerNorms, to which weight decay usually does not apply.`,
    lines: counts.map((quantity) => lineOfNumber(labelledText, quantity, partOf(quantity), quantity.number.low)),
    model: { name, modelClass, total },
    confidence: "certain",
  })
}
