// Finds the modules that a line of a table may show. A count is compared with the modules of every
// class of every model, and of those with this count, the ones whose name or class is on the line
// are preferred. Several lines must fit modules of one model.

import table from "../../../data/table.js"
import { classesOf, getOrMake, models, product, sumBy } from "../../counting/engine.js"
import { byUse } from "../../explaining/ways.js"
import { stemOf } from "./names.js"
import { DENSE } from "./own-layers.js"
import { nameOfRow, rowsOfClass, rulerOf } from "./ruler.js"

/** A module of a class with the rows of its tensors. `withoutLabels` is its number of parameters apart from those that
 * depend on the number of labels, and `perLabel` the number of further parameters per label. `withTied` is
 * `withoutLabels` plus the elements of tensors that are tied to another module, which tools count if they inspect a
 * single module. A module inside the layers is counted for one layer, and any other module for all layers.
 * @typedef {{ path: string, rows: Row[], withoutLabels: number, withTied: number, perLabel: number }} ModuleRows */

/** A module that a line may show.
 * @typedef {object} Match
 * @property {Model} model
 * @property {ModelClass} modelClass
 * @property {ModuleRows} module
 * @property {number} number  its number of parameters
 * @property {number} labels  the number of labels; 0 if it does not depend on labels
 * @property {number} score  1 point if the line has its name, and 1 if it has its class */

/** The cached modules by model and class. @type {Map<string, ModuleRows[]>} */
const modulesOfClass = new Map()

/** Every module of a class of a model. A layer and its parts are counted for one layer; a module that contains the
 * layers is counted with all of them.
 * @param {Model} model @param {ModelClass} modelClass */
const modulesOf = (model, modelClass) =>
  getOrMake(modulesOfClass, `${model.name} ${modelClass.name}`, () => {
    const { sizes, architecture } = model
    const { tied } = { ...modelClass.defaults, ...modelClass.fixed }
    const layers = product(modelClass.layers, sizes)
    const classRows = rowsOfClass(modelClass, {}, sizes)
    const byPath = new Map(classRows.map((row) => [row.path, row]))
    const nameOf = (/** @type {Row | undefined} */ row) => (row ? nameOfRow(row, architecture) : "")
    /** @type {Map<string, ModuleRows>} */
    const modules = new Map()
    for (const row of classRows) {
      const components = nameOf(row).split(".")
      const target = nameOf(byPath.get(row.tied_to ?? ""))
      const isTied = Boolean(row.tied_to) && tied
      for (let length = 0; length < components.length; length++) {
        const path = components.slice(0, length).join(".")
        const module = getOrMake(modules, path, () => ({ path, rows: [], withoutLabels: 0, withTied: 0, perLabel: 0 }))
        const times = row.repeated && !path.includes("*") ? layers - Number(Boolean(row.skips_first_layer)) : 1
        const hasLabels = row.dimensions.includes("C") && modelClass.labels === null
        const elements = product(row.dimensions, { ...sizes, C: modelClass.labels ?? 1 }) * times
        module.rows.push(row)
        if (hasLabels) module.perLabel += elements
        else {
          // A tensor that is tied to another one in the same module adds nothing to that module.
          module.withTied += isTied && target.startsWith(path) ? 0 : elements
          module.withoutLabels += isTied ? 0 : elements
        }
      }
    }
    return [...modules.values()]
  })

/** The classes of modules in transformers, without the name of the architecture, with the endings of their paths and,
 * if only some classes have such a module, the names of those classes.
 * @type {[RegExp, RegExp, RegExp?][]} */
const MODULE_CLASSES = [
  [/^(?:Model|MainLayer|Discriminator|For[A-Z]\w*)$/, /^\w*$/],
  [/^Embeddings?$/, /embeddings$/],
  [/^(?:Encoder|Transformer)$/, /(?:encoder|transformer)$/],
  [/^(?:Layer|TransformerBlock|Block)$/, /\*$/],
  [/^(?:Sdpa|Flash)?Attention$/, /attention$/],
  [/^(?:Sdpa)?SelfAttention$/, /(?:\.self|attention)$/],
  [/^SelfOutput$/, /attention\.output$/],
  [/^Intermediate$/, /intermediate$/],
  [/^Output$/, /\*\.output$/],
  [/^FFN$/, /ffn$/],
  [/^Pooler$/, /pooler$/],
  [/^(?:OnlyMLMHead|LMHead|MLMHead)$/, /(?:cls|lm_head)$/, /ForMaskedLM$/],
  [/^PreTrainingHeads$/, /cls$/, /ForPreTraining$/],
  [/^OnlyNSPHead$/, /cls$/, /ForNextSentencePrediction$/],
  [/^LMPredictionHead$/, /predictions$/],
  [/^PredictionHeadTransform$/, /transform$/],
  [/^ClassificationHead$/, /classifier$/],
]

