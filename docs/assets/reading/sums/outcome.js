// Works out the class or part that a sum done by hand counts as a whole, and its gaps. The rows
// that its summands cover determine the class or the part; rows that are covered too rarely or
// too often are gathered into parts that have a name.
//
// A gap is a part that the writer has left out or counted too often. It is described as a person
// would describe it: "the pooler", not "a kernel and a bias". Of several ways to read the
// summands, the writer most likely meant the one with the fewest and simplest gaps.

import { sumBy } from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { contributionOf, entriesIn, hasEntries } from "./entries.js"
import { meansLayersOnly, partsMeant } from "./labels.js"
import { costOfFactors, readingsOf, rowsMeant, waysToRead } from "./match.js"
import { pieceOfTensor } from "./pieces.js"
import { summandsOf, toleranceWith } from "./summands.js"
import { treeOf } from "./tree.js"

/** @typedef {import("./entries.js").Entry} Entry */
/** @typedef {import("./summands.js").SummandOfEntry} SummandOfEntry */
/** @typedef {import("./summands.js").Slip} Slip */
/** @typedef {import("./match.js").SummandReading} SummandReading */
/** @typedef {import("./match.js").WayToRead} WayToRead */
/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {import("./pieces.js").SumRuler} SumRuler */

/** The class or part that a sum should count, as rows in a number of layers. `modelClass` is "" for a part, and `piece`
 * is null for a class.
 * @typedef {{ modelClass: string, piece: Piece | null, rows: Set<Row>, layers: number, total: number }} Target */

/** A part that is counted too rarely, or too often if `missingLayers` and `amount` are below zero. It is missing in
 * `missingLayers` of `layers` layers, in which it has `amount` parameters. `alternative` is another part that may be
 * meant.
 * @typedef {{ piece: Piece, missingLayers: number, layers: number, amount: number, alternative?: Piece }} Gap */

/** A reading of a sum done by hand. `root` is the entry of its total, if there is one, and `otherRoots` are entries
 * that the total does not use. `total` is the total that the text states or, if it states none, what its numbers add up
 * to. `isUnsure` is true if another way to read the summands costs about as much and has gaps of other sizes.
 * @typedef {{
 *   ruler: SumRuler, root: Entry | null, entries: Entry[], summands: SummandOfEntry[], readings: SummandReading[],
 *   slips: Slip[], target: Target, gaps: Gap[], total: number, cost: number, isUnsure: boolean, otherRoots: Entry[],
 * }} Outcome */

const MAX_DEPTH = 5 // the maximum depth of nested brackets that are split
const MAX_COST = 3 // the largest cost of a reading that fits
const MAX_SUMMANDS = 80
const MAX_WAYS = 12 // ways to read the summands; only for these are the gaps worked out
const MAX_COST_DIFFERENCE = 0.35 // the difference in cost up to which another way is as good as the first
/** The costs of a gap, and of summands that no class or part has together. A part that is left out altogether costs
 * least, as the likeliest mistake. */
const GAP_COSTS = { tooMany: 2.5, someLayers: 1.2, leftOut: 0.6, noTarget: 3 }
const COST_OF_EXCESS = 3 // the cost of a covered block that a class does not have; a missing block costs 1
/** The discounts for a class that the text names. If it names several, the discount only decides between classes that
 * fit equally well. A class that it names alone may be chosen even if the sum counts a part that this class lacks. */
const [NAMED_CLASS_DISCOUNT, ONLY_CLASS_DISCOUNT] = [0.5, 2.5]

/** Whether a reading fits so well that its summand need not be split. A part whose words have "without" does not count,
 * because another part without something else may have the same size.
 * @param {SummandReading} reading */
const isFitting = ({ kind, cost, piece }) =>
  kind === "tied" || (kind === "exact" && cost < MAX_COST && !piece?.words.includes("without"))

/** A summand as a list, split into the summands that it consists of if it fits no part as a whole.
 * @param {SummandOfEntry} summand @param {SumRuler} ruler @param {number} [depth] @returns {SummandOfEntry[]} */
