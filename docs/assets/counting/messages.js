// Fills in the sentences that scripts share with the build. They are part of the
// exported table, and values replace the names in braces.

import table from "../../data/table.js"
import { whole } from "./engine.js"

/** A text with its values filled in: numbers with commas, texts as they are.
 * @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? whole(values[name]) : values[name]))

/** A message of the engine, by its name in `messages.toml`.
 * @param {keyof Table["messages"]} name @param {Record<string, string | number>} [values] */
export const textOf = (name, values = {}) => filled(table.messages[name], values)
