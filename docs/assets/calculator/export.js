// What a reader takes along: the tensors as CSV and JSON, a table in Markdown,
// the snippet of snippet.js, and the address.

import { element } from "../answering/elements.js"
import * as configurations from "../counting/configuration.js"
import { MOST, noun, whole } from "../counting/engine.js"
import { button, percentage, place, say } from "./live.js"
import { snippetOf } from "./snippet.js"

const status = element("span", { role: "status" })
// No code element within: the theme would take its place in the order of keys away whenever it need not scroll.
const snippet = element("pre", {
  class: "bc-snippet",
  tabindex: "0",
  role: "region",
  "aria-label": "The snippet for transformers",
})
/** @type {Shown | null} */
let last = null

// --- The texts --------------------------------------------------------------

/** The sizes that count, by letter. @param {Shown} shown @returns {[string, number][]} */
function sizesOf({ configuration: { sizes, lora }, offered }) {
  const own = Object.entries(sizes).filter(([letter]) => letter !== "C" || offered.labels)
  return lora ? [...own, ["r", lora.rank]] : own
}

/** Neither a name nor a number holds a comma. Class and sizes are in every row, so that files can be put together. @param {Shown} shown */
export function csv(shown) {
  const { counted } = shown
  const { modelClass } = shown.configuration
  const head = "name,block,shape,letters,elements,layers,parameters,trainable,tied_to,model_class,sizes".split(",")
  const sizes = sizesOf(shown)
    .map(([letter, size]) => `${letter}=${size}`)
    .join(" ")
  const rows = counted.rows.map(({ name, block, shape, letters, one, layers, number, trainable, tied }) => [
    ...[name, block, shape.join("×"), letters.join("×"), one, layers, number, trainable, tied, modelClass, sizes],
  ])
  const total = ["total", "", "", "", "", "", counted.total, counted.trainable, "", modelClass, sizes]
  return `${[head, ...rows, total].map((row) => row.join(",")).join("\n")}\n`
}

/** @param {Shown} shown */
function jsonOf({ configuration, counted }) {
  const { modelClass: model_class, biases, frozen, lora } = configuration
  const { total, trainable, formula, bytes } = counted
  const parts = counted.parts.map(({ block, number, trainable }) => ({ block, parameters: number, trainable }))
  const tensors = counted.rows.map(({ name, block, shape, layers, number, trainable, tied }) => ({
    ...{ name, block, shape, layers, parameters: number, trainable },
    tied_to: tied || null,
  }))
  const config = configurations.config(configuration)
  const listed = { model_class, config, biases, frozen, lora, total, trainable, formula, parts, tensors, bytes }
  // Bytes may be more than a number holds exactly.
  return `${JSON.stringify(listed, (_, each) => (each > MOST ? null : each), 2)}\n`
}

/** @param {Shown} shown */
export function markdown(shown) {
  const { configuration, counted } = shown
  const sizes = sizesOf(shown)
    .map(([letter, size]) => `${letter} = ${whole(size)}`)
    .join(", ")
  const rows = counted.parts.map(({ title, number, share }) => `| ${title} | ${whole(number)} | ${percentage(share)} |`)
  return [
    `**${configuration.modelClass}** with ${sizes}: ${whole(counted.total)} ${noun(counted.total, "parameter")}${counted.trainable === counted.total ? "" : `, ${whole(counted.trainable)} trainable`}`,
    "",
    "| part | parameters | share |",
    "|---|--:|--:|",
    ...rows,
    `| **total** | **${whole(counted.total)}** | ${percentage(1)} |`,
    "",
    `\`${counted.formula}\``,
    "",
  ].join("\n")
}

// --- The buttons ------------------------------------------------------------

/** @param {string} name @param {string} text @param {string} type */
function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = element("a", { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
  say(status, `${name} is ready`)
}
/** @param {string} name @param {(shown: Shown) => string} text */
const copier = (name, text) => button(name, () => last && copy(text(last)))
/** @param {string} text */
function copy(text) {
  navigator.clipboard.writeText(text).then(
    () => (status.textContent = "Copied"),
    () => (status.textContent = "The browser does not allow it"),
  )
}
/** @param {string} kind @param {string} type @param {(shown: Shown) => string} text */
const downloader = (kind, type, text) =>
  button(`Download ${kind}`, () => last && download(`bert-counted.${kind.toLowerCase()}`, text(last), type))

const buttons = element("div", { class: "bc-controls" })
buttons.append(downloader("CSV", "text/csv", csv), downloader("JSON", "application/json", jsonOf))
// Only a page that came safely may write to the clipboard.
if (navigator.clipboard)
  buttons.append(
    copier("Copy as Markdown", markdown),
    copier("Copy the snippet", snippetOf),
    copier("Copy the address", () => location.href),
  )
buttons.append(status)
place("export-place").append(
  buttons,
  element(
    "p",
    { class: "bc-hint" },
    "Run this where transformers is installed, and it prints the same total; nothing is downloaded:",
  ),
  snippet,
)

/** @param {Shown} shown */
function show(shown) {
  last = shown
  say(snippet, snippetOf(shown))
}

/** @type {Panel} */
export const panel = { show, place: place("export-place") }

export { jsonOf as json, snippetOf }
