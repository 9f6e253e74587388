// Explains rows of which several have the number of parameters of a whole model, such as the two encoders of a
// bi-encoder:
//
//     query_encoder  109482240
//     doc_encoder    109482240
//     proj               98304
//
// A table of Lightning rounds the counts, but has the classes of the models. In either case, the models may share
// weights, which counts do not show.

import { classes, classOfBare, count as countParameters, noun, sumBy } from "../../counting/engine.js"
import { correctTotals } from "../../explaining/explain.js"
import { modelsByUse } from "../../explaining/ways.js"
import { linesOf } from "../clean.js"
import { asClass, modelInClass, titleOf } from "../labels/meanings.js"
import { accountWith, code, enumeration, finding, words } from "../words.js"
import { preparedText } from "./preparing.js"
import { countIn, isTotal } from "./summaries.js"
import { mayBe } from "./text-row.js"
import { totalsIn } from "./totals.js"
import { isNamedAsModel, lastExactTotal } from "./uncounted-models.js"

const MAX_LENGTH = 4000 // the maximum number of characters of a text; a longer one is a print-out
const MAX_ROWS = 12 // the maximum number of rows with a name and a count; a print-out has more
const MIN_MODELS = 2
const MIN_COUNT_OF_MODEL = 1_000_000 // a smaller number may be that of a part
/** The smallest ratio of two models of different sizes. A model with a head is only a little larger than the one in
 * it. */
const MIN_RATIO = 1.1

/** A line that has only a name of the reader's own and a count, perhaps in a table. */
const NAME_AND_COUNT =
  /^[\s|*•-]*["'`]?([A-Za-z_][\w.-]*)["'`]?[\s|:=]+([0-9][0-9_,.']*)(?:\s*(?:params|parameters))?[\s|,]*$/

/** A word in the name of a number about one model, such as all_params or trainable. */
const NAME_OF_NUMBER = /param|train|frozen|total|numel|count|size|sum|all/i
/** A word in the name of one of several encoders. Two rows alone may be two counts of one model. */
const NAME_OF_ENCODER = /encoder|tower|bert|backbone|query|question|doc|passage|context|ctx|left|right|teacher|student/i

/** A row with its name, its exact count, and the model with as many parameters (`way`), which is undefined if there is
 * none.
 * @typedef {{ line: TextLine, name: string, count: number, way: ReturnType<typeof likeliestModelWith> }} ModelEntry */

/** The likeliest model with this number of parameters in all; undefined if there is none. @param {number} number */
const likeliestModelWith = (number) => (number < MIN_COUNT_OF_MODEL ? undefined : correctTotals(number)[0])

/** The rows of a text with a name and an exact count. @param {TextLine[]} lines @returns {ModelEntry[]} */
const entriesIn = (lines) =>
  lines.flatMap((line) => {
    const [, name, digits] = NAME_AND_COUNT.exec(line.text) ?? []
    const { low, high } = (digits && countIn(digits)) || {}
    return name && low && low === high && !isTotal(line.text)
      ? [{ line, name, count: low, way: likeliestModelWith(low) }]
      : []
  })

/** Whether all models have one size or clearly different ones. @param {number[]} counts */
const areSideBySide = (counts) =>
  counts.every((count, index) =>
    counts.slice(index + 1).every((other) => other === count || ratio(count, other) > MIN_RATIO),
  )

/** How many times the smaller number the larger one is. @param {number} one @param {number} other */
const ratio = (one, other) => Math.max(one, other) / Math.min(one, other)

/** The words for the model of an entry. @param {ModelEntry} entry @returns {Words} */
const modelOfEntryInWords = ({ way }) => (way ? modelInClass(way, way.models[0]) : [])

const ON_SHARED_WEIGHTS = finding(
  50,
  words`If the models share their weights, as in a siamese network, these count only once.`,
)

/** The account of rows of which several are whole models; null for any other text, and for a list of models.
 * @param {string} text @returns {Account | null} */
