// Configurations, as the calculator counts them: the items of counting/engine.js
// with what fine-tuning changes (biases left out, weights frozen, adapters of low
// rank added), under the names that transformers and PEFT give them, and the steps
// from one configuration to any other. Recordings of both libraries hold the rules.

import table from "../../data/table.js"
import { isNone as isNotCounted, multiplied, NONE, resized as resizedTerms } from "./bridge.js"
import {
  Counter,
  classes,
  classOfBare,
  kept,
  LETTERS,
  liesUnder,
  MOST,
  numberOf,
  product,
  sumBy,
  sumOf,
} from "./engine.js"
import { formula as formulaOf, merged, termOf } from "./polynomials.js"
import { sumLines } from "./sum-lines.js"

const { changes } = table
const { adapted, all_linear: ALL_LINEAR, blocks, body, copied } = changes
export const CHOICES = /** @type {(keyof Choices)[]} */ (Object.keys(table.choices))
const [LORA, COPY, RANK, FROZEN] = ["lora", "copied-head", "r", "k"]
export const MODULES = [...Object.keys(adapted), ALL_LINEAR]

/** The name of each row in transformers, by its path, and what begins the names of all but the heads. */
const namesIn = /** @type {ByName<{ prefix: string, names: Map<string, string> }>} */ (new Map())
for (const { name, prefix, names } of table.architectures) {
  const byPath = Object.entries(names).map(([place, name]) => /** @type {const} */ ([table.rows[+place].path, name]))
  namesIn.set(name, { prefix, names: new Map(byPath) })
}

// --- The tensors of a configuration -----------------------------------------

/** @param {string} path @param {string[]} prefixes */
const liesUnderAny = (path, prefixes) => prefixes.some((each) => liesUnder(path, each))
/** @param {string} path */
const leafOf = (path) => path.slice(path.lastIndexOf("/") + 1)
/** @param {string} path */
const moduleOf = (path) => path.slice(0, path.lastIndexOf("/"))
/** @param {string} path  whether PEFT trains a copy of it */
const isCopied = (path) => liesUnderAny(path, copied)
/** @param {Item} item */
const isNone = ({ factors }) => isNotCounted(factors)

/** The choices of a configuration, those first that its class fixes. @param {Configuration} of @returns {Choices} */
const choicesOf = ({ modelClass, choices }) => ({ ...choices, ...classes.get(modelClass).fixed })
/** @param {Configuration} of @returns {Configuration} */
export const settled = (of) => ({ ...of, choices: choicesOf(of) })

/** The sizes with those that only changes have: LoRA's rank, and how many layers are frozen of those with weights of their own. @param {Configuration} of @returns {Sizes} */
function sizesOf({ modelClass, sizes, lora, frozen }) {
  const depth = product(classes.get(modelClass).layers, sizes)
  return { ...sizes, [RANK]: lora?.rank ?? 0, [FROZEN]: Math.min(frozen.layers, depth) }
}

/** The rows that a class has, as items, without the biases of dense layers where there are none. @param {Configuration} of @returns {ItemOfBlock[]} */
function itemsOf({ modelClass, sizes, choices, biases }) {
  const items = new Counter(modelClass, sizes, choices).items([])
  return items
    .filter(({ path }) => biases || !changes.biases.includes(leafOf(path)))
    .map((item) => {
      const row = /** @type {Row} */ (item.row) // as it is without deviations
      return { ...item, row, block: row.block, added: "" }
    })
}

/** The matrices that get adapters. @param {ItemOfBlock[]} items @param {string[]} modules */
function adaptedOf(items, modules) {
  const dense = items.filter(({ path }) => changes.matrices.includes(leafOf(path)))
  const free = dense.filter(({ path }) => !liesUnderAny(path, [changes.decoder, ...copied]))
  if (modules.includes(ALL_LINEAR)) return free
  const endings = modules.map((each) => adapted[each])
  return free.filter(({ path, layers }) => layers.length && endings.some((each) => moduleOf(path).endsWith(each)))
}

/** Everything that a configuration counts: its rows, and what PEFT adds. @param {Configuration} of @returns {ItemOfBlock[]} */
function everyItem(of) {
  const items = itemsOf(of)
  if (!of.lora) return items
  const adapters = adaptedOf(items, of.lora.modules).flatMap((item) => {
    const [out, into] = shapeOf(item)
    const [A, B] = ["A", "B"].map((each) => `${moduleOf(item.path)}/lora_${each}`)
    const common = { ...item, factors: [], block: LORA, added: LORA }
    return [
      { ...common, path: A, shape: [RANK, into] },
      { ...common, path: B, shape: [out, RANK] },
    ]
  })
  const copies = items
    .filter(({ path }) => isCopied(path))
    .map((item) => ({ ...item, path: `${item.path}/copy`, block: COPY, added: "copy" }))
  return [...items, ...adapters, ...copies]
}

