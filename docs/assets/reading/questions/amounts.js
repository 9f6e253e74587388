// Answers how many parameters a model or a part has, or how much memory they take. Words for amounts
// make a text such a question, because many people type no question mark. So does a text that has
// nothing but the names of models and their parts. Shares and comparisons are left to comparisons.js.

import exported from "../../../data/reading.js"
import { count as countChanged } from "../../counting/changes.js"
import { ofModel } from "../../counting/configuration.js"
import { classesOf, models, noun, whole } from "../../counting/engine.js"
import { asClass, ON_SHARED_LAYERS, subjectOf } from "../labels/meanings.js"
import { BYTES_PER_NUMBER, BYTES_PER_TRAINED_PARAMETER, inLargeUnit, namesType, typeNamed } from "../labels/memory.js"
import { IN_LAYERS, isGeneric } from "../labels/mentions.js"
import {
  BIASES,
  countOfPart,
  isJoined,
  numberOfPart,
  partsNamed,
  SHIFTS,
  sentenceOnOtherLayers,
  sizesOfPart,
  USUAL_MODELS,
} from "../labels/named-parts.js"
import { withoutSpans } from "../labels/number-forms.js"
import { phraseFinder, withRoles } from "../labels/phrases.js"
import { sentencesOnOtherTotal } from "../labels/sentences.js"
import { classAndTotal } from "../labels/totals.js"
import { loadingIn } from "../loaded-model.js"
import { enumeration, link, words } from "../words.js"
import {
  accountOfComparedParts,
  accountOfComparison,
  accountOfShares,
  asksForShareOrComparison,
  comparedNames,
  isComparing,
  sharesLayers,
} from "./comparisons.js"
import { answer, answerInSentences } from "./question-accounts.js"
import {
  isLeftOut,
  leavesOutTensors,
  partNamesLeftOut,
  questionedParts,
  sentenceWithout,
  tablesNamedByRows,
  withoutParts,
} from "./questioned-parts.js"

const { words: labels } = exported.labels

/** Words that ask for the number of biases, which are themselves parameters. */
const AMOUNTS_OF_BIASES = ["number of biases", "sum of all biases", "all biases", "total biases"]

/** The words with which a text asks for an amount. */
const amountsIn = phraseFinder(
  withRoles({
    count: [...labels.count, "big", "large is", "多大", "size of", "groß", "grande", "many", ...AMOUNTS_OF_BIASES],
    memory: [...labels.memory, "fine tune", "gb", "mb"],
  }),
)
/** The numbers that training with Adam keeps in float32 besides the weights: a pattern for them in a text, their bytes
 * per parameter, and our words for them. @type {[pattern: RegExp, bytesPerParameter: number, name: string][]} */
