// Explains amounts of memory as the sizes of files, which hold more than the weights of a model: the
// names of tensors, or a graph.

import { classesOf, models } from "../../counting/engine.js"
import { code, words } from "../words.js"
import { asClass, asTyped, subjectOf } from "./meanings.js"
import { BYTES_PER_NUMBER } from "./memory.js"
import { classAndTotal } from "./totals.js"

/** Whether a number is the size of a file with a graph, but is explained as the weights of a model in another kind of
 * file. A graph may take any number of bytes, so that would be a coincidence.
 * @param {Pick<ResolvedNumber, "first" | "context" | "quantity">} resolvedNumber */
export const isOfGraphFile = ({ first, context, quantity }) =>
  context.isGraphFile && quantity.number.exact && Boolean(first?.frame)

/** The sentences on the size of a file with a graph. @param {Explanation} way @param {Quantity} quantity */
export function sentencesOnGraphFile({ bytesPerParameter }, { number: { low } }) {
  const parameters = Math.floor(low / bytesPerParameter)
  return words`${low} bytes hold at most ${parameters} parameters at ${bytesPerParameter} bytes each. Such a file also holds the graph, and may lack weights that the graph does not use, so its size does not name a model.`
}

const MAX_EXCESS = 0.01 // the most by which a file exceeds the weights in it, as a share of the file

/** The weights of a model in a class and a data type.
 * @typedef {{ modelClass: string, total: number, dtype: string, bytesPerParameter: number, bytes: number }} Weights */

/** The largest weights of the named model that nearly fill an amount of memory, as those in a file or folder do; null
 * if there are none.
 * @param {Quantity} quantity @param {Mention | null} mention @returns {Weights | null} */
export function weightsBelow({ role, number }, mention) {
  const [name = ""] = mention?.models ?? []
  if (role !== "memory" || !name) return null
  const weights = classesOf(models.get(name).architecture).flatMap(({ name: modelClass }) => {
    const { total } = classAndTotal(name, modelClass)
    return ["float32", "float16"].map((dtype) => {
      const bytesPerParameter = BYTES_PER_NUMBER[dtype]
      return { modelClass, total, dtype, bytesPerParameter, bytes: total * bytesPerParameter }
    })
  })
  return weights
    .filter(({ bytes }) => bytes <= number.high && bytes >= number.high * (1 - MAX_EXCESS))
    .reduce((/** @type {Weights | null} */ best, one) => (best && best.bytes >= one.bytes ? best : one), null)
}

/** The sentences on an amount of memory that is a little more than the weights of a model take.
 * @param {Quantity} quantity @param {Weights} weights @param {string} name */
export function sentencesOnWeights(quantity, { modelClass, total, dtype, bytesPerParameter, bytes }, name) {
  const { exact, low } = quantity.number
  const comparison = exact ? words`${low} bytes are ${low - bytes} more` : words`${asTyped(quantity)} is a little more`
  return words`${comparison} than the ${bytes} bytes that the weights of ${subjectOf(name)} take ${asClass(modelClass)}: ${total} parameters at ${bytesPerParameter} bytes each (${code(dtype)}). A file also holds the names of its tensors, and a folder other files.`
}
