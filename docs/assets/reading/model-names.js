// Finds models by name: every checkpoint that is known by its name, its id on the hub, or the
// folder that it was first published in. Readers of configurations and of warnings ask
// whose sizes a name stands for, and whether it is that of a fine-tuned model.
//
// A name alone may stand for several checkpoints, because anybody can publish one. So every
// answer says whether it is sure: it is if the whole id is known, or if the owner publishes
// no other model under this name (`ORGANISATIONS`).

import exported from "../../data/reading.js"
import table from "../../data/table.js"

/** @typedef {{ model: Model, name: string, isAlso: boolean, isSure: boolean }} NamedModel
 * A model; the name that was read, whether it is that of another checkpoint with the same sizes, and whether it is
 * surely that checkpoint's. */

/** The most characters of a text that may be a name: enough for an address on the hub, whose ids have up to 96. */
export const MAX_NAME_LENGTH = 160

/** The organisations on the hub that publish the models in the table. Under another owner, a name may stand for another
 * model. */
export const ORGANISATIONS = new Set(exported.names.organisations)

/** Every name of a checkpoint in lower case, with the model that has its sizes.
 * @type {Map<string, { model: Model, name: string, isAlso: boolean }>} */
export const BY_NAME = new Map()
for (const model of table.models)
  for (const name of [model.name, ...(model.also ?? [])]) {
    // The models of courses were never published.
    const isCourse = model.group === "course" && name === model.name
    if (!isCourse && !BY_NAME.has(name.toLowerCase()))
      BY_NAME.set(name.toLowerCase(), { model, name, isAlso: name !== model.name })
  }

/** The same without hyphens and the like, for "bert_base_uncased" and "ms-marco-MiniLM-L-6-v2".
 * @param {string} name */
const squeezed = (name) => name.replace(/[-_.]/g, "")

/** `BY_NAME` with such names. */
const BY_SQUEEZED = new Map([...BY_NAME].map(([name, model]) => [squeezed(name), model]))

/** The models in the folders of google-research/bert, such as uncased_L-12_H-768_A-12, by the first word of the name and
 * the three sizes in it. @type {Record<string, string>} */
const FOLDERS = {
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

const FOLDER = /^([a-z_]+)_l-([0-9]+)_h-([0-9]+)_a-([0-9]+)(?:\.zip)?$/

/** The name of the model in a folder of google-research/bert, or the text itself.
 * @param {string} text  in lower case */
function withoutFolder(text) {
  const [, kind, ...sizes] = FOLDER.exec(text) ?? []
  // The miniatures were published on the hub by the names of their folders, with "bert_" before them.
  const miniature = kind === "uncased" ? `bert_${text}` : ""
  const name = kind && (FOLDERS[[kind, ...sizes].join(" ")] ?? miniature)
  return (name || text).replace(/\.zip$/, "")
}

/** The model of a name or of an id of the hub; null if none has it.
 * @param {string} text @returns {NamedModel | null} */
export function modelOfName(text) {
  const name = withoutFolder(text.trim().replace(/\/+$/, "").toLowerCase())
  const whole = BY_NAME.get(name)
  if (whole) return { ...whole, isSure: true }
  const [owner, last, ...more] = name.split("/")
  if (more.length || !owner) return null
  const namedModel = (last && BY_NAME.get(last)) || BY_SQUEEZED.get(squeezed(last ?? owner))
  return namedModel ? { ...namedModel, isSure: ORGANISATIONS.has(owner) } : null
}

/** The model of an id that is known only with its owner, by the name after the owner; null if the names of several
 * models begin with it, as with bert-base, which klue among others has published.
 * @param {string} last @returns {NamedModel | null} */
export function modelWithoutOwner(last) {
  const name = last.toLowerCase()
  const names = [...BY_NAME.keys()]
  const ids = names.filter((id) => id.endsWith(`/${name}`))
  const namedModel = ids.length === 1 && BY_NAME.get(ids[0])
  return namedModel && !names.some((other) => other.startsWith(`${name}-`)) ? { ...namedModel, isSure: false } : null
}

/** Words in the name of a checkpoint that say that it was fine-tuned, and so has the same body as another: the word itself,
 * data sets, and tasks. The multi-qa models of sentence transformers are no question answerers: they have no head. */
const FINE_TUNED =
  /fine-?_?tun|squad|sst-?[0-9]|nli|\bner\b|\bpos\b|conll|imdb|yelp|qqp|mrpc|\brte\b|cola|\bsts|news|emotion|sentiment|toxic|hate|spam|offens|irony|detect|classif|(?<!multi-)\bqa\b|question/

/** Whether a name is that of a fine-tuned model: of one that is not known, or of another checkpoint with the sizes of a
 * known one. @param {string} name */
export const wasFineTuned = (name) => (modelOfName(name)?.isAlso ?? true) && FINE_TUNED.test(name.toLowerCase())

/** The known checkpoint with whose name another name begins, as those of fine-tuned models do; null if there is none, or if
 * the rest of the name does not say that it was fine-tuned.
 * @param {string} last  the name after the owner @returns {NamedModel | null} */
export function origin(last) {
  const name = last.toLowerCase()
  /** The end of the name after a beginning, with the separator; undefined if it begins otherwise. */
  const endAfter = (/** @type {string} */ start) => (name.startsWith(start) ? name.slice(start.length) : "")
  const starts = [...BY_NAME.keys()].filter(
    (start) => /^[-_]/.test(endAfter(start)) && FINE_TUNED.test(endAfter(start)),
  )
  const [longest] = starts.sort((one, other) => other.length - one.length)
  const namedModel = longest && BY_NAME.get(longest)
  return namedModel ? { ...namedModel, isSure: false } : null
}
