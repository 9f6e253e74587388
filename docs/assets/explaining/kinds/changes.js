// Explains the numbers of changed models. Fine-tuning may train only adapters, prompts or
// some of the layers; heads may be pruned and weights packed; a checkpoint may contain
// Adam's moments. Each number is linear in one quantity x, such as a rank or a number of
// tokens, heads or labels, so it is exported as a line: a constant part and a slope.
// macros/counting/search/changed_lines.py explains the fields.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { lazily, noun, sumBy } from "../../counting/engine.js"
import { BLANK_MEANING } from "../ways.js"

const { choices, classes, lines } = exported.changed
/** The templates of the lines, each with the words for its numbers and the values of x. Several templates may share the
 * same values, which are exported once. */
const templates = exported.changed.templates.map(({ choice, ...template }) => ({
  ...choices[choice ?? choices.length],
  ...template,
}))

/** A term of a sum that links to no page.
 * @param {number} times @param {number} number @param {string} [words] @returns {ExplanationTerm} */
const term = (times, number, words = "") => ({ times, number, words, page: "" })

/** The meanings of a line at one x, one for each of its models. In the exported words, & means the class, % the first
 * factor of the constant part, # the value of x, perhaps with a noun after it, and @ the model.
 * @param {ChangedLine} line @param {number} x
 * @param {boolean} isWhole  whether the rest of the model is added
 * @returns {Meaning[]} */
function meanings([templateIndex, modelIndices, classIndex, cost, constant, slope = 0, unchanged = 0], x, isWhole) {
  const {
    words,
    whole = "",
    usual = [],
    values = [],
    rare_cost: rareCost,
    is_trainable: isTrainable = false,
    is_in_bytes: isInBytes = false,
    whole_cost: wholeCost = 0,
  } = templates[templateIndex]
  const addedTerms = slope > 0 ? [term(x, slope)] : []
  const removedTerms = slope < 0 ? [term(-x, -slope)] : []
  const terms = [
    ...(isWhole ? [term(1, unchanged)] : []),
    ...addedTerms,
    ...constant.map((numbers) => term(...numbers)),
    ...removedTerms,
  ]
  const isUsual = !x || usual.includes(x)
  // An unlisted value is accepted only for the change alone. For the whole model its cost is infinite, because too many
  // numbers would fit.
  const costOfUnlisted = isWhole ? Infinity : rareCost
  const costOfUnusual = values.includes(x) ? 1 : costOfUnlisted
  const text = (isWhole ? whole : words)
    .replace("&", classes[classIndex])
    .replace("%", `${constant[0]?.[0]}`)
    .replace(/# ((?:trained )?token|label)\b|#/, (_, unit) => (unit ? `${x} ${noun(x, unit)}` : `${x}`))
  return modelIndices.map((model) => ({
    ...BLANK_MEANING,
    isTrainable,
    terms,
    number: sumBy(terms, ({ times, number }) => times * number),
    models: [table.models[model].name],
    classes: [classes[classIndex]],
    cost: cost + (isUsual ? 0 : costOfUnusual) + (isWhole ? wholeCost : 0),
    hasUnusualSize: slope !== 0 && x > 0 && !usual.includes(x) && !values.includes(x),
    kind: isInBytes ? "memory" : "change",
    words: text.replace("@", table.models[model].title),
  }))
}

/** The counts of each line: of the change alone, and of the change with the unchanged parameters. At `knownX`, the same
 * number is explained in another way. The list is made once and kept, because every number is compared with all of
 * it. */
const countables = lazily(() =>
  lines.flatMap((line) => {
    const [templateIndex, , , , constant, slope = 0, unchanged = 0] = line
    const {
      largest = 0,
      values = [],
      known_values: knownValues = [0, 0],
      needs_exact: needsExact = false,
      is_in_bytes: isInBytes = false,
      only,
    } = templates[templateIndex]
    return (unchanged ? [0, unchanged] : [0]).flatMap((addend, wholeIndex) => {
      if (only && only !== ["number", "whole"][wholeIndex]) return [] // people never mean this one of the two
      const start = addend + sumBy(constant, ([times, number]) => times * number)
      const isWhole = wholeIndex === 1
      return [{ line, isWhole, start, slope, largest, values, knownX: knownValues[wholeIndex], needsExact, isInBytes }]
    })
  }),
)

/** The meanings of lines whose numbers are from `low` to `high`. An exact number is solved for x; for any other, the
 * listed values are tried.
 * @param {number} low @param {number} high @param {boolean} exact
 * @param {boolean} [ofMemory]  whether the numbers are in bytes
 * @returns {Meaning[]} */
export function changesWithin(low, high, exact, ofMemory = false) {
  /** @type {Meaning[]} */
  const fittingMeanings = []
  for (const { line, isWhole, start, slope, largest, values, knownX, needsExact, isInBytes } of countables()) {
    if ((needsExact && !exact) || isInBytes !== ofMemory) continue
    if (!slope) {
      if (start >= low && start <= high) fittingMeanings.push(...meanings(line, 0, isWhole))
      continue
    }
    for (const x of exact ? [(low - start) / slope] : values) {
      const isAllowed = Number.isInteger(x) && x >= 1 && x <= largest && x !== knownX
      const number = start + slope * x
      if (isAllowed && number >= low && number <= high) fittingMeanings.push(...meanings(line, x, isWhole))
    }
  }
  return fittingMeanings
}

/** Meanings of a share as the trainable part of a changed model, which PEFT prints.
 * @param {[number, number]} share @returns {Meaning[]} */
const meaningsOfShare = ([min, max]) =>
  lines.flatMap((line) => {
    const [templateIndex, , , , , slope = 0, unchanged = 0] = line
    const { values = [] } = templates[templateIndex]
    if (!unchanged) return []
    return (slope ? values : [0]).flatMap((x) =>
      meanings(line, x, false).flatMap((trainedMeaning, index) => {
        const { number, words } = meanings(line, x, true)[index]
        const ratio = trainedMeaning.number / number
        if (ratio < min || ratio >= max) return []
        const terms = [
          term(1, trainedMeaning.number, trainedMeaning.words),
          term(-1, number, words.replace("the size of ", "")),
        ]
        return [{ ...trainedMeaning, kind: /** @type {const} */ ("share"), terms }]
      }),
    )
  })

/** The changed models that may explain a count (as one of their numbers) or a share (as their trainable part).
 * @type {FindMeanings} */
export function findMeanings({ low, high, exact, amount, share }) {
  if (amount === "share" && share) return meaningsOfShare(share)
  return amount === "count" && low > 0 ? changesWithin(low, high, exact) : []
}
