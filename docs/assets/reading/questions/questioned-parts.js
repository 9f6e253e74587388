// Finds the parts that a question is about, and those that it leaves out: "the FFN without biases" is
// about the FFN.

import { models, sumBy } from "../../counting/engine.js"
import { IN_LAYERS } from "../labels/mentions.js"
import {
  ALL_LAYERS,
  BIASES,
  countOfPart,
  ENCODER,
  numberOfPart,
  ONE_LAYER,
  partsNamed,
  partWithWords,
  USUAL_MODELS,
} from "../labels/named-parts.js"
import { withoutSpans } from "../labels/number-forms.js"
import { enumeration, verbFor, words } from "../words.js"

/** Words for two kinds of tensors. */
const BIAS_WORDS = /(?<!\b(?:position\w*|attention)[ -])\bbias(?:es)?\b/i
const NORM_WORDS = /\blayer ?norms?\b/i

/** Words for kinds of tensors throughout the model, and the site's words for them. @type {[RegExp, string][]} */
const KINDS_OF_TENSORS = [
  [BIAS_WORDS, "the biases of all dense layers in the model"],
  [NORM_WORDS, "all LayerNorms in the model"],
]
const [[, ALL_BIASES]] = KINDS_OF_TENSORS

/** A pattern for the text before a part, if it ends with one of these words and up to two further ones.
 * @param {string} words */
const endingIn = (words) => new RegExp(String.raw`\b(?:(?:${words})\s(?:\w+\s){0,2}|non[ -])$`, "i")
// The list ends with "sinusoidal", because positions that are not learned have no table.
const LEAVING = String.raw`without|w\/o|exclud\w*|except|(?:other|rather) than|apart from|aside from|besides|minus|no|not (?:counting|in|part of|within)|outside(?: of)?|ignor\w+|neglect\w*|omit\w*|disregard\w*|discard\w*|leav\w+ out|throw\w* away|ohne|sans|sin|sem|senza|freez\w+|remov\w+|delet\w+|strip\w*|drop\w*|sinusoidal`
/** Words that leave out the part after them, and all words after which a part only describes a model. */
const LEAVING_OUT = endingIn(LEAVING)
const DESCRIBING = endingIn(String.raw`${LEAVING}|with|includ\w*|plus|not|if`)

/** The text before something that is left out, perhaps after other things. */
const LEFT_OUT_BEFORE = new RegExp(String.raw`\b(?:${LEAVING})\s[^.?!,;]*$`, "i")

const MAX_BEFORE = 100 // characters before a part that are searched for these words, because a text may have many parts

/** The text before a part. @param {string} text @param {{ start: number }} part */
const textBefore = (text, { start }) => text.slice(Math.max(0, start - MAX_BEFORE), start)

/** The words that mean any LayerNorm, or all of them. */
const ANY_NORM = ["LayerNorm", "the LayerNorms"]

/** Whether the name of a part is that of a certain LayerNorm, or of a part that includes one. @param {string} name */
const isCertainNorm = (name) => name.includes("LayerNorm") && !name.includes("without") && !ANY_NORM.includes(name)

/** Whether a text names a kind of tensors other than to describe a model. @param {string} text @param {RegExp} kind */
function isQuestioned(text, kind) {
  const match = kind.exec(text)
  const before = match && textBefore(text, { start: match.index })
  return before !== null && !DESCRIBING.test(before) && !isKindLeftOut(text, kind)
}

/** Whether a text asks for biases of dense layers, and not for the weights beside them. @param {string} text */
export const asksForBiases = (text) => isQuestioned(text, BIAS_WORDS) && !/\b(?:weights?|matri(?:x|ces))\b/i.test(text)

/** Words for all layers, which labels.toml does not list, because they may also name some layers, as in a list. */
const ABOUT_LAYERS = /\b(?:in|of|do)\s(?:the|its)\slayers\b(?!\s[0-9])/i

/** Words for a matrix together with its bias. */
const WITH_BIAS = /\b(?:with|includ\w+|plus)\s(?:\w+\s)?bias(?:es)?\b/i

/** The words for a part, where the encoder that "the encoder" names is all layers, and a matrix with its bias is a
 * layer.
 * @param {string} text @param {LabelledText["parts"][0]} part */
