// Counts changed models for the calculator. A configuration is a model with all the changes
// to it. Its tensors are the items of engine.js and those that a fine-tuning method adds,
// with the names that the libraries use. The rules are those of macros/counting/changes/;
// tests/scripts/test_changes.py compares the results with the engine and with recordings.
// The last parts find the steps from one configuration to another, and small changes to try.
//
// The engine applies changes to the rows of a model one after the other. Here there is at
// most one change of each kind, and their order is fixed. So each tensor is built once from
// the whole configuration, including its name and whether it is trained or packed. That is
// quick enough to do at every keystroke.

import table from "../../data/table.js"
import { isUncounted, stepFormula } from "./bridge.js"
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
  sizeOfDimension,
  sumBy,
  sumOf,
} from "./engine.js"
import { formula as formulaOf, groupBy, mergeTerms, termOf } from "./polynomials.js"
import { PRUNED_END, sumLines } from "./sum-lines.js"

const { changes } = table
/** The names of the choices with which a model is built. */
export const CHOICES = /** @type {(keyof Choices)[]} */ (Object.keys(table.choices))
/** The fine-tuning methods, by name. */
export const METHODS = /** @type {ByName<Method>} */ (new Map(changes.methods.map((method) => [method.name, method])))
/** The name of the first method. */
export const [LORA] = METHODS.keys()

/** The reasons why heads cannot be pruned, by architecture. */
export const { unpruned: UNPRUNED } = changes

const FREEZABLE = /** @type {const} */ (["all_but_head", "embeddings"]) // what can be frozen besides the first layers
export const COPIED_BLOCK = "copied-head" // the block of tensors that PEFT copies
const PRUNING = "pruned" // the name of the change that removes heads

/** The letters of two numbers that only changes have: the number of frozen layers and the number of pruned heads. */
const [FROZEN_LETTER, PRUNED_LETTER] = ["k", "h"]

// --- The tensors of a configuration -----------------------------------------

/** The rows that the build selected for each change and each module, by name. */
const rowsByName = new Map(
  Object.entries(changes.selected).map(([name, indices]) => [name, new Set(indices.map((index) => rows[index]))]),
)

/** Whether an item is among the rows of a change or a module. @param {ItemOfBlock} item @param {string} name */
const isSelected = ({ row }, name) => rowsByName.get(name)?.has(row) ?? false

/** The configuration, with the choices that its class fixes.
 * @param {Configuration} configuration @returns {Configuration} */
export const withFixedChoices = (configuration) => ({
  ...configuration,
  choices: { ...configuration.choices, ...classes.get(configuration.modelClass).fixed },
})

/** The sizes of a configuration, including those that only changes have: the sizes of a method, the number of frozen
 * layers (counting only layers with their own weights), the number of pruned heads, and the width of a head.
 * @param {Configuration} configuration @returns {Sizes} */
function sizesOf({ architecture, modelClass, sizes, tuning, frozen, pruned }) {
  const depth = product(classes.get(modelClass).layers, sizes)
  const width = sizes[architectures.get(architecture).heads_share]
  const heads = pruned && { [PRUNED_LETTER]: pruned, D: Math.floor(width / sizes.A) }
  return { ...sizes, ...(tuning && sizesOfMethod(tuning)), ...heads, [FROZEN_LETTER]: Math.min(frozen.layers, depth) }
}

/** The modules to which a method is applied by default, by field.
 * @param {string} method @param {string} architecture */
export function usualModules(method, architecture) {
  const { usual_modules: modulesByArchitecture } = METHODS.get(method)
  return modulesByArchitecture[architecture] ?? modulesByArchitecture[""] ?? {}
}

/** The sizes of a method, by letter. @param {Tuning} tuning @returns {Sizes} */
export const sizesOfMethod = ({ method, rank, width }) => {
  const letters = METHODS.get(method).takes
  return { ...(rank && { [letters.rank ?? ""]: rank }), ...(width && { [letters.width ?? ""]: width }) }
}

/** Whether a configuration has a change that works only with transformers 4.
 * @param {Configuration} configuration */
const isOfRelease4 = ({ tuning, pruned }) =>
  changes.on_transformers_4.some((name) => name === tuning?.method || (name === PRUNING && pruned > 0))

