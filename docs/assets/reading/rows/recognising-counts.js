// Recognises a model by counts, from a summary with few usable names. Published models
// are considered first: those whose total or large parts have a count that the text shows.
// Then come the sizes that solving.js derives from the counts. Each candidate is aligned
// with the rows (aligning-counts.js), and the one with the lowest cost is taken. Rows that it
// does not explain and modules without a row raise the cost; an agreeing total lowers it.
// A text that names none of the site's classes must fit especially well, because any
// Transformer has rows like these.
//
// The costs are not measured. They rank the kinds of evidence, and the recorded and
// random print-outs in tests/scripts pin the outcome.

import table from "../../../data/table.js"
import {
  architectures,
  classes,
  classesOf,
  classOfBare,
  count as countParameters,
  defaultChoices,
  getOrMake,
  models,
  sumBy,
} from "../../counting/engine.js"
import { groupBy } from "../../counting/polynomials.js"
import { byUse } from "../../explaining/ways.js"
import { alignmentOf, sumOf } from "./aligning.js"
import { alignByCount, HUB_LAYER, isNamedPooler, layerNumberIn } from "./aligning-counts.js"
import { depthByTotal } from "./depth.js"
import { stemOf } from "./names.js"
import { DENSE } from "./own-layers.js"
import { isUntied } from "./recognising.js"
import { nameOfRow, rulerOf } from "./ruler.js"
import { modulesOf, sumsOfParts } from "./runs.js"
import { labelCountByTotals, publishedModelsWith, sizeByLabels, USUAL_SIZES } from "./sizes.js"
import { solveSizes } from "./solving.js"
import { subtotalsOf } from "./subtotals.js"
import { mayBe } from "./text-row.js"
import { MIN_TOTAL } from "./totals.js"

/** A model aligned with the rows of a text. `cost` measures how badly the model explains them, and can be negative if
 * it explains them well.
 * @typedef {{ recognised: Recognised, alignment: Alignment, cost: number }} AlignedModel */

const MAX_MISSING_SHARE = 0.35 // the largest share of a model that the text may leave out
const MIN_EXPLAINED_SHARE = 0.7 // the smallest share of a text's sum that the model must explain
const MAX_HEAD_SHARE = 0.01 // the share of a model by which rows with a head, or without a pooler, may differ from it
const MAX_ROUNDING_SHARE = 0.05 // the share by which a rounded total, such as "110M", may differ from a model's

/** The architectures that a text mentions; all of them if it mentions none. A mention in lower case may be the name of
 * the body in a class with a head. The bodies of BigBird and Megatron BERT are called `bert`, as BERT's is.
 * @param {string[]} mentions */
function architecturesIn(mentions) {
  const mentionedArchitectures = table.architectures.filter(({ name, prefix }) => {
    const stem = stemOf(name)
    const classPattern = new RegExp(`^(?:TF|Flax)?${stem}(?=[A-Z]|$)`)
    return mentions.some(
      (mention) => classPattern.test(mention) || mention === stem.toLowerCase() || `${mention}.` === prefix,
    )
  })
  return mentionedArchitectures.length ? mentionedArchitectures : table.architectures
}

/** The number of parameters of a class below a path or with a tag; all of its parameters by default.
 * @param {string} modelClass @param {Sizes} sizes @param {string} [path] @param {string} [tag] */
const parametersOf = (modelClass, sizes, path = "", tag = "") => countParameters({ modelClass, sizes, part: path, tag })

/** The architecture, sizes and name of a model, whatever its class.
 * @typedef {Pick<Recognised, "architecture" | "sizes" | "name">} Base */

/** The numbers of parameters of the modules directly in a bare model, as a loop over `named_children()` gives them.
 * @param {Model} model */
function sumsOfChildren({ architecture, sizes }) {
  const { prefix } = architectures.get(architecture)
  const children = groupBy(rulerOf(classOfBare(architecture), sizes).tensors, (tensor) => {
    const [child] = tensor.name.slice(tensor.name.startsWith(prefix) ? prefix.length : 0).split(".")
    return child
  })
  return [...children.values()].map((tensors) => sumBy(tensors, ({ elements }) => elements))
}

