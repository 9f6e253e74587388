// Configurations, as the calculator counts them: the items of counting/engine.js
// with what fine-tuning changes (biases left out, weights frozen, adapters of low
// rank added), under the names that transformers and PEFT give them, and the steps
// from one configuration to any other. Recordings of both libraries hold the rules.

import table from "../../data/table.js"
import { isNone as isNotCounted, multiplied, NONE, resized as resizedTerms } from "./bridge.js"
import { Counter, classes, classOfBare, liesUnder, MOST, numberOf, product, sumOf } from "./engine.js"
import { formula as formulaOf, merged, termOf } from "./polynomials.js"
import { sumLines } from "./sum-lines.js"

const {
  adapted,
  all_linear: ALL_LINEAR,
  biases,
  blocks,
  body,
  copied,
  decoder,
  embeddings,
  head_bias: headBias,
  matrices,
  rebound,
} = table.changes
export const CHOICES = /** @type {(keyof Choices)[]} */ (Object.keys(table.choices))
// The number of heads is in no shape.
const LETTERS = table.symbols.map((each) => each.letter).filter((each) => each !== "A")
const [LORA, COPY, RANK, FROZEN] = ["lora", "copied-head", "r", "k"]
export const MODULES = [...Object.keys(adapted), ALL_LINEAR]

const architectures = new Map(
  table.architectures.map((each) => [
    each.name,
    {
      ...each,
      names: new Map(Object.entries(each.names).map(([place, name]) => [table.rows[Number(place)].path, name])),
    },
  ]),
)
/** @param {string} name */
const architectureOf = (name) =>
  /** @type {NonNullable<ReturnType<typeof architectures.get>>} */ (architectures.get(name))

// --- The tensors of a configuration -----------------------------------------

/** @param {string} path @param {string[]} prefixes */
const liesUnderAny = (path, prefixes) => prefixes.some((each) => liesUnder(path, each))
/** @param {string} path */
const leafOf = (path) => path.slice(path.lastIndexOf("/") + 1)
/** @param {string} path */
const moduleOf = (path) => path.slice(0, path.lastIndexOf("/"))
/** @param {string} path  whether PEFT trains a copy of it */
const isCopied = (path) => liesUnderAny(path, copied)

/** The choices of a configuration, those first that its class fixes. @param {Configuration} of @returns {Choices} */
const choicesOf = ({ modelClass, choices }) => ({ ...choices, ...classes.get(modelClass).fixed })
/** @param {Configuration} of @returns {Configuration} */
export const settled = (of) => ({ ...of, choices: choicesOf(of) })

/** The layers with weights of their own. @param {Configuration} of */
const depthOf = ({ architecture, sizes }) => product(architectureOf(architecture).layers, sizes)

/** The sizes with those that only changes have: LoRA's rank, and how many layers are frozen. @param {Configuration} of @returns {Sizes} */
function sizesOf(of) {
  const depth = depthOf(of)
  const { layers } = of.frozen
  return { ...of.sizes, [RANK]: of.lora?.rank ?? 0, [FROZEN]: Math.min(layers, depth) }
}

/** The rows that a class has, as items, without the biases of dense layers where there are none. @param {Configuration} of @returns {ItemOfBlock[]} */
function itemsOf({ modelClass, sizes, choices, biases: withBiases }) {
  const items = new Counter(modelClass, sizes, choices).items([])
  return items
    .filter(({ path }) => withBiases || !biases.includes(leafOf(path)))
    .map((item) => ({ ...item, row: rowOf(item), block: rowOf(item).block, added: "" }))
}

/** Without deviations every item is a row. @param {Item} item */
const rowOf = ({ row }) => /** @type {Row} */ (row)

/** The matrices that get adapters. @param {ItemOfBlock[]} items @param {Lora} lora */
function adaptedOf(items, { modules }) {
  const dense = items.filter(({ path }) => matrices.includes(leafOf(path)) && !liesUnderAny(path, [decoder, ...copied]))
  if (modules.includes(ALL_LINEAR)) return dense
  const endings = modules.map((each) => adapted[each])
  return dense.filter(({ path, layers }) => layers.length && endings.some((each) => moduleOf(path).endsWith(each)))
}

