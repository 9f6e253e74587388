// Explains print-outs whose rows can only be added up: those of a model that is not counted
// here, of a model whose sizes the rows do not give, or of tensors that a fine-tuning
// method adds. The answer does not say which rows are missing or wrong, because there is no
// model to compare them with.

import { reasonAgainstType } from "../../counting/config-keys.js"
import { classes, classOfBare, models, sumBy } from "../../counting/engine.js"
import { correctTotals } from "../../explaining/explain.js"
import { titleOf } from "../labels/meanings.js"
import { accountWith, code, finding, words } from "../words.js"
import { findingsOnKnownSum } from "./known-sums.js"
import { countInWords } from "./model-in-words.js"
import { isOutermost } from "./modules.js"
import { ADDED_TENSOR, asPrintedName } from "./names.js"
import { namesInWords } from "./parts-in-words.js"
import { subtotalsOf } from "./subtotals.js"
import { sourceOrName } from "./text-row.js"

const MIN_ROWS = 4 // the minimum number of rows with counts in a print-out of an unknown model
const MIN_TABLE_ROWS = 2 // the same if the layout shows that the text is a table
const MAX_ACCOUNT_LINES = 2000 // the maximum number of lines in answers about models that are not counted

/** The account's line for a row whose count is all that is known.
 * @param {TextRow} row @param {LineVerdict} verdict
 * @returns {AccountLine} */
const lineOf = ({ line, name, stated, low }, verdict) => ({
  source: sourceOrName({ line, name }),
  part: [],
  stated: stated ?? low,
  right: null,
  verdict,
  times: 1,
})

/** The last exact total that a text states; null if it states none. @param {StatedTotal[]} totals */
export const lastExactTotal = (totals) =>
  totals.filter(({ kind, low, high }) => kind === "total" && low === high).at(-1)?.low ?? null

/** The account of tensors that PEFT adds to a model, printed without the model.
 * @param {TextRow[]} rows @returns {Account} */
function accountOfAddedTensors(rows) {
  const sum = sumBy(rows, ({ low }) => low ?? 0)
  return accountWith({
    headline: words`These are ${countInWords(rows.length, "tensor")} that PEFT adds to a model, with ${sum} parameters. The model itself is not in your text.`,
    lines: rows.map((row) => lineOf({ ...row, stated: null }, "added")),
  })
}

/** Models of KerasHub with other tensors or other modules than transformers' models, by the beginning of the names that
 * Keras gives them.
 * @type {Record<string, { backbone: string, why: Words }>} */
const KERAS_HUB_MODELS = {
  roberta: { backbone: "RobertaBackbone", why: withoutSegments("RobertaModel") },
  xlm_roberta: { backbone: "XLMRobertaBackbone", why: withoutSegments("XLMRobertaModel") },
  electra: { backbone: "ElectraBackbone", why: words`unlike ${code("ElectraModel")} of transformers, it has a pooler` },
  deberta_v3: {
    backbone: "DebertaV3Backbone",
    why: words`it groups its tensors differently from ${code("DebertaV2Model")} of transformers`,
  },
}
/** The name of a model of KerasHub, above a summary or in one of its rows. */
const KERAS_HUB_NAME = new RegExp(
  String.raw`\b(${Object.keys(KERAS_HUB_MODELS).join("|")})_(?:backbone|text_classifier|masked_lm)(?:_[0-9]+)?\b`,
)

/** The words for the parts that KerasHub's backbones of RoBERTa lack.
 * @param {string} name  the class of transformers */
function withoutSegments(name) {
  return words`unlike ${code(name)} of transformers, it has neither segment embeddings nor a pooler, and no position embeddings for padding`
}

/** The account of a summary of a model of KerasHub that is not one of transformers' models; null for any other
 * text.
 * @param {string} text @param {PrintOut} printOut @returns {Account | null} */
export function accountOfKerasHub(text, { rows, totals }) {
  const [, name] = KERAS_HUB_NAME.exec(text) ?? []
  if (!name) return null
  const { backbone, why } = KERAS_HUB_MODELS[name]
  const total = lastExactTotal(totals)
  return accountWith({
    headline: words`This is a summary with KerasHub's ${code(backbone)}, which we do not count: ${why}.${total ? words` The total in your text is ${total}.` : []}`,
    lines: rows.filter(({ low }) => low).map((row) => lineOf(row, "unknown")),
  })
}

/** Whether a row of a table is named after a model, rather than after part of one. @param {{ name: string }} row */
export const isNamedAsModel = ({ name }) =>
  models.has(name) || (/^(?:[a-z]+-)?(?:\w*bert|electra|mpnet|minilm)(?:[-_.]|$)/i.test(name) && !asPrintedName(name))

/** A sentence on what the output of print(model) does not show. */
const ABOUT_MODULES = words`${code("print(model)")} lists modules: a parameter that a class holds itself has no line, and a matrix that two modules share has two. So the model may have more parameters than your text shows, or fewer.`

/** The end of a transformers class's name, after that of the family. */
const CLASS_ENDING = /(?:For[A-Z]\w*|LMHeadModel|EncoderModel|Model|Encoder|Decoder)$/

