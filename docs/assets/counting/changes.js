// Counts changed models for the calculator. A configuration is a model with all changes
// made to it. Its tensors are the items of engine.js and those that a method of
// fine-tuning adds, under the names that the libraries use. The rules are those of
// macros/counting/changes/; tests/scripts/test_changes.py compares the results with the
// engine and with recordings. The last part gives the steps from one configuration to
// another.
//
// The engine applies changes one after the other, to rows that it changes. Here there is
// one change of each kind at most, and their order is fixed, so each tensor is made once
// from the whole configuration: what it is called, whether it is trained, whether it is
// packed. That is quick enough for every keystroke.

import table from "../../data/table.js"
import { isNone, stepFormula } from "./bridge.js"
import {
  architectures,
  butFirst,
  Counter,
  classes,
  dimensions,
  getOrMake,
  LETTERS,
  MAX_NUMBER,
  numberOf,
  presence,
  product,
  rows,
  sized,
  sumBy,
  sumOf,
} from "./engine.js"
import { formula as formulaOf, groupBy, mergeTerms, termOf } from "./polynomials.js"
import { PRUNED_END, sumLines } from "./sum-lines.js"

const { changes } = table
export const CHOICES = /** @type {(keyof Choices)[]} */ (Object.keys(table.choices))
export const METHODS = /** @type {ByName<Method>} */ (new Map(changes.methods.map((method) => [method.name, method])))
export const [LORA] = METHODS.keys()

/** Why heads cannot be pruned, by the architectures of which that is true. */
export const { unpruned: UNPRUNED } = changes

const FREEZABLE = /** @type {const} */ (["all_but_head", "embeddings"]) // parts, besides the first layers
const COPY = "copied-head" // the block of tensors that PEFT copies
const PRUNING = "pruned" // the name of the change that removes heads

/** The letters of the number of frozen layers and of the number of pruned heads, which no model itself has. */
const [FROZEN, PRUNED] = ["k", "h"]

// --- The tensors of a configuration -----------------------------------------

/** The rows that the build selects for a change or a module, by its name. */
const rowsByName = new Map(
  Object.entries(changes.selected).map(([name, indices]) => [name, new Set(indices.map((index) => rows[index]))]),
)

/** Whether an item is among the rows of a change or a module. @param {ItemOfBlock} item @param {string} name */
const isSelected = ({ row }, name) => rowsByName.get(name)?.has(row) ?? false

/** A configuration with the choices that its class fixes.
 * @param {Configuration} configuration @returns {Configuration} */
export const settled = (configuration) => ({
  ...configuration,
  choices: { ...configuration.choices, ...classes.get(configuration.modelClass).fixed },
})

/** The sizes, together with those that only changes have: the sizes of a method, the number of frozen layers (of those
 * with weights of their own), the number of pruned heads, and the width of a head.
 * @param {Configuration} of @returns {Sizes} */
function sizesOf({ architecture, modelClass, sizes, lora, frozen, pruned }) {
  const depth = product(classes.get(modelClass).layers, sizes)
  const width = sizes[architectures.get(architecture).heads_share]
  const heads = pruned && { [PRUNED]: pruned, D: Math.floor(width / sizes.A) }
  return { ...sizes, ...(lora && sizesOfMethod(lora)), ...heads, [FROZEN]: Math.min(frozen.layers, depth) }
}

/** The modules to which a method is applied by default, by field.
 * @param {string} method @param {string} architecture */
export function usualModules(method, architecture) {
  const { usual_modules: usual } = METHODS.get(method)
  return usual[architecture] ?? usual[""] ?? {}
}

/** The sizes of a method, by letter. @param {Lora} lora @returns {Sizes} */
export const sizesOfMethod = ({ method, rank, width }) => {
  const letters = METHODS.get(method).takes
  return { ...(rank && { [letters.rank ?? ""]: rank }), ...(width && { [letters.width ?? ""]: width }) }
}

/** Whether a change needs a library that runs on transformers 4. @param {Configuration} of */
const isOfRelease4 = ({ lora, pruned }) =>
  changes.on_transformers_4.some((name) => name === lora?.method || (name === PRUNING && pruned > 0))