/** The cached counts of `countsOfParts`, by the name of the model. @type {Map<string, number[]>} */
const countsByModel = new Map()

/** The numbers of parameters of a model's large parts, one of which a summary shows. @param {Model} model */
const countsOfParts = (model) =>
  getOrMake(countsByModel, model.name, () => {
    const { architecture, sizes } = model
    const bareClass = classOfBare(architecture)
    // The bodies of classes differ by a pooler.
    const bodies = classesOf(architecture).map(
      ({ name }) => parametersOf(name, sizes) - parametersOf(name, sizes, "", "task-head"),
    )
    return [
      sizes.V * (sizes.E ?? sizes.H),
      parametersOf(bareClass, sizes, "", "embeddings"),
      parametersOf(bareClass, sizes, "bert/encoder"),
      parametersOf(bareClass, sizes),
      ...bodies,
      ...sumsOfChildren(model),
    ]
  })

/** The published models with a large part, or a total, whose number of parameters the text shows. Those with about as
 * many parameters as all rows together come first, so that of models with the same embeddings, the right depth is
 * tried; then those of which the text shows the most parts.
 * @param {PrintOut} printOut @param {number} sum  of the rows @returns {Base[]} */
function publishedBases({ rows, totals, mentions }, sum) {
  const names = new Set(architecturesIn(mentions).map(({ name }) => name))
  const hasHubLayer = rows.some(({ type }) => type === HUB_LAYER)
  const largeRows = rows.filter(({ low }) => low !== null && low >= MIN_TOTAL)
  return [...models.values()]
    .filter(({ architecture }) => names.has(architecture))
    .map((model) => {
      const total = parametersOf(classOfBare(model.architecture), model.sizes)
      const inHubLayer = hasHubLayer ? [total + 1] : [] // TensorFlow Hub's layer adds one scalar to the model
      const counts = [...countsOfParts(model), ...inHubLayer]
      const isStated = totals.some(
        ({ kind, low, high }) =>
          kind === "total" && low <= total * (1 + MAX_ROUNDING_SHARE) && high >= total * (1 - MAX_ROUNDING_SHARE),
      )
      const partCount = largeRows.filter((row) => counts.some((count) => mayBe(row, count))).length
      const isNear = Math.abs(total / sum - 1) < MAX_HEAD_SHARE
      return { model, isStated, partCount, isNear }
    })
    .filter(({ isStated, partCount }) => isStated || partCount)
    .sort(
      (one, other) =>
        Number(other.isNear) - Number(one.isNear) || other.partCount - one.partCount || byUse(one.model, other.model),
    )
    .map(({ model: { architecture, sizes, name } }) => ({ architecture, sizes, name }))
}

/** The bases, of which only the first is kept if several have the same architecture and sizes. @param {Base[]} bases */
const withoutTwins = (bases) =>
  [...groupBy(bases, ({ architecture, sizes }) => JSON.stringify([architecture, sizes])).values()].map(
    ([first]) => first,
  )

/** The names of rows whose counts can be those of a head, each with the number of labels: a layer on H features has H +
 * 1 parameters per label, and with H labels or more it belongs to the body. A rounded count is used if only one number
 * of labels fits.
 * @param {TextRow[]} rows @param {number} H */
const headsIn = (rows, H) =>
  rows.flatMap(({ name, low, high }) => {
    if (low === null || high === null) return []
    const labels = Math.floor(high / (H + 1))
    return labels === Math.ceil(low / (H + 1)) && labels > 0 && labels < H ? [{ name, labels }] : []
  })

/** The name of the layer that classifies, in the classes of transformers. */
const CLASSIFIER = /(?:^|\.)classifier$/

/** The number of labels, below `MANY_LABELS`, with which the head of a class has as many parameters as a row of the
 * text, as RoBERTa's has with its dense layer; undefined if there is no such row.
 * @param {ModelClass} modelClass @param {Sizes} sizes @param {TextRow[]} rows */
function labelCountByHead({ name }, sizes, rows) {
  const { withoutLabels, perLabel } = sizeByLabels(name, sizes, {}, "task-head")
  if (!perLabel) return undefined
  return rows
    .map(({ low, high }) => (low === high ? ((low ?? 0) - withoutLabels) / perLabel : 0))
    .find((labels) => Number.isInteger(labels) && labels > 0 && labels < MANY_LABELS)
}

