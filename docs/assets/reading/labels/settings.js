// Compares the settings in a text, such as 12 layers and a hidden size of 768, with the sizes of
// models. If the text names no model, its settings may identify one.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { classOfBare, count, models, noun } from "../../counting/engine.js"
import { maxTokensOf } from "../../counting/operations.js"
import { modelsByUse } from "../../explaining/ways.js"
import { loadingIn } from "../loaded-model.js"
import { accountOfVocabulary } from "../vocabulary.js"
import { accountInSentences, accountWith, code, enumeration, inParagraph, link, words } from "../words.js"
import { subjectOf, titleOf } from "./meanings.js"
import { isGeneric } from "./mentions.js"
import { partOfModel } from "./named-parts.js"
import { phraseFinder, withRoles } from "./phrases.js"

/** The letter of each setting that is a size of a model. @type {Record<string, string>} */
export const LETTERS = {
  layers: "L",
  hidden: "H",
  heads: "A",
  inner: "F",
  vocabulary: "V",
  positions: "P",
  segments: "S",
}

export const USUAL_HEAD_SIZE = 64 // the size of one head; H divided by it is the number of heads

/** The names of a setting, without its letter, which is a name only before a sign. @param {string} role */
const namesOf = (role) => exported.labels.words[role].filter((name) => !/^[a-z]$/.test(name))

/** A function that finds the names of sizes in a text, with their settings as roles. */
export const sizeNamesIn = phraseFinder(
  withRoles(Object.fromEntries(Object.keys(LETTERS).map((role) => [role, namesOf(role)]))),
)

/** The words for the size of each letter. @type {Record<string, string>} */
const NOUNS = {
  L: "layers",
  H: "hidden size",
  E: "embedding size",
  A: "heads",
  F: "inner width",
  V: table.explanations.nouns.V,
  P: "positions",
  S: "segments",
}

/** Words for the width of the embeddings, which is the hidden size in most models. */
const WIDTH_OF_EMBEDDINGS = /^(?:e|(?:word )?embedding (?:size|dim\w*|length)|n embd)$/i

/** The letter of a setting; undefined if it is not a size of a model. A width of the embeddings has its own letter in a
 * model with narrower embeddings.
 * @param {Pick<Quantity, "role" | "label">} quantity @param {Sizes} sizes  of the model */
const letterOf = ({ role, label }, { E, H }) =>
  E && E !== H && role === "hidden" && WIDTH_OF_EMBEDDINGS.test(label.replace(/[_-]/g, " ")) ? "E" : LETTERS[role]

/** The exact sizes among numbers, by letter.
 * @param {Quantity[]} numbers @param {Sizes} [sizes]  those of the model that the text is about @returns {Sizes} */
export const sizesIn = (numbers, sizes = {}) =>
  Object.fromEntries(
    numbers.flatMap((quantity) => {
      const letter = letterOf(quantity, sizes)
      return quantity.number.exact && letter ? [[letter, quantity.number.low]] : []
    }),
  )

/** The sizes, with the stated ones in their place. If the hidden size changes, so do an embedding size that equals it
 * and a feed-forward size that is four times as large, unless the text states the feed-forward size.
 * @param {Sizes} sizes @param {Sizes} statedSizes @returns {Sizes} */
export function withSizesThatFollow(sizes, statedSizes) {
  const { H, F, E } = sizes
  const otherSizes = { ...sizes, ...statedSizes }
  if (F === 4 * H && !statedSizes.F) otherSizes.F = 4 * otherSizes.H
  if (E === H) otherSizes.E = otherSizes.H
  return otherSizes
}

/** The published models with these sizes, the likeliest first; none if the text gives too few sizes.
 * @param {Quantity[]} numbers @returns {string[]} */
export function modelsOfSettings(numbers) {
  const sizes = Object.entries(sizesIn(numbers))
  if (sizes.length < 2) return []
  return modelsByUse
    .filter((model) => sizes.every(([letter, value]) => model.sizes[letter] === value))
    .map(({ name }) => name)
}

/** The model that contradicts the fewest sizes in a text, and these sizes as the text states them (`wrongSizes`); null
 * if there are no models to choose from. A size that a model does not have at all contradicts nothing.
 * @param {Quantity[]} numbers @param {string[]} names
 * @param {Sizes} [changedSizes]  the sizes that the models have instead of the published ones */
export function nearestModel(numbers, names, changedSizes = {}) {
  const wrongSizesOf = (/** @type {string} */ name) =>
    Object.entries(sizesIn(numbers, models.get(name).sizes)).filter(
      ([letter, value]) => (changedSizes[letter] ?? models.get(name).sizes[letter] ?? value) !== value,
    )
  const candidates = names.map((name) => ({ name, wrongSizes: wrongSizesOf(name) }))
  return candidates.sort((one, other) => one.wrongSizes.length - other.wrongSizes.length)[0] ?? null
}

/** The words for the sizes that are widths, with their articles. @type {Record<string, string>} */
const WIDTH_NOUNS = { H: `a ${NOUNS.H}`, E: `an ${NOUNS.E}`, F: `an ${NOUNS.F}` }

