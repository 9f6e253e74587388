// The account of a print-out: which model it shows, whether its numbers are right, and what
// each line is.
//
// facts.js works out which model the rows belong to and what they add up to. headline.js,
// findings.js, bridge.js and lines.js each put one part of that into words. Other modules
// handle other kinds of text: a few rows, layers alone, several print-outs or models, the tensors
// that PEFT adds, modules that lack tensors, sums in tables, and models that the site does not
// count.

import { classes } from "../../counting/engine.js"
import { accountOfSum } from "../sums/account.js"
import { accountWith } from "../words.js"
import { accountOfAdapters } from "./adapters.js"
import { bridgeOf } from "./bridge.js"
import {
  confidenceOf,
  countedRows,
  factsIn,
  factsOf,
  hasOtherTotal,
  isBodyOfLargerModel,
  isPrintOut,
  namedPrintOut,
} from "./facts.js"
import { accountOfFew } from "./few.js"
import { findingsOf, findingsOnDoubledRows, findingsOnWrongRows } from "./findings.js"
import { accountOfGroupedLayers } from "./grouped-layers.js"
import { accountOfDifferentRows, headedPrintOuts } from "./headed-print-outs.js"
import { headlineOf } from "./headline.js"
import { accountOfLackingTensors } from "./lacking-tensors.js"
import { findingsOnModelsWithLayers, headlineOfLayers, layersAlone } from "./layers.js"
import { linesOf } from "./lines.js"
import { accountOfHeadedPrintOuts, accountOfPrintOuts } from "./several-print-outs.js"
import {
  accountOfForeignClass,
  accountOfKerasHub,
  accountOfModelWithoutSizes,
  accountOfUncountedModel,
} from "./uncounted-models.js"
import { accountOfWholeModels } from "./whole-models.js"

/** @typedef {import("./facts.js").Facts} Facts */

/** The account of a text that shows only layers of a model.
 * @param {PrintOut} printOut @param {import("./layers.js").Layers} layers @returns {Account} */
function accountOfLayers(printOut, layers) {
  const facts = factsOf(printOut, layers.recognised, layers.alignment)
  const findings = [
    ...findingsOnWrongRows(facts),
    ...findingsOnDoubledRows(facts),
    ...findingsOnModelsWithLayers(layers, printOut.depths.length > 0),
  ]
  return accountWith({
    kind: "rows",
    headline: headlineOfLayers(layers),
    findings,
    lines: linesOf(facts),
    confidence: "likely",
  })
}

/** Whether all that a text says about its model is one rounded number: it names no model class and states no exact
 * number. Rows that are not part of the model do not matter. Such a text is no more informative than the bare number.
 * @param {Facts} facts */
function isOneRoundedNumber({ alignment, printOut }) {
  if (printOut.mentions.some((name) => classes.has(name))) return false
  const rows = countedRows(alignment).filter(({ verdict }) => verdict !== "added")
  return rows.length === 1 && rows[0].verdict === "rounded" && !printOut.totals.some(({ low, high }) => low === high)
}

/** Whether a text rounds all its counts. @param {PrintOut} printOut */
const isRounded = ({ rows }) => rows.every(({ low, high }) => low !== high)

/** The largest share of the rows of a table that may be wrong if it is explained as a sum. */
const MAX_WRONG_SHARE = 0.25

/** The account of a table whose rows are parts chosen by a person, such as all projections; null if the rows cannot be
 * explained as the terms of a sum. A confident account is used unless too many of its lines are wrong, and one that is
 * merely possible only if the other readers find rows on at most half of its lines.
 * @param {string} text @param {number} rowCount  the number of rows that the other readers find in the table */
function accountOfHandMadeTable(text, rowCount) {
  const account = accountOfSum(text)
  if (!account) return null
  if (account.confidence === "possible") return rowCount <= account.lines.length / 2 ? account : null
  const wrongLines = account.lines.filter(({ verdict }) => verdict !== "right" && verdict !== "subtotal")
  return wrongLines.length <= account.lines.length * MAX_WRONG_SHARE ? account : null
}

/** A product with an equals sign after it, which no tool prints. */
const PRODUCT = /[0-9] ?[*x×·⋅] ?[0-9][0-9,.]* ?=/

/** Words for a subtotal, which no tool prints. */
const SUBTOTAL = /(?<!\p{L})sub-?totals?(?!\p{L})|zwischensumme|小计|sous-total/iu

