// Explains a shape alone, as `weight.shape` shows it, or a layer alone, as `print(layer)`
// does. Without a name, it may belong to any tensor or module of this shape, so the answer
// names those of the most widely used model that has any.

import { classesOf } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { modelsByUse } from "../../explaining/ways.js"
import { accountWith, asPlainText, asSubject, code, firstOf, link, words } from "../words.js"
import { workingOf } from "./few.js"
import { sumOfTexts } from "./fits.js"
import { moduleRows } from "./modules.js"
import { inAnyLayer, partInWords } from "./parts-in-words.js"
import { rulerOf } from "./ruler.js"
import { numbersOf, textRow } from "./text-row.js"

/** A shape alone, as `weight.shape` or a Parameter shows it. */
const SIZE = /^\s*(?:Parameter containing:\s*)?(torch\.Size\(\[(\d+(?:, ?\d+)*),?\]\))\s*$/
/** A layer alone, as `print(layer)` shows it. */
const LAYER = /^\s*(?:[\w.]+\s*=\s*)?((?:torch\.nn\.|nn\.)?(?:Linear|Embedding|LayerNorm)\([^\n]*\))\s*$/
const MAX_PARTS = 5 // the maximum number of parts of this shape that are listed

/** A shape or layer without a name: its text, a row for each of its tensors, and whether it is a layer.
 * @typedef {{ source: string, rows: TextRow[], isLayer: boolean }} UnnamedPart */

/** The unnamed shape or layer in a text; null for any other text. @param {string} text @returns {UnnamedPart | null} */
function unnamedIn(text) {
  const [, size, numbers] = SIZE.exec(text) ?? []
  if (size)
    return {
      source: size,
      rows: [textRow({ text, source: size, index: 0 }, { shape: numbersOf(numbers) })],
      isLayer: false,
    }
  const [, layer] = LAYER.exec(text) ?? []
  if (!layer) return null
  const line = `(layer): ${layer}`
  const rows = moduleRows(line, [{ text: line, source: layer, index: 0 }]).rows.filter(({ shape }) => shape)
  return rows.length ? { source: layer, rows, isLayer: true } : null
}

/** The parts of a class with exactly these shapes. Of equal layers, only the first is searched.
 * @param {UnnamedPart} unnamed @param {Ruler} ruler @returns {RulerTensor[][]} */
function partsWith({ source, rows, isLayer }, ruler) {
  const tensors = ruler.tensors.filter(({ numbers }) => numbers.every((number) => number === 0))
  const parts = isLayer ? [...groupBy(tensors, ({ module }) => module).values()] : tensors.map((tensor) => [tensor])
  /** The shapes of tensors, to be compared. */
  const keyOf = (/** @type {{ shape: number[] | null }[]} */ list) => list.map(({ shape }) => shape?.join()).join(" ")
  const key = keyOf(rows)
  return parts.filter((part) => {
    const isTable = part[0].row.tags.has("embedding-table")
    const isOfKind = isLayer ? isTable === /Embedding\(/.test(source) : !isTable || !isDense(source)
    return isOfKind && keyOf(part) === key
  })
}

/** Whether the text shows a dense layer. @param {string} source */
const isDense = (source) => /Linear\(/.test(source)

/** The most widely used model that has parts with these shapes, with the words for them; null if there is none.
 * @param {UnnamedPart} unnamedPart @returns {{ model: Model, parts: Words[] } | null} */
function modelWith(unnamedPart) {
  for (const model of modelsByUse) {
    /** @type {Map<string, Words>} */
    const parts = new Map()
    for (const { name } of classesOf(model.architecture)) {
      const ruler = rulerOf(name, model.sizes)
      for (const tensors of partsWith(unnamedPart, ruler)) {
        const part = inAnyLayer(partInWords(tensors, ruler))
        if (!parts.has(asPlainText(part))) parts.set(asPlainText(part), part)
      }
    }
    if (parts.size) return { model, parts: [...parts.values()] }
  }
  return null
}

/** The account of an unnamed shape or layer; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfUnnamed(text) {
  const unnamedPart = unnamedIn(text)
  if (!unnamedPart) return null
  const sum = sumOfTexts(unnamedPart.rows)
  const opening = words`${code(unnamedPart.source)} has ${workingOf(unnamedPart.rows)}.`
  const fit = modelWith(unnamedPart)
  const part = firstOf(fit?.parts ?? [], MAX_PARTS, "or")
  // Few widely used models have dense layers without biases, but they may have a matrix of this shape.
  const isWithoutBias = unnamedPart.isLayer && isDense(unnamedPart.source) && unnamedPart.rows.length === 1
  const fitOfMatrix = isWithoutBias ? modelWith({ ...unnamedPart, isLayer: false }) : null
  const isOfOtherModel = fitOfMatrix && fitOfMatrix.model !== fit?.model
  const sentenceOnBias = isOfOtherModel
    ? words` ${link(fitOfMatrix.model.page, asSubject(fitOfMatrix.model.title))} has this shape, with a bias beside it, in ${firstOf(fitOfMatrix.parts, MAX_PARTS, "or")}.`
    : []
  const title = fit ? link(fit.model.page, isOfOtherModel ? fit.model.title : asSubject(fit.model.title)) : ""
  const where = fit ? words` In ${title}${isOfOtherModel ? ", which has none there," : ""} it could be ${part}.` : []
  return accountWith({
    headline: [...opening, ...sentenceOnBias, ...where],
    lines: [
      { source: text.trim(), part, stated: sum, right: fit ? sum : null, verdict: fit ? "right" : "unknown", times: 1 },
    ],
    confidence: "possible",
  })
}
