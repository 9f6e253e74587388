// Groups the names in a warning by the part of the model that they belong to, each group
// with its number of parameters. The sizes are those of the checkpoint if it is a
// published model. Otherwise only the shapes in the text are known.
//
// A verdict is about parts rather than tensors, because a new pooler means the same
// whether its weight, its bias or both are in the list.

import { product, sumBy } from "../../counting/engine.js"
import { modelOfName, wasFineTuned } from "../model-names.js"
import { countedClass, entriesOf, layerCountOf } from "./names.js"

/** @typedef {import("./names.js").Architecture} Architecture */
/** @typedef {import("./names.js").NameEntry} NameEntry */
/** @typedef {import("./text.js").LoadReport} LoadReport */

/** @typedef {"missing" | "unexpected" | "mismatched"} Status */
/** The names of one part with one status, and their number of parameters, which is null if the sizes are unknown.
 * `needsLabelCount` is true if that number depends on a number of labels that no shape in the text gives.
 * @typedef {{ part: string, status: Status, entries: NameEntry[], number: number | null,
 *   needsLabelCount: boolean }} Group */

/** A parsed warning: its architecture, the class if it is counted, the name of the class as written, the checkpoint,
 * the published model with the name of the checkpoint, that model's sizes, the report, and its names in groups.
 * @typedef {{ architecture: Architecture, modelClass: string, className: string, checkpoint: string,
 *   model: Model | null, sizes: Sizes | null, report: LoadReport, groups: Group[] }} ParsedWarning */

/** The words for parts, in the order of a model. @type {Record<string, string>} */
export const PART_TITLES = {
  embeddings: "the embeddings",
  encoder: "the encoder",
  "cross-attention": "cross-attention",
  pooler: "the pooler",
  "contact-head": "the head that predicts contacts",
  "mlm-head": "the masked-LM head",
  "nsp-head": "the next-sentence head",
  "discriminator-head": "the discriminator head",
  "task-head": "the classifier",
  "choice-head": "the multiple-choice head",
  "answer-head": "the answer head",
  buffers: "buffers, which are not parameters",
  empty: "layers without parameters",
  unknown: "tensors that we do not know",
}

// The parts that every class has, the heads for tasks, and the heads for language modelling.
export const BODY = ["embeddings", "encoder"]
export const TASK_HEADS = ["task-head", "choice-head", "answer-head"]
export const LM_HEADS = ["mlm-head", "nsp-head", "discriminator-head"]

/** The part that a row belongs to. @param {Row} row */
export function partOf({ path, block }) {
  if (path.startsWith("bert/pooler")) return "pooler"
  if (path.startsWith("bert/contact_head")) return "contact-head"
  if (path.includes("/crossattention/")) return "cross-attention"
  if (/^bert\/(?:embeddings|relative)/.test(path)) return "embeddings"
  if (path.startsWith("bert/")) return "encoder"
  if (/^(?:cls\/squad|answer)/.test(path)) return "answer-head"
  if (path.startsWith("multiple_choice")) return "choice-head"
  return block
}

/** A report on a known architecture as a parsed warning, with its names grouped.
 * @param {LoadReport} report @param {Architecture} architecture @returns {ParsedWarning} */
export function parsedWarningOf(report, architecture) {
  const modelClass = countedClass(report.modelClass)
  // The name of a fine-tuned model does not show its number of labels, so its sizes are taken as unknown.
  const namedModel = wasFineTuned(report.checkpoint) ? null : modelOfName(report.checkpoint)?.model
  const model = namedModel?.architecture === architecture.name ? namedModel : null
  /** @type {[Status, Map<string, import("./text.js").TensorMention>][]} */
  const mentionsByStatus = [
    ["missing", report.missing],
    ["unexpected", report.unexpected],
    ["mismatched", report.mismatched],
  ]
  // Unexpected names come from the file, which may have been saved from a different class.
  const entriesByStatus = mentionsByStatus.map(([status, names]) => ({
    status,
    entries: entriesOf(names, architecture, status === "unexpected" ? "" : modelClass),
  }))
  const allEntries = entriesByStatus.flatMap(({ entries }) => entries)
  const sizes = model && withLabelCount(model.sizes, allEntries, report.labels)
  const groups = entriesByStatus.flatMap(({ status, entries }) => groupsOf(entries, status, sizes))
  const { modelClass: className, checkpoint } = report
  return { architecture, modelClass, className, checkpoint, model, sizes, report, groups }
}

/** The sizes, with the number of labels that a shape in the text gives or, failing that, the words around the names;
 * unchanged if neither gives one.
 * @param {Sizes} sizes @param {NameEntry[]} entries @param {number} labels  0 if no words give it @returns {Sizes} */
function withLabelCount(sizes, entries, labels) {
  for (const { rows, mention } of entries)
    for (const row of rows) if (mention.to && row.dimensions[0] === "C") return { ...sizes, C: mention.to[0] }
  return labels ? { ...sizes, C: labels } : sizes
}

/** The part that a name belongs to. @param {NameEntry} entry */
function partOfEntry({ rows: [row], isBuffer, isEmpty }) {
  if (isBuffer) return "buffers"
  if (isEmpty) return "empty"
  return row ? partOf(row) : "unknown"
}

/** Names grouped by part, in the order of a model.
 * @param {NameEntry[]} entries @param {Status} status @param {Sizes | null} sizes @returns {Group[]} */
export function groupsOf(entries, status, sizes) {
  /** @type {Map<string, NameEntry[]>} */
  const parts = new Map()
  for (const entry of entries) {
    const part = partOfEntry(entry)
    parts.set(part, [...(parts.get(part) ?? []), entry])
  }
  const order = Object.keys(PART_TITLES)
  return [...parts]
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([part, entriesOfPart]) => {
      const numbers = entriesOfPart.map((entry) => parameterCountOf(entry, sizes))
      const number = numbers.every((summand) => summand !== null) ? sumBy(numbers, (summand) => summand) : null
      const needsLabelCount = entriesOfPart.some(
        (entry) => !entry.mention.to && entry.rows.some((row) => row.dimensions.includes("C")),
      )
      return { part, status, entries: entriesOfPart, number, needsLabelCount }
    })
}

/** The number of parameters of a name; null if it is unknown. If the text gives a shape, it is the number in one layer;
 * otherwise it is that in all layers of the name, without tied tensors.
 * @param {NameEntry} entry @param {Sizes | null} sizes */
export function parameterCountOf(entry, sizes) {
  const { rows, mention, isBuffer, isEmpty } = entry
  if (isBuffer || isEmpty) return 0
  if (mention.to) return product(mention.to, {})
  if (!rows.length || !sizes) return null
  return layerCountOf(entry) * sumBy(rows, (row) => (row.tied_to ? 0 : product(row.dimensions, sizes)))
}

/** Whether all tensors of a name are tied to others. @param {NameEntry} entry */
export const isTied = ({ rows }) => rows.length > 0 && rows.every((row) => row.tied_to)
