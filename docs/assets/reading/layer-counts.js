// Explains numbers of parameters that were added up by the number of the layer, with pandas' groupby() or in a
// dictionary. What is in no layer is in rows of its own, under any name:
//
//     layer
//     0       7087872
//     1       7087872
//     …
//     NaN    24427776
//
// Lines whose names are those of modules, such as "layer.0", are read as rows (rows/). Here the keys may be plain
// numbers, which rows/ would take for counts.

import { noun, sumBy } from "../counting/engine.js"
import { correctTotals } from "../explaining/explain.js"
import { modelsByUse } from "../explaining/ways.js"
import { asClass, titleOf } from "./labels/meanings.js"
import { sizeOfEachLayer } from "./labels/named-parts.js"
import { findingsOnKnownSum } from "./rows/known-sums.js"
import { isTotal } from "./rows/summaries.js"
import { accountWith, words } from "./words.js"

/** An item of a dictionary, or a line: a key, which may be a number as pandas or Python prints it, and a count. */
const ENTRY =
  /^['"({]{0,3}(?<key>[A-Za-z][\w .-]{0,40}?|(?:layers?[ _-]?)?[0-9]{1,2}(?:\.0)?)['"]?[\s:=,]+(?<count>[0-9][0-9,_]*)[)}\],;]*$/i
/** A key that is the number of a layer. */
const LAYER = /^(?:(?:layers?|blocks?)[ _-]?)?(?<number>[0-9]{1,2})(?:\.0)?$/i
/** The line that pandas prints below a column. */
const BELOW_COLUMN = /^Name: .*dtype.*$/m

const MIN_LAYERS = 2
const MAX_OTHERS = 6 // rows for what is in no layer
const MAX_LENGTH = 4000 // characters

/** A key with its count, and the number of the layer; NaN if the key names none.
 * @typedef {{ source: string, layer: number, count: number }} Entry */

/** The entries of a text; null if anything else in it has a number. A total is left out.
 * @param {string} text @returns {Entry[] | null} */
function entriesOf(text) {
  const items = text
    .replace(BELOW_COLUMN, "")
    .split(/\n|,\s(?=['"A-Za-z0-9])/)
    .map((item) => item.trim())
    .filter((item) => /[0-9]/.test(item))
  const entries = items.map((source) => {
    const { key, count } = ENTRY.exec(source)?.groups ?? {}
    if (!key) return null
    return {
      source,
      layer: Number(LAYER.exec(key)?.groups?.number ?? Number.NaN),
      count: Number(count.replace(/[,_]/g, "")),
    }
  })
  return entries.every((entry) => entry !== null) ? entries.filter(({ source }) => !isTotal(source)) : null
}

/** Whether numbers are those of all layers, counted from zero or one, each once. @param {number[]} numbers */
function areAllLayers(numbers) {
  const [first, ...others] = [...numbers].sort((one, other) => one - other)
  return first <= 1 && others.every((number, index) => number === first + index + 1)
}

/** The account of the numbers of parameters in the layers of a model, and in the rest of it; null for any other text,
 * and for layers that no model has.
 * @param {string} text @returns {Account | null} */
export function accountOfLayerCounts(text) {
  const entries = text.length <= MAX_LENGTH ? entriesOf(text) : null
  const layers = entries?.filter(({ layer }) => !Number.isNaN(layer)) ?? []
  if (!entries || layers.length < MIN_LAYERS || !areAllLayers(layers.map(({ layer }) => layer))) return null
  const [{ count }] = layers
  const others = entries.filter((entry) => !layers.includes(entry))
  if (others.length > MAX_OTHERS || layers.some((layer) => layer.count !== count)) return null
  const candidates = modelsByUse
    .filter(({ name, sizes }) => sizes.L === layers.length && sizeOfEachLayer(name) === count)
    .map(({ name }) => name)
  const [sum, rest] = [layers.length * count, sumBy(others, (entry) => entry.count)]
  const way = others.length
    ? correctTotals(sum + rest).find(({ models: [model] }) => candidates.includes(model))
    : undefined
  const [name] = way?.models ?? candidates
  if (!name || (others.length && !way)) return null
  const opening = words`Each of the ${layers.length} layers has ${count} parameters, as in ${titleOf(name)}: ${sum} in all.`
  const ofWhole = way
    ? words` With the other ${rest}, your numbers add up to its ${sum + rest} parameters ${asClass(way.classes[0], way.labels)}.`
    : []
  return accountWith({
    kind: "rows",
    headline: words`${opening}${ofWhole}`,
    findings: way ? findingsOnKnownSum(rest) : [],
    lines: entries.map((entry) => ({
      source: entry.source,
      part: layers.includes(entry) ? ["one encoder layer"] : [`${noun(others.length, "all", "some")} of the rest`],
      stated: entry.count,
      right: entry.count,
      verdict: "right",
      times: 1,
    })),
    model: way ? { name, modelClass: way.classes[0], total: sum + rest } : null,
    confidence: way ? "certain" : "likely",
  })
}