/** The paths of the modules that a class has beside its body, such as cls and cls.predictions.
 * @param {ModelClass} modelClass */
function headPaths({ name, rows }) {
  const { architecture } = classes.get(name)
  const rowsOfBody = new Set(classesOf(architecture)[0].rows)
  return new Set(
    rows
      .filter((row) => !rowsOfBody.has(row))
      .flatMap((row) =>
        nameOfRow(row, architecture)
          .split(".")
          .map((_, index, parts) => parts.slice(0, index).join(".")),
      ),
  )
}

/** The smallest number of labels, from the default upwards, with which the head of a class, or its last layer, has the
 * rounded count of a row with the name of the head; undefined if there is no such row.
 * @param {ModelClass} modelClass @param {Sizes} sizes @param {TextRow[]} rows */
function leastLabelsOf(modelClass, sizes, rows) {
  const paths = headPaths(modelClass)
  const row = rows.find(({ name, low, high }) => name && paths.has(name) && low !== high)
  const { withoutLabels, perLabel } = sizeByLabels(modelClass.name, sizes, {}, "task-head")
  if (!row || !perLabel) return undefined
  return [withoutLabels, 0].flatMap((inOtherLayers) => {
    const labels = Math.max(USUAL_SIZES.C, Math.ceil(((row.low ?? 0) - inOtherLayers) / perLabel))
    return mayBe(row, inOtherLayers + labels * perLabel) ? [labels] : []
  })[0]
}

/** The classes that a text may show: those with a head that it mentions, the bare class alone if it mentions only that
 * one, or else all classes of the architecture, the likeliest first.
 * @param {string} architecture @param {PrintOut} printOut */
function likelyClassesOf(architecture, { rows, mentions }) {
  // Hardly anybody trains the next-sentence head alone, so a head with two outputs is taken as a classifier unless a
  // name says otherwise. The class with only that head is therefore tried last.
  const isNextSentence = rows.some(({ name }) => /nsp|next|seq_relationship/i.test(name))
  const comesLast = (/** @type {ModelClass} */ { name }) =>
    !isNextSentence && name.endsWith("ForNextSentencePrediction")
  const [bareClass, ...classesWithHeads] = classesOf(architecture)
  const names = rows.flatMap(({ name }) => name || [])
  const classesWithNamedHead = classesWithHeads.filter((modelClass) => {
    const paths = headPaths(modelClass)
    return names.some((name) => paths.has(name))
  })
  const classesInOrder = [
    ...classesWithNamedHead,
    bareClass,
    ...classesWithHeads.filter((modelClass) => !comesLast(modelClass)),
    ...classesWithHeads.filter((modelClass) => comesLast(modelClass)),
  ]
  // A class with a head contains the bare class, so a text may mention both.
  const mentionedHeads = classesWithHeads.filter(({ name }) => mentions.includes(name))
  const mentionsHead = mentions.some((name) => name.endsWith("Head"))
  const otherClasses = mentions.includes(bareClass.name) && !mentionsHead ? [bareClass] : classesInOrder
  return mentionedHeads.length ? mentionedHeads : otherClasses
}

/** The variants that a model may be: its likely classes, with and without a pooler, tied and untied.
 * @param {Base} base @param {PrintOut} printOut @returns {Recognised[]} */
