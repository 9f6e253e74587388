// Changes: what is done to a model. Fine-tuning trains adapters, prompts or vectors
// beside frozen weights, or the last layers alone; heads are pruned; four bits store
// two weights as one element. The build says what each comes to, and what one more
// rank, token, head or label adds: macros/counting/disagreements/changed_lines.py.
// A checkpoint keeps Adam's moments of whatever is known.

import exported from "../../../data/known-numbers.js"
import table from "../../../data/table.js"
import { count, models, noun } from "../../counting/engine.js"
import { within } from "../known-numbers.js"
import { EMPTY } from "../ways.js"

const { forms, lines } = exported.changed
const { costs } = table.explanations

/** @param {number} times @param {number} number @returns {ExplanationTerm} */
const term = (times, number) => ({ times, number, words: "", page: "" })
/** @param {string} words @param {string} title @param {number} x  of which a unit follows, or none */
const filled = (words, title, x) =>
  words.replace("@", title).replace(/# (token|label)\b|#/, (_, unit) => (unit ? `${x} ${noun(x, unit)}` : `${x}`))

/** What a line comes to, in each of its models. @param {ChangedLine} line @param {number} x @param {boolean} isWhole  with all that there is besides
 * @returns {Meaning[]} */
function meanings([place, ofModels, cost, constant, slope, plain], x, isWhole) {
  const { words, whole = "", model_class, usual = [], values = [], rare, trained } = forms[place]
  const terms = [...(isWhole ? [[1, plain]] : []), ...(x && slope > 0 ? [[x, slope]] : []), ...constant]
  if (x && slope < 0) terms.push([-x, -slope])
  const unusual = !x || usual.includes(x) ? 0 : values.includes(x) ? 1 : rare
  return ofModels.map((model) => ({
    ...EMPTY,
    kind: "change",
    number: terms.reduce((sum, [times, number]) => sum + times * number, 0),
    models: [table.models[model].name],
    classes: [model_class],
    cost: cost + unusual,
    words: filled(isWhole ? whole : words, table.models[model].title, x),
    terms: terms.map(([times, number]) => term(times, number)),
    trained,
  }))
}

/** Every line that comes to a number from `low` to `high`: an exact one is solved for what one chooses.
 * @param {number} low @param {number} high @param {boolean} exact @returns {Meaning[]} */
const solved = (low, high, exact) =>
  lines.flatMap((line) => {
    const [place, , , terms, slope, plain] = line
    const { most, values = [], known } = forms[place]
    const start = terms.reduce((sum, [times, number]) => sum + times * number, 0)
    return (plain ? [0, plain] : [0]).flatMap((besides, whole) => {
      const alone = start + besides
      const xs = !slope ? [0] : exact ? [(low - alone) / slope] : values
      return xs
        .filter((x) => alone + slope * x >= low && alone + slope * x <= high && (!x || x !== known[whole]))
        .filter((x) => !slope || (Number.isInteger(x) && x >= 1 && x <= most))
        .flatMap((x) => meanings(line, x, whole === 1))
    })
  })

/** The share that is trained, as PEFT prints it. @param {[number, number]} share @returns {Meaning[]} */
const ofShare = ([least, most]) =>
  lines.flatMap((line) => {
    const [place, , , , slope, plain] = line
    const { values = [] } = forms[place]
    return (plain ? (slope ? values : [0]) : []).flatMap((x) => {
      const wholes = meanings(line, x, true)
      return meanings(line, x, false).flatMap((trained, place) => {
        const { number, words } = wholes[place]
        if (trained.number / number < least || trained.number / number >= most) return []
        const all = { ...term(-1, number), words: words.replace("the size of ", "") }
        const terms = [{ ...term(1, trained.number), words: trained.words }, all]
        return [{ ...trained, kind: /** @type {const} */ ("share"), terms }]
      })
    })
  })

/** Adam keeps two moments of each parameter; a checkpoint holds the step as well.
 * @param {number} number @param {string} model @returns {Meaning[]} */
function checkpoints(number, model) {
  const step = number % 3
  const saved = (number - step) / 3
  return (step > 1 ? [] : within(saved, saved)).flatMap(({ number: total, models: names, classes, cost, mistakes }) => {
    const { title, sizes } = models.get(names[0])
    const isKnown = count({ modelClass: classes[0], sizes, deviations: ["optimizer-counted"] }) === number
    if (mistakes.length || isKnown || (model && !names.includes(model))) return []
    const words = `the size of a training checkpoint of ${title} (${classes[0]}), which holds Adam's two moments of each parameter${step ? ", and the step" : ""}`
    const terms = [term(3, total), ...(step ? [term(1, 1)] : [])]
    return [
      { ...EMPTY, kind: "change", models: names, classes, number, cost: cost + costs.ways.checkpoint, words, terms },
    ]
  })
}

/** @type {Kind} */
export const kind = ({ low, high, exact, amount, share }, model) => {
  if (amount === "share" && share) return ofShare(share)
  if (amount !== "count" || low <= 0) return []
  return [...solved(low, high, exact), ...(exact ? checkpoints(low, model) : [])]
}
