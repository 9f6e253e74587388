// Configurations, as the calculator counts them: the items of counting/engine.js
// with what fine-tuning changes and a method of the table adds, under the names of
// libraries, whose recordings hold the rules; and the steps from one to any other.

import table from "../../data/table.js"
import { isNone, multiplied, resized as resizedTerms } from "./bridge.js"
import {
  butFirst,
  Counter,
  classes,
  classOfBare,
  dimensions,
  kept,
  LETTERS,
  MOST,
  numberOf,
  product,
  rows,
  sized,
  sumBy,
  sumOf,
} from "./engine.js"
import { formula as formulaOf, merged, termOf } from "./polynomials.js"
import { sumLines } from "./sum-lines.js"

const { changes } = table
export const CHOICES = /** @type {(keyof Choices)[]} */ (Object.keys(table.choices))
export const METHODS = /** @type {ByName<Method>} */ (new Map(changes.methods.map((each) => [each.name, each])))
export const [LORA] = METHODS.keys()
const FREEZABLE = /** @type {const} */ (["all_but_head", "embeddings"])
const [ADDED, COPY, FROZEN] = ["lora", "copied-head", "k"]

// --- The tensors of a configuration -----------------------------------------

/** The rows that something is done to, by the name of what is done or of where. */
const selected = new Map(
  Object.entries(changes.selected).map(([name, places]) => [name, new Set(places.map((place) => rows[place]))]),
)
/** @param {ItemOfBlock} item @param {string} name */
const isSelected = ({ row }, name) => selected.get(name)?.has(row) ?? false
/** A configuration with the choices that its class fixes. @param {Configuration} of @returns {Configuration} */
export const settled = (of) => ({ ...of, choices: { ...of.choices, ...classes.get(of.modelClass).fixed } })

/** The sizes with those that only changes have: a method's, and how many layers are frozen of those with weights of their own. @param {Configuration} of @returns {Sizes} */
function sizesOf({ modelClass, sizes, lora, frozen }) {
  const depth = product(classes.get(modelClass).layers, sizes)
  const own = lora && { [METHODS.get(lora.method).letter]: lora.rank }
  return { ...sizes, ...own, [FROZEN]: Math.min(frozen.layers, depth) }
}

/** The rows that a class has, as items under their names in transformers, without the biases of dense layers where there are none.
 * @param {Configuration} of @returns {ItemOfBlock[]} */
function itemsOf({ architecture, modelClass, sizes, choices, biases }) {
  const [{ names, prefix }] = table.architectures.filter((each) => each.name === architecture)
  const bare = modelClass === classOfBare(architecture) ? prefix : ""
  return new Counter(modelClass, sizes, choices)
    .items([])
    .map((item) => {
      const row = /** @type {Row} */ (item.row) // as it is without deviations
      const name = names[rows.indexOf(row)]
      return { ...item, row, block: row.block, added: "", tied: "", name: name.replace(bare, "") }
    })
    .filter(({ row }) => biases || !row.tags.has("bias"))
}

/** All that is counted: the rows, after those of a module what a method adds to it, and then to the whole. @param {Configuration} of */
function everyItem(of) {
  const items = itemsOf(of)
  if (!of.lora) return items
  const { modules } = of.lora
  const { adds, copies: copiesHead, prefix, block, beside } = METHODS.get(of.lora.method)
  // A head that is copied is one module to PEFT.
  const moduleOf = (/** @type {ItemOfBlock} */ item) =>
    item.name.replace(copiesHead && isSelected(item, "copied") ? /\..*/ : /\.[^.]*$/, "")
  const nameUnder = (/** @type {string[]} */ ...steps) => [prefix, ...steps].filter(Boolean).join(".")
  const every = [...new Set(items.map(moduleOf))].flatMap((module) => {
    const own = items.filter((each) => moduleOf(each) === module)
    const isCopied = copiesHead && isSelected(own[0], "copied")
    const end = Object.keys(beside).find((each) => module.endsWith(each)) ?? ""
    const holder = module.slice(0, module.length - end.length) + (beside[end] ?? "")
    const added = adds.flatMap((each) => {
      const matrix = own.find((item) => (each.at ?? modules).some((one) => isSelected(item, one)))
      return matrix ? [addedTo(matrix, each, block, nameUnder(holder, each.name))] : []
    })
    /** @param {ItemOfBlock} item @param {string} within */
    const named = (item, within) => ({ ...item, name: nameUnder(module, within, item.name.slice(module.length + 1)) })
    const within = isCopied ? "original_module" : prefix && added.length ? "base_layer" : ""
    const copies = isCopied ? own.map((each) => named(each, "modules_to_save.default")) : []
    const copied = copies.map((each) => ({ ...each, path: `${each.path}/copy`, block: COPY, added: "copy" }))
    return [...own.map((each) => named(each, within)), ...added, ...copied]
  })
  const whole = adds.filter(({ at }) => at?.length === 0)
  return [...every, ...whole.map((each) => addedTo({ ...items[0], path: "", layers: [] }, each, block, each.name))]
}

