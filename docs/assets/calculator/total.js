// The total of the calculator, and what the last change did: which parts grew,
// by how much, and why.

import { code, element, link, signed } from "../answering/elements.js"
import { shareOf } from "../counting/changes.js"
import { classes, classOfBare, models, noun, whole } from "../counting/engine.js"
import { percentage, place, say, swatch } from "./live.js"
import { differences } from "./state.js"

const result = place("calculator-result")
const hint = result.querySelector(".bc-delta")?.textContent ?? ""
const status = place("calculator-status")
const REST = 800 // milliseconds without typing, after which the total is announced

const total = element("p", { class: "bc-whole" })
const of = element("p", { class: "bc-of" })
const trained = element("p", { class: "bc-trained" })
const delta = element("p", { class: "bc-delta" })
const change = place("calculator-change")

/** @param {number} value */
const parameters = (value) => `${whole(value)} ${noun(value, "parameter")}`

/** Whether it is another than the published model. @param {Typed} typed */
const differs = (typed) => differences(typed).some(([name]) => !["model", "class"].includes(name))

/** @param {Typed} typed @param {string} other  what it is called where it is no published model */
const called = (typed, other) => (differs(typed) ? other : models.get(typed.model).title)

/** What is counted, in a line. @param {Shown} shown @returns {Content[]} */
function subject({ typed, configuration, note }) {
  const { title, page } = models.get(typed.model)
  const name = link(page, title)
  // Also here, as the field may be out of sight.
  const refused = note ? ", with heads that transformers refuses" : ""
  return [
    ...(differs(typed) ? ["Your sizes, starting from ", name] : [name]),
    ", as ",
    code(configuration.modelClass),
    refused,
  ]
}

/** Parts that hold more or less than before, the greatest change first. @param {Counted} before @param {Counted} now */
function moved(before, now) {
  const names = new Map([...before.parts, ...now.parts].map((each) => [each.block, each.title]))
  /** @param {Counted} of @param {string} block */
  const sizeOf = (of, block) => of.parts.find((each) => each.block === block)?.number ?? 0
  return [...names]
    .map(([block, title]) => ({ block, title, value: sizeOf(now, block) - sizeOf(before, block) }))
    .filter(({ value }) => value)
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
}

/** Why a size changes what it changes. @param {string} letter @param {Shown} shown */
function reasonOf(letter, { counted, configuration: { sizes }, note }) {
  if (letter === "A") {
    if (note) return "However many heads there are, the matrices stay H × H."
    const heads =
      sizes.A === 1
        ? `The only head takes all H = ${whole(sizes.H)} columns of query, key and value.`
        : `The ${whole(sizes.A)} heads share the H = ${whole(sizes.H)} columns of query, key and value: each takes H / A = ${whole(sizes.H / sizes.A)} of them.`
    return `${heads} However many heads there are, the matrices stay H × H.`
  }
  const held = counted.rows.filter((row) => !row.tied && row.letters.includes(letter))
  const repeated = counted.rows.filter((row) => !row.tied && row.path.includes("layer_*"))
  if (letter === "L") {
    return `Every layer has the same ${whole(repeated.length)} tensors, so L multiplies what one layer holds and touches nothing else.`
  }
  if (!held.length) return `No shape of this class holds the letter ${letter}.`
  const squared = held.some((row) => row.letters.filter((each) => each === letter).length > 1)
  const many = `${letter} is in the shape of ${whole(held.length)} of the ${whole(counted.rows.length)} rows`
  if (squared) return `${many}, in some of them twice: these grow with its square.`
  return `${many}; ${noun(held.length, "it", "each")} grows in proportion.`
}

/** The letters whose sizes differ. @param {Configuration} old @param {Configuration} now */
const lettersOf = (old, now) =>
  Object.keys(now.sizes).filter((letter) => old.sizes[letter] !== undefined && old.sizes[letter] !== now.sizes[letter])

/** From what to what the reader went. @param {LastChange} last @param {Shown} shown */
function subjectOf({ key, before }, { configuration: now, typed }) {
  const old = before.configuration
  if (key === "model") {
    const [from, to] = [called(before.typed, "your model"), called(typed, "your config")]
    const [was, is] = [old, now].map(({ modelClass }) => classes.get(modelClass))
    // What the bare model consists of differs between architectures.
    const isSame =
      was.purpose === is.purpose || [was, is].every(({ name, architecture }) => name === classOfBare(architecture))
    const [one, other] = [old, now].map(({ modelClass }) => (isSame ? "" : `, as ${modelClass},`))
    return `From ${from}${one} to ${to}${other.replace(/,$/, "")}:`
  }
  const sizes = lettersOf(old, now).map(
    (letter) => `${letter} from ${whole(old.sizes[letter])} to ${whole(now.sizes[letter])}`,
  )
  if (sizes.length) return `${sizes.join(", ")}:`
  if (old.modelClass !== now.modelClass) return `From ${old.modelClass} to ${now.modelClass}:`
  return WORDS[key] ?? "This change:"
}
/** @type {Record<string, string>} */
const WORDS = {
  pooler: "The pooler:",
  tied: "Tying:",
  cross_attention: "Cross-attention:",
  biases: "The biases:",
  frozen: "Freezing:",
  lora: "LoRA:",
  more: "What if:",
}

