// Pairs: what is trained, and all. PEFT prints the two in one line, and summaries below
// each other. They are explained by one model: with a method of `adapted.js`, with frozen
// parts, or, where all leaves out what was added, as a pair that no tool prints.

import exported from "../../data/reading.js"
import table from "../../data/table.js"
import { METHODS } from "../counting/changes.js"
import { count, noun, whole } from "../counting/engine.js"
import { explain } from "../explaining/explain.js"
import { costOfModel } from "../explaining/ways.js"
import {
  adaptedTo,
  adaptersBeside,
  added as addedBy,
  HEADS,
  lines,
  MOST_COST,
  methodsFor,
  otherMethods,
  printed,
  solved,
  totalsOf,
} from "./adapted.js"
import { lineOfNumber } from "./lines.js"
import { asClass, titleOf } from "./meanings.js"
import { bareTotal } from "./totals.js"
import { words } from "./words.js"

const { frozen: frozenWords } = exported.labels

const MOST_LABELS = 100 // of a head that a pair is believed to have
const SURE = 5 // the largest cost of a way that is told without reservation

/** @typedef {import("./adapted.js").Line} Line */

/** What is trained and all among the counts of a text; null if it does not state both.
 * @param {Reader} reader @returns {Pair | null} */
export function pairIn({ numbers, text }) {
  const counts = numbers.filter(({ role, number }) => role === "count" && number.exact && number.low > 0)
  const frozen = counts.find(({ roles }) => roles.includes("frozen")) ?? null
  const isTrained = (/** @type {Quantity} */ { roles }) => roles.includes("trainable") && !roles.includes("frozen")
  let trained = counts.find(isTrained) ?? null
  const others = counts.filter((one) => one !== frozen && !isTrained(one))
  const isOf = (/** @type {Quantity} */ one, /** @type {Quantity} */ other) =>
    /^\s*(?:\w+\s){0,3}(?:of|out of|\/|von|de|из|di|sur)\s(?:\w+\s){0,2}$/i.test(text.slice(one.end, other.start))
  let all =
    others.find(({ roles }) => roles.includes("all")) ??
    others.find((one) => one.number.low > (trained?.number.low ?? Infinity)) ??
    null
  if (!all && trained && counts.length === 2) {
    const [one, other] = counts
    if (isOf(one, other) && one.number.low < other.number.low) [trained, all] = [one, other]
  }
  if (!trained && counts.length === 2 && /train|\blora\b|adapter|prefix|学習|训练|학습/i.test(text)) {
    const [one, other] = counts
    if (isOf(one, other) && one.number.low < other.number.low) [trained, all] = [one, other]
  }
  if (trained && all)
    return {
      trained: trained.number.low,
      all: all.number.low,
      frozen: frozen?.number.low ?? null,
      quantities: { trained, all, frozen },
    }
  if (trained && frozen) {
    const sum = trained.number.low + frozen.number.low
    return {
      trained: trained.number.low,
      all: sum,
      frozen: frozen.number.low,
      quantities: { trained, all: null, frozen },
    }
  }
  if (all && frozen && frozen.number.low < all.number.low) {
    const rest = all.number.low - frozen.number.low
    return { trained: rest, all: all.number.low, frozen: frozen.number.low, quantities: { trained: null, all, frozen } }
  }
  return null
}