/** What a matrix gets, or the whole: shapes are written in what a matrix takes in and gives out.
 * @param {ItemOfBlock} item @param {Method["adds"][number]} added @param {string} block @param {string} name @returns {ItemOfBlock} */
const addedTo = (item, { name: own, shape }, block, name) => ({
  ...{ ...item, factors: [], above: [], below: [], block, added: ADDED, name },
  path: item.path.replace(/[^/]*$/, own.replace(/^(lora_.).*/, "$1")),
  shape: dimensions(shape).map((each) => shapeOf(item)[["out", "in"].indexOf(String(each))] ?? each),
})

/** The shape in its library. @param {ItemOfBlock} item */
const shapeOf = ({ shape, row, added }) => (row.transposed && added !== ADDED ? [...shape].reverse() : shape)

/** Of two names for one tensor the first is its own, and the other says so. @param {ItemOfBlock[]} items */
function withTies(items) {
  const listed = [...items]
  for (const [place, here] of listed.entries()) {
    if (!isNone(here.factors)) continue
    const other = listed.findIndex((each) => each.path === here.row.tied_to)
    const owner = listed[other]
    if (other < place) here.tied = owner.name
    else {
      ;[listed[place], listed[other]] = [owner, here]
      ;[owner.name, here.name] = [here.name, owner.name]
    }
  }
  return listed
}

const MOST_KEPT = 200
/** @type {Map<string, Tensors>} */
const known = new Map()

/** The items of a configuration, and the formula of the total: whatever the sizes, they are the same.
 * @param {Configuration} of @returns {Tensors} */
function tensorsOf(of) {
  const { modelClass, sizes, choices, biases, lora } = of
  const isNarrow = sizes.E !== undefined && sizes.E !== sizes.H
  const chosen = CHOICES.map((each) => choices[each])
  const key = [modelClass, ...chosen, biases, isNarrow, lora?.method, lora?.modules].join()
  if (known.size >= MOST_KEPT) known.clear()
  return kept(known, key, () => {
    const items = everyItem(of)
    const counted = items.filter((item) => !isNone(item.factors))
    return { items, counted, listed: withTies(items), formula: formulaOf(merged(counted.map(termOf))) }
  })
}

/** What is trained of an item: all of it, but for the first layers that are frozen; what is tied is frozen with its owner.
 * @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes @returns {ItemOfBlock[]} */
function trainedOf(item, { lora, frozen }, sizes) {
  const { path, layers, added } = item
  const isFrozen = FREEZABLE.some((each) => frozen[each] && isSelected(item, each))
  if (isNone(item.factors) || (lora ? !added && !isSelected(item, lora.method) : isFrozen)) return []
  const frozenLayers = item.row.but_first ? butFirst(FROZEN) : FROZEN
  const first = { ...item, path: `${path} frozen`, layers: [frozenLayers], factors: ["−1"], above: [-1] }
  return layers.length && sizes[FROZEN] && !lora ? [item, first] : [item]
}

// --- Counting -----------------------------------------------------------------

const ADAM = 2 // moments of each parameter that is trained

/** Everything about a configuration. @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const of = settled(configuration)
  const { counted, listed, formula } = tensorsOf(of)
  const sizes = sizesOf(of)
  const every = listed.map((item) => ({
    ...{ path: item.path, name: item.name, tied: item.tied, block: item.block, added: item.added },
    letters: shapeOf(item).map(String),
    shape: shapeOf(item).map((each) => sized(each, sizes)),
    layers: product(item.layers, sizes),
    one: product(item.shape, sizes),
    number: numberOf(item, sizes) ?? NaN,
    trainable: sumOf(trainedOf(item, of, sizes), sizes) ?? NaN,
  }))
  /** @param {CountedRow[]} some @returns {[number: number, trainable: number]} */
  const sums = (some) => [sumBy(some, (each) => each.number), sumBy(some, (each) => each.trainable)]
  const [total, trainable] = sums(every)
  const parts = changes.blocks.flatMap(({ name: block, title, page }) => {
    const own = every.filter((each) => each.block === block)
    const [number, trained] = sums(own)
    return own.length ? [{ block, title, page, number, trainable: trained, share: shareOf(number, total) }] : []
  })
  return {
    ...{ total, trainable, rows: every, parts, formula, bytes: bytesOf(total, trainable) },
    // Worked out when it is asked for, which takes longest.
    get sum() {
      return sumLines(counted, sizes)
    },
  }
}