/** The rows of a class as items, under their names in transformers. The biases of dense layers are left out if they are
 * switched off.
 * @param {Configuration} configuration @returns {ItemOfBlock[]} */
function itemsOf(configuration) {
  const { architecture, modelClass, sizes, choices, biases } = configuration
  const { names, prefix } = architectures.get(architecture)
  const { prefix: ownPrefix } = classes.get(modelClass)
  return new Counter(modelClass, sizes, choices)
    .items([])
    .map((item) => {
      const row = /** @type {Row} */ (item.row) // only what a deviation adds has none
      const name = names[rows.indexOf(row)]
      // transformers 4 shares this bias even if the weights of the decoder are not shared.
      const sharedBias =
        isOfRelease4(configuration) && row.tied_to === changes.head_bias ? { factors: ["0"], above: [0] } : {}
      const plain = { added: "", at: "", module: "", tied: "" }
      return {
        ...item,
        ...sharedBias,
        ...plain,
        row,
        block: row.block,
        name: name.startsWith(prefix) ? ownPrefix + name.slice(prefix.length) : name,
      }
    })
    .filter(({ row }) => biases || !row.tags.has("bias"))
}

/** The module that PEFT copies for a tensor of a head: the outermost one whose name ends as PEFT's list for the task of
 * the class has it.
 * @param {string} name  of a tensor in it @param {string} modelClass */
function copiedModule(name, modelClass) {
  const task = Object.keys(changes.tasks).find((end) => modelClass.endsWith(end)) ?? ""
  const steps = name.split(".")
  const modules = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("."))
  const ends = changes.heads[changes.tasks[task]] ?? []
  return modules.find((module) => ends.some((end) => module.endsWith(end))) ?? modules.at(-1) ?? name
}

/** Every item of a configuration: the rows of each module, followed by the tensors that a method adds to the module,
 * and at the end those that it adds to the whole model. After each row comes the part that pruning removes.
 * @param {Configuration} configuration */
function everyItem(configuration) {
  const items = itemsOf(configuration)
  if (configuration.pruned) return items.flatMap((item) => [item, ...prunedOf(item)])
  const { lora } = configuration
  if (!lora) return items
  const { method, width } = lora
  const { adds, copies, block } = METHODS.get(method)
  /** The name of the module that an item belongs to. @param {ItemOfBlock} item */
  const moduleOf = (item) =>
    copies.copied && isSelected(item, "copied")
      ? copiedModule(item.name, configuration.modelClass)
      : item.name.replace(/\.[^.]*$/, "")
  const additions = adds.filter(({ needs, lacks }) => (width ? !lacks : !needs))
  const additionsToModules = additions.filter(({ at }) => at)
  const inModules = [...groupBy(items, moduleOf)].flatMap(([module, itemsOfModule]) =>
    changedModule(module, itemsOfModule, additionsToModules, lora),
  )
  const wholeModel = { ...items[0], path: "", layers: [] }
  const additionsToModel = additions.filter(({ at }) => !at)
  return [...inModules, ...additionsToModel.map((addition) => addedTo(wholeModel, addition, block, addition.name))]
}

/** The items of a module as a method changes it: under the names that PEFT gives them, with those that the method adds and
 * with the copies that it makes.
 * @param {string} module @param {ItemOfBlock[]} items @param {Method["adds"]} additions
 * @param {Lora} lora */
