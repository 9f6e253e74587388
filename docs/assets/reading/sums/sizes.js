// Works out the sizes of the model that a sum done by hand is about: from the letters that it
// defines, from the factors of its products, and from results alone. The number that most
// products have as a factor is usually the hidden size. Their other factors may be the vocabulary,
// the positions or the inner size of the feed-forward network.
//
// None of this is certain, and it need not be: candidates.js compares the sizes with those of
// published models, and a model with wrong sizes explains few of the summands.

import table from "../../../data/table.js"
import { MAX_LABELS } from "../labels/totals.js"
import { isNumber } from "./expressions.js"
import { layersNamed, partsMeant } from "./labels.js"
import { isSizeName, letterOf } from "./names.js"
import { MAX_LAYERS } from "./outline.js"

/** @typedef {import("./expressions.js").Expression} Expression */
/** @typedef {import("./statements.js").Statement} Statement */

/** A product of numbers, with its label. Products of the same bracket have the same `group`, and products of the same
 * statement the same `line`.
 * @typedef {{ factors: number[], words: string, group: number, line: number }} Product */

const MAX_PRODUCTS = 600 // the maximum number of products of one expression; a product of brackets may have very many
const MIN_SIZE = 32 // a smaller factor counts things, such as heads or matrices
export const MIN_RESULT = 1_000_000 // more than the rows of any vocabulary, so a factor this large is a result
const MANY_SEGMENTS = 8 // a smaller number next to the vocabulary may count segments and LayerNorm together
const MAX_HIDDEN = 20_000 // a factor this large is not a hidden size
const MIN_VOCABULARY = 5000 // a table with more rows is that of words, whatever its label
const USUAL_POSITIONS = [512, 514]
const [MIN_POSITIONS, MAX_POSITIONS] = [100, 5000] // rows of a table that may be that of positions

/** The products that an expression adds up, each as its factors without divisors, with the numbers that the text
 * defines for names.
 * @param {Expression} expression @param {Record<string, number>} names @returns {number[][]} */
function productsIn(expression, names) {
  if (isNumber(expression)) return [[expression.value]]
  if (expression.kind === "name") return [[names[expression.name] ?? NaN]]
  const parts = expression.parts.map((part) => productsIn(part, names))
  if (expression.kind === "sum") return parts.flat().slice(0, MAX_PRODUCTS)
  const factors =
    expression.kind === "power"
      ? Array(expression.value).fill(parts[0])
      : parts.filter((_, index) => expression.signs[index] > 0)
  /** The products so far, each of which is multiplied by every product of the next factor. @type {number[][]} */
  let products = [[]]
  for (const factor of factors) {
    const multiply = (/** @type {number[]} */ product) =>
      factor.map((/** @type {number[]} */ furtherFactors) => [...product, ...furtherFactors])
    products = products.flatMap(multiply).slice(0, MAX_PRODUCTS)
  }
  return products
}

/** The name of the size that a statement defines, as in H = 768 or vocab_size: 30522; "" if it defines none.
 * @param {Statement} statement */
export function nameDefinedIn({ words, name, stated, expressions }) {
  const last = words.trim().split(" ").pop() ?? ""
  const isSmall = stated && !stated.tolerance && stated.value < 1e6 && Number.isInteger(stated.value)
  if (expressions.length || !isSmall) return ""
  const phrase = PHRASES.find(([pattern]) => pattern.test(words.trim()))?.[1] ?? ""
  const isLetter = /^[a-z]$/.test(name) && stated.value < MAX_OF_LETTER && isPlausible(letterOf(name), stated.value)
  const nameOfSize = [name, last].find(isSizeName) ?? (isLetter ? name : phrase)
  // "Positions: 524,288" gives the size of a table, not the number of its rows.
  return stated.value <= (MAX_SIZES[letterOf(nameOfSize)] ?? Infinity) ? nameOfSize : ""
}

const MAX_OF_LETTER = 300_000 // a larger number after a lower-case letter is a result, as in v = 590,592