/** The rows of a class as items, with their names in transformers. The biases of dense layers are left out if they are
 * switched off.
 * @param {Configuration} configuration @returns {ItemOfBlock[]} */
function itemsOf(configuration) {
  const { architecture, modelClass, sizes, choices, biases } = configuration
  const { names, prefix } = architectures.get(architecture)
  const { prefix: classPrefix } = classes.get(modelClass)
  return new Counter(modelClass, sizes, choices)
    .items([])
    .map((item) => {
      const row = /** @type {Row} */ (item.row) // only the items that a deviation adds have none
      const name = names[rows.indexOf(row)]
      // transformers 4 ties this bias even if the weights of the decoder are not tied.
      const sharedBias =
        isOfRelease4(configuration) && row.tied_to === changes.head_bias ? { factors: ["0"], above: [0] } : {}
      const emptyFields = { added: "", at: "", module: "", tied: "" }
      return {
        ...item,
        ...sharedBias,
        ...emptyFields,
        row,
        block: row.block,
        name: name.startsWith(prefix) ? classPrefix + name.slice(prefix.length) : name,
      }
    })
    .filter(({ row }) => biases || !row.tags.has("bias"))
}

/** The module that PEFT copies because a tensor of the head is in it: the outermost module whose name has an ending
 * from PEFT's list for the task of the class or, if there is none, the module that holds the tensor.
 * @param {string} name  the name of the tensor @param {string} modelClass */
function copiedModule(name, modelClass) {
  const task = Object.keys(changes.tasks).find((end) => modelClass.endsWith(end)) ?? ""
  const names = name.split(".")
  const modules = names.slice(1).map((_, index) => names.slice(0, index + 1).join("."))
  const endings = changes.heads[changes.tasks[task]] ?? []
  return modules.find((module) => endings.some((ending) => module.endsWith(ending))) ?? modules.at(-1) ?? name
}

/** Every item of a configuration: the rows of each module, followed by the tensors that a method adds to the module,
 * and at the end the tensors that it adds to the whole model. If heads are pruned, each row is followed by the part
 * that pruning removes from it, if any.
 * @param {Configuration} configuration */
function everyItem(configuration) {
  const items = itemsOf(configuration)
  if (configuration.pruned) return items.flatMap((item) => [item, ...prunedParts(item)])
  const { tuning } = configuration
  if (!tuning) return items
  const { method, width } = tuning
  const { adds, copies, block } = METHODS.get(method)
  /** The name of the module that an item belongs to. @param {ItemOfBlock} item */
  const moduleOf = (item) =>
    copies.copied && isSelected(item, "copied")
      ? copiedModule(item.name, configuration.modelClass)
      : item.name.replace(/\.[^.]*$/, "")
  const additions = adds.filter(({ needs, lacks }) => (width ? !lacks : !needs))
  const additionsToModules = additions.filter(({ at }) => at)
  const inModules = [...groupBy(items, moduleOf)].flatMap(([module, itemsOfModule]) =>
    changedModule(module, itemsOfModule, additionsToModules, tuning),
  )
  const wholeModel = { ...items[0], path: "", layers: [] }
  const additionsToModel = additions.filter(({ at }) => !at)
  return [...inModules, ...additionsToModel.map((addition) => addedTo(wholeModel, addition, block, addition.name))]
}

/** The items of a module after a method has changed it, with the names that PEFT gives them: the items of the module
 * itself, those that the method adds, and copies.
 * @param {string} module @param {ItemOfBlock[]} items @param {Method["adds"]} additions
 * @param {Tuning} tuning */
