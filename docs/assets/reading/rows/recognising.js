// Recognises the model of a print-out that names its tensors. Names choose the
// architecture, shapes give the sizes, numbers of layers the depth, and the rows of a
// head the class.
//
// Sizes are worked out as one would by hand: the vectors give H, and with H each table
// and matrix gives one more letter. A letter takes the value that most rows agree on,
// so that a single wrong row is detected instead of being believed. A text without
// shapes gives the same from its counts. What the text does not show is taken from the
// published model that agrees with all the rest, and recorded as an assumption.

import table from "../../../data/table.js"
import {
  architectures,
  classes,
  classesOf,
  factorsOf,
  isThere,
  models,
  product,
  usualChoices,
} from "../../counting/engine.js"
import { byUse } from "../../explaining/ways.js"
import { layersIn, likeRows, printedRows } from "./names.js"
import { namesOf, rulerOf } from "./ruler.js"

/** Names of tensors that a method of fine-tuning adds to a model. */
export const ADDED =
  /lora_|modules_to_save|(?:^|\.)(?:adapters?|adapter_\w+)(?:\.|$)|prompt_encoder|prefix_|ia3_|vera_|hada_|lokr_|oft_|boft_|trainable_tokens/

/** A row with the rows of an architecture that its name may stand for. @typedef {{ text: TextRow, rows: Set<Row>,
 *   numbers: number[], printed: boolean }} NameMatch */

/** A row with the rows of an architecture that its name may stand for; null if it stands for none.
 * @param {TextRow} text @param {string} architecture @returns {NameMatch | null} */
export function matchByName(text, architecture) {
  if (!text.name || text.container || ADDED.test(text.name)) return null
  const printedForm = printedRows(text.name)
  const own = printedForm?.rows.filter((entry) => entry.architecture === architecture).map(({ row }) => row) ?? []
  if (printedForm && own.length) return { text, rows: new Set(own), numbers: printedForm.numbers, printed: true }
  if (printedForm || text.type) return null
  const [best, ...rest] = likeRows(text.name, architecture, text.shape?.length ?? 0)
  if (!best || best.score < LIKE) return null
  const rows = [best, ...rest.filter(({ score }) => score > best.score - 0.01)].map(({ row }) => row)
  return { text, rows: new Set(rows), numbers: layersIn(text.name), printed: false }
}
const LIKE = 2.2 // below this likeness, a home-made name means something else

/** The architectures, with those first that a text mentions or whose names explain most of its rows.
 * @param {PrintOut} print @returns {{ architecture: string, matches: NameMatch[] }[]} */
function candidates({ rows, mentions }) {
  const plain = rows.filter(({ name, container }) => !container && !ADDED.test(name))
  return table.architectures
    .map(({ name: architecture }, order) => {
      const matches = plain.map((row) => matchByName(row, architecture)).filter((one) => one !== null)
      const isMentioned = classesOf(architecture).some(({ name }) => mentions.includes(name))
      const printedCount = matches.filter((one) => one.printed).length
      return {
        architecture,
        matches,
        score: printedCount + matches.length * 0.5 + (isMentioned ? 0.25 : 0) + plain.length * 1e-3 - order * 1e-3,
      }
    })
    .filter(({ matches }) => matches.length)
    .sort((one, other) => other.score - one.score)
}

/** The candidates in another order: of those whose names fit equally well, the first is one whose sizes a published
 * model has. The tensors of RoBERTa and XLM-RoBERTa, for example, have the same names.
 * @param {ReturnType<typeof candidates>} all */
function withKnownSizes(all) {
  const [first] = all
  if (!first) return all
  const alike = all.filter(({ matches }) => matches.length === first.matches.length)
  const known = alike.filter(({ architecture, matches }) => {
    const { V, H } = sizesOf(matches)
    return V && H && publishedLike(architecture, { V, H }).length
  })
  const [best] = known
  return best && !known.includes(first) ? [best, ...all.filter((one) => one !== best)] : all
}

/** Whether a published model has the sizes that the rows of a candidate show.
 * @param {{ architecture: string, matches: NameMatch[] }} candidate */
const isPublished = ({ architecture, matches }) => publishedLike(architecture, sizesOf(matches)).length > 0

