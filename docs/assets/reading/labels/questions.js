// Answers questions: texts that ask for the number of parameters of a model or of a part, or for the
// memory that they take, without stating the number; for the share of a part in its model; or for a
// comparison of two models or classes. Words for amounts make a text a question, because many
// people type no question mark.

import exported from "../../../data/reading.js"
import { count, models, noun, whole } from "../../counting/engine.js"
import { loadingIn } from "../loaded-model.js"
import { accountInSentences, finding, inParagraph, link, words } from "../words.js"
import { asClass, titleOf } from "./meanings.js"
import { BYTES_PER_NUMBER, inGigabytes, namesType, typeNamed } from "./memory.js"
import { classesIn, isGeneric, modelsIn, partsIn } from "./mentions.js"
import {
  ALL_LAYERS,
  IN_LAYERS,
  numberOfPart,
  ONE_LAYER,
  partsNamed,
  sharesOfParts,
  sizesOfPart,
  USUAL_MODELS,
} from "./named-parts.js"
import { phraseFinder, withRoles } from "./phrases.js"
import { sentencesOnOtherTotal } from "./sentences.js"
import { classAndTotal, comparisonOf } from "./totals.js"

const { words: labels } = exported.labels

const BYTES_PER_TRAINED_PARAMETER = 16 // with its gradient and Adam's two moments

/** The words with which a text asks for an amount. */
const amountsIn = phraseFinder(
  withRoles({
    count: [...labels.count, "big", "large is", "size of", "groß", "grande", "many"],
    memory: [...labels.memory, "fine tune", "gb", "mb"],
  }),
)
/** Words for training, in several languages. */
const TRAINING = /adam|fine-?tun|(?<!pre)train|entren|entraîn|훈련|학습|訓練|学習|训练|微调/i
/** Words that ask for a share, in several languages. To share weights is something else. */
const SHARE =
  /\bpercent|%|\b(?:what|which|the|large|big) share\b|\bfraction\b|\bproportion\b|anteil|prozent|pourcentage|porcentaje|占比|比例|百分/i
/** Words that ask for the part with the most parameters. */
const LARGEST_PART =
  /\b(?:which|what) (?:parts?|components?|blocks?)\b.{0,40}\b(?:most|largest|biggest)\b|\bwhere (?:are|is) (?:most|the majority)\b/i
/** The parts that a model consists of. */
const PARTS_OF_MODEL = [ALL_LAYERS, "the embeddings", "the pooler"]
/** Words for kinds of tensors all over the model, and the site's words for them. @type {[RegExp, string][]} */
const KINDS_OF_TENSORS = [
  [/\bbias(?:es)?\b/i, "the biases of all dense layers in the model"],
  [/\blayer ?norms?\b/i, "all LayerNorms in the model"],
]
const MAX_MODELS_OF_PARTS = 2 // in which the size of a part is given
const MAX_COMPARED = 6 // models or classes in a comparison
/** Words that compare two things. */
const COMPARING =
  /\b(?:more|fewer|less|than|compared?|comparison|bigger|larger|smaller|times|vs|versus|between|mehr|weniger|größer|kleiner|unterschied|entre|que)\b|\bdiffer|差|比/i

/** The account of a question about a model that it names; null if there is none.
 * @param {string} text @returns {Account | null} */
export function accountOfQuestion(text) {
  if (text.includes("\n") && loadingIn(text)) return null // code is not a question, whatever its variables are called
  const mentions = modelsIn(text)
  const [mention] = mentions
  const amounts = amountsIn(text).map(({ role }) => role)
  if (mention?.isForeign) return null
  const asksForOther = [SHARE, LARGEST_PART, COMPARING].some((pattern) => pattern.test(text)) || isWithoutPart(text)
  if (!amounts.length && !asksForOther && !namesType(text)) return null
  const isOfMemory = amounts.includes("memory") || namesType(text)
  if (!mention || mention.models.length) {
    const namedModels = comparedNames(text, mentions).filter(Boolean).slice(0, MAX_MODELS_OF_PARTS)
    const names = !mention || isGeneric(mention) ? USUAL_MODELS : namedModels
    const account =
      accountOfShares(text, names) ??
      (amounts.length || COMPARING.test(text)
        ? accountOfParts(text, isOfMemory ? names.slice(0, 1) : names, isOfMemory)
        : null) ??
      (isOfMemory ? null : accountOfComparison(text, mentions))
    if (account) return account
  }
  if (!amounts.length && !isOfMemory && !(mention && isWithoutPart(text))) return null
  if (!mention) return accountWithoutPart(text)
  if (mention.others.length) return answer(sentencesOnOtherTotal(mention.others[0]), null)
  const [name] = mention.models
  return name ? accountOfTotal(text, name, isOfMemory) : null
}

/** The account of a question about the total of a model, or about the memory that it takes.
 * @param {string} text @param {string} name  of the model @param {boolean} isOfMemory */