/** The stems of class names by architecture, the longest first, because "DebertaV2" begins with "Deberta". */
const STEMS = table.architectures
  .map(({ name }) => ({ architecture: name, stem: stemOf(name) }))
  .sort((one, other) => other.stem.length - one.stem.length)

/** The architecture that a class is named after, and the rest of its name; "" and the whole name for any other class.
 * @param {string} type */
export function classIn(type) {
  const plainType = type.replace(/^(?:TF|Flax)/, "")
  const match = STEMS.find(({ stem }) => plainType.startsWith(stem) && /^[A-Z]/.test(plainType.slice(stem.length)))
  return match
    ? { architecture: match.architecture, rest: plainType.slice(match.stem.length) }
    : { architecture: "", rest: plainType }
}

/** The number of points for a module: 1 if the line has its name, and 1 if it has its class.
 * @param {TextRow} text @param {ModuleRows} module @param {ModelClass} modelClass
 * @param {string} rest  the class on the line without the name of the architecture */
function pointsFor({ name }, { path }, modelClass, rest) {
  const end = path.split(".").at(-1) ?? ""
  const lastName = name.split(".").at(-1) ?? ""
  const isNamed = end === "" ? name === "model" : lastName === end || (end === "*" && /^[0-9]+$/.test(lastName))
  const isTyped = MODULE_CLASSES.some(
    ([type, pathEnd, inClass]) => type.test(rest) && pathEnd.test(path) && (!inClass || inClass.test(modelClass.name)),
  )
  return Number(isNamed) + Number(isTyped)
}

/** Whether a module may have this class of PyTorch or Keras. @param {string} type @param {ModuleRows} module */
function isOfKind(type, { rows }) {
  const isTable = rows.length === 1 && rows[0].tags.has("embedding-table")
  if (/^(?:LSTM|GRU|RNN|Conv\w*|BatchNorm\w*|Bidirectional|MultiheadAttention)$/.test(type)) return false
  // A narrow column may have cut off the end of "Embedding".
  if (/Embed(?:d(?:i(?:ng?)?)?)?$/.test(type)) return isTable
  if (DENSE.test(type)) return rows.length <= 2 && rows[0].dimensions.length === 2 && !isTable
  if (/Norm(?:alization)?$/.test(type))
    return rows.length <= 2 && rows.every(({ dimensions }) => dimensions.length === 1)
  return true
}

const MAX_LABELS = 1000 // the maximum number of labels of a head, because with more, nearly any number fits some head

/** The number of parameters of a module, if it can be between `low` and `high`, with the number of labels that gives
 * it; null otherwise.
 * @param {ModuleRows} module @param {number} low @param {number} high
 * @param {number} usualLabels  the number of labels to assume if the count is rounded */
function numberWithin({ withoutLabels, withTied, perLabel }, low, high, usualLabels) {
  const exactLabels = low === high ? (low - withoutLabels) / perLabel : usualLabels
  const labels = perLabel ? exactLabels : 0
  const minLabels = perLabel ? 1 : 0
  if (!Number.isInteger(labels) || labels < minLabels || labels > MAX_LABELS) return null
  const number = [withoutLabels, withTied]
    .map((numberWithoutLabels) => numberWithoutLabels + labels * perLabel)
    .find((candidate) => candidate >= low && candidate <= high)
  return number ? { number, labels } : null
}

/** Of the modules that a line may show, those with the most points. Those of the most widely used models come first.
 * @param {TextRow} text
 * @param {boolean} isAlone  whether there is no other line with a count @returns {Match[]} */
