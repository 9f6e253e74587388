// Finds contradictions among the numbers of one text. Trainable and frozen parameters add
// up to all; a percentage follows from two numbers; float32 takes four bytes per number.

import { count, models, whole } from "../../counting/engine.js"
import { explain } from "../../explaining/explain.js"
import { code, enumeration, words } from "../words.js"
import { meaning } from "./meanings.js"
import { BINARY, UNIT_NAMES } from "./memory.js"
import { pairIn, shareTyped } from "./pairs.js"
import { LETTERS, modelOfSetting, namedModels, otherSizes, sizeInWords } from "./settings.js"
import { resultOf, signBetween } from "./terms.js"

/** The findings of a text, in no order. @param {Reader} reader @param {Account} account @returns {Finding[]} */
export const checks = (reader, account) => [
  ...ofSum(reader),
  ...ofShare(reader),
  ...ofMemory(reader, account),
  ...ofSizes(reader, account),
  ...ofAddition(reader),
  ...ofPooler(reader, account),
  ...ofAlbert(account),
  ...ofProfiler(reader, account),
]

/** A finding if trainable and frozen parameters do not add up to all. @param {Reader} reader @returns {Finding[]} */
function ofSum(reader) {
  const pair = pairIn(reader)
  const { trained, all, frozen } = pair?.quantities ?? {}
  if (!pair || !trained || !all || !frozen) return []
  const rest = all.number.low - trained.number.low - frozen.number.low
  if (!rest) return []
  return [
    {
      weight: 7,
      words: words`What is trained and what is frozen come to ${trained.number.low + frozen.number.low}, ${Math.abs(rest)} ${rest > 0 ? "less" : "more"} than the total of ${all.number.low}.`,
      amount: rest,
    },
  ]
}

/** A finding if the percentage does not follow from the two numbers. @param {Reader} reader @returns {Finding[]} */
function ofShare(reader) {
  const pair = pairIn(reader)
  if (!pair) return []
  const quantity = reader.numbers.find(({ role }) => role === "share")
  const share = quantity && shareTyped(pair, quantity)
  if (!quantity || !share || share.follows) return []
  return [
    {
      weight: 6,
      words: words`The percentage does not follow: ${pair.trained} of ${pair.all} is ${share.right}, not ${quantity.typed.replace(/\s?%$/, "")}%.`,
      amount: null,
    },
  ]
}

/** The bytes that may be kept for each parameter, with what keeps them. @type {[number, string][]} */
const WIDTHS = [
  [4, "4 bytes each, as float32 takes"],
  [2, "2 bytes each, as float16 takes"],
  [1, "1 byte each, as int8 takes"],
  [0.5, "4 bits each"],
  [8, "8 bytes each, as float64 takes, or float32 with gradients"],
  [12, "12 bytes each, as float32 takes with Adam's moments"],
  [16, "16 bytes each, as float32 takes with gradients and Adam's moments"],
]

/** The bytes of the data types that a text may name. @type {[RegExp, number][]} */
const DTYPES = [
  [/\b(?:float32|fp32|f32|float 32)\b/i, 4],
  [/\b(?:b?float16|fp16|bf16|half)\b/i, 2],
  [/\bint8\b/i, 1],
]

/** Findings on whether the bytes beside a number of parameters are right.
 * @param {Reader} reader @param {Account} account @returns {Finding[]} */
function ofMemory({ numbers, text }, account) {
  const dtypeInText = DTYPES.find(([name]) => name.test(text))
  const counts = numbers.filter(
    ({ role, roles }) => role === "count" && !roles.includes("trainable") && !roles.includes("frozen"),
  )
  const largest = counts.filter(({ number }) => number.exact).sort((one, other) => other.number.low - one.number.low)[0]
  const total = largest?.number.low ?? 0
  if (!total) return []
  return numbers
    .filter(({ role }) => role === "memory")
    .flatMap(({ number, typed, canonical }) => {
      const { size, low, high } = number
      const half = (high - low) / 2
      const twin = BINARY[size] ?? size
      const sizes = twin === size ? [size] : [size, twin]
      const own = /^[0-9.,]+$/.test(typed) ? canonical : typed
      for (const [width, what] of WIDTHS)
        for (const unit of sizes) {
          const bytes = (total * width) / unit
          const value = (low + high) / 2 / size
          const off = Math.abs(bytes - value)
          if (off > (2 * half) / size + 1e-9) continue
          if (dtypeInText && dtypeInText[1] !== width)
            return [
              {
                weight: 6,
                words: words`${own} is ${whole(total)} × ${what}. At ${whole(dtypeInText[1])} ${dtypeInText[1] === 1 ? "byte" : "bytes"} each, it would be ${((total * dtypeInText[1]) / size).toFixed(2)} ${UNIT_NAMES[size] ?? "bytes"}.`,
                amount: null,
              },
            ]
          const unitNote = unit === size ? "" : `, in ${UNIT_NAMES[unit]} that are called ${UNIT_NAMES[size]}`
          return [{ weight: 1, words: words`${own} is ${whole(total)} × ${what}${unitNote}.`, amount: null }]
        }
      const width = dtypeInText?.[1] ?? 4
      const right = (width * total) / size
      if (size < 1e6 || low < total / 4 || account.confidence === "possible") return []
      return [
        {
          weight: 5,
          words: words`${own} does not fit: ${total} parameters of ${whole(width)} bytes are ${right.toFixed(2)} ${UNIT_NAMES[size] ?? "bytes"}.`,
          amount: null,
        },
      ]
    })
}