/** The largest numbers that some sizes may have. @type {Record<string, number>} */
const MAX_SIZES = { V: 400_000, P: 100_000, H: MAX_HIDDEN, F: 100_000 }

/** Words that may precede a size instead of its name, with its letter. @type {[RegExp, string][]} */
const PHRASES = [
  [/(?:vocab(?:ulary)?(?: size)?(?: of)?|词表大小|词汇量|词汇表)[是为]?$/i, "V"],
  [/(?:hidden(?: size| dim\w*)?(?: of)?|隐藏(?:层)?(?:维度|大小)|词向量的维度)[是为]?$/i, "H"],
  [/(?:intermediate(?: size)?|中间层维度)[是为]?$/i, "F"],
  [/(?:(?:max\w* )?(?:positions|sequence length|len(?:gth)?)|最大长度|最长输入)[是为]?$/i, "P"],
]

/** The sizes that a text defines, by the letter or name that it uses. @param {Statement[]} statements */
function definedSizes(statements) {
  /** @type {Record<string, number>} */
  const names = {}
  for (const statement of statements) {
    const name = nameDefinedIn(statement)
    if (name && statement.stated) names[name] ??= statement.stated.value
  }
  return names
}

const MAX_MATRICES = 4 // a number up to this may count matrices, such as those of attention
const MIN_TIMES = 4 // even such a number may be the number of layers if it is a factor at least this often
const MAX_HEAD_SIZE = 128
const MIN_PART = 100_000 // a larger number may be the parameters of one layer

/** Whether a summand may be the bias of one head. @param {Expression} expression */
const isOfOneHead = (expression) => isNumber(expression) && expression.value <= MAX_HEAD_SIZE

/** The number of layers: the small number that multiplies brackets and large numbers most often; 0 if there is none.
 * @param {Expression[]} expressions */
function layersIn(expressions) {
  /** The number of times that each small number multiplies what may be one layer. @type {Map<number, number>} */
  const times = new Map()
  /** Counts the factors in an expression. @param {Expression} expression */
  const countFactorsIn = (expression) => {
    const hasLayer = expression.parts.some(
      (part) => (part.kind !== "power" && part.parts.length) || (isNumber(part) && part.value > MIN_PART),
    )
    const smallNumbers = expression.parts.filter((part) => isNumber(part) && part.value > 1 && part.value <= MAX_LAYERS)
    const isOfHead = expression.parts.some(({ kind, parts }) => kind === "sum" && parts.some(isOfOneHead))
    if (expression.kind === "product" && hasLayer && !isOfHead)
      for (const { value } of smallNumbers) times.set(value, (times.get(value) ?? 0) + 1)
    expression.parts.forEach(countFactorsIn)
  }
  expressions.forEach(countFactorsIn)
  const likelyNumbers = [...times].filter(([value, occurrences]) => value > MAX_MATRICES || occurrences >= MIN_TIMES)
  return likelyNumbers.sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}

/** The number of labels: the small number that is added to a product of itself, as in 3 * 768 + 3; 0 if there is none.
 * @param {Product[]} products */
function labelsIn(products) {
  const head = products.find(({ factors: [bias, ...others] }, index) => {
    const matrix = products[index - 1]
    return !others.length && bias < MIN_SIZE && matrix?.factors.length === 2 && matrix.factors.includes(bias)
  })
  return head ? head.factors[0] : 0
}

/** The number of times that each factor occurs in products, except for small factors.
 * @param {Product[]} products */
function timesOfFactors(products) {
  /** @type {Map<number, number>} */
  const times = new Map()
  for (const { factors } of products)
    for (const factor of factors) if (factor >= MIN_SIZE) times.set(factor, (times.get(factor) ?? 0) + 1)
  return times
}

/** The hidden sizes of the published models. */
export const HIDDEN_SIZES = new Set(table.models.map(({ sizes }) => sizes.H))

