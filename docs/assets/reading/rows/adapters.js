// Rows of LoRA: the matrices that PEFT puts beside a model's own, printed with some of
// the model's rows or alone, as the file of an adapter holds them. For a matrix of the
// model with `in` rows and `out` columns, A is (r, in) and B is (out, r), so both give the
// rank, and the widths say of which model they are. The model is found as that of a few
// rows is (few.js): the most usual one that has all of them. In a print-out of a whole
// model, account.js lays these rows beside it instead.

import { noun, product, sumBy } from "../../counting/engine.js"
import { code, finding, firstOf, link, words } from "../words.js"
import { fitsOf, isInAnyLayer, isLike, namedBy, tensorsAt } from "./few.js"
import { partInWords } from "./parts-in-words.js"
import { ADDED } from "./recognising.js"
import { rulerOf } from "./ruler.js"
import { inAnyLayer } from "./table-lines.js"
import { sourceOrName } from "./text-row.js"

/** @typedef {import("./few.js").Fit} Fit */

const PAGE = "changed/lora.html"
const MATRIX = /^(.+)\.lora_(?:embedding_)?([AB])(?:\.\w+)?(?:\.weight)?$/
const FEWEST = 0.25 // of the rows, that must be LoRA's for the text to be about it
const LARGEST_RANK = 1024
const MOST_PARTS = 4 // that the first sentence lists
const MOST_NAMES = 3 // of rows of the model itself

/** A matrix of LoRA with the name of the matrix that it changes. @typedef {{ text: TextRow, letter: string }} Matrix */

/** @param {TextRow} row @returns {Matrix[]} */
function matrixIn(row) {
  const [, module, letter] = MATRIX.exec(row.name) ?? []
  return module ? [{ text: { ...row, name: `${module}.weight` }, letter }] : []
}

/** The rank that a matrix of LoRA would have beside a tensor; 0 if it does not fit. Without a shape, its count has the rank
 * as a factor.
 * @param {Row} row @param {Matrix} matrix @param {Sizes} sizes */
function rankBeside({ dimensions }, { text: { shape, low }, letter }, sizes) {
  if (dimensions.length !== 2) return 0
  const width = product([dimensions[letter === "A" ? 0 : 1]], sizes)
  const [own, rank] = letter === "A" ? [shape?.[1], shape?.[0]] : [shape?.[0], shape?.[1]]
  const found = shape ? (own === width ? Number(rank) : 0) : Number(low) / width
  return Number.isInteger(found) && found <= LARGEST_RANK ? found : 0
}

const COPY = /\.modules_to_save\.\w+(?=\.)/

/** A row of the model or of PEFT's copy of its head by the name that it has in the model. @param {TextRow} row */
const inModel = (row) => ({
  ...row,
  name: row.name.replace(COPY, "").replace(/\.(?:base_layer|original_module)\./, "."),
})

/** Whether tensors are those of a head for a task. @param {RulerTensor[]} tensors */
const isOfHead = (tensors) => tensors.every(({ row }) => row.block === "task-head")

/** The account of rows of which many are LoRA's; null for any other rows.
 * @param {TextRow[]} rows @returns {Account | null} */
export function accountOfAdapters(rows) {
  const sized = rows.filter(({ low, high, container }) => low !== null && low === high && !container)
  const matrices = new Map(sized.flatMap((row) => matrixIn(row).map((matrix) => [row, matrix])))
  const own = sized.filter((row) => !matrices.has(row))
  if (
    matrices.size < Math.max(1, sized.length * FEWEST) ||
    own.some((row) => !row.name || ADDED.test(inModel(row).name))
  )
    return null
  const texts = sized.map((row) => matrices.get(row)?.text ?? inModel(row))
  const matrixOf = new Map([...matrices.values()].map((matrix) => [matrix.text, matrix]))
  const lines = texts.map((text) => [text])
  const [fit, ...others] = fitsOf(lines, namedBy(lines), (row, text, sizes) => {
    const matrix = matrixOf.get(text)
    return matrix ? rankBeside(row, matrix, sizes) > 0 : isLike(row, text, sizes)
  })
  return fit ? accountOf(fit, sized, texts, matrixOf, others) : null
}

/** @param {Fit} fit @param {TextRow[]} sized @param {TextRow[]} texts @param {Map<TextRow, Matrix>} matrixOf @param {Fit[]} others
 * @returns {Account} */
