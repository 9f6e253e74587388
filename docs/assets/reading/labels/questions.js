// Questions: a text that names a model and asks for its number of parameters, or for the
// memory that they take, without stating a number.

import exported from "../../../data/reading.js"
import { whole } from "../../counting/engine.js"
import { code, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { classesIn, modelsIn } from "./mentions.js"
import { pattern } from "./phrases.js"
import { bareTotal } from "./totals.js"

const { words: labels, totals: others } = exported.labels

const AMOUNTS = pattern({
  count: [...labels.count, "big", "large is", "groß", "grande", "many"],
  memory: [...labels.memory, "fine tune", "gb", "mb"],
})
const ADAM = /adam|fine-?tun|train|entren|entraîn|훈련|학습|訓練|学習|训练|微调/i

/** The account of a question about a model that is named; null if a text is none.
 * @param {string} text @returns {Account | null} */
export function accountOfQuestion(text) {
  const [mention] = modelsIn(text)
  const amounts = AMOUNTS(text).map(({ role }) => role)
  if (!mention || !amounts.length || mention.isForeign) return null
  if (mention.others.length) {
    const { title, totals } = others[mention.others[0]]
    const [[modelClass, total]] = Object.entries(totals)
    return answer(
      words`${title} has ${total} parameters as ${code(modelClass)}. It is not BERT: we know its total, but do not count its parts.`,
      null,
    )
  }
  const [name] = mention.models
  if (!name) return null
  const classInText = classesIn(text).find(({ known }) => known)?.name ?? ""
  const own = classInText && bareTotal(name, classInText).total ? classInText : ""
  const { modelClass, total } = bareTotal(name, own)
  const has = words`${titleOf(name)} has ${total} parameters ${asClass(modelClass)}.`
  const model = { name, modelClass, total }
  if (!amounts.includes("memory")) return answer(has, model)
  const isTrained = ADAM.test(text)
  const bytes = isTrained ? 16 : 4
  const extent = isTrained ? "with their gradients and Adam's two moments, before activations" : "in float32"
  return answer(
    words`${has} At ${whole(bytes)} bytes each, they take ${total * bytes} bytes (${inGigabytes(total * bytes)}) ${extent}.`,
    model,
  )
}

/** Bytes in gigabytes, as in 1.75 GB. @param {number} bytes */
const inGigabytes = (bytes) => `${(bytes / 1e9).toFixed(2)} GB`

/** @param {Words} headline @param {Account["model"]} model @returns {Account} */
const answer = (headline, model) => ({
  kind: "labels",
  headline,
  findings: [],
  lines: [],
  bridge: null,
  model,
  confidence: "certain",
})
