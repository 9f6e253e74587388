// Checks whether a meaning of a typed sum agrees with the sizes in it. A sum with a
// factor of 768 is about a model with a hidden size of 768, however close its result
// comes to the total of another model.

import table from "../../data/table.js"
import { models } from "../counting/engine.js"
import { numberOfDigits } from "./read.js"

// Widths include the embedding sizes of models such as ALBERT and ELECTRA. Only widths and vocabulary sizes identify a
// model: a small number such as 12 may be in a sum for many reasons.
const WIDTHS = new Set(table.models.flatMap(({ sizes: { H, E } }) => (E ? [H, E] : [H])))
/** The vocabulary sizes of published models. */
export const VOCABULARIES = new Set(table.models.map(({ sizes }) => sizes.V))

/** A sign of multiplication, or of a power, at the end of what is before a factor and at the start of what follows. */
const [SIGN_BEFORE, SIGN_AFTER] = [/[*×·x]\s*$/, /^\s*[*×·x^²]/]

/** All numbers in a typed sum, those of its factors that are the width of a model, and those of the numbers that are a
 * vocabulary size. A term such as the 1,536 parameters of a LayerNorm is not a width.
 * @param {string} typedSum */
function sizesIn(typedSum) {
  const numerals = [...typedSum.matchAll(/[0-9]+(?:[,.'’ ][0-9]{3})*/g)]
  const numbers = numerals.map(([digits]) => numberOfDigits(digits))
  const factors = numbers.filter((_, index) => {
    const { 0: digits, index: start } = numerals[index]
    return SIGN_BEFORE.test(typedSum.slice(0, start)) || SIGN_AFTER.test(typedSum.slice(start + digits.length))
  })
  const widths = new Set(factors.filter((number) => WIDTHS.has(number)))
  return { numbers, widths, vocabularies: new Set(numbers.filter((number) => VOCABULARIES.has(number))) }
}

/** Whether a typed sum contains the vocabulary size of a model, or its width as a factor.
 * @param {string} typedSum  "" if a number was typed */
export function restrictsModels(typedSum) {
  const { widths, vocabularies } = sizesIn(typedSum)
  return widths.size + vocabularies.size > 0
}

/** A function that returns a meaning with only those of its models that have the sizes in a typed sum, or null if the
 * meaning disagrees with them.
 * @param {string} typedSum  "" if a number was typed @returns {<M extends Meaning>(meaning: M) => M | null} */
export function agreeingWith(typedSum) {
  const { numbers, widths, vocabularies } = sizesIn(typedSum)
  /** Whether any size of a model is among the typed ones; true if none were typed. */
  const hasTypedSize = (/** @type {Set<number>} */ typedSizes, /** @type {(number | undefined)[]} */ modelSizes) =>
    !typedSizes.size || modelSizes.some((size) => size !== undefined && typedSizes.has(size))
  /** Whether a model, after some of its sizes are replaced, has a width and a vocabulary size that were typed. */
  const hasTypedSizes = (/** @type {string} */ name, /** @type {Sizes} */ replacements) => {
    const sizes = { ...models.get(name).sizes, ...replacements }
    return hasTypedSize(widths, [sizes.H, sizes.E]) && hasTypedSize(vocabularies, [sizes.V])
  }
  return (meaning) => {
    if (!restrictsModels(typedSum)) return meaning
    // The sizes of "other" models are unknown. An unusual size of a change, such as a rank, must appear in the sum.
    if (meaning.kind === "other") return null
    if (
      meaning.kind === "change" &&
      meaning.hasUnusualSize &&
      !meaning.terms.some(({ times }) => numbers.includes(times))
    )
      return null
    if (!meaning.models.length) return meaning
    const agreeingModels = meaning.models.filter((name) => hasTypedSizes(name, meaning.sizes))
    return agreeingModels.length ? { ...meaning, models: agreeingModels } : null
  }
}