// Weights of the evidence that a factor is the hidden size. Each product that has the factor weighs 1.
const MODEL_WEIGHT = 0.5 // for a factor that a published model has as its hidden size
const SQUARE_WEIGHT = 5 // for a factor that is squared somewhere, as the hidden size is
const DIVISOR_WEIGHT = 0.25 // for each result that the factor divides; this decides between two factors of one product

/** The hidden size; 0 if no factor can be the hidden size. It is usually a factor of most products, the only size that
 * is squared, and the hidden size of a published model. Results without their factors, such as 7,087,872 in 12 ×
 * 7,087,872, are multiples of it.
 * @param {Product[]} products */
function hiddenSizeIn(products) {
  const properProducts = products.filter(({ factors }) => factors.filter((factor) => factor >= 2).length > 1)
  const candidates = [...timesOfFactors(properProducts)].filter(
    ([factor]) => factor < MAX_HIDDEN && Number.isInteger(factor),
  )
  /** Whether a size is a factor twice in any product. */
  const isSquared = (/** @type {number} */ size) =>
    products.some(({ factors }) => factors.filter((factor) => factor === size).length > 1)
  const results = products.flatMap(({ factors }) => factors.filter((factor) => factor > MIN_RESULT))
  /** The number of results that a size divides. */
  const dividedCount = (/** @type {number} */ size) => results.filter((result) => result % size === 0).length
  /** The evidence for a factor as the hidden size. */
  const score = (/** @type {[number, number]} */ [factor, times]) =>
    times +
    (HIDDEN_SIZES.has(factor) ? MODEL_WEIGHT : 0) +
    (isSquared(factor) ? SQUARE_WEIGHT : 0) +
    DIVISOR_WEIGHT * dividedCount(factor)
  // Whatever 1,024 divides, 512 divides too. So of two sizes that divide equally many results, the larger is preferred,
  // and the second of 1,024 × 768, because people write the rows of a table first. A usual number of positions comes
  // last.
  const tieBreaker = (/** @type {number} */ size) => (dividedCount(size) ? size : 0)
  /** Whether a size is the inner width of a feed-forward network around another: the larger of two sizes that several
   * products have. */
  const isInner = (/** @type {number} */ size, /** @type {number} */ other) =>
    size > other && products.filter(({ factors }) => factors.includes(size) && factors.includes(other)).length > 1
  const placeBySize = new Map(candidates.map(([size], index) => [size, USUAL_POSITIONS.includes(size) ? -1 : index]))
  candidates.sort(
    (one, other) =>
      score(other) - score(one) ||
      tieBreaker(other[0]) - tieBreaker(one[0]) ||
      Number(isInner(one[0], other[0])) - Number(isInner(other[0], one[0])) ||
      (placeBySize.get(other[0]) ?? 0) - (placeBySize.get(one[0]) ?? 0),
  )
  return candidates[0]?.[0] ?? 0
}

/** The width of the embeddings if the products show one other than the hidden size; otherwise 0. This width is a factor
 * of several products without the hidden size and of at least one product with it.
 * @param {Product[]} products @param {number} H */
function widthOfTables(products, H) {
  const tallyWithoutH = timesOfFactors(products.filter(({ factors }) => !factors.includes(H)))
  /** Whether a size is smaller than H and multiplied by it, as the width of projected embeddings is. */
  const isProjected = (/** @type {number} */ size) =>
    size < H && products.some(({ factors }) => factors.includes(size) && factors.includes(H))
  const [likeliest] = [...tallyWithoutH]
    .filter(([size, times]) => times > 1 && isProjected(size))
    .sort((one, other) => other[1] - one[1])
  return likeliest?.[0] ?? 0
}

/** The sizes that follow from the factors of products, given the hidden size.
 * @param {Product[]} products @param {number} H @returns {Sizes} */