function variantsOf(base, printOut) {
  const { architecture, sizes } = base
  const { rows, mentions } = printOut
  const heads = headsIn(rows, sizes.H)
  const classifier = heads.find(({ name }) => CLASSIFIER.test(name))
  /** The number of labels of a class. If the text does not name the class, its rows say more than its total.
   * @param {ModelClass} modelClass */
  const labelsOf = (modelClass) => {
    if (classifier) return classifier.labels
    const labelsByTotals = labelCountByTotals(modelClass.name, sizes, {}, printOut.totals)
    if (mentions.includes(modelClass.name) && labelsByTotals) return labelsByTotals
    const fewLabelsByTotals = Number(labelsByTotals) <= MANY_LABELS ? labelsByTotals : undefined
    return (
      heads.at(-1)?.labels ??
      labelCountByHead(modelClass, sizes, rows) ??
      fewLabelsByTotals ??
      leastLabelsOf(modelClass, sizes, rows) ??
      sizes.C
    )
  }
  return likelyClassesOf(architecture, printOut).flatMap((modelClass) => {
    /** The variant with these choices. @param {Partial<Choices>} choices @returns {Recognised} */
    const variant = (choices) => ({
      ...base,
      modelClass: modelClass.name,
      sizes: { ...sizes, C: modelClass.labels ?? labelsOf(modelClass) },
      choices: { ...defaultChoices(architecture), ...choices },
      assumed: [],
      isOpen: false,
      alike: [],
    })
    const isPoolerOptional =
      modelClass === classesOf(architecture)[0] && modelClass.rows.some(({ when }) => when === "pooler")
    if (isPoolerOptional) return [variant({}), variant({ pooler: !defaultChoices(architecture).pooler })]
    const hasDecoder = modelClass.rows.some(({ tied_to }) => tied_to)
    return hasDecoder && isUntied(printOut, variant({})) ? [variant({}), variant({ tied: false })] : [variant({})]
  })
}

// Costs of the rows and modules that an alignment leaves unexplained. The unit is one module without a row.
const MISFIT_COST = 2 // the cost of each row that is wrong or not part of the model
const REPEATED_ROW_COST = 0.5 // the cost of each row that counts tensors again, as many tools do with shared weights
const MISPLACED_LAYER_COST = 3 // for a layer next to the body that the class has in a module; exceeds TOTAL_DISCOUNT
const UNPLACED_POOLER_COST = 1 // so that a total without the pooler does not outweigh the row of the pooler
const MANY_LABELS_COST = 3 // for a head of an unmentioned class with more labels than MANY_LABELS
const HEAD_WITH_MISFITS_COST = 2 // for a head of an unmentioned class, if there are misfits
const MANY_LABELS = 100 // few classifiers have more labels

// Savings for evidence in favour of a model.
const TOTAL_DISCOUNT = 2
const MENTIONED_CLASS_DISCOUNT = 0.5
const NAMED_HEAD_DISCOUNT = 0.5 // for a head that the text names as the class does

/** The cost of an alignment, which measures how badly it explains a text.
 * @param {Alignment} alignment @param {PrintOut} printOut */
function costOf({ ruler, rows, missing }, { totals, mentions }) {
  const repeatedRows = rows.filter(({ verdict }) => verdict === "counted twice")
  const misfits = rows.filter(({ verdict, stated }) => (verdict === "added" || verdict === "wrong") && stated !== 0)
  const missingModules = new Set(missing.map(({ module }) => module))
  const isMentioned = mentions.includes(ruler.modelClass)
  let cost = missingModules.size + misfits.length * MISFIT_COST + repeatedRows.length * REPEATED_ROW_COST
  if (hasMisplacedLayer(rows)) cost += MISPLACED_LAYER_COST
  // A head that only a size suggests may be a layer that the reader has added.
  if (!isMentioned && ruler.tensors.some(({ row }) => row.block === "task-head")) {
    if (ruler.sizes.C > MANY_LABELS) cost += MANY_LABELS_COST
    if (misfits.length) cost += HEAD_WITH_MISFITS_COST
  }
  // A pooler is part of the model, so one that fits no run is a mistake, of the text or of the choice of a class.
  if (misfits.some(({ text, verdict }) => verdict === "added" && isNamedPooler(text))) cost += UNPLACED_POOLER_COST
  const addedRows = rows.filter(({ text, verdict }) => verdict === "added" && !isNamedPooler(text))
  const low = ruler.total + sumBy(addedRows, ({ text }) => text.low ?? 0)
  const high = ruler.total + sumBy(addedRows, ({ text }) => text.high ?? 0)
  const repeatedSum = sumBy(repeatedRows, ({ stated, right }) => (stated ?? 0) - (right ?? 0))
  if ([0, repeatedSum].some((repeated) => hasStatedTotal({ low: low + repeated, high: high + repeated }, totals)))
    cost -= TOTAL_DISCOUNT
  if (isMentioned) cost -= MENTIONED_CLASS_DISCOUNT
  if (isHeadNamed(rows)) cost -= NAMED_HEAD_DISCOUNT
  return cost
}

