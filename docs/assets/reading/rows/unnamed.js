// Explains a shape alone, as `weight.shape` shows it, or a layer alone, as `print(layer)`
// does. Without a name, it may belong to any tensor or module of this shape, so the answer
// names those of the most widely used model that has any.

import { classesOf, product, sumBy, whole } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { modelsByUse } from "../../explaining/ways.js"
import { asPlainText, asSubject, code, firstOf, link, words } from "../words.js"
import { moduleRows } from "./modules.js"
import { partInWords } from "./parts-in-words.js"
import { rulerOf } from "./ruler.js"
import { inAnyLayer } from "./table-lines.js"

/** A shape alone, as `weight.shape` or a Parameter shows it. */
const SIZE = /^\s*(?:Parameter containing:\s*)?(torch\.Size\(\[(\d+(?:, ?\d+)*),?\]\))\s*$/
/** A layer alone, as `print(layer)` shows it. */
const LAYER = /^\s*(?:[\w.]+\s*=\s*)?((?:torch\.nn\.|nn\.)?(?:Linear|Embedding|LayerNorm)\([^\n]*\))\s*$/
const MAX_PARTS = 5 // the maximum number of parts of this shape that are listed

/** A shape or layer without a name: its text, the shapes of its tensors, and whether it is a layer.
 * @typedef {{ source: string, shapes: number[][], isLayer: boolean }} Unnamed */

/** The unnamed shape or layer in a text; null for any other text. @param {string} text @returns {Unnamed | null} */
function unnamedIn(text) {
  const [, size, numbers] = SIZE.exec(text) ?? []
  if (size) return { source: size, shapes: [numbers.split(",").map(Number)], isLayer: false }
  const [, layer] = LAYER.exec(text) ?? []
  if (!layer) return null
  const line = `(layer): ${layer}`
  const { rows } = moduleRows(line, [{ text: line, source: layer, index: 0 }])
  const shapes = rows.flatMap(({ shape }) => (shape ? [shape] : []))
  return shapes.length ? { source: layer, shapes, isLayer: true } : null
}

/** The parts of a class with exactly these shapes. Of equal layers, only the first is searched.
 * @param {Unnamed} unnamed @param {Ruler} ruler @returns {RulerTensor[][]} */
function partsWith({ source, shapes, isLayer }, ruler) {
  const tensors = ruler.tensors.filter(({ numbers }) => numbers.every((number) => number === 0))
  if (!isLayer && isDense(source))
    return tensors
      .filter(({ shape, row }) => shape.join() === shapes[0].join() && !row.tags.has("embedding-table"))
      .map((tensor) => [tensor])
  if (!isLayer) return tensors.filter(({ shape }) => shape.join() === shapes[0].join()).map((tensor) => [tensor])
  const modules = groupBy(tensors, ({ module }) => module)
  const key = shapes.map((shape) => shape.join()).join(" ")
  const isTable = /Embedding\(/.test(source)
  return [...modules.values()].filter(
    (tensorsOfModule) =>
      tensorsOfModule.map(({ shape }) => shape.join()).join(" ") === key &&
      tensorsOfModule[0].row.tags.has("embedding-table") === isTable,
  )
}

/** Whether the text shows a dense layer. @param {string} source */
const isDense = (source) => /Linear\(/.test(source)

/** The most widely used model that has parts with these shapes, with the words for them; null if there is none.
 * @param {Unnamed} unnamed @returns {{ model: Model, parts: Words[] } | null} */
function modelWith(unnamed) {
  for (const model of modelsByUse) {
    /** @type {Map<string, Words>} */
    const parts = new Map()
    for (const { name } of classesOf(model.architecture)) {
      const ruler = rulerOf(name, model.sizes)
      for (const tensors of partsWith(unnamed, ruler)) {
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
  const unnamed = unnamedIn(text)
  if (!unnamed) return null
  const terms = unnamed.shapes.map((shape) => shape.map(whole).join(" × "))
  const sum = sumBy(unnamed.shapes, (shape) => product(shape, {}))
  const isSum = terms.length > 1 || terms[0].includes("×")
  const opening = words`${code(unnamed.source)} has ${isSum ? `${terms.join(" + ")} = ` : ""}${sum} parameters.`
  const fit = modelWith(unnamed)
  const part = firstOf(fit?.parts ?? [], MAX_PARTS, "or")
  // Few widely used models have dense layers without biases, but they may have a matrix of this shape.
  const isWithoutBias = unnamed.isLayer && isDense(unnamed.source) && unnamed.shapes.length === 1
  const matrix = isWithoutBias ? modelWith({ ...unnamed, isLayer: false }) : null
  const isOfOtherModel = matrix && matrix.model !== fit?.model
  const sentenceOnBias = isOfOtherModel
    ? words` ${link(matrix.model.page, asSubject(matrix.model.title))} has this shape, with a bias beside it, in ${firstOf(matrix.parts, MAX_PARTS, "or")}.`
    : []
  const title = fit ? link(fit.model.page, isOfOtherModel ? fit.model.title : asSubject(fit.model.title)) : ""
  const where = fit ? words` In ${title}${isOfOtherModel ? ", which has none there," : ""} it could be ${part}.` : []
  return {
    kind: "other",
    headline: [...opening, ...sentenceOnBias, ...where],
    findings: [],
    lines: [
      { source: text.trim(), part, stated: sum, right: fit ? sum : null, verdict: fit ? "right" : "unknown", times: 1 },
    ],
    bridge: null,
    model: null,
    confidence: "possible",
  }
}