function sizesFromFactors(products, H) {
  const E = widthOfTables(products, H)
  const productsWithH = products.flatMap(({ factors, words, group, line }) => {
    const index = factors.includes(H) ? factors.indexOf(H) : factors.indexOf(E)
    if (index < 0) return []
    const otherFactors = factors.filter((factor, position) => position !== index && factor > 1)
    return [{ otherFactors, words, group, line, largest: Math.max(0, ...otherFactors) }]
  })
  const feedForwardProduct = productsWithH.find(
    ({ words, largest }) =>
      largest > H / 4 &&
      largest !== H &&
      /feed-forward|intermediate|layer_\*\/output\/dense/.test(pathsAndTagsMeant(words)),
  )
  const F =
    productsWithH.find(({ largest }) => largest === 4 * H)?.largest ??
    feedForwardProduct?.largest ??
    innerWidthIn(productsWithH, H)
  const [largestTable] = productsWithH
    .filter(
      ({ largest, words }) =>
        largest !== F && largest !== H && (largest > MIN_VOCABULARY || isTable(words, "word_embeddings")),
    )
    .sort((one, other) => other.largest - one.largest)
  const V = largestTable?.largest > H / 2 ? largestTable.largest : undefined
  const P = positionsIn(productsWithH, largestTable, { H, F, V })
  const segmentProduct = productsWithH.find(
    ({ otherFactors, group, words }) =>
      otherFactors.length < 2 &&
      (isTable(words, "token_type") ||
        (group === largestTable?.group && otherFactors[0] >= MANY_SEGMENTS && otherFactors[0] < MIN_SIZE)),
  )
  const S = segmentProduct && segmentProduct.largest < MIN_SIZE ? segmentProduct.largest || 1 : undefined
  const productOfHead = products.find(({ factors, words }) => isTable(words, "classifier") && factors.includes(H))
  const C = productOfHead?.factors.find((factor) => factor !== H && factor > 1 && factor <= MAX_LABELS)
  /** @type {[string, number | undefined][]} */
  const sizes = Object.entries({ E, F, V, S, P, C })
  return /** @type {Sizes} */ (Object.fromEntries(sizes.filter(([, size]) => size)))
}

/** A product with the hidden size, or else with the width of the embeddings: its other factors, and the largest of
 * these.
 * @typedef {{ otherFactors: number[], words: string, group: number, line: number, largest: number }} ProductWithH */

/** The inner width of a feed-forward network whose matrices no words name: the only size above the hidden one that
 * several products on the same line have besides it; undefined if there is none.
 * @param {ProductWithH[]} productsWithH @param {number} H */
function innerWidthIn(productsWithH, H) {
  const widths = productsWithH.filter(({ largest }) => largest > H && largest < MIN_VOCABULARY)
  const pairs = widths.filter(({ largest, line }, index) =>
    widths.slice(0, index).some((other) => other.largest === largest && other.line === line),
  )
  const [width, ...others] = new Set(pairs.map(({ largest }) => largest))
  return others.length ? undefined : width
}

/** Whether words name a table. @param {string} words @param {string} name */
const isTable = (words, name) => pathsAndTagsMeant(words).includes(name)

/** The number of positions: a size in the bracket of the largest table or with a label for positions, or else a usual
 * number of positions, or else a size in the statement of the largest table; undefined if there is none of these.
 * @param {ProductWithH[]} productsWithH @param {ProductWithH | undefined} largestTable
 * @param {{ H: number, F: number | undefined, V: number | undefined }} sizes  those that are known */
function positionsIn(productsWithH, largestTable, { H, F, V }) {
  const labelledProduct = productsWithH.find(
    ({ group, words, largest }) =>
      (group === largestTable?.group || isTable(words, "position_embeddings")) && largest >= MIN_SIZE && largest !== V,
  )
  const usualProduct = productsWithH.find(
    ({ largest, words }) =>
      USUAL_POSITIONS.includes(largest) && largest !== H && largest !== F && !isTable(words, "LayerNorm"),
  )
  /** Whether a size may be any number of positions. @param {number} size */
  const mayBePositions = (size) => size >= MIN_POSITIONS && size <= MAX_POSITIONS && size !== H && size !== F
  // In the statement of the largest table, the number of positions need not be a usual one.
  const productInStatement = productsWithH.find(
    ({ otherFactors, line }) =>
      line === largestTable?.line && otherFactors.length === 1 && mayBePositions(otherFactors[0]),
  )
  return labelledProduct?.largest ?? usualProduct?.largest ?? productInStatement?.largest
}

