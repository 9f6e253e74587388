// Answers questions: texts that name a model and ask for its number of parameters, or for the
// memory that its parameters take, without stating the number. Words for amounts make a text a question,
// because many people type no question mark.

import exported from "../../../data/reading.js"
import { whole } from "../../counting/engine.js"
import { loadingIn } from "../loaded-model.js"
import { accountInSentences, code, finding, link, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { BYTES_PER_NUMBER, inGigabytes } from "./memory.js"
import { classesIn, modelsIn } from "./mentions.js"
import { phraseFinder, withRoles } from "./phrases.js"
import { classAndTotal } from "./totals.js"

const { words: labels, totals: otherModels } = exported.labels

const BYTES_PER_TRAINED_PARAMETER = 16 // with its gradient and Adam's two moments

/** The words with which a text asks for an amount. */
const amountsIn = phraseFinder(
  withRoles({
    count: [...labels.count, "big", "large is", "groß", "grande", "many"],
    memory: [...labels.memory, "fine tune", "gb", "mb"],
  }),
)
/** Words for training, in several languages. */
const TRAINING = /adam|fine-?tun|(?<!pre)train|entren|entraîn|훈련|학습|訓練|学習|训练|微调/i

/** The account of a question about a model that it names; null if there is none.
 * @param {string} text @returns {Account | null} */
export function accountOfQuestion(text) {
  if (text.includes("\n") && loadingIn(text)) return null // code is not a question, whatever its variables are called
  const [mention] = modelsIn(text)
  const amounts = amountsIn(text).map(({ role }) => role)
  if (!mention || !amounts.length || mention.isForeign) return null
  if (mention.others.length) {
    const { title, totals } = otherModels[mention.others[0]]
    const [[modelClass, total]] = Object.entries(totals)
    return answer(
      words`${title} has ${total} parameters as ${code(modelClass)}. It is not BERT: we know its total, but do not count its parts.`,
      null,
    )
  }
  const [name] = mention.models
  if (!name) return null
  const classInText = classesIn(text).find(({ modelClass: counted }) => counted)?.name ?? ""
  const countedClass = classInText && classAndTotal(name, classInText).total ? classInText : ""
  const { modelClass, total } = classAndTotal(name, countedClass)
  const sentence = words`${titleOf(name)} has ${total} parameters ${asClass(modelClass)}.`
  const model = { name, modelClass, total }
  if (!amounts.includes("memory")) return answer(sentence, model)
  const isTraining = TRAINING.test(text)
  const bytes = isTraining ? BYTES_PER_TRAINED_PARAMETER : BYTES_PER_NUMBER.float32
  const extent = isTraining ? "with their gradients and Adam's two moments, before activations" : "in float32"
  return answer(
    words`${sentence} At ${whole(bytes)} bytes each, they take ${total * bytes} bytes (${inGigabytes(total * bytes)}) ${extent}.`,
    model,
  )
}

/** Words that ask whether a model fits, and an amount of memory that it may fit into. */
const FITS = /\b(?:fits?|enough|suffices?|will\b.*\bdo)\b/i
const MEMORY = /\b[0-9]+(?:[.,][0-9]+)? ?Gi?B\b/i

/** The account of a question about whether a named model fits on a GPU; null for any other text. Activations are not
 * counted, because they depend on more than the question states.
 * @param {string} text @returns {Account | null} */
export function accountOfMemoryQuestion(text) {
  const [mention] = modelsIn(text)
  const [name] = mention && !mention.isForeign ? mention.models : []
  if (!name || !FITS.test(text) || !MEMORY.test(text)) return null
  const { modelClass, total } = classAndTotal(name, "")
  /** The memory of the model at this many bytes per parameter, in words. */
  const amount = (/** @type {number} */ bytes) => inGigabytes(total * bytes)
  const hint = words`A step also keeps activations, which grow with the batch and the length of the texts: ${link("run/memory-of-training.html#batch", "the page on training memory")} counts both for your GPU.`
  return {
    ...answer(
      words`${titleOf(name)}: in float32, the weights take ${amount(BYTES_PER_NUMBER.float32)}, and training with Adam takes at least ${amount(BYTES_PER_TRAINED_PARAMETER)}.`,
      { name, modelClass, total },
    ),
    findings: [finding(40, hint)],
  }
}

/** An account that has only a headline.
 * @param {Words} headline @param {Account["model"]} model @returns {Account} */
const answer = (headline, model) => accountInSentences(headline, [], { kind: "labels", model })