function accountOfTotal(text, name, isOfMemory) {
  const namedClass = classesIn(text).find((named) => classAndTotal(name, named.name).total)
  const { modelClass, total } = classAndTotal(name, namedClass?.name)
  const sentence = words`${titleOf(name)} has ${total} parameters ${asClass(modelClass)}${withoutParts(text, { name, modelClass, total })}.`
  const model = { name, modelClass, total }
  if (!isOfMemory) return answer(sentence, model)
  const isTraining = TRAINING.test(text)
  const [dtype, bytesOfType] = typeNamed(text)
  if (!isTraining && !bytesOfType) return answer(sentence, model)
  const bytes = isTraining ? BYTES_PER_TRAINED_PARAMETER : bytesOfType
  const extent = isTraining ? "with their gradients and Adam's two moments, before activations" : `in ${dtype}`
  return answer(
    words`${sentence} At ${whole(bytes)} ${noun(bytes, "byte")} each, they take ${total * bytes} bytes (${inGigabytes(total * bytes)}) ${extent}.`,
    model,
  )
}

/** The end of a text with one of these words, up to two further words before the part that they are about.
 * @param {string} words */
const endingIn = (words) => new RegExp(String.raw`\b(?:(?:${words})\s(?:\w+\s){0,2}|non[ -])$`, "i")
const LEAVING = String.raw`without|exclud\w*|except|minus|not counting|ohne|sans|freez\w+|remov\w+|drop\w*`
/** Words that leave out the part after them, and all words after which a part only describes a model. */
const LEAVING_OUT = endingIn(LEAVING)
const DESCRIBING = endingIn(String.raw`${LEAVING}|with|includ\w*|plus|no|not|if`)

/** The account of a question about the share of a part in each of some models, or about the part with the most
 * parameters; null for any other text.
 * @param {string} text @param {string[]} names @returns {Account | null} */
function accountOfShares(text, names) {
  const isOfLargest = LARGEST_PART.test(text)
  if (!isOfLargest && !SHARE.test(text)) return null
  const parts = isOfLargest
    ? PARTS_OF_MODEL.flatMap((partName) => partsNamed([partName]))
    : questionedParts(text).filter(({ words: part }, _, all) => !isOneOfAll(part, all))
  if (!parts.length) return null
  const [namedClass] = classesIn(text).flatMap(({ modelClass }) => modelClass?.name ?? [])
  const shares = names.map((name) => sharesOfParts(parts, name, namedClass)).filter(({ length }) => length)
  return inOneAnswer(shares.map((share) => words`${share}.`))
}

/** Whether words name a part in one layer that a list also has in all layers.
 * @param {string} part @param {{ words: string }[]} all */
const isOneOfAll = (part, all) =>
  all.some((other) => other.words !== part && other.words === part.replace(/ in one layer$/, " in all layers"))

/** The account of a comparison of two models, or of two classes of one model; null for any other text.
 * @param {string} text @param {Mention[]} mentions @returns {Account | null} */
function accountOfComparison(text, mentions) {
  if (!COMPARING.test(text) || mentions.some(({ models: [name], isForeign }) => isForeign || !name)) return null
  const names = comparedNames(text, mentions)
  const namedClasses = classesIn(text).flatMap(({ modelClass }) => modelClass?.name ?? [])
  const [name = USUAL_MODELS[0]] = names
  const comparedModels =
    names.length > 1
      ? names.map((other) => ({ name: other, ...classAndTotal(other) }))
      : [...new Set(namedClasses)].map((modelClass) => ({ name, ...classAndTotal(name, modelClass) }))
  if (comparedModels.length < 2 || comparedModels.length > MAX_COMPARED || comparedModels.some(({ total }) => !total))
    return null
  if (comparedModels.length > 2)
    return inOneAnswer(
      comparedModels.map((one) => words`${titleOf(one.name)} has ${one.total} parameters ${asClass(one.modelClass)}.`),
    )
  const [larger, smaller] = comparedModels.sort((one, other) => other.total - one.total)
  return answer(
    words`${titleOf(smaller.name)} has ${smaller.total} parameters ${asClass(smaller.modelClass)}. ${titleOf(larger.name)} has ${larger.total} ${asClass(larger.modelClass)}${comparisonOf(larger.total, smaller.total)}.`,
    null,
  )
}

/** The models that a text compares. After a cased or an uncased model, the other word alone names its counterpart.
 * @param {string} text @param {Mention[]} mentions */
function comparedNames(text, mentions) {
  const names = [...new Set(mentions.map(({ models: [name] }) => name))]
  const [name = ""] = names
  const counterpart = name.includes("uncased") ? name.replace("uncased", "cased") : name.replace("cased", "uncased")
  const namesBoth = /\bcased\b/i.test(text) && /\buncased\b/i.test(text)
  const isKnown = /** @type {Map<string, Model>} */ (models).has(counterpart)
  return names.length === 1 && namesBoth && isKnown && counterpart !== name ? [name, counterpart] : names
}