function changedModule(module, items, additions, { method, ...options }) {
  const { copies, prefix, block, beside } = METHODS.get(method)
  /** Whether an item is in one of the modules that a field of an addition names: those that the reader has chosen, or the
   * ones in the list itself.
   * @param {ItemOfBlock} item @param {string} at */
  const isAt = (item, at) => {
    const names = options[/** @type {"modules" | "feedforward"} */ (at)] ?? at.split(",")
    return names.some((name) => isSelected(item, name))
  }
  /** A name below the prefix that the method puts before all names. @param {string[]} steps */
  const nameUnder = (...steps) => [prefix, ...steps].filter(Boolean).join(".")
  const end = Object.keys(beside).find((suffix) => module.endsWith(suffix)) ?? ""
  const holder = module.slice(0, module.length - end.length) + (beside[end] ?? "")
  const addedItems = additions.flatMap((addition) => {
    const { at, but } = addition
    const matrix = at && items.find((item) => isAt(item, at) && !(but && isAt(item, but)))
    return matrix ? [{ ...addedTo(matrix, addition, block, nameUnder(holder, addition.name)), module }] : []
  })
  /** An item under the name that it has within the wrapped module. @param {ItemOfBlock} item @param {string} within */
  const withName = (item, within) => ({ ...item, name: nameUnder(module, within, item.name.slice(module.length + 1)) })
  /** The kind of copy that the method makes of the module; "" if it makes none. */
  const copyKind = Object.keys(copies).find((name) => isSelected(items[0], name)) ?? ""
  // Under which names PEFT keeps a module and its copy; a module with an adapter has a name of its own, too.
  const [copyName, originalName] = copies[copyKind] ?? ["", prefix && addedItems.length ? "base_layer" : ""]
  const fieldsOfCopy = { block: copyKind === "copied" ? COPY : block, added: COPY, module, at: copyKind }
  const copiedItems = copyName
    ? items.map((item) => ({ ...withName(item, copyName), path: `${item.path}/copy`, ...fieldsOfCopy }))
    : []
  return [...items.map((item) => withName(item, originalName)), ...addedItems, ...copiedItems]
}

/** The tensor that a method adds to a matrix, or to the whole model. Its shape is given in terms of `in` and `out` of
 * the matrix. Its path has only the beginning of its name, as in lora_A, which labels of sums look for.
 * @param {ItemOfBlock} item @param {Method["adds"][number]} addition @param {string} block @param {string} name
 * @returns {ItemOfBlock} */
const addedTo = (item, { name: endOfName, shape, at = "" }, block, name) => ({
  ...item,
  factors: [],
  above: [],
  below: [],
  block,
  added: block,
  name,
  at,
  path: item.path.replace(/[^/]*$/, endOfName.replace(/^(lora_.).*/, "$1")),
  shape: dimensions(shape).map((size) => shapeOf(item)[["out", "in"].indexOf(String(size))] ?? size),
})

/** The part of a matrix or a bias that pruning removes, as an item to subtract; empty if it removes none.
 * @param {ItemOfBlock} item @returns {ItemOfBlock[]} */
function prunedOf(item) {
  const shape = changes.pruned[rows.indexOf(item.row)]
  const part = { factors: ["−1"], above: [-1], layers: [PRUNED], name: `${item.name} of pruned heads` }
  return shape ? [{ ...item, ...part, path: `${item.path}${PRUNED_END}`, shape: dimensions(shape) }] : []
}

/** The shape of an item in its library. @param {ItemOfBlock} item */
const shapeOf = ({ shape, row, added }) => (row.transposed && (!added || added === COPY) ? [...shape].reverse() : shape)

/** The items in the order of their library, with ties resolved. Of two names for one tensor, the first owns it, and the
 * second refers to the first. transformers 4 builds the body first, which contains the owner.
 * @param {ItemOfBlock[]} items @param {boolean} isOwnerFirst */
function withTies(items, isOwnerFirst) {
  const inOrder = [...items]
  for (const [index, here] of inOrder.entries()) {
    if (!isNone(here.factors)) continue
    const ownerIndex = inOrder.findIndex(({ path }) => path === here.row.tied_to)
    const owner = inOrder[ownerIndex]
    if (isOwnerFirst || ownerIndex < index) here.tied = owner.name
    else {
      ;[inOrder[index], inOrder[ownerIndex]] = [owner, here]
      ;[owner.name, here.name] = [here.name, owner.name]
    }
  }
  return inOrder
}

const MAX_KEPT = 200 // the cache is emptied once it holds this many configurations, so that it does not grow forever

/** The results of `tensorsOf`. @type {Map<string, Tensors>} */
const cache = new Map()

/** The items of a configuration and the formula of its total. They are cached, because they depend on sizes only in
 * which rows there are.
 * @param {Configuration} configuration @returns {Tensors} */
