// Explains a few rows: one line or the first lines of a listing, a tree of modules or
// a table, too few to recognise a whole model by. What they say is what they hold:
// which tensors they are, as which model has them, and how much of it. Sizes in such a
// row are those of a tensor, and never the number that the reader got.
//
// A row with a shape is compared with every tensor whose name ends like its own, model
// by model, the most usual first; all rows must fit one model. A row of a table has a
// count for a module, which table-lines.js compares with the modules of every class.

import table from "../../../data/table.js"
import {
  classesOf,
  classOfBare,
  getOrMake,
  lazily,
  models,
  noun,
  product,
  sized,
  sumBy,
  whole,
} from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { byUse } from "../../explaining/ways.js"
import { allLinesOf } from "../clean.js"
import { code, finding, firstOf, link, titlesOf, words } from "../words.js"
import { moduleRows } from "./modules.js"
import { canonical, layersIn, printedRows } from "./names.js"
import { partInWords } from "./parts-in-words.js"
import { ADDED, publishedLike, rowsOfClass } from "./recognising.js"
import { namesOf, rulerOf } from "./ruler.js"
import { isRule } from "./summaries.js"
import { accountOfTableLines, classIn, inAnyLayer } from "./table-lines.js"
import { sourceOrName } from "./text-row.js"

const MOST_LINES = 12 // of which more would be a print-out
const MOST_MODELS = 3 // that are named beside the likeliest
const MOST_PARTS = 4 // of the same shape that are listed

/** Tensors of one module that a line may stand for, and the layer that it names.
 * @typedef {{ rows: Row[], numbers: number[] }} Place */

/** A model in a class, with the places that each line may stand for.
 * @typedef {{ model: Model, modelClass: ModelClass, places: Place[][] }} Fit */

// --- Lines with shapes ------------------------------------------------------------

/** Whether the shorter of two lists of components is the end of the other.
 * @param {string[]} one @param {string[]} other */
function endsAlike(one, other) {
  const [long, short] = one.length > other.length ? [one, other] : [other, one]
  const start = long.length - short.length
  return short.every((component, place) => component === long[start + place] || long[start + place] === "*")
}

/** The rows of an architecture whose names end like a printed one.
 * @param {TextRow} text @param {string} architecture */
function rowsNamed({ name }, architecture) {
  const components = canonical(name).map((one) => (/^[0-9]+$/.test(one) ? "*" : one))
  // Google's classifier has its layer outside all modules.
  if (components.length < 2)
    return (printedRows(name)?.rows ?? []).flatMap((own) => (own.architecture === architecture ? [own.row] : []))
  return componentsOf(architecture).flatMap(([row, own]) => (endsAlike(components, own) ? [row] : []))
}

/** @type {Map<string, [Row, string[]][]>} */
const componentsByArchitecture = new Map()

/** The rows of an architecture with the components of their names. @param {string} architecture */
const componentsOf = (architecture) =>
  getOrMake(componentsByArchitecture, architecture, () =>
    [...namesOf(architecture)].map(([row, own]) => [row, canonical(own)]),
  )

/** Whether a printed shape is that of a tensor; a number of labels may be any. Matrices of TensorFlow stand the other
 * way round.
 * @param {Row} row @param {number[]} shape @param {Sizes} sizes */
function hasShape({ dimensions }, shape, sizes) {
  const own = dimensions.map((size) => (size === "C" ? null : sized(size, sizes)))
  const isOwn = (/** @type {number[]} */ some) =>
    some.length === own.length && some.every((size, place) => own[place] === null || own[place] === size)
  return isOwn(shape) || isOwn([...shape].reverse())
}

/** Whether a printed row has the shape of a tensor, or its count if it has no shape; a number of labels may be any.
 * @param {Row} row @param {TextRow} text @param {Sizes} sizes */
export function isLike(row, { shape, low }, sizes) {
  if (shape) return hasShape(row, shape, sizes)
  const ofOneLabel = product(row.dimensions, { ...sizes, C: 1 })
  return row.dimensions.includes("C") ? Number(low) > 0 && Number(low) % ofOneLabel === 0 : low === ofOneLabel
}

/** The places of a line in a class. The tensors of one line are those of one module.
 * @param {TextRow[]} texts @param {Row[][]} named  the rows that the names may stand for
 * @param {Set<Row>} own @param {Model} model @param {typeof isLike} fits @returns {Place[]} */
