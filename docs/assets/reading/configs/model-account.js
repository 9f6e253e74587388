// Shared by the accounts of configurations and of names: totals by class, the words for choices, and
// the link to the calculator.

import { addressOf, fieldsOfConfiguration } from "../../calculator/state.js"
import { classesOf, count, MAX_NUMBER, noun } from "../../counting/engine.js"
import { finding, link, words } from "../words.js"

const CALCULATOR = "try/calculator.html"

/** The total of a configuration in a class; null if it is too large to be counted exactly.
 * @param {Configuration} configuration @param {string} modelClass */
export function totalIn({ sizes, choices }, modelClass) {
  const total = count({ modelClass, sizes, choices })
  return total <= MAX_NUMBER ? total : null
}

/** A line with the total for each class of the architecture, unless the total is too large to be counted exactly.
 * @param {Configuration} configuration @returns {AccountLine[]} */
export const linesOfClasses = (configuration) =>
  classesOf(configuration.architecture).flatMap(({ name, purpose }) => {
    const total = totalIn(configuration, name)
    if (total === null) return []
    return { source: name, part: words`${purpose}`, stated: null, right: total, verdict: "right", times: 1 }
  })

/** A link to the calculator with a configuration filled in.
 * @param {Configuration} configuration @param {string} modelClass @param {string} text @returns {Inline} */
function calculatorLink(configuration, modelClass, text) {
  const address = addressOf({ fields: fieldsOfConfiguration(configuration, modelClass), beside: [] })
  return link(`${CALCULATOR}${address}`, text)
}

/** A finding that links to the calculator with a configuration filled in.
 * @param {Configuration} configuration @param {string} modelClass @returns {Finding} */
export const calculatorFinding = (configuration, modelClass) =>
  finding(
    1,
    words`See every tensor, and change any size, ${calculatorLink(configuration, modelClass, "in the calculator")}.`,
  )

/** The words for what a model has besides its class, to follow the class's name: labels, an untied decoder and
 * cross-attention; empty if it has none of these.
 * @param {Configuration} configuration @param {string} modelClass @returns {Words} */
export function extrasInWords({ architecture, sizes, choices }, modelClass) {
  const { offers = [], labels = null } = classesOf(architecture).find(({ name }) => name === modelClass) ?? {}
  const clauses = [
    offers.includes("labels") && labels === null ? words` with ${sizes.C} ${noun(sizes.C, "label")}` : [],
    offers.includes("tied") && !choices.tied ? words` with a decoder of its own` : [],
    offers.includes("cross_attention") && choices.cross_attention ? words` with cross-attention` : [],
  ].filter((clause) => clause.length)
  return clauses.flatMap((clause, index) => (index ? [" and", ...clause] : clause))
}