/** The shape in transformers. @param {ItemOfBlock} item */
const shapeOf = ({ shape, row, added }) => (row.transposed && added !== LORA ? [...shape].reverse() : shape)

const MOST_KEPT = 200
/** @type {Map<string, Tensors>} */
const known = new Map()

/** The items of a configuration, their names and the formula of the total: whatever the sizes, they are the same.
 * @param {Configuration} of @returns {Tensors} */
function tensorsOf(of) {
  const { modelClass, sizes, choices, biases, lora } = of
  const isNarrow = sizes.E !== undefined && sizes.E !== sizes.H
  const key = [modelClass, ...CHOICES.map((each) => choices[each]), biases, isNarrow, lora?.modules ?? "none"].join()
  if (known.size >= MOST_KEPT) known.clear()
  return kept(known, key, () => {
    const items = everyItem(of)
    const counted = items.filter((item) => !isNone(item))
    return { items, counted, listed: listedOf(items, of), formula: formulaOf(merged(counted.map(termOf))) }
  })
}

/** In how many layers an item is trained, or whether it is; what is tied is frozen with its owner.
 * @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes */
function trainedIn({ path, layers, added }, { lora, frozen }, sizes) {
  if (lora) return added ? product(layers, sizes) : 0
  if (frozen.embeddings && liesUnder(path, changes.embeddings)) return 0
  if (frozen.all_but_head && liesUnder(path, body)) return 0
  return layers.length ? product(layers, sizes) - sizes[FROZEN] : 1
}
/** @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes */
const trainableOf = (item, of, sizes) => (isNone(item) ? 0 : product(item.shape, sizes) * trainedIn(item, of, sizes))

// --- Names and order ------------------------------------------------------------

const [ADAPTED, ORIGINAL, TRAINED] = ["base_layer", "original_module", "modules_to_save.default"]

/** The parameter's name in transformers, with a star for every layer, cut in two: the module that PEFT wraps, and the rest.
 * @param {string} row @param {Configuration} of @returns {[string, string]} */
function nameOf(row, { architecture, modelClass }) {
  const { names, prefix } = namesIn.get(architecture)
  const inHead = names.get(row) ?? ""
  const isBare = modelClass === classOfBare(architecture) && inHead.startsWith(prefix)
  const name = isBare ? inHead.slice(prefix.length) : inHead
  // A head that is copied is one module to PEFT.
  const end = isCopied(row) ? name.indexOf(".") : name.lastIndexOf(".")
  return [name.slice(0, end), name.slice(end + 1)]
}

/** The items as `named_parameters()` lists them, with their names there: what PEFT adds to a module follows it.
 * @param {ItemOfBlock[]} items @param {Configuration} of @returns {Listed[]} */
function listedOf(items, of) {
  const named = items.map((item, place) => ({ item, place, name: nameOf(item.row.path, of) }))
  /** The place after which what is added to a module stands. */
  const ends = new Map(named.filter(({ item }) => !item.added).map(({ place, name: [module] }) => [module, place]))
  const wrapped = new Set(named.filter(({ item }) => item.added === LORA).map(({ name: [module] }) => module))
  /** @param {typeof named[number]} each */
  function underPeft({ item: { path, row, added }, name: [module, rest] }) {
    if (added === LORA) return [module, leafOf(path), "default.weight"]
    if (isCopied(row.path)) return [module, added ? TRAINED : ORIGINAL, rest]
    return wrapped.has(module) ? [module, ADAPTED, rest] : [module, rest]
  }
  const listed = named
    .map((each) => (each.item.added ? { ...each, place: ends.get(each.name[0]) ?? 0 } : each))
    .sort((one, other) => one.place - other.place)
  return withTies(
    listed.map((each) => {
      const parts = of.lora ? ["base_model.model", ...underPeft(each)] : each.name
      return { item: each.item, name: parts.join("."), tied: "" }
    }),
  )
}

/** Of two names for one tensor the first is its own, and the other says so. @param {Listed[]} listed */
function withTies(listed) {
  for (const [place, here] of listed.entries()) {
    if (!isNone(here.item)) continue
    const other = listed.findIndex((each) => each.item.path === here.item.row.tied_to)
    const owner = listed[other]
    if (other < place) here.tied = owner.name
    else
      [listed[place], listed[other]] = [
        { ...owner, name: here.name },
        { ...here, name: owner.name },
      ]
  }
  return listed
}

// --- Counting -----------------------------------------------------------------

const ADAM = 2 // moments of each parameter that is trained

