// Finds models by name: by the name of a checkpoint, its id on the hub, or the folder that it
// was first published in. The accounts of configurations and warnings look up the sizes of a
// named model here, and check whether its name suggests that it was fine-tuned.
//
// A name may belong to several checkpoints, because each publisher may use it. So every result
// states whether the checkpoint is certain. It is if the whole name is known (but not if that is a
// folder without its kind, such as L-12_H-768_A-12), or if the owner publishes the models in the
// table (`ORGANISATIONS`).

import exported from "../../data/reading.js"
import table from "../../data/table.js"

/** A model, the name that it was found under, whether that is the name of a further checkpoint with the same sizes
 * (`isFurther`), and whether the checkpoint is certain.
 * @typedef {{ model: Model, name: string, isFurther: boolean, isSure: boolean }} NamedModel */

/** The maximum number of characters in a name: enough for an address on the hub, whose ids have up to 96. */
export const MAX_NAME_LENGTH = 160

/** The organisations on the hub that publish the models in the table. With a different owner, the same name may belong
 * to a different model. */
export const ORGANISATIONS = new Set(exported.names.organisations)

/** The models by the names of their checkpoints, in lower case. A checkpoint belongs to the model with its sizes.
 * @type {Map<string, { model: Model, name: string, isFurther: boolean }>} */
export const MODELS_BY_NAME = new Map()
for (const model of table.models)
  for (const name of [model.name, ...(model.also ?? [])]) {
    // The models of articles and tutorials were never published under their names here.
    const isUnpublished = model.group === "course" && name === model.name
    if (!isUnpublished && !MODELS_BY_NAME.has(name.toLowerCase()))
      MODELS_BY_NAME.set(name.toLowerCase(), { model, name, isFurther: name !== model.name })
  }

/** A name without hyphens, underscores and dots, so that "bert_base_uncased" is also found. @param {string} name */
const withoutSeparators = (name) => name.replace(/[-_.]/g, "")

/** The entries of `MODELS_BY_NAME` by their names without separators. */
const MODELS_BY_BARE_NAME = new Map([...MODELS_BY_NAME].map(([name, entry]) => [withoutSeparators(name), entry]))

/** The names of the checkpoints in the folders of google-research/bert, such as uncased_L-12_H-768_A-12, by the kind
 * and the three sizes in the name of the folder.
 * @type {Record<string, string>} */
const NAMES_BY_FOLDER = {
  "uncased 12 768 12": "bert-base-uncased",
  "cased 12 768 12": "bert-base-cased",
  "uncased 24 1024 16": "bert-large-uncased",
  "cased 24 1024 16": "bert-large-cased",
  "wwm_uncased 24 1024 16": "bert-large-uncased-whole-word-masking",
  "wwm_cased 24 1024 16": "bert-large-cased-whole-word-masking",
  "multi_cased 12 768 12": "bert-base-multilingual-cased",
  "multilingual 12 768 12": "bert-base-multilingual-uncased",
  "chinese 12 768 12": "bert-base-chinese",
}

/** The name of such a folder, perhaps without the kind; TensorFlow Hub adds the prefix "bert_"
 * and, in most names, the language. */
const FOLDER = /^(?:bert_(?=en_|zh_|multi_))?(?:en_)?(?:([a-z_]+)_)?l-([0-9]+)_h-([0-9]+)_a-([0-9]+)(?:\.zip)?$/
const USUAL_KIND = "uncased"

/** The name of the model in a folder of google-research/bert; any other name unchanged, except for a final ".zip".
 * @param {string} text  in lower case */
function nameFromFolder(text) {
  const [folder, kindInName = folder && USUAL_KIND, ...sizes] = FOLDER.exec(text) ?? []
  const kind = kindInName === "zh" ? "chinese" : kindInName // in TensorFlow Hub
  // The miniatures were published on the hub under the names of their folders, prefixed with "bert_".
  const miniature = kind === USUAL_KIND ? `bert_${kind}_${text.slice(text.indexOf("l-"))}` : ""
  const name = kind && (NAMES_BY_FOLDER[[kind, ...sizes].join(" ")] ?? miniature)
  return (name || text).replace(/\.zip$/, "")
}

/** The model that has this name, or this id on the hub; null if there is none.
 * @param {string} text @returns {NamedModel | null} */
export function modelOfName(text) {
  const name = nameFromFolder(text.trim().replace(/\/+$/, "").toLowerCase())
  const exactMatch = MODELS_BY_NAME.get(name)
  if (exactMatch) return { ...exactMatch, isSure: !/^l-/i.test(text.trim()) }
  const [owner, last, ...furtherParts] = name.split("/")
  // The words before a slash in a sentence are not the name of an organisation or a folder.
  if (furtherParts.length || !owner || (last && /[^\w.@-]/.test(owner))) return null
  const namedModel = (last && MODELS_BY_NAME.get(last)) || MODELS_BY_BARE_NAME.get(withoutSeparators(last ?? owner))
  return namedModel ? { ...namedModel, isSure: ORGANISATIONS.has(owner) } : null
}

/** The model whose id has this name after the owner; null unless exactly one id has it and no other name begins with it
 * and a hyphen. For example, bert-base is ambiguous: it is the name of klue's model and the beginning of many other
 * names.
 * @param {string} nameOnly @returns {NamedModel | null} */
export function modelWithoutOwner(nameOnly) {
  const name = nameOnly.toLowerCase()
  const names = [...MODELS_BY_NAME.keys()]
  const ids = names.filter((id) => id.endsWith(`/${name}`))
  const namedModel = ids.length === 1 && MODELS_BY_NAME.get(ids[0])
  return namedModel && !names.some((other) => other.startsWith(`${name}-`)) ? { ...namedModel, isSure: false } : null
}

/** Words in the name of a checkpoint that show that it was fine-tuned: "fine-tuned" itself, data sets, and tasks. The
 * multi-qa models of sentence-transformers do not count, because they have no question-answering head. */
const FINE_TUNED =
  /fine-?_?tun|squad|sst-?[0-9]|nli|\bner\b|\bpos\b|conll|imdb|yelp|qqp|mrpc|\brte\b|cola|\bsts|news|emotion|sentiment|toxic|hate|spam|offens|irony|detect|classif|(?<!multi-)\bqa\b|question/

/** Whether a name suggests that its model was fine-tuned. The names of the table's own models never do, unlike those of
 * further checkpoints with their sizes.
 * @param {string} name */
export const wasFineTuned = (name) => (modelOfName(name)?.isFurther ?? true) && FINE_TUNED.test(name.toLowerCase())

/** The known checkpoint that a fine-tuned model with this name was probably made from: the name begins with that of the
 * checkpoint, and the rest shows that it was fine-tuned. Null if there is none.
 * @param {string} nameOnly  the name after the owner @returns {NamedModel | null} */
export function originOf(nameOnly) {
  const name = nameOnly.toLowerCase()
  /** The rest of the name after a beginning, with the separator; "" if it begins differently. */
  const restAfter = (/** @type {string} */ beginning) =>
    name.startsWith(beginning) ? name.slice(beginning.length) : ""
  const beginnings = [...MODELS_BY_NAME.keys()].filter(
    (beginning) => /^[-_]/.test(restAfter(beginning)) && FINE_TUNED.test(restAfter(beginning)),
  )
  const [longest] = beginnings.sort((one, other) => other.length - one.length)
  const namedModel = longest && MODELS_BY_NAME.get(longest)
  return namedModel ? { ...namedModel, isSure: false } : null
}