function tensorsOf(configuration) {
  const { modelClass, sizes, choices, biases, lora, pruned } = configuration
  const presenceDigits = presence(classes.get(modelClass), choices, sizes)
  const values = CHOICES.map((name) => choices[name])
  const method = lora && [lora.method, lora.modules, `:${lora.feedforward}`, !lora.width]
  const key = [modelClass, ...values, biases, presenceDigits, !pruned, method].join()
  if (cache.size >= MAX_KEPT) cache.clear()
  return getOrMake(cache, key, () => {
    const items = everyItem(configuration)
    const counted = items.filter((item) => !isNone(item.factors))
    const inOrder = withTies(items, isOfRelease4(configuration))
    return { items, counted, inOrder, formula: formulaOf(mergeTerms(counted.map(signedTerm))) }
  })
}

/** The trained part of an item: the item for all layers, and one that subtracts the frozen first layers. A tied tensor
 * has none, because its owner is counted.
 * @param {ItemOfBlock} item @param {Configuration} of @param {Sizes} sizes @returns {ItemOfBlock[]} */
function trainedOf(item, { lora, frozen }, sizes) {
  const { path, layers, added } = item
  const isFrozenPart = FREEZABLE.some((part) => frozen[part] && isSelected(item, part))
  // A method trains what it adds, and the rows that it is said to train besides.
  const isFrozen = lora ? !added && !isSelected(item, lora.method) : isFrozenPart
  if (isNone(item.factors) || isFrozen) return []
  const frozenLayers = item.row.but_first ? butFirst(FROZEN) : FROZEN
  const first = { ...item, path: `${path} frozen`, layers: [frozenLayers], factors: ["−1"], above: [-1] }
  return layers.length && sizes[FROZEN] && !lora ? [item, first] : [item]
}

/** Whether an item must not be packed, because a method trains it or a copy of it.
 * @param {ItemOfBlock} item @param {Configuration} configuration @param {Sizes} sizes */
function isException(item, configuration, sizes) {
  const copies = configuration.lora ? Object.keys(METHODS.get(configuration.lora.method).copies) : []
  const isTrained =
    configuration.lora &&
    (trainedOf(item, configuration, sizes).length || copies.some((name) => isSelected(item, name)))
  return !item.added && isTrained
}

/** The items that bitsandbytes packs. An untied decoder is among them only if there are exceptions: transformers keeps
 * the decoder unpacked by default, and a list of exceptions replaces that default.
 * @param {ItemOfBlock[]} items @param {Configuration} configuration @param {Sizes} sizes */
function packedItems(items, configuration, sizes) {
  const exceptions = new Set(items.filter((item) => isException(item, configuration, sizes)))
  const hasExceptions = [...exceptions].some(({ shape }) => shape.length > 1)
  const names = ["packed", ...(hasExceptions ? ["decoder"] : [])]
  return items.filter(
    (item) =>
      !item.added && names.some((name) => isSelected(item, name)) && !exceptions.has(item) && !isNone(item.factors),
  )
}

/** An item as a term of a formula, negative if it is subtracted. @param {ItemOfBlock} item */
function signedTerm(item) {
  const term = termOf(item)
  return { ...term, coefficient: item.above[0] === -1 ? -term.coefficient : term.coefficient }
}

// --- Counting -----------------------------------------------------------------

const ADAM_MOMENTS = 2 // per trained parameter
const FULL_WIDTH = table.dtypes.float32 // the bytes of a parameter that is not packed

/** An item with its numbers. @param {Item & ItemOfSum & ItemOfBlock} item @param {Sizes} sizes */
const countedRow = (item, sizes) => ({
  path: item.path,
  name: item.name,
  tied: item.tied,
  block: item.block,
  added: item.added,
  at: item.at,
  module: item.module,
  isButFirst: item.row.but_first === true,
  letters: shapeOf(item).map(String),
  shape: shapeOf(item).map((size) => sized(size, sizes)),
  layers: product(item.layers, sizes),
  one: product(item.shape, sizes) * (item.above[0] === -1 ? -1 : 1),
  number: numberOf(item, sizes) ?? NaN,
})