/** A size in words, such as "12 layers" or "1 layer". The nouns are exported in the plural; in the singular, the first
 * word that ends with an s loses it.
 * @param {string} letter @param {number} value @returns {Words} */
export const sizeInWords = (letter, value) =>
  letter in WIDTH_NOUNS
    ? words`${WIDTH_NOUNS[letter]} of ${value}`
    : words`${value} ${noun(value, NOUNS[letter].replace(/s\b/, ""), NOUNS[letter])}`

/** Sizes in words, such as "12 layers and a hidden size of 768". @param {[letter: string, value: number][]} sizes */
export const sizesInWords = (sizes) => enumeration(sizes.map(([letter, value]) => sizeInWords(letter, value)))

/** Some of the sizes of a model, each with its letter. @param {string[]} letters @param {Sizes} sizes
 * @returns {[letter: string, value: number][]} */
export const sizesOf = (letters, sizes) => letters.map((letter) => [letter, sizes[letter]])

/** The mentions of models that we count, each model once. @param {Mention[]} mentions */
export const modelMentions = (mentions) => [
  ...new Map(
    mentions.filter(({ models: names }) => names.length).map((mention) => [mention.models.join(), mention]),
  ).values(),
]

/** The model that a size belongs to: the only one in the text, or else the one that is last named before the size. ""
 * if that model has a different size but another model in the text has this one, so that the size is not judged.
 * @param {Pick<LabelledText, "mentions">} labelledText @param {Quantity} quantity
 * @param {string} name  the model if only one is named */
export function modelOfSetting({ mentions }, { role, number, start }, name) {
  const mentionedModels = modelMentions(mentions)
  if (mentionedModels.length < 2) return name
  const hasSize = (/** @type {string} */ model) => models.get(model).sizes[LETTERS[role]] === number.low
  const mentionBefore = mentions.filter((mention) => mention.models.length && mention.end <= start).at(-1)
  const [likeliest = ""] = mentionBefore?.models ?? []
  const fittingModel = mentionBefore?.models.find(hasSize)
  return fittingModel ?? (mentionedModels.some((mention) => mention.models.some(hasSize)) ? "" : likeliest)
}

/** The account of the settings in a text, compared with those of the models that it names or that have them; null if
 * there is nothing to compare them with.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfSettings({ numbers, mentions, text }) {
  if (text.includes("\n") && loadingIn(text)) return null // code is read for what it loads
  const sizes = Object.entries(sizesIn(numbers))
  const namedModels = modelMentions(mentions)
  const owner = namedModels.length > 1 ? ownerOfSizes(numbers, namedModels) : null
  if (namedModels.length > 1 && !owner) return accountOfSeveralModels({ numbers, mentions, text })
  const mention = owner ?? mentions[0]
  const nearest = mention?.models.length ? nearestModel(numbers, mention.models) : null
  // A number that is multiplied is a factor of a sum.
  if (!mention && numbers.length === 1 && sizes.length === 1)
    return /[*×·]/.test(text) || isIndex(numbers[0], text) ? null : accountOfOneSize(sizes[0])
  if (!nearest || !sizes.length || (sizes.length < 2 && !mention.text)) return null
  if (isGeneric(mention) && nearest.wrongSizes.length > MAX_SLIPS) return accountOfUnknownSizes(sizes)
  const model = models.get(nearest.name)
  const modelClass = classOfBare(model.architecture)
  const total = count({ modelClass, sizes: model.sizes })
  const wrongLetters = nearest.wrongSizes.map(([letter]) => letter)
  const allSizes = sizesInWords(Object.entries(sizesIn(numbers, model.sizes)))
  const wrongSizes = sizesInWords(nearest.wrongSizes)
  const rightSizes = sizesInWords(sizesOf(wrongLetters, model.sizes))
  const headline = nearest.wrongSizes.length
    ? words`${subjectOf(nearest.name)} has ${rightSizes}; the text says ${wrongSizes}. It has ${total} parameters as ${code(modelClass)}.`
    : words`These are the sizes of ${titleOf(nearest.name)}, which has ${total} parameters as ${code(modelClass)}: ${allSizes}.${sentenceOnPositions(numbers, nearest.name)}`
  return accountWith({
    kind: "labels",
    headline,
    lines: numbers.flatMap((quantity) => lineOfSetting(quantity, nearest.name, text)),
    model: { name: nearest.name, modelClass, total },
    confidence: mention.text || sizes.length > 2 ? "certain" : "likely",
  })
}

/** A sentence on the rows of the position table that no token uses; empty if the text does not give the number of
 * rows, or if the model uses them all.
 * @param {Quantity[]} numbers @param {string} name  of the model @returns {Words} */
function sentenceOnPositions(numbers, name) {
  const { architecture, sizes } = models.get(name)
  const table = partOfModel(name, ["the position embeddings"])
  const isStated = numbers.some(({ role, number }) => LETTERS[role] === "P" && number.low === sizes.P)
  const unusedRows = isStated && table ? sizes.P - maxTokensOf(architecture, sizes) : 0
  return table && unusedRows
    ? words` It reads at most ${sizes.P - unusedRows} tokens: its position ids start after that of the padding token, so no token of a text uses the first ${unusedRows} rows, ${(table.number / sizes.P) * unusedRows} parameters.`
    : []
}

