// Explains tables of models: lines that each name a model and its number of
// parameters. Every number is compared with the right totals of its own model, in any
// class.

import { models, noun, whole } from "../../counting/engine.js"
import { byUse } from "../../explaining/ways.js"
import { accountWith, enumeration, finding, words } from "../words.js"
import { boundsAround, contextOf } from "./contexts.js"
import { rightTotals } from "./further-ways.js"
import { lineOfNumber } from "./lines.js"
import { asClass, titleOf } from "./meanings.js"
import { modelWords } from "./methods.js"
import { resolve } from "./resolving.js"
import { sentencesOnNumber } from "./sentences.js"
import { classAndTotal, modelOfFit } from "./totals.js"

const MIN_MODELS = 3 // a text that names fewer models may consist of sentences

/** A line of the text with a model and its number. @typedef {{ mention: Mention, quantity: Quantity }} ModelRow */

/** A row with the verdict on its number, the words for what it counts (`part`), and sentences about it (`words`), which
 * are empty if there is nothing to say. `right` is null if the model's number is not known.
 * @typedef {ModelRow & { verdict: "right" | "rounded" | "wrong" | "unknown", part: Words, right: number | null,
 *   words: Words, model: { name: string, modelClass: string, total: number } | null }} JudgedRow */

/** The lines of a text with one model and one number of parameters each; empty if any other line has a number of
 * parameters, too.
 * @param {LabelledText} labelledText @returns {ModelRow[]} */
function rowsIn({ text, mentions, numbers }) {
  const counts = numbers.filter(({ role, number }) => role === "count" && number.low > 0)
  const rows = counts.map((quantity) => {
    const [from, to] = boundsAround(text, quantity, ["\n"])
    const isInLine = (/** @type {{ start: number }} */ { start }) => start >= from && start < to
    const rowMentions = mentions.filter(isInLine)
    const isAlone = rowMentions.length === 1 && counts.filter(isInLine).length === 1
    return isAlone ? { mention: rowMentions[0], quantity } : null
  })
  return rows.every((row) => row !== null) ? rows : []
}

/** A row with the verdict on its number.
 * @param {ModelRow} row @param {LabelledText} labelledText @returns {JudgedRow} */
function judge({ mention, quantity }, labelledText) {
  const { number } = quantity
  const [name] = mention.models
  const row = { mention, quantity }
  const context = contextOf(labelledText, quantity, mention)
  const [fit] = number.exact && name ? rightTotals(number.low, context) : []
  if (fit && mention.models.includes(fit.line.model.name)) {
    return { ...row, verdict: "right", part: modelWords(fit), right: number.low, words: [], model: modelOfFit(fit) }
  }
  const resolvedNumber = resolve(quantity, context)
  const sentences = sentencesOnNumber(resolvedNumber)
  if (mention.isForeign || (!name && !mention.others.length))
    return { ...row, verdict: "unknown", part: words`${mention.text}`, right: null, words: sentences, model: null }
  const { first, agrees } = resolvedNumber
  if (first && agrees && !first.mistakes.length) {
    const part = name ? words`${titleOf(name)}` : words`${mention.text}`
    const verdict = number.exact && first.number === number.low ? "right" : "rounded"
    const model = name ? { name, ...classAndTotal(name, first.classes[0]) } : null
    return { ...row, verdict, part, right: first.number, words: verdict === "right" ? [] : sentences, model }
  }
  if (!name)
    return { ...row, verdict: "wrong", part: words`${mention.text}`, right: null, words: sentences, model: null }
  const bareModel = classAndTotal(name)
  const part = words`${titleOf(name)}, ${asClass(bareModel.modelClass)}`
  return { ...row, verdict: "wrong", part, right: bareModel.total, words: sentences, model: { name, ...bareModel } }
}

/** The verdicts, with the words for them after "is" and after "are".
 * @type {[verdict: JudgedRow["verdict"], one: string, several: string][]} */
const VERDICTS = [
  ["right", "right", "right"],
  ["rounded", "rounded", "rounded"],
  ["wrong", "wrong", "wrong"],
  ["unknown", "of a model that we do not count", "of models that we do not count"],
]

/** The account of a table of models; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfTable(labelledText) {
  const rows = rowsIn(labelledText)
  const modelMentions = new Set(rows.map(({ mention }) => mention.text.toLowerCase()))
  if (modelMentions.size < MIN_MODELS || !rows.some(({ mention }) => mention.models.length)) return null
  const judgedRows = rows.map((row) => judge(row, labelledText))
  const rowsByVerdict = VERDICTS.map(([verdict, one, several]) => ({
    one,
    several,
    rows: judgedRows.filter((row) => row.verdict === verdict),
  }))
  const occurringVerdicts = rowsByVerdict.filter(({ rows: { length } }) => length)
  const verdictWords = enumeration(
    occurringVerdicts.map(
      ({ one, several, rows: { length } }) => words`${length} ${noun(length, `is ${one}`, `are ${several}`)}`,
    ),
  )
  const [firstVerdict] = occurringVerdicts
  const isUniform = occurringVerdicts.length === 1 && firstVerdict.rows[0].verdict !== "unknown"
  const wrongRows = judgedRows.filter(({ verdict }) => verdict === "wrong")
  const [likeliest] = judgedRows
    .flatMap(({ model, verdict }) => (model && verdict !== "wrong" ? [model] : []))
    .sort(byUse)
  // A size in LaTeX or in another column is not part of the name: "BERT" may be two models.
  const modelCount = new Set(judgedRows.map(({ mention, right }) => `${mention.text.toLowerCase()} ${right}`)).size
  const countWords = words`${whole(judgedRows.length)} numbers of parameters, of ${whole(modelCount)} models`
  const summary = isUniform ? words`all are ${firstVerdict.several}` : verdictWords
  const onFirstWrongRow = wrongRows.length ? words` ${wrongRows[0].words}` : ""
  return accountWith({
    kind: "labels",
    headline: words`${countWords}: ${summary}.${onFirstWrongRow}`,
    findings: judgedRows.flatMap((row) =>
      row.words.length ? [finding(row.verdict === "wrong" ? 4 : 0.5, row.words)] : [],
    ),
    lines: labelledText.numbers.flatMap((quantity) => {
      const row = judgedRows.find((judgedRow) => judgedRow.quantity === quantity)
      if (!row) return [lineOfNumber(labelledText, quantity, [], null)]
      const line = lineOfNumber(labelledText, quantity, row.part, row.right)
      return [{ ...line, verdict: row.verdict }]
    }),
    model: likeliest && models.has(likeliest.name) ? likeliest : null,
    confidence: wrongRows.length ? "likely" : "certain",
  })
}
