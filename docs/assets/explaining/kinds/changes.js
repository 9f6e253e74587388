// Changes: what is done to a model. Fine-tuning trains adapters of low rank (LoRA),
// prompts or vectors beside frozen weights, or the last layers alone; a checkpoint
// keeps Adam's moments; four bits store two weights as one element; a decoder has
// cross-attention; and heads are pruned.

import table from "../../../data/table.js"
import { Counter, classesOf, count, lazily, models, noun, whole } from "../../counting/engine.js"
import { within } from "../known-numbers.js"
import { costOf, costOfModel, EMPTY, likely, usual } from "../ways.js"

const { costs } = table.explanations

const [BARE, CLASSIFIER] = ["BertModel", "BertForSequenceClassification"]
const LAYER = "bert/encoder/layer_0"
const MOST_LABELS = 20 // of a head that somebody trains

/** @typedef {{ models: string[], classes: string[], number: number, cost: number, words: string, terms: ExplanationTerm[], known?: boolean, trained?: boolean }} Change */

/** @param {number} times @param {number} number @returns {ExplanationTerm} */
const term = (times, number) => ({ times, number, words: "", page: "" })
/** @param {ExplanationTerm[]} terms */
const sumOf = (terms) => terms.reduce((sum, { times, number }) => sum + times * number, 0)

// --- LoRA ---------------------------------------------------------------------

/** @type {Record<string, string[]>} */
const MODULES = {
  "query and value": ["/attention/self/query", "/attention/self/value"],
  "query, key and value": ["/attention/self"],
  "the four projections of attention": ["/attention/self", "/attention/output/dense"],
  "all dense layers of the encoder": [""],
}
const [USUAL_MODULES] = Object.keys(MODULES)
const RANKS = [1, 2, 4, 8, 16, 32, 64, 128]
const USUAL_RANKS = [8, 16]
const KNOWN_RANK = 8 // on query and value it is a deviation, and found as such
const WHOLE = "the size of "
const LABELS = 2 // of a classifier, where nothing else is said

/** How much longer all matrices of some modules become with a rank more: by the inputs and outputs of each.
 * @param {CounterOfClass} counter @param {string[]} paths */
const sides = ({ rows, sizes }, paths) =>
  paths
    .flatMap((path) => [...rows.selected(LAYER + path, "kernel")])
    .flatMap((row) => row.dimensions)
    .reduce((/** @type {number} */ sum, each) => sum + (typeof each === "number" ? each : sizes[each]), 0)

/** What LoRA trains in a model, and what there is with it; with a classifier on top, which PEFT counts twice, or without.
 * @param {Model} model @returns {[trained: Change, all: Change][]} */
function adapted({ name, title, sizes }) {
  const bare = new Counter(BARE, sizes)
  const total = term(1, bare.number([]) ?? NaN)
  return Object.entries(MODULES).flatMap(([modules, paths]) => {
    const longer = sides(bare, paths)
    return RANKS.flatMap((rank) =>
      [0, LABELS].map((labels) => {
        const added = { ...term(sizes.L * rank, longer), shown: `${sizes.L} × ${rank} × ${whole(longer)}` }
        const head = labels * (sizes.H + 1)
        const cost =
          costs.ways.lora +
          (USUAL_RANKS.includes(rank) ? 0 : 1) +
          (modules === USUAL_MODULES ? 0 : 1) +
          costOfModel(name)
        const common = { models: [name], classes: [labels ? CLASSIFIER : BARE], cost, trained: true }
        const isKnown = rank === KNOWN_RANK && modules === USUAL_MODULES
        const made = `${title} with LoRA of rank ${rank} on ${modules}${labels ? ` and a classifier of ${labels} labels` : ""}`
        /** @param {string} words @param {boolean} known @param {ExplanationTerm[]} terms @returns {Change} */
        const summed = (words, known, ...terms) => ({ ...common, known, number: sumOf(terms), terms, words })
        return /** @type {[Change, Change]} */ (
          labels
            ? [
                summed(`what is trained in ${made}`, false, added, term(1, head)),
                summed(`${WHOLE}${made}, which PEFT counts twice`, isKnown, total, added, term(2, head)),
              ]
            : [summed(`what is trained in ${made}`, isKnown, added), summed(`${WHOLE}${made}`, isKnown, total, added)]
        )
      }),
    )
  })
}
const everyAdapted = lazily(() => likely.flatMap(adapted))

