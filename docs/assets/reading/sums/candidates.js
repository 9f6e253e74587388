// Finds the models that a sum done by hand may be about, from the sizes that it states and the
// names in its text. If the likeliest models differ from the stated sizes, versions of them with
// these sizes come first, followed by the published models. A relative of BERT with the sizes of
// a BERT is a candidate only if the text names it, or states its vocabulary or its total. If all models
// that the text names are relatives, only models of their architectures are candidates, even if the
// sum takes sizes of BERT for them.

import table from "../../../data/table.js"
import { models as allModels, classOfBare, count } from "../../counting/engine.js"
import { modelsIn } from "../labels/mentions.js"
import { USUAL_HEAD_SIZE } from "../labels/settings.js"
import { MAX_LABELS } from "../labels/totals.js"
import { isNumber } from "./expressions.js"
import { layersNamed, partsMeant } from "./labels.js"
import { letterOf } from "./names.js"
import { sizesIn } from "./sizes.js"

/** @typedef {import("./statements.js").Statement} Statement */

const BERT = table.architectures[0].name

/** Patterns for architectures that people do not write as we name them. @type {Record<string, RegExp>} */
const PATTERNS = {
  "xlm-roberta": /xlm[- ]?r(?!oberta[- ]x)/i,
  "xlm-roberta-xl": /xlm[- ]?r\w*[- ]x{1,2}l/i,
  roberta: /(?<!distil|xlm-?)roberta/i,
  "data2vec-text": /data2vec/i,
  "megatron-bert": /megatron/i,
  dpr: /\bdpr\b/i,
}

/** A pattern for the name of each architecture other than BERT. */
const ARCHITECTURE_PATTERNS = new Map(
  table.architectures
    .filter(({ name }) => name !== BERT)
    .map(({ name }) => [
      name,
      PATTERNS[name] ?? new RegExp(name.replace(/-v2$/, "").replace(/[-_]|(?<=distil)/g, "[-_ ]?"), "i"),
    ]),
)

/** Whether a text names the architecture of a model; false for a BERT.
 * @param {Pick<Model, "architecture">} model @param {string} text */
const isArchitectureNamed = ({ architecture }, text) => ARCHITECTURE_PATTERNS.get(architecture)?.test(text) ?? false

/** Patterns for architectures, names, sizes and languages, each with a predicate for the models that it fits. */
const MENTIONS = /** @type {[RegExp, (model: Model) => boolean][]} */ ([
  ...[...ARCHITECTURE_PATTERNS].map(([name, pattern]) => [
    pattern,
    (/** @type {Model} */ { architecture }) => architecture === name,
  ]),
  [/minilm/i, ({ name }) => name.includes("MiniLM")],
  [/bert[- _]?tiny/i, ({ title }) => title === "BERT-Tiny"],
  [/bert[- _]?mini(?!lm)/i, ({ title }) => title === "BERT-Mini"],
  [/bert[- _]?small/i, ({ title }) => title === "BERT-Small"],
  [/bert[- _]?medium/i, ({ title }) => title === "BERT-Medium"],
  [/chinese|中文|汉语/i, ({ name }) => name.includes("chinese")],
  [/multiling|多语/i, ({ name }) => name.includes("multilingual")],
  [/(?<!un)cased/i, ({ name }) => /(?<!un)cased/.test(name)],
  [/uncased/i, ({ name }) => name.includes("uncased")],
  [/large/i, ({ name }) => name.includes("large")],
  [/base/i, ({ name }) => name.includes("base")],
])

/** Whether a text contains "bert" and any of the `MENTIONS`. @param {string} text */
export const namesModel = (text) => /bert/i.test(text) && MENTIONS.some(([pattern]) => pattern.test(text))

/** A model that a sum may be about. `name` is "" if no published model has all of its sizes. `agreement` is the score
 * of its agreement with the text. `reference` is the published model whose sizes were replaced by those in the text, or
 * "". `statedSizes` are those that the text gives, directly or as factors. `isNamed` is true for a relative if the text
 * names only relatives.
 * @typedef {{ name: string, architecture: string, sizes: Sizes, agreement: number,
 * reference: string, statedSizes: Sizes, isNamed?: boolean }} Candidate */

const MAX_NAMED_MODELS = 2 // the maximum number of models of other architectures that are tried

/** The models of architectures other than BERT that a text names, those with the most sizes in the text first.
 * @template {Model} M @param {M[]} models @param {Set<number>} numbers @param {string} text */