function splitSummand(summand, ruler, depth = 0) {
  const { parts, label } = summand
  if (parts.length < 2 || depth > MAX_DEPTH) return [summand]
  if (parts.some((part) => rowsMeant(part.label, ruler)) || labelsFirst(summand, ruler)) {
    // In "embeddings 23,837,184 + pooler 590,592", the first words label the first summand.
    const labelledParts = parts.map((part, index) => {
      const labelOfPart = index || part.label ? part.label : label
      const inContext = withContext(part, summand.around)
      return { ...inContext, label: labelOfPart, ...toleranceWith(labelOfPart, part.rounding) }
    })
    return labelledParts.flatMap((part) => splitSummand(part, ruler, depth + 1))
  }
  const [cheapestReading] = readingsOf(summand, ruler)
  if (isFitting(cheapestReading)) return [summand]
  const labelledParts = partsOfAttention(summand, ruler)
  if (labelledParts) return labelledParts
  const blocks = new Set([...(rowsMeant(label, ruler) ?? [])].map(({ block }) => block))
  if (blocks.size === 1 && cheapestReading.kind !== "unknown") return [summand]
  return joinPairs(parts, ruler).flatMap((part) => splitSummand(part, ruler, depth + 1))
}

/** A summand with other words around it and all summands that it consists of.
 * @param {SummandOfEntry} summand @param {string} around @returns {SummandOfEntry} */
const withContext = (summand, around) => ({
  ...summand,
  around,
  parts: summand.parts.map((part) => withContext(part, around)),
})

const MIN_SHARE = 0.9 // the smallest share of a part that a summand has if it counts the part

/** Whether the words of a sum label its first summand alone, as in "emb 23,837,184 + 12 × 7,087,872": that one has
 * nearly all parameters of the part that they mean, and the whole sum, of at least `MIN_TERMS` terms, has more than
 * twice as many. The part must be in the bare model.
 * @param {SummandOfEntry} summand @param {SumRuler} ruler */
function labelsFirst({ label, value, parts }, ruler) {
  const labelRows = rowsMeant(label, ruler)
  const [first] = parts
  if (!labelRows || parts.length < MIN_TERMS || ![...labelRows].every((row) => ruler.classes[0].rows.has(row)))
    return false
  const right = countOf(labelRows, ruler.layers, ruler)
  return first.value >= right * MIN_SHARE && first.value <= right && value > 2 * right
}

/** The two parts of a summand such as "Q, K, V: 3 × 768 × 768 + 768 × 768", in which the words label the first part,
 * and the other is the output projection; null for any other summand.
 * @param {SummandOfEntry} summand @param {SumRuler} ruler @returns {SummandOfEntry[] | null} */
function partsOfAttention({ parts: [first, second, ...others], label, around }, ruler) {
  if (!second || others.length || !rowsMeant(label, ruler)) return null
  const labelledFirst = { ...first, around, label, ...toleranceWith(label, first.rounding) }
  const isOutput = readingsOf(second, ruler).some(
    ({ kind, rows: [row, ...otherRows] }) =>
      kind === "exact" && !otherRows.length && row?.path.endsWith("/attention/output/dense/kernel"),
  )
  return isOutput && isFitting(readingsOf(labelledFirst, ruler)[0]) ? [labelledFirst, second] : null
}

/** The summands, with a matrix and the vector after it joined into one if a dense layer has both.
 * @param {SummandOfEntry[]} parts @param {SumRuler} ruler */
function joinPairs(parts, ruler) {
  /** @type {SummandOfEntry[]} */
  const joinedSummands = []
  const { H } = ruler.sizes
  /** Whether a summand has two or more factors of at least half the hidden size, as a matrix has. */
  const isMatrix = (/** @type {SummandOfEntry} */ { factors }) => factors.filter((factor) => factor >= H / 2).length > 1
  for (const part of parts) {
    const last = joinedSummands[joinedSummands.length - 1]
    const isPair =
      last &&
      !last.label &&
      !part.label &&
      isMatrix(last) &&
      !isMatrix(part) &&
      !last.parts.length &&
      !part.parts.length
    const value = isPair ? last.value + part.value : 0
    const factors = isPair ? [...last.factors, ...part.factors] : []
    const source = isPair ? `${last.source} + ${part.source}` : ""
    const pair = isPair ? { ...last, value, factors, source, parts: [last, part] } : null
    // 4 × 768 × 768 + 768 is as large as the second dense layer, but lacks the inner size of the feed-forward network.
    const readingOfPair = pair && readingsOf(pair, ruler).find(({ rows }) => !costOfFactors(rows, factors, ruler))
    if (readingOfPair && isFitting(readingOfPair) && [...readingOfPair.rows].some(({ path }) => path.endsWith("/bias")))
      joinedSummands[joinedSummands.length - 1] = /** @type {SummandOfEntry} */ (pair)
    else joinedSummands.push(part)
  }
  return joinedSummands
}

