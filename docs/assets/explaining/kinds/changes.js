// Changes: what is done to a model. Fine-tuning trains adapters, prompts or vectors
// beside frozen weights, or the last layers alone; heads are pruned; four bits store
// two weights as one element; a checkpoint keeps Adam's moments. The build says what
// each comes to, and what one more rank, token, head or label adds: fields are those
// of macros/counting/disagreements/changed_lines.py.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { noun, sumBy } from "../../counting/engine.js"
import { EMPTY } from "../ways.js"

const { forms, classes, lines } = exported.changed

/** @param {number} times @param {number} number @param {string} [words] @returns {ExplanationTerm} */
const term = (times, number, words = "") => ({ times, number, words, page: "" })
/** What a line comes to, in each of its models. @param {ChangedLine} line @param {number} x @param {boolean} isWhole  with all that there is besides
 * @returns {Meaning[]} */
function meanings([place, ofModels, name, cost, constant, slope, plain], x, isWhole) {
  const { words, whole = "", usual = [], values = [], rare, trained = false, more = 0 } = forms[place]
  const grown = slope > 0 ? [term(x, slope)] : []
  const shrunk = slope < 0 ? [term(-x, -slope)] : []
  const terms = [...(isWhole ? [term(1, plain)] : []), ...grown, ...constant.map((each) => term(...each)), ...shrunk]
  const unusual = !x || usual.includes(x) ? 0 : values.includes(x) ? 1 : isWhole ? Infinity : rare
  const text = (isWhole ? whole : words)
    .replace("&", classes[name])
    .replace("%", `${constant[0]?.[0]}`)
    .replace(/# (token|label)\b|#/, (_, unit) => (unit ? `${x} ${noun(x, unit)}` : `${x}`))
  return ofModels.map((model) => ({
    ...{ ...EMPTY, kind: "change", trained, terms, number: sumBy(terms, ({ times, number }) => times * number) },
    ...{ models: [table.models[model].name], classes: [classes[name]], cost: cost + unusual + (isWhole ? more : 0) },
    words: text.replace("@", table.models[model].title),
  }))
}

/** Every line that comes to a number from `low` to `high`: an exact one is solved for what one chooses.
 * @param {number} low @param {number} high @param {boolean} exact @returns {Meaning[]} */
const solved = (low, high, exact) =>
  lines.flatMap((line) => {
    const [place, , , , constant, slope, plain] = line
    const { most = 0, values = [], known = [0, 0], exact: isExact } = forms[place]
    if (isExact && !exact) return []
    return (plain ? [0, plain] : [0]).flatMap((besides, whole) => {
      const start = besides + sumBy(constant, ([times, number]) => times * number)
      return (!slope ? [0] : exact ? [(low - start) / slope] : values)
        .filter((x) => start + slope * x >= low && start + slope * x <= high)
        .filter((x) => !slope || (Number.isInteger(x) && x >= 1 && x <= most && x !== known[whole]))
        .flatMap((x) => meanings(line, x, whole === 1))
    })
  })

/** The share that is trained, as PEFT prints it. @param {[number, number]} share @returns {Meaning[]} */
const ofShare = ([least, most]) =>
  lines.flatMap((line) => {
    const [place, , , , , slope, plain] = line
    const { values = [] } = forms[place]
    return (plain ? (slope ? values : [0]) : []).flatMap((x) =>
      meanings(line, x, false).flatMap((trained, place) => {
        const { number, words } = meanings(line, x, true)[place]
        if (trained.number / number < least || trained.number / number >= most) return []
        const terms = [term(1, trained.number, trained.words), term(-1, number, words.replace("the size of ", ""))]
        return [{ ...trained, kind: /** @type {const} */ ("share"), terms }]
      }),
    )
  })

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, share }) => {
  if (amount === "share" && share) return ofShare(share)
  return amount === "count" && low > 0 ? solved(low, high, exact) : []
}
