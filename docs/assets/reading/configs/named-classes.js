// Finds the class of a model that a text names anywhere: in code that builds the model, as the
// value of a key or an option, or in a sentence. Such a class settles the architecture, as
// "architectures" does in a config.json.

import { classes, classesOf, classOfBare, inTorch } from "../../counting/engine.js"
import { purposesIn } from "../labels/mentions.js"
import { architectureOfConfig } from "./keys.js"

const MAX_LENGTH = 2 ** 16 // a text with more characters is not searched

/** A word that may be the name of a class. */
const NAME = /\b[A-Z]\w{3,60}\b/g
/** The name of a class that code calls, or to which it gives a config. */
const CALL = /\b[A-Z]\w{3,60}(?=\(|\._?from_config\()/g
/** One of transformers' classes that build the class for a config. */
const AUTO_MODEL = /^AutoModel(?:(?<ending>For[A-Z]\w*)|WithLMHead)?$/

/** The names in a text that match a pattern, each once and without the prefix of TensorFlow or Flax; none of a text
 * that is too long.
 * @param {string} text @param {RegExp} pattern */
const namesIn = (text, pattern) =>
  text.length > MAX_LENGTH ? [] : [...new Set((text.match(pattern) ?? []).map(inTorch))]

/** The class of an architecture with this name, or the one that transformers' Auto class of this name builds; "" if
 * there is none.
 * @param {string} name  without the prefix of TensorFlow or Flax @param {string} architecture */
export function classWithName(name, architecture) {
  const names = classesOf(architecture).map((modelClass) => modelClass.name)
  if (names.includes(name)) return name
  if (name === "AutoModel") return classOfBare(architecture)
  const { ending = "" } = AUTO_MODEL.exec(name)?.groups ?? {}
  const isCausal = ending === "ForCausalLM"
  return (ending && names.find((other) => other.endsWith(ending) || (isCausal && other.endsWith("LMHeadModel")))) || ""
}

/** The classes of an architecture that a text names in places that match a pattern.
 * @param {string} text @param {RegExp} pattern @param {string} architecture */
const classesIn = (text, pattern, architecture) => [
  ...new Set(namesIn(text, pattern).flatMap((name) => classWithName(name, architecture) || [])),
]

/** The classes of an architecture that code calls. @param {string} text @param {string} architecture */
export const classesCalledIn = (text, architecture) => classesIn(text, CALL, architecture)

/** The classes of an architecture that a text names; only those that it calls, if it calls any.
 * @param {string} text @param {string} architecture */
export function classesNamedIn(text, architecture) {
  const calledClasses = classesCalledIn(text, architecture)
  return calledClasses.length ? calledClasses : classesIn(text, NAME, architecture)
}

/** A class that code calls and that an architecture does not have: that of another architecture, or an Auto class; ""
 * if there is none.
 * @param {string} text @param {string} architecture */
export const foreignClassIn = (text, architecture) =>
  namesIn(text, CALL).find((name) => isClassName(name) && !classWithName(name, architecture)) ?? ""

/** A line with a question. */
const QUESTION = /^.*\?/gm

/** The class of an architecture for the only purpose that the questions in a text name, as in "with the MLM head?"; ""
 * if they name none or several.
 * @param {string} text @param {string} architecture */
export function classAskedFor(text, architecture) {
  if (text.length > MAX_LENGTH) return ""
  const endings = new Set(purposesIn((text.match(QUESTION) ?? []).join("\n")).map(({ ending }) => ending))
  const [ending] = endings
  return (endings.size === 1 && classesOf(architecture).find(({ name }) => name.endsWith(ending))?.name) || ""
}

/** The architecture of the classes, of models or of configs, that a text names; "" if it names none, or classes of
 * several architectures.
 * @param {string} text */
export function architectureNamedIn(text) {
  const architectures = namesIn(text, NAME).flatMap((name) =>
    classes.has(name) ? classes.get(name).architecture : architectureOfConfig(name) || [],
  )
  return new Set(architectures).size === 1 ? architectures[0] : ""
}

/** The name of a class at the start of a value, perhaps after that of its module. The class is called, or the value
 * ends. */
const CLASS_AS_VALUE = /^(?:[a-z_]\w{0,60}\.){0,6}([A-Z]\w{3,60})(?=\(|\s*$)/

/** The number of different classes of models that a text names. @param {string} text */
export const countModelClasses = (text) => namesIn(text, NAME).filter((name) => classes.has(name)).length

/** The name of the class that a value is or calls, without its module; "" for any other value.
 * @param {unknown} value */
function classInValue(value) {
  const [, name = ""] = typeof value === "string" ? (CLASS_AS_VALUE.exec(value) ?? []) : []
  return name
}

/** Whether a value is the name of a model's class, or a call of that class.
 * @param {unknown} value @returns {value is string} */
export function isClassName(value) {
  const name = inTorch(classInValue(value))
  return classes.has(name) || AUTO_MODEL.test(name)
}

/** Whether a value is the name of a configuration's class, such as Hydra's `transformers.BertConfig`.
 * @param {unknown} value @returns {value is string} */
export const isConfigClassName = (value) => architectureOfConfig(classInValue(value)) !== ""