const lora = lazily(() =>
  everyAdapted()
    .flat()
    .filter(({ known }) => !known),
)

// --- The last layers -----------------------------------------------------------

/** @param {string[]} pieces */
const listedWords = (pieces) => [pieces.slice(0, -1).join(", "), pieces.at(-1)].filter(Boolean).join(" and ")

/** What is left to train where everything below is frozen: so many layers, the pooler or not, a head of so many labels or none.
 * @param {number} number @returns {Iterable<Change>} */
function* lastLayers(number) {
  for (const { name, title, sizes } of usual) {
    const layer = count({ modelClass: BARE, sizes, part: LAYER }) ?? NaN
    const pooler = count({ modelClass: BARE, sizes, part: "bert/pooler" }) ?? NaN
    for (const withPooler of [false, true]) {
      const above = withPooler ? pooler : 0
      for (let layers = Math.min(sizes.L - 1, Math.floor((number - above) / layer)); layers >= 0; layers--) {
        const labels = (number - above - layers * layer) / (sizes.H + 1)
        if (!Number.isInteger(labels) || labels > MOST_LABELS || layers + Number(withPooler) + labels === 0) continue
        if (!labels && (!layers || !withPooler)) continue // a part of its own
        const pieces = /** @type {[number, number, string][]} */ ([
          [layers, layer, layers === 1 ? "the last layer" : `the last ${layers} layers`],
          [Number(withPooler), pooler, "the pooler"],
          [labels, sizes.H + 1, `a head with ${labels} ${noun(labels, "label")}`],
        ]).filter(([times]) => times)
        const left = layers || withPooler ? ", which is what is left to train with everything else frozen" : ""
        const words = `the size of ${listedWords(pieces.map(([, , piece]) => piece))} in ${title}${left}`
        const terms = pieces.map(([times, size]) => term(times, size))
        const cost = costs.ways.frozen + costOfModel(name) + (labels > 3 ? 1 : 0)
        yield { models: [name], classes: [labels ? CLASSIFIER : BARE], number, cost, words, terms, trained: true }
      }
    }
  }
}

// --- Other methods ---------------------------------------------------------------

const TOKENS = [1, 5, 8, 10, 16, 20, 30, 32, 50, 64, 100, 128]
const USUAL_TOKENS = [10, 20]

/** What prompts, prefixes and scaled activations train, alone and with a classifier that PEFT trains a copy of.
 * @param {Model} model @returns {Change[]} */
function methods({ name, title, sizes: { L, H, F } }) {
  const cost = costs.ways.method + costOfModel(name)
  const found = /** @type {[number, string, ...ExplanationTerm[]][]} */ ([
    // The outputs of key, value and the output projection, and what the second dense layer takes in.
    [0, "IA3", term(L, 3 * H + F)],
    ...TOKENS.flatMap((tokens) => {
      const rare = USUAL_TOKENS.includes(tokens) ? 0 : 1
      return [
        [rare, `prompt tuning of ${tokens} ${noun(tokens, "token")}`, term(tokens, H)],
        [rare, `prefix tuning of ${tokens} ${noun(tokens, "token")}`, term(2 * L * tokens, H)],
      ]
    }),
  ])
  return found.flatMap(([rare, method, added]) =>
    [0, LABELS].map((labels) => {
      const terms = labels ? [added, term(1, labels * (H + 1))] : [added]
      const words = `what is trained in ${title} with ${method}${labels ? ` and a classifier of ${labels} labels` : ""}`
      const classes = [labels ? CLASSIFIER : BARE]
      return { models: [name], classes, number: sumOf(terms), cost: cost + rare, words, terms, trained: true }
    }),
  )
}

// --- Structure -----------------------------------------------------------------------

/** A decoder that reads another model has attention to it in every layer.
 * @param {Model} model @returns {Change[]} */
