// The account of a print-out: what it is, whether it is right, and what each line is.
//
// facts.js finds out which model the rows belong to and how they add up; headline.js,
// findings.js, bridge.js and lines.js put that into words, part by part. Rows that do not
// make up a model are explained by themselves: a few rows, layers, what LoRA adds, or a
// model that is not counted here.

import { classes } from "../../counting/engine.js"
import { accountOfAdapters } from "./adapters.js"
import { bridgeOf } from "./bridge.js"
import { confidenceOf, factsIn, factsOf, hasOtherTotal, isBodyOfOther, isPrintOut, namedPrintOut } from "./facts.js"
import { accountOfFew } from "./few.js"
import { doubledRows, findingsOf, wrongRows } from "./findings.js"
import { headlineOf } from "./headline.js"
import { accountOfLacking } from "./lacking.js"
import { headlineOfLayers, layersAlone, modelsWithLayers } from "./layers.js"
import { linesOf } from "./lines.js"
import { accountOfOther, accountOfUnsized } from "./uncounted.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** The account of layers without the rest of a model.
 * @param {PrintOut} print @param {import("./layers.js").Layers} layers @returns {Account} */
function accountOfLayers(print, layers) {
  const facts = factsOf(print, layers.recognised, layers.alignment)
  const findings = [...wrongRows(facts), ...doubledRows(facts), ...modelsWithLayers(layers, print.depths.length > 0)]
  return {
    kind: "rows",
    headline: headlineOfLayers(layers),
    findings,
    lines: linesOf(facts),
    bridge: null,
    model: null,
    confidence: "likely",
  }
}

/** Whether a text has nothing but one rounded number for a whole model, without its class. Such a text says no more
 * than the number alone.
 * @param {Facts} facts */
function isOneRoundedNumber({ alignment, print }) {
  if (print.mentions.some((name) => classes.has(name))) return false
  const rows = alignment.rows.filter(({ verdict, text }) => verdict !== "subtotal" && text.low !== null)
  return rows.length === 1 && rows[0].verdict === "rounded" && !print.totals.some(({ low, high }) => low === high)
}

/** The account of a print-out; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfRows(text) {
  const print = namedPrintOut(text)
  const few = () => accountOfAdapters(print.rows) ?? accountOfLacking(text) ?? accountOfFew(text, print.rows)
  const layers = layersAlone(print)
  if (layers) return few() ?? accountOfLayers(print, layers)
  if (!isPrintOut(print) && !(print.isTable && print.rows.length)) return few()
  const facts = factsIn(print)
  if (facts && isOneRoundedNumber(facts)) return null
  if (!facts) return few() ?? accountOfUnsized(print) ?? accountOfOther(print)
  const { recognised, total } = facts
  return {
    kind: "rows",
    headline: headlineOf(facts),
    findings: findingsOf(facts),
    lines: linesOf(facts),
    bridge: isBodyOfOther(facts) ? null : bridgeOf(facts),
    model:
      hasOtherTotal(facts) || isBodyOfOther(facts)
        ? null
        : { name: recognised.name, modelClass: recognised.modelClass, total },
    confidence: confidenceOf(facts),
  }
}