function modelsNamedIn(models, numbers, text) {
  /** The number of a model's sizes that are in the text. */
  const sizeCountInText = (/** @type {M} */ { sizes }) =>
    ["V", "H", "F", "E", "P"].filter((letter) => numbers.has(sizes[letter])).length
  return models
    .filter((model) => isArchitectureNamed(model, text))
    .sort((one, other) => sizeCountInText(other) - sizeCountInText(one))
    .slice(0, MAX_NAMED_MODELS)
}

/** BERT base or BERT large, if a text names it; null otherwise. Its sizes may differ from those that seem to be in the
 * text, because a factor may be a mistake or no size at all.
 * @template {Model} M @param {M[]} models  those with the most agreement first @param {string} text */
function originalNamedIn(models, text) {
  const [, size = ""] = /(?<!\p{L})bert[- _](base|large)/iu.exec(text) ?? []
  return (size && models.find(({ group, name }) => group === "original" && name.includes(size.toLowerCase()))) || null
}

// Weights of the evidence for a model. An agreeing number of positions weighs 1.
/** The weight of each size that the text states and the model has. @type {Sizes} */
const SIZE_WEIGHTS = { V: 3, H: 4, F: 2, L: 1.5, P: 1, S: 0.5, E: 2 }
const OTHER_SIZE_FACTOR = 1.5 // this multiple of a size's weight is subtracted if the text states a different size
const FOREIGN_SIZE_FACTOR = 0.2 // this multiple of a size's weight is subtracted if the model lacks the size
const NUMBER_WEIGHT = 0.5 // added for a size that the text does not state although its number occurs
const FULL_NAME_WEIGHT = 4 // added if the text has a name that only this model has
const NAME_WEIGHT = 1.5 // added for a name, a size or a language in the text that fits the model
const OTHER_NAME_PENALTY = 0.5 // subtracted for a name, a size or a language that does not fit the model
/** The weight of each group of models; 0 for any other group. The larger it is, the more often people mean a model of
 * the group without naming it. @type {Sizes} */
const GROUP_WEIGHTS = { original: 0.6, chinese: 0.2, multilingual: 0.2 }
/** Subtracted if the model is a relative of BERT that the text does not name; more if the text names BERT itself. */
const [RELATIVE_PENALTY, RELATIVE_PENALTY_IF_BERT] = [1.5, 3]
const DISTINCTIVE_LETTERS = new Set("VF") // sizes that are evidence even if only their number occurs

/** The score of a model's agreement with a text; larger is better.
 * @param {Model} model @param {Sizes} statedSizes @param {Set<number>} numbers @param {string} text */
function agreementOf(model, statedSizes, numbers, text) {
  const { sizes } = model
  let score = 0
  for (const letter of "VPSHFEL") {
    const weight = SIZE_WEIGHTS[letter]
    if (letter === "H" && isWidthOfEmbeddings(statedSizes.H, sizes)) continue
    if (!(letter in statedSizes))
      score += DISTINCTIVE_LETTERS.has(letter) && numbers.has(sizes[letter]) ? NUMBER_WEIGHT : 0
    else if (statedSizes[letter] === sizes[letter]) score += weight
    else score -= weight * (letter in sizes ? OTHER_SIZE_FACTOR : FOREIGN_SIZE_FACTOR)
  }
  for (const [pattern, fits] of MENTIONS)
    if (pattern.test(text)) score += fits(model) ? NAME_WEIGHT : -OTHER_NAME_PENALTY
  const penalty = /(?<![a-z])bert(?![a-z])/i.test(text) ? RELATIVE_PENALTY_IF_BERT : RELATIVE_PENALTY
  return score + (GROUP_WEIGHTS[model.group] ?? 0) - (mayBeMeant(model, statedSizes, text) ? 0 : penalty)
}

/** Whether the width that a text states is that of a model's narrower embeddings, as in 30000 × 128 for an ALBERT.
 * @param {number | undefined} width @param {Sizes} sizes */
const isWidthOfEmbeddings = (width, { E, H }) => width !== undefined && width === E && E !== H

/** Whether a text may mean a model: a BERT, a relative that the text names, or one whose vocabulary the text states and
 * no BERT has.
 * @param {Model} model @param {Sizes} statedSizes @param {string} text */
const mayBeMeant = ({ architecture, sizes }, statedSizes, text) =>
  architecture === BERT ||
  isArchitectureNamed({ architecture }, text) ||
  (statedSizes.V === sizes.V && !BERT_VOCABULARIES.has(sizes.V))

const BERT_VOCABULARIES = new Set(
  table.models.filter((model) => model.architecture === BERT).map(({ sizes }) => sizes.V),
)

