// Explains what the Hub's API says about the tensors in a model's files: how many numbers they hold,
// by the type in which they are stored, and their total. The integers are those of buffers, such as
// position_ids, so the total exceeds the number of parameters. Weights that are packed for
// quantisation are integers as well, and are left to other modules.

import { sumBy } from "../../counting/engine.js"
import { isPlausible, isRight, waysTo } from "../../explaining/explain.js"
import { accountWith, finding, words } from "../words.js"
import { classOf, meaning } from "./meanings.js"

/** A type with its number of elements, the total, and the types of packed weights. */
const COUNT_OF_TYPE = /"(F64|F32|F16|BF16|I64)"\s*:\s*([0-9]+)/g
const TOTAL = /"total"\s*:\s*([0-9]+)/
const PACKED = /"(?:I32|U32|I8|U8|F8_\w+)"\s*:/

/** The likeliest way to a right total, perhaps with a number of labels of its own; undefined if there is none.
 * @param {number} number */
const wayToTotal = (number) => waysTo(number).find((way) => (isRight(way) || way.kind === "labels") && isPlausible(way))

/** The account of the types that a model's files store, if these include integers and the other numbers are a total
 * that we know, perhaps with the integers among them; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfStoredTypes(text) {
  const typeCounts = [...text.matchAll(COUNT_OF_TYPE)].map(([, type, digits]) => ({ type, number: Number(digits) }))
  const buffers = sumBy(typeCounts, ({ type, number }) => (type === "I64" ? number : 0))
  const parameters = sumBy(typeCounts, ({ number }) => number) - buffers
  if (!buffers || !parameters || PACKED.test(text)) return null
  const way = wayToTotal(parameters)
  const wayWithoutBuffers = way ?? wayToTotal(parameters - buffers)
  const [name] = wayWithoutBuffers?.models ?? []
  if (!wayWithoutBuffers || !name) return null
  const right = way ? parameters : parameters - buffers
  const model = meaning(wayWithoutBuffers)
  const onBuffers = words`The ${buffers} integers (I64) belong to a buffer, such as the position ids; they are not parameters.`
  const total = Number(TOTAL.exec(text)?.[1] ?? 0)
  const onTotal = total === right + buffers ? words` The total of ${total} counts them as well.` : []
  return accountWith({
    kind: "labels",
    headline: way
      ? words`${parameters} is ${model}. ${onBuffers}${onTotal}`
      : words`${parameters} is ${buffers} too many for ${model}, which has ${right}. That is as many as there are integers (I64), so they seem to be counted among the parameters.`,
    findings: way ? [] : [finding(5, onBuffers, -buffers)],
    lines: [
      {
        source: String(parameters),
        part: model,
        stated: parameters,
        right,
        verdict: way ? "right" : "wrong",
        times: 1,
      },
      {
        source: String(buffers),
        part: words`a buffer`,
        stated: buffers,
        right: null,
        verdict: "not a parameter",
        times: 1,
      },
    ],
    model: { name, modelClass: classOf(wayWithoutBuffers), total: right },
    confidence: way ? "certain" : "likely",
  })
}