/** The candidates in another order if the first fits only without a pooler that its class usually has, and with sizes
 * that no published model has, while another has a class without one: ELECTRA's tensors are BERT's without the pooler.
 * If both are published, nothing in the text tells them apart, and the first is what people use more.
 * @param {ReturnType<typeof candidates>} all @param {string[]} mentions */
function withUsualChoices(all, mentions) {
  const [first] = all
  if (!first?.matches[0]?.printed || mentions.some((name) => classes.has(name))) return all
  /** @param {ReturnType<typeof candidates>[0]} one */
  const isPlain = ({ architecture, matches }) => {
    const [best] = classesFor(architecture, matches, mentions, sizesOf(matches))
    return best.choices.pooler !== false && !best.missing
  }
  if (isPlain(first) || isPublished(first)) return all
  const other = all.find((one) => one.matches.length === first.matches.length && isPlain(one))
  return other ? [other, ...all.filter((one) => one !== other)] : all
}

/** The other architectures that have all names of a text.
 * @param {ReturnType<typeof candidates>} all @param {NameMatch[]} matches */
const candidatesAlike = (all, matches) =>
  all.filter((one) => one.matches !== matches && one.matches.length >= matches.length)

/** The class for the same purpose in another architecture, if it has one. @param {{ architecture: string }} other
 * @param {string} modelClass @param {string} architecture */
function sameClass(other, modelClass, architecture) {
  const stem = (/** @type {string} */ name) => classesOf(name)[0].name.replace(/Model$/, "")
  const name = stem(other.architecture) + modelClass.slice(stem(architecture).length)
  return classes.has(name) ? [name] : []
}

// --- Sizes ----------------------------------------------------------------------

/** Votes for the value of each letter. */
class Votes {
  /** @type {Map<string, Map<number, number>>} */
  byLetter = new Map()

  /** @param {string} letter @param {number} value */
  add(letter, value) {
    if (!Number.isSafeInteger(value) || value < 1) return
    const values = this.byLetter.get(letter) ?? new Map()
    values.set(value, (values.get(value) ?? 0) + 1)
    this.byLetter.set(letter, values)
  }

  /** The value of a letter that most rows agree on; of several with as many rows, one that a published model has.
   * @param {string} letter @param {number} otherwise */
  best(letter, otherwise) {
    const values = [...(this.byLetter.get(letter) ?? [])].sort((one, other) => other[1] - one[1])
    const equal = values.filter(([, rows]) => rows === values[0][1]).map(([value]) => value)
    const isPublished = (/** @type {number} */ value) =>
      [...models.values()].some(({ sizes }) => sizes[letter] === value)
    return equal.find(isPublished) ?? equal[0] ?? otherwise
  }

  /** The value that most rows agree on, for every letter that has one. @returns {Sizes} */
  sizes() {
    return Object.fromEntries(
      [...this.byLetter].map(([letter, values]) => [letter, [...values].sort((one, other) => other[1] - one[1])[0][0]]),
    )
  }
}

/** A dimension as a number times letters. @param {Dimension} dimension */
function parts(dimension) {
  const factors = factorsOf(dimension)
  const number = factors.reduce(
    (/** @type {number} */ all, factor) => (typeof factor === "number" ? all * factor : all),
    1,
  )
  return { number, letters: factors.filter((factor) => typeof factor === "string") }
}

/** Adds what a row says about letters, given those that are known.
 * @param {Votes} votes @param {Sizes} known @param {Row} row @param {TextRow} text */
function vote(votes, known, row, text) {
  // A difference of two sizes determines neither of them.
  if (text.low === null || text.low !== text.high || row.shape.includes("−")) return
  const all = row.dimensions.map(parts)
  const letters = all.flatMap(({ letters }) => letters)
  const number = all.reduce((product, one) => product * one.number, 1)
  const unknown = [...new Set(letters.filter((letter) => known[letter] === undefined))]
  if (unknown.length === 1) {
    const power = letters.filter((letter) => letter === unknown[0]).length
    const rest = letters.reduce((product, letter) => product * (known[letter] ?? 1), number)
    const quotient = text.low / rest
    votes.add(unknown[0], power === 1 ? quotient : Math.sqrt(quotient))
  } else if (unknown.length === 2 && text.shape?.length === 2 && all.every((one) => one.letters.length === 1)) {
    // Two letters at once, in the order of the row or, as PyTorch stores matrices, the other way round.
    const shape = row.transposed ? [...text.shape].reverse() : text.shape
    all.forEach(({ letters: [letter], number: factor }, index) => letter && votes.add(letter, shape[index] / factor))
  }
}