function placesOf(texts, named, own, { architecture, sizes }, fits = isLike) {
  const [first, ...others] = texts.map((text, index) =>
    named[index].filter((row) => own.has(row) && fits(row, text, sizes)),
  )
  const moduleOf = (/** @type {Row} */ row) =>
    namesOf(architecture)
      .get(row)
      ?.replace(/\.\w+$/, "")
  const numbers = layersIn(texts[0].name)
  if (numbers.some((number) => number >= (sizes.L ?? Number.POSITIVE_INFINITY))) return []
  return first.flatMap((row) => {
    const beside = others.map((rows) => rows.find((other) => moduleOf(other) === moduleOf(row)))
    const rows = [row, ...beside.flatMap((other) => other ?? [])]
    return rows.length === texts.length ? [{ rows, numbers: row.repeated ? numbers : [] }] : []
  })
}

/** The tensors that a class of a model has. @param {Model} model @param {ModelClass} modelClass */
const tensorsOf = ({ sizes }, modelClass) => new Set(rowsOfClass(modelClass, {}, sizes))

/** The first class of a model that has the tensors of all lines; null if none has.
 * @param {Model} model @param {TextRow[][]} lines
 * @param {Map<string, Row[][][]>} named  the rows that names may stand for, by architecture
 * @param {typeof isLike} fits @returns {Fit | null} */
function fitOf(model, lines, named, fits) {
  for (const modelClass of classesOf(model.architecture)) {
    const own = tensorsOf(model, modelClass)
    const places = lines.map((texts, index) =>
      placesOf(texts, named.get(model.architecture)?.[index] ?? [], own, model, fits),
    )
    if (places.every((list) => list.length)) return { model, modelClass, places }
  }
  return null
}

/** The rows that the names of lines may stand for, by architecture. @param {TextRow[][]} lines */
export const namedBy = (lines) =>
  new Map(
    table.architectures.map(({ name }) => [name, lines.map((texts) => texts.map((text) => rowsNamed(text, name)))]),
  )

/** All models, the most usual first. */
const everyModel = lazily(() => [...models.values()].sort(byUse))

/** The published models that have the tensors of all lines, the most usual first.
 * @param {TextRow[][]} lines @param {ReturnType<typeof namedBy>} named
 * @param {typeof isLike} fits  whether a row fits a tensor */
export const fitsOf = (lines, named, fits = isLike) =>
  everyModel().flatMap((model) => fitOf(model, lines, named, fits) ?? [])

const NEAR = 0.01 // how far, as a share, the only line may be from the tensor that it names

/** Whether a row may be another tensor's with a slip: a table may have other rows, and a head any number of labels.
 * @param {Row} row */
const isFixed = ({ dimensions }) => dimensions.every((size) => !/[VPSC]/.test(String(size)))

/** Whether a number is nearly another. @param {number} one @param {number} other */
const isNear = (one, other) => Math.abs(one / other - 1) <= NEAR

/** The places of lines in a class of which some have another shape or count than their tensors; null if a name is none
 * of the class or stands for several shapes, or if more lines are wrong than right. Of one line alone, the number must
 * be near.
 * @param {TextRow[][]} lines @param {Row[][][]} named @param {Set<Row>} own @param {Model} model
 * @returns {{ places: Place[][], wrong: number[] } | null} */
function placesWithSlips(lines, named, own, model) {
  const { sizes } = model
  /** @type {number[]} */
  const wrong = []
  const places = lines.map((texts, index) => {
    const right = placesOf(texts, named[index], own, model)
    if (right.length) return right
    wrong.push(index)
    const all = named[index].flat().every(isFixed) ? placesOf(texts, named[index], own, model, () => true) : []
    const shapes = new Set(all.map(({ rows }) => JSON.stringify(rows.map((row) => shapeOf(row, sizes)))))
    return shapes.size === 1 ? all : []
  })
  const isClose = lines.length > 1 || isNear(sumOf(lines[0]), places[0].length ? sumAt(places[0][0], sizes) : 0)
  const isRight = lines.length === 1 || wrong.length <= lines.length / 2
  if (!isRight || !isClose || places.some((list) => !list.length)) return null
  const hasWidth = (/** @type {number} */ index) =>
    places[index][0].rows.some(({ dimensions }) => dimensions.includes("F"))
  const isWidth = (/** @type {number} */ index) => lines[index].every(({ shape, low }) => isRound(shape ?? [low ?? 0]))
  // The feed-forward network of a model of one's own may have any width.
  const isOwn = wrong.some((index) => hasWidth(index) && isWidth(index))
  const isAsPublished = places.some((_, index) => !wrong.includes(index) && hasWidth(index))
  return isOwn && !isAsPublished ? null : { places, wrong }
}

