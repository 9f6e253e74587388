// Parts: a block, a module, a tensor or a selection of them, in one layer, in
// some or in all, of one head or of all; counted rightly, or with a deviation
// that multiplies some of it.

import table from "../../../data/table.js"
import { Counter, classOfBare, count, deviations, lazily, resized, sumOf } from "../../counting/engine.js"
import { firstFrom } from "../known-numbers.js"
import { berts, costOf, costOfModel, EMPTY, grouped, isReleased, relatives, usual } from "../ways.js"

const { costs, parts } = table.explanations

/** @param {Part} part */
const isOfOneLayer = ({ path }) => path.includes("layer_0")

/** Whether it selects a block, as readers count it. @param {Part} part */
const isBlock = ({ tag }) => Boolean(tag) && Object.hasOwn(table.blocks, tag ?? "")

/** Whether it has a name of its own in the model: a module or a tensor, where a layer has it in one layer.
 * @param {Part} part */
const isSimple = (part) =>
  part.share
    ? isOfOneLayer(part)
    : isBlock(part) || (!part.tag && !part.path.includes(",") && !part.path.includes("layer_*"))

/** What speaks against a part by itself: most people round a block, fewer a module in it, and fewest its matrix.
 * @param {Part} part */
const detail = (part) => {
  if (/(kernel|bias|gamma|beta|vector)$/.test(part.path + (part.tag ?? ""))) return 2
  return isBlock(part) || !/layer_[0*]\/./.test(part.path) ? 0 : 1
}

// What is counted of each part, whatever the sizes: rightly, and with each deviation that multiplies some of its rows or
// unties them. What adds to a model is about the whole.
const counted = lazily(() => {
  const multiplying = [...deviations.values()].filter(
    (each) => !each.adds && (each.unties || (each.factor !== "0" && each.factor !== "1")),
  )
  return parts.map((part) => {
    const counter = new Counter(part.class, berts[0].sizes)
    const { rows } = counter
    const chosen = rows.selected(part.path, part.tag ?? "")
    const made = multiplying.filter(
      (each) =>
        !part.share &&
        rows.touchedBy(each)?.some((row) => chosen.has(row)) &&
        !(each.factor.includes("L") && isOfOneLayer(part)),
    )
    /** @param {Deviation[]} deviating */
    const items = (...deviating) => counter.itemsUnder(deviating, part.path, part.tag ?? "")
    return { part, right: items(), wrong: made.map((deviation) => ({ deviation, items: items(deviation) })) }
  })
})

// What people count of a model that is not BERT.
const BLOCKS = new Set(["bert/embeddings/word_embeddings", "bert/embeddings", "bert/encoder", "bert/encoder/layer_0"])

// Every part of every model with its count, the smallest first.
export const listedParts = lazily(() => {
  /** @type {PartFound[]} */
  const found = []
  for (const { name, sizes } of berts) {
    for (const { part, right, wrong } of counted()) {
      const oneLayer = isOfOneLayer(part)
      const whole = sumOf(right, sizes, oneLayer) ?? NaN
      const number = part.share ? Math.floor(whole / sizes.A) : whole
      found.push({ model: name, part, mistakes: [], number })
      for (const { deviation, items } of costOfModel(name) <= 1 ? wrong : []) {
        const other = sumOf(items, resized(sizes, [deviation]), oneLayer)
        if (other !== null && other !== number)
          found.push({ model: name, part, mistakes: [deviation.name], number: other })
      }
    }
  }
  for (const { name, architecture, sizes } of relatives) {
    for (const part of parts.filter(({ path, tag }) => BLOCKS.has(path) && !tag)) {
      const own = { ...part, class: classOfBare(architecture) }
      const number = count({ modelClass: own.class, sizes, part: part.path })
      if (number) found.push({ model: name, part: own, mistakes: [], number })
    }
  }
  return found.sort((one, other) => one.number - other.number)
})
const counts = lazily(() => Float64Array.from(listedParts(), (each) => each.number))

/** The parts from one number to another.
 * @param {number} low @param {number} high */
function within(low, high) {
  return listedParts().slice(firstFrom(counts(), low), firstFrom(counts(), high + 1))
}

/** Parts of one model and one number as one explanation.
 * @param {PartFound[]} found @param {number} against @param {number} layers @returns {Meaning[]} */
const asOne = (found, against, layers = 0) =>
  grouped(found, (each) => [each.model, each.mistakes, each.number]).map(([first, ...rest]) => {
    const { model, mistakes: made, number } = first
    const simple = [first, ...rest].some(({ part }) => isSimple(part))
    const cost =
      against +
      costOf({ models: [model], classes: [], mistakes: made }) +
      (simple ? 0 : costs.ways.selection) +
      (isReleased(model) || !made.length ? 0 : costs.ways["relative-and-more"])
    return {
      ...EMPTY,
      kind: "part",
      number: number * (layers || 1),
      cost,
      models: [model],
      mistakes: made,
      parts: [first, ...rest].map(({ part }) => part), // in the order of the model, as they are listed
      layers,
    }
  })

/** A layer, or a block of it, in more than one layer and not in all.
 * @param {number} number @returns {Meaning[]} */
const inLayers = (number) =>
  usual.flatMap(({ name, sizes }) => {
    const counter = new Counter("BertModel", sizes)
    const large = parts.filter(
      (part) =>
        isOfOneLayer(part) &&
        !part.share &&
        ["self-attention", "feed-forward", "-LayerNorm", ""].includes(part.tag?.split(" ")[0] ?? "") &&
        part.path.split("/").length === 3,
    )
    return large.flatMap((part) => {
      const one = counter.number([], part.path, part.tag) ?? NaN
      const layers = number / one
      const some = Number.isInteger(layers) && layers > 1 && layers < sizes.L
      return some ? asOne([{ model: name, part, mistakes: [], number: one }], costs.ways.layers, layers) : []
    })
  })

/** The parts from one number to another that somebody may round, counted rightly, those of one number together.
 * @param {number} low @param {number} high */
export const rightParts = (low, high) =>
  asOne(
    within(low, high).filter((each) => !each.mistakes.length),
    costs.ways.part + costs.ways["rounded-part"],
  ).map((each) => ({ ...each, cost: each.cost + costs.ways.detail * Math.min(...each.parts.map(detail)) }))

/** @type {Kind} */
export function kind({ low, high, amount, width }) {
  if (amount !== "count") return []
  return width ? rightParts(low, high) : [...asOne(within(low, low), costs.ways.part), ...inLayers(low)]
}