export function nameOfPart(text, part) {
  const isWholeEncoder =
    part.words === ENCODER &&
    /\b(?:the|its|same|der|den|dem|el|l['’])\s?$/i.test(textBefore(text, part)) &&
    !/^\smodel/i.test(text.slice(part.end))
  if (isWholeEncoder) return ALL_LAYERS
  return WITH_BIAS.test(text) ? part.words.replace(/^the matrix of /, "") : part.words
}

/** Whether a part is in the layers. @param {string} partName */
const isInLayers = (partName) =>
  partName === ALL_LAYERS || partsNamed([partName]).some((part) => IN_LAYERS.test(part.words))

/** Words for the rows of a table, which mean the table in a question about parameters, and the site's words for it.
 * @type {[RegExp, string][]} */
const TABLES = [
  [/\bvocab\w*|词表/i, "the word embeddings"],
  [/\bpositions?\b/i, "the position embeddings"],
  [/\bsegments?\b|\btoken types?\b/i, "the segment embeddings"],
]

/** The tables whose rows a text names, as in "the parameters for its positions"; none if it leaves something out.
 * @param {LabelledText} labelledText */
export function tablesNamedByRows(labelledText) {
  const textWithoutModels = withoutSpans(labelledText.text, labelledText.mentions)
  const names = TABLES.filter(([rows]) => rows.test(textWithoutModels)).map(([, table]) => table)
  return partNamesLeftOut(labelledText).length ? [] : names.flatMap((table) => partsNamed([table]))
}

/** The words between a part and the larger part that it belongs to, as in "the output projection of the attention". */
const BELONGING =
  /^\s?(?:matrix\s)?(?:of|in|de|del|della|dell['’]|des|der|da|do|von)\s?(?:(?:the|its|la|el|die|der)\s|l['’])?$/i

/** The parts without those that only say what the part before them belongs to.
 * @param {string} text @param {LabelledText["parts"]} parts */
const withoutOwners = (text, parts) =>
  parts.filter((outer, index) => {
    const inner = parts[index - 1]
    const isOfLayers = [ONE_LAYER, ALL_LAYERS].includes(nameOfPart(text, outer)) // limits the part to them
    if (!inner || isOfLayers || !BELONGING.test(text.slice(inner.end, outer.start))) return true
    const [innerParts, outerParts] = [inner, outer].map((part) => partsNamed([nameOfPart(text, part)]))
    return !innerParts.some((one) => outerParts.some((other) => isWithin(one, other, USUAL_MODELS[0])))
  })

/** The parts that a question is about; empty if it names none other than to describe a model or to leave them out.
 * @param {LabelledText} labelledText */
export function questionedParts({ text, parts: mentionedParts }) {
  const leftOutParts = partsLeftOut({ text, parts: mentionedParts })
  const askedParts = withoutOwners(text, mentionedParts).filter(
    (part) => !DESCRIBING.test(textBefore(text, part)) && !leftOutParts.includes(part),
  )
  const partNames = askedParts.map((part) => nameOfPart(text, part))
  const isOfLayerNorms = isQuestioned(text, NORM_WORDS) && !partNames.some(isCertainNorm)
  const otherNames = [...new Set(partNames.filter((partName) => partName !== ONE_LAYER))]
  // "One encoder layer" does not limit the embeddings, which are in no layer.
  const areOutsideLayers = otherNames.length > 0 && !isOfLayerNorms && !otherNames.some(isInLayers)
  if (partNames.includes(ONE_LAYER) && areOutsideLayers)
    return [ONE_LAYER, ...otherNames].flatMap((partName) => partsNamed([partName]))
  const areBiasesOfLayer = partNames.every((partName) => partName === ONE_LAYER) && isQuestioned(text, BIAS_WORDS)
  if (partNames.includes(ONE_LAYER))
    return partsNamed([
      ...partNames,
      ...(isOfLayerNorms ? ["the LayerNorms"] : []),
      ...(areBiasesOfLayer ? [ALL_BIASES.replace(/ in the model$/, "")] : []),
    ])
  if (partNames.includes(ALL_LAYERS) && isOfLayerNorms)
    return partsNamed(["the LayerNorms"]).filter((part) => part.words.endsWith(" in all layers"))
  const parts = [...new Set(partNames)].flatMap((partName) => partsNamed([partName]))
  const isOfLayers = parts.length
    ? partNames.every((partName) => partName === ALL_LAYERS)
    : ABOUT_LAYERS.test(text) && !leftOutParts.some((part) => part.words === ALL_LAYERS)
  const kinds = KINDS_OF_TENSORS.filter(([kindInText]) => isQuestioned(text, kindInText)).map(([, kind]) =>
    isOfLayers ? kind.replace(/^all /, "the ").replace(/ in the model$/, " in all layers") : kind,
  )
  if (kinds.length && (isOfLayers || !parts.length)) return kinds.flatMap((kind) => partsNamed([kind]))
  if (isOfLayers) return partsNamed([ALL_LAYERS])
  // "In all layers" is not a part of its own next to the attention.
  const hasPartsOfLayers = parts.some((part) => IN_LAYERS.test(part.words))
  return hasPartsOfLayers ? parts.filter((part) => part.words !== ALL_LAYERS) : parts
}

/** Words that leave out the part after them, in Chinese, and what joins such a part with the next one. */
const LEAVING_OUT_IN_CHINESE = /(?:不含|不包括|不包含|不算|没有|去掉|除去)\s?$/
const JOINING =
  /^\s?(?:,|and|or|nor|und|oder|et|ou|y|o|和|与|、)?(?:\s?(?:and|or|without|the|die|das|den|les|la|las|el|los))*\s?$/i

/** Whether a text leaves out a part. @param {string} text @param {{ start: number, end: number }} part */
export const isLeftOut = (text, part) =>
  LEAVING_OUT.test(textBefore(text, part)) ||
  LEAVING_OUT_IN_CHINESE.test(textBefore(text, part)) ||
  LEFT_OUT_AFTER.test(text.slice(part.end, part.end + MAX_BEFORE))

/** The results of `partsLeftOut`, by the list of all parts of a text. They are kept, because each of many numbers in a
 * text may ask for them.
 * @type {WeakMap<LabelledText["parts"], LabelledText["parts"]>} */
const partsLeftOutOf = new WeakMap()

/** The parts that a text leaves out: each after a word for it, or joined with such a part.
 * @param {Pick<LabelledText, "text" | "parts">} labelledText */
function partsLeftOut({ text, parts }) {
  const knownParts = partsLeftOutOf.get(parts)
  if (knownParts) return knownParts
  /** @type {LabelledText["parts"]} */
  const leftOutParts = []
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1]
    const isJoined = leftOutParts.includes(before) && JOINING.test(text.slice(before.end, part.start))
    if (isLeftOut(text, part) || isJoined) leftOutParts.push(part)
  }
  partsLeftOutOf.set(parts, leftOutParts)
  return leftOutParts
}