/** The sizes that the rows agree on. @param {NameMatch[]} matches @returns {Sizes} */
export function sizesOf(matches) {
  const single = matches.map(({ text, rows }) => ({ text, row: /** @type {Row} */ ([...rows][0]) }))
  /** @type {Sizes} */
  let known = {}
  // First the vectors, then what follows from them, then the rest.
  for (const most of [1, 2, 2, 3]) {
    const votes = new Votes()
    for (const { text, row } of single) if (row.dimensions.length <= most && !row.tied_to) vote(votes, known, row, text)
    known = { ...votes.sizes(), ...known }
  }
  const depth = layersShown(matches)
  for (const { text, row } of single) {
    const letters = row.dimensions.flatMap((dimension) => parts(dimension).letters)
    // A count alone does not tell buckets and heads apart; with the usual number of buckets the product is right.
    if (letters.join("") === "RA" && known.R === undefined && text.low !== null)
      Object.assign(known, text.low % 32 ? { R: text.low, A: 1 } : { R: 32, A: text.low / 32 })
    // One weight for each head of the whole model.
    if (letters.join("") === "LA" && text.low !== null && text.low % depth === 0) known.A = text.low / depth
  }
  return revised(single, known)
}

/** The sizes after each is worked out once more, from all rows that have its letter: the few vectors that came first
 * may be wrong.
 * @param {{ text: TextRow, row: Row }[]} rows @param {Sizes} sizes @returns {Sizes} */
function revised(rows, sizes) {
  const result = { ...sizes }
  for (const letter of Object.keys(sizes)) {
    const { [letter]: _, ...others } = sizes
    const votes = new Votes()
    for (const { text, row } of rows) if (!row.tied_to && row.shape.includes(letter)) vote(votes, others, row, text)
    result[letter] = votes.best(letter, sizes[letter])
  }
  return result
}

/** The number of labels that the rows of a head have.
 * @param {NameMatch[]} matches @param {ModelClass} modelClass @param {Sizes} sizes */
function labelsIn(matches, modelClass, sizes) {
  const votes = new Votes()
  for (const { text, rows } of matches)
    for (const row of rows)
      if (modelClass.rows.includes(row)) vote(votes, { ...sizes, C: /** @type {any} */ (undefined) }, row, text)
  return votes.sizes().C
}

// --- Depth ------------------------------------------------------------------------

/** How deep a model is, and how that is known: the text states it, or it shows layers and leaves open whether there are
 * more. @typedef {{ depth: number, isStated: boolean, isOpen: boolean }} Depth */

const MOST_LAYERS = 1000
const FEW_LAYERS = 3

/** The number of layers that the names in a text show. @param {NameMatch[]} matches */
function layersShown(matches) {
  const inLayers = matches.filter(({ rows }) => [...rows].some(({ repeated }) => repeated))
  return Math.min(Math.max(-1, ...inLayers.map(({ numbers }) => numbers.at(-1) ?? 0)) + 1, MOST_LAYERS)
}

/** Whether a text ends within its last layer, as one that was cut off does: that layer has fewer tensors than the
 * first, and nothing follows it.
 * @param {NameMatch[]} matches @param {number} visibleDepth */
function endsWithinLayer(matches, visibleDepth) {
  const inLayer = (/** @type {number} */ layer) => matches.filter(({ numbers }) => numbers.at(-1) === layer).length
  return (
    visibleDepth > 1 && matches.at(-1)?.numbers.at(-1) === visibleDepth - 1 && inLayer(visibleDepth - 1) < inLayer(0)
  )
}

/** The depth of a model, by what the text says of it in this order: a total or a number of tensors, words such as "12
 * x", and the layers that it shows.
 * @param {PrintOut} print @param {number} visibleDepth  how many layers the text shows
 * @param {string} modelClass @param {Sizes} sizes @param {Partial<Choices>} choices @returns {Depth} */