/** Whether an entry adds other entries to something, rather than only multiplying one, as 12 × layer does.
 * @param {Entry} entry */
const addsEntries = ({ children, formula }) =>
  children.length > 1 || (formula?.kind === "sum" && formula.parts.some(hasEntries))

const MAX_DISTANCE = 0.3 // the largest logarithm of the ratio between a total and a number that it is compared with

const MIN_TERMS = 3 // the minimum number of terms of a total that is compared with another, or whose first is labelled

/** Whether a later number is only compared with the total of a formula, as in "... = 335,092,736. HF: 335,141,888".
 * @param {Entry} entry @param {Entry} total */
const isCompared = ({ label, stated, formula, children }, total) =>
  stated !== null &&
  !formula &&
  !children.length &&
  !partsMeant(label).length &&
  Math.abs(Math.log(stated.value / total.exact)) < MAX_DISTANCE

/** The entry that is the total: the only root, or a first root whose sum all others are compared with, or else the last
 * root that adds up other entries; null if there is none.
 * @param {Entry[]} roots */
function totalAmong(roots) {
  const sums = roots.filter((root) => !root.isOutlined && addsEntries(root))
  const [first, ...others] = roots
  const isSumOfAll =
    first.formula?.kind === "sum" &&
    first.formula.parts.length >= MIN_TERMS &&
    first.stated &&
    others.every((root) => isCompared(root, first))
  return roots.length === 1 || isSumOfAll ? first : (sums[sums.length - 1] ?? null)
}

/** The number of times that a row occurs in `layers` layers of a model; 1 for a row outside the layers.
 * @param {Row} row @param {number} layers @param {SumRuler} ruler */
const timesOfRow = (row, layers, ruler) => (row.repeated ? Math.min(layers, ruler.times(row)) : 1)

/** The number of times that a target has a row. @param {Target} target @param {Row} row @param {SumRuler} ruler */
const timesInTarget = ({ rows, layers }, row, ruler) => (rows.has(row) ? timesOfRow(row, layers, ruler) : 0)

/** The number of parameters that rows have in a number of layers.
 * @param {Set<Row>} rows @param {number} layers @param {SumRuler} ruler */
export const countOf = (rows, layers, ruler) => sumBy(rows, (row) => ruler.size(row) * timesOfRow(row, layers, ruler))

/** The tags of the two networks in a layer. */
const NETWORKS = ["self-attention", "feed-forward"]

/** All rows of the network in a layer that some rows belong to; null if it is not the same for all of them.
 * @param {Row[]} rows @param {SumRuler} ruler */
function networkOf(rows, ruler) {
  const network = NETWORKS.find((tag) => rows.every(({ tags }) => tags.has(tag)))
  return network ? new Set(ruler.rows.filter(({ tags }) => tags.has(network))) : null
}

/** Whether a label below an entry names a part of a layer. "24 layers" after nothing but attention then says how often
 * attention counts, and does not mean whole layers.
 * @param {Entry} entry @returns {boolean} */
const addsNamedParts = (entry) =>
  entriesIn(entry).some(
    (inner) => addsNamedParts(inner) || (partsMeant(inner.label).length > 0 && !meansLayersOnly(inner.label)),
  )

/** The class or part that the rows covered by a way belong to; null if no part has all of them.
 * @param {WayToRead} way @param {SumRuler} ruler @param {string} label  of the total
 * @param {boolean} isOfNamedParts  whether labels below that of the total name parts */
