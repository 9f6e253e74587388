// Explains the figures by which models are called: the figure in a name, as in EuroBERT,
// 210M, or one that the publisher gives. If a total of the model rounds to the figure, that
// model is what people most likely mean by it; if not, the figure is explained as a quotation.
// Numbers of operations that papers print, but that no convention gives, are explained in
// the same way.

import exported from "../../../data/operations.js"
import table from "../../../data/table.js"
import { classesOf, count, lazily, models, whole } from "../../counting/engine.js"
import { typedNumberOf } from "../read.js"
import { BLANK_MEANING, costWithMistakes } from "../ways.js"

const { called, pages } = table.explanations
const { ways } = table.explanations.costs

/** A number of millions or billions in a name, as in EuroBERT-210m, but not within a word. */
const FIGURE = /(?<![A-Za-z0-9.])([0-9]+(?:\.[0-9]+)?)([MB])(?![A-Za-z0-9])/i

/** The figure in a name; 0 if it has none. @param {string} name */
function figureIn(name) {
  const [, digits, unit = ""] = FIGURE.exec(name) ?? []
  return digits ? Math.round(Number(digits) * (unit.toUpperCase() === "B" ? 1e9 : 1e6)) : 0
}

/** The figures by which models are called, by the models' names. @type {() => Map<string, number>} */
const figures = lazily(
  () =>
    new Map(
      table.models.flatMap(({ name, title }) => {
        const figure = called[name] ?? (figureIn(title) || figureIn(name))
        return figure ? [[name, figure]] : []
      }),
    ),
)

/** Whether at least one of the models is called by exactly the figure that was typed.
 * @param {string[]} names @param {Reading} reading */
export const isAnyCalledByFigure = (names, reading) =>
  names.some((name) => figures().get(name) === Math.round(typedNumberOf(reading)))

/** A published figure as a meaning. @param {string} model @param {number} number @param {string} words
 * @param {string} page @param {string} why @returns {Meaning} */
const quotedMeaning = (model, number, words, page, why) => ({
  ...BLANK_MEANING,
  kind: "quoted",
  number,
  models: [model],
  terms: [{ times: 1, number, words, page }],
  why,
  cost: ways.known,
})

/** A model's figure as a meaning; empty if one of the model's totals rounds to it.
 * @param {string} name @param {number} figure @param {Reading} reading @returns {Meaning[]} */
function meaningsOfModel(name, figure, { windows: [{ low, high }] }) {
  const { architecture, sizes, title, page } = models.get(name)
  const totals = classesOf(architecture).map(({ name: modelClass }) => ({
    modelClass,
    total: count({ modelClass, sizes }),
  }))
  if (totals.some(({ total }) => total >= low && total <= high)) return []
  const [{ modelClass, total }] = totals
  const percentage = (Math.abs(figure / total - 1) * 100).toFixed(1)
  const comparison = `${percentage}% ${figure > total ? "above" : "below"}`
  const why = `By our count, it has ${whole(total)} parameters as ${modelClass}; the figure is ${comparison} that.`
  const words = called[name] ? `the figure given by the publisher of ${title}` : `the figure in the name of ${title}`
  return [quotedMeaning(name, figure, words, page, why)]
}

/** The published figures that a rounded number may be. @type {FindMeanings} */
export function findMeanings(reading) {
  const { amount, uncertainty } = reading
  if (!uncertainty) return []
  const number = Math.round(typedNumberOf(reading))
  if (amount === "count")
    return [...figures()].flatMap(([name, figure]) => (figure === number ? meaningsOfModel(name, figure, reading) : []))
  if (amount !== "operations") return []
  const page = `${pages.operations}#papers`
  const quotedFigures = exported.search.quoted.filter(({ figure }) => figure === number)
  return quotedFigures.map(({ figure, words, why }) => ({
    ...quotedMeaning(table.models[0].name, figure, words, page, why),
    cost: costWithMistakes(table.models[0].name),
  }))
}