/** The names of the parts that a text leaves out. @param {Pick<LabelledText, "text" | "parts">} labelledText */
export const partNamesLeftOut = (labelledText) =>
  partsLeftOut(labelledText).map((part) => nameOfPart(labelledText.text, part))

/** Kinds of tensors that a text may leave out of a part: a pattern, the tag, and our words for them.
 * @type {[pattern: RegExp, tag: string, name: string][]} */
const KINDS_WITHIN_PARTS = [
  [NORM_WORDS, "LayerNorm", "LayerNorms"],
  [BIAS_WORDS, BIASES, "the biases of dense layers"],
]

/** Whether a part is within another one. Each consists of one or several modules, or of those of a block in a module,
 * whose name is then its tag.
 * @param {Pick<Part, "path" | "tag">} inner @param {Pick<Part, "path" | "tag">} outer
 * @param {string} name  of the model */
function isWithin(inner, outer, name) {
  const [innerPaths, outerPaths] = [inner, outer].map(({ path }) => path.split(/,\s?/))
  const isInModule = innerPaths.every((path) => outerPaths.some((outerPath) => `${path}/`.startsWith(`${outerPath}/`)))
  const numberInBlock = outer.tag ? numberOfPart({ path: inner.path, tag: outer.tag }, name) : numberOfPart(inner, name)
  return isInModule && inner.path !== outer.path && numberInBlock === numberOfPart(inner, name)
}

/** Words after something that leave it out: "if the biases are ignored". */
const LEFT_OUT_AFTER =
  /^\s(?:terms?\s|parameters?\s)?(?:(?:are|is|were|was)\s)?(?:ignored|neglected|omitted|disregarded|excluded|dropped|removed|left out|not counted|(?<=\swere\s|\sare\s)sinusoidal)\b/i

/** Whether a text leaves out a kind of tensors. @param {string} text @param {RegExp} kind */
function isKindLeftOut(text, kind) {
  const match = kind.exec(text)
  if (!match) return false
  const end = match.index + match[0].length
  return LEFT_OUT_BEFORE.test(textBefore(text, { start: match.index })) || LEFT_OUT_AFTER.test(text.slice(end))
}