/** Everything about a configuration. @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const of = settled(configuration)
  const { counted, listed, formula } = tensorsOf(of)
  const sizes = sizesOf(of)
  const rows = listed.map(({ item, name, tied }) => ({
    ...{ path: item.path, name, tied, block: item.block, added: item.added },
    letters: shapeOf(item).map(String),
    shape: shapeOf(item).map((each) => (typeof each === "number" ? each : sizes[each])),
    layers: product(item.layers, sizes),
    one: product(item.shape, sizes),
    number: numberOf(item, sizes) ?? NaN,
    trainable: trainableOf(item, of, sizes),
  }))
  /** @param {CountedRow[]} some */
  const numbers = (some) => ({
    number: sumBy(some, (each) => each.number),
    trainable: sumBy(some, (each) => each.trainable),
  })
  const { number: total, trainable } = numbers(rows)
  const parts = blocks.flatMap(({ name: block, title, page }) => {
    const own = rows.filter((each) => each.block === block)
    const all = numbers(own)
    return own.length ? [{ block, title, page, ...all, share: shareOf(all.number, total) }] : []
  })
  return {
    ...{ total, trainable, rows, parts, formula, bytes: bytesOf(total, trainable) },
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
  const hasTwo = classes.get(modelClass).rows.some((row) => row.tied_to === changes.head_bias)
  if (!hasTwo || !biases || choices.tied) return 0
  return changes.rebound.includes(modelClass) ? to.sizes.V : to.sizes.V - from.sizes.V
}

// --- Steps --------------------------------------------------------------------

const FREEZABLE = /** @type {("all_but_head" | "embeddings")[]} */ (["all_but_head", "embeddings"])

/** Every state between two configurations, with what changes on the way to it: first what was changed is undone,
 * then sizes change letter by letter, then tensors come and go, and last what is changed at the end is done.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* states(from, to) {
  let here = from
  /** A step, if it changes anything. @param {Change["kind"]} kind @param {string} key @param {Change["from"]} old @param {Change["to"]} now
   * @param {Partial<Configuration>} fields @returns {Iterable<[Configuration, Change]>} */
  function* step(kind, key, old, now, fields) {
    here = { ...here, ...fields }
    if (old !== now) yield [here, { kind, key, from: old, to: now }]
  }
  /** @param {keyof Frozen} part @param {boolean | number} now */
  const freeze = (part, now) =>
    step("frozen", part, here.frozen[part], now, { frozen: { ...here.frozen, [part]: now } })
  /** @param {boolean} now */
  const biases = (now) => step("biases", "", here.biases, now, { biases: now })

  if (!to.lora) yield* step("lora", "", Boolean(here.lora), false, { lora: null })
  for (const part of FREEZABLE) yield* freeze(part, here.frozen[part] && to.frozen[part])
  // The first so many layers of another number are thawed and frozen again.
  if (here.frozen.layers !== to.frozen.layers) yield* freeze("layers", 0)
  yield* biases(here.biases || to.biases)
  for (const letter of LETTERS.filter((each) => each in from.sizes && each in to.sizes)) {
    const size = to.sizes[letter]
    yield* step("size", letter, here.sizes[letter], size, { sizes: { ...here.sizes, [letter]: size } })
  }
  const { architecture, modelClass, sizes } = to
  if (here.architecture !== architecture)
    yield* step("architecture", "", here.architecture, architecture, { architecture, modelClass, sizes })
  yield* step("class", "", here.modelClass, modelClass, { modelClass })
  for (const choice of CHOICES) {
    const now = choicesOf(to)[choice]
    yield* step(choice, "", choicesOf(here)[choice], now, { choices: { ...here.choices, [choice]: now } })
  }
  yield* biases(to.biases)
  for (const part of FREEZABLE) yield* freeze(part, to.frozen[part])
  yield* freeze("layers", to.frozen.layers)
  if (!to.lora) return
  const { rank, modules } = to.lora
  const old = here.lora ?? to.lora
  yield* step("lora", "", Boolean(here.lora), true, { lora: old })
  const [before, after] = [old.modules, modules].map((each) => [...each].sort().join())
  if (before !== after)
    yield* step("modules", "", old.modules.join(", "), modules.join(", "), { lora: { rank: old.rank, modules } })
  yield* step("rank", RANK, old.rank, rank, { lora: to.lora })
}

/** The steps from a configuration to any other; they add up to the difference, in all and of what is trained.
 * Null where a state on the way has more parameters than a script counts exactly.
 * @param {Configuration} from @param {Configuration} to @returns {ChangeStep[] | null} */