function targetOf({ covered }, ruler, label, isOfNamedParts) {
  const rows = [...covered.keys()]
  const hasTables = rows.some(({ tags }) => tags.has("embedding-table"))
  const rowsInLayers = rows.filter(({ repeated }) => repeated)
  const isOneLayer =
    rowsInLayers.length > 0 &&
    !hasTables &&
    rowsInLayers.every((row) => covered.get(row) === 1) &&
    rows.every(({ repeated }) => repeated)
  const layers = isOneLayer ? 1 : ruler.layers
  if (hasTables && rowsInLayers.length) return classTarget(rows, ruler)
  const rowsOfLabel = (isOfNamedParts && meansLayersOnly(label) && networkOf(rows, ruler)) || rowsMeant(label, ruler)
  // "LayerNorms" with the number of one layer does not mean those outside the layers.
  const labelRows = isOneLayer && rowsOfLabel ? new Set([...rowsOfLabel].filter(isInLayers)) : rowsOfLabel
  // The smallest part that has these rows. If the label means rows that include them, the part must have those as well.
  const isOfLabel = labelRows !== null && rows.every((row) => labelRows.has(row))
  const requiredRows = isOfLabel ? [...rows, ...rowsRequiredBy(labelRows, rows, label, ruler)] : rows
  const piecesWithRows = ruler.pieces
    .filter((piece) => requiredRows.every((row) => piece.rows.has(row)))
    .sort((one, other) => one.total - other.total)
  // A sum of matrices without a label means matrices only.
  const isOfMatrices = (/** @type {Row[]} */ rowsOfPart) => rowsOfPart.every(({ tags }) => tags.has("kernel"))
  const piecesOfMatrices =
    labelRows || !isOfMatrices(rows) ? [] : piecesWithRows.filter((piece) => isOfMatrices([...piece.rows]))
  const piece = piecesOfMatrices[0] ?? piecesWithRows[0]
  if (!piece) return null
  return { modelClass: "", piece, rows: piece.rows, layers, total: countOf(piece.rows, layers, ruler) }
}

/** Whether a row is in the layers. @param {Row} row */
const isInLayers = ({ repeated }) => Boolean(repeated)

/** Words that single out one of several modules. A "LayerNorm" without them is a single one, too. */
const ONE_OF_SEVERAL =
  /(?<![a-z])(?:each|every|one|an?|single|per|jede\w*|pro|chaque|par|cada|por)(?![a-z])|layer ?norm(?!s)/i

/** The module that a row belongs to. @param {Row} row */
const moduleOf = ({ path }) => path.slice(0, path.lastIndexOf("/"))

/** Of the rows that a label means, those that the sum must have: all, or only those of one module if the label names
 * several modules of the same size, such as query, key and value, and its words single out one.
 * @param {Set<Row>} labelRows @param {Row[]} rows  that the sum covers @param {string} label @param {SumRuler} ruler */
function rowsRequiredBy(labelRows, rows, label, ruler) {
  const [module, ...otherModules] = new Set(rows.map(moduleOf))
  const isOfAttention = partsMeant(label).some(({ tag }) => tag === "self-attention") // one of its own, not of several
  if (otherModules.length || isOfAttention || !ONE_OF_SEVERAL.test(label)) return [...labelRows]
  const sizes = [...groupBy([...labelRows], moduleOf).values()].map((ofModule) => sumBy(ofModule, ruler.size))
  const areAlike = new Set(sizes).size === 1
  return [...labelRows].filter((row) => !areAlike || moduleOf(row) === module)
}

/** The class that the covered rows fit best; the first of several that they fit equally well.
 * @param {Row[]} coveredRows @param {SumRuler} ruler @returns {Target} */
function classTarget(coveredRows, ruler) {
  const scoredClasses = ruler.classes.map(({ name, rows }) => {
    const excessCount = new Set(coveredRows.filter((row) => !rows.has(row)).map(({ block }) => block)).size
    const coveredBlocks = new Set(coveredRows.map(({ block }) => block))
    const missingCount = new Set([...rows].map(({ block }) => block).filter((block) => !coveredBlocks.has(block))).size
    const discount = ruler.namedClasses.length > 1 ? NAMED_CLASS_DISCOUNT : ONLY_CLASS_DISCOUNT
    const cost = COST_OF_EXCESS * excessCount + missingCount - (ruler.namedClasses.includes(name) ? discount : 0)
    return { name, cost }
  })
  scoredClasses.sort((one, other) => one.cost - other.cost)
  return targetOfClass(scoredClasses[0].name, ruler)
}

/** A whole class as a target. @param {string} modelClass  one of the ruler's @param {SumRuler} ruler
 * @returns {Target} */
export function targetOfClass(modelClass, ruler) {
  const rows = ruler.classes.find(({ name }) => name === modelClass)?.rows ?? new Set()
  return { modelClass, piece: null, rows, layers: ruler.layers, total: countOf(rows, ruler.layers, ruler) }
}

/** The gaps of a way, as parts that have names.
 * @param {Pick<WayToRead, "covered">} way @param {Target} target @param {SumRuler} ruler @returns {Gap[]} */
