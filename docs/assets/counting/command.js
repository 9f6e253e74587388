// Writes the options with which the command line counts a configuration of the calculator. If
// the browser cannot count something, the page offers them along with the config.json to save.

import { METHODS } from "./changes.js"

/**
 * The options for the class and the changes of a configuration. They end with a space, because the page continues the
 * command after them. The sizes are in the config.json that the command reads.
 * @param {Configuration} configuration
 */
export function commandOptions({ modelClass, tuning, frozen, biases, pruned }) {
  // The engine applies changes in this order.
  const changes = [
    pruned && `pruned:h=${pruned}`,
    !biases && "biases-off",
    frozen.embeddings && "embeddings",
    frozen.layers && `frozen:k=${frozen.layers}`,
    frozen.all_but_head && "head",
    tuning && tuningChange(tuning),
  ]
  return [`--class ${modelClass}`, ...changes.filter(Boolean).map((change) => `--change ${change}`), ""].join(" ")
}

/**
 * The value of `--change` for a method with its sizes and modules, such as `lora:r=8:modules=query+value`.
 * @param {NonNullable<Configuration["tuning"]>} tuning
 */
function tuningChange({ method, rank, width, modules, feedforward }) {
  const { takes } = METHODS.get(method)
  return [
    method,
    takes.rank && `${takes.rank}=${rank}`,
    takes.width && width && `${takes.width}=${width}`,
    modules.length && `modules=${modules.join("+")}`,
    feedforward.length && `feedforward=${feedforward.join("+")}`,
  ]
    .filter(Boolean)
    .join(":")
}