/** Whether numbers are sizes that people choose. @param {number[]} sizes */
const isRound = (sizes) => sizes.every((size) => size % 64 === 0)

/** The shape of a tensor in a model. @param {Row} row @param {Sizes} sizes */
const shapeOf = ({ dimensions }, sizes) => dimensions.map((size) => sized(size, sizes))

/** The parameters of a place in a model. @param {Place} place @param {Sizes} sizes */
const sumAt = ({ rows }, sizes) => sumBy(rows, ({ dimensions }) => product(dimensions, sizes))

/** The most usual model that has the most lines right and names all others, with the lines that are wrong; null if none
 * has.
 * @param {TextRow[][]} lines @param {ReturnType<typeof namedBy>} named @returns {Fit & { wrong: number[] } | null} */
function nearestFit(lines, named) {
  /** @type {Fit & { wrong: number[] } | null} */
  let best = null
  for (const model of everyModel())
    for (const modelClass of classesOf(model.architecture)) {
      const rows = named.get(model.architecture) ?? []
      const slips = placesWithSlips(lines, rows, tensorsOf(model, modelClass), model)
      if (slips && slips.wrong.length < (best?.wrong.length ?? lines.length + 1)) best = { model, modelClass, ...slips }
    }
  return best
}

/** The tensors of a place. Where the text names no layer, they are those of the first.
 * @param {Place} place @param {Ruler} ruler */
export const tensorsAt = ({ rows, numbers }, ruler) =>
  rows.flatMap(
    (row) =>
      ruler.tensors.find(
        (tensor) => tensor.row === row && (!numbers.length || tensor.numbers.at(-1) === numbers.at(-1)),
      ) ?? [],
  )

/** Whether a place may be in any layer. @param {Place} place */
export const isInAnyLayer = ({ rows: [row], numbers }) => row.repeated && !numbers.length

/** The words for the places of a line, which are alternatives.
 * @param {Place[]} places @param {Ruler} ruler @returns {Words} */
function placesInWords(places, ruler) {
  const parts = places.map((place) => {
    const part = partInWords(tensorsAt(place, ruler), ruler)
    return isInAnyLayer(place) ? inAnyLayer(part) : part
  })
  return firstOf(parts, MOST_PARTS, "or")
}

/** A share as a percentage, as the tables of the page show it. @param {number} share */
const percentage = (share) => (share < 0.0005 ? "under 0.1%" : `${(100 * share).toFixed(1)}%`)

/** The parameters that a line holds, by its shapes or, if it has none, by its count. @param {TextRow[]} texts */
const sumOf = (texts) => sumBy(texts, ({ shape, low }) => (shape ? product(shape, {}) : (low ?? 0)))

/** The sum of a line, worked out: 768 × 768 + 768 = 590,592. @param {TextRow[]} texts @returns {Words} */
function workedOut(texts) {
  const terms = texts.map(({ shape, low }) => (shape ? shape.map(whole).join(" × ") || "1" : whole(low ?? 0)))
  const sum = sumOf(texts)
  return words`${terms.length > 1 || /×/.test(terms[0]) ? `${terms.join(" + ")} = ` : ""}${sum} ${noun(sum, "parameter")}`
}

/** The words for a number beside a shape that is not its product; empty if there is none.
 * @param {TextRow[]} texts @returns {Words} */
function slipIn(texts) {
  const [{ stated }] = texts
  const sum = sumOf(texts)
  if (stated === null || stated === sum) return []
  return words`, not ${stated}, which is ${Math.abs(stated - sum)} too ${stated > sum ? "many" : "few"}`
}

/** The words for a model. @param {Model} model @returns {Words} */
const titleOf = ({ page, title }) => [link(page, title)]