export function gapsOf({ covered }, target, ruler) {
  /** @type {Map<number, Row[]>} */
  const rowsByCount = new Map()
  for (const row of new Set([...covered.keys(), ...target.rows])) {
    const missingTimes = timesInTarget(target, row, ruler) - (covered.get(row) ?? 0)
    // Rows that are missing altogether belong to one gap, whether they are in layers or not.
    const key = missingTimes > 0 && missingTimes === timesInTarget(target, row, ruler) ? Infinity : missingTimes
    if (missingTimes) rowsByCount.set(key, [...(rowsByCount.get(key) ?? []), row])
  }
  return [...rowsByCount].flatMap(([count, rows]) => gapsOfRows(new Set(rows), count, target, ruler))
}

/** The gaps in rows, in parts as large as possible, the largest first.
 * @param {Set<Row>} rows
 * @param {number} count  the number of times that each row is missing, below zero if it is counted too often; Infinity
 *   if it is missing altogether
 * @param {Target} target @param {SumRuler} ruler @returns {Gap[]} */
function gapsOfRows(rows, count, target, ruler) {
  const remainingRows = new Set(rows)
  /** @type {Gap[]} */
  const gaps = []
  /** The number of parameters that rows have in the gap. */
  const amountOf = (/** @type {Set<Row>} */ missingRows) =>
    sumBy(missingRows, (row) => ruler.size(row) * (count === Infinity ? timesInTarget(target, row, ruler) : count))
  /** The rows of a piece that the target has, or that remain to be named. */
  const relevantRows = (/** @type {Piece} */ piece) =>
    [...piece.rows].filter((row) => target.rows.has(row) || remainingRows.has(row))
  /** The absolute number of parameters of a piece in the gap. */
  const relevantAmount = (/** @type {Piece} */ piece) => Math.abs(amountOf(new Set(relevantRows(piece))))
  while (remainingRows.size) {
    const candidates = ruler.pieces
      .filter(({ words }) => !words.startsWith("all tensors")) // a selection by shape, which nobody leaves out
      .filter((piece) => relevantRows(piece).length > 0 && relevantRows(piece).every((row) => remainingRows.has(row)))
    const largestPiece = candidates.sort(
      (one, other) => relevantAmount(other) - relevantAmount(one) || one.rows.size - other.rows.size,
    )[0]
    const [first] = remainingRows
    const rowsOfGap = largestPiece ? new Set(relevantRows(largestPiece)) : new Set([first])
    const piece = largestPiece ?? pieceOfTensor(first, ruler.size(first), ruler.times(first))
    const layers = Math.min(target.layers, ruler.layers)
    gaps.push({ piece, missingLayers: count === Infinity ? layers : count, layers, amount: amountOf(rowsOfGap) })
    for (const row of rowsOfGap) remainingRows.delete(row)
  }
  return gaps.sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount))
}

/** The cost of a gap. @param {Gap} gap */
function costOfGap({ missingLayers, layers, amount }) {
  if (amount < 0) return GAP_COSTS.tooMany
  return missingLayers < layers ? GAP_COSTS.someLayers : GAP_COSTS.leftOut
}

/** The ways to read some summands, the cheapest first, each with the class or part that it counts and its gaps. The
 * target is null if no class or part has all that they count.
 * @param {Parameters<typeof waysToRead>[0]} summands @param {SumRuler} ruler @param {string} label  of the total
 * @param {boolean} isOfNamedParts  whether labels below that of the total name parts */
const rankedWays = (summands, ruler, label, isOfNamedParts) =>
  waysToRead(summands, ruler)
    .sort((one, other) => one.cost - other.cost)
    .slice(0, MAX_WAYS)
    .map((way) => {
      const target = targetOf(way, ruler, label, isOfNamedParts)
      const gaps = target ? gapsOf(way, target, ruler) : []
      return { way, target, gaps, cost: way.cost + (target ? sumBy(gaps, costOfGap) : GAP_COSTS.noTarget) }
    })
    .sort((one, other) => one.cost - other.cost)

const MIN_REPEATED = 100 // parameters; smaller numbers are equal by chance

/** The readings, with those of unknown summands that repeat the number of a known one.
 * @param {SummandReading[]} readings @param {SummandOfEntry[]} summands @returns {SummandReading[]} */
