// Shows the total of the calculator and the effect of the last change: which parts
// changed, by how much, and why.

import table from "../../data/table.js"
import { code, content, inWords, link, withSign } from "../answering/elements.js"
import { METHODS, shareOf } from "../counting/changes.js"
import { wholeNumber } from "../counting/configuration.js"
import { MAX_NUMBER, models, noun, sumBy, whole } from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { attentionOf, elementsOf, PRODUCTS, refusal, withBatch } from "../counting/operations.js"
import { sentence } from "../counting/short.js"
import { html } from "../drawing/html.js"
import { labelOf } from "./form.js"
import { byId, firstIn, percentage, setText, swatch } from "./live.js"
import { comparedParts, differences } from "./state.js"

const MAX_PARTS = 3 // after a change, up to this many parts are listed one by one
const LONG_NUMBER = 15 // characters; a longer total, from a trillion on, is set in smaller type

const [totalPlace, digitsPlace, subjectPlace, trainedPlace, changePlace] = [
  "whole",
  "digits",
  "of",
  "trained",
  "delta",
].map((name) => firstIn("calculator-result", `.bc-${name}`))
const hint = changePlace.textContent ?? "" // shown until the reader changes something

/**
 * Whether the model differs from the published one. A different class or batch does not count as a difference.
 * @param {Fields} fields
 */
const isChanged = (fields) => differences(fields).some(([name]) => !["class", "texts", "tokens"].includes(name))

/**
 * The line below the total, which names the model and the class.
 * @param {View} view
 */
function subject({ fields, configuration, note }) {
  const { title, page } = models.get(fields.model)
  // The field for the heads has the full note next to it, but may be out of sight.
  const headsNote = note ? ", with heads that do not fit" : ""
  const opening = isChanged(fields) ? "Your sizes, starting from " : ""
  return content`${opening}${link(page, title)}, as ${code(configuration.modelClass)}${headsNote}`
}

// --- The last change ------------------------------------------------------------

/**
 * The sentences that explain the effect of a size on the tensors.
 * @param {string} letter
 * @param {View} view
 */
function reasonOf(letter, { counts, configuration: { sizes }, note }) {
  const rows = counts.rows.filter((row) => !row.tied)
  const { A, H } = sizes
  // A factor of a shape is a letter or, as in 2H, a multiple of a letter.
  const rowsWithLetter = rows.filter((row) => row.letters.some((factor) => factor.endsWith(letter)))
  if (letter === "A") {
    const columns = `H = ${whole(H)} columns of query, key and value`
    const severalHeadsText = `The ${whole(A)} heads share the ${columns}: each takes H / A = ${whole(H / A)} of them. `
    const headsText = A === 1 ? `The only head takes all ${columns}. ` : severalHeadsText
    const tableNote = rowsWithLetter.length ? ", and only a table with a number for each head grows." : "."
    return `${note ? "" : headsText}However many heads there are, the matrices stay H × H${tableNote}`
  }
  if (letter === "L") {
    const tensors = whole(rows.filter((row) => row.path.includes("layer_*")).length)
    const effect = "so L multiplies what one layer holds and affects nothing else"
    return `Every layer has the same ${tensors} tensors, ${effect}.`
  }
  if (!rowsWithLetter.length) return `No shape in this class contains the letter ${letter}.`
  const tieNote = rows.length < counts.rows.length ? " that are not tied" : ""
  const where = `${letter} is in the shape of ${whole(rowsWithLetter.length)} of the ${whole(rows.length)} rows${tieNote}`
  return rowsWithLetter.some((row) => row.letters.indexOf(letter) < row.letters.lastIndexOf(letter))
    ? `${where}; those that have it twice grow with its square.`
    : `${where}; ${noun(rowsWithLetter.length, "it", "each")} grows in proportion.`
}

/**
 * The letters of the sizes that the last change has changed.
 * @param {View} before
 * @param {View} now
 */
const changedLetters = ({ configuration: { sizes: old } }, { configuration: { sizes } }) =>
  Object.keys(sizes).filter((letter) => letter in old && old[letter] !== sizes[letter])