/** Whether a sum, of which some summands may be rounded, can be the first total that a text states and the narrower
 * ones within it: Lightning rounds the number of parameters more than that of their bytes.
 * @param {{ low: number, high: number }} sum @param {StatedTotal[]} totals */
function hasStatedTotal(sum, totals) {
  const [first, ...others] = totals.filter(({ kind }) => kind === "total")
  const narrowerTotals = others.filter(({ low, high }) => low >= first.low && high <= first.high)
  return first !== undefined && [first, ...narrowerTotals].every(({ low, high }) => sum.low <= high && low <= sum.high)
}

/** Whether a text names a head, or the outermost module of one, as its class does. @param {AlignedRow[]} rows */
const isHeadNamed = (rows) =>
  rows.some(
    ({ text, tensors: [tensor] }) =>
      tensor?.row.block === "task-head" &&
      (tensor.module.endsWith(text.name) || tensor.module.startsWith(`${text.name}.`)),
  )

/** Whether a layer that is printed next to the body has been aligned with a layer inside a module, such as one of the
 * pre-training heads.
 * @param {AlignedRow[]} rows */
const hasMisplacedLayer = (rows) =>
  rows.some(
    ({ text, tensors: [tensor] }) =>
      DENSE.test(text.type) &&
      tensor?.module.includes(".") &&
      rows.some(
        ({ text: other }) =>
          BODY.test(other.type) && other.depth === text.depth && !text.name.startsWith(`${other.name}.`),
      ),
  )

const MAX_UNNAMED_COST = 6 // the largest cost of a model if the text names none of its classes

/** The model that a summary of counts shows; null if no encoder that the site counts explains its rows.
 * @param {PrintOut} printOut @returns {AlignedModel | null} */
export function recogniseByCounts(printOut) {
  const { rows } = printOut
  const mentions = classesMeant(printOut)
  const printOutAsMeant = { ...printOut, mentions }
  // A list of tensors that its names did not identify is not an encoder's, even if its sizes fit.
  const tensorCount = rows.filter(({ name }) => /\.(?:weight|bias)$/.test(name)).length
  if (rows.length > MAX_ROWS || tensorCount > rows.length / 2 || isForeign(rows, mentions)) return null
  const subtotalRows = subtotalsOf(rows)
  const leaves = rows.filter((row) => !subtotalRows.has(row))
  // Most architectures have layers like BERT's, so a text that mentions none is solved only for BERT, the first one.
  const solutions = architecturesIn(mentions)
    .slice(0, mentions.length ? undefined : 1)
    .flatMap(({ name: architecture }) =>
      solveSizes(leaves, architecture).map((sizes) => ({ architecture, sizes, name: "" })),
    )
  const sum = sumBy(leaves, ({ low }) => low ?? 0)
  const bases = [...withoutTwins(publishedBases(printOutAsMeant, sum)).slice(0, MAX_PUBLISHED), ...solutions]
  const allVariants = bases.flatMap((base) => variantsOf(base, printOutAsMeant))
  const hasTotal = printOut.totals.some(({ kind }) => kind === "total")
  /** @type {AlignedModel | null} */
  let bestCandidate = null
  for (const recognised of likeliestVariants(allVariants, printOutAsMeant)) {
    const alignment = alignByCount(rows, recognised)
    const cost = costOf(alignment, printOutAsMeant)
    if (!bestCandidate || cost < bestCandidate.cost) bestCandidate = { recognised, alignment, cost }
    // A candidate that explains all rows, and the total if there is one, is not compared with any further ones.
    if (cost <= (hasTotal ? -TOTAL_DISCOUNT : 0)) break
  }
  if (!bestCandidate) return null
  const deeperCandidate = withStatedDepth(bestCandidate, printOutAsMeant)
  if (deeperCandidate) return deeperCandidate
  if (!isExplained(bestCandidate.alignment, printOut)) return null
  const isNamed = architecturesIn(mentions).length < table.architectures.length
  if (!isNamed && bestCandidate.cost > MAX_UNNAMED_COST) return null
  const isAnyLayer = printOut.isOpen && rows.every((row) => layerNumberIn(row) === null)
  return { ...bestCandidate, alignment: { ...bestCandidate.alignment, isAnyLayer } }
}