/** Whether a class is known not to be counted here. @param {string} type */
export const isForeignClass = (type) =>
  CLASS_ENDING.test(type) && Boolean(reasonAgainstType(type.replace(CLASS_ENDING, "")))

/** The account of the output of print(model) for a class that is known not to be counted here; null for any other text.
 * @param {PrintOut} printOut @returns {Account | null} */
export function accountOfForeignClass({ rows, mentions }) {
  const { type = "" } = rows.find(isOutermost) ?? {}
  const why = CLASS_ENDING.test(type) ? reasonAgainstType(type.replace(CLASS_ENDING, "")) : ""
  if (!why || mentions.some((name) => classes.has(name))) return null
  const rowsWithCounts = rows.filter(({ low }) => low !== null && low > 0)
  const sum = sumBy(rowsWithCounts, ({ low }) => low ?? 0)
  return accountWith({
    headline: words`${code(type)} is not a class that we count: ${why}. The modules in your text add up to ${sum} parameters.`,
    findings: [finding(30, ABOUT_MODULES)],
    lines: rowsWithCounts.slice(0, MAX_ACCOUNT_LINES).map((row) => lineOf(row, "unknown")),
  })
}

/** The account of a print-out whose model is not counted here or is not printed; null if the print-out has too few rows
 * with counts, or lists models.
 * @param {PrintOut} printOut @returns {Account | null} */
export function accountOfUncountedModel({ rows, totals, isTable }) {
  const rowsWithCounts = rows.filter(({ low }) => low !== null && low > 0)
  if (rowsWithCounts.length < (isTable ? MIN_TABLE_ROWS : MIN_ROWS)) return null
  if (rowsWithCounts.every(({ name }) => ADDED_TENSOR.test(name))) return accountOfAddedTensors(rowsWithCounts)
  const isListOfModels = rowsWithCounts.filter(isNamedAsModel).length > rowsWithCounts.length / 2
  if (isListOfModels) return null
  const isExact = rowsWithCounts.every(({ low, high }) => low === high)
  const subtotalRows = subtotalsOf(rows)
  const sum = sumBy(
    rowsWithCounts.filter((row) => !row.isBuffer && !subtotalRows.has(row)),
    ({ low, stated }) => stated ?? low ?? 0,
  )
  const statedTotal = totals.find(({ kind, low, high }) => kind === "total" && low === high)
  const names = namesInWords([...new Set(rowsWithCounts.map(({ name }) => name))].filter(Boolean))
  const total = statedTotal && statedTotal.low !== sum ? words` The total in your text is ${statedTotal.low}.` : []
  const count = isExact ? words` with ${sum} parameters in all` : [", whose counts are rounded"]
  const listing = names.length ? words`: ${names}` : []
  return accountWith({
    headline: words`These are ${countInWords(rowsWithCounts.length, "row")}${count}${listing}. We cannot tell which model they belong to.${total}`,
    findings: [
      ...(isExact ? findingsOnKnownSum(sum) : []),
      ...(rows.some(isOutermost) ? [finding(30, ABOUT_MODULES)] : []),
    ],
    lines: rowsWithCounts.slice(0, MAX_ACCOUNT_LINES).map((row) => lineOf(row, "unknown")),
  })
}

/** A counted class that a text mentions, preferably one with a head; undefined if it mentions none.
 * @param {string[]} mentions */
function mentionedClass(mentions) {
  const countedClasses = mentions.filter((name) => classes.has(name))
  return countedClasses.find((name) => classOfBare(classes.get(name).architecture) !== name) ?? countedClasses[0]
}

/** The account of a summary of an encoder whose sizes the rows do not give; null for any other text. The account only
 * adds up the rows.
 * @param {PrintOut} printOut @returns {Account | null} */
export function accountOfModelWithoutSizes({ rows, totals, mentions }) {
  const modelClass = mentionedClass(mentions)
  const subtotalRows = subtotalsOf(rows)
  const leaves = rows.filter((row) => row.low !== null && row.low > 0 && !subtotalRows.has(row))
  if (!modelClass || leaves.length < MIN_TABLE_ROWS || leaves.some(({ low, high }) => low !== high)) return null
  const sum = sumBy(leaves, ({ low }) => low ?? 0)
  const statedTotal = lastExactTotal(totals)
  const difference = statedTotal === null ? 0 : sum - statedTotal
  // A print-out may show only the layers on top of a model.
  const way = correctTotals(-difference).find(({ classes: names }) => names.includes(modelClass))
  const opening = way
    ? words`Your text shows what stands on top of ${code(modelClass)}, but not the rows of that model itself.`
    : words`This is ${code(modelClass)} with sizes of its own, which its rows do not give one by one.`
  const meaning = way ? words`, the total of ${titleOf(way.models[0])}` : []
  const agreement = statedTotal === null ? [] : [", as your text says"]
  const comparison = difference ? words`, but the total in your text is ${statedTotal ?? 0}` : agreement
  return accountWith({
    kind: "rows",
    headline: words`${opening} Your rows add up to ${sum}${comparison}.`,
    findings: difference
      ? [finding(85, words`The total and the rows differ by ${Math.abs(difference)}${meaning}.`, difference)]
      : [],
    lines: leaves.map((row) => lineOf(row, "unknown")),
    model: difference ? null : { name: "", modelClass, total: sum },
    confidence: "likely",
  })
}