/** The parts that a question is about. @param {string} text */
function questionedParts(text) {
  const partNames = partsIn(text)
    .filter(({ start }) => !DESCRIBING.test(text.slice(0, start)))
    .map((part) => part.words)
  const isOfLayerNorms = /\blayer ?norms?\b/i.test(text)
  if (partNames.includes(ONE_LAYER)) return partsNamed([...partNames, ...(isOfLayerNorms ? ["the LayerNorms"] : [])])
  const parts = [...new Set(partNames)].flatMap((partName) => partsNamed([partName]))
  if (!parts.length)
    return KINDS_OF_TENSORS.flatMap(([kindInText, kind]) => (kindInText.test(text) ? partsNamed([kind]) : []))
  // "In all layers" is not a part of its own next to the attention.
  const hasPartsOfLayers = parts.some((part) => IN_LAYERS.test(part.words))
  return hasPartsOfLayers ? parts.filter((part) => part.words !== ALL_LAYERS) : parts
}

/** The account of a question about a part, such as the pooler; null if the text names none.
 * @param {string} text @param {string[]} names  of the models that it means @param {boolean} isOfMemory
 * @returns {Account | null} */
function accountOfParts(text, names, isOfMemory) {
  const sentences = questionedParts(text).map((part) => {
    const bytes = numberOfPart(part, names[0]) * BYTES_PER_NUMBER.float32
    const memory = words`, which take ${bytes} bytes (${inGigabytes(bytes)}) in float32`
    return words`${sizesOfPart(part, names)}${isOfMemory ? memory : ""}.`
  })
  return inOneAnswer(sentences)
}

/** An account that consists of sentences; null if there are none. @param {Words[]} sentences */
const inOneAnswer = (sentences) => (sentences.length ? answer(inParagraph(sentences), null) : null)

/** The account of a question about what is left of BERT base without a part; null if the text leaves out none.
 * @param {string} text @returns {Account | null} */
function accountWithoutPart(text) {
  const [name] = USUAL_MODELS
  const model = { name, ...classAndTotal(name) }
  const ending = withoutParts(text, model)
  return ending
    ? answer(words`${titleOf(name)} has ${model.total} parameters ${asClass(model.modelClass)}${ending}.`, model)
    : null
}

/** Whether a text leaves out a part of a model. @param {string} text */
const isWithoutPart = (text) => partsIn(text).some(({ start }) => LEAVING_OUT.test(text.slice(0, start)))

/** The total of a model without the part that a text leaves out, to follow the total; "" if it leaves out none.
 * @param {string} text @param {{ name: string, modelClass: string, total: number }} model */
function withoutParts(text, { name, modelClass, total }) {
  const partNames = partsIn(text)
    .filter(({ start }) => LEAVING_OUT.test(text.slice(0, start)))
    .map((part) => part.words)
  const part = partsNamed(partNames).at(-1) // in all layers
  const countOfPart = part && count({ modelClass, sizes: models.get(name).sizes, part: part.path, tag: part.tag })
  return part && countOfPart ? words`, and ${total - countOfPart} without ${part.words}` : ""
}

/** Words that ask whether a model fits, words for the device that it may fit on, and an amount of memory. */
const FITS = /\b(?:fits?|enough|suffices?|will\b.*\bdo)\b/i
const DEVICE =
  /\b(?:gpus?|vram|oom|out of memory|graphics card|cuda|colab|kaggle|[tpv]4|[pv]100|[ah][124]00|l40s?|l4|k80|(?:rtx|gtx)\s?[0-9]{4})\b|显存|顯存/i
const MEMORY = /\b[0-9]+(?:[.,][0-9]+)? ?Gi?B\b/i
/** Words that make an amount of memory a statement about the model, instead of the size of a device. */
const NEEDS = /\b(?:needs?|takes?|requires?|occupies|us(?:es?|ed|ing))\b/i
/** A number of parameters or another amount of memory, which may be the question instead. */
const OTHER_AMOUNT = /[0-9][0-9,.]{4,}|\b[0-9]+(?:[.,][0-9]+)? ?(?:M|B|Mi?B|million|billion)\b/i

/** The account of a question about whether a model fits on a GPU, BERT base if none is named; null for any other text.
 * Activations are not counted, because they depend on more than the question states.
 * @param {string} text @returns {Account | null} */
export function accountOfMemoryQuestion(text) {
  const [mention] = modelsIn(text)
  const [namedModel] = mention && !mention.isForeign ? mention.models : []
  const name = namedModel ?? (mention ? null : USUAL_MODELS[0])
  const isOnDevice = DEVICE.test(text) && !OTHER_AMOUNT.test(text) && !NEEDS.test(text)
  if (!name || !(isOnDevice || (namedModel && FITS.test(text))) || !MEMORY.test(text)) return null
  const { modelClass, total } = classAndTotal(name, "")
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
