// Explains LoRA rows: the matrices that PEFT adds to a model, printed with some of the
// model's rows or alone, as in an adapter file. For a matrix of the model with `in` inputs
// and `out` outputs, A is (r, in) and B is (out, r). Either shape gives the rank, and its
// other dimension shows which models the matrix may belong to. As for any few rows (few.js),
// the answer names the most widely used model that fits all of them. In a print-out of a whole model,
// these rows are reported as findings instead (additions.js).

import { noun, product, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { accountWith, code, finding, firstOf, link, linkTo, words } from "../words.js"
import { placedPartInWords } from "./few.js"
import { fitsOf, isFitting, tensorsAt } from "./fits.js"
import { ADDED_TENSOR } from "./names.js"
import { rulerOf } from "./ruler.js"
import { sourceOrName } from "./text-row.js"

/** @typedef {import("./fits.js").Fit} Fit */

const LORA_PAGE = "changed/lora.html"
/** The name of a LoRA matrix: the module that it adapts, then A or B. PEFT may append the adapter's name, such as
 * "default". */
const MATRIX = /^(.+)\.lora_(?:embedding_)?([AB])(?:\.\w+)?(?:\.weight)?$/
const MIN_SHARE = 0.25 // the smallest share of LoRA's rows among the rows of a text about LoRA
const MAX_RANK = 1024
const MAX_PARTS = 4 // the maximum number of parts that the first sentence lists
const MAX_NAMES = 3 // the maximum number of rows of the model itself that are listed

/** A printed row (`row`), and the same row under the name of the model's tensor that it shows, copies or adapts
 * (`text`). `letter` is A or B for a LoRA matrix, and "" for any other row.
 * @typedef {{ row: TextRow, text: TextRow, letter: string }} Entry */

/** The components that PEFT inserts into the name of a module if it trains a copy of it. */
const COPY = /\.modules_to_save\.\w+(?=\.)/

/** The entry for a printed row. @param {TextRow} row @returns {Entry} */
function entryOf(row) {
  const [, module, letter] = MATRIX.exec(row.name) ?? []
  if (module) return { row, letter, text: { ...row, name: `${module}.weight` } }
  const name = row.name.replace(COPY, "").replace(/\.(?:base_layer|original_module)\./, ".")
  return { row, letter: "", text: { ...row, name } }
}

/** The rank that a LoRA matrix would have if it adapted this row's tensor; 0 if it does not fit. If the text gives no
 * shape, the rank is the count divided by the width.
 * @param {Row} row @param {Entry} matrix @param {Sizes} sizes */
function rankOn({ dimensions }, { text: { shape, low }, letter }, sizes) {
  if (dimensions.length !== 2) return 0
  const isA = letter === "A"
  const width = product([dimensions[isA ? 0 : 1]], sizes)
  if (shape && shape[isA ? 1 : 0] !== width) return 0
  const rank = shape ? shape[isA ? 0 : 1] : Number(low) / width
  return Number.isInteger(rank) && rank <= MAX_RANK ? rank : 0
}

/** Whether all tensors belong to a task head. @param {RulerTensor[]} tensors */
const isOfHead = (tensors) => tensors.every(({ row }) => row.block === "task-head")

/** The account of rows if enough of them are LoRA's and one model fits them all; null otherwise.
 * @param {TextRow[]} rows @param {number} [minShare]  the smallest share of the rows that must be LoRA's
 * @returns {Account | null} */
export function accountOfAdapters(rows, minShare = MIN_SHARE) {
  const rowsWithCounts = rows.filter(({ low, high, isContainer }) => low !== null && low === high && !isContainer)
  const entries = rowsWithCounts.map(entryOf)
  const otherEntries = entries.filter(({ letter }) => !letter)
  const matrixCount = entries.length - otherEntries.length
  if (matrixCount < Math.max(1, entries.length * minShare)) return null
  if (otherEntries.some(({ row, text }) => !row.name || ADDED_TENSOR.test(text.name))) return null
  const entryOfText = new Map(entries.map((entry) => [entry.text, entry]))
  const lines = entries.map(({ text }) => [text])
  const [fit, ...otherFits] = fitsOf(lines, (row, text, sizes) => {
    const entry = entryOfText.get(text)
    return entry?.letter ? rankOn(row, entry, sizes) > 0 : isFitting(row, text, sizes)
  })
  return fit ? accountOf(fit, entries, otherFits.length > 0) : null
}

/** An entry with the first place in the model that fits it, and the tensors there.
 * @typedef {Entry & { place: import("./fits.js").Place, tensors: RulerTensor[] }} PlacedEntry */

/** The rows that are copies trained by PEFT. An adapter file holds none of the model's own tensors, so a head in it is
 * a copy even though it has the name of the original.
 * @param {PlacedEntry[]} entries  the entries that are not LoRA's matrices */
function copiesIn(entries) {
  const isAdapterFile = entries.every(
    ({ row, tensors }) => isOfHead(tensors) && !row.name.includes(".original_module."),
  )
  return new Set(entries.flatMap(({ row }) => (isAdapterFile || COPY.test(row.name) ? [row] : [])))
}

/** The headline: LoRA's rank, the parts that it adapts, the model, and the number of parameters.
 * @param {PlacedEntry[]} matrices @param {Fit} fit
 * @param {boolean} isShared  whether the matrices fit other models, too @param {Ruler} ruler */
function headlineOn(matrices, { model }, isShared, ruler) {
  const parts = [...groupBy(matrices, ({ place }) => place.rows[0].path).values()].map((group) => {
    const tensors = new Set(group.flatMap((entry) => entry.tensors))
    return placedPartInWords([...tensors], group[0].place, ruler)
  })
  const ranks = [...new Set(matrices.map((matrix) => rankOn(matrix.place.rows[0], matrix, model.sizes)))]
  const sum = sumBy(matrices, ({ row }) => row.low ?? 0)
  const lora = link(LORA_PAGE, "LoRA")
  const opening = matrices.length > 1 ? words`This is ${lora}` : words`This is matrix ${matrices[0].letter} of ${lora}`
  const rank = ranks.length === 1 ? words` of rank ${ranks[0]}` : []
  const asIn = words`${isShared ? ", as in" : " of"} ${linkTo(model)}`
  const count = matrices.length > 1 ? ` in ${matrices.length} matrices` : ""
  return words`${opening}${rank} on ${firstOf(parts, MAX_PARTS, "and")}${asIn}: ${sum} ${noun(sum, "parameter")}${count}.`
}

/** The account's line for an entry.
 * @param {PlacedEntry} entry @param {boolean} isCopy @param {Ruler} ruler @returns {AccountLine} */
function lineOf({ row, letter, tensors, place }, isCopy, ruler) {
  const original = placedPartInWords(tensors, place, ruler)
  const part = isCopy ? words`PEFT's copy of ${original}` : original
  const isWrong = row.stated !== null && row.stated !== row.low
  const verdict = letter || isCopy ? "added" : "right"
  return {
    source: sourceOrName(row),
    part: letter ? words`LoRA's matrix ${letter} on ${part}` : part,
    stated: row.stated ?? row.low,
    right: row.low,
    verdict: isWrong ? "wrong" : verdict,
    times: 1,
  }
}

/** The account of LoRA rows on a model.
 * @param {Fit} fit @param {Entry[]} entries @param {boolean} isShared  whether the rows fit other models, too
 * @returns {Account} */
function accountOf(fit, entries, isShared) {
  const ruler = rulerOf(fit.modelClass.name, fit.model.sizes)
  const placedEntries = entries.map((entry, index) => {
    const [place] = fit.places[index]
    return { ...entry, place, tensors: tensorsAt(place, ruler) }
  })
  const matrices = placedEntries.filter(({ letter }) => letter)
  const otherEntries = placedEntries.filter(({ letter }) => !letter)
  const copies = copiesIn(otherEntries)
  const modelRows = otherEntries.flatMap(({ row }) => (copies.has(row) ? [] : [row]))
  return accountWith({
    kind: "rows",
    headline: headlineOn(matrices, fit, isShared, ruler),
    findings: findingsOn(
      [...copies],
      modelRows,
      sumBy(matrices, ({ row }) => row.low ?? 0),
    ),
    lines: placedEntries.map((entry) => lineOf(entry, copies.has(entry.row), ruler)),
    confidence: isShared ? "possible" : "likely",
  })
}

/** Findings on the rows that are not LoRA's: PEFT's copies of a head, and rows of the model itself.
 * @param {TextRow[]} copies @param {TextRow[]} modelRows @param {number} sum  the number of parameters in LoRA's rows
 * @returns {Finding[]} */
function findingsOn(copies, modelRows, sum) {
  const [sumOfCopies, sumOfModel] = [copies, modelRows].map((list) => sumBy(list, ({ low }) => low ?? 0))
  const names = [...new Set(modelRows.map(({ name }) => name))].map(code)
  /** @type {Finding[]} */
  const findings = []
  if (copies.length)
    findings.push(
      finding(
        45,
        words`PEFT also trains a copy of the head, with ${sumOfCopies} ${noun(sumOfCopies, "parameter")}: ${sum + sumOfCopies} together.`,
      ),
    )
  if (modelRows.length)
    findings.push(
      finding(
        40,
        words`Your text also has ${modelRows.length} ${noun(modelRows.length, "row")} of the model itself, with ${sumOfModel} ${noun(sumOfModel, "parameter")}: ${firstOf(names, MAX_NAMES)}.`,
      ),
    )
  return findings
}
