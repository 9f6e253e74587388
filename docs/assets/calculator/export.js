// What a reader takes along: the tensors as CSV and JSON, a table in Markdown,
// the snippet of snippet.js, and the address.

import * as configurations from "../counting/configuration.js"
import { MOST, noun, whole } from "../counting/engine.js"
import { percentage, place, placeIn, say } from "./live.js"
import { snippetOf } from "./snippet.js"

export { snippetOf }

const [status, snippet] = ["[role=status]", ".bc-snippet"].map((each) => placeIn("export-place", each))
/** @type {Shown} */
let last

// --- The texts --------------------------------------------------------------

/** The sizes that count, by letter. @param {Shown} shown @param {(size: number) => string} written @param {string} is @param {string} between */
const sizesOf = ({ configuration: { sizes, lora }, offered }, written, is, between) =>
  Object.entries({ ...sizes, ...(lora && { r: lora.rank }) })
    .filter(([letter]) => letter !== "C" || offered.labels)
    .map(([letter, size]) => `${letter}${is}${written(size)}`)
    .join(between)

/** Neither a name nor a number holds a comma. Class and sizes are in every row, so that files can be put together. @param {Shown} shown */
export function csv(shown) {
  const { total, trainable, rows } = shown.counted
  const head = "name,block,shape,letters,elements,layers,parameters,trainable,tied_to,model_class,sizes"
  const cells = rows.map(({ name, block, shape, letters, one, layers, number, trainable, tied }) =>
    [name, block, shape.join("×"), letters.join("×"), one, layers, number, trainable, tied].join(),
  )
  const same = `${shown.configuration.modelClass},${sizesOf(shown, String, "=", " ")}`
  const lines = [...cells, `total,,,,,,${total},${trainable},`].map((each) => `${each},${same}\n`)
  return `${head}\n${lines.join("")}`
}

/** @param {Shown} shown */
export function json({ configuration, counted }) {
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
  const { modelClass } = shown.configuration
  const { total, trainable, parts, formula } = shown.counted
  const some = trainable === total ? "" : `, ${whole(trainable)} trainable`
  const rows = parts.map(({ title, number, share }) => `| ${title} | ${whole(number)} | ${percentage(share)} |\n`)
  return `**${modelClass}** with ${sizesOf(shown, whole, " = ", ", ")}: ${whole(total)} ${noun(total, "parameter")}${some}

| part | parameters | share |
|---|--:|--:|
${rows.join("")}| **total** | **${whole(total)}** | ${percentage(1)} |

\`${formula}\`
`
}

// --- The buttons ------------------------------------------------------------

/** What each button gives. @type {Record<string, (shown: Shown) => string>} */
const TEXTS = { csv, json, markdown, snippet: snippetOf, address: () => location.href }
/** @type {Record<string, string>} */
const TYPES = { csv: "text/csv", json: "application/json" }

/** @param {string} kind */
function download(kind) {
  const name = `bert-counted.${kind}`
  const href = URL.createObjectURL(new Blob([TEXTS[kind](last)], { type: TYPES[kind] }))
  Object.assign(document.createElement("a"), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1000)
  say(status, `${name} is ready`)
}
/** @param {string} kind */
const copy = (kind) =>
  navigator.clipboard.writeText(TEXTS[kind](last)).then(
    () => say(status, "Copied"),
    () => say(status, "The browser does not allow it"),
  )

for (const button of place("export-place").querySelectorAll("button")) {
  const act = button.name in TYPES ? download : copy
  button.addEventListener("click", () => act(button.name))
  // Only a page that came safely may write to the clipboard.
  button.hidden = act === copy && !navigator.clipboard
}

/** @param {Shown} shown */
export function show(shown) {
  last = shown
  say(snippet, snippetOf(shown))
}