/** The exact results whose labels mean parts with paths and tags that `pattern` matches.
 * @param {Statement[]} statements @param {RegExp} pattern */
const resultsOf = (statements, pattern) =>
  statements.flatMap(({ words, stated }) =>
    stated && !stated.tolerance && pattern.test(pathsAndTagsMeant(words)) ? [stated.value] : [],
  )

/** The sizes that follow from results alone. For example, a pooler has H² + H parameters, a first dense layer has
 * HF + F, and a table has H per row.
 * @param {Statement[]} statements @returns {Sizes} */
function sizesFromResults(statements) {
  const squares = resultsOf(statements, /^bert\/pooler $|attention\/output\/dense $/).map((number) =>
    Math.floor(Math.sqrt(number)),
  )
  const vectors = resultsOf(statements, /token_type_embeddings $|LayerNorm $/).map((number) => number / 2)
  /** @type {Map<number, number>} */
  const votes = new Map()
  for (const size of [...squares, ...vectors])
    if (size >= MIN_SIZE && Number.isInteger(size)) votes.set(size, (votes.get(size) ?? 0) + 1)
  const [H = 0] = [...votes.entries()].sort((one, other) => other[1] - one[1])[0] ?? []
  if (!H) return {}
  const [F, V, P] = [/intermediate $/, /word_embeddings $/, /position_embeddings $/].map(
    (pattern, index) => (resultsOf(statements, pattern)[0] ?? 0) / (index ? H : H + 1),
  )
  return Object.fromEntries(
    Object.entries({ H, F, V, P }).filter(([, size]) => size >= MIN_SIZE && Number.isInteger(size)),
  )
}

/** The paths and tags that words mean, separated by spaces. @param {string} words */
const pathsAndTagsMeant = (words) =>
  partsMeant(words)
    .map(({ path, tag }) => `${path} ${tag}`)
    .join(" ")

/** The sizes that a sum states, directly or as factors (`statedSizes`), the names that the text defines for sizes,
 * and all numbers in it.
 * @param {Statement[]} statements @param {string} text */
export function sizesIn(statements, text) {
  const names = definedSizes(statements)
  const numbers = new Set(statements.flatMap((statement) => (statement.stated ? [statement.stated.value] : [])))
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
  const statedSizes = {}
  for (const [name, value] of Object.entries(names)) {
    const letter = letterOf(name)
    if (letter && letter !== "H/A" && isPlausible(letter, value)) statedSizes[letter] ??= value
  }
  const H = statedSizes.H ?? hiddenSizeIn(products)
  if (H) Object.assign(statedSizes, { ...sizesFromFactors(products, H), ...statedSizes, H })
  else Object.assign(statedSizes, { ...sizesFromResults(statements), ...statedSizes })
  const labels = labelsIn(products)
  if (labels) statedSizes.C ??= labels
  const layers = layersNamed(text)
  if (layers > 1) statedSizes.L ??= layers
  const layersAsFactor = layersIn(statements.flatMap(({ expressions }) => expressions))
  if (layersAsFactor) statedSizes.L ??= layersAsFactor
  return { names, numbers, statedSizes }
}

/** The smallest and the largest plausible value of each size. Letters such as N and L may also mean lengths and totals.
 * @type {Record<string, [min: number, max: number]>} */
const PLAUSIBLE_RANGES = {
  L: [0, MAX_LAYERS],
  A: [0, MAX_LAYERS],
  S: [0, 1000],
  C: [0, MAX_LABELS],
  V: [1000, Infinity],
}
const MIN_OTHER_SIZE = 16 // the smallest plausible value of any other size

/** Whether a letter means a size that may have this value. @param {string} letter @param {number} value */
function isPlausible(letter, value) {
  if (!letter) return false
  const [min, max] = PLAUSIBLE_RANGES[letter] ?? [MIN_OTHER_SIZE, Infinity]
  return value >= min && value <= max
}