function changedModule(module, items, additions, { method, ...options }) {
  const { copies, prefix, block, beside } = METHODS.get(method)
  /** Whether an item is in one of the modules that `at` specifies, either as the name of a field in which the reader
   * chose them or as a list of their names.
   * @param {ItemOfBlock} item @param {string} at */
  const isAt = (item, at) => {
    const names = options[/** @type {"modules" | "feedforward"} */ (at)] ?? at.split(",")
    return names.some((name) => isSelected(item, name))
  }
  /** The joined names, with the prefix that the method puts before every name. @param {string[]} names */
  const nameUnder = (...names) => [prefix, ...names].filter(Boolean).join(".")
  const ending = Object.keys(beside).find((suffix) => module.endsWith(suffix)) ?? ""
  const holder = module.slice(0, module.length - ending.length) + (beside[ending] ?? "")
  const addedItems = additions.flatMap((addition) => {
    const { at, but } = addition
    const matrix = at && items.find((item) => isAt(item, at) && !(but && isAt(item, but)))
    return matrix ? [{ ...addedTo(matrix, addition, block, nameUnder(holder, addition.name)), module }] : []
  })
  /** An item under the name that it has within the wrapped module. @param {ItemOfBlock} item @param {string} within */
  const withName = (item, within) => ({ ...item, name: nameUnder(module, within, item.name.slice(module.length + 1)) })
  /** The kind of copy that the method makes of the module; "" if it makes none. */
  const copyKind = Object.keys(copies).find((name) => isSelected(items[0], name)) ?? ""
  // The names that PEFT gives to the copy and to the original within their wrapper. It also wraps a module to which it
  // adds an adapter.
  const [copyName, originalName] = copies[copyKind] ?? ["", prefix && addedItems.length ? "base_layer" : ""]
  const fieldsOfCopy = {
    block: copyKind === "copied" ? COPIED_BLOCK : block,
    added: COPIED_BLOCK,
    module,
    at: copyKind,
  }
  const copiedItems = copyName
    ? items.map((item) => ({ ...withName(item, copyName), path: `${item.path}/copy`, ...fieldsOfCopy }))
    : []
  return [...items.map((item) => withName(item, originalName)), ...addedItems, ...copiedItems]
}

/** The tensor that a method adds to a matrix or to the whole model. In its shape, `in` and `out` mean the dimensions of
 * the matrix. For LoRA, its path ends in lora_A or lora_B, so that the labels of sums recognise it.
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

/** The part that pruning removes from a matrix or a bias, as an item to subtract; empty if it removes nothing.
 * @param {ItemOfBlock} item @returns {ItemOfBlock[]} */
function prunedParts(item) {
  const shape = changes.pruned[rows.indexOf(item.row)]
  const part = { factors: ["−1"], above: [-1], layers: [PRUNED_LETTER], name: `${item.name} of pruned heads` }
  return shape ? [{ ...item, ...part, path: `${item.path}${PRUNED_END}`, shape: dimensions(shape) }] : []
}

/** The shape of an item as its library stores it. @param {ItemOfBlock} item */
const shapeOf = ({ shape, row, added }) =>
  row.transposed && (!added || added === COPIED_BLOCK) ? [...shape].reverse() : shape

/** The items in the order of their library, with ties resolved. If two names refer to one tensor, the first owns it,
 * and the second is tied to the first. transformers 4 builds the body, which contains the owner, first.
 * @param {ItemOfBlock[]} items @param {boolean} isOwnerFirst */
function withTies(items, isOwnerFirst) {
  const inOrder = [...items]
  for (const [index, item] of inOrder.entries()) {
    if (!isUncounted(item.factors)) continue
    const ownerIndex = inOrder.findIndex(({ path }) => path === item.row.tied_to)
    const owner = inOrder[ownerIndex]
    if (isOwnerFirst || ownerIndex < index) item.tied = owner.name
    else {
      ;[inOrder[index], inOrder[ownerIndex]] = [owner, item]
      ;[owner.name, item.name] = [item.name, owner.name]
    }
  }
  return inOrder
}

const MAX_CACHED = 200 // the cache is emptied once it holds this many configurations, so that it does not grow forever

/** The results of `tensorsOf`. @type {Map<string, Tensors>} */
const cache = new Map()

/** The items of a configuration and the formula of its total. They are cached for all sizes with which the same rows
 * exist, because they do not depend on the sizes otherwise.
 * @param {Configuration} configuration @returns {Tensors} */
