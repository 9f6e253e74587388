// Recognises a model by counts, from a summary whose rows have numbers and hardly any
// names. The published models come first: those that have the table, layer, encoder or
// total that the text shows. Otherwise solving.js has the sizes. Each candidate is
// laid along the rows, and the one that explains most is taken.

import table from "../../../data/table.js"
import { Counter, classes, classesOf, classOfBare, models, usualChoices } from "../../counting/engine.js"
import { byUse } from "../../explaining/ways.js"
import { alignedByNumber, HUB_LAYER, layerNamed, modulesOf, subtotals } from "./aligning.js"
import { depthByTotal, publishedLike, untied } from "./recognising.js"
import { rulerOf } from "./ruler.js"
import { solved } from "./solving.js"

/** @typedef {{ recognised: Recognised, alignment: Alignment, unexplained: number }} Candidate */

const MOST_LACKING = 0.35 // the largest share of a model that may be missing from its text
const LEAST_KNOWN = 0.7 // the smallest share of the sum of a text's rows that the model must explain
const MANY_LABELS = 100
const ODD = 3 // the cost of a layer where the class has none, more than an agreeing total is worth

/** Whether an interval of some row holds a number. @param {TextRow[]} rows @param {number} number */
const holds = (rows, number) =>
  rows.some(({ low, high }) => low !== null && high !== null && low <= number && number <= high)

/** The architectures whose classes a text mentions; all if it mentions none. @param {string[]} mentions */
function architecturesIn(mentions) {
  const mentioned = table.architectures.filter(({ name }) => {
    const [bare] = classesOf(name)
    const stem = bare.name.replace(/Model$/, "")
    const isOf = new RegExp(`^(?:TF|Flax)?${stem}(?=[A-Z]|$)`)
    return mentions.some((mention) => isOf.test(mention) || mention === stem.toLowerCase())
  })
  return mentioned.length ? mentioned : table.architectures
}

/** The part of a class's total under a tag or path.
 * @param {string} modelClass @param {Sizes} sizes @param {string} [path] @param {string} [tag] */
const numberOf = (modelClass, sizes, path = "", tag = "") => new Counter(modelClass, sizes).number([], path, tag) ?? NaN

/** The published models of which a text shows a part by its number.
 * @param {TextRow[]} rows @param {StatedTotal[]} totals @param {string[]} mentions
 * @returns {{ architecture: string, sizes: Sizes, name: string }[]} */
function publishedIn(rows, totals, mentions) {
  const names = new Set(architecturesIn(mentions).map(({ name }) => name))
  const hasHubLayer = rows.some(({ type }) => type === HUB_LAYER)
  const largeRows = rows.filter(({ low }) => low !== null && low > 1000)
  return [...models.values()]
    .filter(({ architecture }) => names.has(architecture))
    .filter(({ architecture, sizes }) => {
      const bare = classesOf(architecture)[0].name
      const width = sizes.E ?? sizes.H
      const total = numberOf(bare, sizes)
      const embeddings = numberOf(bare, sizes, "", "embeddings")
      const body = total - numberOf(bare, sizes, "bert/pooler")
      const extra = hasHubLayer ? [total + 1] : [] // the scalar of TensorFlow Hub's layer
      const marks = [sizes.V * width, embeddings, total, body, numberOf(bare, sizes, "bert/encoder"), ...extra]
      const isStated = totals.some(
        ({ kind, low, high }) => kind === "total" && low <= total * 1.05 && high >= total * 0.95,
      )
      return isStated || marks.some((mark) => holds(largeRows, mark))
    })
    .sort(byUse)
    .map(({ architecture, sizes, name }) => ({ architecture, sizes, name }))
}

/** The labels that a head of a class could have, by the counts that no part of the body explains.
 * @param {TextRow[]} rows @param {number} H */
function labelsFor(rows, H) {
  const heads = rows.flatMap(({ low, high }) =>
    low !== null && low === high && low > 0 && low % (H + 1) === 0 ? [low / (H + 1)] : [],
  )
  return heads.filter((labels) => labels > 0 && labels < H).at(-1)
}