/** The endings of class names, by the ending of the class of their head. */
const CLASS_ENDINGS = {
  OnlyMLMHead: "ForMaskedLM",
  PreTrainingHeads: "ForPreTraining",
  OnlyNSPHead: "ForNextSentencePrediction",
}

/** The ending of the class of a model's body. */
const BODY = /(?:Model|MainLayer)$/

/** The classes and stems that a text means by its mentions. If a body is printed next to other modules, such as a head,
 * the model's class is not that of the body, so only the stem of the body's class, such as "bert", is kept. A head
 * implies the class that has it, and a layer of TensorFlow Hub is BERT unless the text mentions another class.
 * @param {PrintOut} printOut @returns {string[]} */
function classesMeant({ rows, mentions }) {
  if (rows.some(({ type }) => type === HUB_LAYER) && !mentions.some((name) => classes.has(name)))
    return [classOfBare(table.architectures[0].name)]
  const names = mentions.map((name) => {
    const body = BODY.test(name) ? rows.find(({ type, depth }) => type === name && depth >= 0) : undefined
    const hasSiblings = body && rows.some((other) => other !== body && other.depth === body.depth && other.low)
    return hasSiblings ? name.replace(/Model$/, "").toLowerCase() : name
  })
  const classesOfHeads = Object.entries(CLASS_ENDINGS).flatMap(([head, ending]) =>
    rows.filter(({ type }) => type.endsWith(head)).map(({ type }) => type.slice(0, -head.length) + ending),
  )
  return [...names, ...classesOfHeads]
}

/** Module classes that suggest another family, in a text that mentions none of the site's architectures. */
const FOREIGN_MODULES =
  /^(?:Conv[123]d|BatchNorm[123]d|LSTM|GRU|MultiheadAttention|TransformerEncoderLayer|RMSNorm|\w+RMSNorm)$/

/** The stems in front of "Layer", "Attention" and the like that custom encoders often have. Any other stem, such as
 * "Llama", is taken to belong to a different family. */
const CUSTOM_STEM =
  /^(?:Bert|My|Self|Multi|MultiHead|MultiHeadSelf|Encoder|Transformer|TransformerEncoder|Token|Position|Positional|Segment|FeedForward|Embedding|Input|Layer|Dense|Linear|Pooler)?$/i

/** Whether the module classes in a text belong to a different family; false if the text mentions one of the site's
 * architectures.
 * @param {TextRow[]} rows @param {string[]} mentions */
function isForeign(rows, mentions) {
  if (architecturesIn(mentions).length < table.architectures.length) return false
  return rows.some(({ type }) => {
    const [, stem] =
      /^([A-Z]\w*?)(?:Model|Layer|Block|Attention|Embeddings|Encoder|Decoder|MLP|Stack)$/.exec(type) ?? []
    return FOREIGN_MODULES.test(type) || (stem !== undefined && !CUSTOM_STEM.test(stem))
  })
}

/** The same model at the depth that the stated total gives; null unless that is deeper than the rows show. A text with
 * a gap may name a layer that is deeper than the candidate.
 * @param {AlignedModel} candidate @param {PrintOut} printOut @returns {AlignedModel | null} */
function withStatedDepth({ recognised, alignment }, printOut) {
  const { rows, totals, isOpen } = printOut
  const { sizes } = recognised
  const namedDepth = Math.max(0, ...rows.map((row) => (layerNumberIn(row) ?? -1) + 1))
  const skipsLayers = isOpen && namedDepth > sizes.L
  if (!skipsLayers && (alignment.missing.length || sumOfCounts(alignment) !== alignment.ruler.total)) return null
  const depth = depthByTotal(totals, Math.max(sizes.L, skipsLayers ? namedDepth : 0), recognised)
  if (depth <= sizes.L) return null
  const [publishedModel] = publishedModelsWith(recognised.architecture, { ...sizes, L: depth })
  const deeperModel = { ...recognised, name: publishedModel?.name ?? "", sizes: { ...sizes, L: depth } }
  const namesLayers = rows.some((row) => layerNumberIn(row) !== null)
  const alignmentOfDeeper = namesLayers ? alignByCount(rows, deeperModel) : moveToDeeper(alignment, deeperModel)
  return { recognised: deeperModel, alignment: alignmentOfDeeper, cost: costOf(alignmentOfDeeper, printOut) }
}