function depthOf(print, visibleDepth, modelClass, sizes, choices) {
  const stated = depthByTotal(print.totals, visibleDepth, modelClass, sizes, choices)
  if (stated) return { depth: stated, isStated: true, isOpen: false }
  const statedDepths = print.depths.filter((depth) => depth >= visibleDepth && depth < MOST_LAYERS)
  if (statedDepths.length) return { depth: Math.max(...statedDepths), isStated: true, isOpen: false }
  // A text that shows few layers and says nothing of the rest may be of any depth.
  return { depth: visibleDepth, isStated: false, isOpen: print.isOpen || visibleDepth <= FEW_LAYERS }
}

/** The depth at which a class has the total, or the number of tensors, that a text states; 0 if there is none.
 * @param {StatedTotal[]} totals @param {number} visibleDepth @param {string} modelClass @param {Sizes} sizes
 * @param {Partial<Choices>} choices */
export function depthByTotal(totals, visibleDepth, modelClass, sizes, choices) {
  if (classes.get(modelClass).layers.join() !== "L") return 0
  const [two, three] = [2, 3].map((L) => rulerOf(modelClass, { ...sizes, L }, choices))
  const tensorsIn = (/** @type {Ruler} */ { tensors }) => tensors.filter(({ tied }) => !tied).length
  for (const { kind, low, high } of totals) {
    if (low !== high || (kind !== "tensors" && kind !== "total")) continue
    const [once, each] =
      kind === "total" ? [two.total, three.total - two.total] : [tensorsIn(two), tensorsIn(three) - tensorsIn(two)]
    const depth = 2 + (low - once) / each
    if (Number.isInteger(depth) && depth >= Math.max(visibleDepth, 1) && depth < MOST_LAYERS) return depth
  }
  return 0
}

/** @param {Row} row @param {NameMatch[]} matches */
const isPresent = (row, matches) => matches.some(({ rows }) => rows.has(row))

// --- Class ------------------------------------------------------------------------

/** The rows that a class has with these choices.
 * @param {ModelClass} modelClass @param {Partial<Choices>} choices @param {Sizes} sizes */
export function rowsOfClass(modelClass, choices, sizes) {
  const settled = { ...modelClass.usual, ...choices, ...modelClass.fixed }
  return modelClass.rows.filter((row) => isThere(row, settled, sizes))
}

/** The choices that rows show: cross-attention is there, or the pooler is not although all else is.
 * @param {ModelClass} modelClass @param {NameMatch[]} matches @param {Sizes} sizes @returns {Partial<Choices>} */
function choicesIn(modelClass, matches, sizes) {
  const isThere = (/** @type {Row} */ row) => isPresent(row, matches)
  /** @type {Partial<Choices>} */
  const choices = {}
  if (modelClass.rows.some((row) => row.when === "cross_attention" && isThere(row))) choices.cross_attention = true
  const own = rowsOfClass(modelClass, choices, sizes).filter((row) => !row.tied_to)
  const pooler = own.filter((row) => row.when === "pooler")
  const rest = own.filter((row) => row.when !== "pooler" && row.block !== "task-head")
  if (pooler.length && !pooler.some(isThere) && rest.every(isThere) && modelClass.fixed.pooler === undefined)
    choices.pooler = false
  return choices
}

/** The classes of an architecture by how well their rows agree with those of a text, the best first.
 * @param {string} architecture @param {NameMatch[]} matches @param {string[]} mentions @param {Sizes} sizes */
function classesFor(architecture, matches, mentions, sizes) {
  return classesOf(architecture)
    .map((modelClass) => {
      const choices = choicesIn(modelClass, matches, sizes)
      const own = new Set(rowsOfClass(modelClass, choices, sizes))
      const foreign = matches.filter(({ rows }) => ![...rows].some((row) => own.has(row))).length
      const missing = [...own].filter((row) => !row.tied_to && !isPresent(row, matches)).length
      const mention = mentions.includes(modelClass.name) ? -2.5 : 0
      return { modelClass, choices, cost: foreign + missing + mention, foreign, missing }
    })
    .sort((one, other) => one.cost - other.cost)
}

// --- Published models ---------------------------------------------------------------

/** The published models that agree with some sizes, the most usual first.
 * @param {string} architecture @param {Sizes} sizes */
export const publishedLike = (architecture, sizes) =>
  [...models.values()]
    .filter((model) => model.architecture === architecture)
    .filter((model) =>
      Object.entries(sizes).every(([letter, size]) => letter === "C" || letter === "A" || model.sizes[letter] === size),
    )
    .sort(byUse)