/** The parts that changed most, and together what the others did. @param {Shown} shown @param {Counted} before */
function partsOf({ counted }, before) {
  const parts = moved(before, counted)
  const shownParts = parts.length > MOST_PARTS + 1 ? parts.slice(0, MOST_PARTS) : parts
  const rest = parts.slice(shownParts.length)
  const items = shownParts.map(({ block, title, value }) =>
    element("li", {}, swatch(block), `${title} `, element("b", {}, signed(value))),
  )
  if (rest.length)
    items.push(
      element(
        "li",
        {},
        `and ${rest.length} other parts `,
        element("b", {}, signed(rest.reduce((sum, { value }) => sum + value, 0))),
      ),
    )
  return element("ul", { class: "bc-legend" }, items)
}
const MOST_PARTS = 3

/** Why, where the reader changed a size and did not take another model; that the heads change nothing only where nothing else was changed.
 * @param {Shown} shown @param {Configuration} before */
function reasons(shown, before) {
  if (shown.last?.key === "model") return []
  const letters = lettersOf(before, shown.configuration)
  const others = letters.filter((letter) => letter !== "A")
  const said = (others.length ? others : letters).slice(0, 1).map((letter) => reasonOf(letter, shown))
  return said.map((text) => element("p", {}, text))
}

/** What the last change did to the total. @param {Shown} shown @returns {Content[]} */
function deltaOf(shown) {
  const { last, counted, valid, errors } = shown
  // Also here, as the field may be out of sight on a phone.
  if (!valid) return errors.slice(0, 1).map(({ message }) => `${message}.`)
  if (!last) return [hint]
  const difference = counted.total - last.before.counted.total
  const trainable = counted.trainable - last.before.counted.trainable
  const subject = element("b", {}, subjectOf(last, shown))
  if (difference)
    return [
      subject,
      ` ${whole(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"} ${noun(Math.abs(difference), "parameter")}.`,
    ]
  if (trainable)
    return [
      subject,
      ` the total stays; ${whole(Math.abs(trainable))} ${trainable > 0 ? "more" : "fewer"} ${noun(Math.abs(trainable), "is", "are")} trained.`,
    ]
  return [subject, " nothing changes."]
}

/** The parts that it changed, and why. @param {Shown} shown @returns {Content[]} */
function changed(shown) {
  if (!shown.last || !shown.valid) return []
  const { counted, configuration } = shown.last.before
  return [...(counted.total === shown.counted.total ? [] : [partsOf(shown, counted)]), ...reasons(shown, configuration)]
}

let timer = 0
/** Say the total once typing rests. @param {string} text */
function announce(text) {
  clearTimeout(timer)
  timer = setTimeout(() => say(status, text), REST)
}

/** @param {Shown} shown */
function show(shown) {
  const { counted, note, valid } = shown
  const digits = whole(counted.total)
  total.replaceChildren(
    element("span", { class: digits.length > 15 ? "bc-digits bc-long" : "bc-digits" }, digits),
    ` ${noun(counted.total, "parameter")}`,
  )
  of.replaceChildren(
    ...(valid
      ? subject(shown)
      : [element("span", { class: "bc-stale" }, "These are the numbers of your last valid sizes.")]),
  )
  const partly = counted.trainable !== counted.total
  say(
    trained,
    partly
      ? `${whole(counted.trainable)} of them ${noun(counted.trainable, "is", "are")} trainable, ${percentage(shareOf(counted.trainable, counted.total))}.`
      : "",
  )
  result.classList.toggle("bc-is-stale", !valid)
  delta.replaceChildren(...deltaOf(shown))
  change.replaceChildren(...changed(shown))
  const spoken = `${parameters(counted.total)}${partly ? `, ${whole(counted.trainable)} trainable` : ""}`
  if (shown.last)
    announce(
      valid
        ? `${spoken}${note && `. ${note}.`}`
        : `${shown.errors[0]?.message ?? "A field is wrong"}. Still showing ${spoken}.`,
    )
}

result.replaceChildren(total, of, trained, delta)
/** @type {Panel} */
export const panel = { show, place: result }
