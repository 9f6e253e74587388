// Answers how many components of a kind a model or a part has (tensors, dense layers, LayerNorms,
// embedding tables, or attention heads in all layers), and how many tokens a model can read. Without
// this module, "how many" would make such a text a question about parameters. A text that states the
// number of a model's components, as in "72 dense layers", gets the same answer.

import { Counter, classesOf, count, isOneLayer, models, noun, product, sumBy, whole } from "../../counting/engine.js"
import { asClass, partWords, subjectOf, titleOf } from "../labels/meanings.js"
import { ALL_LAYERS, countOfPart, ONE_LAYER, partsNamed } from "../labels/named-parts.js"
import { classAndTotal } from "../labels/totals.js"
import { words } from "../words.js"
import { NUMBERED_LAYER } from "./numbered-layers.js"
import { answer, PARAMETERS } from "./question-accounts.js"
import { nameOfPart } from "./questioned-parts.js"

/** Kinds of components that a model has, each with its words in a text, a pattern that matches the path of exactly one
 * row of each such component, and its nouns in answers.
 * @type {{ phrase: RegExp, path: RegExp, nouns: [one: string, several: string] }[]} */
const COMPONENTS = [
  { phrase: /\b(?:(?:weight|parameter) )?tensors?\b/i, path: /./, nouns: ["tensor", "tensors"] },
  { phrase: /\blayer[\s-]?norm(?:s|alization layers?)?\b/i, path: /\/gamma$/, nouns: ["LayerNorm", "LayerNorms"] },
  {
    phrase: /\b(?:(?:dense|linear|fully[\s-]connected) layers?|(?:weight )?matri(?:x|ces))\b/i,
    path: /\/(?:kernel|output_weights)$/,
    nouns: ["dense layer", "dense layers"],
  },
  { phrase: /\bembedding tables?\b/i, path: /_embeddings$/, nouns: ["embedding table", "embedding tables"] },
]
const [TENSORS, LAYER_NORMS] = COMPONENTS
const LAYERS_PATH = "bert/encoder"
const WHOLE_MODEL = { path: "", tag: "" }
/** Words before a component that ask for its number, and words after it that limit the number to the layers, or to
 * one. */
