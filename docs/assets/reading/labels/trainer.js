// Explains the log of a training run. Its examples, epochs, steps and losses count no
// parameters, and the answer says so. One metric of Trainer, transformers' training loop,
// depends on the parameters: `total_flos` does not count operations but estimates them, as
// six times the tokens that were read, padding included, times the parameters outside
// embedding tables (`floating_point_ops` in transformers 5.23, trainer.py). So for a known
// model, the metric gives the number of tokens.

import table from "../../../data/table.js"
import { classesOf, models, sumBy, whole } from "../../counting/engine.js"
import { rulerOf } from "../rows/ruler.js"
import { accountInSentences, accountWith, code, finding, link, words } from "../words.js"
import { titleOf } from "./meanings.js"
import { modelsIn } from "./mentions.js"

/** The metric with its value. */
const TOTAL_FLOS = /\btotal_flos\b["']?\s*[:=]\s*([0-9][0-9,_]*(?:\.[0-9]+)?(?:e\+?[0-9]{1,3})?)/i
const OPERATIONS_PER_PARAMETER = 6 // and per token, in a forward and a backward pass

/** The number of parameters of a class outside its embedding tables. @param {Model} model @param {string} modelClass */
function parametersOutsideTables({ sizes }, modelClass) {
  const tensors = rulerOf(modelClass, sizes).tensors.filter(({ tied }) => !tied)
  return sumBy(tensors, ({ row, elements }) => (row.tags.has("embedding-table") ? 0 : elements))
}

/** The account of a text with `total_flos`, for a model with a sequence-classification head: the first that the text
 * names or, if it names none or we do not count that one, BERT base. Null for any other text, and for a model that has
 * no class with this head.
 * @param {string} text @returns {Account | null} */
export function accountOfTotalFlos(text) {
  const [, digits] = TOTAL_FLOS.exec(text) ?? []
  const operations = Number(digits?.replace(/[,_]/g, ""))
  if (!operations) return null
  const [mention] = modelsIn(text)
  const model = models.get(mention?.models[0] ?? table.models[0].name)
  const modelClass = classesOf(model.architecture).find(({ name }) => name.endsWith("ForSequenceClassification"))?.name
  if (!modelClass) return null
  const parameters = parametersOutsideTables(model, modelClass)
  const tokens = operations / (OPERATIONS_PER_PARAMETER * parameters)
  return accountWith({
    headline: words`${code("total_flos")} is Trainer's estimate: ${OPERATIONS_PER_PARAMETER} × the tokens read × the parameters outside the embedding tables.`,
    findings: [
      finding(
        50,
        words`If the model is ${titleOf(model.name)}, as ${code(modelClass)}, that is ${OPERATIONS_PER_PARAMETER} × ${parameters} = ${OPERATIONS_PER_PARAMETER * parameters} for each token, and ${code(digits)} stands for about ${whole(Number(tokens.toPrecision(3)))} tokens, padding included.`,
      ),
      finding(40, words`What a model really computes is on ${link("run/operations.html", "the page on operations")}.`),
    ],
  })
}

/** A figure of training, as Trainer, Keras and progress bars print it. */
const FIGURE =
  /\bNum (?:examples|Epochs)\b|\bTotal optimization steps\b|\bGradient Accumulation steps\b|\b(?:train_|eval_|val_|training_)?loss["']?\s*[:=]\s*["']?[0-9]|\btrain_runtime\b|\bglobal_step\b|\bEpoch \[?[0-9]+(?:\/[0-9]+)?\b/i

/** A line of a log that has only figures of training: a dictionary with a loss, a progress bar, or a loss with its step
 * or epoch and without a large number. */
const FIGURES_ONLY =
  /^(?!.*\b(?:total_flos|params|parameters)\b)(?:(?=.*\{["'](?:\w+_)?loss["']:)|(?=.*[0-9]{1,3}%\s?\|)|(?=.*\b(?:step|epoch)\b)(?=.*\bloss\b)(?!.*(?:[0-9],[0-9]{3},[0-9]{3}\b|(?<![0-9.])[0-9]{7}))).*$/gim

/** The text without the lines of a log that have only figures of training, because there may be hundreds of such lines.
 * If the text has no other lines, it is returned unchanged.
 * @param {string} text */
export function withoutFigures(text) {
  const otherLines = text.replace(FIGURES_ONLY, "")
  return otherLines.trim() ? otherLines : text
}

/** The account of a log of training, for a text in which no number of parameters was found; null for any other text.
 * @param {string} text @returns {Account | null} */
export const accountOfLog = (text) =>
  FIGURE.test(text)
    ? accountInSentences(
        words`These are figures of a training run, such as its examples, epochs, steps and losses. None of them is a number of parameters.`,
        [
          words`Trainer prints the number of trainable parameters on a line of its own; ${code("model.num_parameters()")} returns that of all parameters.`,
        ],
      )
    : null
