// Explains a list of nothing but names of modules, as named_modules() and named_children() give them. Names do not show
// sizes, so the answer gives those of the usual model, if it has a module of each name.
//
// A module includes those whose names begin with its own. So the answer gives only the outermost ones; the sizes of all
// would count some tensors several times.

import { classOfBare, count, models } from "../counting/engine.js"
import { titleOf } from "./labels/meanings.js"
import { USUAL_MODELS } from "./labels/named-parts.js"
import { accountWith, code, enumeration, words } from "./words.js"

const MAX_LENGTH = 40_000 // characters
const MIN_NAMES = 2 // the minimum number of names; a single word is not a list
const MAX_OUTERMOST = 6 // modules in the answer

/** A line with a name, perhaps quoted as an item of a list. */
const NAME = /^\s*['"]?([A-Za-z_]\w*(?:\.\w+)*)['"]?,?\s*$/
/** A line of the code that prints the names. */
const CODE = /named_(?:modules|children)\(|^\s*print\(/
/** A module that has no tensors. */
const WITHOUT_TENSORS = /(?:^|\.)(?:dropout|activation|intermediate_act_fn)$/

/** The number of parameters of a module in a model, for a single layer if the name has the number of one; 0 if the
 * model has no such module.
 * @param {string} name  without the name of the model @param {Model} model */
function numberOf(name, { architecture, sizes }) {
  const part = `bert/${name.replace(/\blayer\.[0-9]+/, "layer_*").replaceAll(".", "/")}`
  const number = count({ modelClass: classOfBare(architecture), sizes, part })
  return part.includes("*") ? number / sizes.L : number
}

/** The account of a list of modules; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfModulePaths(text) {
  if (text.length > MAX_LENGTH) return null
  const lines = text.split("\n").filter((line) => line.trim() && !CODE.test(line))
  const names = lines.flatMap((line) => NAME.exec(line)?.[1].replace(/^bert\./, "") ?? [])
  const others = lines.filter((line) => !NAME.test(line))
  if (names.length < MIN_NAMES || others.length > names.length || others.some((line) => /[0-9]/.test(line))) return null
  const modules = [...new Set(names)].filter((name) => !WITHOUT_TENSORS.test(name))
  const outermost = modules.filter((name) => !modules.some((other) => name.startsWith(`${other}.`)))
  const model = models.get(USUAL_MODELS[0])
  const numbers = outermost.map((name) => numberOf(name, model))
  if (!outermost.length || outermost.length > MAX_OUTERMOST || numbers.includes(0)) return null
  const sizes = outermost.map((name, index) =>
    index ? words`${code(name)} ${numbers[index]}` : words`${code(name)} has ${numbers[0]} parameters`,
  )
  const withOthers = outermost.length < modules.length ? ", which include those of the modules in it" : ""
  return accountWith({
    headline: words`Names of modules do not show their sizes. In ${titleOf(model.name)}, ${enumeration(sizes)}${outermost.length > 1 ? "" : withOthers}.`,
    confidence: "likely",
  })
}