/** Whether a number tells a head or a layer from the others: "head 3".
 * @param {Quantity} quantity @param {string} text */
const isIndex = ({ start }, text) => /\b(?:head|layer|block)\s(?:no\.?\s|number\s|#)?$/i.test(text.slice(0, start))

/** The only mention of a model with all sizes in a text, which a config may have beside the name of its architecture.
 * Null if there is none, and for a text that gives fewer than two sizes, or one of them more than once, as a comparison
 * does.
 * @param {Quantity[]} numbers @param {Mention[]} mentions */
function ownerOfSizes(numbers, mentions) {
  const settings = numbers.filter(({ role, number }) => number.exact && LETTERS[role])
  if (settings.length < 2 || settings.length > Object.keys(sizesIn(numbers)).length) return null
  const owners = mentions.filter(({ models: names }) => nearestModel(numbers, names)?.wrongSizes.length === 0)
  return owners.length === 1 ? owners[0] : null
}

const MAX_SLIPS = 1 // wrong sizes of a model that is named just "BERT"; with more, another model is meant

/** The account of sizes that no published BERT has. @param {[letter: string, value: number][]} sizes */
function accountOfUnknownSizes(sizes) {
  const allSizes = sizesInWords(sizes)
  const calculator = link("try/calculator.html", "the calculator")
  return accountInSentences(
    words`These are sizes: ${allSizes}. No BERT that we know of has all of them.`,
    [words`A model of your own may have any sizes; ${calculator} counts it.`],
    { kind: "labels", confidence: "possible" },
  )
}

/** The account of one size alone, such as a line of a config.
 * @param {[letter: string, value: number]} size @returns {Account} */
function accountOfOneSize([letter, value]) {
  if (letter === "V") return accountOfVocabulary(value)
  const size = sizeInWords(letter, value)
  const [likeliest, ...others] = modelsByUse.filter(({ sizes }) => sizes[letter] === value)
  if (!likeliest)
    return accountInSentences(words`This is a size, not a number of parameters. No model here has ${size}.`, [])
  const { name, architecture, sizes } = models.get(likeliest.name)
  const modelClass = classOfBare(architecture)
  const total = count({ modelClass, sizes })
  const othersClause = others.length
    ? words`, and so ${noun(others.length, "has", "have")} ${others.length} more ${noun(others.length, "model")} here`
    : ""
  return accountInSentences(
    words`This is a size, not a number of parameters: ${subjectOf(name)} has ${size}${othersClause}.`,
    [words`As ${code(modelClass)}, ${subjectOf(name)} has ${total} parameters.`],
    { model: { name, modelClass, total }, confidence: "possible" },
  )
}

/** The account of the settings of several models, one sentence for each model; null if no setting belongs to one.
 * @param {Pick<LabelledText, "numbers" | "mentions" | "text">} labelledText @returns {Account | null} */
function accountOfSeveralModels({ numbers, mentions, text }) {
  /** @type {Map<string, Quantity[]>} */
  const quantitiesByModel = new Map()
  for (const quantity of numbers.filter(({ role, number }) => LETTERS[role] && number.exact)) {
    const name = modelOfSetting({ mentions }, quantity, "")
    if (name) quantitiesByModel.set(name, [...(quantitiesByModel.get(name) ?? []), quantity])
  }
  if (!quantitiesByModel.size) return null
  const sentences = [...quantitiesByModel].map(([name, quantities]) => {
    const model = models.get(name)
    const modelClass = classOfBare(model.architecture)
    const letters = [...new Set(quantities.map(({ role }) => LETTERS[role]))]
    const rightSizes = sizesInWords(sizesOf(letters, model.sizes))
    return words`${subjectOf(name)} has ${rightSizes}, and ${count({ modelClass, sizes: model.sizes })} parameters as ${code(modelClass)}.`
  })
  return accountWith({
    kind: "labels",
    headline: inParagraph(sentences),
    lines: numbers.flatMap((quantity) => lineOfSetting(quantity, modelOfSetting({ mentions }, quantity, ""), text)),
    confidence: "likely",
  })
}

/** The line of a setting, as a list; empty if it is not a size of a model.
 * @param {Quantity} quantity @param {string} name  of the model @param {string} text
 * @param {Sizes} [changedSizes]  the sizes that the model has instead of the published ones @returns {AccountLine[]} */
export function lineOfSetting(quantity, name, text, changedSizes = {}) {
  const { number, start, end, label } = quantity
  const letter = letterOf(quantity, name ? models.get(name).sizes : {})
  if (!letter) return []
  const rightSize = name ? (changedSizes[letter] ?? models.get(name).sizes[letter] ?? null) : null
  const source = text.slice(start, end).trim()
  const verdict = rightSize === number.low ? "right" : "wrong"
  return [
    {
      source: `${source} ${label}`.trim(),
      part: words`${NOUNS[letter]}`,
      stated: number.low,
      right: rightSize,
      verdict: rightSize === null ? "unknown" : verdict,
      times: 1,
    },
  ]
}