export function accountOfWholeModels(text) {
  if (text.length > MAX_LENGTH) return null
  const lines = linesOf(preparedText(text))
  const accountOfTable = accountOfModelsInTable(lines)
  if (accountOfTable) return accountOfTable
  const entries = entriesIn(lines)
  if (entries.length > MAX_ROWS || entries.some(({ name }) => isNamedAsModel({ name }))) return null
  const models = entries.filter(({ way }) => way)
  if (models.some(({ name }) => NAME_OF_NUMBER.test(name))) return null
  const counts = models.map(({ count }) => count)
  const others = entries.filter(({ way }) => !way)
  if (models.length < MIN_MODELS || !areSideBySide(counts)) return null
  if (others.some(({ count }) => count >= Math.min(...counts))) return null
  const sum = sumBy(entries, ({ count }) => count)
  const totals = lines.filter((line) => isTotal(line.text)).flatMap(totalsIn)
  const statedTotal = lastExactTotal(totals)
  // Without a total, rows of different sizes may be models that a text compares.
  if (statedTotal === null ? new Set(counts).size > 1 : statedTotal !== sum) return null
  const isListOfModules = statedTotal !== null || others.length > 0
  if (!isListOfModules && !models.every(({ name }) => NAME_OF_ENCODER.test(name))) return null
  const sentences = models.map(
    (entry) => words`${code(entry.name)} has the ${entry.count} parameters of ${modelOfEntryInWords(entry)}`,
  )
  return accountWith({
    kind: "rows",
    headline: words`Your rows show ${models.length} whole models: ${enumeration(sentences)}. All rows add up to ${sum}.`,
    findings: [
      ON_SHARED_WEIGHTS,
      ...others.map(({ name, count }) =>
        finding(40, words`${code(name)}, with ${count} parameters, is in none of these models.`),
      ),
    ],
    lines: entries.map((entry) => ({
      source: entry.line.source,
      part: modelOfEntryInWords(entry),
      stated: entry.count,
      right: entry.way ? entry.count : null,
      verdict: entry.way ? "right" : "added",
      times: 1,
    })),
    confidence: "likely",
  })
}

/** A row of Lightning's table: a number, the name and the class of a module, and its count. */
const ROW_OF_LIGHTNING = /^\s*[0-9]+\s*\|\s*(\w+)\s*\|\s*([A-Z]\w+)\s*\|\s*([0-9.]+ ?[KMB]?)\s*(?:\||$)/

/** The account of a table of which several rows are whole models, by their classes; null for any other lines.
 * @param {TextLine[]} lines @returns {Account | null} */
function accountOfModelsInTable(lines) {
  const rows = lines.flatMap((line) => {
    const [, name, type, digits] = ROW_OF_LIGHTNING.exec(line.text) ?? []
    const interval = countIn(digits ?? "")
    return name && interval?.high ? [{ line, name, digits, model: modelOfBody(type, interval), modelClass: type }] : []
  })
  const models = rows.flatMap((row) => (row.model ? [{ ...row, model: row.model }] : []))
  if (models.length < MIN_MODELS) return null
  const sentences = models.map(({ name, model, modelClass }) => {
    const total = countParameters({ modelClass, sizes: model.sizes })
    return words`${code(name)} looks like ${titleOf(model.name)}, ${asClass(modelClass)} (${total})`
  })
  const others = rows.filter(({ model }) => !model)
  const names = enumeration(others.map(({ name, digits }) => words`${code(name)} (${digits})`))
  const verb = noun(others.length, "is", "are")
  return accountWith({
    kind: "rows",
    headline: words`Your table shows ${models.length} whole models: ${enumeration(sentences)}.`,
    findings: [
      ON_SHARED_WEIGHTS,
      ...(others.length ? [finding(40, words`${names} ${verb} in none of these models.`)] : []),
    ],
    lines: rows.map(({ line, model, modelClass }) => ({
      source: line.source,
      part: model ? words`${titleOf(model.name)}, ${asClass(modelClass)}` : [],
      stated: null,
      right: model ? countParameters({ modelClass, sizes: model.sizes }) : null,
      verdict: model ? "rounded" : "added",
      times: 1,
    })),
    confidence: "likely",
  })
}

/** The most widely used published model whose bare class this is and which may have this count; undefined if there is
 * none.
 * @param {string} modelClass @param {{ low: number, high: number }} interval */
function modelOfBody(modelClass, interval) {
  const architecture = classes.has(modelClass) ? classes.get(modelClass).architecture : ""
  if (!architecture || classOfBare(architecture) !== modelClass) return undefined
  return modelsByUse.find(
    (model) =>
      model.architecture === architecture && mayBe(interval, countParameters({ modelClass, sizes: model.sizes })),
  )
}
