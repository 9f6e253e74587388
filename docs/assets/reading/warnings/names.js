// Matches the names in a loading report with the tensors of an architecture. Prefixes from
// DataParallel, a compiler or an enclosing class are removed, and the name of a whole Keras
// layer matches all tensors below it.
//
// A report may not say which architecture it is about. If neither its class nor its
// checkpoint is known, every architecture gets a score for the names that are distinctive of
// it. The best one is chosen if its score is high enough for the number of names.

import table from "../../../data/table.js"
import { architectures, classes, classOfBare, inTorch, rows, sumBy } from "../../counting/engine.js"
import { modelOfName } from "../model-names.js"

/** @typedef {import("./text.js").TensorMention} TensorMention */
/** @typedef {Table["architectures"][0]} Architecture */
/** A name with the rows that it matches, the prefix in front of the bare model's names (`wrapper`), and whether it is a
 * buffer or a layer without parameters.
 * @typedef {{ name: string, mention: TensorMention, rows: Row[], wrapper: string, isBuffer: boolean,
 *   isEmpty: boolean }} NameEntry */

/** The names of buffers, which hold no parameters, in any model. */
const BUFFER = /(?:^|\.)(?:position_ids|token_type_ids|inv_freq|num_batches_tracked|attention_mask|masked_bias)$/
/** Keras's names for layers without parameters. */
const EMPTY = /^(?:dropout|activation|re_?lu|gelu|flatten|input|lambda)(?:_[0-9]+)?$/

/** PyTorch's names for layers that TensorFlow's classes name differently. @type {Record<string, string>} */
const KERAS_LAYERS = { mlm___cls: "cls.predictions", nsp___cls: "cls.seq_relationship" }

/** The prefixes that DataParallel, compilers, PEFT and custom classes put before all names. */
const WRAPPERS = new Set(["module", "_orig_mod", "_forward_module", "base_model", "model", "net", "backbone"])

/** The maximum number of components that may be removed from the start of a name. Wrappers are hardly ever nested
 * more deeply. */
const MAX_WRAPPERS = 4

const MIN_SHARE = 1 / 3 // the minimum score per name; it is low because many names are those of heads
const WEIGHT_OF_PREFIX = 1 / 2 // added for a name that also has the prefix of the architecture

/** PyTorch's name for a class, such as BertModel for TFBertModel; "" if the class is not counted here.
 * @param {string} name */
export const countedClass = (name) => (classes.has(inTorch(name)) ? inTorch(name) : "")

/** The architecture of a class. If the class is not counted, the beginning of its name decides, as in BertForMyTask;
 * undefined if that names no architecture.
 * @param {string} modelClass @returns {Architecture | undefined} */
function architectureOfClass(modelClass) {
  const countedName = countedClass(modelClass)
  if (countedName) return architectures.get(classes.get(countedName).architecture)
  return table.architectures
    .map((architecture) => ({ architecture, stem: classOfBare(architecture.name).replace(/Model$/, "") }))
    .filter(({ stem }) => inTorch(modelClass).startsWith(stem))
    .sort((one, other) => other.stem.length - one.stem.length)[0]?.architecture
}

/** The architecture that a report is about; null if it does not show which.
 * @param {import("./text.js").LoadReport} report @returns {Architecture | null} */
export function architectureOf({ modelClass, checkpoint, missing, unexpected, mismatched }) {
  const model = modelOfName(checkpoint)?.model
  const architectureByName = architectureOfClass(modelClass) ?? (model && architectures.get(model.architecture))
  if (architectureByName) return architectureByName
  const names = [missing, unexpected, mismatched].flatMap((mentions) => [...mentions.keys()].map(nameOf))
  const scores = table.architectures.map((architecture) => {
    const index = nameIndexOf(architecture)
    const distinctiveNames = names.filter((name) => isDistinctive(name, architecture, index))
    // The prefix of one architecture may look like a wrapper to another, so having it counts extra.
    const prefixedNames = distinctiveNames.filter((name) => hasPrefix(name, architecture))
    return { architecture, score: distinctiveNames.length + prefixedNames.length * WEIGHT_OF_PREFIX }
  })
  const [bestScore] = scores.sort((one, other) => other.score - one.score)
  return bestScore && bestScore.score / names.length > MIN_SHARE ? bestScore.architecture : null
}

/** The name in a key of a report, without the shape that distinguishes equal names. @param {string} key */
const nameOf = (key) => key.split(" ")[0]

/** Whether a name contains the prefix of an architecture. @param {string} name @param {Architecture} architecture */
const hasPrefix = (name, { prefix }) => `.${name}`.includes(`.${prefix}`)