/** The name of a line. @param {TextRow[]} texts */
const nameOf = ([{ name, type }]) => code(type ? name.replace(/\.\w+$/, "") : name)

/** A finding on the other models that have the same lines. @param {Fit[]} fits @param {number} lines */
function elsewhere([, ...others], lines) {
  if (!others.length) return []
  const same = lines > 1 ? "Rows of the same names and shapes are" : "A row of the same name and shape is"
  const titles = titlesOf(
    others.map(({ model }) => model),
    MOST_MODELS,
  )
  return [finding(20, words`${same} also in ${titles}.`)]
}

/** A finding on where in its model the only line is.
 * @param {Fit} fit @param {Place[]} places @param {Ruler} ruler */
function position({ modelClass }, [place, ...others], ruler) {
  const tensors = tensorsAt(place, ruler)
  if (!tensors.length || others.length) return []
  const own = ruler.tensors.filter(({ tied }) => !tied)
  if (tensors.every(({ tied }) => tied))
    return [
      finding(
        40,
        words`It is tied to another tensor of ${code(modelClass.name)}, and adds nothing to the ${ruler.total} parameters there.`,
      ),
    ]
  if (tensors.some(({ tied }) => tied)) return []
  const elements = sumBy(tensors, (tensor) => tensor.elements)
  const share = words`${percentage(elements / ruler.total)} of its ${ruler.total} parameters`
  const times = own.filter(({ row }) => row === tensors[0].row).length
  if (isInAnyLayer(place) && times > 1)
    return [finding(40, words`${code(modelClass.name)} has ${times} of them, one in each layer. Each is ${share}.`)]
  if (tensors.length > 1) return [finding(40, words`In ${code(modelClass.name)}, it is ${share}.`)]
  return [
    finding(
      40,
      words`In ${code(modelClass.name)}, it is tensor ${own.indexOf(tensors[0]) + 1} of ${own.length}, and ${share}.`,
    ),
  ]
}

/** The number of labels that the lines show; 0 if they show none. @param {TextRow[][]} lines @param {Fit} fit */
const labelsIn = (lines, { places, model: { sizes } }) =>
  lines
    .flatMap((texts, index) =>
      texts.flatMap(({ shape, low }, at) => {
        const { dimensions } = places[index][0].rows[at]
        if (!dimensions.includes("C")) return []
        return [shape ? Math.min(...shape) : Number(low) / product(dimensions, { ...sizes, C: 1 })]
      }),
    )
    .at(-1) ?? 0

/** The account of lines with shapes or counts; null if no model has such counts.
 * @param {TextRow[][]} lines @returns {Account | null} */
function accountOfShapes(lines) {
  const named = namedBy(lines)
  const fits = fitsOf(lines, named)
  const [fit] = fits
  const nearest = fit ? null : nearestFit(lines, named)
  if (nearest) return accountOfSlips(lines, nearest)
  // A count beside a name that no model has may be that of anything.
  if (!fit) return lines.flat().every(({ shape }) => shape) ? accountOfUnknown(lines) : null
  const { model, modelClass, places } = fit
  const labels = labelsIn(lines, fit)
  const ruler = rulerOf(modelClass.name, labels ? { ...model.sizes, C: labels } : model.sizes)
  const parts = places.map((list) => placesInWords(list, ruler))
  // Several classes have a head for labels with the same name.
  const isOpen = labels > 0 || places.some((list) => list.length > 1)
  const asIn = words`${fits.length > 1 || isOpen ? ", as in" : " of"} ${titleOf(model)}`
  const isOne = lines.length === 1
  const forLabels = labels && lines[0].every(({ shape }) => !shape) ? ` for ${labels} ${noun(labels, "label")}` : ""
  return {
    kind: "rows",
    headline: isOne
      ? words`${nameOf(lines[0])} ${isOpen ? "could hold" : "holds"} ${parts[0]}${asIn}: ${workedOut(lines[0])}${forLabels}${slipIn(lines[0])}.`
      : words`These are ${lines.length} rows of a listing${asIn}. They add up to ${sumOf(lines.flat())} parameters; ${code(modelClass.name)} has ${ruler.total} in all.`,
    findings: [...(isOne ? position(fit, places[0], ruler) : []), ...elsewhere(fits, lines.length)],
    lines: lines.map((texts, index) => lineOf(texts, parts[index], true, lines)),
    bridge: null,
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: fits.length > 1 || isOpen ? "possible" : "likely",
  }
}