/** The published models that a text is compared with. A BERT with a round vocabulary, such as 30,000, is left out
 * unless the text names it or one of a few languages, because a round number is more likely a mistake. So are the sizes
 * in articles and tutorials, which belong to no checkpoint, unless the text names them.
 * @param {string} text @param {string[]} namedModels */
const modelsFor = (text, namedModels) =>
  table.models.filter(
    ({ name, group, sizes, architecture }) =>
      namedModels.includes(name) ||
      (group !== "course" &&
        (architecture !== BERT || sizes.V % 1000 || /german|deutsch|arab|japan|日本|klue|korean/i.test(text))),
  )
const MAX_CANDIDATES = 3 // the maximum number of models with which the whole sum is read; each reading takes a while
const MAX_REFERENCES = 2 // candidates that are also tried with the sizes in the text
const USUAL_INNER_FACTOR = 4 // F as a multiple of H

export const SEGMENTS_OF_BERT = table.models[0].sizes.S
const UNSTATED_PENALTY = 0.5 // subtracted if a size is BERT's although the text does not state it

/** The name of BERT itself, also before a size, but not at the end of the name of a relative. */
const BERT_ALONE = /(?<![a-z-])bert(?![a-z])/i

/** Sizes with the number of labels that the text states, or that the size of its classifier implies.
 * @param {Sizes} sizes @param {Sizes} statedSizes @param {number[]} classifiers  the sizes of classifiers in the text
 * @returns {Sizes} */
function withLabels(sizes, statedSizes, classifiers) {
  const perLabel = sizes.H + 1
  // A dense layer without labels has as many parameters as one with H labels.
  const impliedLabels = classifiers
    .map((size) => size / perLabel)
    .find((labels) => Number.isInteger(labels) && labels > 0 && labels <= MAX_LABELS && labels !== sizes.H)
  return { ...sizes, C: statedSizes.C ?? impliedLabels ?? sizes.C }
}

/** The numbers that a text gives for classifiers. @param {Statement[]} statements */
const classifiersIn = (statements) =>
  statements.flatMap(({ words, after, stated, expressions }) => {
    const terms = expressions.flatMap(({ parts }) => parts).filter(isNumber)
    const labelledNumbers = [...terms, { words: words || after, value: stated?.value ?? 0 }]
    return labelledNumbers
      .filter(({ words: label }) => partsMeant(label).some(({ path }) => path === "sequence_classifier"))
      .map(({ value }) => value)
  })

/** The architectures of the models that a text names; empty if it names none, or BERT as well.
 * @param {string[]} namedModels @param {string} text */
function architecturesNamed(namedModels, text) {
  const architectures = new Set(namedModels.map((name) => allModels.get(name).architecture))
  return architectures.has(BERT) || BERT_ALONE.test(text) ? new Set() : architectures
}

/** The models that a sum may be about, the likeliest first, and the sizes that the text defines, by name.
 * @param {Statement[]} statements @param {string} text */