function accountOf({ model, modelClass, places }, sized, texts, matrixOf, others) {
  const { sizes } = model
  const ruler = rulerOf(modelClass.name, sizes)
  const tensors = places.map(([place]) => tensorsAt(place, ruler))
  const isMatrix = (/** @type {unknown} */ _, /** @type {number} */ index) => matrixOf.has(texts[index])
  const ranks = texts.flatMap((text, index) => {
    const matrix = matrixOf.get(text)
    return matrix ? [rankBeside(places[index][0].rows[0], matrix, sizes)] : []
  })
  const isOneRank = new Set(ranks).size === 1
  /** The words for tensors of some rows of the text; one that names no layer may be in any. @param {RulerTensor[]} some
   * @param {import("./few.js").Place} place */
  const partOf = (some, place) => {
    const part = partInWords([...new Set(some)], ruler)
    return isInAnyLayer(place) ? inAnyLayer(part) : part
  }
  const changed = tensors.filter(isMatrix).flat()
  const changedPlaces = new Map(places.filter(isMatrix).map(([place]) => [place.rows[0], place]))
  const parts = [...changedPlaces].map(([row, place]) =>
    partOf(
      changed.filter((tensor) => tensor.row === row),
      place,
    ),
  )
  const added = sized.filter(isMatrix)
  // In the file of an adapter, which has nothing of the model itself, the copy of a head has the name of the original.
  const rest = sized.filter((row) => !added.includes(row))
  const isOfFile = rest.every((row) => isOfHead(tensors[sized.indexOf(row)]) && !row.name.includes(".original_module."))
  const copies = rest.filter((row) => isOfFile || COPY.test(row.name))
  const sum = sumBy(added, ({ low }) => low ?? 0)
  const rank = isOneRank ? words` of rank ${ranks[0]}` : []
  const asIn = words`${others.length ? ", as in" : " of"} ${[link(model.page, model.title)]}`
  const [{ letter }] = matrixOf.values()
  const opening =
    added.length > 1 ? words`This is ${link(PAGE, "LoRA")}` : words`This is matrix ${letter} of ${link(PAGE, "LoRA")}`
  const count = added.length > 1 ? ` in ${added.length} matrices` : ""
  return {
    kind: "rows",
    headline: words`${opening}${rank} on ${firstOf(parts, MOST_PARTS, "and")}${asIn}: ${sum} ${noun(sum, "parameter")}${count}.`,
    findings: findingsOn(
      copies,
      rest.filter((row) => !copies.includes(row)),
      sum,
    ),
    lines: sized.map((row, index) => {
      const letter = matrixOf.get(texts[index])?.letter
      const isCopy = copies.includes(row)
      const own = partOf(tensors[index], places[index][0])
      const part = isCopy ? words`PEFT's copy of ${own}` : own
      return {
        source: sourceOrName(row),
        part: letter ? words`LoRA's matrix ${letter} on ${part}` : part,
        stated: row.stated ?? row.low,
        right: row.low,
        verdict: row.stated !== null && row.stated !== row.low ? "wrong" : letter || isCopy ? "added" : "right",
        times: 1,
      }
    }),
    bridge: null,
    model: null,
    confidence: others.length ? "possible" : "likely",
  }
}

/** Findings on the rows that are not LoRA's: PEFT's copies of a head, and the model's own.
 * @param {TextRow[]} copies @param {TextRow[]} own @param {number} sum  of LoRA's rows @returns {Finding[]} */
function findingsOn(copies, own, sum) {
  const [ofCopies, ofOwn] = [copies, own].map((some) => sumBy(some, ({ low }) => low ?? 0))
  const names = (/** @type {TextRow[]} */ some) =>
    firstOf(
      [...new Set(some.map(({ name }) => name))].map((name) => code(name)),
      MOST_NAMES,
    )
  return [
    ...(copies.length
      ? [
          finding(
            45,
            words`PEFT also trains a copy of the head, with ${ofCopies} ${noun(ofCopies, "parameter")}: ${sum + ofCopies} together.`,
          ),
        ]
      : []),
    ...(own.length
      ? [
          finding(
            40,
            words`Besides, your text has ${own.length} ${noun(own.length, "row")} of the model itself, with ${ofOwn} ${noun(ofOwn, "parameter")}: ${names(own)}.`,
          ),
        ]
      : []),
  ]
}
