// The sizes of the model that a sum by hand is about: from the letters that it
// defines, from the factors of its products, and from the models that have them. The
// number in most products is the hidden size, and what it is multiplied with is the
// vocabulary, the positions or the width of the feed-forward network.

import table from "../../../data/table.js"
import { isNumber } from "./expressions.js"
import { layersSaid, partsMeant } from "./labels.js"
import { isSizeName, letterOf } from "./names.js"

/** @typedef {import("./statements.js").Statement} Statement */
/** @typedef {import("./expressions.js").Expression} Expression */

/** A product of numbers, with the words beside it. `group` is the same for the products of one bracket,
 * `line` for those of one statement.
 * @typedef {{ factors: number[], words: string, group: number, line: number }} Product */

const MOST_PRODUCTS = 600
const LEAST_SIZE = 32
const MANY_SEGMENTS = 8 // a smaller number beside the vocabulary may stand for segments and LayerNorm

/** The products that an expression adds up; letters become the numbers that the text defines them as.
 * @param {Expression} one @param {Record<string, number>} names @returns {number[][]} */
function productsIn(one, names) {
  if (isNumber(one)) return [[one.value]]
  if (one.kind === "name") return [[names[one.name] ?? NaN]]
  const parts = one.parts.map((part) => productsIn(part, names))
  if (one.kind === "sum") return parts.flat().slice(0, MOST_PRODUCTS)
  const factors =
    one.kind === "power" ? Array(one.value).fill(parts[0]) : parts.filter((_, place) => one.signs[place] > 0)
  return factors.reduce(
    (/** @type {number[][]} */ all, next) =>
      all.flatMap((some) => next.map((/** @type {number[]} */ more) => [...some, ...more])).slice(0, MOST_PRODUCTS),
    [[]],
  )
}

/** Whether a statement says what a size is: H = 768, vocab_size: 30522. @param {Statement} statement */
export function definedIn({ words, name, stated, expressions }) {
  const last = words.trim().split(" ").pop() ?? ""
  const isSmall = stated && !stated.width && stated.value < 1e6 && Number.isInteger(stated.value)
  if (expressions.length || !isSmall) return ""
  if (isSizeName(name)) return name
  if (isSizeName(last)) return last
  return SAID.find(([pattern]) => pattern.test(words.trim()))?.[1] ?? ""
}

/** What may stand before a size instead of its name. @type {[RegExp, string][]} */
const SAID = [
  [/(?:vocab(?:ulary)?(?: size)?(?: of)?|词表大小|词汇量|词汇表)[是为]?$/i, "V"],
  [/(?:hidden(?: size| dim\w*)?(?: of)?|隐藏(?:层)?(?:维度|大小)|词向量的维度)[是为]?$/i, "H"],
  [/(?:intermediate(?: size)?|中间层维度)[是为]?$/i, "F"],
  [/(?:(?:max\w* )?(?:positions|sequence length|len(?:gth)?)|最大长度|最长输入)[是为]?$/i, "P"],
]

/** The sizes that a text says, by the letter or name that it uses. @param {Statement[]} statements */
function definitions(statements) {
  /** @type {Record<string, number>} */
  const names = {}
  for (const statement of statements) {
    const name = definedIn(statement)
    if (name && statement.stated) names[name] ??= statement.stated.value
  }
  return names
}

const MOST_LAYERS = 96
const LEAST_TIMES = 4 // how often a small number must multiply, which may count matrices

/** Whether a summand is the bias of one head. @param {Expression} one */
const isOfOneHead = (one) => isNumber(one) && one.value <= 128

/** The number of layers, as the number before most brackets and large numbers; 0 if there is none.
 * @param {Expression[]} expressions */