/** The sizes with those that the text lacks, and the letters that were filled in; null if too little is known.
 * @param {string} architecture @param {Sizes} known @param {string[]} letters
 * @returns {{ sizes: Sizes, name: string, assumed: string[] } | null} */
export function completed(architecture, known, letters) {
  const [published] = publishedLike(architecture, known)
  const lacking = letters.filter((letter) => known[letter] === undefined)
  const usual = published?.sizes ?? {}
  const sizes = { ...known }
  for (const letter of lacking) {
    const value = usual[letter] ?? USUAL[letter]?.(known)
    if (value === undefined) return null
    sizes[letter] = value
  }
  const [bare] = classesOf(architecture)
  // A size that no tensor has changes no number; the number of labels is not a size of the encoder.
  const isUsed = (/** @type {string} */ letter) =>
    bare.layers.includes(letter) ||
    bare.rows.some(({ dimensions }) => dimensions.some((one) => parts(one).letters.includes(letter)))
  const assumed = lacking.filter((letter) => letter !== "C" && isUsed(letter))
  return { sizes, name: published?.name ?? "", assumed }
}

/** @type {Record<string, (known: Sizes) => number | undefined>} */
const USUAL = {
  A: ({ H }) => (H ? Math.max(1, Math.round(H / 64)) : undefined),
  C: () => 2,
  S: () => 2,
  G: () => 1,
  I: () => 1,
  R: () => 32,
  X: () => 1024,
  P: () => 512,
  F: ({ H }) => H && 4 * H,
  E: ({ H }) => H,
  L: () => 1,
}

/** The model of a print-out with names; null if the names do not belong to an encoder that we count.
 * @param {PrintOut} print @returns {{ recognised: Recognised, matches: NameMatch[], isDepthStated: boolean } | null} */
export function recognisedByNames(print) {
  const ranking = withUsualChoices(withKnownSizes(candidates(print)), print.mentions)
  for (const candidate of ranking.slice(0, 3)) {
    if (!explainsNames(print, candidate)) continue
    const result = recognisedAs(print, candidate, ranking)
    if (result) return result
  }
  return null
}

/** The word tables of models that write texts or see pictures. Their layers may have the names of an encoder's, as
 * LLaMA's have those of NomicBERT's, and CLIP's those of Jina Embeddings v3. */
const OF_OTHERS = /(?:^|\.)(?:embed_tokens|embed_in|wte|wpe|token_embedding)(?:\.|$)/

/** Whether the names of an architecture explain at least half of a text, by its rows with sizes if it has enough of
 * them.
 * @param {PrintOut} print @param {{ architecture: string, matches: NameMatch[] }} candidate */
function explainsNames({ rows }, { architecture, matches }) {
  const own = rows.filter(({ name, container }) => name && !container && !ADDED.test(name))
  if (own.some(({ name }) => OF_OTHERS.test(name))) return false
  const sized = own.filter(({ low }) => low !== null)
  const judged = new Set(sized.length >= own.length / 4 ? sized : own)
  return matches.filter(({ text }) => judged.has(text)).length >= judged.size / 2 && isEncoder(matches, architecture)
}

/** The model of a text, if it belongs to this architecture; null if too few of its sizes are known.
 * @param {PrintOut} print @param {{ architecture: string, matches: NameMatch[] }} candidate
 * @param {{ architecture: string, matches: NameMatch[] }[]} all
 * @returns {{ recognised: Recognised, matches: NameMatch[], isDepthStated: boolean } | null} */