const withRepetitions = (readings, summands) =>
  readings.map((reading, index) => {
    const { value, tolerance } = summands[index]
    if (reading.kind !== "unknown" || tolerance || value < MIN_REPEATED) return reading
    const first = readings.find(({ kind }, other) => kind === "exact" && summands[other].value === value)
    return first ? { ...reading, kind: "repeated", piece: first.piece, count: first.count } : reading
  })

/** The words for what a total counts. If it repeats a single entry, as in "FFN: 4,718,592; 12 layers: 56,623,104",
 * words for layers only say how often, and those of the entry say what is counted.
 * @param {Entry} total */
function labelOfTotal({ label, children, statement }) {
  const [child, ...others] = children
  const isMultiple = child && !others.length && child.times > 1
  if (isMultiple && meansLayersOnly(label) && partsMeant(child.entry.label).length) return child.entry.label
  // "Each" may come after the number: Q, K and V have 768 × 768 + 768 each.
  return `${label || statement.heading} ${statement.after}`.trim()
}

/** A sum before its summands are read.
 * @typedef {Pick<Outcome, "root" | "entries" | "summands" | "slips" | "otherRoots" | "total">} UnreadSum */

/** The total of what a text adds up, and the summands that lead to it; null if it adds up nothing.
 * @param {import("./statements.js").Statement[]} statements @param {import("./entries.js").Values} values
 * @returns {UnreadSum | null} */
export function unreadSumIn(statements, values) {
  const { roots, entries } = treeOf(statements, values)
  if (!roots.length) return null
  const root = totalAmong(roots)
  const totals = root ? [root] : roots
  return {
    ...summandsOf(totals, values),
    root,
    entries,
    total: root ? contributionOf(root) : sumBy(totals, contributionOf),
    otherRoots: root ? roots.filter((entry) => entry !== root) : [],
  }
}

/** The best reading of a sum done by hand with the sizes of one model; null if it has no summands, too
 * many, or one that is not a whole number, or if no class or part has all that they count.
 * @param {import("./statements.js").Statement[]} statements @param {Record<string, number>} names  of sizes in the text
 * @param {SumRuler} ruler @returns {Outcome | null} */
export function outcomeOf(statements, names, ruler) {
  const sum = unreadSumIn(statements, { sizes: ruler.sizes, names })
  if (!sum || sum.summands.length > MAX_SUMMANDS) return null
  const { root } = sum
  const summands = sum.summands.flatMap((summand) => splitSummand(summand, ruler))
  if (!summands.length || summands.length > MAX_SUMMANDS || summands.some(({ value }) => !Number.isSafeInteger(value)))
    return null
  const label = root ? labelOfTotal(root) : ""
  const isOfNamedParts = root !== null && addsNamedParts(root)
  const [bestWay, ...otherWays] = rankedWays(summands, ruler, label, isOfNamedParts)
  const { way, target, gaps, cost } = bestWay
  if (!target) return null
  const closeWays = otherWays.filter((otherWay) => otherWay.cost - cost < MAX_COST_DIFFERENCE)
  const [rival = null] = closeWays
  const alternative = closeWays.find((other) => haveSameAmounts(gaps, other.gaps) && !haveSameParts(gaps, other.gaps))
  return {
    ...sum,
    ruler,
    summands,
    readings: withRepetitions(way.readings, summands),
    target,
    cost,
    gaps: alternative ? withAlternatives(gaps, alternative.gaps) : gaps,
    isUnsure: rival !== null && !haveSameAmounts(gaps, rival.gaps),
  }
}

/** Whether two lists of gaps have the same amounts in the same order. @param {Gap[]} gaps @param {Gap[]} otherGaps */
const haveSameAmounts = (gaps, otherGaps) =>
  gaps.map(({ amount }) => amount).join() === otherGaps.map(({ amount }) => amount).join()

/** Whether two lists of gaps are about the same parts. @param {Gap[]} gaps @param {Gap[]} otherGaps */
const haveSameParts = (gaps, otherGaps) =>
  gaps.every(({ piece }, index) => otherGaps[index].piece.words === piece.words)

/** The gaps, with the equally large parts that may be meant instead.
 * @param {Gap[]} gaps @param {Gap[]} otherGaps @returns {Gap[]} */
const withAlternatives = (gaps, otherGaps) =>
  gaps.map((gap, index) =>
    otherGaps[index].piece.words === gap.piece.words ? gap : { ...gap, alternative: otherGaps[index].piece },
  )