const MIN_COUNT_OF_MODEL = 1_000_000 // a smaller number beside the name of a class may be that of its head

/** Whether rows with large counts name classes of different architectures, as in the log of a teacher and its student.
 * Their counts are totals of models, which must not be added up.
 * @param {TextRow[]} rows */
function areSeveralModels(rows) {
  const texts = rows
    .filter(({ low, isContainer }) => !isContainer && low !== null && low >= MIN_COUNT_OF_MODEL)
    .map(({ line }) => line.text)
  // A line may have many rows.
  const classesOfRows = [...new Set(texts)].flatMap((text) =>
    (text.match(/\b[A-Z]\w+/g) ?? []).filter((name) => classes.has(name)),
  )
  return new Set(classesOfRows.map((name) => classes.get(name).architecture)).size > 1
}

/** The account of a whole or partial print-out, or of a sum in a table; null if the text cannot be explained as any of
 * these, if its rows are totals of several models, or if it gives only one rounded number.
 * @param {string} text @returns {Account | null} */
export function accountOfRows(text) {
  const accountOfModels = accountOfWholeModels(text)
  if (accountOfModels) return accountOfModels
  const printOuts = headedPrintOuts(text)
  const accountOfHeaded = accountOfHeadedPrintOuts(printOuts) ?? accountOfDifferentRows(printOuts)
  if (accountOfHeaded) return accountOfHeaded
  const printOut = namedPrintOut(text)
  if (areSeveralModels(printOut.rows)) return null
  const accountOfGroups = accountOfGroupedLayers(printOut)
  if (accountOfGroups) return accountOfGroups
  /** The account of a partial print-out; null if none of these readers can explain the text. */
  const accountOfPart = () =>
    accountOfAdapters(printOut.rows) ?? accountOfLackingTensors(text) ?? accountOfFew(text, printOut.rows)
  const layers = layersAlone(printOut)
  if (layers) return (layers.isCustom ? null : accountOfPart()) ?? accountOfLayers(printOut, layers)
  if (!isPrintOut(printOut) && !(printOut.isTable && printOut.rows.length)) return accountOfPart()
  const foreignAccount = accountOfForeignClass(printOut) ?? accountOfKerasHub(text, printOut)
  if (foreignAccount) return foreignAccount
  const facts = factsIn(printOut)
  if (facts && isOneRoundedNumber(facts)) return null
  // If no model can be recognised, a single LoRA row is enough to treat the text as an adapter.
  if (!facts)
    return (
      accountOfPart() ??
      accountOfAdapters(printOut.rows, 0) ??
      accountOfModelWithoutSizes(printOut) ??
      accountOfHandMadeTable(text, printOut.rows.length) ??
      // The words of rounded rows may name parts, although the counts do not show a model.
      (isRounded(printOut) ? null : accountOfUncountedModel(printOut))
    )
  // In a sum of labelled products, only the labels that are also names of modules are read as rows.
  const productCount = text.split("\n").filter((line) => PRODUCT.test(line)).length
  const isOfSum = productCount > printOut.rows.length || SUBTOTAL.test(text)
  const sumAccount = isOfSum ? accountOfSum(text) : null
  if (sumAccount && sumAccount.confidence !== "possible") return sumAccount
  const accountOfSeveral = accountOfPrintOuts(printOut)
  return accountOfSeveral ?? accountOfModel(facts)
}

/** The account of a print-out of one model. Its `bridge` and `model` are null if the text seems to show only the body
 * of a larger model; `model` is also null if the text has no sizes and states a total that the assumed sizes do not
 * give.
 * @param {Facts} facts @returns {Account} */
function accountOfModel(facts) {
  const { recognised, total } = facts
  return accountWith({
    kind: "rows",
    headline: headlineOf(facts),
    findings: findingsOf(facts),
    lines: linesOf(facts),
    bridge: isBodyOfLargerModel(facts) ? null : bridgeOf(facts),
    model:
      hasOtherTotal(facts) || isBodyOfLargerModel(facts)
        ? null
        : { name: recognised.name, modelClass: recognised.modelClass, total },
    confidence: confidenceOf(facts),
  })
}

/** The account of a list of rounded counts as a model that the site does not count, for texts that no other reader
 * explains; null if any count is exact, or if the list cannot be explained this way.
 * @param {string} text @returns {Account | null} */
export function accountOfRoundedRows(text) {
  const printOut = namedPrintOut(text)
  return isPrintOut(printOut) && isRounded(printOut) ? accountOfUncountedModel(printOut) : null
}