/** The numbers of a configuration: its total, tensors, parts, formula, worked-out sum and bytes.
 * @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const fullConfiguration = settled(configuration)
  const { counted, inOrder, formula } = tensorsOf(fullConfiguration)
  const sizes = sizesOf(fullConfiguration)
  const packed = new Set(packedItems(inOrder, fullConfiguration, sizes))
  const countedRows = inOrder.map((item) => ({
    ...countedRow(item, sizes),
    packed: packed.has(item),
    trainable: sumOf(trainedOf(item, fullConfiguration, sizes), sizes) ?? NaN,
  }))
  /** The parameters of some rows, and those of them that are trained.
   * @param {CountedRow[]} rows @returns {[number: number, trainable: number]} */
  const sums = (rows) => [sumBy(rows, ({ number }) => number), sumBy(rows, ({ trainable }) => trainable)]
  const [total, trainable] = sums(countedRows)
  const method = fullConfiguration.lora && METHODS.get(fullConfiguration.lora.method)
  const parts = changes.blocks.flatMap(({ name: block, title, page }) => {
    const blockRows = countedRows.filter((row) => row.block === block)
    if (!blockRows.length) return []
    const [number, trainable] = sums(blockRows)
    const ownTitle = method?.block === block ? method.part : title
    return [{ block, title: ownTitle, page, number, trainable, share: shareOf(number, total) }]
  })
  return {
    total,
    trainable,
    rows: countedRows,
    parts,
    formula,
    bytes: { ...bytesOf(total, trainable), ...packedBytes(countedRows, fullConfiguration) },
    // Computed only when it is read, because it takes longest.
    get sum() {
      return sumLines(counted, sizes)
    },
  }
}

/** The total alone, which is counted at every keystroke. @param {Configuration} configuration */
export const totalOf = (configuration) => numbersOf(stateOf(configuration)).value

/** One number as a share of another; zero of zero is zero. @param {number} number @param {number} total */
export const shareOf = (number, total) => (total ? number / total : 0)

/** The bytes that weights, gradients and Adam's moments take in training.
 * @param {number} weights  their bytes @param {number} trainable  the number of trained parameters
 * @param {number} width  bytes of each @param {number} [scales]  bytes of the scales of packed weights
 * @returns {Memory} */
function memory(weights, trainable, width, scales = 0) {
  const [gradients, adam] = [trainable * width, ADAM_MOMENTS * trainable * width]
  return { weights: weights + scales, scales, gradients, adam, all: weights + scales + gradients + adam }
}

/** The bytes of training by data type. @param {number} total @param {number} trainable */
const bytesOf = (total, trainable) =>
  Object.fromEntries(
    Object.entries(table.dtypes).map(([dtype, width]) => [dtype, memory(total * width, trainable, width)]),
  )

/** The bytes of training by the format in which matrices are packed; empty if heads are pruned, because layers may then
 * differ.
 * @param {CountedRow[]} countedRows @param {Configuration} of */
function packedBytes(countedRows, { architecture, pruned }) {
  const storages = pruned || changes.unpacked.includes(architecture) ? [] : changes.storages
  const packed = countedRows.filter((row) => row.packed)
  const plain = countedRows.filter((row) => !row.packed)
  const full = FULL_WIDTH * sumBy(plain, ({ number }) => number)
  const trainable = sumBy(plain, ({ trainable }) => trainable)
  return Object.fromEntries(
    storages.map(({ title, per, width, scales, rows: bytesOfRow, offset }) => {
      const weights = sumBy(packed, ({ layers, one }) => layers * width * Math.ceil(one / per))
      const scalesBytes = sumBy(packed, ({ layers, one, shape }) => {
        const blocks = sumBy(scales, ([size, bytes]) => bytes * Math.ceil(one / size))
        return layers * (blocks + bytesOfRow * shape[0] + offset)
      })
      return [title, memory(full + weights, trainable, FULL_WIDTH, scalesBytes)]
    }),
  )
}

/** The number of parameters that a model lacks if transformers resizes its vocabulary in place instead of building it
 * with the new vocabulary. An untied head has its bias under two names, and one of these two tensors is lost or keeps
 * its old length. A bias with only one name keeps its old length whether the head is tied or not.
 * @param {Configuration} from @param {Configuration} to */