function layersIn(expressions) {
  /** @type {Map<number, number>} */
  const times = new Map()
  /** @param {Expression} one */
  const visit = (one) => {
    const repeated = one.parts.some(
      (part) => (part.kind !== "power" && part.parts.length) || (isNumber(part) && part.value > 1e5),
    )
    const counts = one.parts.filter((part) => isNumber(part) && part.value > 1 && part.value <= MOST_LAYERS)
    const isOfHead = one.parts.some(({ kind, parts }) => kind === "sum" && parts.some(isOfOneHead))
    if (one.kind === "product" && repeated && !isOfHead)
      for (const { value } of counts) times.set(value, (times.get(value) ?? 0) + 1)
    one.parts.forEach(visit)
  }
  expressions.forEach(visit)
  const likely = [...times].filter(([value, often]) => value > 4 || often >= LEAST_TIMES)
  return likely.sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}

/** How often each number occurs, counting a product once for each factor.
 * @param {Product[]} products */
function tally(products) {
  /** @type {Map<number, number>} */
  const times = new Map()
  for (const { factors } of products)
    for (const factor of factors) if (factor >= LEAST_SIZE) times.set(factor, (times.get(factor) ?? 0) + 1)
  return times
}

const USUAL = new Set(table.models.map(({ sizes }) => sizes.H))

const SQUARED = 5

/** The hidden size: the factor of most products, most of all in squares, and those of published models first.
 * @param {Product[]} products */
function hiddenIn(products) {
  const several = products.filter(({ factors }) => factors.filter((factor) => factor >= 2).length > 1)
  const candidates = [...tally(several)].filter(([factor]) => factor < 20000 && Number.isInteger(factor))
  const isSquared = (/** @type {number} */ size) =>
    products.some(({ factors }) => factors.filter((factor) => factor === size).length > 1)
  const score = (/** @type {[number, number]} */ [factor, times]) =>
    times + (USUAL.has(factor) ? 0.5 : 0) + (isSquared(factor) ? SQUARED : 0)
  candidates.sort((one, other) => score(other) - score(one))
  return candidates[0]?.[0] ?? 0
}

/** The width of the embeddings, if it is not the hidden size: it is in several products without that, and in one with
 * that. @param {Product[]} products @param {number} H */
function widthOfTables(products, H) {
  const without = tally(products.filter(({ factors }) => !factors.includes(H)))
  const isProjected = (/** @type {number} */ size) =>
    size < H && products.some(({ factors }) => factors.includes(size) && factors.includes(H))
  const [width] = [...without]
    .filter(([size, times]) => times > 1 && isProjected(size))
    .sort((one, other) => other[1] - one[1])
  return width?.[0] ?? 0
}

/** What the factors of products say about sizes, given the hidden size.
 * @param {Product[]} products @param {number} H @returns {Sizes} */
function fromFactors(products, H) {
  /** @type {Sizes} */
  const sizes = {}
  const E = widthOfTables(products, H)
  if (E) sizes.E = E
  const pairs = products.flatMap(({ factors, words, group, line }) => {
    const place = factors.includes(H) ? factors.indexOf(H) : factors.indexOf(E)
    if (place < 0) return []
    const others = factors.filter((factor, at) => at !== place && factor > 1)
    return [{ others, words, group, line, large: Math.max(0, ...others) }]
  })
  const feed = pairs.filter(
    ({ words, large }) =>
      large > H / 4 && large !== H && /feed-forward|intermediate|layer_\*\/output\/dense/.test(named(words)),
  )
  const F = pairs.find(({ large }) => large === 4 * H)?.large ?? feed[0]?.large
  if (F) sizes.F = F
  const isTable = (/** @type {string} */ words, /** @type {string} */ name) => named(words).includes(name)
  const words = pairs.filter(
    ({ large, words }) => large !== F && large !== H && (large > 5000 || isTable(words, "word_embeddings")),
  )
  const largest = words.sort((one, other) => other.large - one.large)[0]
  if (largest && largest.large > H / 2) sizes.V = largest.large
  const isOfTables = (/** @type {{ group: number, words: string }} */ { group, words }) =>
    group === largest?.group || isTable(words, "position_embeddings")
  const positions = pairs.filter((pair) => isOfTables(pair) && pair.large >= LEAST_SIZE && pair.large !== sizes.V)
  const usual = pairs.find(
    ({ large, words }) => [512, 514].includes(large) && large !== H && large !== F && !isTable(words, "LayerNorm"),
  )
  // On a line of its own, a number of rows between those of the other tables may be any number of positions.
  const isOther = (/** @type {number} */ size) => size >= 100 && size <= 5000 && size !== H && size !== F
  const beside = pairs.find(({ others, line }) => line === largest?.line && others.length === 1 && isOther(others[0]))
  const P = positions[0]?.large ?? usual?.large ?? beside?.large
  const segments = pairs.find(
    ({ others, group, words }) =>
      others.length < 2 &&
      (isTable(words, "token_type") ||
        (group === largest?.group && others[0] >= MANY_SEGMENTS && others[0] < LEAST_SIZE)),
  )
  if (segments && segments.large < LEAST_SIZE) sizes.S = segments.large || 1
  if (P) sizes.P = P
  const labels = products.find(({ factors, words }) => isTable(words, "classifier") && factors.includes(H))
  const C = labels?.factors.find((factor) => factor !== H && factor > 1)
  if (C) sizes.C = C
  return sizes
}