/** Everything that a model may be with these sizes: its classes, with and without a pooler.
 * @param {string} architecture @param {Sizes} sizes @param {string} name @param {TextRow[]} rows
 * @param {StatedTotal[]} totals @param {string[]} mentions @returns {Recognised[]} */
function variants(architecture, sizes, name, rows, totals, mentions) {
  // Hardly anybody trains the next-sentence head alone, so a head of two numbers is a classifier unless it is called so.
  const isNextSentence = rows.some(({ name }) => /nsp|next|seq_relationship/i.test(name))
  const isLast = (/** @type {ModelClass} */ { name }) =>
    Number(!isNextSentence && name.endsWith("ForNextSentencePrediction"))
  const [bare, ...withHeads] = classesOf(architecture)
  const own = [bare, ...withHeads.sort((one, other) => isLast(one) - isLast(other))]
  const mentionedClasses = own.filter((modelClass) => mentions.includes(modelClass.name))
  // A class with a head contains the bare one, so both are mentioned.
  const withHead = mentionedClasses.filter((modelClass) => modelClass !== own[0])
  const classesMeant = withHead.length ? withHead : mentionedClasses
  const labels = labelsFor(rows, sizes.H)
  return (classesMeant.length ? classesMeant : own).flatMap((modelClass) => {
    const C = modelClass.labels ?? labels ?? sizes.C
    /** @param {Partial<Choices>} choices @returns {Recognised} */
    const variant = (choices) => ({
      architecture,
      modelClass: modelClass.name,
      sizes: { ...sizes, C },
      choices: { ...usualChoices(architecture), ...choices },
      name,
      assumed: [],
      isOpen: false,
      alike: [],
    })
    const isOpen = modelClass === own[0] && classes.get(modelClass.name).rows.some(({ when }) => when === "pooler")
    if (isOpen) return [variant({}), variant({ pooler: !usualChoices(architecture).pooler })]
    const hasDecoder = modelClass.rows.some(({ tied_to }) => tied_to)
    const apart = { ...usualChoices(architecture) }
    if (hasDecoder) untied({ totals, rows }, { ...sizes, C }, modelClass.name, apart)
    return apart.tied ? [variant({})] : [variant({}), variant({ tied: false })]
  })
}

/** How badly an alignment explains a text: rows that are wrong or unknown, and modules that no row has.
 * @param {Alignment} alignment @param {StatedTotal[]} totals @param {string[]} mentions */
function unexplained({ ruler, rows, missing }, totals, mentions) {
  const strange = rows.filter(
    ({ verdict, stated }) => (verdict === "added" || verdict === "wrong") && stated !== 0,
  ).length
  const twice = rows.filter(({ verdict }) => verdict === "counted twice").length
  const modules = new Set(missing.map(({ module }) => module)).size
  const stated = totals.find(({ kind }) => kind === "total")
  const addedElements = rows.reduce(
    (sum, { verdict, stated: number }) => sum + (verdict === "added" ? (number ?? 0) : 0),
    0,
  )
  const agrees = stated && stated.low <= ruler.total + addedElements && ruler.total + addedElements <= stated.high
  const isNamed = mentions.includes(ruler.modelClass)
  // A head that only its size suggests, beside layers that are somebody's own, is more likely one of these.
  const hasHead = ruler.tensors.some(({ row }) => row.block === "task-head")
  const guessed = hasHead && !isNamed ? (ruler.sizes.C > MANY_LABELS ? 3 : 0) + (strange ? 2 : 0) : 0
  // A head that the text calls as the class does speaks for the class.
  const isCalled = rows.some(
    ({ text, tensors: [tensor] }) => tensor?.row.block === "task-head" && tensor.module.endsWith(text.name),
  )
  // A layer beside the body is not part of a module, as the layers of the heads of pre-training are.
  const isBeside = rows.some(
    ({ text, tensors: [tensor] }) =>
      /^(?:Linear|Dense)$/.test(text.type) &&
      tensor?.module.includes(".") &&
      rows.some(({ text: other }) => /(?:Model|MainLayer)$/.test(other.type) && other.depth === text.depth),
  )
  return (
    (isCalled ? -0.5 : 0) +
    (isBeside ? ODD : 0) +
    strange * 2 +
    twice * 0.5 +
    modules +
    guessed -
    (agrees ? 2 : 0) -
    (isNamed ? 0.5 : 0)
  )
}