export function matchesOf(text, isAlone) {
  const [low, high] = [text.low ?? 0, text.high ?? 0]
  const { architecture, rest } = classIn(text.type)
  const isClassWithHead = /^For[A-Z]/.test(rest)
  /** @type {Match[]} */
  const matches = []
  for (const model of models.values()) {
    if (architecture && model.architecture !== architecture) continue
    for (const modelClass of classesOf(model.architecture)) {
      if (isClassWithHead && !text.type.endsWith(modelClass.name)) continue
      for (const module of modulesOf(model, modelClass)) {
        const fit = numberWithin(module, low, high, model.sizes.C ?? 2)
        if (!fit || !isOfKind(text.type, module) || (isClassWithHead && module.path)) continue
        const score = pointsFor(text, module, modelClass, rest)
        // Many numbers fit a head with some number of labels, so a head without points is accepted only if there are
        // other lines.
        if (score || !fit.labels || !isAlone) matches.push({ model, modelClass, module, ...fit, score })
      }
    }
  }
  const highestScore = Math.max(0, ...matches.map(({ score }) => score))
  return matches.filter(({ score }) => score === highestScore).sort((one, other) => byUse(one.model, other.model))
}

/** The most widely used model with a match for every line, its matches line by line, and the other such models; null if
 * there is none. The matches are limited to one class if a class has a match for every line and those of the first line
 * have points.
 * @param {Match[][]} allMatches @returns {{ model: Model, matches: Match[][], others: Model[] } | null} */
export function matchesInOneModel(allMatches) {
  const [first] = allMatches
  const [model, ...others] = [...new Set(first.map((match) => match.model))].filter((candidate) =>
    allMatches.every((matches) => matches.some((match) => match.model === candidate)),
  )
  if (!model) return null
  const matchesByLine = allMatches.map((matches) => matches.filter((match) => match.model === model))
  const sharedClasses = [...new Set(matchesByLine[0].map((match) => match.modelClass))].filter((modelClass) =>
    matchesByLine.every((matchesOfLine) => matchesOfLine.some((match) => match.modelClass === modelClass)),
  )
  /** Whether the lines are the outermost modules of a class, which add up to its total. */
  const isWhole = (/** @type {ModelClass} */ modelClass) => {
    // Of modules with the same tensors, take the innermost, which is the layer itself.
    const matches = matchesByLine.map((matchesOfLine) =>
      matchesOfLine
        .filter((match) => match.modelClass === modelClass)
        .reduce((inner, match) => (match.module.path.length > inner.module.path.length ? match : inner)),
    )
    const sum = sumBy(matches, ({ number }) => number)
    const labels = Math.max(...matches.map((match) => match.labels))
    const isOutermost = matches.every((match) => !match.module.path.includes("."))
    return isOutermost && rulerOf(modelClass.name, { ...model.sizes, C: labels || model.sizes.C }).total === sum
  }
  const paths = new Set(matchesByLine.flatMap((matchesOfLine) => matchesOfLine.map((match) => match.module.path)))
  const modelClass = sharedClasses.find(isWhole) ?? classWithFewestGaps(sharedClasses, model, paths)
  const classMatchesByLine = matchesByLine.map((matchesOfLine) =>
    matchesOfLine.filter((match) => !modelClass || match.modelClass === modelClass),
  )
  return { model, others, matches: matchesByLine[0][0].score ? classMatchesByLine : matchesByLine }
}

/** The first class with the fewest gaps; undefined without classes. A gap is a module that the lines do not show,
 * although they show a sibling of it, so that a table of that class would show it as well.
 * @param {ModelClass[]} classes @param {Model} model
 * @param {Set<string>} paths  the paths of the modules that the lines show
 * @returns {ModelClass | undefined} */
function classWithFewestGaps(classes, model, paths) {
  const parentOf = (/** @type {string} */ path) => path.split(".").slice(0, -1).join(".")
  const parents = new Set([...paths].filter(Boolean).map(parentOf))
  /** The number of gaps if the lines are those of a class. */
  const gapsIn = (/** @type {ModelClass} */ modelClass) =>
    modulesOf(model, modelClass).filter(({ path }) => path && !paths.has(path) && parents.has(parentOf(path))).length
  return [...classes].sort((one, other) => gapsIn(one) - gapsIn(other))[0]
}