/** Results by what their labels mean; what is in many layers or rounded says nothing.
 * @param {Statement[]} statements @param {RegExp} pattern */
const resultsOf = (statements, pattern) =>
  statements.flatMap(({ words, stated }) =>
    stated && !stated.width && pattern.test(named(words)) ? [stated.value] : [],
  )

/** The sizes that follow from results alone: a pooler of H² + H, a first dense layer of HF + F, tables of so many rows.
 * @param {Statement[]} statements @returns {Sizes} */
function fromResults(statements) {
  const squares = resultsOf(statements, /^bert\/pooler $|attention\/output\/dense $/).map((number) =>
    Math.floor(Math.sqrt(number)),
  )
  const vectors = resultsOf(statements, /token_type_embeddings $|LayerNorm $/).map((number) => number / 2)
  /** @type {Map<number, number>} */
  const votes = new Map()
  for (const size of [...squares, ...vectors])
    if (size >= LEAST_SIZE && Number.isInteger(size)) votes.set(size, (votes.get(size) ?? 0) + 1)
  const [H = 0] = [...votes.entries()].sort((one, other) => other[1] - one[1])[0] ?? []
  if (!H) return {}
  const [F, V, P] = [/intermediate $/, /word_embeddings $/, /position_embeddings $/].map(
    (pattern, place) => (resultsOf(statements, pattern)[0] ?? 0) / (place ? H : H + 1),
  )
  return Object.fromEntries(
    Object.entries({ H, F, V, P }).filter(([, size]) => size >= LEAST_SIZE && Number.isInteger(size)),
  )
}

/** The paths that words mean, as one text. @param {string} words */
const named = (words) =>
  partsMeant(words)
    .map(({ path, tag }) => `${path} ${tag}`)
    .join(" ")