/** Whether a name is evidence for an architecture. Names of heads and poolers are not, because many models have a
 * "classifier". A buffer below "model" is not either, because several models have "model" before all names.
 * @param {string} name @param {Architecture} architecture @param {Map<string, Row[]>} index */
function isDistinctive(name, architecture, index) {
  if (BUFFER.test(name)) return architecture.prefix !== "model." && hasPrefix(name, architecture)
  return resolve(name, architecture, index).rows.some(({ block }) => block !== "task-head" && block !== "pooler")
}

/** The cached results of `nameIndexOf` by name of the architecture. @type {Map<string, Map<string, Row[]>>} */
const nameIndices = new Map()

/** The rows of an architecture by name, with stars for layer numbers. Heads may share a name.
 * @param {Architecture} architecture */
function nameIndexOf({ name, names }) {
  const cachedIndex = nameIndices.get(name)
  if (cachedIndex) return cachedIndex
  /** @type {Map<string, Row[]>} */
  const index = new Map()
  for (const [rowIndex, fullName] of Object.entries(names))
    index.set(fullName, [...(index.get(fullName) ?? []), rows[Number(rowIndex)]])
  nameIndices.set(name, index)
  return index
}

/** The rows that a name matches, and the prefix in front of the bare model's names; no rows and "" if it matches none.
 * @param {string} name @param {Architecture} architecture @param {Map<string, Row[]>} index */
function resolve(name, { prefix }, index) {
  const components = name.split(".")
  for (let start = 0; start <= Math.min(MAX_WRAPPERS, components.length - 1); start++) {
    const bareName = components.slice(start).join(".")
    const removedPrefix = start ? `${components.slice(0, start).join(".")}.` : ""
    // Before the name of a head, only known wrappers are removed.
    const isWrapped = components.slice(0, start).every((component) => WRAPPERS.has(component))
    const rowsByName = index.get(bareName)?.filter(({ path }) => isWrapped || path.startsWith("bert/"))
    if (rowsByName?.length)
      return { rows: rowsByName, wrapper: bareName.startsWith(prefix) ? removedPrefix + prefix : removedPrefix }
    // In the bare model, names lack the prefix that they have in classes with a head.
    const rowsWithPrefix = index.get(prefix + bareName)
    if (rowsWithPrefix) return { rows: rowsWithPrefix, wrapper: removedPrefix }
    // Keras names a whole layer and puts no wrapper in front.
    if (start) continue
    const layer = KERAS_LAYERS[bareName] ?? bareName
    const entriesBelow = [...index].filter(
      ([fullName]) => fullName.startsWith(`${layer}.`) || fullName.startsWith(`${prefix}${layer}.`),
    )
    if (entriesBelow.length) return { rows: entriesBelow.flatMap(([, rowsBelow]) => rowsBelow), wrapper: "" }
  }
  return { rows: [], wrapper: "" }
}

/** The names of a report with the rows that they match. A name that several heads share matches the rows of the class
 * or, if the class is unknown, those of the first head.
 * @param {Map<string, TensorMention>} names @param {Architecture} architecture
 * @param {string} modelClass  "" if unknown
 * @returns {NameEntry[]} */
export function entriesOf(names, architecture, modelClass) {
  const index = nameIndexOf(architecture)
  const classRows = new Set(modelClass ? classes.get(modelClass).rows : [])
  return [...names].map(([key, mention]) => {
    const name = nameOf(key)
    const isBuffer = BUFFER.test(name)
    const isEmpty = EMPTY.test(name)
    const hasRows = !isBuffer && !isEmpty
    const { rows: allRows, wrapper } = hasRows ? resolve(name, architecture, index) : { rows: [], wrapper: "" }
    const rowsOfClass = allRows.filter((row) => classRows.has(row))
    const rowsOfName = rowsOfClass.length ? rowsOfClass : withoutOtherHeads(allRows)
    return { name, mention, rows: rowsOfName, wrapper, isBuffer, isEmpty }
  })
}

/** The rows without those of any head but the first. @param {Row[]} allRows */
function withoutOtherHeads(allRows) {
  /** Whether a row belongs to a head. */
  const isHead = (/** @type {Row} */ row) => row.block === "task-head"
  const head = allRows.find(isHead)?.path.split("/")[0]
  return allRows.filter((row) => !isHead(row) || row.path.split("/")[0] === head)
}

/** The number of layers that a name covers, and 1 for a name outside the layers. @param {NameEntry} entry */
export const layerCountOf = ({ mention }) => Math.max(1, mention.layers.size)

/** The number of tensors that names stand for. @param {NameEntry[]} entries */
export const tensorCountOf = (entries) => sumBy(entries, (entry) => entry.rows.length * layerCountOf(entry))
