// Explains the rows of LoRA, DoRA and IA3: what PEFT adds to a model, printed with some of the
// model's rows or alone, as in an adapter file. For a matrix of the model with `in` inputs
// and `out` outputs, A is (r, in) and B is (out, r). Either shape gives the rank, and its
// other dimension shows which models the matrix may belong to. DoRA adds a vector of one element per
// output, and IA3 has only vectors, of one element per input or output. As for any few rows (few.js),
// the answer names the most widely used model that fits all of them. In a print-out of a whole model,
// these rows are reported as findings instead (additions.js).

import { noun, product, sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { accountWith, code, enumeration, finding, firstOf, link, linkTo, words } from "../words.js"
import { placedPartInWords } from "./few.js"
import { fitsOf, isFitting, tensorsAt } from "./fits.js"
import { ADDED_TENSOR } from "./names.js"
import { rulerOf } from "./ruler.js"
import { sourceOrName } from "./text-row.js"

/** @typedef {import("./fits.js").FitOfLines} FitOfLines */

const LORA_PAGE = "changed/lora.html"
/** The name of a LoRA matrix: the module that it adapts, then A or B. PEFT may append the adapter's name, such as
 * "default". */
const MATRIX = /^(.+)\.lora_(?:embedding_)?([AB])(?:\.\w+)?(?:\.weight)?$/
/** The name of a vector that DoRA or IA3 adds to a module. */
const VECTOR = /^(.+)\.(lora_magnitude_vector|ia3_l)(?:\.\w+)?(?:\.weight)?$/
const MIN_SHARE = 0.25 // the smallest share of a method's rows among the rows of a text about the method
const MAX_RANK = 1024 // a matrix that would have a higher rank belongs to another module or model
const MAX_PARTS = 4 // the maximum number of parts that the first sentence lists
const MAX_NAMES = 3 // the maximum number of rows of the model itself that are listed

/** A printed row (`row`), and the same row under the name of the model's tensor that it shows, copies or adapts
 * (`text`). `letter` is A or B for a LoRA matrix, M for a magnitude vector of DoRA, I for a vector of IA3, and "" for
 * any other row.
 * @typedef {{ row: TextRow, text: TextRow, letter: string }} AdapterEntry */

/** The components that PEFT inserts into the name of a module if it trains a copy of it. */
const COPY = /\.modules_to_save\.\w+(?=\.)/

/** The entry for a printed row. @param {TextRow} row @returns {AdapterEntry} */
function entryOf(row) {
  const [, module, letter] = MATRIX.exec(row.name) ?? []
  if (module) return { row, letter, text: { ...row, name: `${module}.weight` } }
  const [, scaledModule, vector] = VECTOR.exec(row.name) ?? []
  if (scaledModule)
    return { row, letter: vector === "ia3_l" ? "I" : "M", text: { ...row, name: `${scaledModule}.weight` } }
  const name = row.name.replace(COPY, "").replace(/\.(?:base_layer|original_module)\./, ".")
  return { row, letter: "", text: { ...row, name } }
}

/** The rank that a LoRA matrix would have if it adapted this row's tensor; 0 if it does not fit. If the text gives no
 * shape, the rank is the count divided by the width.
 * @param {Row} row @param {AdapterEntry} matrix @param {Sizes} sizes */
function rankOn({ dimensions }, { text: { shape, low }, letter }, sizes) {
  if (dimensions.length !== 2) return 0
  const isA = letter === "A"
  const width = product([dimensions[isA ? 0 : 1]], sizes)
  if (shape && shape[isA ? 1 : 0] !== width) return 0
  const rank = shape ? shape[isA ? 0 : 1] : Number(low) / width
  return Number.isInteger(rank) && rank <= MAX_RANK ? rank : 0
}

/** Whether a matrix or vector may be added to this row's tensor.
 * @param {Row} row @param {AdapterEntry} entry @param {Sizes} sizes */
function mayBeOn(row, entry, sizes) {
  if (isMatrix(entry)) return rankOn(row, entry, sizes) > 0
  const [inputs, outputs] = row.dimensions.map((size) => product([size], sizes))
  const { low } = entry.row
  return row.dimensions.length === 2 && (low === outputs || (entry.letter === "I" && low === inputs))
}

/** Whether an entry is a matrix of LoRA. @param {AdapterEntry} entry */
const isMatrix = ({ letter }) => letter === "A" || letter === "B"

/** Whether all tensors belong to a task head. @param {RulerTensor[]} tensors */
const isOfHead = (tensors) => tensors.every(({ row }) => row.block === "task-head")

/** The account of rows if LoRA, DoRA or IA3 has added enough of them; null if it has not, if another row has no name or
 * was added by another method, or if no model fits them all. Modules around others, and rows without an exact count,
 * are ignored.
 * @param {TextRow[]} rows @param {number} [minShare]  the smallest share of the rows that must have been added
 * @returns {Account | null} */
export function accountOfAdapters(rows, minShare = MIN_SHARE) {
  const exactRows = rows.filter(({ low, high, isContainer }) => low !== null && low === high && !isContainer)
  const entries = exactRows.map(entryOf)
  const otherEntries = entries.filter(({ letter }) => !letter)
  const addedCount = entries.length - otherEntries.length
  if (addedCount < Math.max(1, entries.length * minShare)) return null
  if (otherEntries.some(({ row, text }) => !row.name || ADDED_TENSOR.test(text.name))) return null
  const entryOfText = new Map(entries.map((entry) => [entry.text, entry]))
  const lines = entries.map(({ text }) => [text])
  const [fit, ...otherFits] = fitsOf(lines, (row, text, sizes) => {
    const entry = entryOfText.get(text)
    return entry?.letter ? mayBeOn(row, entry, sizes) : isFitting(row, text, sizes)
  })
  return fit ? accountOf(fit, entries, otherFits.length > 0) : null
}

/** An entry with the first place in the model that fits it, and the tensors there.
 * @typedef {AdapterEntry & { place: import("./fits.js").PlaceOfRow, tensors: RulerTensor[] }} PlacedEntry */

/** The rows that are copies trained by PEFT. An adapter file holds none of the model's own tensors, so a head in it is
 * a copy even though it has the name of the original.
 * @param {PlacedEntry[]} entries  the entries that are neither matrices nor vectors */
function copiesIn(entries) {
  const isAdapterFile = entries.every(
    ({ row, tensors }) => isOfHead(tensors) && !row.name.includes(".original_module."),
  )
  return new Set(entries.flatMap(({ row }) => (isAdapterFile || COPY.test(row.name) ? [row] : [])))
}

/** The method that has added rows: DoRA has LoRA's matrices besides its vectors.
 * @param {AdapterEntry[]} addedEntries */
function methodOf(addedEntries) {
  if (addedEntries.some(({ letter }) => letter === "I")) return "IA3"
  return addedEntries.some(({ letter }) => letter === "M") ? "DoRA" : "LoRA"
}

/** The name of what an entry adds. @param {string} letter */
const addedName = (letter) => ({ M: "DoRA's magnitude vector", I: "IA3's vector" })[letter] ?? `LoRA's matrix ${letter}`

/** The headline: the method, LoRA's rank, the parts that it adapts, the model, and the number of parameters.
 * @param {PlacedEntry[]} addedEntries  the matrices and vectors @param {FitOfLines} fit
 * @param {boolean} isShared  whether they fit other models, too @param {Ruler} ruler */
function headlineOn(addedEntries, { model }, isShared, ruler) {
  const parts = [...groupBy(addedEntries, ({ place }) => place.rows[0].path).values()].map((group) => {
    const tensors = new Set(group.flatMap((entry) => entry.tensors))
    return placedPartInWords([...tensors], group[0].place, ruler)
  })
  const matrices = addedEntries.filter(isMatrix)
  const vectorCount = addedEntries.length - matrices.length
  const ranks = [...new Set(matrices.map((matrix) => rankOn(matrix.place.rows[0], matrix, model.sizes)))]
  const sum = sumBy(addedEntries, ({ row }) => row.low ?? 0)
  const method = methodOf(addedEntries)
  const name = method === "IA3" ? method : link(LORA_PAGE, method)
  const single = words`This is ${isMatrix(addedEntries[0]) ? `matrix ${addedEntries[0].letter}` : "a vector"} of ${name}`
  const opening = addedEntries.length > 1 ? words`This is ${name}` : single
  const rank = ranks.length === 1 ? words` of rank ${ranks[0]}` : []
  const asIn = words`${isShared ? ", as in" : " of"} ${linkTo(model)}`
  const counts = [
    ...(matrices.length ? [words`${matrices.length} ${noun(matrices.length, "matrix", "matrices")}`] : []),
    ...(vectorCount ? [words`${vectorCount} ${noun(vectorCount, "vector")}`] : []),
  ]
  const count = addedEntries.length > 1 ? words` in ${enumeration(counts)}` : ""
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
    part: letter ? words`${addedName(letter)} on ${part}` : part,
    stated: row.stated ?? row.low,
    right: row.low,
    verdict: isWrong ? "wrong" : verdict,
    times: 1,
  }
}