const HOW_MANY_BEFORE = /\b(?:how many|number of|count of)\s(?:\w+\s)?$/i
/** Words before the number that somebody expects: "how many are there? I think 6". */
const GUESS =
  /[?.!,;]\s(?:[\w']+\s){0,4}(?:think|guess|get|got|count|counted|expect|say|says|is it|are there|or)\s(?:it's\s|only\s)?$/i
const IN_ALL_LAYERS = /\b(?:all|its|the)\s(?:(?:encoder|transformer|hidden)\s)?(?:layers|blocks)\b/i
const IN_ONE_LAYER = /\b(?:per|each|every|one|an?|single|the)\s(?:\w+\s)?(?:layer|block)\b/i
/** Words that ask for the heads of all layers or per layer (the answer gives both), for heads at all, and for the
 * longest text that a model reads. A question about heads that names neither all layers nor one is left to
 * own-sizes.js. */
const ALL_HEADS =
  /\bheads\b.*\b(?:per|each|every) (?:encoder )?layer\b|\b(?:in total|in all|altogether|overall|all layers)\b/i
const OF_HEADS = /^\s(?:attention\s)?heads\b/i
const HEADS = /\bhow many (?:attention )?heads\b|\bnumber of (?:attention )?heads\b/i
const TOKENS =
  /\bhow many tokens\b.*\b(?:read|handle|process|take|accept|see|fit|input)|\bwhat\b.*\b(?:(?:max(?:imum|imal)?|longest)\b.{0,20}\b(?:sequence|input|text|tokens?)|context (?:length|window|size))\b/i

/** The account of a text that asks for, or states, a number of components, or asks for the number of tokens that a
 * model built like BERT reads; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfComponents(labelledText, name) {
  const { text, quantities } = labelledText
  if (quantities.length === 2 && !PARAMETERS.test(text)) return accountOfCorrection(labelledText, name)
  if (quantities.length > 1) return null
  if (PARAMETERS.test(text)) return accountOfSomeNorms(labelledText, name)
  const component = COMPONENTS.find(({ phrase }) => HOW_MANY_BEFORE.test(text.slice(0, phrase.exec(text)?.index ?? 0)))
  const [guess] = quantities
  if (guess && component && GUESS.test(text.slice(0, guess.start)))
    return answerOn(labelledText, name, component, guess.number.low)
  if (guess) return accountOfStatedNumber(labelledText, name)
  const { architecture, sizes } = models.get(name)
  if (HEADS.test(text) && ALL_HEADS.test(text) && sizes.A && sizes.L) return accountOfHeads(name)
  if (TOKENS.test(text) && sizes.P && architecture === "bert")
    return answer(words`At most ${sizes.P} tokens fit into ${titleOf(name)}: its position table has ${sizes.P} rows.`)
  if (!component) return null
  return answerOn(labelledText, name, component)
}

/** The account of the number of heads in a model. @param {string} name  of the model @param {string} [correction] */
function accountOfHeads(name, correction = "") {
  const { A, L } = models.get(name).sizes
  return answer(
    words`There are ${A} attention heads in each of the ${L} layers of ${titleOf(name)}: ${A * L} in all${correction}.`,
  )
}

/** The account of a question about the parameters of a number of LayerNorms, such as "the 12 LayerNorms of BERT base";
 * null for any other text, and for a model whose LayerNorms differ in size.
 * @param {LabelledText} labelledText @param {string} name  of the model */
function accountOfSomeNorms({ text, quantities, classes, parts }, name) {
  const [quantity] = quantities
  const isOfNorms = quantity?.number.exact && LAYER_NORMS.phrase.exec(text.slice(quantity.end))?.index === 1
  if (!isOfNorms || parts.some(({ start }) => start < quantity.start)) return null
  const { sizes } = models.get(name)
  const { modelClass } = classAndTotal(name, classes[0]?.name)
  const numberOfNorms = numberOfRows(modelClass, sizes, "", "", LAYER_NORMS.path)
  const parameters = count({ modelClass, sizes, tag: "LayerNorm" })
  if (parameters !== numberOfNorms * 2 * sizes.H) return null
  const { low } = quantity.number
  const onSome = words`${whole(low)} ${noun(low, ...LAYER_NORMS.nouns)} of ${subjectOf(name)} ${noun(low, "has", "have")} ${whole(low)} × ${2 * sizes.H} = ${low * 2 * sizes.H} parameters.`
  const onAll = words`${subjectOf(name)} has ${numberOfNorms} of them ${asClass(modelClass)}, with ${parameters} parameters in all.`
  return answer(low === numberOfNorms ? onSome : words`${onSome} ${onAll}`)
}

/** The account of a text that states a number of components; null for any other text, and for a number of tensors that
 * some model has, which is explained like a number of parameters.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
function accountOfStatedNumber(labelledText, name) {
  const { text, quantities, explain } = labelledText
  const [{ end, number, role }] = quantities
  const { A, L } = models.get(name).sizes
  if (OF_CHANGE.test(text)) return null
  if (OF_HEADS.test(text.slice(end)) && A && L && (number.low === A * L || ALL_HEADS.test(text)))
    return accountOfHeads(name, [A, A * L].includes(number.low) ? "" : `, not ${whole(number.low)}`)
  const component = COMPONENTS.find(({ phrase }) => isStated(text.slice(end), phrase))
  if (!component || !number.exact || role === "count" || OF_SOME.test(text)) return null
  if (component === TENSORS && explain(String(number.low), "").some(({ kind }) => kind === "tensors")) return null
  return answerOn(labelledText, name, component, number.low)
}

/** The account of a number of components beside the right one, as in "I count 12 LayerNorms but you say 25"; null for
 * any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model */
function accountOfCorrection(labelledText, name) {
  const [stated, right] = labelledText.quantities
  const component = COMPONENTS.find(({ phrase }) => phrase.exec(labelledText.text.slice(stated.end))?.index === 1)
  if (!component || !stated.number.exact || !right.number.exact || stated.number.low === right.number.low) return null
  const { modelClass } = classAndTotal(name, labelledText.classes[0]?.name)
  const number = modelClass ? numberOfRows(modelClass, models.get(name).sizes, "", "", component.path) : 0
  return number === right.number.low ? answerOn(labelledText, name, component, stated.number.low) : null
}

/** Whether the words after a number name a component and say no more than where it is, unlike those in "8 tensors are
 * missing".
 * @param {string} wordsAfter @param {RegExp} phrase  for the component */
function isStated(wordsAfter, phrase) {
  const match = phrase.exec(wordsAfter)
  return match?.index === 1 && WHERE.test(wordsAfter.slice(1 + match[0].length))
}

/** Words for removing components, of which there were more. */
const OF_CHANGE = /\b(?:prun|remov|drop|mask|delet)\w*\b/i

/** Words about only some of the components that a model has. */
const OF_SOME = /\b(?:miss\w*|lack\w*|unexpected|unused|new\w*|names?|fro?ze\w*|freez\w*|train\w*)\b/i

/** The end of a sentence, or words that say where components are. */
const WHERE = /^\s*(?:[.?!]?\s*$|(?:in|per|each|of|for)\b)/i

/** The answer with the number of components that a model or its part has; null if the text names a class that the model
 * lacks, several parts without showing which one is meant, or a part that the class lacks.
 * @param {LabelledText} labelledText @param {string} name  of the model @param {typeof COMPONENTS[0]} component
 * @param {number} [statedNumber]  the number of them that the text states */
function answerOn(labelledText, name, component, statedNumber = NaN) {
  const { sizes } = models.get(name)
  const part = partOf(labelledText, component.phrase)
  const modelClass = part === null ? undefined : classWith(part, labelledText, name)
  if (!modelClass) return null
  /** The number of these components under a path. @param {string} path @param {string} [tag] */
  const numberIn = (path, tag = "") => numberOfRows(modelClass, sizes, path, tag, component.path)
  const number = numberIn(part?.path ?? "", part?.tag)
  const [singular, plural] = component.nouns
  const correction = Number.isNaN(statedNumber) || statedNumber === number ? "" : words`, not ${statedNumber}`
  const numberWithNoun = words`${number || "no"} ${noun(number, singular, plural)}`
  if (part)
    return answer(
      words`There ${noun(number, "is", "are")} ${numberWithNoun} in ${partWords(part, 0)} of ${titleOf(name)}${correction}.`,
    )
  const parameters = count({ modelClass, sizes, tag: "LayerNorm" })
  const ofSize =
    component === LAYER_NORMS && Number.isNaN(statedNumber) ? words`, with ${parameters} parameters in all` : ""
  const sentenceOnLayers =
    statedNumber === numberIn(LAYERS_PATH) ? words` All encoder layers together have ${statedNumber}.` : ""
  return answer(
    words`${titleOf(name)}, ${asClass(modelClass)}, has ${numberWithNoun}${correction}${ofSize}.${sentenceOnLayers}`,
  )
}

/** The class in which components are counted: the one that the text names or, because the bare model lacks the heads,
 * the first that has the part; undefined if the model has no such class.
 * @param {Pick<Part, "path" | "tag"> | undefined} part @param {LabelledText} labelledText
 * @param {string} name  of the model */
function classWith(part, { classes: [namedClass] }, name) {
  const { architecture, sizes } = models.get(name)
  return (namedClass ? [namedClass] : classesOf(architecture))
    .map((one) => one.name)
    .find((modelClass) => countOfPart(part ?? WHOLE_MODEL, modelClass, sizes) && classAndTotal(name, modelClass).total)
}

/** The part in which the components are counted: undefined for the whole model, and null for words that name no single
 * part.
 * @param {LabelledText} labelledText @param {RegExp} phrase  the words for the components */
function partOf({ text, parts }, phrase) {
  const { index, 0: componentInText } = /** @type {RegExpExecArray} */ (phrase.exec(text))
  const names = parts
    .filter(({ start, end }) => end <= index || start >= index + componentInText.length)
    .map((part) => nameOfPart(text, part))
  const rest = text.slice(index + componentInText.length)
  if (!names.length && (IN_ONE_LAYER.test(rest) || NUMBERED_LAYER.test(rest))) return partsNamed([ONE_LAYER])[0]
  if (!names.length && !IN_ALL_LAYERS.test(rest)) return undefined
  if (names.every((partName) => partName === ALL_LAYERS)) return partsNamed([ALL_LAYERS])[0] ?? null
  const namedParts = partsNamed(names)
  const ending = IN_ONE_LAYER.test(rest) ? " in one layer" : " in all layers"
  return namedParts.find((part) => namedParts.length < 2 || part.words.endsWith(ending)) ?? null
}

/** The number of tensors of a part whose paths match, in all layers unless the part is in one layer. A tied tensor is
 * left out, because it belongs to another module.
 * @param {string} modelClass @param {Sizes} sizes @param {string} path @param {string} tag @param {RegExp} pattern */
function numberOfRows(modelClass, sizes, path, tag, pattern) {
  const { rows, tied } = new Counter(modelClass, sizes)
  const ownRows = [...rows.rowsUnder(path, tag)].filter((row) => !(tied && row.tied_to))
  const matchingRows = ownRows.filter((row) => pattern.test(row.path))
  return sumBy(matchingRows, (row) => (isOneLayer(path) ? 1 : product(rows.layersOf(row), sizes)))
}
