// Explains Trainer's `total_flos`, one of the metrics of transformers' training loop. It
// does not count operations but estimates them: six times the tokens that were read,
// padding included, times the parameters outside embedding tables (`floating_point_ops` in
// transformers 5.23, trainer.py). So for a known model it gives the number of tokens.

import table from "../../../data/table.js"
import { classesOf, models, sumBy, whole } from "../../counting/engine.js"
import { rulerOf } from "../rows/ruler.js"
import { code, finding, link, words } from "../words.js"
import { titleOf } from "./meanings.js"
import { modelsIn } from "./mentions.js"

/** The metric with its value. */
const TOTAL_FLOS = /\btotal_flos\b["']?\s*[:=]\s*([0-9][0-9,_]*(?:\.[0-9]+)?(?:e\+?[0-9]{1,3})?)/i
const OPERATIONS = 6 // operations for each parameter and token, in a forward and a backward pass

/** The parameters of a class that are not in embedding tables. @param {Model} model @param {string} modelClass */
function outsideTables({ sizes }, modelClass) {
  const own = rulerOf(modelClass, sizes).tensors.filter(({ tied }) => !tied)
  return sumBy(own, ({ row, elements }) => (row.tags.has("embedding-table") ? 0 : elements))
}

/** The account of a text with `total_flos`; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfTrainer(text) {
  const [, digits] = TOTAL_FLOS.exec(text) ?? []
  const operations = Number(digits?.replace(/[,_]/g, ""))
  if (!operations) return null
  const [mention] = modelsIn(text)
  const model = models.get(mention?.models[0] ?? table.models[0].name)
  const modelClass = classesOf(model.architecture).find(({ name }) => name.endsWith("ForSequenceClassification"))?.name
  if (!modelClass) return null
  const parameters = outsideTables(model, modelClass)
  const tokens = operations / (OPERATIONS * parameters)
  return {
    kind: "other",
    headline: words`${code("total_flos")} is Trainer's estimate: ${OPERATIONS} × the tokens read × the parameters outside of the embedding tables.`,
    findings: [
      finding(
        50,
        words`If the model is ${titleOf(model.name)}, as ${code(modelClass)}, that is ${OPERATIONS} × ${parameters} = ${OPERATIONS * parameters} for each token, and ${code(digits)} stands for about ${whole(Number(tokens.toPrecision(3)))} tokens, padding included.`,
      ),
      finding(40, words`What a model really computes is on ${link("run/operations.html", "the page on operations")}.`),
    ],
    lines: [],
    bridge: null,
    model: null,
    confidence: "certain",
  }
}
