// Configurations, as the calculator counts them: the items of counting/engine.js
// with what fine-tuning changes (biases left out, weights frozen, adapters of low
// rank added), under the names that transformers and PEFT give them, and the steps
// from one configuration to any other. Recordings of both libraries hold the rules.

import table from "../../data/table.js"
import { isNone as isNotCounted, multiplied, resized as resizedTerms } from "./bridge.js"
import {
  Counter,
  classes,
  classOfBare,
  rows as everyRow,
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
const architectures = /** @type {ByName<Table["architectures"][0]>} */ (
  new Map(table.architectures.map((each) => [each.name, each]))
)

// --- The tensors of a configuration -----------------------------------------

/** @param {string} path @param {string[]} prefixes */
const liesUnderAny = (path, prefixes) => prefixes.some((each) => liesUnder(path, each))
/** @param {string} path */
const leafOf = (path) => path.slice(path.lastIndexOf("/") + 1)
/** @param {string} path */
const moduleOf = (path) => path.slice(0, path.lastIndexOf("/"))
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

/** The rows that a class has, as items under their names in transformers, without the biases of dense layers where there are none.
 * @param {Configuration} of @returns {ItemOfBlock[]} */
function itemsOf({ architecture, modelClass, sizes, choices, biases }) {
  const { names, prefix } = architectures.get(architecture)
  const bare = modelClass === classOfBare(architecture) ? prefix : ""
  return new Counter(modelClass, sizes, choices)
    .items([])
    .filter(({ path }) => biases || !changes.biases.includes(leafOf(path)))
    .map((item) => {
      const row = /** @type {Row} */ (item.row) // as it is without deviations
      const name = names[everyRow.indexOf(row)]
      return { ...item, row, block: row.block, added: "", tied: "", name: name.replace(bare, "") }
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

/** Everything that a configuration counts: its rows, and after those of a module what PEFT adds to it. @param {Configuration} of */
function everyItem(of) {
  const items = itemsOf(of)
  if (!of.lora) return items
  const matrices = new Set(adaptedOf(items, of.lora.modules))
  /** @type {Map<string, ItemOfBlock[]>} */
  const modules = new Map()
  for (const item of items) {
    // A head that is copied is one module to PEFT.
    const end = liesUnderAny(item.path, copied) ? item.name.indexOf(".") : item.name.lastIndexOf(".")
    kept(modules, item.name.slice(0, end), () => []).push(item)
  }
  return [...modules].flatMap(([module, own]) => {
    const matrix = own.find((each) => matrices.has(each))
    const isCopied = liesUnderAny(own[0].path, copied)
    /** @param {ItemOfBlock} item @param {string} within */
    const named = (item, within) => ["base_model.model", module, within, item.name.slice(module.length + 1)]
    return [
      ...own.map((each) => ({
        ...each,
        name: named(each, matrix ? "base_layer" : isCopied ? "original_module" : "")
          .filter(Boolean)
          .join("."),
      })),
      ...(matrix ? adaptersOf(matrix, module) : []),
      ...(isCopied ? own : []).map((each) => {
        const name = named(each, "modules_to_save.default").join(".")
        return { ...each, path: `${each.path}/copy`, block: COPY, added: "copy", name }
      }),
    ]
  })
}

/** What a matrix gets: its shapes are written in what it takes in and gives out. @param {ItemOfBlock} item @param {string} module */
function adaptersOf(item, module) {
  const [out, into] = shapeOf(item)
  return changes.adapters.map(({ name, shape }) => ({
    ...{ ...item, factors: [], block: LORA, added: LORA, name: `base_model.model.${module}.${name}` },
    path: `${moduleOf(item.path)}/${name.split(".")[0]}`,
    shape: shape.map((each) => (each === "in" ? into : each === "out" ? out : each)),
  }))
}

/** The shape in transformers. @param {ItemOfBlock} item */
const shapeOf = ({ shape, row, added }) => (row.transposed && added !== LORA ? [...shape].reverse() : shape)

/** Of two names for one tensor the first is its own, and the other says so. @param {ItemOfBlock[]} items */
function withTies(items) {
  const listed = [...items]
  for (const [place, here] of listed.entries()) {
    if (!isNone(here)) continue
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
  const key = [modelClass, ...CHOICES.map((each) => choices[each]), biases, isNarrow, lora?.modules ?? "none"].join()
  if (known.size >= MOST_KEPT) known.clear()
  return kept(known, key, () => {
    const items = everyItem(of)
    const counted = items.filter((item) => !isNone(item))
    return { items, counted, listed: withTies(items), formula: formulaOf(merged(counted.map(termOf))) }
  })
}

/** What is trained of an item: all of it, but for the first layers that are frozen; what is tied is frozen with its owner.
 * @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes @returns {ItemOfBlock[]} */
function trainedOf(item, { lora, frozen }, sizes) {
  const { path, layers, added } = item
  const isBelow = frozen.all_but_head && liesUnder(path, body)
  const isFrozen = lora ? !added : isBelow || (frozen.embeddings && liesUnder(path, changes.embeddings))
  if (isFrozen || isNone(item)) return []
  const first = { ...item, path: `${path} frozen`, layers: [FROZEN], factors: ["−1"], above: [-1] }
  return layers.length && sizes[FROZEN] && !lora ? [item, first] : [item]
}
/** @param {ItemOfBlock[]} items @param {Configuration} of @param {Sizes} sizes */
const trainableOf = (items, of, sizes) =>
  sumOf(
    items.flatMap((each) => trainedOf(each, of, sizes)),
    sizes,
  ) ?? NaN

// --- Counting -----------------------------------------------------------------

const ADAM = 2 // moments of each parameter that is trained

/** Everything about a configuration. @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const of = settled(configuration)
  const { counted, listed, formula } = tensorsOf(of)
  const sizes = sizesOf(of)
  const rows = listed.map((item) => ({
    ...{ path: item.path, name: item.name, tied: item.tied, block: item.block, added: item.added },
    letters: shapeOf(item).map(String),
    shape: shapeOf(item).map((each) => (typeof each === "number" ? each : sizes[each])),
    layers: product(item.layers, sizes),
    one: product(item.shape, sizes),
    number: numberOf(item, sizes) ?? NaN,
    trainable: trainableOf([item], of, sizes),
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
export const totalOf = (configuration) => numbersOf(stateOf(configuration)).value ?? NaN

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

const FREEZABLE = /** @type {const} */ (["all_but_head", "embeddings"])

/** What is changed between two configurations: first what was changed is undone, then sizes change letter by letter,
 * then tensors come and go, and last what is changed at the end is done.
 * @param {Configuration} from @param {Configuration} to @returns {[Change["kind"], path: string, value: unknown][]} */
function edits(from, { architecture, modelClass, sizes, choices, frozen, biases, lora }) {
  const letters = LETTERS.filter((each) => each in from.sizes && each in sizes)
  return [
    ...edit(!lora, "lora", "lora", null),
    ...FREEZABLE.flatMap((part) => edit(!frozen[part], "frozen", `frozen.${part}`, false)),
    // The first so many layers of another number are thawed and frozen again.
    ...edit(from.frozen.layers !== frozen.layers, "frozen", "frozen.layers", 0),
    ...edit(biases, "biases", "biases", true),
    ...letters.flatMap((letter) => edit(true, "size", `sizes.${letter}`, sizes[letter])),
    ...edit(true, "architecture", "architecture", architecture),
    ...edit(true, "class", "modelClass", modelClass),
    ...CHOICES.flatMap((choice) => edit(true, choice, `choices.${choice}`, choices[choice])),
    ...edit(true, "biases", "biases", biases),
    ...FREEZABLE.flatMap((part) => edit(true, "frozen", `frozen.${part}`, frozen[part])),
    ...edit(true, "frozen", "frozen.layers", frozen.layers),
    ...edit(Boolean(lora), "lora", "lora", from.lora ?? lora),
    ...edit(Boolean(lora), "modules", "lora.modules", lora?.modules),
    ...edit(Boolean(lora), "rank", "lora.rank", lora?.rank),
  ]
}
/** @param {boolean} isMade @param {Change["kind"]} kind @param {string} path @param {unknown} value @returns {[Change["kind"], string, unknown][]} */
const edit = (isMade, kind, path, value) => (isMade ? [[kind, path, value]] : [])
/** @param {any} of @param {string[]} path @param {unknown} value @returns {any} */
const put = (of, [key, ...rest], value) => ({ ...of, [key]: rest.length ? put(of[key], rest, value) : value })
/** What is compared, and said, of a value. @param {any} value @returns {Change["to"]} */
const said = (value) =>
  Array.isArray(value) ? [...value].sort().join(", ") : typeof value === "object" ? Boolean(value) : value

/** Every state between two configurations, with what changes on the way to it.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* states(from, to) {
  let here = from
  for (const [kind, path, value] of edits(from, to)) {
    const steps = path.split(".")
    const old = said(steps.reduce((/** @type {any} */ found, step) => found[step], settled(here)))
    if (kind === "architecture" && old !== value) here = { ...here, modelClass: to.modelClass, sizes: to.sizes }
    here = put(here, steps, value)
    const key = kind === "rank" ? RANK : kind === "size" || kind === "frozen" ? steps[1] : ""
    if (old !== said(value)) yield [here, { kind, key, from: old, to: said(value) }]
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
  trainable: trainableOf(meant, of, sizes),
})

/** One step, of some of the tensors. @param {State} before @param {State} after @param {Change} change @param {(item: ItemOfBlock) => boolean} isMeant @returns {ChangeStep} */
function stepOf(before, after, change, isMeant) {
  const [old, now] = [before, after].map((state) => {
    const meant = state.items.filter(isMeant)
    const shown = change.kind === "frozen" ? meant.flatMap((each) => trainedOf(each, state.of, state.sizes)) : meant
    return { ...numbersOf(state, meant), items: byShape(shown) }
  })
  // What only one of two architectures has is sized by its own letters.
  const sizes = { ...after.sizes, ...before.sizes }
  // A rank, or a number of frozen layers, is that of before or, where there was none, that of after.
  for (const letter of [RANK, FROZEN]) sizes[letter] = before.sizes[letter] || after.sizes[letter]
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
/** The nearest other number of heads that the width is a multiple of; 0 where it is not found soon. @param {Sizes} sizes */
function otherHeads({ A, H }) {
  for (let step = 1; step <= MOST_HEADS; step++)
    for (const heads of [A + step, A - step]) if (heads > 0 && heads <= H && H % heads === 0) return heads
  return 0
}