/** The same rows aligned with a deeper model, whose last layers have no rows. All layers have the same counts, so rows
 * without names do not show which layers the text leaves out.
 * @param {Alignment} alignment @param {Recognised} recognised @returns {Alignment} */
function moveToDeeper({ rows }, { modelClass, sizes, choices }) {
  const ruler = rulerOf(modelClass, sizes, choices)
  const byName = new Map(ruler.tensors.map((tensor) => [tensor.name, tensor]))
  const movedRows = rows.map((row) => ({ ...row, tensors: row.tensors.flatMap(({ name }) => byName.get(name) ?? []) }))
  return { ...alignmentOf(ruler, movedRows), isAnyLayer: true }
}

/** The sum of the rows of a text without subtotals. @param {Alignment} alignment */
const sumOfCounts = ({ rows }) => sumOf(rows.filter(({ verdict }) => verdict !== "subtotal"))

// Each alignment takes a while, so the number of attempts is limited.
const MAX_ROWS = 1500 // a model of 48 layers has fewer modules
const MAX_PUBLISHED = 12
const MAX_VARIANTS = 16

/** The variants that are worth trying, the likeliest first: those with the stated total, then those whose parts have
 * most of the text's counts. Ties keep their order.
 * @param {Recognised[]} allVariants @param {PrintOut} printOut */
function likeliestVariants(allVariants, { rows, totals }) {
  const counts = [...new Set(rows.flatMap(({ low, high }) => (low !== null && low === high && low > 0 ? [low] : [])))]
  const statedTotals = totals.filter(({ kind }) => kind === "total")
  return allVariants
    .map((recognised) => {
      const { total, tensors } = rulerOf(recognised.modelClass, recognised.sizes, recognised.choices)
      const sumsInModel = sumsOfParts(modulesOf({ tensors }))
      const isStated = statedTotals.some((stated) => mayBe(stated, total))
      const commonCounts = counts.filter((count) => sumsInModel.has(count)).length
      return { recognised, score: (isStated ? counts.length + 1 : 0) + commonCounts }
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_VARIANTS)
    .map(({ recognised }) => recognised)
}

/** Whether an alignment explains enough of a text to name the model: the text shows most of the model, including part
 * of a layer, and little else. If it leaves lines out, it may show less, but must state the model's total.
 * @param {Alignment} alignment @param {PrintOut} printOut */
function isExplained({ ruler, rows, missing }, { isOpen, totals }) {
  const missingElements = sumBy(missing, ({ elements }) => elements)
  const rowsWithCounts = rows.filter(({ text }) => text.low)
  const explainedRows = rowsWithCounts.filter(({ verdict }) => verdict !== "added" && verdict !== "unknown")
  // A rounded row fits many models, so the exact rows beside it must be right.
  const isDisproved =
    rows.some(({ verdict }) => verdict === "rounded") &&
    rows.some(({ verdict, text }) => verdict === "wrong" || (verdict === "added" && isNamedPooler(text)))
  const hasLayer = explainedRows.some(({ tensors }) => tensors.some(({ numbers }) => numbers.length))
  const isTotalStated =
    isOpen && totals.some(({ kind, low, high }) => kind === "total" && low === high && low === ruler.total)
  const lowSumOf = (/** @type {AlignedRow[]} */ alignedRows) => sumBy(alignedRows, ({ text }) => text.low ?? 0)
  return (
    hasLayer &&
    !isDisproved &&
    (missingElements <= ruler.total * MAX_MISSING_SHARE || isTotalStated) &&
    lowSumOf(explainedRows) >= lowSumOf(rowsWithCounts) * MIN_EXPLAINED_SHARE
  )
}