export function missingInPlace(from, to) {
  const { modelClass, biases, choices } = settled(to)
  const { in_place: bias } = classes.get(modelClass)
  if (!bias || !biases) return 0
  if (bias === "alone") return to.sizes.V - from.sizes.V
  if (choices.tied) return 0
  return bias === "lost" ? to.sizes.V : to.sizes.V - from.sizes.V
}

// --- Steps --------------------------------------------------------------------

/** The fields of a configuration in the order of the steps: sizes and class, then the choices that decide which tensors
 * exist, then changes. The engine, too, builds a model before it changes it. */
const FIELDS = [
  ...LETTERS.map((letter) => `sizes.${letter}`),
  "architecture",
  "modelClass",
  ...CHOICES.map((name) => `choices.${name}`),
  "biases",
  "frozen",
  "pruned",
  "lora",
]

/** The kinds of steps that are called otherwise than the field that changes. @type {Record<string, string>} */
const KINDS = { sizes: "size", modelClass: "class" }

/** The value at a path of field names with dots between them.
 * @param {any} fields @param {string} path @returns {any} */
const valueAt = (fields, path) => path.split(".").reduce((value, step) => value?.[step], fields)

/** A copy with another value at a path.
 * @param {any} fields @param {string[]} path @param {unknown} value @returns {any} */
const withValue = (fields, [key, ...rest], value) => ({
  ...fields,
  [key]: rest.length ? withValue(fields[key], rest, value) : value,
})

/** A value in the form in which it is compared and shown: objects as JSON, null as false.
 * @param {any} value @returns {Change["to"]} */
const asPlain = (value) => (typeof value === "object" ? Boolean(value) && JSON.stringify(value) : value)

/** Every configuration on the way from one to another, with the change that leads to it; the last one is the other
 * itself.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* configurationsBetween(from, to) {
  let current = from
  for (const name of FIELDS) {
    const value = valueAt(to, name)
    const [old, now] = [asPlain(valueAt(settled(current), name)), asPlain(value)]
    if (old === now || old === undefined || now === undefined) continue
    // Another architecture brings its classes and the letters of its sizes with it.
    const { modelClass, sizes } = name === "architecture" ? to : current
    current = withValue({ ...current, modelClass, sizes }, name.split("."), value)
    const [field, leaf] = name.split(".")
    const kind = /** @type {Change["kind"]} */ (KINDS[field] ?? (field === "choices" ? leaf : field))
    yield [current, { kind, key: kind === "size" ? leaf : "", from: old, to: now }]
  }
}

/** The steps from one configuration to another. They add up to the difference in all parameters and in trained ones.
 * Null if a configuration in between has more parameters than a script can count exactly.
 * @param {Configuration} from @param {Configuration} to @returns {ChangeStep[] | null} */
export function steps(from, to) {
  let oldState = stateOf(from)
  /** @type {ChangeStep[]} */
  const list = []
  for (const [configuration, change] of configurationsBetween(from, settled(to))) {
    const newState = stateOf(configuration)
    if (numbersOf(newState).value > MAX_NUMBER) return null
    if (change.kind !== "class" && change.kind !== "architecture")
      list.push(stepOf(oldState, newState, change, () => true))
    else
      for (const { name } of changes.blocks)
        list.push(stepOf(oldState, newState, { ...change, key: name }, (item) => item.block === name))
    oldState = newState
  }
  return list.filter(({ value, trainable }) => value || trainable)
}

/** A configuration with everything that its numbers follow from.
 * @param {Configuration} configuration @returns {State} */
function stateOf(configuration) {
  const fullConfiguration = settled(configuration)
  return { of: fullConfiguration, sizes: sizesOf(fullConfiguration), items: tensorsOf(fullConfiguration).items }
}

/** The number of all parameters and of trained ones in some items, or in every item.
 * @param {State} state @param {ItemOfBlock[]} [some] */
function numbersOf({ of, sizes, items }, some = items) {
  const trainableItems = some.flatMap((item) => trainedOf(item, of, sizes))
  return { value: sumOf(some, sizes) ?? NaN, trainable: sumOf(trainableItems, sizes) ?? NaN }
}