function tensorsOf(configuration) {
  const { modelClass, sizes, choices, biases, tuning, pruned } = configuration
  const presenceDigits = presence(classes.get(modelClass), choices, sizes)
  const values = CHOICES.map((name) => choices[name])
  const method = tuning && [tuning.method, tuning.modules, `:${tuning.feedforward}`, !tuning.width]
  const key = [modelClass, ...values, biases, presenceDigits, !pruned, method].join()
  if (cache.size >= MAX_CACHED) cache.clear()
  return getOrMake(cache, key, () => {
    const items = everyItem(configuration)
    const countedItems = items.filter((item) => !isUncounted(item.factors))
    const itemsInOrder = withTies(items, isOfRelease4(configuration))
    return { items, countedItems, itemsInOrder, formula: formulaOf(mergeTerms(countedItems.map(signedTerm))) }
  })
}

/** The trained part of an item: the item itself and, if it is in layers and the first of them are frozen, an item that
 * subtracts these; empty if nothing in it is trained. A tied tensor has no trained part, because its owner is counted.
 * @param {ItemOfBlock} item @param {Configuration} configuration @param {Sizes} sizes @returns {ItemOfBlock[]} */
function trainedParts(item, { tuning, frozen }, sizes) {
  const { path, layers, added } = item
  const isFrozenPart = FREEZABLE.some((part) => frozen[part] && isSelected(item, part))
  // A method trains the tensors that it adds, and the rows that are selected for it.
  const isFrozen = tuning ? !added && !isSelected(item, tuning.method) : isFrozenPart
  if (isUncounted(item.factors) || isFrozen) return []
  const frozenLayers = item.row.skips_first_layer ? butFirst(FROZEN_LETTER) : FROZEN_LETTER
  const frozenItem = { ...item, path: `${path} frozen`, layers: [frozenLayers], factors: ["−1"], above: [-1] }
  return layers.length && sizes[FROZEN_LETTER] && !tuning ? [item, frozenItem] : [item]
}

/** Whether an item must not be packed because a method trains the item or a copy of it.
 * @param {ItemOfBlock} item @param {Configuration} configuration @param {Sizes} sizes */
function isException(item, configuration, sizes) {
  if (!configuration.tuning || item.added) return false
  const copies = Object.keys(METHODS.get(configuration.tuning.method).copies)
  return trainedParts(item, configuration, sizes).length > 0 || copies.some((name) => isSelected(item, name))
}

/** The items that bitsandbytes packs. An untied decoder is only packed if there are exceptions. By default,
 * transformers leaves the decoder unpacked, but a list of exceptions replaces that default.
 * @param {ItemOfBlock[]} items @param {Configuration} configuration @param {Sizes} sizes */
function packedItems(items, configuration, sizes) {
  const exceptions = new Set(items.filter((item) => isException(item, configuration, sizes)))
  const hasExceptions = [...exceptions].some(({ shape }) => shape.length > 1)
  const names = ["packed", ...(hasExceptions ? ["decoder"] : [])]
  return items.filter(
    (item) =>
      !item.added &&
      names.some((name) => isSelected(item, name)) &&
      !exceptions.has(item) &&
      !isUncounted(item.factors),
  )
}

/** An item as a term of a formula, negative if it is subtracted. @param {ItemOfBlock} item */
function signedTerm(item) {
  const term = termOf(item)
  return { ...term, coefficient: item.above[0] === -1 ? -term.coefficient : term.coefficient }
}

// --- Counting -----------------------------------------------------------------

const ADAM_MOMENTS = 2 // the numbers that Adam keeps for each trained parameter
const FULL_WIDTH = table.dtypes.float32 // the bytes of a parameter that is not packed

/** An item as a row of the calculator's tables, with its numbers.
 * @param {Item & ItemOfSum & ItemOfBlock} item @param {Sizes} sizes */
const countedRow = (item, sizes) => ({
  path: item.path,
  name: item.name,
  tied: item.tied,
  block: item.block,
  added: item.added,
  at: item.at,
  module: item.module,
  skipsFirstLayer: item.row.skips_first_layer === true,
  letters: shapeOf(item).map(String),
  shape: shapeOf(item).map((size) => sizeOfDimension(size, sizes)),
  layers: product(item.layers, sizes),
  elementsPerLayer: product(item.shape, sizes) * (item.above[0] === -1 ? -1 : 1),
  number: numberOf(item, sizes) ?? NaN,
})