/** The account of the rows that a method has added to a model.
 * @param {FitOfLines} fit @param {AdapterEntry[]} entries
 * @param {boolean} isShared  whether the rows fit other models, too
 * @returns {Account} */
function accountOf(fit, entries, isShared) {
  const ruler = rulerOf(fit.modelClass.name, fit.model.sizes)
  const placedEntries = entries.map((entry, index) => {
    const [place] = fit.places[index]
    return { ...entry, place, tensors: tensorsAt(place, ruler) }
  })
  const addedEntries = placedEntries.filter(({ letter }) => letter)
  const otherEntries = placedEntries.filter(({ letter }) => !letter)
  const copies = copiesIn(otherEntries)
  const modelRows = otherEntries.flatMap(({ row }) => (copies.has(row) ? [] : [row]))
  return accountWith({
    kind: "rows",
    headline: headlineOn(addedEntries, fit, isShared, ruler),
    findings: [
      ...findingsOnMissingPartners(addedEntries, fit.model.sizes),
      ...findingsOnOtherRows(
        otherEntries.filter(({ row }) => copies.has(row)),
        modelRows,
        sumBy(addedEntries, ({ row }) => row.low ?? 0),
      ),
    ],
    lines: placedEntries.map((entry) => lineOf(entry, copies.has(entry.row), ruler)),
    confidence: isShared ? "possible" : "likely",
  })
}