/** Whether a text leaves out biases or LayerNorms. @param {string} text */
export const leavesOutTensors = (text) => KINDS_OF_TENSORS.some(([kind]) => isKindLeftOut(text, kind))

/** The kind of tensors throughout the model that a text names; undefined if it names none. @param {string} text */
export const kindNamed = (text) =>
  KINDS_OF_TENSORS.filter(([kind]) => kind.test(text)).flatMap(([, name]) => partsNamed([name]))[0]

/** The kinds of tensors throughout the model that a text leaves out. @param {string} text */
const kindsLeftOut = (text) =>
  KINDS_OF_TENSORS.filter(([kind]) => isKindLeftOut(text, kind)).flatMap(([, name]) => partsNamed([name]))

/** A sentence on the size of a part of some models without the parts and kinds of tensors in it that a text leaves out;
 * empty if it leaves out none of them.
 * @param {LabelledText} labelledText @param {Pick<Part, "path" | "tag" | "words">} part
 * @param {string[]} names  of the models
 * @returns {Words} */
export function sentenceWithout(labelledText, part, names) {
  const { text } = labelledText
  const possibleKinds = part.tag ? [] : KINDS_WITHIN_PARTS
  const kinds = possibleKinds
    .filter(([kind]) => isKindLeftOut(text, kind))
    .map(([, tag, name]) => ({ path: part.path, tag, words: name }))
  const innerParts = partNamesLeftOut(labelledText)
    .flatMap((name) => partsNamed([name]))
    .filter((inner) => !inner.tag && isWithin(inner, part, names[0]))
  const matrices = part.tag && isKindLeftOut(text, BIAS_WORDS) ? partWithWords(`the matrices of ${part.words}`) : null
  if (matrices)
    return words` Without biases, ${part.words} ${verbFor([part.words])} ${enumeration(names.map((name) => words`${numberOfPart(matrices, name)}`))}.`
  const leftOutParts = [...innerParts, ...kinds]
  const numbers = names.map(
    (name) => numberOfPart(part, name) - sumBy(leftOutParts, (leftOut) => numberOfPart(leftOut, name)),
  )
  return leftOutParts.length
    ? words` Without ${enumeration(leftOutParts.map((leftOut) => leftOut.words))}: ${enumeration(numbers.map((number) => words`${number}`))}.`
    : []
}

/** A part as the table of parts has it. @typedef {ReturnType<typeof partsNamed>[0]} PartOfTable */

/** Words before a part of which only the biases are meant. */
const BIASES_OF = /\bbias(?:es)?\s(?:in|of|from|within)\s(?:the\s|its\s)?$/i

/** The biases of a part. @param {PartOfTable} part @returns {PartOfTable} */
export const biasesOf = (part) => ({
  ...part,
  tag: part.tag ? `${part.tag} ${BIASES}` : BIASES,
  words: `the biases of ${part.words}`,
})

/** The parts, each once. @param {PartOfTable[]} parts */
const uniqueParts = (parts) => [...new Map(parts.map((part) => [part.words, part])).values()]

/** The total of a model without the parts that a text leaves out, to follow the whole total, or a clause saying that it
 * has no such part; "" if the text leaves out none.
 * @param {LabelledText} labelledText @param {{ name: string, modelClass: string, total: number }} model */
export function withoutParts(labelledText, { name, modelClass, total }) {
  const { text } = labelledText
  const namedParts = partsLeftOut(labelledText).flatMap((part) => {
    const inAllLayers = partsNamed([nameOfPart(text, part)]).slice(-1)
    return BIASES_OF.test(textBefore(text, part)) ? inAllLayers.map(biasesOf) : inAllLayers
  })
  const parts = namedParts.length ? uniqueParts(namedParts) : kindsLeftOut(text)
  const outerParts = parts.filter(({ path }) => !parts.some((other) => path.startsWith(`${other.path}/`)))
  const numbers = outerParts.map((part) => countOfPart(part, modelClass, models.get(name).sizes))
  if (!outerParts.length) return ""
  const partsInWords = enumeration(outerParts.map((part) => part.words))
  return numbers.every(Boolean)
    ? words`, and ${total - sumBy(numbers, (number) => number)} without ${partsInWords}`
    : words`, which does not have ${partsInWords}`
}