function recognisedAs(print, { architecture, matches }, all) {
  const { C: _, ...known } = sizesOf(matches)
  // A table that only some models have is not there if the text does not show it.
  for (const row of classesOf(architecture).flatMap(({ rows }) => rows))
    if (row.when?.endsWith("≠0")) known[row.when[0]] ??= 0
  const [best, ...others] = classesFor(architecture, matches, print.mentions, known)
  const { modelClass, choices } = best
  const { keys } = architectures.get(architecture)
  const letters = Object.keys(keys)
  const visibleDepth = layersShown(matches)
  const byLetter = depthsByLetter(modelClass.layers, matches, visibleDepth)
  const C = labelsIn(matches, modelClass, known) ?? modelClass.labels ?? 2
  const first = completed(architecture, { ...known, C, ...byLetter }, letters)
  if (!first) return null
  const { depth, isStated, isOpen } =
    modelClass.layers.length > 1
      ? { depth: visibleDepth, isStated: true, isOpen: false }
      : depthOf(print, visibleDepth, modelClass.name, first.sizes, choices)
  const isCutOff = !isStated && endsWithinLayer(matches, visibleDepth)
  // A text that ends among the layers does not show whether a pooler follows them.
  if ((isOpen || isCutOff) && matches.at(-1)?.numbers.length) delete choices.pooler
  const published = isCutOff ? [] : publishedLike(architecture, { ...known, ...byLetter })
  // Of a text that may leave layers out, and shows fewer than any published model has, the published model says how many.
  const isOther = (isOpen || isCutOff) && !published.length && publishedLike(architecture, known).length > 0
  const depths = modelClass.layers.length > 1 ? byLetter : { L: depth }
  const sizes = completed(architecture, { ...known, C, ...(isOther ? {} : depths) }, letters)
  if (!sizes) return null
  bySum(print, sizes, modelClass.name, choices)
  untied(print, sizes.sizes, modelClass.name, choices)
  if ((isOpen || isCutOff) && !sizes.assumed.includes("L") && (print.isOpen || isOther)) sizes.assumed.push("L")
  // Classes of which the text lacks something may lack different tensors, such as a pooler and a classifier.
  const alike = best.missing ? [] : others.filter(({ missing, foreign }) => !missing && foreign === best.foreign)
  const elsewhere = candidatesAlike(all, matches).flatMap((other) => sameClass(other, modelClass.name, architecture))
  const recognised = {
    architecture,
    modelClass: modelClass.name,
    sizes: sizes.sizes,
    choices: { ...usualChoices(architecture), ...choices },
    name: sizes.name,
    assumed: sizes.assumed,
    isOpen: isOpen || isCutOff,
    alike: [
      ...alike.filter(({ cost }) => cost < best.cost + 0.01).map(({ modelClass: other }) => other.name),
      ...elsewhere,
    ],
  }
  return { recognised, matches, isDepthStated: isStated }
}

/** Solves the one size that a text does not show from the total that it states.
 * @param {PrintOut} print @param {{ sizes: Sizes, assumed: string[] }} all @param {string} modelClass
 * @param {Partial<Choices>} choices */
function bySum({ totals }, all, modelClass, choices) {
  const [letter, ...others] = all.assumed
  if (!letter || others.length || letter === "L") return
  const totalWith = (/** @type {number} */ size) => rulerOf(modelClass, { ...all.sizes, [letter]: size }, choices).total
  const perUnit = totalWith(2) - totalWith(1)
  for (const { kind, low, high } of totals) {
    const size = 1 + (low - totalWith(1)) / perUnit
    if (kind === "total" && low === high && perUnit > 0 && Number.isInteger(size) && size > 0) {
      all.sizes[letter] = size
      all.assumed = []
    }
  }
}

/** A list of tensors without names as one with names: those that a class has in the same order. Null if the tensors of
 * no class come in this order with these sizes.
 * @param {TextRow[]} texts @returns {TextRow[] | null} */
export function namedByOrder(texts) {
  if (texts.length < FEWEST_IN_ORDER) return null
  for (const { name: architecture } of table.architectures)
    for (const modelClass of classesOf(architecture))
      for (const pooler of [true, false]) {
        const matches = inOrder(texts, modelClass, { pooler })
        const sizes = matches ? sizesOf(matches) : {}
        if (matches?.every(({ text, rows: [row] }) => fitsSizes(text, row, sizes))) {
          const names = namesOf(architecture)
          return matches.map(({ text, rows: [row], numbers }) => ({
            ...text,
            name: numbers.reduce((name, number) => name.replace("*", String(number)), names.get(row) ?? row.path),
          }))
        }
      }
  return null
}
const FEWEST_IN_ORDER = 12

/** Each tensor of a list with the row at its place in a class; null if the numbers of both do not agree.
 * @param {TextRow[]} texts @param {ModelClass} modelClass @param {Partial<Choices>} choices
 * @returns {(NameMatch & { rows: Set<Row> & Iterable<Row> })[] | null} */