/** Everything that a configuration counts: its rows, and what PEFT adds. @param {Configuration} of @returns {ItemOfBlock[]} */
function everyItem(of) {
  const items = itemsOf(of)
  if (!of.lora) return items
  const adapters = adaptedOf(items, of.lora).flatMap((item) => {
    const [out, into] = shapeOf(item)
    const common = { ...item, factors: [], block: LORA, added: LORA }
    return [
      { ...common, path: `${moduleOf(item.path)}/lora_A`, shape: [RANK, into] },
      { ...common, path: `${moduleOf(item.path)}/lora_B`, shape: [out, RANK] },
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
const kept = new Map()

/** The items of a configuration, their names and the formula of the total: whatever the sizes, they are the same.
 * @param {Configuration} of @returns {Tensors} */
function tensorsOf(of) {
  const { modelClass, sizes, choices, biases: withBiases, lora } = of
  const equal = sizes.E !== undefined && sizes.E === sizes.H
  const key = [
    modelClass,
    ...CHOICES.map((each) => choices[each]),
    withBiases,
    equal,
    ...(lora ? ["", ...lora.modules] : []),
  ].join()
  let found = kept.get(key)
  if (!found) {
    const items = everyItem(of)
    const listed = listedOf(items, of)
    const counted = items.filter((item) => !isNone(item))
    const formula = formulaOf(merged(counted.map(termOf)))
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(key, (found = { items, counted, listed, formula }))
  }
  return found
}

/** @param {Item} item */
const isNone = ({ factors }) => isNotCounted(factors)

/** In how many layers an item is trained, or whether it is; what is tied is frozen with its owner.
 * @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes */
function trainedIn({ path, layers, added }, { lora, frozen }, sizes) {
  if (lora) return added ? product(layers, sizes) : 0
  const under = [...(frozen.embeddings ? [embeddings] : []), ...(frozen.all_but_head ? [body] : [])]
  if (liesUnderAny(path, under)) return 0
  return layers.length ? product(layers, sizes) - sizes[FROZEN] : 1
}
/** @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes */
const trainableOf = (item, of, sizes) => (isNone(item) ? 0 : product(item.shape, sizes) * trainedIn(item, of, sizes))

/** @template T @param {Iterable<T>} items @param {(each: T) => number} number */
function sumBy(items, number) {
  let sum = 0
  for (const each of items) sum += number(each)
  return sum
}

// --- Names and order ------------------------------------------------------------

const [ADAPTED, ORIGINAL, TRAINED] = ["base_layer", "original_module", "modules_to_save.default"]

/** The parameter's name in transformers, with a star for every layer, cut in two: the module that PEFT wraps, and the rest.
 * @param {string} row @param {Configuration} of @returns {[string, string]} */
function nameOf(row, { architecture, modelClass }) {
  const { names, prefix } = architectureOf(architecture)
  const inHead = names.get(row) ?? ""
  const name =
    modelClass === classOfBare(architecture) && inHead.startsWith(prefix) ? inHead.slice(prefix.length) : inHead
  // A head that is copied is one module to PEFT.
  const end = isCopied(row) ? name.indexOf(".") : name.lastIndexOf(".")
  return [name.slice(0, end), name.slice(end + 1)]
}

/** The items as `named_parameters()` lists them, with their names there: what PEFT adds to a module follows it.
 * @param {ItemOfBlock[]} items @param {Configuration} of @returns {Listed[]} */
function listedOf(items, of) {
  const named = items.map((item) => ({ item, name: nameOf(item.row.path, of) }))
  /** The place after which what is added to a module stands. @type {Map<string, number>} */
  const ends = new Map()
  for (const [
    place,
    {
      item,
      name: [module],
    },
  ] of named.entries())
    if (!item.added) ends.set(module, place)
  const adapted = new Set(named.filter(({ item }) => item.added === LORA).map(({ name: [module] }) => module))
  /** @param {typeof named[number]} each */
  function underPeft({ item: { path, row, added }, name: [module, rest] }) {
    if (added === LORA) return [module, leafOf(path), "default.weight"]
    if (isCopied(row.path)) return [module, added ? TRAINED : ORIGINAL, rest]
    return adapted.has(module) ? [module, ADAPTED, rest] : [module, rest]
  }
  const listed = named
    .map((each, place) => ({ ...each, place: each.item.added ? (ends.get(each.name[0]) ?? 0) : place }))
    .sort((one, other) => one.place - other.place)
    .map((each) => ({
      item: each.item,
      name: (of.lora ? ["base_model.model", ...underPeft(each)] : each.name).join("."),
      tied: "",
    }))
  return withTies(listed)
}

/** Of two names for one tensor the first is its own, and the other says so. @param {Listed[]} listed */
function withTies(listed) {
  for (const [place, { item, name }] of listed.entries()) {
    if (!isNone(item)) continue
    const other = listed.findIndex((each) => each.item.path === item.row.tied_to)
    if (other < place) listed[place].tied = listed[other].name
    else
      [listed[place], listed[other]] = [
        { ...listed[other], name },
        { ...listed[place], name: listed[other].name },
      ]
  }
  return listed
}

// --- Counting -----------------------------------------------------------------

const pageOf = new Map(blocks.map((each) => [each.name, each.page]))
const ADAM = 2 // moments of each parameter that is trained

/** Everything about a configuration. @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const of = settled(configuration)
  const { counted, listed, formula } = tensorsOf(of)
  const sizes = sizesOf(of)
  const rows = listed.map(({ item, name, tied }) => ({
    path: item.path,
    name,
    letters: shapeOf(item).map(String),
    shape: shapeOf(item).map((each) => (typeof each === "number" ? each : sizes[each])),
    layers: product(item.layers, sizes),
    one: product(item.shape, sizes),
    number: numberOf(item, sizes) ?? NaN,
    trainable: trainableOf(item, of, sizes),
    block: item.block,
    page: pageOf.get(item.block) ?? "",
    tied,
    added: item.added,
  }))
  const [total, trainable] = [sumBy(rows, (each) => each.number), sumBy(rows, (each) => each.trainable)]
  const parts = blocks
    .map((block) => ({ block, listed: rows.filter((each) => each.block === block.name) }))
    .filter(({ listed }) => listed.length)
    .map(({ block: { name, title, page }, listed }) => {
      const number = sumBy(listed, (each) => each.number)
      return {
        block: name,
        title,
        page,
        number,
        trainable: sumBy(listed, (each) => each.trainable),
        share: shareOf(number, total),
      }
    })
  return {
    total,
    trainable,
    rows,
    parts,
    formula,
    bytes: bytesOf(total, trainable),
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
      const [weights, gradients] = [total, trainable].map((number) => number * each)
      const adam = ADAM * gradients
      return [dtype, { weights, gradients, adam, all: weights + gradients + adam }]
    }),
  )

/** How many parameters fewer than with another vocabulary from the start transformers has where it resizes a model in place:
 * an untied head has its bias twice, and of these one is lost or keeps its length. @param {Configuration} from @param {Configuration} to */
export function missingInPlace(from, to) {
  const {
    modelClass,
    biases: withBiases,
    choices: { tied },
  } = settled(to)
  const hasTwo = withBiases && !tied && classes.get(modelClass).rows.some((row) => row.tied_to === headBias)
  if (!hasTwo) return 0
  return rebound.includes(modelClass) ? to.sizes.V : to.sizes.V - from.sizes.V
}

// --- Steps --------------------------------------------------------------------

/** Every state between two configurations, with what changes on the way to it: first what was changed is undone,
 * then sizes change letter by letter, then tensors come and go, and last what is changed at the end is done.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* states(from, to) {
  let here = from
  /** @param {Partial<Configuration>} fields @param {Change} change @returns {[Configuration, Change]} */
  const next = (fields, change) => [(here = { ...here, ...fields }), change]
  if (here.lora && !to.lora) yield next({ lora: null }, { kind: "lora", key: "", from: true, to: false })
  for (const part of FREEZABLE)
    if (here.frozen[part] && !to.frozen[part]) yield next(...frozenStep(here, part, to.frozen[part]))
  // The first so many layers of another number are thawed and frozen again.
  if (here.frozen.layers && here.frozen.layers !== to.frozen.layers) yield next(...frozenStep(here, "layers", 0))
  if (!here.biases && to.biases) yield next({ biases: true }, { kind: "biases", key: "", from: false, to: true })
  for (const letter of LETTERS) {
    const [old, now] = [here.sizes[letter], to.sizes[letter]]
    if (old === undefined || now === undefined || old === now) continue
    yield next({ sizes: { ...here.sizes, [letter]: now } }, { kind: "size", key: letter, from: old, to: now })
  }
  if (here.architecture !== to.architecture) {
    const { architecture, modelClass, sizes } = to
    yield next(
      { architecture, modelClass, sizes },
      { kind: "architecture", key: "", from: here.architecture, to: architecture },
    )
  } else if (here.modelClass !== to.modelClass) {
    yield next({ modelClass: to.modelClass }, { kind: "class", key: "", from: here.modelClass, to: to.modelClass })
  }
  for (const choice of CHOICES) {
    const [old, now] = [choicesOf(here)[choice], choicesOf(to)[choice]]
    if (old !== now)
      yield next({ choices: { ...here.choices, [choice]: now } }, { kind: choice, key: "", from: old, to: now })
  }
  if (here.biases && !to.biases) yield next({ biases: false }, { kind: "biases", key: "", from: true, to: false })
  for (const part of FREEZABLE)
    if (!here.frozen[part] && to.frozen[part]) yield next(...frozenStep(here, part, to.frozen[part]))
  if (here.frozen.layers !== to.frozen.layers) yield next(...frozenStep(here, "layers", to.frozen.layers))
  if (!to.lora) return
  const { rank, modules } = to.lora
  const old = here.lora
  if (!old) yield next({ lora: to.lora }, { kind: "lora", key: "", from: false, to: true })
  else {
    if ([...old.modules].sort().join() !== [...modules].sort().join()) {
      yield next(
        { lora: { rank: old.rank, modules } },
        { kind: "modules", key: "", from: old.modules.join(", "), to: modules.join(", ") },
      )
    }
    if (old.rank !== rank) yield next({ lora: to.lora }, { kind: "rank", key: RANK, from: old.rank, to: rank })
  }
}

const FREEZABLE = /** @type {("all_but_head" | "embeddings")[]} */ (["all_but_head", "embeddings"])

/** @param {Configuration} here @param {keyof Frozen} part @param {boolean | number} now @returns {[Partial<Configuration>, Change]} */
const frozenStep = (here, part, now) => [
  { frozen: { ...here.frozen, [part]: now } },
  { kind: "frozen", key: part, from: here.frozen[part], to: now },
]

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
    return { meant, ...numbersOf(state, meant) }
  })
  // What only one of two architectures has is sized by its own letters.
  const sizes = { ...after.sizes, ...before.sizes }
  const [items, others] =
    change.kind === "frozen" ? [trainedItems(before), trainedItems(after)] : [old.meant, now.meant]
  const isResized = change.kind === "size" || change.kind === "rank"
  const pieces = [
    ...(isResized ? resizedTerms(byShape(others), change.key, before.sizes, after.sizes) : []),
    ...multiplied(byShape(items), byShape(others)),
  ]
  // A rank, or a number of frozen layers, is that of before or, where there was none, that of after.
  for (const letter of [RANK, FROZEN]) sizes[letter] = before.sizes[letter] || after.sizes[letter]
  return {
    ...change,
    value: now.value - old.value,
    trainable: now.trainable - old.trainable,
    formula: pieces.join(" "),
    sizes,
  }
}