/** @type {[RegExp, string][]} */
const MODULE_WORDS = [
  [/\bquery\b|\bq_?lin\b|\bq_?proj\b|\bquery_proj\b|\bq\b(?=[,"' ]*(?:and |& ?)?[kv]\b)/i, "query"],
  [/\bkey\b|\bk_?lin\b|\bk_?proj\b|\bkey_proj\b/i, "key"],
  [/\bvalue\b|\bv_?lin\b|\bv_?proj\b|\bvalue_proj\b|\bv\b(?=["'\]) ])/i, "value"],
  [/\bout_?lin\b|\bo_?proj\b|attention\.output|output projection/i, "attention-output"],
  [/\bintermediate\b|\blin1\b/i, "intermediate"],
  [/(?<!attention\.)\boutput\.dense\b|\blin2\b/i, "output"],
  [/all[- ]linear/i, "all-linear"],
]
/** @type {[RegExp, string][]} */
const METHOD_WORDS = [
  [/\blora\b|lora_/i, "lora"],
  [/\bdora\b/i, "dora"],
  [/\bia3\b|\(ia\)/i, "ia3"],
  [/prefix/i, "prefix"],
  [/prompt[- ]tun/i, "prompt"],
  [/p-?tuning/i, "p-tuning"],
  [/houlsby|\badapters?\b/i, "houlsby"],
  [/pfeiffer|\badapters?\b/i, "pfeiffer"],
]

/** What the words of a text say of the model and the method. @param {Reader} reader @returns {Hints} */
export function hintsOf({ text, numbers, mentions, classes, purposes, labels }) {
  const endings = purposes.map(({ ending }) => ending)
  const named = mentions.flatMap((one) => one.models)
  const own = classes.filter((one) => one.known).map(({ name }) => name)
  const values = numbers.find(({ role }) => role === "rank" || role === "virtual" || role === "bottleneck")
  return {
    rank: values?.number.low ?? 0,
    labels,
    modules: MODULE_WORDS.filter(([word]) => word.test(text)).map(([, name]) => name),
    methods: METHOD_WORDS.filter(([word]) => word.test(text)).map(([, name]) => name),
    costOf: ({ model, modelClass }, C) => {
      let cost = 0
      if (named.length)
        cost += named.includes(model.name) ? named.indexOf(model.name) * 0.3 - Math.min(costOfModel(model.name), 4) : 6
      else if (mentions.length) cost += 4
      if (own.length) cost += own.includes(modelClass) ? -1 : 2
      else if (endings.length) cost += endings.some((end) => modelClass.endsWith(end)) ? -1 : 1
      if (labels) cost += labels === C ? -1 : C ? 3 : 0
      return cost
    },
  }
}

/** The words for a module that every layer has. @param {string} path */
const inEveryLayer = (path) =>
  table.explanations.parts
    .find((part) => part.path === `bert/encoder/layer_0/${path}` && !part.tag && !part.share)
    ?.words.replace(" in one layer", "") ?? path

/** A set of modules in words. @param {string[]} modules */
function modulesInWords(modules) {
  const key = modules.join()
  const sets = {
    "query,key,value,attention-output": "the four projections of attention",
    "query,key,value,attention-output,intermediate,output": "all dense layers of the encoder",
    "query-key-value,attention-output,intermediate,output": "all dense layers of the encoder",
    "all-linear": "all linear layers (all-linear)",
  }
  /** @type {Record<string, string>} */
  const names = {
    "attention-output": inEveryLayer("attention/output/dense"),
    intermediate: inEveryLayer("intermediate"),
    output: inEveryLayer("output/dense"),
    "query-key-value": "the joint projection of query, key and value",
  }
  const list = modules.map((name) => names[name] ?? name)
  return /** @type {Record<string, string>} */ (sets)[key] ?? list.join(", ").replace(/, ([^,]*)$/, " and $1")
}

/** A method with its size and modules, such as "LoRA of rank 8 on query and value".
 * @param {{ method: string, rank: number, modules: string[], width: number }} of */
export function methodInWords({ method, rank, modules, width }) {
  const { title, takes } = METHODS.get(method)
  const letter = takes.rank ?? ""
  const on = takes.modules && method !== "ia3" ? ` on ${modulesInWords(modules)}` : ""
  const name = /^(?:Prompt|Prefix|P-)/.test(title) ? title[0].toLowerCase() + title.slice(1) : title
  const size = !letter
    ? ""
    : letter === "r"
      ? ` of rank ${rank}`
      : letter === "t"
        ? ` of ${rank} ${noun(rank, "token")}`
        : ` of width ${rank}`
  const through = width ? ` with a projection of width ${whole(width)}` : ""
  return `${name}${size}${on}${through}`
}

/** One number as a percentage of another, to as many digits as tools print. @param {number} one @param {number} all */
export const percentage = (one, all) => `${((100 * one) / all).toFixed(4)}%`

/** A model in a class with some labels. @param {{ line: { model: Model, modelClass: string }, labels: number }} fit */
const modelWords = ({ line, labels }) => words`${titleOf(line.model.name)}, ${asClass(line.modelClass, labels)}`

/** The account of what is trained and all; null if a text does not state both, or if all is trained.
 * @param {Reader} reader @returns {Account | null} */
export function pairAccount(reader) {
  const pair = pairIn(reader)
  if (!pair) return null
  const { trained, all } = pair
  if (trained > all) return reversed(reader, pair)
  if (trained === all) return null
  const hints = hintsOf(reader)
  const { ways, bare } = adaptedTo(trained, all, hints)
  const [way] = ways
  const [freezing] = frozenWays(trained, all, hints)
  if (freezing && freezing.cost <= MOST_COST && !(way && way.cost < freezing.cost))
    return ofFrozen(reader, pair, freezing)
  if (way && way.cost <= MOST_COST) return ofAdapted(reader, pair, way, hints)
  const [beside] = adaptersBeside(trained, all, hints)
  if (beside && beside.cost <= MOST_COST) return ofTyped(reader, pair, beside)
  const model = bare.find(({ labels }) => labels <= MOST_LABELS)
  if (model && model.cost <= SURE) return ofBare(reader, pair, model)
  return isKnown(all) ? null : ofUnknown(reader, pair)
}

/** Whether a number is a total, right or wrong, of a model that is known. @param {number} number */
const isKnown = (number) =>
  (explain(String(number)) ?? []).some(({ kind, confidence }) => kind !== "near" && confidence !== "possible")

/** A pair of no model that is known. @param {Reader} reader @param {Pair} pair @returns {Account} */
function ofUnknown(reader, { trained, all, ...pair }) {
  const { mentions } = reader
  const named = mentions.find(({ models }) => models.length)
  const [name = ""] = named?.models ?? []
  const { modelClass, total } = name ? bareTotal(name) : { modelClass: "", total: 0 }
  const known = name
    ? words`${titleOf(name)} has ${total} ${asClass(modelClass)}.`
    : words`That is the size of no model that we count.`
  return {
    kind: "labels",
    headline: words`${trained} of ${all} is ${percentage(trained, all)}. Without what is trained, ${all - trained} parameters remain. ${known}`,
    findings: [],
    lines: linesOf(
      reader,
      { trained, all, ...pair },
      { trained: words`what is trained`, all: words`all parameters` },
      { trained: null, all: null },
      name,
    ),
    bridge: null,
    model: name ? { name, modelClass, total } : null,
    confidence: "possible",
  }
}

/** The lines of a text, with what a pair's own numbers are.
 * @param {Reader} reader @param {Pair} pair
 * @param {{ trained: Words, all: Words, frozen?: Words }} parts @param {{ trained: number | null, all: number |
 * null }} right
 * @param {string} name  the model, for the settings */
function linesOf(reader, { quantities }, parts, right, name) {
  return reader.numbers.flatMap((quantity) => {
    if (quantity === quantities.trained) return [lineOfNumber(reader, quantity, parts.trained, right.trained)]
    if (quantity === quantities.all) return [lineOfNumber(reader, quantity, parts.all, right.all)]
    if (quantity === quantities.frozen)
      return [lineOfNumber(reader, quantity, parts.frozen ?? words`what is frozen`, null)]
    return [lineOfNumber(reader, quantity, [], null, name)]
  })
}

/** How the head that is trained beside the adapters counts, as a sentence; empty if there is none.
 * @param {import("./adapted.js").Adapted} way @returns {Words} */
function headSays({ head, copy, line, labels }) {
  if (!copy) return []
  const what = copy === labels * (line.model.sizes.H + 1) ? "classifier" : "classification head"
  /** @type {Record<string, Words>} */
  const says = {
    copied: words`All counts the ${copy} parameters of the ${what} twice, because PEFT trains a copy beside the frozen original.`,
    frozen: words`The ${what} with its ${copy} parameters is frozen, as it is if PEFT is not told the task.`,
    both: words`The ${copy} parameters of the ${what} count twice, as original and as copy, and both as trainable: early versions of PEFT left the original trainable.`,
    inPlace: words`The ${copy} parameters of the ${what} are trained themselves and count once. PEFT would train a copy of them.`,
    uncounted: words`All holds a copy of the ${what} with its ${copy} parameters, which what is trainable leaves out.`,
  }
  return says[head.name]
}

/**
 * @param {Reader} reader
 * @param {Pair} pair
 * @param {import("./adapted.js").Adapted} way
 * @param {Hints} hints
 * @returns {Account}
 */
function ofAdapted(reader, { trained, all, ...pair }, way, hints) {
  const others = otherMethods(way, hints)
    .filter(({ cost }) => cost < 2.5)
    .slice(0, 3)
  const isNamed = hints.rank === way.rank || hints.modules.length > 0
  const says = headSays(way)
  const method = methodInWords(way)
  const isOne = isNamed || !others.length || others[0].cost - way.methodCost >= 0.8
  const isSure = way.cost <= SURE
  /** @type {Finding[]} */
  const findings = []
  if (others.length && !isNamed)
    findings.push({
      weight: 1,
      words: words`As many parameters are added by ${others.map(methodInWords).join(", or by ")}.`,
      amount: null,
    })
  if (way.head.name === "uncounted" || way.head.name === "inPlace")
    findings.push({ weight: 4, words: says, amount: null })
  const parts = {
    trained: words`${method}: ${way.adapters}${way.head.trained && way.copy ? words`, and the head: ${way.copy}` : ""}`,
    all: words`${modelWords(way)}, with what is added`,
  }
  const perhaps = isSure ? "" : "This may be a coincidence, but it fits "
  return {
    kind: "labels",
    headline: words`${trained} of ${all} is ${percentage(trained, all)}: ${perhaps}${modelWords(way)}, with ${isOne ? "" : "for example "}${method}. ${says}`,
    findings,
    lines: linesOf(reader, { trained, all, ...pair }, parts, { trained, all }, way.line.model.name),
    bridge: null,
    model: {
      name: way.line.model.name,
      modelClass: way.line.modelClass,
      total: way.line.base + way.line.perLabel * way.labels,
    },
    confidence: isSure ? (way.cost <= 3.5 ? "certain" : "likely") : "possible",
  }
}

/** A pair that no tool prints, because all is the model before anything is added.
 * @param {Reader} reader @param {Pair} pair @param {import("./adapted.js").Adapted} way @returns {Account} */
function ofTyped(reader, { trained, all, ...pair }, way) {
  const right = printed(way)
  const method = methodInWords(way)
  const copies = right.all - all - way.adapters
  const steps = [{ label: words`${method}`, value: way.adapters, formula: "" }]
  if (copies) steps.push({ label: words`the copy of the classifier`, value: copies, formula: "" })
  const parts = {
    trained: words`${method}${way.head.trained ? " and the classifier" : ""}`,
    all: words`${modelWords(way)}, with nothing added`,
  }
  return {
    kind: "labels",
    headline: words`${all} is ${modelWords(way)}, before anything is added. With ${method}, PEFT prints ${right.trained} of ${right.all}, which is ${percentage(right.trained, right.all)}.`,
    findings: [
      {
        weight: 6,
        words: words`All is ${right.all - all} too small: it must hold what is trained as well${copies ? ", and the copy of the classifier" : ""}.`,
        amount: right.all - all,
      },
      ...(right.trained === trained
        ? []
        : [
            {
              weight: 5,
              words: words`What is trainable leaves out the copy of the classifier, ${right.trained - trained} parameters.`,
              amount: null,
            },
          ]),
    ],
    lines: linesOf(
      reader,
      { trained, all, ...pair },
      parts,
      { trained: right.trained, all: right.all },
      way.line.model.name,
    ),
    bridge: {
      start: all,
      startLabel: "all, as it is written",
      steps,
      end: right.all,
      endLabel: "all, as PEFT prints it",
    },
    model: { name: way.line.model.name, modelClass: way.line.modelClass, total: all },
    confidence: way.cost <= SURE ? "certain" : "likely",
  }
}

/** A pair whose model is known and whose method is not.
 * @param {Reader} reader @param {Pair} pair @param {import("./adapted.js").Fit} fit @returns {Account} */
function ofBare(reader, { trained, all, ...pair }, fit) {
  const left = all - trained
  return {
    kind: "labels",
    headline: words`${trained} of ${all} is ${percentage(trained, all)}. Without what is trained, ${left} remain: ${modelWords(fit)}. The ${trained} that are trained come on top, as a head of your own does; they are no usual adapters.`,
    findings: [],
    lines: linesOf(
      reader,
      { trained, all, ...pair },
      { trained: words`what is trained`, all: words`${modelWords(fit)}, and what is trained` },
      { trained: null, all: null },
      fit.line.model.name,
    ),
    bridge: null,
    model: { name: fit.line.model.name, modelClass: fit.line.modelClass, total: left },
    confidence: fit.cost <= 2 ? "likely" : "possible",
  }
}

/** More trained than there are. @param {Reader} reader @param {Pair} pair @returns {Account} */
function reversed(reader, { trained, all, ...pair }) {
  return {
    kind: "labels",
    headline: words`These two contradict one another: ${trained} cannot be trained of ${all}, which is ${trained - all} fewer. Perhaps they are swapped.`,
    findings: [],
    lines: linesOf(
      reader,
      { trained, all, ...pair },
      { trained: words`what is trained`, all: words`all` },
      { trained: null, all: null },
      "",
    ),
    bridge: null,
    model: null,
    confidence: "certain",
  }
}

// --- What is trained, alone ------------------------------------------------------

const MOST_KNOWN = 2 // the largest cost of a model that somebody means without naming it

/** The account of a number of trained parameters alone: those of a method, or of a head; null if a text states none.
 * @param {Reader} reader @returns {Account | null} */
export function aloneAccount(reader) {
  const hints = hintsOf(reader)
  const counts = reader.numbers.filter(({ role, number }) => role === "count" && number.exact && number.low > 100)
  const isHead = reader.parts.some(({ words: part }) => part === "the sequence-classification head")
  const quantity =
    counts.find(({ roles }) => roles.includes("trainable") && !roles.includes("frozen")) ??
    (hints.methods.length || isHead ? counts[0] : null)
  if (!quantity || counts.length > 1 || reader.mentions.some(({ models }) => !models.length)) return null
  const trained = quantity.number.low
  const [way] = aloneWays(trained, hints)
  if (!way || way.cost > (hints.methods.length || hints.rank ? MOST_COST : 4)) return null
  const { line, labels, adapters, copy } = way
  const right = printed(way)
  const head = way.head.trained && copy ? words`the classifier of ${labels} ${noun(labels, "label")}` : ""
  const what = way.method
    ? words`what ${methodInWords(way)} trains${head ? words`, with ${head},` : ""}`
    : words`the classification head with ${labels} ${noun(labels, "label")}${isHead ? "" : ", which is trained while everything else is frozen,"}`
  /** @type {Finding[]} */
  const findings = []
  const total = line.base + line.perLabel * labels
  const usual = way.method === "lora" && hints.rank === way.rank ? loraOf(line, way.rank) : 0
  if (usual && usual !== adapters)
    findings.push({
      weight: 5,
      words: words`On query and value, where PEFT puts it by default, LoRA of rank ${way.rank} adds ${usual}.`,
      amount: null,
    })
  const others = way.method
    ? otherMethods(way, hints)
        .filter(({ cost }) => cost < 4)
        .slice(0, 3)
    : []
  if (others.length)
    findings.push({
      weight: 1,
      words: words`As many parameters are added by ${others.map(methodInWords).join(", or by ")}.`,
      amount: null,
    })
  const model = words`${titleOf(line.model.name)}, ${asClass(line.modelClass, labels)}`
  const share = way.method
    ? words` That is ${percentage(trained, right.all)} of ${right.all}, the ${total} of the model and what is added.`
    : words` That is ${percentage(trained, total)} of ${total}.`
  return {
    kind: "labels",
    headline: words`${trained} is ${what} in ${model}.${share}`,
    findings,
    lines: reader.numbers.map((one) =>
      lineOfNumber(reader, one, one === quantity ? what : [], one === quantity ? trained : null, line.model.name),
    ),
    bridge: null,
    model: { name: line.model.name, modelClass: line.modelClass, total },
    confidence: way.cost <= 2 ? "certain" : "likely",
  }
}

/** What LoRA of a rank adds to query and value. @param {Line} line @param {number} rank */
const loraOf = (line, rank) => addedBy(line, "lora", rank, ["query", "value"])

/** The ways to a number that is trained, in models that are named or well known, the likeliest first. Methods are tried
 * only if words name one.
 * @param {number} trained @param {Hints} hints */
function aloneWays(trained, hints) {
  const isOf = (/** @type {Line} */ line) => hints.costOf(line, 0) < 0 || costOfModel(line.model.name) <= MOST_KNOWN
  const likely = lines()
    .filter((line) => isOf(line) && (line.copyPerLabel > 0 || !line.perLabel))
    .map((line) => ({ line, cost: line.cost + hints.costOf(line, hints.labels) }))
    .filter(({ cost }) => cost <= SURE)
    .sort(byCost)
  const [copied, frozen] = HEADS
  const isMethod = hints.methods.length > 0 || hints.rank > 0
  /** @type {import("./adapted.js").Adapted[]} */
  const ways = []
  for (const { line, cost } of likely) {
    if (ways.length && cost >= ways[0].cost) break
    const labels = line.perLabel ? hints.labels || 2 : 0
    const copy = line.copy + line.copyPerLabel * labels
    const heads = line.copyPerLabel ? solved(trained, line.copy, line.copyPerLabel) : Number.NaN
    const none = { line, method: "", rank: 0, modules: [], width: 0, adapters: 0, methodCost: 0 }
    if (heads <= 100)
      ways.push({ ...none, labels: heads, head: copied, copy: trained, cost: cost + (heads === 2 ? 0 : 0.5) })
    for (const head of isMethod ? (copy ? [copied, frozen] : [frozen]) : []) {
      const adapters = trained - head.trained * copy
      const [way] = methodsFor(line, adapters, hints, true)
      const whole = cost + (way?.cost ?? 0) + (copy ? head.cost : 0)
      if (way) ways.push({ line, labels, head, adapters, copy, ...way, methodCost: way.cost, cost: whole })
    }
    ways.sort(byCost)
  }
  return ways
}

/** @param {{ cost: number }} one @param {{ cost: number }} other */
const byCost = (one, other) => one.cost - other.cost

// --- A percentage in full precision -----------------------------------------------

const FULL = 8 // decimals, from which a percentage leads to both of its numbers

/** Whether a number is a percentage with all of its digits. @param {Quantity} quantity */
export const isInFull = ({ role, typed }) => role === "share" && (/[.,]([0-9]+)/.exec(typed)?.[1].length ?? 0) >= FULL

/** The account of a percentage that is printed in full, which gives away both numbers; null if a text has none.
 * @param {Reader} reader @returns {Account | null} */
export function percentageAccount(reader) {
  const quantity = reader.numbers.find(isInFull)
  if (!quantity || reader.numbers.some(({ role }) => role === "count")) return null
  const value = Number(/[0-9.,]+/.exec(quantity.typed)?.[0].replace(",", ".")) / 100
  if (!(value > 0 && value < 1)) return null
  const hints = hintsOf(reader)
  const [way] = lines()
    .flatMap((line) =>
      (line.perLabel ? FEW_LABELS : [0]).map((labels) => ({ line, labels, total: line.base + line.perLabel * labels })),
    )
    .map((fit) => ({ ...fit, trained: Math.round((value * fit.total) / (1 - value)) }))
    .filter(({ trained, total }) => trained > 0 && Math.abs(trained / (total + trained) / value - 1) < 1e-14)
    .map(({ trained, total }) => ({ trained, all: total + trained, ...adaptedTo(trained, total + trained, hints) }))
    .filter(({ ways }) => ways.length)
    .sort((one, other) => one.ways[0].cost - other.ways[0].cost)
  if (!way || way.ways[0].cost > MOST_COST) return null
  const account = ofAdapted(
    reader,
    { ...way, frozen: null, quantities: { trained: null, all: null, frozen: null } },
    way.ways[0],
    hints,
  )
  return { ...account, headline: words`In full precision, the percentage leads to both numbers. ${account.headline}` }
}

const FEW_LABELS = [...Array(50).keys()].map((place) => place + 1)

// --- Frozen parts -------------------------------------------------------------

/** @typedef {import("./adapted.js").Fit & { what: string }} Freezing */

/** The ways to freeze parts of a model of a known total so that some of it is trained, the likeliest first.
 * @param {number} trained @param {number} all @param {Hints} hints @returns {Freezing[]} */
function frozenWays(trained, all, hints) {
  const frozen = all - trained
  const fits = totalsOf(all).map((fit) => ({ ...fit, cost: fit.cost + hints.costOf(fit.line, fit.labels) }))
  return fits
    .sort((one, other) => one.cost - other.cost)
    .slice(0, 6)
    .flatMap((fit) => {
      const { model, modelClass } = fit.line
      /** @type {Sizes} */
      const sizes = { ...model.sizes, ...(fit.labels ? { C: fit.labels } : {}) }
      const part = (/** @type {string} */ path) => count({ modelClass, sizes, part: path }) ?? 0
      const [body, embeddings, encoder, pooler] = ["bert", "bert/embeddings", "bert/encoder", "bert/pooler"].map(part)
      const layer = part("bert/encoder/layer_0")
      const L = sizes.L ?? 0
      const tables = count({ modelClass, sizes, tag: "embedding-table" }) ?? 0
      /** @type {[number, string, number][]} */
      const ways = [
        [body, frozenWords.head, 0.3],
        [embeddings + encoder, pooler ? frozenWords.body : frozenWords.head, 0.6],
        [embeddings, frozenWords.embeddings, 0.5],
        [encoder, frozenWords.encoder, 1],
        [tables, frozenWords.tables, 1],
        [part("bert/embeddings/word_embeddings"), frozenWords.words, 1],
      ]
      for (let k = 1; k < L; k++) {
        const first = k === 1 ? "the first layer" : `the first ${k} layers`
        ways.push(
          [k * layer, `${first} ${k === 1 ? "is" : "are"} frozen`, 1.2],
          [embeddings + k * layer, `the embeddings and ${first} are frozen`, 0.8],
        )
      }
      return ways
        .filter(([number]) => number > 0 && number === frozen)
        .map(([, what, cost]) => ({ ...fit, what, cost: fit.cost + cost }))
    })
    .sort((one, other) => one.cost - other.cost)
}

/** @param {Reader} reader @param {Pair} pair @param {Freezing} way @returns {Account} */
function ofFrozen(reader, { trained, all, ...pair }, way) {
  return {
    kind: "labels",
    headline: words`${all} is ${modelWords(way)}. ${trained} of them (${percentage(trained, all)}) are trained: ${way.what}.`,
    findings: [],
    lines: linesOf(
      reader,
      { trained, all, ...pair },
      { trained: words`what is left to train: ${way.what}`, all: modelWords(way), frozen: words`what is frozen` },
      { trained, all },
      way.line.model.name,
    ),
    bridge: null,
    model: { name: way.line.model.name, modelClass: way.line.modelClass, total: all },
    confidence: way.cost <= SURE ? "certain" : "likely",
  }
}
