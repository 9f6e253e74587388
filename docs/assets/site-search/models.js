// Finds the model that a query names, as the page that explains numbers would read it.
// This module loads the names of all models, so `pages/search.js` fetches it only for a query
// that may be a name.

import { modelInText } from "../reading/configs/names-in-words.js"
import { MODELS_BY_NAME } from "../reading/model-names.js"

/** A name of a model that the page can explain: the text itself if it names a model, otherwise the shortest known name
 * that continues it, such as legal-bert-base-uncased for legal-bert; "" if there is none.
 * @param {string} text */
export function nameOfModel(text) {
  if (modelInText(text)) return text
  // A word without a hyphen, such as "all" or "multilingual", begins many names and means none of them.
  if (!text.includes("-")) return ""
  const longerNames = [...MODELS_BY_NAME.keys()].filter((name) => name.startsWith(`${text.toLowerCase()}-`))
  const [shortestName = ""] = longerNames.sort((one, other) => one.length - other.length)
  return MODELS_BY_NAME.get(shortestName)?.name ?? ""
}