/** The name of a configuration: its model and class, with "your sizes" in place of a changed model.
 * @param {View} view */
const nameOf = ({ fields, configuration: { modelClass } }) =>
  `${isChanged(fields) ? "your sizes" : models.get(fields.model).title} (${modelClass})`

/**
 * The words for the last change: the old and the new model, class or sizes, or the name of the changed field.
 * @param {LastChange} last
 * @param {View} now
 */
function changeWords({ key, before }, now) {
  if (key === "model") return `From ${nameOf(before)} to ${nameOf(now)}`
  const [oldConfiguration, newConfiguration] = [before, now].map((view) => view.configuration)
  if (key === "class") return `From ${oldConfiguration.modelClass} to ${newConfiguration.modelClass}`
  const sizes = changedLetters(before, now).map(
    (letter) => `${letter} from ${whole(oldConfiguration.sizes[letter])} to ${whole(newConfiguration.sizes[letter])}`,
  )
  return sizes.join(", ") || key
}

/**
 * A sentence that names the field with an error, because the field, which shows the reason, may be out of sight on a
 * phone. If the error belongs to no labelled field, the sentence is its message.
 * @param {WrongField} error
 */
const errorPointer = ({ key, message }) => {
  const label = key && key !== "modules" && labelOf(key)
  return label ? `Correct the field “${label}” to count again.` : sentence(message)
}

/**
 * A line about the effect of the last change on the total, or about the first error; a hint if nothing has changed.
 * @param {View} view
 * @returns {Content[]}
 */
function effectLine(view) {
  const { last, counts, errors } = view
  if (errors.length) return [errorPointer(errors[0])]
  if (!last || JSON.stringify(last.before.fields) === JSON.stringify(view.fields)) return [hint]
  const { total, trainable } = last.before.counts
  const effect = effectInWords(counts.total - total, counts.trainable - trainable)
  return [html`<b>${changeWords(last, view)}:</b>`, ` ${effect}`]
}

/**
 * The words for the effect of a change on the total or, if there is none, on the trainable parameters.
 * @param {number} more  the parameters that the change adds; negative if it removes some
 * @param {number} moreTrainable  the same for trainable parameters
 */
function effectInWords(more, moreTrainable) {
  const [parameters, trainable] = [more, moreTrainable].map(Math.abs)
  if (more) return `${whole(parameters)} ${more > 0 ? "more" : "fewer"} ${noun(parameters, "parameter")}.`
  if (!moreTrainable) return "the parameters stay the same."
  const comparison = `${moreTrainable > 0 ? "more" : "fewer"} ${noun(trainable, "is", "are")} trained.`
  return `the total is unchanged; ${whole(trainable)} ${comparison}`
}

/**
 * The parts that the last change affected, those with the greatest effect first, and the reason. If the total is
 * unchanged, no parts are listed. A reason is given only if the reader changed a size rather than the model. Of several
 * sizes, the number of heads comes last, because it affects few tensors.
 * @param {View} view
 * @returns {Content[]}
 */
function changedParts(view) {
  if (!view.last || !view.valid) return []
  const { before, key } = view.last
  const parts = comparedParts(view.counts, before.counts).filter((part) => part.more)
  parts.sort((one, other) => Math.abs(other.more) - Math.abs(one.more))
  // The last line sums up the remaining parts, unless there is only one.
  const unlistedParts = parts.splice(parts.length > MAX_PARTS + 1 ? MAX_PARTS : parts.length)
  const items = parts.map(({ block, title, more }) => html`<li>${swatch(block)}${title} <b>${withSign(more)}</b></li>`)
  const moreOfRest = withSign(sumBy(unlistedParts, (part) => part.more))
  if (unlistedParts.length) items.push(html`<li>and ${unlistedParts.length} other parts <b>${moreOfRest}</b></li>`)
  const letters = key === "model" ? [] : changedLetters(before, view)
  const letter = letters.find((candidate) => candidate !== "A") ?? letters[0]
  const legend = before.counts.total === view.counts.total ? [] : [html`<ul class="bc-legend">${items}</ul>`]
  return letter ? [...legend, html`<p>${reasonOf(letter, view)}</p>`] : legend
}