/** The names and sizes of models that a text mentions, as a test for each model. */
const MENTIONS = /** @type {[RegExp, (model: Model) => boolean][]} */ ([
  [/xlm[- ]?r/i, ({ architecture }) => architecture === "xlm-roberta"],
  [/(?<!distil|xlm-?)roberta/i, ({ architecture }) => architecture === "roberta"],
  [/distil-?bert/i, ({ architecture }) => architecture === "distilbert"],
  [/albert/i, ({ architecture }) => architecture === "albert"],
  [/electra/i, ({ architecture }) => architecture === "electra"],
  [/mpnet/i, ({ architecture }) => architecture === "mpnet"],
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

/** Whether a text names a model by its size or language, and not merely BERT. @param {string} text */
export const namesModel = (text) => /bert/i.test(text) && MENTIONS.some(([pattern]) => pattern.test(text))

/** Sizes and the model that has them; the name is "" if none is published with all of them, and `reference` is then the
 * published one that is most like it. `said` are the sizes that the text says, directly or by its factors.
 * @typedef {{ name: string, architecture: string, sizes: Sizes, agreement: number,
 * reference: string, said: Sizes }} Candidate */

const MOST_NAMED = 2

/** The models of another architecture that a text names, those with most of their sizes in it first.
 * @template {Model} M @param {M[]} models @param {Set<number>} numbers @param {string} text */
function namedBy(models, numbers, text) {
  const fitting = MENTIONS.slice(0, ARCHITECTURES).filter(([pattern]) => pattern.test(text))
  const present = (/** @type {M} */ { sizes }) =>
    ["V", "H", "F", "E", "P"].filter((letter) => numbers.has(sizes[letter])).length
  return models
    .filter((model) => fitting.some(([, fits]) => fits(model)))
    .sort((one, other) => present(other) - present(one))
    .slice(0, MOST_NAMED)
}
const ARCHITECTURES = 6 // the first mentions

/** How well a model agrees with what a text says.
 * @param {Model} model @param {Sizes} said @param {Set<number>} numbers @param {string} text */
function agreement(model, said, numbers, text) {
  const { sizes } = model
  let score = 0
  for (const letter of "VPSHFEL") {
    if (!(letter in said)) score += MEANT_ALONE.has(letter) && numbers.has(sizes[letter]) ? 0.5 : 0
    else if (said[letter] === sizes[letter]) score += WEIGHTS[letter] ?? 1
    else score -= (WEIGHTS[letter] ?? 1) * (letter in sizes ? 1.5 : 0.2)
  }
  for (const [pattern, fits] of MENTIONS) if (pattern.test(text)) score += fits(model) ? 1.5 : -0.5
  return score + (PRIORS[model.group] ?? 0) - (isNamed(model, said, text) ? 0 : RELATIVE)
}
/** @type {Sizes} */
const PRIORS = { original: 0.6, chinese: 0.2, multilingual: 0.2 }
const RELATIVE = 1.5
const MEANT_ALONE = new Set("VF") // sizes that a number is evidence of wherever it stands

/** Whether a model may be meant without being named: a BERT, or one whose vocabulary no BERT has.
 * @param {Model} model @param {Sizes} said @param {string} text */
const isNamed = ({ architecture, sizes }, said, text) =>
  architecture === BERT ||
  new RegExp(architecture.replace(/-v2$/, "").replace("-", "-?"), "i").test(text) ||
  (said.V === sizes.V && !VOCABULARIES.has(sizes.V))

const BERT = table.architectures[0].name
const VOCABULARIES = new Set(table.models.filter((one) => one.architecture === BERT).map(({ sizes }) => sizes.V))

/** The models that a sum may be of. A round vocabulary, such as 30,000, is more likely a mistake than the language
 * model that has it, unless the text names its language.
 * @param {string} text */
const modelsFor = (text) =>
  table.models.filter(
    ({ group, sizes, architecture }) =>
      group !== "course" &&
      (architecture !== BERT || sizes.V % 1000 || /german|deutsch|arab|japan|日本|klue|korean/i.test(text)),
  )
/** @type {Sizes} */
const WEIGHTS = { V: 3, H: 4, F: 2, L: 1.5, P: 1, S: 0.5, E: 2 }
const MOST_CANDIDATES = 3

/** @param {Sizes} sizes @param {Sizes} said @returns {Sizes} */
const withLabels = (sizes, said) => ({ ...sizes, C: said.C ?? sizes.C })

/** The models that a sum may be about, the likeliest first, and the names of sizes that the text defines.
 * @param {Statement[]} statements @param {string} text */
export function candidates(statements, text) {
  const names = definitions(statements)
  const numbers = new Set(statements.flatMap(({ stated }) => (stated ? [stated.value] : [])))
  let group = 0
  const products = statements.flatMap(({ expressions, words, heading, after }, line) =>
    expressions.flatMap((expression) => {
      const parts = expression.kind === "sum" ? expression.parts : [expression]
      return parts.flatMap((part) => {
        group++
        const label = [part.words, words || after || heading].filter(Boolean)[0] ?? ""
        return productsIn(part, names).map((factors) => ({ factors, words: label, group, line }))
      })
    }),
  )
  for (const { factors } of products) for (const factor of factors) numbers.add(factor)
  /** @type {Sizes} */
  const said = {}
  for (const [name, value] of Object.entries(names)) {
    const letter = letterOf(name)
    if (letter && letter !== "H/A" && isPlausible(letter, value)) said[letter] ??= value
  }
  const H = said.H ?? hiddenIn(products)
  if (H) Object.assign(said, { ...fromFactors(products, H), ...said, H })
  else Object.assign(said, { ...fromResults(statements), ...said })
  const layers = layersSaid(text)
  if (layers > 1) said.L ??= layers
  const repeated = layersIn(statements.flatMap(({ expressions }) => expressions))
  if (repeated) said.L ??= repeated
  const known = modelsFor(text)
  const sorted = known
    .map((model) => ({ ...model, agreement: agreement(model, said, numbers, text) }))
    .sort((one, other) => other.agreement - one.agreement)
  const sizesOf = (/** @type {Model} */ { architecture, sizes }) => architecture + JSON.stringify(sizes)
  const isFirst = (/** @type {Model} */ model, /** @type {number} */ place) =>
    sorted.findIndex((other) => sizesOf(other) === sizesOf(model)) === place
  const isMeant = (/** @type {Model} */ model) =>
    isNamed(model, said, text) || !sorted.some((other) => other.architecture === BERT && isAlike(model, other))
  const ranked = sorted.filter(isMeant).filter(isFirst).slice(0, MOST_CANDIDATES)
  const named = namedBy(sorted, numbers, text).map((model) => ({ ...model, agreement: ranked[0].agreement }))
  const odd = ranked.slice(0, 2).flatMap((model) => withSizes(model, said, known))
  return {
    names,
    candidates: [
      ...odd,
      ...[...ranked, ...named].map((model) => ({
        ...model,
        sizes: withLabels(model.sizes, said),
        reference: "",
        said,
      })),
    ],
  }
}

/** Whether two models have the same tables and layers. @param {Model} model @param {Model} other */
const isAlike = ({ sizes }, other) => [..."VPHFL"].every((letter) => sizes[letter] === other.sizes[letter])

/** Whether a letter can be a size of this value: N and L also stand for lengths and totals.
 * @param {string} letter @param {number} value */
const isPlausible = (letter, value) =>
  letter === "L" || letter === "A"
    ? value <= 96
    : letter === "S" || letter === "C"
      ? value <= 1000
      : value >= (letter === "V" ? 1000 : 16)

/** A model with the sizes that a text says instead of its own, unless they are its own.
 * @param {Model & { agreement: number }} model @param {Sizes} said @param {Model[]} known @returns {Candidate[]} */
function withSizes(model, said, known) {
  const { sizes } = model
  const other = Object.entries(said).filter(
    ([letter, size]) => letter in sizes && letter !== "C" && sizes[letter] !== size,
  )
  if (!other.length) return []
  /** @type {Sizes} */
  const changed = { ...sizes, ...Object.fromEntries(other), C: said.C ?? sizes.C }
  if (!("F" in said) && "H" in said) changed.F = 4 * said.H
  if ("H" in said && said.H !== sizes.H) changed.A = said.H % 64 ? sizes.A : said.H / 64
  const published = known.find(
    (one) =>
      one.architecture === model.architecture &&
      Object.keys(one.sizes).every(
        (letter) => letter === "C" || letter === "A" || one.sizes[letter] === changed[letter],
      ),
  )
  const { name } = published ?? { name: "" }
  return [
    { name, architecture: model.architecture, sizes: changed, agreement: model.agreement, reference: model.name, said },
  ]
}
