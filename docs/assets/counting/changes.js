// Configurations, as the calculator counts them: the items of counting/engine.js
// with what fine-tuning changes and a method of the table adds, under the names of
// libraries, whose recordings hold the rules; and the steps from one to any other.

import table from "../../data/table.js"
import { isNone, stepFormula } from "./bridge.js"
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
import { GONE, sumLines } from "./sum-lines.js"

const { changes } = table
export const CHOICES = /** @type {(keyof Choices)[]} */ (Object.keys(table.choices))
export const METHODS = /** @type {ByName<Method>} */ (new Map(changes.methods.map((each) => [each.name, each])))
export const [LORA] = METHODS.keys()
export const { unpruned: UNPRUNED } = changes
const FREEZABLE = /** @type {const} */ (["all_but_head", "embeddings"])
const [COPY, FROZEN, PRUNED, PRUNING] = ["copied-head", "k", "h", "pruned"]

// --- The tensors of a configuration -----------------------------------------

/** The rows that something is done to, by the name of what is done or of where. */
const selected = new Map(
  Object.entries(changes.selected).map(([name, places]) => [name, new Set(places.map((place) => rows[place]))]),
)
/** @param {ItemOfBlock} item @param {string} name */
const isSelected = ({ row }, name) => selected.get(name)?.has(row) ?? false
/** A configuration with the choices that its class fixes. @param {Configuration} of @returns {Configuration} */
export const settled = (of) => ({ ...of, choices: { ...of.choices, ...classes.get(of.modelClass).fixed } })

/** The sizes with those that only changes have: a method's, how many layers are frozen of those with weights of their own, the width of a head, and how many are pruned. @param {Configuration} of @returns {Sizes} */
function sizesOf({ modelClass, sizes, lora, frozen, pruned }) {
  const depth = product(classes.get(modelClass).layers, sizes)
  const heads = pruned && { [PRUNED]: pruned, D: Math.floor(sizes.H / sizes.A) }
  return { ...sizes, ...(lora && sizesOfMethod(lora)), ...heads, [FROZEN]: Math.min(frozen.layers, depth) }
}

/** The modules that a method is put on unasked, by field. @param {string} method @param {string} architecture */
export function usualModules(method, architecture) {
  const { usual_modules: usual } = METHODS.get(method)
  return usual[architecture] ?? usual[""] ?? {}
}

/** The sizes of a method, by letter. @param {Lora} lora @returns {Sizes} */
export const sizesOfMethod = ({ method, rank, width }) => {
  const { rank: one = "", width: other = "" } = METHODS.get(method).takes
  return { ...(rank && { [one]: rank }), ...(width && { [other]: width }) }
}

/** Whether a library is needed that runs on transformers 4. @param {Configuration} of */
const isOfRelease4 = ({ lora, pruned }) =>
  changes.on_transformers_4.some((each) => each === lora?.method || (each === PRUNING && pruned > 0))

/** The rows that a class has, as items under their names in transformers, without the biases of dense layers where there are none.
 * @param {Configuration} of @returns {ItemOfBlock[]} */
function itemsOf(of) {
  const { architecture, modelClass, sizes, choices, biases } = of
  const [{ names, prefix }] = table.architectures.filter((each) => each.name === architecture)
  const bare = modelClass === classOfBare(architecture) ? prefix : ""
  return new Counter(modelClass, sizes, choices)
    .items([])
    .map((item) => {
      const row = /** @type {Row} */ (item.row) // as it is without deviations
      const name = names[rows.indexOf(row)]
      // transformers 4 shares this bias even where the weights of the decoder are not shared.
      const tied = isOfRelease4(of) && row.tied_to === changes.head_bias ? { factors: ["0"], above: [0] } : {}
      const plain = { added: "", at: "", module: "", tied: "" }
      return { ...item, ...tied, ...plain, row, block: row.block, name: name.replace(bare, "") }
    })
    .filter(({ row }) => biases || !row.tags.has("bias"))
}