/** Sums that a text states wrongly: terms with signs between them, and their result.
 * @param {Reader} reader @returns {Finding[]} */
function ofAddition({ text, quantities }) {
  /** @type {Finding[]} */
  const none = []
  const exact = quantities.filter(({ number }) => number.exact)
  return exact.flatMap((result, place) => {
    const sign = (/** @type {number} */ at) => signBetween(text.slice(exact[at]?.end ?? 0, exact[at + 1]?.start ?? 0))
    if (place < 2 || sign(place - 1) !== "=") return none
    let first = place - 1
    while (first > 0 && "+×".includes(sign(first - 1) || "=")) first--
    const terms = exact.slice(first, place)
    if (terms.length < 2 || terms.every(({ number }) => number.low < 1000)) return []
    const value = resultOf(
      terms.map(({ number }) => number.low),
      terms.slice(1).map((_, at) => sign(first + at)),
    )
    const rest = result.number.low - value
    const [way] = rest
      ? (explain(String(Math.abs(rest))) ?? []).filter(
          ({ kind, confidence }) => kind === "part" && confidence !== "possible",
        )
      : []
    if (!rest)
      return value === result.number.low && terms.length > 1
        ? [{ weight: 1, words: words`The sum is right: ${value}.`, amount: null }]
        : []
    const pooler = way?.parts.find(({ path }) => path === "bert/pooler")
    const comparison = pooler ? words`, as many as the pooler has` : way ? words`, as many as ${meaning(way)} has` : []
    return [
      {
        weight: 8,
        words: words`These terms come to ${value}, not ${result.number.low}: ${Math.abs(rest)} ${rest > 0 ? "less" : "more"}${comparison}.`,
        amount: rest,
      },
    ]
  })
}

/** A finding about the pooler, for a text that mentions it and states a total.
 * @param {Reader} reader @param {Account} account @returns {Finding[]} */
function ofPooler({ parts }, { model, headline }) {
  if (!model || !parts.some(({ words: name }) => name === "the pooler")) return []
  const { sizes } = models.get(model.name)
  const number = count({ modelClass: model.modelClass, sizes, part: "bert/pooler" })
  const isSaid = headline.some((piece) => typeof piece === "object" && "text" in piece && piece.text.includes("pooler"))
  return number && !isSaid
    ? [{ weight: 2, words: words`${code(model.modelClass)} includes the pooler, ${number} parameters.`, amount: null }]
    : []
}

/** A finding on the shared layer, for a text about ALBERT. @param {Account} account @returns {Finding[]} */
const ofAlbert = ({ model }) =>
  model && models.get(model.name).architecture === "albert"
    ? [{ weight: 1, words: words`ALBERT uses the same layer at every depth, so it counts once.`, amount: null }]
    : []

/** A finding on a number beside the total that leaves out the embedding tables, as thop does.
 * @param {Reader} reader @param {Account} account @returns {Finding[]} */
function ofProfiler({ numbers }, { model }) {
  if (!model?.name || !model.total) return []
  const { modelClass, name, total } = model
  const tables = count({ modelClass, sizes: models.get(name).sizes, tag: "embedding-table" }) ?? 0
  const rest = total - tables
  const isRest = (/** @type {Quantity} */ { role, number }) =>
    role === "count" && rest >= number.low && rest <= number.high && total > number.high
  const quantity = tables ? numbers.find(isRest) : null
  if (!quantity) return []
  return [
    {
      weight: 3,
      words: words`${quantity.typed} is the same model without its embedding tables, which have ${tables} parameters: ${rest}. thop, for one, leaves them out, because it has no rule for embeddings.`,
      amount: -tables,
    },
  ]
}

/** Findings on sizes in a text about several models, where the model that a size belongs to has another.
 * @param {Reader} reader @returns {Finding[]} */
const ofSeveral = (reader) =>
  reader.numbers.flatMap((quantity) => {
    const letter = LETTERS[quantity.role]
    const name = letter && quantity.number.exact ? modelOfSetting(reader, quantity, "") : ""
    const right = name ? models.get(name).sizes[letter] : undefined
    const stated = quantity.number.low
    if (right === undefined || right === stated) return []
    const has = words`${models.get(name).title} has ${sizeInWords(letter, right)}; the text says ${sizeInWords(letter, stated)}.`
    return [{ weight: 5, words: has, amount: null }]
  })

/** A finding on sizes that the model named does not have.
 * @param {Reader} reader @param {Account} account @returns {Finding[]} */
function ofSizes(reader, account) {
  const { numbers, mentions } = reader
  if (namedModels(mentions).length > 1) return ofSeveral(reader)
  const [mention] = mentions
  if (!mention?.models.length || !account.model || !mention.models.includes(account.model.name)) return []
  const best = otherSizes(numbers, [account.model.name])
  if (!best?.wrong.length) return []
  const stated = enumeration(best.wrong.map(([letter, value]) => sizeInWords(letter, value)))
  return [{ weight: 5, words: words`The text says ${stated}, which this model does not have.`, amount: null }]
}
