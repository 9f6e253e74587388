// Adds up a list of shapes, each with the number of tensors that have it, as collections.Counter prints
// it: Counter({(768,): 111, (768, 768): 49, …}).

import { sumBy } from "../counting/engine.js"
import { correctTotals } from "../explaining/explain.js"
import { modelInClass } from "./labels/meanings.js"
import { productInWords } from "./rows/model-in-words.js"
import { accountWith, words } from "./words.js"

const MAX_LENGTH = 10_000 // characters
const MIN_SHAPES = 3 // fewer may be sizes in a sentence

/** A shape in brackets, and the number of tensors that have it, at the end of an entry or a line. */
const SHAPE_AND_COUNT =
  /[[(][ \t]*([0-9]{1,9}(?:[ \t]*,[ \t]*[0-9]{1,9}){0,3})[ \t]*,?[ \t]*[\])]\)?[ \t]*[:=x×][ \t]*([0-9]{1,5})(?:[ \t]*tensors?)?[ \t]*(?=[,}\n]|$)/g

/** The account of a list of shapes with the numbers of their tensors; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfShapeCounts(text) {
  if (text.length > MAX_LENGTH) return null
  const entries = [...text.matchAll(SHAPE_AND_COUNT)].map(([source, shape, count]) => {
    const sizes = shape.split(",").map(Number)
    return {
      source,
      sizes,
      count: Number(count),
      elements: sizes.reduce((product, size) => product * size, Number(count)),
    }
  })
  const total = sumBy(entries, ({ elements }) => elements)
  if (entries.length < MIN_SHAPES || !Number.isSafeInteger(total)) return null
  const tensorCount = sumBy(entries, ({ count }) => count)
  const [way] = correctTotals(total)
  const meaning = way ? modelInClass(way, way.models[0]) : "the total of no model that we know"
  return accountWith({
    kind: "rows",
    headline: words`Each shape times its number of tensors, added up, gives ${total} parameters in ${tensorCount} tensors: ${meaning}.`,
    lines: entries.map(({ source, sizes, count, elements }) => ({
      source: source.trim(),
      part: productInWords([count, ...sizes]),
      stated: elements,
      right: null,
      verdict: "explained",
      times: 1,
    })),
    confidence: way ? "likely" : "possible",
  })
}