/** The account of lines of which some have another shape or count than the tensors that they name.
 * @param {TextRow[][]} lines @param {Fit & { wrong: number[] }} fit @returns {Account} */
function accountOfSlips(lines, { model, modelClass, places, wrong }) {
  const { sizes } = model
  const ruler = rulerOf(modelClass.name, sizes)
  const parts = places.map((list) => placesInWords(list, ruler))
  const slips = wrong.map((index) => {
    const [texts, [{ rows }]] = [lines[index], places[index]]
    const right = workedOut(texts.map((text, at) => ({ ...text, shape: text.shape && shapeOf(rows[at], sizes) })))
    const sum = sumAt(places[index][0], sizes)
    const own = texts.some(({ shape }) => shape) ? workedOut(texts) : words`${sumOf(texts)}`
    const rightWords = texts.some(({ shape }) => shape) ? right : words`${sum} ${noun(sum, "parameter")}`
    const rest = sumOf(texts) - sum
    const difference = rest ? words`, which is ${Math.abs(rest)} too ${rest > 0 ? "many" : "few"}` : []
    return words`${nameOf(texts)} is ${parts[index]}: ${rightWords} in ${titleOf(model)}, not ${own}${difference}.`
  })
  const opening = words`These are ${lines.length} rows of a listing, as in ${titleOf(model)}, but`
  const headlineOfSeveral =
    wrong.length > 1
      ? words`${opening} ${wrong.length} of them are wrong.`
      : words`${opening} one of them is wrong: ${slips[0]}`
  return {
    kind: "rows",
    headline: lines.length === 1 ? slips[0] : headlineOfSeveral,
    findings: wrong.length > 1 ? slips.map((slip, index) => finding(50 - index, slip)) : [],
    lines: lines.map((texts, index) => {
      const line = lineOf(texts, parts[index], true, lines)
      return wrong.includes(index) ? { ...line, right: sumAt(places[index][0], sizes), verdict: "wrong" } : line
    }),
    bridge: null,
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: lines.length > 1 ? "likely" : "possible",
  }
}

/** The account of names alone, each with whether it is trained; null if no model has all of them.
 * @param {TextRow[][]} lines @returns {Account | null} */
function accountOfNames(lines) {
  const [fit, ...others] = fitsOf(lines, namedBy(lines), () => true)
  if (!fit) return null
  const { model, modelClass, places } = fit
  const ruler = rulerOf(modelClass.name, model.sizes)
  const numbers = places.map(([place]) => sumAt(place, model.sizes))
  const trained = sumBy(
    numbers.filter((_, index) => lines[index][0].trainable),
    (number) => number,
  )
  const sum = sumBy(numbers, (number) => number)
  const names = `${lines.length} ${noun(lines.length, "tensor")}`
  return {
    kind: "rows",
    headline: words`Your text names ${names} and gives no sizes. With those of ${titleOf(model)}, as ${code(modelClass.name)}, they hold ${sum} ${noun(sum, "parameter")}, of which ${trained} ${noun(trained, "is", "are")} trained.`,
    findings: [],
    lines: lines.map((texts, index) => ({
      source: sourceOf(texts, lines),
      part: placesInWords(places[index].slice(0, 1), ruler),
      stated: null,
      right: numbers[index],
      verdict: "right",
      times: 1,
    })),
    bridge: null,
    model: { name: model.name, modelClass: modelClass.name, total: ruler.total },
    confidence: others.length ? "possible" : "likely",
  }
}

/** What an account shows of a line: all of it, or the name of its row if it is long or has several.
 * @param {TextRow[]} texts @param {TextRow[][]} all */
function sourceOf([{ line, name }], all) {
  const isShared = all.filter(([other]) => other.line.index === line.index).length > 1
  return isShared ? name : sourceOrName({ line, name })
}

/** @param {TextRow[]} texts @param {Words} part @param {boolean} isKnown @param {TextRow[][]} all
 * @returns {AccountLine} */
function lineOf(texts, part, isKnown, all) {
  const [{ stated }] = texts
  const number = sumOf(texts)
  const verdict = stated !== null && stated !== number ? "wrong" : isKnown ? "right" : "unknown"
  return {
    source: sourceOf(texts, all),
    part,
    stated: stated ?? number,
    right: isKnown || verdict === "wrong" ? number : null,
    verdict,
    times: 1,
  }
}

