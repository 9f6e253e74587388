// Explains the numbers of a model after something is done to it. Fine-tuning trains
// adapters, prompts or some of the layers; heads are pruned; weights are packed; a
// checkpoint keeps Adam's moments. Each is a line: what there is anyway, and what
// one more rank, token, head or label adds. The fields are those of
// macros/counting/search/changed_lines.py.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { noun, sumBy } from "../../counting/engine.js"
import { BLANK_MEANING } from "../ways.js"

const { choices, classes, lines } = exported.changed
/** The forms of the lines: the words for their numbers, and the values that x may have. Several forms share a choice
 * of values. */
const forms = exported.changed.forms.map(({ chosen, ...form }) => ({ ...choices[chosen ?? choices.length], ...form }))

/** A term of a sum without a page.
 * @param {number} times @param {number} number @param {string} [words] @returns {ExplanationTerm} */
const term = (times, number, words = "") => ({ times, number, words, page: "" })

/** The number of a line for one x, in each of its models. In the exported words, & stands for the class, % for a factor of
 * the constant part, # for x, which a noun may follow, and @ for the model.
 * @param {ChangedLine} line @param {number} x
 * @param {boolean} isWhole  whether the rest of the model is added
 * @returns {Meaning[]} */
function meanings([formIndex, ofModels, name, cost, constant, slope = 0, plain = 0], x, isWhole) {
  const {
    words,
    whole = "",
    usual = [],
    values = [],
    rare_cost: rareCost,
    trained = false,
    bytes,
    whole_cost: wholeCost = 0,
  } = forms[formIndex]
  const grown = slope > 0 ? [term(x, slope)] : []
  const shrunk = slope < 0 ? [term(-x, -slope)] : []
  const terms = [...(isWhole ? [term(1, plain)] : []), ...grown, ...constant.map((one) => term(...one)), ...shrunk]
  const isUsual = !x || usual.includes(x)
  // A value that people hardly choose is looked for in the change alone; with the whole model, too many numbers would fit.
  const costOfOther = isWhole ? Infinity : rareCost
  const costOfRare = values.includes(x) ? 1 : costOfOther
  const text = (isWhole ? whole : words)
    .replace("&", classes[name])
    .replace("%", `${constant[0]?.[0]}`)
    .replace(/# ((?:trained )?token|label)\b|#/, (_, unit) => (unit ? `${x} ${noun(x, unit)}` : `${x}`))
  return ofModels.map((model) => ({
    ...BLANK_MEANING,
    trained,
    terms,
    number: sumBy(terms, ({ times, number }) => times * number),
    models: [table.models[model].name],
    classes: [classes[name]],
    cost: cost + (isUsual ? 0 : costOfRare) + (isWhole ? wholeCost : 0),
    hasUnusualSize: slope !== 0 && x > 0 && !usual.includes(x) && !values.includes(x),
    kind: bytes ? "memory" : "change",
    words: text.replace("@", table.models[model].title),
  }))
}

/** Every line with a number from `low` to `high`. An exact number is solved for x; for others, usual
 * values are tried.
 * @param {number} low @param {number} high @param {boolean} exact @param {boolean} ofMemory
 * @returns {Meaning[]} */
export const changedWithin = (low, high, exact, ofMemory = false) =>
  lines.flatMap((line) => {
    const [formIndex, , , , constant, slope = 0, plain = 0] = line
    const { largest = 0, values = [], known = [0, 0], exact: isExact, bytes = false, alone } = forms[formIndex]
    if ((isExact && !exact) || bytes !== ofMemory) return []
    // The change alone, and with the parameters that stay as they are.
    return (plain ? [0, plain] : [0]).flatMap((unchanged, whole) => {
      if (alone === ["whole", "number"][whole]) return [] // the form is only ever meant in the other way
      const start = unchanged + sumBy(constant, ([times, number]) => times * number)
      const valuesToTry = exact ? [(low - start) / slope] : values
      return (slope ? valuesToTry : [0])
        .filter((x) => start + slope * x >= low && start + slope * x <= high)
        .filter((x) => !slope || (Number.isInteger(x) && x >= 1 && x <= largest && x !== known[whole]))
        .flatMap((x) => meanings(line, x, whole === 1))
    })
  })

/** The trained share of a changed model, as PEFT prints it.
 * @param {[number, number]} share @returns {Meaning[]} */
const ofShare = ([min, max]) =>
  lines.flatMap((line) => {
    const [formIndex, , , , , slope = 0, plain = 0] = line
    const { values = [] } = forms[formIndex]
    if (!plain) return []
    return (slope ? values : [0]).flatMap((x) =>
      meanings(line, x, false).flatMap((trained, index) => {
        const { number, words } = meanings(line, x, true)[index]
        if (trained.number / number < min || trained.number / number >= max) return []
        const terms = [term(1, trained.number, trained.words), term(-1, number, words.replace("the size of ", ""))]
        return [{ ...trained, kind: /** @type {const} */ ("share"), terms }]
      }),
    )
  })

/** @type {Kind} */
export function kind({ low, high, exact, amount, share }) {
  if (amount === "share" && share) return ofShare(share)
  return amount === "count" && low > 0 ? changedWithin(low, high, exact) : []
}