/** The numbers of a configuration: its total and trainable parameters, tensors, parts, formula, worked-out sum and
 * bytes.
 * @param {Configuration} configuration @returns {CountedConfiguration} */
export function count(configuration) {
  const fullConfiguration = withFixedChoices(configuration)
  const { countedItems, itemsInOrder, formula } = tensorsOf(fullConfiguration)
  const sizes = sizesOf(fullConfiguration)
  const packedSet = new Set(packedItems(itemsInOrder, fullConfiguration, sizes))
  const countedRows = itemsInOrder.map((item) => ({
    ...countedRow(item, sizes),
    packed: packedSet.has(item),
    trainable: sumOf(trainedParts(item, fullConfiguration, sizes), sizes) ?? NaN,
  }))
  /** The number of parameters in several rows, and the number of trained ones.
   * @param {CountedRow[]} rowList @returns {[number: number, trainable: number]} */
  const numbersIn = (rowList) => [sumBy(rowList, ({ number }) => number), sumBy(rowList, ({ trainable }) => trainable)]
  const [total, trainable] = numbersIn(countedRows)
  const method = fullConfiguration.tuning && METHODS.get(fullConfiguration.tuning.method)
  const parts = changes.blocks.flatMap(({ name: block, title, page }) => {
    const blockRows = countedRows.filter((row) => row.block === block)
    if (!blockRows.length) return []
    const [number, trainable] = numbersIn(blockRows)
    const partTitle = method?.block === block ? method.part : title
    return [{ block, title: partTitle, page, number, trainable, share: shareOf(number, total) }]
  })
  return {
    total,
    trainable,
    rows: countedRows,
    parts,
    formula,
    bytes: { ...bytesOf(total, trainable), ...packedBytes(countedRows, fullConfiguration) },
    // A getter, because the sum takes time to compute and is not always read.
    get sum() {
      return sumLines(countedItems, sizes)
    },
  }
}

/** The total of a configuration, computed without the other numbers that `count` returns.
 * @param {Configuration} configuration */
export const totalOf = (configuration) => numbersOf(stateOf(configuration)).value

/** A number as a share of a total; 0 if the total is 0. @param {number} number @param {number} total */
export const shareOf = (number, total) => (total ? number / total : 0)

/** The bytes that weights, gradients and Adam's moments take in training.
 * @param {number} weights  the bytes of the weights @param {number} trainable  the number of trained parameters
 * @param {number} width  the bytes per trained parameter
 * @param {number} [scales]  the bytes of the scales of packed weights
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

/** The bytes of training by the format in which matrices are packed; empty for an architecture that is never packed,
 * and if heads are pruned, because layers may then differ.
 * @param {CountedRow[]} countedRows @param {Configuration} configuration */
function packedBytes(countedRows, { architecture, pruned }) {
  const storages = pruned || changes.unpacked.includes(architecture) ? [] : changes.storages
  const packedRows = countedRows.filter((row) => row.packed)
  const unpackedRows = countedRows.filter((row) => !row.packed)
  const unpackedBytes = FULL_WIDTH * sumBy(unpackedRows, ({ number }) => number)
  const trainable = sumBy(unpackedRows, ({ trainable }) => trainable)
  return Object.fromEntries(
    storages.map(({ title, per, width, scales, rows: bytesOfRow, offset }) => {
      const weights = sumBy(
        packedRows,
        ({ layers, elementsPerLayer }) => layers * width * Math.ceil(elementsPerLayer / per),
      )
      const scalesBytes = sumBy(packedRows, ({ layers, elementsPerLayer, shape }) => {
        const blocks = sumBy(scales, ([size, bytes]) => bytes * Math.ceil(elementsPerLayer / size))
        return layers * (blocks + bytesOfRow * shape[0] + offset)
      })
      return [title, memory(unpackedBytes + weights, trainable, FULL_WIDTH, scalesBytes)]
    }),
  )
}

/** The number of parameters that a model lacks if transformers resizes its vocabulary in place instead of building the
 * model with the new vocabulary; negative if the resized model has more. An untied head may have a second bias, which
 * is lost or keeps its old length. A single bias ("alone") keeps its old length whether or not the head is tied.
 * @param {Configuration} from @param {Configuration} to */
