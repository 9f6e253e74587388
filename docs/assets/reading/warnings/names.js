// Matches the names in a report on loading with the tensors of an architecture. Prefixes
// of DataParallel, a compiler or another model's class are removed, and the name of a whole
// layer of Keras stands for all tensors below it.
//
// A report need not say which architecture it is about. If neither its class nor its
// checkpoint is known, each architecture is tried, and the one with the most names of its
// own wins, provided that these are enough of all names.

import table from "../../../data/table.js"
import { architectures, classes, classOfBare, inTorch, rows } from "../../counting/engine.js"
import { modelOfName } from "../model-names.js"

/** @typedef {import("./text.js").TensorMention} TensorMention */
/** @typedef {Table["architectures"][0]} Architecture */
/** @typedef {{ name: string, mention: TensorMention, rows: Row[], wrapper: string, isBuffer: boolean, isEmpty: boolean }} Entry A name with the rows that it stands for; what stands before the names of the bare model; whether it is a buffer, or a layer without parameters. */

/** The names of buffers in any of the models, which hold no parameters. */
const BUFFER = /(?:^|\.)(?:position_ids|token_type_ids|inv_freq|num_batches_tracked|attention_mask|masked_bias)$/
/** The names that Keras gives to layers without parameters. */
const EMPTY = /^(?:dropout|activation|re_?lu|gelu|flatten|input|lambda)(?:_[0-9]+)?$/

/** PyTorch's names of the layers that TensorFlow's classes call differently. @type {Record<string, string>} */
const KERAS_LAYERS = { mlm___cls: "cls.predictions", nsp___cls: "cls.seq_relationship" }

/** The prefixes that DataParallel, a compiler, PEFT and people's own classes put before all names. */
const WRAPPERS = new Set(["module", "_orig_mod", "_forward_module", "base_model", "model", "net", "backbone"])

/** How many components before a name may be removed. Wrappers may be nested, but hardly this deep. */
const MAX_WRAPPERS = 4

const MIN_SHARE = 1 / 3 // of names that must speak for an architecture; a report may be mostly about heads, which do not
const WEIGHT_OF_PREFIX = 1 / 2 // of a name that also has the prefix of the architecture

/** The class that a name means, BertModel for TFBertModel too; "" if it is none that we count. @param {string} name */
export const countedClass = (name) => (classes.has(inTorch(name)) ? inTorch(name) : "")

/** The architecture of a class: if we do not count the class, the one whose own name its name begins with, as in
 * BertForMyTask; undefined if there is none.
 * @param {string} modelClass @returns {Architecture | undefined} */
function architectureOfClass(modelClass) {
  const countedName = countedClass(modelClass)
  if (countedName) return architectures.get(classes.get(countedName).architecture)
  return table.architectures
    .map((architecture) => ({ architecture, stem: classOfBare(architecture.name).replace(/Model$/, "") }))
    .filter(({ stem }) => inTorch(modelClass).startsWith(stem))
    .sort((one, other) => other.stem.length - one.stem.length)[0]?.architecture
}

/** The architecture that a report is about; null if nothing in it says which.
 * @param {string} modelClass @param {string} checkpoint @param {string[]} names @returns {Architecture | null} */
export function architectureOf(modelClass, checkpoint, names) {
  const model = modelOfName(checkpoint)?.model
  const architectureByName = architectureOfClass(modelClass) ?? (model && architectures.get(model.architecture))
  if (architectureByName) return architectureByName
  const scores = table.architectures.map((architecture) => {
    const index = indexOf(architecture)
    const distinctive = names.filter((name) => isDistinctive(name, architecture, index))
    // What looks like a wrapper here may be the prefix of another architecture.
    const prefixed = distinctive.filter((name) => hasPrefix(name, architecture))
    return { architecture, score: distinctive.length + prefixed.length * WEIGHT_OF_PREFIX }
  })
  const [best] = scores.sort((one, other) => other.score - one.score)
  return best && best.score / names.length > MIN_SHARE ? best.architecture : null
}

/** Whether a name has the prefix of an architecture in it. @param {string} name @param {Architecture} architecture */
const hasPrefix = (name, { prefix }) => `.${name}`.includes(`.${prefix}`)