export function candidatesAndNames(statements, text) {
  const { names, numbers, statedSizes } = sizesIn(statements, text)
  const classifiers = classifiersIn(statements)
  const mentions = modelsIn(text)
  const namedModels = mentions.flatMap((mention) => mention.models)
  const modelsByFullName = mentions.flatMap((mention) => (mention.models.length === 1 ? mention.models : []))
  const architectures = architecturesNamed(namedModels, text)
  const possibleModels = modelsFor(text, modelsByFullName).filter(
    ({ architecture }) => !architectures.size || architectures.has(architecture),
  )
  const modelsByAgreement = possibleModels
    .map((model) => ({
      ...model,
      agreement:
        agreementOf(model, statedSizes, numbers, text) + (modelsByFullName.includes(model.name) ? FULL_NAME_WEIGHT : 0),
    }))
    .sort((one, other) => other.agreement - one.agreement)
  /** The architecture and sizes of a model as a key. */
  const keyOf = (/** @type {Model} */ { architecture, sizes }) => architecture + JSON.stringify(sizes)
  const keys = new Set()
  /** Whether no earlier model has the same architecture and sizes. */
  const isFirst = (/** @type {Model} */ model) => {
    const isNew = !keys.has(keyOf(model))
    keys.add(keyOf(model))
    return isNew
  }
  /** Whether the text may mean a model or has its total, or no BERT has the same tables and layers. */
  const isCandidate = (/** @type {Model} */ model) =>
    mayBeMeant(model, statedSizes, text) ||
    numbers.has(bareTotalOf(model)) ||
    !modelsByAgreement.some((other) => other.architecture === BERT && hasSameSizes(model, other))
  const likeliestModels = modelsByAgreement.filter(isCandidate).filter(isFirst).slice(0, MAX_CANDIDATES)
  const modelsOfNamedArchitectures = modelsNamedIn(modelsByAgreement, numbers, text).map((model) => ({
    ...model,
    agreement: likeliestModels[0].agreement,
  }))
  const original = originalNamedIn(modelsByAgreement, text)
  const originalIfUnlikely = original && !likeliestModels.includes(original) ? [original] : []
  const isDepthStated = layersNamed(text) === statedSizes.L || Object.keys(names).some((name) => letterOf(name) === "L")
  const { L, ...statedWithoutDepth } = statedSizes
  /** The sizes that replace those of a model. A factor in a sum about BERT base may be a wrong number of layers. */
  const replacementsFor = (/** @type {Model} */ model) =>
    isDepthStated || model !== original ? statedSizes : statedWithoutDepth
  const references = [...likeliestModels.slice(0, MAX_REFERENCES), ...(isDepthStated ? originalIfUnlikely : [])]
  // In a relative, people may also take BERT's segments without saying so.
  const mayHaveSegmentsOfBert = architectures.size && !statedSizes.S
  const candidates = [
    ...references.flatMap((model) => withStatedSizes(model, replacementsFor(model), possibleModels) ?? []),
    ...(mayHaveSegmentsOfBert ? references : []).flatMap((model) => {
      const candidate = withStatedSizes(model, { ...statedSizes, S: SEGMENTS_OF_BERT }, possibleModels)
      return candidate ? [{ ...candidate, agreement: candidate.agreement - UNSTATED_PENALTY }] : []
    }),
    ...[...likeliestModels, ...originalIfUnlikely, ...modelsOfNamedArchitectures].map((model) => ({
      ...model,
      reference: "",
      statedSizes,
    })),
  ]
  return {
    names,
    candidates: withoutRepetitions(candidates).map((model) => ({
      ...model,
      sizes: withLabels(model.sizes, statedSizes, classifiers),
      isNamed: architectures.has(model.architecture),
    })),
  }
}

/** The candidates without those that have the name and sizes of one with more agreement, or of an earlier one with as
 * much.
 * @param {Candidate[]} candidates */
function withoutRepetitions(candidates) {
  /** @type {Map<string, Candidate>} */
  const bestByKey = new Map()
  for (const candidate of candidates) {
    const key = JSON.stringify([candidate.name, candidate.architecture, candidate.sizes])
    const best = bestByKey.get(key)
    if (!best || candidate.agreement > best.agreement) bestByKey.set(key, candidate)
  }
  const bestCandidates = new Set(bestByKey.values())
  return candidates.filter((candidate) => bestCandidates.has(candidate))
}

/** The total of the bare model. @param {Model} model */
const bareTotalOf = ({ architecture, sizes }) => count({ modelClass: classOfBare(architecture), sizes })

/** Whether two models have the same tables and layers. @param {Model} model @param {Model} other */
const hasSameSizes = ({ sizes }, other) => [..."VPHFL"].every((letter) => sizes[letter] === other.sizes[letter])

/** A model with the sizes that the text states in place of its own, except the number of labels; null if none differ.
 * If the text states H, F follows from it unless stated, and A if H is another one and a multiple of the usual head
 * size.
 * @param {Model & { agreement: number }} model @param {Sizes} allStatedSizes @param {Model[]} possibleModels
 * @returns {Candidate | null} */
function withStatedSizes({ name: reference, architecture, sizes, agreement }, allStatedSizes, possibleModels) {
  const { H, ...sizesWithoutWidth } = allStatedSizes
  const statedSizes = isWidthOfEmbeddings(H, sizes) ? sizesWithoutWidth : allStatedSizes
  const otherSizes = Object.entries(statedSizes).filter(
    ([letter, size]) => letter in sizes && letter !== "C" && sizes[letter] !== size,
  )
  if (!otherSizes.length) return null
  /** @type {Sizes} */
  const adjustedSizes = { ...sizes, ...Object.fromEntries(otherSizes) }
  if (!("F" in statedSizes) && "H" in statedSizes) adjustedSizes.F = USUAL_INNER_FACTOR * statedSizes.H
  if ("H" in statedSizes && statedSizes.H !== sizes.H && statedSizes.H % USUAL_HEAD_SIZE === 0)
    adjustedSizes.A = statedSizes.H / USUAL_HEAD_SIZE
  const publishedModel = possibleModels.find(
    (candidate) =>
      candidate.architecture === architecture &&
      Object.keys(candidate.sizes).every(
        (letter) => letter === "C" || letter === "A" || candidate.sizes[letter] === adjustedSizes[letter],
      ),
  )
  return { name: publishedModel?.name ?? "", architecture, sizes: adjustedSizes, agreement, reference, statedSizes }
}