/** The model that a summary of counts is of; null if no encoder that we count explains its rows.
 * @param {PrintOut} print @returns {Candidate | null} */
export function recognisedByCounts({ rows, totals, mentions: all }) {
  const hasHubLayer = !all.some((name) => classes.has(name)) && rows.some(({ type }) => type === HUB_LAYER)
  const mentions = hasHubLayer ? [classOfBare(table.architectures[0].name)] : meantBy(rows, all)
  // Names that a framework does not print for an encoder are not explained by their sizes.
  const tensors = rows.filter(({ name }) => /\.(?:weight|bias)$/.test(name)).length
  if (rows.length > MOST_ROWS || tensors > rows.length / 2 || isForeign(rows, mentions)) return null
  const above = subtotals(rows)
  const leaves = rows.filter((row) => !above.has(row))
  const own = architecturesIn(mentions)
    .slice(0, mentions.length ? undefined : 1)
    .flatMap(({ name: architecture }) =>
      solved(leaves, architecture).map((sizes) => ({ architecture, sizes, name: "" })),
    )
  const bases = [...publishedIn(rows, totals, mentions).slice(0, MOST_PUBLISHED), ...own]
  /** @type {Candidate | null} */
  let best = null
  const tried = bases.flatMap(({ architecture, sizes, name }) =>
    variants(architecture, sizes, name, rows, totals, mentions),
  )
  for (const recognised of likeliest(tried, rows, totals)) {
    const alignment = alignedByNumber(rows, recognised)
    const cost = unexplained(alignment, totals, mentions)
    if (!best || cost < best.unexplained) best = { recognised, alignment, unexplained: cost }
    if (cost <= 0) break
  }
  const deeper = best && withStatedDepth(best, rows, totals, mentions)
  if (deeper) return deeper
  if (!best || !isExplained(best.alignment)) return null
  // Without a name of ours, only numbers that fit nearly all speak for the model.
  const isNamed = architecturesIn(mentions).length < table.architectures.length
  return isNamed || best.unexplained <= MOST_UNEXPLAINED ? best : null
}
const MOST_UNEXPLAINED = 6

/** The classes that have a module, by the end of its own class. */
const HEADS = {
  OnlyMLMHead: "ForMaskedLM",
  PreTrainingHeads: "ForPreTraining",
  OnlyNSPHead: "ForNextSentencePrediction",
}

/** The classes that a text mentions. A body that is a branch of a tree beside others, such as its head, only speaks for
 * its architecture.
 * @param {TextRow[]} rows @param {string[]} mentions */
const meantBy = (rows, mentions) => [
  ...mentions.map((name) => {
    const body = rows.find(({ type, depth }) => type === name && depth >= 0)
    const isBeside = body && rows.some((other) => other !== body && other.depth === body.depth && other.low)
    return isBeside ? name.replace(/Model$/, "").toLowerCase() : name
  }),
  ...Object.entries(HEADS).flatMap(([head, ending]) =>
    rows.flatMap(({ type }) => (type.endsWith(head) ? [type.slice(0, -head.length) + ending] : [])),
  ),
]

/** Classes of modules that our architectures do not have. */
const FOREIGN_MODULES =
  /^(?:Conv[123]d|BatchNorm[123]d|LSTM|GRU|MultiheadAttention|TransformerEncoderLayer|RMSNorm|\w+RMSNorm)$/

/** Names that people give to the parts of their own encoders. */
const OWN_STEM =
  /^(?:Bert|My|Self|Multi|MultiHead|MultiHeadSelf|Encoder|Transformer|TransformerEncoder|Token|Position|Positional|Segment|FeedForward|Embedding|Input|Layer|Dense|Linear|Pooler)?$/i

/** Whether the classes of a text's modules are those of another family.
 * @param {TextRow[]} rows @param {string[]} mentions */
function isForeign(rows, mentions) {
  if (architecturesIn(mentions).length < table.architectures.length) return false
  return rows.some(({ type }) => {
    if (type === HUB_LAYER) return false
    const [, stem] =
      /^([A-Z]\w*?)(?:Model|Layer|Block|Attention|Embeddings|Encoder|Decoder|MLP|Stack)$/.exec(type) ?? []
    return FOREIGN_MODULES.test(type) || (stem !== undefined && !OWN_STEM.test(stem))
  })
}