/** One step, limited to the items for which a test is true.
 * @param {State} before @param {State} after @param {Change} change
 * @param {(item: ItemOfBlock) => boolean} isIncluded @returns {ChangeStep} */
function stepOf(before, after, change, isIncluded) {
  const [old, now] = [before, after].map((state) => {
    const items = state.items.filter(isIncluded)
    const changedItems =
      change.kind === "frozen" ? items.flatMap((item) => trainedOf(item, state.of, state.sizes)) : items
    return { ...numbersOf(state, items), items: byShape(changedItems) }
  })
  // Two architectures may each have letters that the other lacks.
  const sizes = { ...after.sizes, ...before.sizes, [FROZEN]: before.sizes[FROZEN] || after.sizes[FROZEN] }
  const letter = change.kind === "size" ? change.key : undefined
  const formula = stepFormula(old.items, now.items, letter, before.sizes, after.sizes)
  return { ...change, value: now.value - old.value, trainable: now.trainable - old.trainable, formula, sizes }
}

/** Items by path and shape, because two architectures may have different shapes under one path.
 * @param {ItemOfBlock[]} items */
const byShape = (items) =>
  new Map(items.map((item) => [[item.path, item.shape, item.layers].join(" "), /** @type {Item} */ (item)]))

// --- What may be changed ----------------------------------------------------

/** The switches that have an effect for a class, and the modules to which a method can be applied.
 * @param {Configuration} configuration @returns {Available} */
export function available({ modelClass }) {
  const { offers, rows: ownRows } = classes.get(modelClass)
  const switches = Object.fromEntries([...CHOICES, "labels", "head"].map((name) => [name, offers.includes(name)]))
  const modules = changes.modules.filter((name) => ownRows.some((row) => rowsByName.get(name)?.has(row)))
  return /** @type {Available} */ ({ ...switches, modules })
}

/** The sizes that cannot grow by one, because the model would not run: heads share the hidden size, heads of keys and
 * values share those of queries, and a convolution reads as many tokens before a token as after it. */
const NEVER_ONE_MORE = new Set(["H", "A", "N", "Z"])

/** Small changes to one thing at a time, each with the difference that it makes to the total.
 * @param {Configuration} configuration @returns {WhatIf[]} */
export function whatIfs(configuration) {
  const fullConfiguration = settled(configuration)
  const { sizes, architecture } = fullConfiguration
  const shared = architectures.get(architecture).heads_share
  const hasLabels = available(fullConfiguration).labels
  /** Whether a size may grow by one in this configuration. */
  const isOffered = (/** @type {string} */ letter) =>
    letter in sizes && letter !== shared && !NEVER_ONE_MORE.has(letter) && (letter !== "C" || hasLabels)
  /** @type {[name: string, sizes: Sizes][]} */
  const changedSizes = LETTERS.filter(isOffered).map((letter) => [`more-${letter}`, { [letter]: sizes[letter] + 1 }])
  if (!("N" in sizes)) changedSizes.push(...numbersOfHeads(sizes.A, shared, sizes[shared]))
  const list = changedSizes.map(([name, newSizes]) => ({
    name,
    to: { ...fullConfiguration, sizes: { ...sizes, ...newSizes } },
  }))
  if (fullConfiguration.biases) list.push({ name: "biases-off", to: { ...fullConfiguration, biases: false } })
  const total = totalOf(fullConfiguration)
  return list.map((whatIf) => ({ ...whatIf, value: totalOf(whatIf.to) - total }))
}

/** One more head, as wide as the others, and another number of heads that share the same width; each only if it is
 * possible.
 * @param {number} heads @param {string} letter  of the width that heads share
 * @param {number} width @returns {[name: string, sizes: Sizes][]} */
function numbersOfHeads(heads, letter, width) {
  /** @type {[string, Sizes][]} */
  const list = []
  if (width % heads === 0) list.push(["more-heads", { A: heads + 1, [letter]: width + width / heads }])
  // Twice as many if that is possible, else half as many, else one, else as many as there can be.
  const otherHeads = [2 * heads, heads / 2, 1, width].find(
    (number) => number !== heads && Number.isInteger(number) && width % number === 0,
  )
  if (otherHeads) list.push(["other-heads", { A: otherHeads }])
  return list
}