export function missingInPlace(from, to) {
  const { modelClass, biases, choices } = withFixedChoices(to)
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
  "tuning",
]

/** The kinds of steps whose names differ from those of the fields that change. @type {Record<string, string>} */
const KINDS = { sizes: "size", modelClass: "class" }

/** The value at a path of field names separated by dots.
 * @param {any} fields @param {string} path @returns {any} */
const valueAt = (fields, path) => path.split(".").reduce((value, name) => value?.[name], fields)

/** A copy of the fields with a new value at a path.
 * @param {any} fields @param {string[]} path @param {unknown} value @returns {any} */
const withValue = (fields, [key, ...rest], value) => ({
  ...fields,
  [key]: rest.length ? withValue(fields[key], rest, value) : value,
})

/** A value in the form in which steps compare and show it: objects as JSON, null as false.
 * @param {any} value @returns {Change["to"]} */
const plainValue = (value) => (typeof value === "object" ? Boolean(value) && JSON.stringify(value) : value)

/** The configurations on the way from `from` to `to`, each with the change that leads to it.
 * @param {Configuration} from @param {Configuration} to @returns {Iterable<[Configuration, Change]>} */
function* configurationsBetween(from, to) {
  let configuration = from
  for (const name of FIELDS) {
    const value = valueAt(to, name)
    const [oldValue, newValue] = [plainValue(valueAt(withFixedChoices(configuration), name)), plainValue(value)]
    if (oldValue === newValue || oldValue === undefined || newValue === undefined) continue
    // A new architecture entails a new class and new sizes.
    const { modelClass, sizes } = name === "architecture" ? to : configuration
    configuration = withValue({ ...configuration, modelClass, sizes }, name.split("."), value)
    const [field, leaf] = name.split(".")
    const kind = /** @type {Change["kind"]} */ (KINDS[field] ?? (field === "choices" ? leaf : field))
    yield [configuration, { kind, key: kind === "size" ? leaf : "", from: oldValue, to: newValue }]
  }
}

/** The steps from one configuration to another. They add up to the difference, both in all parameters and in trainable
 * parameters. A new architecture or class has a step for each block that it changes. Null if a configuration on the way
 * has more parameters than a script can count exactly.
 * @param {Configuration} from @param {Configuration} to @returns {ChangeStep[] | null} */
export function steps(from, to) {
  let oldState = stateOf(from)
  /** @type {ChangeStep[]} */
  const stepList = []
  for (const [configuration, change] of configurationsBetween(from, withFixedChoices(to))) {
    const newState = stateOf(configuration)
    if (numbersOf(newState).value > MAX_NUMBER) return null
    if (change.kind !== "class" && change.kind !== "architecture")
      stepList.push(stepOf(oldState, newState, change, () => true))
    else
      for (const { name } of changes.blocks)
        stepList.push(stepOf(oldState, newState, { ...change, key: name }, (item) => item.block === name))
    oldState = newState
  }
  return stepList.filter(({ value, trainable }) => value || trainable)
}

/** A configuration with the sizes and items from which its numbers follow.
 * @param {Configuration} configuration @returns {State} */
function stateOf(configuration) {
  const fullConfiguration = withFixedChoices(configuration)
  return {
    configuration: fullConfiguration,
    sizes: sizesOf(fullConfiguration),
    items: tensorsOf(fullConfiguration).items,
  }
}

/** The number of parameters in several items, by default all items of a state, and the number of trained ones.
 * @param {State} state @param {ItemOfBlock[]} [countedItems] */
function numbersOf({ configuration, sizes, items }, countedItems = items) {
  const trainableItems = countedItems.flatMap((item) => trainedParts(item, configuration, sizes))
  return { value: sumOf(countedItems, sizes) ?? NaN, trainable: sumOf(trainableItems, sizes) ?? NaN }
}

/** The step that a change makes, limited to the items for which `isIncluded` returns true.
 * @param {State} before @param {State} after @param {Change} change
 * @param {(item: ItemOfBlock) => boolean} isIncluded @returns {ChangeStep} */
