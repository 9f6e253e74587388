// The total of the calculator, and what the last change did: which parts grew,
// by how much, and why.

import table from "../../data/table.js"
import { code, link, said, signed } from "../answering/elements.js"
import { METHODS, shareOf } from "../counting/changes.js"
import { typed } from "../counting/configuration.js"
import { MOST, models, noun, sumBy, whole } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { batchOf, elementsOf, PRODUCTS } from "../counting/operations.js"
import { html } from "../drawing/html.js"
import { percentage, place, placeIn, say, swatch } from "./live.js"
import { differences, partsBeside } from "./state.js"

const MOST_PARTS = 3
const LONG = 15 // characters of a total that is written smaller

const [total, digits, of, trained, delta] = ["whole", "digits", "of", "trained", "delta"].map((each) =>
  placeIn("calculator-result", `.bc-${each}`),
)
const hint = delta.textContent ?? ""

/** Whether it is another than the published model. @param {Fields} fields */
const differs = (fields) => differences(fields).some(([name]) => !["class", "texts", "tokens"].includes(name))

/** What is counted, in a line. @param {Shown} shown */
function subject({ fields, configuration, note }) {
  const { title, page } = models.get(fields.model)
  // Also here, as the field may be out of sight.
  const refused = note ? ", with heads that transformers refuses" : ""
  const start = differs(fields) ? "Your sizes, starting from " : ""
  return said`${start}${link(page, title)}, as ${code(configuration.modelClass)}${refused}`
}

// --- The last change ------------------------------------------------------------

/** Why a size changes what it changes. @param {string} letter @param {Shown} shown */
function reasonOf(letter, { counted, configuration: { sizes }, note }) {
  const rows = counted.rows.filter((row) => !row.tied)
  const { A, H } = sizes
  const held = rows.filter((row) => row.letters.some((each) => each.endsWith(letter)))
  if (letter === "A") {
    const columns = `H = ${whole(H)} columns of query, key and value`
    const each = `The ${whole(A)} heads share the ${columns}: each takes H / A = ${whole(H / A)} of them. `
    const heads = A === 1 ? `The only head takes all ${columns}. ` : each
    const table = held.length ? ", and only a table with a number for each head grows." : "."
    return `${note ? "" : heads}However many heads there are, the matrices stay H × H${table}`
  }
  if (letter === "L") {
    const repeated = rows.filter((row) => row.path.includes("layer_*"))
    return `Every layer has the same ${whole(repeated.length)} tensors, so L multiplies what one layer holds and touches nothing else.`
  }
  if (!held.length) return `No shape of this class holds the letter ${letter}.`
  const many = `${letter} is in the shape of ${whole(held.length)} of the ${whole(counted.rows.length)} rows`
  return held.some((row) => row.letters.indexOf(letter) < row.letters.lastIndexOf(letter))
    ? `${many}, in some of them twice: these grow with its square.`
    : `${many}; ${noun(held.length, "it", "each")} grows in proportion.`
}

/** The letters whose sizes differ. @param {Shown} before @param {Shown} now */
const lettersOf = ({ configuration: { sizes: old } }, { configuration: { sizes } }) =>
  Object.keys(sizes).filter((letter) => letter in old && old[letter] !== sizes[letter])

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
  return sizes.join(", ") || key
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
  const same = trained ? `the total stays; ${whole(some)} ${is}` : "the parameters stay the same."
  const did = more ? `${whole(many)} ${more > 0 ? "more" : "fewer"} ${noun(many, "parameter")}.` : same
  return [html`<b>${changeOf(last, shown)}:</b>`, ` ${did}`]
}

/** The parts that the last change changed, the greatest change first, and why: where the reader changed a size and did not
 * take another model, and that the heads change nothing only where nothing else was changed. @param {Shown} shown @returns {Content[]} */
function changed(shown) {
  if (!shown.last || !shown.valid) return []
  const { before, key } = shown.last
  const parts = partsBeside(shown.counted, before.counted).filter((each) => each.more)
  parts.sort((one, other) => Math.abs(other.more) - Math.abs(one.more))
  const rest = parts.splice(parts.length > MOST_PARTS + 1 ? MOST_PARTS : parts.length)
  const items = parts.map(({ block, title, more }) => html`<li>${swatch(block)}${title} <b>${signed(more)}</b></li>`)
  const together = signed(sumBy(rest, (each) => each.more))
  if (rest.length) items.push(html`<li>and ${rest.length} other parts <b>${together}</b></li>`)
  const letters = key === "model" ? [] : lettersOf(before, shown)
  const letter = letters.find((each) => each !== "A") ?? letters[0]
  const legend = before.counted.total === shown.counted.total ? [] : [html`<ul class="bc-legend">${items}</ul>`]
  return letter ? [...legend, html`<p>${reasonOf(letter, shown)}</p>`] : legend
}

// --- Showing --------------------------------------------------------------------

/** What is trained, where that is not all. @param {Counted} counted */
const someOf = ({ total, trainable }) => (trainable === total ? "" : whole(trainable))

/** What reading a batch takes, in the words that the build has for base. @param {Shown} shown */
function operationsOf({ fields, configuration: { modelClass, sizes, choices, lora, pruned } }) {
  const [tokens, texts] = [fields.T, fields.B].map((each) => Number(typed(each)))
  const counted = elementsOf(modelClass, batchOf(sizes, tokens, texts), choices)
  const macs = sumBy(PRODUCTS, (kind) => counted[kind] ?? 0)
  if (2 * macs > MOST) return "These are more operations than can be counted exactly here."
  const read = `${whole(texts)} ${noun(texts, "text")} of ${whole(tokens)} ${noun(tokens, "token")}`
  const { part = "", title = "" } = lora ? METHODS.get(lora.method) : {}
  const more = pruned ? " of the model with all its heads" : part && ` of the model without ${title}`
  return `${filled(table.phrases.operations, { flops: 2 * macs, texts: read, two: "two", macs })}${more}.`
}

/** @param {Shown} shown */
export function show(shown) {
  const { counted, valid } = shown
  const number = whole(counted.total)
  say(digits, number)
  digits.classList.toggle("bc-long", number.length > LONG)
  total.replaceChildren(digits, ` ${noun(counted.total, "parameter")}`)
  const stale = "These are the numbers of your last valid sizes."
  of.replaceChildren(...(valid ? subject(shown) : [html`<span class="bc-stale">${stale}</span>`]))
  const some = someOf(counted)
  const share = percentage(shareOf(counted.trainable, counted.total))
  say(trained, some && `${some} of them ${noun(counted.trainable, "is", "are")} trainable, ${share}.`)
  place("calculator-result").classList.toggle("bc-is-stale", !valid)
  delta.replaceChildren(...deltaOf(shown))
  place("calculator-change").replaceChildren(...changed(shown))
}

/** The operations, which no key waits for, and for who does not see the page what came of a change. @param {Shown} shown */
export function announce(shown) {
  const { counted, note, valid, errors, last } = shown
  if (valid) say(placeIn("calculator-result", ".bc-operations"), errors.length ? "" : operationsOf(shown))
  const some = someOf(counted) && `, ${someOf(counted)} trainable`
  const spoken = `${whole(counted.total)} ${noun(counted.total, "parameter")}${some}`
  const right = `${spoken}${note && `. ${note}.`}`
  if (last) say(place("calculator-status"), valid ? right : `${errors[0].message}. Still showing ${spoken}.`)
}
