// Finds the published model that a text is about, even if the sum takes some sizes that are not the
// model's: 514 positions for BERT, or 10 layers for BERT base. The difference between the sum and the
// model's number is then split up by size.
//
// The writer may as well mean a model with other sizes, such as a BERT with fewer layers. So the name
// of a model settles its number of layers and its inner size only if no words say that the model was
// changed.

import { count, models, noun, whole } from "../../counting/engine.js"
import { modelsIn } from "../labels/mentions.js"
import { asPlainText, asSubject, enumeration, words } from "../words.js"
import { namesModel } from "./candidates.js"
import { sumRulerOf } from "./pieces.js"

/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {import("./points.js").UnderstoodSum} UnderstoodSum */
/** @typedef {import("./points.js").PublishedModel} PublishedModel */

/** Nouns for the sizes that are numbers of rows in embedding tables, by letter. @type {Record<string, string>} */
export const TABLE_NOUNS = { V: "vocabulary", P: "positions", S: "segments" }

/** The words for a size of a model, by its letter. @type {Record<string, (size: number) => Words>} */
const IN_WORDS = {
  V: (size) => words`a vocabulary of ${size}`,
  P: (size) => words`${size} ${noun(size, "position")}`,
  S: (size) => words`${size} ${noun(size, "segment")}`,
  F: (size) => words`a feed-forward size of ${size}`,
  L: (size) => words`${size} ${noun(size, "layer")}`,
}

/** Words that may say that a model was changed, or that it is compared with another one. */
const OF_CHANGED_MODEL =
  /(?<![a-z])(?:with|our|own|custom|mini\w*|small\w*|tiny|student|pruned?|remov\w+|drop\w*|without|keep\w*|kept|first|last|only|reduced|truncated|cut|than|unlike|instead|versus|vs|mit|ohne|nur|eigene\w*)(?![a-z])/i

/** The number that a sum should come to with other sizes; 0 if there is none.
 * @param {UnderstoodSum} outcome @param {Sizes} sizes */
function totalWith({ target, model }, sizes) {
  const { modelClass, piece, layers } = target
  if (modelClass) return count({ modelClass, sizes })
  const samePiece = sumRulerOf(model.architecture, sizes).pieces.find((candidate) => candidate.words === piece?.words)
  return (layers === 1 ? samePiece?.perLayer : samePiece?.total) ?? 0
}

/** The letters of the sizes in which a model differs from that of the sum. Heads and labels are ignored: the number of
 * heads affects the totals of few architectures, and that of labels is the writer's choice.
 * @param {Model} model @param {Sizes} sizes */
const differentLetters = (model, sizes) =>
  Object.keys(model.sizes).filter((letter) => !"AC".includes(letter) && model.sizes[letter] !== sizes[letter])

/** The models that all names in a text have in common. @param {string} text */
function modelsNamed(text) {
  const [first = [], ...others] = modelsIn(text).map((mention) => mention.models)
  return first.filter((name) => others.every((names) => names.includes(name))).map((name) => models.get(name))
}

/** The candidates with this hidden size, if there are any; otherwise all of them. A name such as BioBERT means models
 * of several sizes.
 * @param {Model[]} candidates @param {number} H */
function candidatesOfHiddenSize(candidates, H) {
  const fittingModels = candidates.filter(({ sizes }) => sizes.H === H)
  return fittingModels.length ? fittingModels : candidates
}

/** The model that a text names, if its sizes that differ from those of the sum follow from the name; otherwise null.
 * @param {UnderstoodSum} outcome @param {string} text */
function modelByName({ model: { name, architecture, sizes } }, text) {
  const candidates = candidatesOfHiddenSize(modelsNamed(text), sizes.H)
  if (!candidates.length || candidates.some((model) => model.name === name || model.architecture !== architecture))
    return null
  const [nearest] = candidates.sort(
    (one, other) => differentLetters(one, sizes).length - differentLetters(other, sizes).length,
  )
  /** Whether the name settles a size: all models with this name have the same one and, unless it is that of a table, no
   * words say that the model was changed. */
  const isSettled = (/** @type {string} */ letter) =>
    candidates.every((model) => model.sizes[letter] === nearest.sizes[letter]) &&
    (letter in TABLE_NOUNS || !OF_CHANGED_MODEL.test(text))
  return differentLetters(nearest, sizes).every(isSettled) ? nearest : null
}