function stepOf(before, after, change, isIncluded) {
  const [oldNumbers, newNumbers] = [before, after].map((state) => {
    const items = state.items.filter(isIncluded)
    const changedItems =
      change.kind === "frozen" ? items.flatMap((item) => trainedParts(item, state.configuration, state.sizes)) : items
    return { ...numbersOf(state, items), items: itemsByShape(changedItems) }
  })
  // Each architecture may have letters that the other lacks.
  const sizes = {
    ...after.sizes,
    ...before.sizes,
    [FROZEN_LETTER]: before.sizes[FROZEN_LETTER] || after.sizes[FROZEN_LETTER],
  }
  const letter = change.kind === "size" ? change.key : undefined
  const formula = stepFormula(oldNumbers.items, newNumbers.items, letter, before.sizes, after.sizes)
  const value = newNumbers.value - oldNumbers.value
  const trainable = newNumbers.trainable - oldNumbers.trainable
  return { ...change, value, trainable, formula, sizes }
}

/** Items by path, shape and layers, because two architectures may have different shapes at the same path.
 * @param {ItemOfBlock[]} items */
const itemsByShape = (items) =>
  new Map(items.map((item) => [[item.path, item.shape, item.layers].join(" "), /** @type {Item} */ (item)]))

// --- What may be changed ----------------------------------------------------

/** The switches that have an effect for a class, and the modules to which a method can be applied.
 * @param {Configuration} configuration @returns {Available} */
export function available({ modelClass }) {
  const { offers, rows: classRows } = classes.get(modelClass)
  const switches = Object.fromEntries([...CHOICES, "labels", "head"].map((name) => [name, offers.includes(name)]))
  const modules = changes.modules.filter((name) => classRows.some((row) => rowsByName.get(name)?.has(row)))
  return /** @type {Available} */ ({ ...switches, modules })
}

/** The sizes that cannot grow by one, because the model would not run: the hidden size is divided among the heads,
 * query heads share the heads of keys and values, and a convolution needs an odd width to be symmetric. */
const NEVER_ONE_MORE = new Set(["H", "A", "N", "Z"])

/** Small changes, one at a time, each with the difference that it makes to the total.
 * @param {Configuration} configuration @returns {WhatIf[]} */
export function whatIfs(configuration) {
  const fullConfiguration = withFixedChoices(configuration)
  const { sizes, architecture } = fullConfiguration
  const sharedLetter = architectures.get(architecture).heads_share
  const hasLabels = available(fullConfiguration).labels
  /** Whether a size may grow by one in this configuration. */
  const isOffered = (/** @type {string} */ letter) =>
    letter in sizes && letter !== sharedLetter && !NEVER_ONE_MORE.has(letter) && (letter !== "C" || hasLabels)
  /** @type {[name: string, sizes: Sizes][]} */
  const changedSizes = LETTERS.filter(isOffered).map((letter) => [`more-${letter}`, { [letter]: sizes[letter] + 1 }])
  if (!("N" in sizes)) changedSizes.push(...headChanges(sizes.A, sharedLetter, sizes[sharedLetter]))
  const whatIfList = changedSizes.map(([name, newSizes]) => ({
    name,
    to: { ...fullConfiguration, sizes: { ...sizes, ...newSizes } },
  }))
  if (fullConfiguration.biases) whatIfList.push({ name: "biases-off", to: { ...fullConfiguration, biases: false } })
  const total = totalOf(fullConfiguration)
  return whatIfList.map((whatIf) => ({ ...whatIf, value: totalOf(whatIf.to) - total }))
}

/** The what-ifs about heads: one more head of the same width, and a different number of heads that share the present
 * width. Each is only included if it is possible.
 * @param {number} heads @param {string} letter  the letter of the width that the heads share
 * @param {number} width @returns {[name: string, sizes: Sizes][]} */
function headChanges(heads, letter, width) {
  /** @type {[string, Sizes][]} */
  const headSizes = []
  if (width % heads === 0) headSizes.push(["more-heads", { A: heads + 1, [letter]: width + width / heads }])
  // Twice as many if possible, otherwise half as many, one, or as many as the width has features.
  const otherHeads = [2 * heads, heads / 2, 1, width].find(
    (number) => number !== heads && Number.isInteger(number) && width % number === 0,
  )
  if (otherHeads) headSizes.push(["other-heads", { A: otherHeads }])
  return headSizes
}