/** The total alone, which is counted at every key. @param {Configuration} configuration */
export const totalOf = (configuration) => numbersOf(stateOf(configuration)).value

/** One number as a share of another, as near as one can be. @param {number} number @param {number} total */
export const shareOf = (number, total) => (total ? number / total : 0)

/** What training keeps in memory, by data type. @param {number} total @param {number} trainable */
const bytesOf = (total, trainable) =>
  Object.fromEntries(
    Object.entries(table.dtypes).map(([dtype, each]) => {
      const [weights, gradients, adam] = [total * each, trainable * each, ADAM * trainable * each]
      return [dtype, { weights, gradients, adam, all: weights + gradients + adam }]
    }),
  )

/** How many parameters fewer than with another vocabulary from the start transformers has where it resizes a model in place:
 * an untied head has its bias twice, and of these one is lost or keeps its length. @param {Configuration} from @param {Configuration} to */
export function missingInPlace(from, to) {
  const { modelClass, biases, choices } = settled(to)
  const { in_place: bias } = classes.get(modelClass)
  return !bias || !biases || choices.tied ? 0 : to.sizes.V - (bias === "lost" ? 0 : from.sizes.V)
}

// --- Steps --------------------------------------------------------------------

const STILL = ["frozen.all_but_head", "frozen.embeddings", "frozen.layers"]
/** What is undone first, and what is done then, in this order: sizes, which tensors there are, what is done to them. */
const UNDONE = ["lora", ...STILL, "biases"]
const BUILT = [...LETTERS.map((each) => `sizes.${each}`), "architecture", "modelClass"]
const PUT = ["lora", "lora.modules", "lora.rank"]
const DONE = [...BUILT, ...CHOICES.map((each) => `choices.${each}`), "biases", ...STILL, ...PUT]
/** @type {Record<string, string>} */
const KINDS = { sizes: "size", modelClass: "class", "lora.modules": "modules", "lora.rank": "rank" }
const USUAL = { biases: true, frozen: { all_but_head: false, embeddings: false, layers: 0 }, lora: null }

/** @param {any} of @param {string} name @returns {any} */
const at = (of, name) => name.split(".").reduce((found, step) => found?.[step], of)
/** @param {any} of @param {string[]} path @param {unknown} value @returns {any} */
const put = (of, [key, ...rest], value) => ({ ...of, [key]: rest.length ? put(of[key], rest, value) : value })
/** What is compared, and said, of a value. @param {any} value @returns {Change["to"]} */
const said = (value) =>
  Array.isArray(value) ? [...value].sort().join(", ") : typeof value === "object" ? (value?.method ?? false) : value

/** Every state between two configurations, with what changes on the way to it.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* states(from, to) {
  let here = from
  // The first so many layers of another number are thawed and frozen again.
  const undone = UNDONE.filter((name) => said(at(from, name)) !== said(at(to, name)))
  const values = [...undone.map((name) => [name, at(USUAL, name)]), ...DONE.map((name) => [name, at(to, name)])]
  for (const [name, value] of values) {
    const [old, now] = [said(at(settled(here), name)), said(value)]
    if (old === now || old === undefined || now === undefined) continue
    const { modelClass, sizes } = name === "architecture" ? to : here
    here = put({ ...here, modelClass, sizes }, name.split("."), value)
    const [whole, leaf] = name.split(".")
    const kind = /** @type {Change["kind"]} */ (KINDS[name] ?? KINDS[whole] ?? (whole === "choices" ? leaf : whole))
    const { letter = "" } = (kind === "rank" && here.lora && METHODS.get(here.lora.method)) || {}
    const key = kind === "size" || kind === "frozen" ? leaf : letter
    yield [here, { kind, key, from: old, to: now }]
  }
}

/** The steps from a configuration to any other; they add up to the difference, in all and of what is trained.
 * Null where a state on the way has more parameters than a script counts exactly.
 * @param {Configuration} from @param {Configuration} to @returns {ChangeStep[] | null} */
