// Names a model or a part that has as many parameters as the rows of a text. Rows that belong to no
// model that the site counts may still add up to such a number, as do those of a custom encoder with
// BERT's sizes.

import { correctTotals } from "../../explaining/explain.js"
import { rightParts } from "../../explaining/kinds/parts.js"
import { byCost } from "../../explaining/ways.js"
import { modelInClass, partsOfSameSize } from "../labels/meanings.js"
import { finding, words } from "../words.js"

const MIN_SUM = 100_000 // a smaller number may be many parts by chance

/** A finding on the likeliest model or part that has as many parameters as the rows; empty if there is none.
 * @param {number} sum @returns {Finding[]} */
export function findingsOnKnownSum(sum) {
  if (sum < MIN_SUM) return []
  const [way] = [...correctTotals(sum), ...rightParts(sum, sum)].sort(byCost)
  if (!way) return []
  const equalPart = way.parts.length ? partsOfSameSize(way) : modelInClass(way, way.models[0])
  return [finding(40, words`${sum} is also the number of parameters in ${equalPart}.`)]
}