/** The name of the module that a LoRA matrix adapts. @param {AdapterEntry} entry */
const moduleOfMatrix = ({ row }) => MATRIX.exec(row.name)?.[1] ?? ""

/** A finding on the missing partners of LoRA's matrices; empty if none are missing, and for a single matrix.
 * @param {PlacedEntry[]} addedEntries  the matrices and vectors @param {Sizes} sizes @returns {Finding[]} */
function findingsOnMissingPartners(addedEntries, sizes) {
  const matrices = addedEntries.filter(isMatrix)
  const keys = new Set(matrices.map((matrix) => `${moduleOfMatrix(matrix)} ${matrix.letter}`))
  const unpairedMatrices = matrices.filter((matrix) => !keys.has(`${moduleOfMatrix(matrix)} ${partnerOf(matrix)}`))
  if (matrices.length < 2 || !unpairedMatrices.length) return []
  const amount = sumBy(unpairedMatrices, (matrix) => {
    const [row] = matrix.place.rows
    return rankOn(row, matrix, sizes) * product([row.dimensions[matrix.letter === "A" ? 1 : 0]], sizes)
  })
  const total = sumBy(addedEntries, ({ row }) => row.low ?? 0) + amount
  const letters = [...new Set(unpairedMatrices.map(partnerOf))].sort()
  const count = unpairedMatrices.length
  const subjectAndVerb = noun(count, "matrix is", "matrices are")
  return [
    finding(
      80,
      words`${count} ${enumeration(letters)} ${subjectAndVerb} missing, with ${amount} parameters: LoRA adds two matrices to each module. With ${noun(count, "it", "them")}, the adapter has ${total} parameters.`,
      amount,
    ),
  ]
}

/** The letter of the matrix that LoRA adds beside this one. @param {AdapterEntry} entry */
const partnerOf = ({ letter }) => (letter === "A" ? "B" : "A")

/** Findings on the rows that are neither matrices nor vectors: PEFT's copies of modules, and rows of the model itself.
 * @param {PlacedEntry[]} copies @param {TextRow[]} modelRows
 * @param {number} addedSum  the number of parameters in the matrices and vectors
 * @returns {Finding[]} */
function findingsOnOtherRows(copies, modelRows, addedSum) {
  const copiedRows = copies.map(({ row }) => row)
  const [sumOfCopies, sumOfModel] = [copiedRows, modelRows].map((list) => sumBy(list, ({ low }) => low ?? 0))
  const copiedPart = copies.every(({ tensors }) => isOfHead(tensors)) ? "the head" : "modules of the model"
  const names = [...new Set(modelRows.map(({ name }) => name))].map(code)
  /** @type {Finding[]} */
  const findings = []
  if (copies.length)
    findings.push(
      finding(
        45,
        words`PEFT also trains a copy of ${copiedPart}, with ${sumOfCopies} ${noun(sumOfCopies, "parameter")}: ${addedSum + sumOfCopies} in all.`,
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
