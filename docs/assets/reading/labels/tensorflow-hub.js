// Explains a layer of TensorFlow Hub. A KerasLayer shows one more parameter than BertModel has: a
// scalar that the saved model keeps and that is never trained. A number is therefore explained if
// it exceeds a right total by one.

import { classOfBare } from "../../counting/engine.js"
import { accountWith, finding, words } from "../words.js"
import { lineOfNumber } from "./lines.js"
import { hintsOf, modelWords } from "./methods.js"
import { likelyFits, modelOfFit } from "./totals.js"

/** Words for a layer of TensorFlow Hub. */
const HUB = /keras_?layer|tfhub|tensorflow[ _-]?hub|hub\.load/i
const SCALAR = 1 // parameter
const MIN_TOTAL = 1e6 // a smaller number is more likely a size than a total

/** Whether a class may be that of a summary with a layer of TensorFlow Hub: the bare one, or one for sequence
 * classification.
 * @param {import("./totals.js").TotalLine} line */
const isOfSummary = ({ modelClass, model }) =>
  modelClass === classOfBare(model.architecture) || modelClass.endsWith("ForSequenceClassification")

/** The account of a summary with a layer of TensorFlow Hub; null for any other text, and if no number in it exceeds a
 * right total by one.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfHubLayer(labelledText) {
  const { text, quantities } = labelledText
  if (!HUB.test(text)) return null
  const { costOf } = hintsOf(labelledText)
  const [match] = quantities.flatMap((quantity) => {
    if (!quantity.number.exact || quantity.number.low < MIN_TOTAL) return []
    const [fit] = likelyFits(quantity.number.low - SCALAR, costOf).filter(({ line }) => isOfSummary(line))
    return fit ? [{ quantity, fit }] : []
  })
  if (!match) return null
  const { quantity, fit } = match
  const { low } = quantity.number
  const total = low - SCALAR
  const modelText = modelWords(fit)
  return accountWith({
    kind: "labels",
    headline: words`${low} is ${modelText}, with its ${total} parameters, and one more scalar, which TensorFlow Hub's layer keeps and nothing trains.`,
    findings: [finding(2, words`The extra scalar is not part of the model, which has ${total} without it.`, SCALAR)],
    lines: [lineOfNumber(labelledText, quantity, words`${modelText}, and one scalar`, total)],
    bridge: {
      start: low,
      startLabel: "what the layer shows",
      steps: [{ label: words`the extra scalar`, value: -SCALAR, formula: "" }],
      end: total,
      endLabel: "the parameters of the model",
    },
    model: modelOfFit(fit),
  })
}