/** Whether a name is evidence for an architecture. Those of heads and poolers are not, because many models have a
 * "classifier", and a buffer below "model" is not, because several have "model" before all names.
 * @param {string} name @param {Architecture} architecture @param {Map<string, Row[]>} index */
function isDistinctive(name, architecture, index) {
  if (BUFFER.test(name)) return architecture.prefix !== "model." && hasPrefix(name, architecture)
  return resolve(name, architecture, index).rows.some(({ block }) => block !== "task-head" && block !== "pooler")
}

/** The results of `indexOf`, by the name of the architecture. @type {Map<string, Map<string, Row[]>>} */
const indexes = new Map()

/** The rows of an architecture by their names, without numbers of layers; heads may share a name.
 * @param {Architecture} architecture */
function indexOf({ name, names }) {
  const savedIndex = indexes.get(name)
  if (savedIndex) return savedIndex
  /** @type {Map<string, Row[]>} */
  const index = new Map()
  for (const [rowIndex, full] of Object.entries(names))
    index.set(full, [...(index.get(full) ?? []), rows[Number(rowIndex)]])
  indexes.set(name, index)
  return index
}

/** Finds the rows that a name stands for, and what comes before the names of the bare model in it.
 * @param {string} name @param {Architecture} architecture @param {Map<string, Row[]>} index */
function resolve(name, { prefix }, index) {
  const parts = name.split(".")
  for (let start = 0; start <= Math.min(MAX_WRAPPERS, parts.length - 1); start++) {
    const bareName = parts.slice(start).join(".")
    const before = start ? `${parts.slice(0, start).join(".")}.` : ""
    // Before the name of a head, only what is known to come before all names is removed.
    const isWrapped = parts.slice(0, start).every((part) => WRAPPERS.has(part))
    const rowsByName = index.get(bareName)?.filter(({ path }) => isWrapped || path.startsWith("bert/"))
    if (rowsByName?.length) return { rows: rowsByName, wrapper: bareName.startsWith(prefix) ? before + prefix : before }
    // The names of the bare model lack the prefix that it has within another class.
    const rowsWithPrefix = index.get(prefix + bareName)
    if (rowsWithPrefix) return { rows: rowsWithPrefix, wrapper: before }
    // Keras names a whole layer, and puts no wrapper before it.
    if (start) continue
    const layer = KERAS_LAYERS[bareName] ?? bareName
    const below = [...index].filter(([full]) => full.startsWith(`${layer}.`) || full.startsWith(`${prefix}${layer}.`))
    if (below.length) return { rows: below.flatMap(([, rowsBelow]) => rowsBelow), wrapper: "" }
  }
  return { rows: [], wrapper: "" }
}

/** The names of a report with the rows that they stand for. If several heads share a name, it stands for the rows of
 * the class or, if that is not known, of the first head.
 * @param {Map<string, TensorMention>} names @param {Architecture} architecture
 * @param {string} modelClass  "" if not known
 * @returns {Entry[]} */
export function entriesOf(names, architecture, modelClass) {
  const index = indexOf(architecture)
  const classRows = new Set(modelClass ? classes.get(modelClass).rows : [])
  return [...names].map(([key, mention]) => {
    const [name] = key.split(" ") // without the shape that distinguishes equal names
    const isBuffer = BUFFER.test(name)
    const isEmpty = EMPTY.test(name)
    const hasRows = !isBuffer && !isEmpty
    const { rows: allRows, wrapper } = hasRows ? resolve(name, architecture, index) : { rows: [], wrapper: "" }
    const rowsOfClass = allRows.filter((row) => classRows.has(row))
    const rowsOfName = rowsOfClass.length ? rowsOfClass : withoutOtherHeads(allRows)
    return { name, mention, rows: rowsOfName, wrapper, isBuffer, isEmpty }
  })
}

/** The rows, without those of any head but the first. @param {Row[]} all */
function withoutOtherHeads(all) {
  /** Whether a row belongs to a head. */
  const isHead = (/** @type {Row} */ row) => row.block === "task-head"
  const head = all.find(isHead)?.path.split("/")[0]
  return all.filter((row) => !isHead(row) || row.path.split("/")[0] === head)
}
