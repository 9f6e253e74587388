// The total of the calculator, and what the last change did: which parts grew,
// by how much, and why.

import { code, link, said, signed } from "../answering/elements.js"
import { shareOf } from "../counting/changes.js"
import { classes, classOfBare, models, noun, whole } from "../counting/engine.js"
import { html } from "../drawing/html.js"
import { panel as panelOf, percentage, place, say, swatch } from "./live.js"
import { differences } from "./state.js"

const REST = 800 // milliseconds without typing, after which the total is announced
const MOST_PARTS = 3
const LONG = 15 // characters of a total that is written smaller

const result = place("calculator-result")
const hint = result.querySelector(".bc-delta")?.textContent ?? ""
const status = place("calculator-status")
const change = place("calculator-change")
const [total, of, trained, delta] = ["whole", "of", "trained", "delta"].map((each) => html`<p class="bc-${each}"></p>`)

// Changed at every key, and so made once.
const [digits, subjectShown] = [html`<span></span>`, html`<b></b>`]

/** @param {number} value */
const parameters = (value) => `${whole(value)} ${noun(value, "parameter")}`

/** Whether it is another than the published model. @param {Typed} typed */
const differs = (typed) => differences(typed).some(([name]) => !["model", "class"].includes(name))

/** What is counted, in a line. @param {Shown} shown @returns {Content[]} */
function subject({ typed, configuration, note }) {
  const { title, page } = models.get(typed.model)
  // Also here, as the field may be out of sight.
  const refused = note ? ", with heads that transformers refuses" : ""
  const start = differs(typed) ? "Your sizes, starting from " : ""
  return said`${start}${link(page, title)}, as ${code(configuration.modelClass)}${refused}`
}

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
  if (letter === "A") {
    const heads =
      sizes.A === 1
        ? `The only head takes all H = ${whole(sizes.H)} columns of query, key and value. `
        : `The ${whole(sizes.A)} heads share the H = ${whole(sizes.H)} columns of query, key and value: each takes H / A = ${whole(sizes.H / sizes.A)} of them. `
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

/** The letters whose sizes differ. @param {Configuration} old @param {Configuration} now */
const lettersOf = (old, now) =>
  Object.keys(now.sizes).filter((letter) => old.sizes[letter] !== undefined && old.sizes[letter] !== now.sizes[letter])

/** @type {Record<string, string>} */
const WORDS = {
  pooler: "The pooler",
  tied: "Tying",
  cross_attention: "Cross-attention",
  biases: "The biases",
  frozen: "Freezing",
  lora: "LoRA",
  more: "What if",
}

/** From what to what the reader went. @param {LastChange} last @param {Shown} shown */
function subjectOf({ key, before }, { configuration: now, typed }) {
  const old = before.configuration
  if (key === "model") {
    const [from, to] = [
      { of: before.typed, other: "your model" },
      { of: typed, other: "your config" },
    ].map(({ of, other }) => (differs(of) ? other : models.get(of.model).title))
    const [was, is] = [old, now].map(({ modelClass }) => classes.get(modelClass))
    // What the bare model consists of differs between architectures.
    const isSame =
      was.purpose === is.purpose || [was, is].every(({ name, architecture }) => name === classOfBare(architecture))
    return isSame ? `From ${from} to ${to}` : `From ${from}, as ${was.name}, to ${to}, as ${is.name}`
  }
  const sizes = lettersOf(old, now).map(
    (letter) => `${letter} from ${whole(old.sizes[letter])} to ${whole(now.sizes[letter])}`,
  )
  if (sizes.length) return sizes.join(", ")
  if (old.modelClass !== now.modelClass) return `From ${old.modelClass} to ${now.modelClass}`
  return WORDS[key] ?? "This change"
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
  const did = more
    ? `${whole(many)} ${more > 0 ? "more" : "fewer"} ${noun(many, "parameter")}.`
    : trained
      ? `the total stays; ${whole(some)} ${trained > 0 ? "more" : "fewer"} ${noun(some, "is", "are")} trained.`
      : "nothing changes."
  say(subjectShown, `${subjectOf(last, shown)}:`)
  return [subjectShown, ` ${did}`]
}

/** The parts that the last change changed, and why: where the reader changed a size and did not take another model, and
 * that the heads change nothing only where nothing else was changed. @param {Shown} shown @returns {Content[]} */
function changed(shown) {
  if (!shown.last || !shown.valid) return []
  const { counted, configuration } = shown.last.before
  const found = moved(counted, shown.counted)
  const many = found.length > MOST_PARTS + 1 ? MOST_PARTS : found.length
  const rest = found.slice(many)
  const items = found
    .slice(0, many)
    .map(({ block, title, value }) => html`<li>${swatch(block)}${title} <b>${signed(value)}</b></li>`)
  const together = signed(rest.reduce((sum, { value }) => sum + value, 0))
  if (rest.length) items.push(html`<li>and ${rest.length} other parts <b>${together}</b></li>`)
  const letters = shown.last.key === "model" ? [] : lettersOf(configuration, shown.configuration)
  const [letter = letters[0]] = letters.filter((each) => each !== "A")
  return [
    ...(counted.total === shown.counted.total ? [] : [html`<ul class="bc-legend">${items}</ul>`]),
    ...(letter ? [html`<p>${reasonOf(letter, shown)}</p>`] : []),
  ]
}

let timer = 0

/** @param {Shown} shown */
function show(shown) {
  const { counted, note, valid, errors } = shown
  say(digits, whole(counted.total))
  digits.className = whole(counted.total).length > LONG ? "bc-digits bc-long" : "bc-digits"
  total.replaceChildren(digits, ` ${noun(counted.total, "parameter")}`)
  const stale = () => [html`<span class="bc-stale">These are the numbers of your last valid sizes.</span>`]
  of.replaceChildren(...(valid ? subject(shown) : stale()))
  const some = counted.trainable === counted.total ? "" : whole(counted.trainable)
  const share = percentage(shareOf(counted.trainable, counted.total))
  say(trained, some && `${some} of them ${noun(counted.trainable, "is", "are")} trainable, ${share}.`)
  result.classList.toggle("bc-is-stale", !valid)
  delta.replaceChildren(...deltaOf(shown))
  change.replaceChildren(...changed(shown))
  if (!shown.last) return
  const spoken = parameters(counted.total) + (some && `, ${some} trainable`)
  const wrong = () => `${errors[0]?.message ?? "A field is wrong"}. Still showing ${spoken}.`
  clearTimeout(timer)
  timer = setTimeout(() => say(status, valid ? `${spoken}${note && `. ${note}.`}` : wrong()), REST)
}

result.replaceChildren(total, of, trained, delta)
export const panel = panelOf("calculator-result", show)
