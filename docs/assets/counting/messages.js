// Fills in the sentences that scripts share with the build: values replace the names in
// braces. The sentences are part of the exported table.

import table from "../../data/table.js"
import { whole } from "./engine.js"

/** The text with values in place of the names in braces. Numbers are written with commas.
 * @param {string} text @param {Record<string, string | number>} values */
export const fillIn = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? whole(values[name]) : values[name]))

/** A message of the engine, by its name in `messages.toml`.
 * @param {keyof Table["messages"]} name @param {Record<string, string | number>} [values] */
export const textOf = (name, values = {}) => fillIn(table.messages[name], values)