/** All that is counted: the rows, after those of a module what a method adds to it, and then to the whole; and what is pruned. @param {Configuration} of */
function everyItem(of) {
  const items = itemsOf(of)
  if (of.pruned) return items.flatMap((item) => [item, ...prunedOf(item)])
  if (!of.lora) return items
  const { method, width, ...chosen } = of.lora
  const { adds, copies, prefix, block, beside } = METHODS.get(method)
  /** @param {string} at */
  const namesAt = (at) => chosen[/** @type {"modules" | "feedforward"} */ (at)] ?? at.split(",")
  /** @param {ItemOfBlock} item @param {string} at */
  const isAt = (item, at) => namesAt(at).some((each) => isSelected(item, each))
  /** @param {ItemOfBlock} item */
  const copyOf = (item) => Object.keys(copies).find((each) => isSelected(item, each)) ?? ""
  // A head that is copied is one module to PEFT.
  const moduleOf = (/** @type {ItemOfBlock} */ item) =>
    item.name.replace(copies.copied && isSelected(item, "copied") ? /\..*/ : /\.[^.]*$/, "")
  const nameUnder = (/** @type {string[]} */ ...steps) => [prefix, ...steps].filter(Boolean).join(".")
  const made = adds.filter(({ needs, lacks }) => (width ? !lacks : !needs))
  const every = [...new Set(items.map(moduleOf))].flatMap((module) => {
    const own = items.filter((each) => moduleOf(each) === module)
    const end = Object.keys(beside).find((each) => module.endsWith(each)) ?? ""
    const holder = module.slice(0, module.length - end.length) + (beside[end] ?? "")
    const added = made.flatMap((each) => {
      const { at, but } = each
      const matrix = at && own.find((item) => isAt(item, at) && !(but && isAt(item, but)))
      return matrix ? [{ ...addedTo(matrix, each, block, nameUnder(holder, each.name)), module }] : []
    })
    /** @param {ItemOfBlock} item @param {string} within */
    const named = (item, within) => ({ ...item, name: nameUnder(module, within, item.name.slice(module.length + 1)) })
    const copied = copyOf(own[0])
    const [copy, original] = copies[copied] ?? ["", prefix && added.length ? "base_layer" : ""]
    const copying = { block: copied === "copied" ? COPY : block, added: COPY, module, at: copied }
    const seconds = copy ? own.map((each) => ({ ...named(each, copy), path: `${each.path}/copy`, ...copying })) : []
    return [...own.map((each) => named(each, original)), ...added, ...seconds]
  })
  const whole = made.filter(({ at }) => !at)
  return [...every, ...whole.map((each) => addedTo({ ...items[0], path: "", layers: [] }, each, block, each.name))]
}

/** What a matrix gets, or the whole: shapes are written in what a matrix takes in and gives out.
 * @param {ItemOfBlock} item @param {Method["adds"][number]} added @param {string} block @param {string} name @returns {ItemOfBlock} */
const addedTo = (item, { name: own, shape, at = "" }, block, name) => ({
  ...{ ...item, factors: [], above: [], below: [], block, added: block, name, at },
  path: item.path.replace(/[^/]*$/, own.replace(/^(lora_.).*/, "$1")),
  shape: dimensions(shape).map((each) => shapeOf(item)[["out", "in"].indexOf(String(each))] ?? each),
})

/** What goes from a matrix, or a bias, with each head. @param {ItemOfBlock} item @returns {ItemOfBlock[]} */
function prunedOf(item) {
  const shape = changes.pruned[rows.indexOf(item.row)]
  const taken = { factors: ["−1"], above: [-1], layers: [PRUNED], name: `${item.name} of pruned heads` }
  return shape ? [{ ...item, ...taken, path: `${item.path}${GONE}`, shape: dimensions(shape) }] : []
}

/** The shape in its library. @param {ItemOfBlock} item */
const shapeOf = ({ shape, row, added }) => (row.transposed && (!added || added === COPY) ? [...shape].reverse() : shape)