export function steps(from, to) {
  let before = stateOf(from)
  /** @type {ChangeStep[]} */
  const found = []
  for (const [configuration, change] of states(from, settled(to))) {
    const after = stateOf(configuration)
    if (numbersOf(after).value > MOST) return null
    if (change.kind !== "class" && change.kind !== "architecture") found.push(stepOf(before, after, change, () => true))
    else
      for (const { name } of changes.blocks)
        found.push(stepOf(before, after, { ...change, key: name }, (item) => item.block === name))
    before = after
  }
  return found.filter((each) => each.value || each.trainable)
}

/** @param {Configuration} configuration @returns {State} */
function stateOf(configuration) {
  const of = settled(configuration)
  return { of, sizes: sizesOf(of), items: tensorsOf(of).items }
}

/** What some of the tensors come to, in all and of what is trained. @param {State} state @param {ItemOfBlock[]} [meant] */
function numbersOf({ of, sizes, items }, meant = items) {
  const trained = meant.flatMap((each) => trainedOf(each, of, sizes))
  return { value: sumOf(meant, sizes) ?? NaN, trainable: sumOf(trained, sizes) ?? NaN }
}

/** One step, of some of the tensors. @param {State} before @param {State} after @param {Change} change @param {(item: ItemOfBlock) => boolean} isMeant @returns {ChangeStep} */
function stepOf(before, after, change, isMeant) {
  const [old, now] = [before, after].map((state) => {
    const meant = state.items.filter(isMeant)
    const shown = change.kind === "frozen" ? meant.flatMap((each) => trainedOf(each, state.of, state.sizes)) : meant
    return { ...numbersOf(state, meant), items: byShape(shown) }
  })
  // What only one of two architectures has is sized by its own letters.
  const sizes = { ...after.sizes, ...before.sizes }
  // A method's size, or a number of frozen layers, is that of before or, where there was none, that of after.
  for (const letter of [...changes.methods.map((each) => each.letter), FROZEN])
    sizes[letter] = before.sizes[letter] || after.sizes[letter]
  const isResized = change.kind === "size" || change.kind === "rank"
  const terms = isResized ? resizedTerms(now.items, change.key, before.sizes, after.sizes) : []
  const formula = [...terms, ...multiplied(old.items, now.items)].join(" ")
  return { ...change, value: now.value - old.value, trainable: now.trainable - old.trainable, formula, sizes }
}

/** Items by path and shape: two architectures may have another shape under a path. @param {ItemOfBlock[]} items */
const byShape = (items) =>
  new Map(items.map((item) => [[item.path, item.shape, item.layers].join(" "), /** @type {Item} */ (item)]))

// --- What may be changed ----------------------------------------------------

/** Which switches change anything. @param {Configuration} configuration @returns {Offered} */
export function offered({ modelClass }) {
  const { offers } = classes.get(modelClass)
  const open = Object.fromEntries([...CHOICES, "labels", "head"].map((each) => [each, offers.includes(each)]))
  const own = classes.get(modelClass).rows.map((row) => rows.indexOf(row))
  const modules = changes.modules.filter((each) => changes.selected[each].some((place) => own.includes(place)))
  return /** @type {Offered} */ ({ ...open, modules })
}

/** Single changes, each with what it comes to. @param {Configuration} configuration @returns {WhatIf[]} */
export function whatIfs(configuration) {
  const of = settled(configuration)
  const { A, H, ...sizes } = of.sizes
  const heads = [2 * A, A / 2, 1, H].find((each) => each !== A && Number.isInteger(each) && H % each === 0)
  const letters = LETTERS.filter((each) => each in sizes && (each !== "C" || offered(of).labels))
  /** @type {[name: string, sizes: Sizes][]} */
  const others = letters.map((each) => [`more-${each}`, { [each]: sizes[each] + 1 }])
  // The width stays a multiple of the number of heads.
  if (H % A === 0) others.push(["more-heads", { A: A + 1, H: H + H / A }])
  if (heads) others.push(["other-heads", { A: heads }])
  const found = others.map(([name, changed]) => ({ name, to: { ...of, sizes: { ...of.sizes, ...changed } } }))
  if (of.biases) found.push({ name: "biases-off", to: { ...of, biases: false } })
  const here = totalOf(of)
  return found.map((each) => ({ ...each, value: totalOf(each.to) - here }))
}