const withCrossAttention = ({ name, title, sizes, architecture }) =>
  classesOf(architecture).flatMap(({ name: modelClass }) => {
    const [plain, crossed] = [{}, { cross_attention: true }].map(
      (choices) => count({ modelClass, sizes, choices }) ?? NaN,
    )
    const made = `${title} (${modelClass}) with cross-attention added to every layer, as in a decoder`
    const pooler = modelClass === BARE ? (count({ modelClass, sizes, part: "bert/pooler" }) ?? NaN) : 0
    const terms = [term(1, plain), term(sizes.L, (crossed - plain) / sizes.L)]
    const common = {
      models: [name],
      classes: [modelClass],
      cost: costs.ways["cross-attention"] + costOf({ models: [name], classes: [modelClass] }),
    }
    if (crossed === plain) return []
    const whole = { ...common, number: crossed, words: WHOLE + made, terms }
    const without = {
      ...common,
      number: crossed - pooler,
      words: `${WHOLE}${made}, and no pooler`,
      terms: [...terms, term(-1, pooler)],
    }
    return pooler ? [whole, without] : [whole]
  })

/** Each head that is pruned takes its columns of query, key and value along, and its rows of the output projection.
 * @param {number} number @returns {Iterable<Change>} */
function* pruned(number) {
  for (const { name, title, sizes } of usual) {
    const heads = sizes.L * sizes.A
    const [total, self, output] = ["", `${LAYER}/attention/self`, `${LAYER}/attention/output/dense`].map(
      (part) => count({ modelClass: BARE, sizes, part, tag: part.endsWith("dense") ? "kernel" : "" }) ?? NaN,
    )
    const head = (self + output) / sizes.A
    const left = (total - number) / head
    if (!Number.isInteger(left) || left < 1 || left > heads - sizes.L) continue
    const words = `${WHOLE}${title} (${BARE}) with ${left} of its ${heads} attention heads pruned`
    const rare = left % sizes.L && left > sizes.A ? 2 : 0
    const cost = costs.ways.pruned + rare + costOfModel(name)
    yield { models: [name], classes: [BARE], number, cost, words, terms: [term(1, total), term(-left, head)] }
  }
}

// --- Checkpoints and packed weights ------------------------------------------------

/** Adam keeps two moments of each parameter; a checkpoint holds the step as well.
 * @param {number} number @param {string} model @returns {Iterable<Change>} */
function* checkpoints(number, model) {
  const step = number % 3
  if (step > 1) return
  const saved = (number - step) / 3
  for (const { number: total, models: names, classes, cost, mistakes } of within(saved, saved)) {
    const { title, sizes } = models.get(names[0])
    const isKnown = count({ modelClass: classes[0], sizes, deviations: ["optimizer-counted"] }) === number
    if (mistakes.length || isKnown || (model && !names.includes(model))) continue
    const words = `the size of a training checkpoint of ${title} (${classes[0]}), which holds Adam's two moments of each parameter${step ? ", and the step" : ""}`
    yield {
      models: names,
      classes,
      number,
      cost: cost + costs.ways.checkpoint,
      words,
      terms: [term(3, total), ...(step ? [term(1, 1)] : [])],
    }
  }
}

const packed = lazily(() =>
  usual.map(({ name, title, sizes }) => {
    const counter = new Counter(BARE, sizes)
    const [total, matrices] = [counter.number([]) ?? NaN, counter.number([], "", "kernel") ?? NaN]
    const words = `the number of elements of ${title} loaded in 4 bits, where one element holds two weights of a dense layer`
    return {
      models: [name],
      classes: [BARE],
      number: total - matrices / 2,
      cost: costs.ways.packed + costOfModel(name),
      words,
      terms: [term(1, total), term(-1, matrices / 2)],
    }
  }),
)

const finite = lazily(() => [...lora(), ...packed(), ...usual.flatMap(methods), ...usual.flatMap(withCrossAttention)])

/** The share that is trained, as PEFT prints it. @param {[number, number]} share @returns {Meaning[]} */
const ofShare = ([least, most]) =>
  everyAdapted()
    .filter(([trained, all]) => trained.number / all.number >= least && trained.number / all.number < most)
    .map(([trained, all]) => ({
      ...EMPTY,
      ...trained,
      kind: "share",
      terms: [
        { ...term(1, trained.number), words: trained.words },
        { ...term(-1, all.number), words: all.words.replace(WHOLE, "") },
      ],
    }))

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, share }, model) => {
  if (amount === "share" && share) return ofShare(share)
  if (amount !== "count" || low <= 0) return []
  const listed = finite().filter(({ number }) => number >= low && number <= high)
  return [...listed, ...(exact ? [...lastLayers(low), ...pruned(low), ...checkpoints(low, model)] : [])].map(
    (each) => ({ ...EMPTY, ...each, kind: "change" }),
  )
}