export function steps(from, to) {
  let before = stateOf(from)
  /** @type {ChangeStep[]} */
  const found = []
  for (const [configuration, change] of states(from, to)) {
    const after = stateOf(configuration)
    if (numbersOf(after).value > MOST) return null
    if (change.kind !== "class" && change.kind !== "architecture") found.push(stepOf(before, after, change, () => true))
    else
      for (const { name } of blocks)
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
const numbersOf = ({ of, sizes, items }, meant = items) => ({
  value: sumOf(meant, sizes) ?? NaN,
  trainable: sumBy(meant, (each) => trainableOf(each, of, sizes)),
})

/** One step, of some of the tensors. @param {State} before @param {State} after @param {Change} change @param {(item: ItemOfBlock) => boolean} isMeant @returns {ChangeStep} */
function stepOf(before, after, change, isMeant) {
  const [old, now] = [before, after].map((state) => {
    const meant = state.items.filter(isMeant)
    return { ...numbersOf(state, meant), items: byShape(change.kind === "frozen" ? trainedItems(state) : meant) }
  })
  // What only one of two architectures has is sized by its own letters.
  const sizes = { ...after.sizes, ...before.sizes }
  const isResized = change.kind === "size" || change.kind === "rank"
  const pieces = [
    ...(isResized ? resizedTerms(now.items, change.key, before.sizes, after.sizes) : []),
    ...multiplied(old.items, now.items),
  ]
  // A rank, or a number of frozen layers, is that of before or, where there was none, that of after.
  for (const letter of [RANK, FROZEN]) sizes[letter] = before.sizes[letter] || after.sizes[letter]
  const [value, trainable] = [now.value - old.value, now.trainable - old.trainable]
  return { ...change, value, trainable, formula: pieces.join(" "), sizes }
}

/** What is trained, as items; what is frozen of the layers is taken away. @param {State} state @returns {ItemOfBlock[]} */
const trainedItems = ({ of, sizes, items }) =>
  items.flatMap((item) => {
    if (isNone(item) || !trainedIn(item, of, { ...sizes, [FROZEN]: 0 })) return { ...item, factors: NONE }
    const frozen = { ...item, path: `${item.path} frozen`, layers: [FROZEN], factors: ["−1"] }
    return item.layers.length && sizes[FROZEN] && !of.lora ? [item, frozen] : item
  })

/** Items by path and shape: two architectures may have another shape under a path. @param {ItemOfBlock[]} items */
const byShape = (items) =>
  new Map(items.map((item) => [[item.path, item.shape, item.layers].join(" "), /** @type {Item} */ (item)]))

// --- What may be changed ----------------------------------------------------

/** Which switches change anything. @param {Configuration} configuration @returns {Offered} */
export function offered(configuration) {
  const of = settled(configuration)
  const { fixed, labels, rows } = classes.get(of.modelClass)
  /** @param {keyof Choices} choice */
  const isOpen = (choice) => !(choice in fixed) && rows.some(({ when }) => when === choice)
  const { items } = tensorsOf({ ...of, lora: null })
  return {
    pooler: isOpen("pooler"),
    tied: rows.some((row) => row.tied_to),
    cross_attention: isOpen("cross_attention"),
    labels: labels === null && rows.some((row) => row.dimensions.includes("C")),
    head: rows.some((row) => !liesUnder(row.path, body)),
    modules: MODULES.filter((each) => adaptedOf(items, [each]).length),
  }
}

/** Single changes, each with what it comes to. @param {Configuration} configuration @returns {WhatIf[]} */
export function whatIfs(configuration) {
  const of = settled(configuration)
  const { sizes } = of
  const { A, H } = sizes
  const heads = otherHeads(sizes)
  const { labels } = offered(of)
  const letters = LETTERS.filter((each) => each in sizes && each !== "H" && (each !== "C" || labels))
  /** @type {[name: string, sizes: Sizes][]} */
  const others = letters.map((each) => [`more-${each}`, { [each]: sizes[each] + 1 }])
  // The width stays a multiple of the number of heads.
  if (H % A === 0) others.push(["more-heads", { A: A + 1, H: H + H / A }])
  if (heads) others.push(["other-heads", { A: heads }])
  const found = others.map(([name, changed]) => ({ name, to: { ...of, sizes: { ...sizes, ...changed } } }))
  if (of.biases) found.push({ name: "biases-off", to: { ...of, biases: false } })
  const here = totalOf(of)
  return found.map((each) => ({ ...each, value: totalOf(each.to) - here }))
}

const MOST_HEADS = 1_000
/** Another number of heads that the width is a multiple of: the next one, or else the one before; 0 where it is not found soon.
 * @param {Sizes} sizes */
function otherHeads({ A, H }) {
  for (let heads = A + 1; heads <= H && heads <= A + MOST_HEADS; heads++) if (H % heads === 0) return heads
  for (let heads = A - 1; heads > 0 && heads >= A - MOST_HEADS; heads--) if (H % heads === 0) return heads
  return 0
}