// --- Showing --------------------------------------------------------------------

/**
 * The number of trainable parameters; empty if it equals the total.
 * @param {Counts} counts
 */
const trainableIfFewer = ({ total, trainable }) => (trainable === total ? "" : whole(trainable))

/**
 * The line that PEFT's print_trainable_parameters() prints; empty if no PEFT method is chosen.
 * @param {View} view
 */
function lineOfPeft({ counts: { total, trainable }, configuration: { tuning } }) {
  if (!tuning || METHODS.get(tuning.method).library !== "PEFT") return ""
  const percent = ((100 * trainable) / total).toFixed(4)
  return `trainable params: ${whole(trainable)} || all params: ${whole(total)} || trainable%: ${percent}`
}

/**
 * A sentence about the operations for a batch, or about why they are not counted. The build words the operations of
 * BERT base in the same way.
 * @param {View} view
 */
function operationsSentence({ fields, configuration: { architecture, modelClass, sizes, choices, tuning, pruned } }) {
  const reason = refusal(modelClass)
  if (reason) return `${reason[0].toUpperCase()}${reason.slice(1)}.`
  const [tokens, texts] = [fields.T, fields.B].map((text) => Number(wholeNumber(text)))
  const elements = elementsOf(modelClass, withBatch(sizes, tokens, texts), choices)
  const macs = sumBy(PRODUCTS, (kind) => elements[kind] ?? 0)
  if (2 * macs > MAX_NUMBER) return "That is more operations than can be counted exactly here."
  const batch = `${whole(texts)} ${noun(texts, "text")} of ${whole(tokens)} ${noun(tokens, "token")}`
  // The operations of an added method or of pruned heads are not taken into account, and the sentence says so.
  const { part = "", title = "" } = tuning ? METHODS.get(tuning.method) : {}
  const modelNote = pruned ? " of the model with all its heads" : part && ` of the model without ${title}`
  const settings = Object.entries(attentionOf(architecture)).map(([key, value]) => `${key} ${value}`)
  const settingsNote = settings.length ? `, with ${inWords(settings)}` : ""
  return `${fillIn(table.phrases.operations, { flops: 2 * macs, texts: batch, two: "two", macs })}${modelNote}${settingsNote}.`
}

/** Shows the total, and the effect of the last change. @param {View} view */
export function show(view) {
  const { counts, valid } = view
  const number = whole(counts.total)
  setText(digitsPlace, number)
  digitsPlace.classList.toggle("bc-long", number.length > LONG_NUMBER)
  totalPlace.replaceChildren(digitsPlace, ` ${noun(counts.total, "parameter")}`)
  const staleNote = "Showing the last valid sizes."
  subjectPlace.replaceChildren(...(valid ? subject(view) : [html`<span class="bc-stale">${staleNote}</span>`]))
  const trainable = trainableIfFewer(counts)
  const share = percentage(shareOf(counts.trainable, counts.total))
  const peftLine = lineOfPeft(view)
  const verb = noun(counts.trainable, "is", "are")
  const words = trainable && `${trainable} of them ${verb} trainable, ${share}.`
  setText(trainedPlace, words)
  if (peftLine) trainedPlace.append(" PEFT prints ", code(peftLine))
  byId("calculator-result").classList.toggle("bc-is-stale", !valid)
  changePlace.replaceChildren(...effectLine(view))
  byId("calculator-change").replaceChildren(...changedParts(view))
}

/**
 * Shows the operations, which need not be updated at every keystroke, and makes screen readers announce the total or
 * the first error after a change.
 * @param {View} view
 */
export function announce(view) {
  const { counts, note, valid, errors, last } = view
  if (valid) setText(firstIn("calculator-result", ".bc-operations"), errors.length ? "" : operationsSentence(view))
  const trainableNote = trainableIfFewer(counts) && `, ${trainableIfFewer(counts)} trainable`
  const result = `${whole(counts.total)} ${noun(counts.total, "parameter")}${trainableNote}`
  const message = `${result}${note && `. ${note}.`}`
  if (last)
    setText(byId("calculator-status"), valid ? message : `${sentence(errors[0].message)} Still showing ${result}.`)
}
