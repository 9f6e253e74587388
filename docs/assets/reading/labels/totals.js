// Totals: that of a published model, as it is said where a text names the model alone.

import { classes, classOfBare, count, models } from "../../counting/engine.js"

/** The total of a model in a class, or in that without a head; zero if it has no such class.
 * @param {string} name @param {string} modelClass */
export function bareTotal(name, modelClass = "") {
  const { architecture, sizes } = models.get(name)
  const own = modelClass || classOfBare(architecture)
  const isOwn = /** @type {Map<string, ModelClass>} */ (classes).get(own)?.architecture === architecture
  return { modelClass: own, total: isOwn ? (count({ modelClass: own, sizes }) ?? 0) : 0 }
}
