// Answers questions: texts that ask for the number of parameters of a model or of a part, or for the
// memory that they take, without stating the number. Words for amounts make a text a question,
// because many people type no question mark.

import exported from "../../../data/reading.js"
import { count, models, whole } from "../../counting/engine.js"
import { loadingIn } from "../loaded-model.js"
import { accountInSentences, code, finding, link, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { BYTES_PER_NUMBER, inGigabytes } from "./memory.js"
import { classesIn, modelsIn, partsIn } from "./mentions.js"
import { numberOfPart, partsNamed, sizesOfPart, USUAL_MODELS } from "./named-parts.js"
import { phraseFinder, withRoles } from "./phrases.js"
import { isGeneric } from "./resolving.js"
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
  if (!amounts.length || mention?.isForeign) return null
  const isOfMemory = amounts.includes("memory")
  if (!mention || mention.models.length) {
    const names = !mention || isGeneric(mention) ? USUAL_MODELS : mention.models.slice(0, 1)
    const account = accountOfParts(text, isOfMemory ? names.slice(0, 1) : names, isOfMemory)
    if (account) return account
  }
  if (!mention) return null
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
  const sentence = words`${titleOf(name)} has ${total} parameters ${asClass(modelClass)}${withoutParts(text, { name, modelClass, total })}.`
  const model = { name, modelClass, total }
  if (!isOfMemory) return answer(sentence, model)
  const isTraining = TRAINING.test(text)
  const bytes = isTraining ? BYTES_PER_TRAINED_PARAMETER : BYTES_PER_NUMBER.float32
  const extent = isTraining ? "with their gradients and Adam's two moments, before activations" : "in float32"
  return answer(
    words`${sentence} At ${whole(bytes)} bytes each, they take ${total * bytes} bytes (${inGigabytes(total * bytes)}) ${extent}.`,
    model,
  )
}

/** Words after which a part only describes a model, and those that leave it out. */
const DESCRIBING = /\b(?:with(?:out)?|includ\w*|exclud\w*|except|plus|minus|and|no|not|if)\s(?:\w+\s){0,2}$/i
const LEAVING_OUT = /\b(?:without|excluding|except|minus|not counting)\s(?:\w+\s){0,2}$/i

/** The account of a question about a part, such as the pooler; null if the text names none.
 * @param {string} text @param {string[]} names  of the models that it means @param {boolean} isOfMemory
 * @returns {Account | null} */
function accountOfParts(text, names, isOfMemory) {
  const partNames = partsIn(text)
    .filter(({ start }) => !DESCRIBING.test(text.slice(0, start)))
    .map((part) => part.words)
  const sentences = partsNamed(partNames).map((part) => {
    const bytes = numberOfPart(part, names[0]) * BYTES_PER_NUMBER.float32
    const memory = words`, which take ${bytes} bytes (${inGigabytes(bytes)}) in float32`
    return words`${sizesOfPart(part, names)}${isOfMemory ? memory : ""}.`
  })
  return sentences.length
    ? answer(
        sentences.flatMap((sentence, index) => [index ? " " : "", ...sentence]),
        null,
      )
    : null
}

/** The total of a model without the part that a text leaves out, to follow the total; "" if it leaves out none.
 * @param {string} text @param {{ name: string, modelClass: string, total: number }} model */
function withoutParts(text, { name, modelClass, total }) {
  const partNames = partsIn(text)
    .filter(({ start }) => LEAVING_OUT.test(text.slice(0, start)))
    .map((part) => part.words)
  const part = partsNamed(partNames).at(-1) // in all layers
  const left = part && count({ modelClass, sizes: models.get(name).sizes, part: part.path, tag: part.tag })
  return part && left ? words`, and ${total - left} without ${part.words}` : ""
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
