// The total of the calculator, and what the last change did: which parts grew,
// by how much, and why.

import { code, link, said, signed } from "../answering/elements.js"
import { shareOf } from "../counting/changes.js"
import { models, noun, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { percentage, place, placeIn, say, swatch } from "./live.js"
import { differences } from "./state.js"

const REST = 800 // milliseconds without typing, after which the total is announced
const MOST_PARTS = 3
const LONG = 15 // characters of a total that is written smaller

const [total, digits, of, trained, delta] = ["whole", "digits", "of", "trained", "delta"].map((each) =>
  placeIn("calculator-result", `.bc-${each}`),
)
const hint = delta.textContent ?? ""

/** Whether it is another than the published model. @param {Fields} fields */
const differs = (fields) => differences(fields).some(([name]) => name !== "class")

/** What is counted, in a line. @param {Shown} shown */
function subject({ fields, configuration, note }) {
  const { title, page } = models.get(fields.model)
  // Also here, as the field may be out of sight.
  const refused = note ? ", with heads that transformers refuses" : ""
  const start = differs(fields) ? "Your sizes, starting from " : ""
  return said`${start}${link(page, title)}, as ${code(configuration.modelClass)}${refused}`
}

// --- The last change ------------------------------------------------------------

/** Parts that hold more or less than before, the greatest change first. @param {Counted} before @param {Counted} now */
function moved(before, now) {
  const titles = new Map([...before.parts, ...now.parts].map((each) => [each.block, each.title]))
  return [...titles]
    .map(([block, title]) => {
      const [was, is] = [before, now].map(({ parts }) => parts.find((each) => each.block === block)?.number ?? 0)
      return { block, title, value: is - was }
    })
    .filter(({ value }) => value)
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
}

/** Why a size changes what it changes. @param {string} letter @param {Shown} shown */
function reasonOf(letter, { counted, configuration: { sizes }, note }) {
  const rows = counted.rows.filter((row) => !row.tied)
  const { A, H } = sizes
  if (letter === "A") {
    const columns = `H = ${whole(H)} columns of query, key and value`
    const each = `The ${whole(A)} heads share the ${columns}: each takes H / A = ${whole(H / A)} of them. `
    const heads = A === 1 ? `The only head takes all ${columns}. ` : each
    return `${note ? "" : heads}However many heads there are, the matrices stay H × H.`
  }
  if (letter === "L") {
    const repeated = rows.filter((row) => row.path.includes("layer_*"))
    return `Every layer has the same ${whole(repeated.length)} tensors, so L multiplies what one layer holds and touches nothing else.`
  }
  const held = rows.filter((row) => row.letters.includes(letter))
  if (!held.length) return `No shape of this class holds the letter ${letter}.`
  const many = `${letter} is in the shape of ${whole(held.length)} of the ${whole(counted.rows.length)} rows`
  return held.some((row) => row.letters.indexOf(letter) < row.letters.lastIndexOf(letter))
    ? `${many}, in some of them twice: these grow with its square.`
    : `${many}; ${noun(held.length, "it", "each")} grows in proportion.`
}

/** The letters whose sizes differ. @param {Shown} before @param {Shown} now */
const lettersOf = ({ configuration: { sizes: old } }, { configuration: { sizes } }) =>
  Object.keys(sizes).filter((letter) => letter in old && old[letter] !== sizes[letter])

/** @type {Record<string, string>} */
const WORDS = {
  pooler: "The pooler",
  tied: "Tying",
  cross_attention: "Cross-attention",
  biases: "The biases",
  frozen: "Freezing",
  lora: "LoRA",
}

/** @param {Shown} shown */
const named = ({ fields, configuration: { modelClass } }) =>
  `${differs(fields) ? "your sizes" : models.get(fields.model).title} (${modelClass})`

/** From what to what the reader went. @param {LastChange} last @param {Shown} now */
function changeOf({ key, before }, now) {
  if (key === "model") return `From ${named(before)} to ${named(now)}`
  const [old, other] = [before, now].map((each) => each.configuration)
  if (key === "class") return `From ${old.modelClass} to ${other.modelClass}`
  const sizes = lettersOf(before, now).map(
    (letter) => `${letter} from ${whole(old.sizes[letter])} to ${whole(other.sizes[letter])}`,
  )
  return sizes.join(", ") || (WORDS[key] ?? "This change")
}

/** What the last change did to the total. @param {Shown} shown @returns {Content[]} */
function deltaOf(shown) {
  const { last, counted, valid, errors } = shown
  // Also here, as the field may be out of sight on a phone.
  if (!valid) return errors.slice(0, 1).map(({ message }) => `${message}.`)
  if (!last) return [hint]
  const { total, trainable } = last.before.counted
  const [more, trained] = [counted.total - total, counted.trainable - trainable]
  const [many, some] = [more, trained].map(Math.abs)
  const is = `${trained > 0 ? "more" : "fewer"} ${noun(some, "is", "are")} trained.`
  const same = trained ? `the total stays; ${whole(some)} ${is}` : "nothing changes."
  const did = more ? `${whole(many)} ${more > 0 ? "more" : "fewer"} ${noun(many, "parameter")}.` : same
  return [html`<b>${changeOf(last, shown)}:</b>`, ` ${did}`]
}

/** The parts that the last change changed, and why: where the reader changed a size and did not take another model, and
 * that the heads change nothing only where nothing else was changed. @param {Shown} shown @returns {Content[]} */
function changed(shown) {
  if (!shown.last || !shown.valid) return []
  const { before, key } = shown.last
  const found = moved(before.counted, shown.counted)
  const rest = found.splice(found.length > MOST_PARTS + 1 ? MOST_PARTS : found.length)
  const items = found.map(({ block, title, value }) => html`<li>${swatch(block)}${title} <b>${signed(value)}</b></li>`)
  const together = signed(rest.reduce((sum, { value }) => sum + value, 0))
  if (rest.length) items.push(html`<li>and ${rest.length} other parts <b>${together}</b></li>`)
  const letters = key === "model" ? [] : lettersOf(before, shown)
  const letter = letters.find((each) => each !== "A") ?? letters[0]
  return [
    ...(before.counted.total === shown.counted.total ? [] : [html`<ul class="bc-legend">${items}</ul>`]),
    ...(letter ? [html`<p>${reasonOf(letter, shown)}</p>`] : []),
  ]
}

// --- Showing --------------------------------------------------------------------

const STALE = "These are the numbers of your last valid sizes."
let timer = 0

/** @param {Shown} shown */
export function show(shown) {
  const { counted, note, valid, errors } = shown
  const [number, words] = [whole(counted.total), noun(counted.total, "parameter")]
  say(digits, number)
  digits.classList.toggle("bc-long", number.length > LONG)
  total.replaceChildren(digits, ` ${words}`)
  of.replaceChildren(...(valid ? subject(shown) : [html`<span class="bc-stale">${STALE}</span>`]))
  const some = counted.trainable === counted.total ? "" : whole(counted.trainable)
  const share = percentage(shareOf(counted.trainable, counted.total))
  say(trained, some && `${some} of them ${noun(counted.trainable, "is", "are")} trainable, ${share}.`)
  place("calculator-result").classList.toggle("bc-is-stale", !valid)
  delta.replaceChildren(...deltaOf(shown))
  place("calculator-change").replaceChildren(...changed(shown))
  clearTimeout(timer)
  if (!shown.last) return
  const spoken = `${number} ${words}${some && `, ${some} trainable`}`
  const announced = valid
    ? `${spoken}${note && `. ${note}.`}`
    : `${errors[0]?.message ?? "A field is wrong"}. Still showing ${spoken}.`
  timer = setTimeout(say, REST, place("calculator-status"), announced)
}
