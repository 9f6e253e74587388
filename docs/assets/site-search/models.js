// Finds the model that a query names, as the page that explains numbers would read it. It
// brings the names of all models along, so `pages/search.js` fetches it only for a query
// that may be a name.

import { modelInText } from "../reading/configs/names-in-words.js"
import { BY_NAME } from "../reading/model-names.js"

/**
 * The name of a model under which its page explains it: the text itself if it names one, and otherwise the shortest known
 * name that continues it, such as legal-bert-base-uncased for legal-bert; empty if there is none.
 * @param {string} text
 */
export function nameOfModel(text) {
  if (modelInText(text)) return text
  // A single word, such as "all" or "multilingual", begins many names and means none.
  if (!text.includes("-")) return ""
  const longer = [...BY_NAME.keys()].filter((name) => name.startsWith(`${text.toLowerCase()}-`))
  const [shortest = ""] = longer.sort((one, other) => one.length - other.length)
  return BY_NAME.get(shortest)?.name ?? ""
}