/** Of two names for one tensor the first is its own, and the other says so; transformers 4 builds the body first, where
 * the owner is. @param {ItemOfBlock[]} items @param {boolean} isOwnerFirst */
function withTies(items, isOwnerFirst) {
  const listed = [...items]
  for (const [place, here] of listed.entries()) {
    if (!isNone(here.factors)) continue
    const other = listed.findIndex((each) => each.path === here.row.tied_to)
    const owner = listed[other]
    if (isOwnerFirst || other < place) here.tied = owner.name
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
  const { modelClass, sizes, choices, biases, lora, pruned } = of
  const isNarrow = sizes.E !== undefined && sizes.E !== sizes.H
  const chosen = CHOICES.map((each) => choices[each])
  const put = lora && [lora.method, lora.modules, `:${lora.feedforward}`, !lora.width]
  const key = [modelClass, ...chosen, biases, isNarrow, !pruned, put].join()
  if (known.size >= MOST_KEPT) known.clear()
  return kept(known, key, () => {
    const items = everyItem(of)
    const counted = items.filter((item) => !isNone(item.factors))
    const listed = withTies(items, isOfRelease4(of))
    return { items, counted, listed, formula: formulaOf(merged(counted.map(signedTerm))) }
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

/** Whether bitsandbytes packs an item; what a method trains, or trains a copy of, it has to leave. @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes */
function isPacked(item, of, sizes) {
  const copies = of.lora ? Object.keys(METHODS.get(of.lora.method).copies) : []
  const isLeft = of.lora && (trainedOf(item, of, sizes).length || copies.some((each) => isSelected(item, each)))
  return !item.added && isSelected(item, "packed") && !isLeft && !isNone(item.factors)
}

/** What an item adds to a formula, or takes from it. @param {ItemOfBlock} item */
function signedTerm(item) {
  const term = termOf(item)
  return { ...term, coefficient: item.above[0] === -1 ? -term.coefficient : term.coefficient }
}

// --- Counting -----------------------------------------------------------------

const ADAM = 2 // moments of each parameter that is trained
const FULL = table.dtypes.float32 // bytes of what is not packed

/** Everything about a configuration. @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const of = settled(configuration)
  const { counted, listed, formula } = tensorsOf(of)
  const sizes = sizesOf(of)
  const every = listed.map((item) => ({
    ...{ path: item.path, name: item.name, tied: item.tied, block: item.block, added: item.added },
    ...{ at: item.at, module: item.module, packed: isPacked(item, of, sizes), isButFirst: item.row.but_first === true },
    letters: shapeOf(item).map(String),
    shape: shapeOf(item).map((each) => sized(each, sizes)),
    layers: product(item.layers, sizes),
    one: product(item.shape, sizes) * (item.above[0] === -1 ? -1 : 1),
    number: numberOf(item, sizes) ?? NaN,
    trainable: sumOf(trainedOf(item, of, sizes), sizes) ?? NaN,
  }))
  /** @param {CountedRow[]} some @returns {[number: number, trainable: number]} */
  const sums = (some) => [sumBy(some, (each) => each.number), sumBy(some, (each) => each.trainable)]
  const [total, trainable] = sums(every)
  const parts = changes.blocks.flatMap(({ name: block, title, page }) => {
    const own = every.filter((each) => each.block === block)
    const [number, trained] = sums(own)
    const called = of.lora && METHODS.get(of.lora.method).block === block ? METHODS.get(of.lora.method).part : title
    const part = { block, title: called, page, number, trainable: trained, share: shareOf(number, total) }
    return own.length ? [part] : []
  })
  return {
    ...{ total, trainable, rows: every, parts, formula },
    bytes: { ...bytesOf(total, trainable), ...packedBytes(every, of) },
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

/** What training keeps in memory, where a number takes so many bytes. @param {number} weights @param {number} trainable @param {number} width @param {number} [scales] @returns {Memory} */
function memory(weights, trainable, width, scales = 0) {
  const [gradients, adam] = [trainable * width, ADAM * trainable * width]
  return { weights: weights + scales, scales, gradients, adam, all: weights + scales + gradients + adam }
}

/** The same by data type. @param {number} total @param {number} trainable */
const bytesOf = (total, trainable) =>
  Object.fromEntries(
    Object.entries(table.dtypes).map(([dtype, each]) => [dtype, memory(total * each, trainable, each)]),
  )

/** And by how matrices are packed; layers may differ once heads are pruned. @param {CountedRow[]} every @param {Configuration} of */
function packedBytes(every, { architecture, pruned }) {
  const storages = pruned || changes.unpacked.includes(architecture) ? [] : changes.storages
  const [packed, plain] = [true, false].map((is) => every.filter((row) => row.packed === is))
  const full = FULL * sumBy(plain, (row) => row.number)
  const trainable = sumBy(plain, (row) => row.trainable)
  return Object.fromEntries(
    storages.map(({ title, per, width, scales, rows: each, offset }) => {
      const weights = sumBy(packed, ({ layers, one }) => layers * width * Math.ceil(one / per))
      const kept = sumBy(packed, ({ layers, one, shape }) => {
        const blocks = sumBy(scales, ([many, bytes]) => bytes * Math.ceil(one / many))
        return layers * (blocks + each * shape[0] + offset)
      })
      return [title, memory(full + weights, trainable, FULL, kept)]
    }),
  )
}

/** How many parameters fewer than with another vocabulary from the start transformers has where it resizes a model in place:
 * an untied head has its bias twice, and of these one is lost or keeps its length. @param {Configuration} from @param {Configuration} to */
export function missingInPlace(from, to) {
  const { modelClass, biases, choices } = settled(to)
  const { in_place: bias } = classes.get(modelClass)
  return !bias || !biases || choices.tied ? 0 : to.sizes.V - (bias === "lost" ? 0 : from.sizes.V)
}

// --- Steps --------------------------------------------------------------------

/** What is done, in this order: sizes, which tensors there are, what is done to them. */
const BUILT = [...LETTERS.map((each) => `sizes.${each}`), "architecture", "modelClass"]
const DONE = [...BUILT, ...CHOICES.map((each) => `choices.${each}`), "biases", "frozen", "pruned", "lora"]
/** @type {Record<string, string>} */
const KINDS = { sizes: "size", modelClass: "class" }

/** @param {any} of @param {string} name @returns {any} */
const at = (of, name) => name.split(".").reduce((found, step) => found?.[step], of)
/** @param {any} of @param {string[]} path @param {unknown} value @returns {any} */
const put = (of, [key, ...rest], value) => ({ ...of, [key]: rest.length ? put(of[key], rest, value) : value })
/** What is compared, and said, of a value. @param {any} value @returns {Change["to"]} */
const said = (value) => (typeof value === "object" ? Boolean(value) && JSON.stringify(value) : value)

/** Every state from one configuration to another in which more is done, with what changes on the way to it.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* states(from, to) {
  let here = from
  for (const name of DONE) {
    const value = at(to, name)
    const [old, now] = [said(at(settled(here), name)), said(value)]
    if (old === now || old === undefined || now === undefined) continue
    const { modelClass, sizes } = name === "architecture" ? to : here
    here = put({ ...here, modelClass, sizes }, name.split("."), value)
    const [whole, leaf] = name.split(".")
    const kind = /** @type {Change["kind"]} */ (KINDS[whole] ?? (whole === "choices" ? leaf : whole))
    yield [here, { kind, key: kind === "size" ? leaf : "", from: old, to: now }]
  }
}

/** The steps from a configuration to one in which more is done; they add up to the difference, in all and of what is trained.
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
  const sizes = { ...after.sizes, ...before.sizes, [FROZEN]: before.sizes[FROZEN] || after.sizes[FROZEN] }
  const letter = change.kind === "size" ? change.key : undefined
  const formula = stepFormula(old.items, now.items, letter, before.sizes, after.sizes)
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