function inOrder(texts, modelClass, choices) {
  // Which rows there are may depend on sizes only where the embeddings have a width of their own; that needs names.
  const rows = rowsOfClass(modelClass, choices, { E: 1, H: 2 }).filter((row) => !row.tied_to)
  const start = rows.findIndex(({ repeated }) => repeated)
  const end = rows.length - [...rows].reverse().findIndex(({ repeated }) => repeated)
  const layers = (texts.length - rows.length) / (end - start) + 1
  if (start < 0 || !Number.isInteger(layers) || layers < 1 || modelClass.layers.length > 1) return null
  const order = [
    ...rows.slice(0, start).map((row) => ({ row, numbers: /** @type {number[]} */ ([]) })),
    ...Array.from({ length: layers }, (_, number) =>
      rows.slice(start, end).map((row) => ({ row, numbers: [number] })),
    ).flat(),
    ...rows.slice(end).map((row) => ({ row, numbers: /** @type {number[]} */ ([]) })),
  ]
  return texts.map((text, index) => ({
    text,
    rows: new Set([order[index].row]),
    numbers: order[index].numbers,
    printed: true,
  }))
}

/** Whether a tensor has as many elements as its row with some sizes.
 * @param {TextRow} text @param {Row} row @param {Sizes} sizes */
function fitsSizes(text, row, sizes) {
  return product(row.dimensions, sizes) === text.low
}

/** Unties the decoder if only so the model has the total that a text states.
 * @param {Pick<PrintOut, "totals" | "rows">} print @param {Sizes} sizes @param {string} modelClass
 * @param {Partial<Choices>} choices */
export function untied({ totals, rows }, sizes, modelClass, choices) {
  // A list of state_dict() holds the tied tensors, too, and its sum is that of an untied model; one of named_parameters()
  // shows which tensors are trained.
  const isList = rows.some(({ name }) => /decoder\.weight$/.test(name))
  if (isList && rows.every(({ type, trainable }) => !type && trainable === null)) return
  const [ruler, { total: apart }] = [true, false].map((tied) => rulerOf(modelClass, sizes, { ...choices, tied }))
  const { total: tiedTotal, tensors } = ruler
  // Some tools add the matrix of a tied decoder again, which may come to the same.
  const twice = tensors.reduce(
    (sum, tensor) => sum + (tensor.tied && tensor.shape.length > 1 ? tensor.elements : 0),
    tiedTotal,
  )
  if (twice === apart) return
  const states = (/** @type {number} */ number) =>
    totals.some(({ kind, low, high }) => kind === "total" && low === number && high === number)
  if (tiedTotal !== apart && states(apart) && !states(tiedTotal)) choices.tied = false
}

/** The number of layers by letter: one for BERT, two for ALBERT, whose groups hold layers.
 * @param {string[]} layers @param {NameMatch[]} matches @param {number} depth @returns {Sizes} */
function depthsByLetter(layers, matches, depth) {
  if (layers.length === 1) return { [layers[0]]: depth }
  const numbers = matches.filter(({ rows }) => [...rows].some(({ repeated }) => repeated)).map((one) => one.numbers)
  return Object.fromEntries(
    layers.map((letter, index) => [letter, Math.max(0, ...numbers.map((list) => list[index] ?? 0)) + 1]),
  )
}

/** Whether names are those of an encoder as we count them. Other models share some names: a ViT has BERT's layers, and
 * GPT-2 a table for words. Names that a framework prints for an encoder need a word table and parts of a layer, or most
 * of one layer. Names of somebody's own need all that is typical of BERT: both tables, the norm after them, and every
 * part of a layer.
 * @param {NameMatch[]} matches @param {string} architecture */
function isEncoder(matches, architecture) {
  const rows = new Set(matches.flatMap(({ rows: some }) => [...some]))
  const inLayer = [...rows].filter((row) => row.repeated).length
  if (matches.filter(({ printed }) => printed).length >= matches.length / 2) {
    const hasWords = [...rows].some((row) => row.path.includes("word_embeddings") || /V/.test(row.shape))
    return hasWords ? inLayer >= 2 || rows.size >= 4 : inLayer >= 8
  }
  const [bare] = classesOf(architecture)
  const requiredRows = bare.rows.filter(
    ({ path, when }) => !when && (path.includes("layer_*") || /embeddings\/(?:word|position|LayerNorm)/.test(path)),
  )
  return requiredRows.every((row) => rows.has(row))
}