/** The model that a text names, if the sum is that of another published model with other sizes; otherwise null.
 * @param {UnderstoodSum["model"]} model @param {string} text */
export function otherModelNamed({ name, sizes }, text) {
  const candidates = name ? modelsNamed(text) : []
  const isOfSum = (/** @type {Model} */ candidate) =>
    candidate.name === name || !differentLetters(candidate, sizes).length
  return candidates.length && !candidates.some(isOfSum) ? candidates[0] : null
}

/** The published model that has all sizes of an unpublished one except those of its tables; null if there is none.
 * @param {Candidate} model */
export function publishedExceptTables({ name, architecture, sizes, reference }) {
  if (name || !reference) return null
  const publishedModel = models.get(reference)
  const isOfTables = differentLetters(publishedModel, sizes).every((letter) => letter in TABLE_NOUNS)
  return isOfTables && publishedModel.architecture === architecture ? publishedModel : null
}

/** A noun phrase for a model: its title, perhaps with other sizes of its tables, or else its sizes.
 * @param {Candidate} model */
export function nameOf(model) {
  const { name, sizes } = model
  if (name) return models.get(name).title
  const publishedModel = publishedExceptTables(model)
  if (publishedModel) {
    const changes = differentLetters(publishedModel, sizes).map((letter) => IN_WORDS[letter](sizes[letter]))
    return `${publishedModel.title} with ${asPlainText(enumeration(changes))}`
  }
  const letters = Object.entries(sizes).filter(([letter]) => "VHFL".includes(letter))
  return `a model with ${letters.map(([letter, size]) => `${letter} = ${whole(size)}`).join(", ")}`
}

/** The published model whose sizes a sum takes except for those of its tables, with the right number; null if there is
 * none.
 * @param {UnderstoodSum} outcome @returns {PublishedModel | null} */
export function modelWithOtherTables(outcome) {
  const publishedModel = publishedExceptTables(outcome.model)
  return publishedModel && comparisonWith(publishedModel, outcome)
}

/** A published model with the right number and what each of its sizes changes; null if they change nothing, or if one
 * of them has no words.
 * @param {Model} publishedModel @param {UnderstoodSum} outcome @returns {PublishedModel | null} */
function comparisonWith(publishedModel, outcome) {
  const { title } = publishedModel
  const letters = differentLetters(publishedModel, outcome.model.sizes)
  if (letters.some((letter) => !(letter in IN_WORDS))) return null
  const changedSizes = { ...outcome.model.sizes }
  let total = outcome.target.total
  const otherSizes = letters.flatMap((letter) => {
    const [publishedSize, writersSize] = [publishedModel.sizes[letter], changedSizes[letter]]
    const rightSize = IN_WORDS[letter](publishedSize)
    changedSizes[letter] = publishedSize
    const changedTotal = totalWith(outcome, changedSizes)
    const change = changedTotal - total
    total = changedTotal
    if (!change) return []
    return [
      {
        change,
        label: words`${rightSize} instead of ${writersSize}`,
        noteIfMeant: words`If you mean ${title}, it has ${rightSize}: ${Math.abs(change)} ${change > 0 ? "more" : "fewer"} parameters.`,
        words: words`${asSubject(title)} has ${rightSize}, and your sum takes ${writersSize}: ${Math.abs(change)} too ${change > 0 ? "few" : "many"}.`,
      },
    ]
  })
  return otherSizes.length ? { title, total, otherSizes } : null
}

/** The published model that a text is about, even if the sum takes other sizes, with the right number; null if there is
 * none.
 * @param {UnderstoodSum} outcome @param {string} text @returns {PublishedModel | null} */
export function publishedModelFor(outcome, text) {
  const publishedModel = modelWithOtherTables(outcome)
  const isTotalStated = outcome.entries.some(({ stated }) => stated?.value === publishedModel?.total)
  if (publishedModel && (isTotalStated || namesModel(text))) return publishedModel
  const namedModel = modelByName(outcome, text)
  return namedModel ? comparisonWith(namedModel, outcome) : null
}