/** The same model with the depth that the total of the text gives, if its rows show fewer layers.
 * @param {Candidate} candidate @param {TextRow[]} rows @param {StatedTotal[]} totals @param {string[]} mentions
 * @returns {Candidate | null} */
function withStatedDepth({ recognised, alignment }, rows, totals, mentions) {
  const { modelClass, sizes, choices } = recognised
  if (alignment.missing.length || sumOfCounts(alignment) !== alignment.ruler.total) return null
  const depth = depthByTotal(totals, sizes.L, modelClass, sizes, choices)
  if (depth <= sizes.L) return null
  const [published] = publishedLike(recognised.architecture, { ...sizes, L: depth })
  const deeper = { ...recognised, name: published?.name ?? "", sizes: { ...sizes, L: depth } }
  const namesLayers = rows.some((row) => layerNamed(row) !== null)
  const longer = namesLayers ? alignedByNumber(rows, deeper) : lengthened(alignment, deeper)
  return { recognised: deeper, alignment: longer, unexplained: unexplained(longer, totals, mentions) }
}

/** An alignment along a deeper model, whose last layers have no rows. All layers have the same numbers, so rows
 * without names do not show which layers a text leaves out.
 * @param {Alignment} alignment @param {Recognised} recognised @returns {Alignment} */
function lengthened({ rows }, { modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const byName = new Map(ruler.tensors.map((tensor) => [tensor.name, tensor]))
  const longer = rows.map((row) => ({ ...row, tensors: row.tensors.flatMap(({ name }) => byName.get(name) ?? []) }))
  const coveredTensors = new Set(longer.flatMap(({ tensors }) => tensors))
  const missing = ruler.tensors.filter((tensor) => !tensor.tied && !coveredTensors.has(tensor))
  return { ruler, rows: longer, missing, isAnyLayer: true }
}

/** The sum of the rows of a text. @param {Alignment} alignment */
const sumOfCounts = ({ rows }) =>
  rows.reduce((sum, { stated, verdict }) => sum + (verdict === "subtotal" ? 0 : (stated ?? 0)), 0)
const MOST_ROWS = 5000
const MOST_PUBLISHED = 12
const MOST_TRIED = 16

/** The variants that are worth trying, the likeliest first: those with the total of the text, and then those whose
 * modules have most of its counts.
 * @param {Recognised[]} all @param {TextRow[]} rows @param {StatedTotal[]} totals */
function likeliest(all, rows, totals) {
  const counts = [...new Set(rows.flatMap(({ low, high }) => (low !== null && low === high && low > 0 ? [low] : [])))]
  const stated = totals.filter(({ kind }) => kind === "total")
  return all
    .map((recognised, order) => {
      const { total, tensors } = rulerOf(recognised.modelClass, recognised.sizes, recognised.choices)
      const modules = new Set(modulesOf({ tensors }).map(({ full }) => full))
      const agrees = stated.some(({ low, high }) => low <= total && total <= high)
      const shared = counts.filter((count) => modules.has(count)).length
      return { recognised, score: (agrees ? counts.length + 1 : 0) + shared - order * 1e-3 }
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_TRIED)
    .map(({ recognised }) => recognised)
}

/** Whether an alignment explains enough of a text to name the model: most of the model is there, and most rows of the
 * text are the model's.
 * @param {Alignment} alignment */
function isExplained({ ruler, rows, missing }) {
  const lacking = missing.reduce((sum, { elements }) => sum + elements, 0)
  const rowsWithCounts = rows.filter(({ stated, text }) => stated !== 0 && text.low !== null && text.low !== 0)
  /** @param {AlignedRow[]} some */
  const sum = (some) => some.reduce((all, { text }) => all + (text.low ?? 0), 0)
  const known = rowsWithCounts.filter(({ verdict }) => verdict !== "added" && verdict !== "unknown")
  const hasLayer = known.some(({ tensors }) => tensors.some(({ numbers }) => numbers.length))
  return hasLayer && lacking <= ruler.total * MOST_LACKING && sum(known) >= sum(rowsWithCounts) * LEAST_KNOWN
}