/** The account of lines that no model here has: what their shapes hold.
 * @param {TextRow[][]} lines @returns {Account} */
function accountOfUnknown(lines) {
  return {
    kind: "other",
    headline:
      lines.length === 1
        ? words`${nameOf(lines[0])} has ${workedOut(lines[0])}. No model whose tensors we count has one of this name and shape.`
        : words`These are ${lines.length} rows with ${sumOf(lines.flat())} parameters in all. No model whose tensors we count has all of them.`,
    findings: [],
    lines: lines.map((texts) => lineOf(texts, [], false, lines)),
    bridge: null,
    model: null,
    confidence: "possible",
  }
}

// --- The account ------------------------------------------------------------------

const MODULE = /^\s*\([\w.-]+\):\s*[A-Za-z_][\w.]*\(|^\s*\)+\s*$/
const LAYERS = /^\s*\(([0-9]+)-([0-9]+)\):\s*([0-9]+)\s*x\s*([A-Za-z]\w*)\(\s*$/

/** The account of the line by which torch stands for equal layers, without what is in them; null for any other text.
 * @param {string} text @returns {Account | null} */
function accountOfLayers(text) {
  const [, , , count, type] = LAYERS.exec(text) ?? []
  if (!type) return null
  const L = Number(count)
  const { architecture } = classIn(type)
  const [model] = architecture ? publishedLike(architecture, { L }) : []
  const opening = words`This line stands for ${count} equal layers, and gives no sizes.`
  const layers = model
    ? rulerOf(classOfBare(architecture), model.sizes).tensors.filter(({ numbers }) => numbers.length)
    : []
  const sum = sumBy(layers, ({ elements }) => elements)
  const ofModel =
    model && words`${opening} In ${titleOf(model)}, they hold ${sum} parameters together, ${sum / L} each.`
  return {
    kind: "rows",
    headline: ofModel && Number.isInteger(sum / L) ? ofModel : opening,
    findings: [],
    lines: [],
    bridge: null,
    model: null,
    confidence: "possible",
  }
}

/** The rows of each module on each line, in order; null if another line has a number, and is no module without tensors.
 * Rows that the text itself calls buffers or states are left out.
 * @param {TextLine[]} lines @param {TextRow[]} rows */
function byModule(lines, rows) {
  const ofLine = lines.map(({ index }) => rows.filter(({ line }) => line.index === index))
  const isRead = lines.every(({ text }, place) => ofLine[place].length || MODULE.test(text) || !/[0-9]/.test(text))
  if (!isRead) return null
  return ofLine.flatMap((some) => [
    ...groupBy(
      some.filter(({ buffer }) => !buffer),
      ({ name }) => name.replace(/\.\w+$/, ""),
    ).values(),
  ])
}

/** The account of a few rows with shapes or of a few lines of a table; null for any other text.
 * @param {string} text @param {TextRow[]} printed  the rows that were read in it @returns {Account | null} */
export function accountOfFew(text, printed) {
  const all = allLinesOf(text)
  const lines = all.filter((line) => line.text.trim() && !isRule(line.text))
  if (!lines.length || lines.length > MOST_LINES) return null
  const isOfModules = lines.every((line) => MODULE.test(line.text))
  const rows = isOfModules ? moduleRows(text, all).rows : printed
  const groups = byModule(
    lines,
    rows.filter(({ container }) => !container),
  )
  const isSized = groups
    ?.flat()
    .every(({ name, low, high }) => name && low !== null && low === high && !ADDED.test(name))
  const areNames = groups?.flat().every(({ name, low, trainable }) => name && low === null && trainable !== null)
  const ofNames = groups?.length && areNames ? accountOfNames(groups) : null
  const account = groups?.length && isSized ? accountOfShapes(groups) : ofNames
  const buffer = rows.find((row) => row.buffer)
  if (account && buffer)
    return {
      ...account,
      findings: [
        ...account.findings,
        finding(10, words`${code(buffer.name)} is a buffer or a state of the optimiser, so it is not a parameter.`),
      ],
    }
  return account ?? accountOfTableLines(lines) ?? (lines.length === 1 ? accountOfLayers(lines[0].text) : null)
}
