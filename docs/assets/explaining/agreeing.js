// Checks whether a meaning of a typed sum agrees with the sizes in it. A sum with a
// factor of 768 is about a model that is 768 wide, however near its result is to the
// total of another one.

import table from "../../data/table.js"
import { models } from "../counting/engine.js"

// The widths of models, with that of ALBERT's and ELECTRA's embeddings, and their vocabularies. Other sizes, such as 12, are
// in sums for many reasons.
const WIDTHS = new Set(table.models.flatMap(({ sizes: { H, E } }) => (E ? [H, E] : [H])))

const VOCABULARIES = new Set(table.models.map(({ sizes }) => sizes.V))

/** The sizes of models in a typed sum, and all numbers in it. @param {string} typed */
function sizesIn(typed) {
  const digits = typed.match(/[0-9]+(?:[,.'’ ][0-9]{3})*/g) ?? []
  const numbers = digits.map((one) => Number(one.replace(/[^0-9]/g, "")))
  const widths = new Set(numbers.filter((number) => WIDTHS.has(number)))
  return { numbers, widths, vocabularies: new Set(numbers.filter((number) => VOCABULARIES.has(number))) }
}

/** Whether a typed sum has sizes that only some models have. @param {string} typed  "" if a number was typed */
export function restrictsModels(typed) {
  const { widths, vocabularies } = sizesIn(typed)
  return widths.size + vocabularies.size > 0
}

/** A function that keeps, of the models of a meaning, those that have the sizes in a typed sum; it returns null if none has.
 * @param {string} typed  "" if a number was typed @returns {<M extends Meaning>(meaning: M) => M | null} */
export function agreeingWith(typed) {
  const { numbers, widths, vocabularies } = sizesIn(typed)
  /** Whether a model has one of the typed sizes; true if none was typed. */
  const isAmong = (/** @type {Set<number>} */ typedSizes, /** @type {(number | undefined)[]} */ modelSizes) =>
    !typedSizes.size || modelSizes.some((size) => size !== undefined && typedSizes.has(size))
  /** Whether a model, with some of its sizes replaced, has the widths and the vocabulary that were typed. */
  const agrees = (/** @type {string} */ name, /** @type {Sizes} */ other) => {
    const sizes = { ...models.get(name).sizes, ...other }
    return isAmong(widths, [sizes.H, sizes.E]) && isAmong(vocabularies, [sizes.V])
  }
  return (meaning) => {
    if (!restrictsModels(typed)) return meaning
    // The sizes of other kinds of models are not known, and nobody trains LoRA of a rank that only fits the result.
    if (meaning.kind === "other") return null
    if (
      meaning.kind === "change" &&
      meaning.hasUnusualSize &&
      !meaning.terms.some(({ times }) => numbers.includes(times))
    )
      return null
    if (!meaning.models.length) return meaning
    const agreeingModels = meaning.models.filter((name) => agrees(name, meaning.sizes))
    return agreeingModels.length ? { ...meaning, models: agreeingModels } : null
  }
}