const KEPT_IN_TRAINING = [
  [
    /\boptimi[sz]ers?(?:'s?)? states?\b|\b(?:first|second|two|adam'?s?) moments?\b|\badamw?(?:['’]?s)?\s(?:keeps?|stores?|needs?|states?)\b/i,
    2 * BYTES_PER_NUMBER.float32,
    "Adam's two moments",
  ],
  [/\bgradients?\b/i, BYTES_PER_NUMBER.float32, "the gradients"],
]
/** A line of Python that begins a block. */
const BLOCK_OF_CODE = /^\s*(?:for|if|def|class|while|with)\b[^\n]{0,200}:\s*(?:#.*)?$/m

/** Words for the formats in which bitsandbytes packs matrices, and the names of these formats.
 * @type {[pattern: RegExp, format: string][]} */
const PACKED_FORMATS = [
  [/(?<![a-z0-9])(?:nf4|fp4|int4|4[\s-]?bits?)(?![a-z0-9])/i, "in 4 bits"],
  [/(?<![a-z0-9])8[\s-]?bits?(?![a-z0-9])/i, "in int8"],
]
/** Words that ask for the whole memory of training, and not only for that of gradients or moments. */
const WHOLE_TRAINING = /train|tun|\b(?:with(?!\sadamw?\b)|and|plus|includ\w+|weights)\b/i
/** Words for training, in several languages, and the name of the usual optimiser. */
const TRAINING = /adam|fine-?tun|(?<!pre)train|entren|entraîn|훈련|학습|訓練|学習|训练|微调/i
/** Words that ask for a reason, in several languages. */
const WHY = /\bwhy\b|\bwarum\b|\bpourquoi\b|por qué|为什么/i
const MAX_MODELS_OF_PARTS = 2 // the maximum number of models for which the size of a part is given

/** The account of a question about the size of a model or part, its share, or a comparison; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfAmount(labelledText) {
  const { text, mentions } = labelledText
  // Code is not a question, whatever its variables are called.
  if (text.includes("\n") && (loadingIn(text) || BLOCK_OF_CODE.test(text))) return null
  const [mention] = mentions
  if (mention?.isForeign) return null
  const amounts = amountsIn(text).map(({ role }) => role)
  const isOfMemory = amounts.includes("memory") || namesType(text)
  const leavesOut = partNamesLeftOut(labelledText).length > 0
  // Without any word for an amount, a text asks for one if it has nothing but the names of models and their parts.
  const isPart = isPartOfModel(labelledText)
  const isList = isListOfModels(labelledText)
  const hasHead = isModelWithHead(labelledText)
  const isQuestion = amounts.length || asksForShareOrComparison(text) || leavesOut || isOfMemory
  if (!isQuestion && !isPart && !isList && !hasHead) return null
  // A share, a part or a comparison is meant rather than a total, if the text is about one.
  if (!mention || mention.models.length) {
    const namedModels = comparedNames(text, mentions).filter(Boolean).slice(0, MAX_MODELS_OF_PARTS)
    const names = !mention || isGeneric(mention) ? USUAL_MODELS : namedModels
    const account =
      accountOfShares(labelledText, names) ??
      (isOfMemory ? null : accountOfComparedParts(labelledText, names)) ??
      (amounts.length || isComparing(text)
        ? hedged(accountOfParts(labelledText, names, isOfMemory), asksForOther(labelledText))
        : null) ??
      (isOfMemory ? null : accountOfComparison(labelledText, isList))
    if (account) return account
  }
  if (mention && hasHead) return accountOfTotal(labelledText, mention.models[0], isOfMemory)
  const accountOfPart = mention && isPart ? accountOfParts(labelledText, [mention.models[0]], false) : null
  if (accountOfPart) return accountOfPart
  if (!amounts.length && !isOfMemory && !(mention && leavesOut)) return null
  if (!mention) return leavesOut ? accountWithoutPart(labelledText) : null
  if (mention.others.length) return answer(sentencesOnOtherTotal(mention.others[0]))
  const [name] = mention.models
  if (!name) return null
  const isOtherTotal = !isOfMemory && !leavesOut && !leavesOutTensors(text) && CHANGING.test(text)
  return hedged(accountOfTotal(labelledText, name, isOfMemory), isOtherTotal)
}

/** An account that is only possible if the text may ask for something else.
 * @template {Account | null} T @param {T} account @param {boolean} mayAskForOther @returns {T} */
const hedged = (account, mayAskForOther) =>
  account && mayAskForOther ? { ...account, confidence: "possible" } : account

/** Words that ask for something other than a total, in several languages. If a text has them, no earlier reader has
 * understood it. */
const CHANGING =
  /(?<![\p{L}\p{N}])(?:if|instead|half|halves|third|quarter|twice|times|per|each|every|other|another|same|extra|additional|wenn|falls|hälfte|gleiche\p{L}*|pro|jede\p{L}*|si|moitié|même|chaque|mitad|mism[ao]s?|cada|veces)(?!\p{L})|如果|假如|一半|每|同/iu

/** Words that ask for something other than a whole part. Words that leave out a part are not among them. */
const CHANGING_PART =
  /(?<![\p{L}\p{N}])(?:(?<!\b(?:sorry|know|wonder\w*|sure|see|check)\s)if|instead|half(?![\s-]precision)|halves|third|quarter|twice|but(?=\sthe\b)|except|(?:two|three|four|five|six|[0-9]+)\s(?:of|such))(?!\p{L})/iu

/** Whether a question about parts has words, outside the names of models and parts, that ask for something else.
 * @param {LabelledText} labelledText */
const asksForOther = ({ text, mentions, parts }) => CHANGING_PART.test(withoutSpans(text, [...mentions, ...parts]))

// Words that people type into a search between the names of a model and its parts, of several models, and of a model
// and its head.
const FILLERS =
  /\b(?:the|its|an?|of|in|for|s|sizes?|number|counts?|param(?:eter)?s?|without|and|layer ?norms?|bias(?:es)?)\b/gi
const FILLERS_OF_LISTS =
  /\b(?:the|of|in|for|and|or|how many|number|counts?|param(?:eter)?s?|sizes?|totals?|base|large|cased|uncased)\b|[&/]/gi
const FILLERS_OF_HEADS = /\b(?:the|an?|of|in|for|and|but|with|without|no|plus|both|only|heads?|class|on top)\b|\+/gi
/** Words that add a head to a model. Without one, as in "BERT base MLM head", the text is about the head. */
const ADDING = /\b(?:with|and|for|plus|without|no)\b|\+/i

/** Whether a text consists of some spans and of fillers.
 * @param {string} text @param {{ start: number, end: number }[]} spans @param {RegExp} fillers */
function consistsOf(text, spans, fillers) {
  const otherText = withoutSpans(text, spans)
  return !/[^\s.?:'’,()-]/.test(otherText.replace(fillers, ""))
}

/** Whether a text consists of the names of a model that we count and of its parts.
 * @param {LabelledText} labelledText */
function isPartOfModel({ text, mentions, parts }) {
  const [mention, ...otherMentions] = mentions
  if (!mention?.models.length || otherMentions.length) return false
  const isAboutPart = parts.some((part) => !isLeftOut(text, part))
  return isAboutPart && consistsOf(text, [mention, ...parts], FILLERS)
}

/** Whether a text consists of the names of several models and words for their parameters.
 * @param {LabelledText} labelledText */
const isListOfModels = ({ text, mentions }) =>
  comparedNames(text, mentions).length > 1 && !mentions.some(isGeneric) && consistsOf(text, mentions, FILLERS_OF_LISTS)

/** Whether a text consists of the name of a model that we count, of its heads, and of parts that it lacks.
 * @param {LabelledText} labelledText */
function isModelWithHead({ text, mentions, parts, purposes }) {
  const [mention, ...otherMentions] = mentions
  if (!mention?.models.length || otherMentions.length || !purposes.length || !ADDING.test(text)) return false
  return consistsOf(text, [mention, ...parts, ...purposes], FILLERS_OF_HEADS)
}

/** The account of a question about the total of a model, or about the memory that it takes.
 * @param {LabelledText} labelledText @param {string} name  of the model @param {boolean} isOfMemory */
function accountOfTotal(labelledText, name, isOfMemory) {
  const { text } = labelledText
  const model = { name, ...classAndTotal(name, classMeant(labelledText, name)) }
  const { modelClass, total } = model
  const sentence = words`${subjectOf(name)} has ${total} parameters ${asClass(modelClass)}${withoutParts(labelledText, model)}.`
  const onTrainingBytes = isOfMemory ? sentenceOnTrainingBytes(text, total) : []
  if (onTrainingBytes.length) return answer([...sentence, ...onTrainingBytes], model)
  const onKeptNumbers = isOfMemory ? [] : sentenceOnKeptNumbers(text, total)
  if (onKeptNumbers.length) return answer([...sentence, ...onKeptNumbers], model)
  const onPackedBytes = sentenceOnPackedBytes(text, model)
  if (onPackedBytes.length)
    return answer([...sentence, ...onPackedBytes], model, [
      words`${link("changed/storage.html", "The page on storage in fewer bits")} says what is packed.`,
    ])
  const onSharing = WHY.test(text) && sharesLayers(name) ? [words`${ON_SHARED_LAYERS}`] : []
  return answer(isOfMemory ? [...sentence, ...sentenceOnBytes(text, total)] : sentence, model, onSharing)
}

/** A sentence on the bytes of the gradients alone, or of the moments alone, to follow the total; empty if the text asks
 * for neither of them or for more, or names another type than float32.
 * @param {string} text @param {number} total @returns {Words} */
function sentenceOnTrainingBytes(text, total) {
  const [, bytesOfType] = typeNamed(text)
  const [keptNumbers, ...others] = KEPT_IN_TRAINING.filter(([pattern]) => pattern.test(text))
  if (!keptNumbers || others.length || WHOLE_TRAINING.test(text) || bytesOfType !== BYTES_PER_NUMBER.float32) return []
  const [, bytesPerParameter, name] = keptNumbers
  const bytes = total * bytesPerParameter
  return words` In float32, ${name} take ${whole(bytesPerParameter)} bytes per parameter: ${bytes} bytes (${inLargeUnit(bytes)}).`
}

/** A sentence on how many numbers training with Adam keeps as gradients or as moments, to follow the total; empty if
 * the text asks for neither of them or for both.
 * @param {string} text @param {number} total @returns {Words} */
function sentenceOnKeptNumbers(text, total) {
  const [keptNumbers, ...others] = KEPT_IN_TRAINING.filter(([pattern]) => pattern.test(text))
  if (!keptNumbers || others.length) return []
  const [, bytesPerParameter, name] = keptNumbers
  const perParameter = bytesPerParameter / BYTES_PER_NUMBER.float32
  return words` As ${name}, training keeps ${whole(perParameter)} ${noun(perParameter, "number")} per parameter: ${total * perParameter}.`
}

/** A sentence on the bytes of the model in a format in which bitsandbytes packs matrices, to follow the total; empty if
 * the text names no such format, or is about training.
 * @param {string} text @param {NonNullable<Account["model"]>} model @returns {Words} */
function sentenceOnPackedBytes(text, { name, modelClass }) {
  const [, format = ""] = PACKED_FORMATS.find(([pattern]) => pattern.test(text)) ?? []
  const bytes =
    format && !TRAINING.test(text) ? countChanged(ofModel(name, modelClass)).bytes[`packed ${format}`] : null
  return bytes
    ? words` If bitsandbytes packs the matrices of its dense layers ${format}, the weights take ${bytes.weights} bytes (${inLargeUnit(bytes.weights)}), ${bytes.scales} of them for the scales. All else stays in float32.`
    : []
}

/** A sentence on the bytes of all parameters, and of what training keeps besides them if the text is about training, to
 * follow the total; empty if the text names a type whose bytes are not known.
 * @param {string} text @param {number} total @returns {Words} */
function sentenceOnBytes(text, total) {
  const [dtype, bytesOfType] = typeNamed(text)
  const isTraining = TRAINING.test(text)
  const bytes = isTraining ? BYTES_PER_TRAINED_PARAMETER : bytesOfType
  const extent = isTraining ? "with their gradients and Adam's two moments, before activations" : `in ${dtype}`
  return bytes
    ? words` At ${whole(bytes)} ${noun(bytes, "byte")} each, they take ${total * bytes} bytes (${inLargeUnit(total * bytes)}) ${extent}.`
    : []
}

/** The class of a model that a text names, or the one for a purpose that it names, such as "with MLM head"; undefined
 * if it names neither. What the text leaves out is not a purpose.
 * @param {LabelledText} labelledText @param {string} name  of the model */
function classMeant({ text, classes, purposes }, name) {
  const namedClass = classes.find((classInText) => classAndTotal(name, classInText.name).total)
  const endings = purposes.filter((purpose) => !isLeftOut(text, purpose)).map(({ ending }) => ending)
  const isForBoth = ["ForMaskedLM", "ForNextSentencePrediction"].every((ending) => endings.includes(ending))
  const [ending] = isForBoth ? ["ForPreTraining"] : endings
  const classOfPurpose = classesOf(models.get(name).architecture).find((one) => ending && one.name.endsWith(ending))
  return (namedClass ?? classOfPurpose)?.name
}

/** The account of a question about parts, such as the pooler, or about tables whose rows it names; null if the text
 * names none. Their memory is that in the first model.
 * @param {LabelledText} labelledText @param {string[]} names  of the models that it means @param {boolean} isOfMemory
 * @returns {Account | null} */
function accountOfParts(labelledText, names, isOfMemory) {
  const { text, quantities } = labelledText
  const partsInText = questionedParts(labelledText)
  const namedParts = partsInText.length || quantities.length ? partsInText : tablesNamedByRows(labelledText)
  const [firstPart] = namedParts
  if (firstPart && !isOfMemory && namedParts.every((part) => isJoined(part, names[0])))
    return answer(
      words`${subjectOf(names[0])} has one matrix for query, key and value in each layer, so ${link(firstPart.page, firstPart.words.replace(IN_LAYERS, ""))} is not a tensor of its own.`,
    )
  const sentences = namedParts.map((part) => {
    if (!isOfMemory)
      return words`${sizesOfPart(part, names)}.${names.length === 1 ? sentenceOnOtherLayers(part, names[0]) : []}${sentenceOnShifts(part, names)}${sentenceWithout(labelledText, part, names)}`
    const [dtype, bytesPerNumber] = typeNamed(text)
    const bytes = numberOfPart(part, names[0]) * bytesPerNumber
    const inMemory = bytes ? words`, which take ${bytes} bytes (${inLargeUnit(bytes)}) in ${dtype}` : []
    return words`${sizesOfPart(part, [names[0]])}${inMemory}.`
  })
  return answerInSentences(sentences)
}

/** A sentence on the number of biases that includes the shifts of LayerNorms, which PyTorch calls biases, too, or one
 * that says that only the heads have biases; empty for any part but all biases.
 * @param {Pick<Part, "path" | "tag">} part @param {string[]} names  of the models */
function sentenceOnShifts({ path, tag }, names) {
  if (path || tag !== BIASES) return []
  if (names.some((name) => !countOfPart({ path, tag }, classAndTotal(name).modelClass, models.get(name).sizes)))
    return words` They are in the heads: the bare model has none.`
  const numbers = names.map((name) => numberOfPart({ path, tag }, name) + numberOfPart({ path, tag: SHIFTS }, name))
  return words` Including the shift of each LayerNorm, which PyTorch also calls its bias, there are ${enumeration(numbers.map((number) => words`${number}`))}.`
}

/** The account of a question that names a part to leave out but no model, as one about BERT base; null if the text
 * leaves out nothing that we know of.
 * @param {LabelledText} labelledText @returns {Account | null} */
function accountWithoutPart(labelledText) {
  const [name] = USUAL_MODELS
  const { architecture, sizes } = models.get(name)
  const parts = partNamesLeftOut(labelledText).flatMap((partName) => partsNamed([partName]).slice(-1))
  const classNames = [classMeant(labelledText, name) ?? "", ...classesOf(architecture).map((one) => one.name)]
  const classWithParts = classNames.find((one) => one && parts.every((part) => countOfPart(part, one, sizes)))
  const model = { name, ...classAndTotal(name, classWithParts) }
  const ending = withoutParts(labelledText, model)
  return ending
    ? answer(words`${subjectOf(name)} has ${model.total} parameters ${asClass(model.modelClass)}${ending}.`, model)
    : null
}
