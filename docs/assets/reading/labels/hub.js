// Explains a layer of TensorFlow Hub: a KerasLayer shows the parameters of BertModel
// and one more, a scalar that the saved model keeps beside them and that is never
// trained.

import { classOfBare } from "../../counting/engine.js"
import { words } from "../words.js"
import { lineOfNumber } from "./lines.js"
import { modelWords } from "./methods.js"
import { exactly } from "./resolving.js"

const HUB = /keras_?layer|tfhub|tensorflow[ _-]?hub|hub\.load/i
const EXTRA = 1

/** Whether a total may be that of a summary with such a layer, which has either no head or a dense layer for labels.
 * @param {import("./totals.js").Line} line */
const isShown = ({ modelClass, model }) =>
  modelClass === classOfBare(model.architecture) || modelClass.endsWith("ForSequenceClassification")

/** The account of a summary with a layer of TensorFlow Hub; null for any other text.
 * @param {Reader} reader @returns {Account | null} */
export function accountOfHubLayer(reader) {
  const { text, quantities, labels, mentions } = reader
  if (!HUB.test(text)) return null
  const [mention = null] = mentions
  const context = {
    mention,
    classes: [],
    endings: [],
    labels,
    parts: [],
    tokens: 0,
    trained: false,
    changed: false,
    gguf: false,
    explained: reader.explained,
  }
  const [match] = quantities.flatMap((quantity) => {
    // Below a million, a number is more likely a size than a total.
    if (!quantity.number.exact || quantity.number.low < 1e6) return []
    const [fit] = exactly(quantity.number.low - EXTRA, context).filter(({ line }) => isShown(line))
    return fit ? [{ quantity, fit }] : []
  })
  if (!match) return null
  const { quantity, fit } = match
  const { low } = quantity.number
  const total = low - EXTRA
  const modelText = modelWords(fit)
  return {
    kind: "labels",
    headline: words`${low} is ${modelText}, with its ${total} parameters, and one more scalar, which TensorFlow Hub's layer keeps and nothing trains.`,
    findings: [
      {
        weight: 2,
        words: words`The extra scalar is not part of the model, which has ${total} without it.`,
        amount: EXTRA,
      },
    ],
    lines: [lineOfNumber(reader, quantity, words`${modelText}, and one scalar`, total)],
    bridge: {
      start: low,
      startLabel: "what the layer shows",
      steps: [{ label: words`the extra scalar`, value: -EXTRA, formula: "" }],
      end: total,
      endLabel: "the parameters of the model",
    },
    model: { name: fit.line.model.name, modelClass: fit.line.modelClass, total },
    confidence: "certain",
  }
}