/** What is trained, as items; what is frozen of the layers is taken away. @param {State} state @returns {ItemOfBlock[]} */
const trainedItems = ({ of, sizes, items }) =>
  items.flatMap((item) => {
    const trained =
      !isNone(item) && trainedIn(item, { ...of, frozen: { ...of.frozen, layers: 0 } }, { ...sizes, [FROZEN]: 0 })
    if (!trained) return { ...item, factors: NONE }
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
    layers: depthOf(of),
    modules: MODULES.filter((each) => adaptedOf(items, { rank: 1, modules: [each] }).length),
  }
}

/** One change of each kind, with what it comes to. @param {Configuration} configuration @returns {WhatIf[]} */
export function whatIfs(configuration) {
  const of = settled(configuration)
  const { sizes, choices } = of
  const open = offered(of)
  /** @param {string} name @param {Partial<Configuration>} fields @param {string} letter */
  const whatIf = (name, fields, letter = "") => ({ name, letter, to: { ...of, ...fields } })
  /** @param {Record<string, number>} changed */
  const resized = (changed) => ({ sizes: { ...sizes, ...changed } })
  // The width stays a multiple of the number of heads.
  const letters = LETTERS.filter((each) => each in sizes && each !== "H" && (each !== "C" || open.labels))
  const found = [
    ...letters.map((each) => whatIf(`more-${each}`, resized({ [each]: sizes[each] + 1 }), each)),
    ...(sizes.H % sizes.A
      ? []
      : [whatIf("more-heads", resized({ A: sizes.A + 1, H: sizes.H + sizes.H / sizes.A }), "A")]),
    ...[otherHeads(sizes)].filter(Boolean).map((heads) => whatIf("other-heads", resized({ A: heads }), "A")),
    ...(of.biases ? [whatIf("biases-off", { biases: false })] : []),
    ...(open.tied ? [whatIf(choices.tied ? "untied" : "tied", { choices: { ...choices, tied: !choices.tied } })] : []),
    ...(open.pooler
      ? [
          whatIf(choices.pooler ? "without-pooler" : "with-pooler", {
            choices: { ...choices, pooler: !choices.pooler },
          }),
        ]
      : []),
  ]
  const here = numbersOf(stateOf(of))
  return found.map((each) => {
    const there = numbersOf(stateOf(each.to))
    return { ...each, value: there.value - here.value, trainable: there.trainable - here.trainable }
  })
}

const MOST_HEADS = 1_000
/** Another number of heads that the width is a multiple of: the next one, or else the one before; 0 where it is not found soon.
 * @param {Sizes} sizes */
function otherHeads({ A, H }) {
  for (let heads = A + 1; heads <= H && heads <= A + MOST_HEADS; heads++) if (H % heads === 0) return heads
  for (let heads = A - 1; heads > 0 && heads >= A - MOST_HEADS; heads--) if (H % heads === 0) return heads
  return 0
}
