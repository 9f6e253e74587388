// What a reader takes along: the tensors as CSV and JSON, a table in Markdown, the
// address, and a snippet for transformers, and for PEFT where it adds something,
// that prints the calculator's total: each is run when recordings are made.

import table from "../../data/table.js"
import { METHODS, sizesOfMethod } from "../counting/changes.js"
import * as configurations from "../counting/configuration.js"
import { classOfBare, MOST, noun, usualChoices, whole } from "../counting/engine.js"
import { percentage, placeIn, say } from "./live.js"

const PROMPTS = "base_model" // what the names of a model begin with that gets prompts

/** @type {Shown} */
let last

// --- The texts --------------------------------------------------------------

/** The sizes that count, by letter. @param {Shown} shown @param {(size: number) => string} written @param {string} is @param {string} between */
const sizesOf = ({ configuration: { sizes, lora, pruned }, offered }, written, is, between) =>
  Object.entries({ ...sizes, ...(lora && sizesOfMethod(lora)), ...(pruned && { h: pruned }) })
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
  const { modelClass: model_class, biases, frozen, lora, pruned } = configuration
  const { total, trainable, formula, bytes } = counted
  const parts = counted.parts.map(({ block, number, trainable }) => ({ block, parameters: number, trainable }))
  const tensors = counted.rows.map(({ name, block, shape, layers, number, trainable, tied }) => ({
    ...{ name, block, shape, layers, parameters: number, trainable },
    tied_to: tied || null,
  }))
  const config = configurations.config(configuration)
  const listed = { model_class, config, biases, frozen, lora, pruned, total, trainable, formula, parts, tensors, bytes }
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

// --- The snippet ------------------------------------------------------------

/** A text, a number or a truth value in Python. @param {unknown} value */
const python = (value) => JSON.stringify(value).replace(/^[tf]/, (first) => first.toUpperCase())

/** Python that builds this configuration without memory for its weights, and prints what it counts.
 * @param {Pick<Shown, "configuration" | "counted" | "offered"> & { note?: string }} shown */
export function snippetOf({ configuration, counted, note, offered }) {
  const { modelClass, architecture, biases, frozen, lora, pruned, choices } = configuration
  const bare = classOfBare(architecture)
  const configClass = `${bare.replace(/Model$/, "")}Config`
  const { model_type: _, ...keys } = configurations.config(configuration)
  const isUsual = choices.pooler === usualChoices(architecture).pooler
  const pooler =
    modelClass === bare && offered.pooler && !isUsual ? `, add_pooling_layer=${python(choices.pooler)}` : ""
  const isFrozen = !lora && (frozen.embeddings || frozen.all_but_head || frozen.layers > 0)
  const lines = [
    note && `# ${note}`,
    "import torch",
    lora && METHODS.get(lora.method).imports,
    `from transformers import ${configClass}, ${modelClass}\n`,
    `config = ${configClass}(`,
    ...Object.entries(keys).map(([key, value]) => `    ${key}=${python(value)},`),
    ")",
    'with torch.device("meta"):  # no memory for the weights',
    `    model = ${modelClass}(config${pooler})`,
    pruned && pruningLine(configuration),
    ...(isFrozen ? frozenLines(configuration, counted) : []),
    ...(lora ? methodLines(lora, modelClass, counted) : []),
    biases
      ? "\nparameters = list(model.parameters())"
      : `
# all but the biases of dense layers; LayerNorm keeps its shift
parameters = [p for name, p in model.named_parameters() if not name.endswith("bias") or "norm" in name.lower()]`,
    `print(sum(p.numel() for p in parameters))  # ${counted.total}`,
    (lora || isFrozen) && `print(sum(p.numel() for p in parameters if p.requires_grad))  # ${counted.trainable}`,
  ]
  return `${lines.filter(Boolean).join("\n")}\n`
}

/** @param {Configuration} configuration @param {Counted} counted */
function frozenLines({ frozen: { embeddings, layers, all_but_head: body }, sizes }, { rows }) {
  const name = rows.find((row) => row.path.includes("layer_*"))?.name ?? ""
  const list = `model.get_submodule("${name.slice(0, name.indexOf(".*"))}")`
  // ALBERT's layers stand in groups.
  const each = "G" in sizes ? `[layer for group in ${list} for layer in group.albert_layers]` : list
  return [
    body && "model.base_model.requires_grad_(False)",
    embeddings && "model.base_model.embeddings.requires_grad_(False)",
    layers > 0 && name && `for layer in ${each}[:${layers}]:\n    layer.requires_grad_(False)`,
  ]
}

/** The first layers lose all heads but one. @param {Configuration} configuration */
function pruningLine({ pruned, sizes: { A } }) {
  const [all, rest] = [Math.floor(pruned / (A - 1)), pruned % (A - 1)]
  const pieces = [all && `layer: range(${A - 1}) for layer in range(${all})`, rest && `${all}: range(${rest})`]
  const heads = pieces.filter(Boolean).map((each) => `{${each}}`)
  return `model.prune_heads(${heads.join(" | ")})  # which only transformers 4 has`
}

/** The modules are named in full, as some endings fit several. @param {Lora} lora @param {string} modelClass @param {Counted} counted */
function methodLines({ method, rank, width }, modelClass, { rows }) {
  const { config, given, given_width: wide, takes, prefix } = METHODS.get(method)
  const asked = [...given, ...(prefix === PROMPTS ? table.changes.of_prompts : [])]
  const said = asked.map((each) => each.replace("{}", String(rank)))
  if (!config) return said
  if (width) said.push(wide.replace("{}", String(width)))
  /** @param {string} key @param {string[]} places */
  const modules = (key, ...places) => {
    const meant = rows.filter((row) => places.includes(row.at))
    // In the first layer there may be something else under a name.
    const names = meant.map(({ module, isButFirst }) =>
      module.replace(/\./g, "\\.").replace(/\*/g, isButFirst ? "[1-9]\\d*" : "\\d+"),
    )
    const lines = [...new Set(names)].map((each, place) => `        r"${place ? "|" : ""}${each}"`)
    return lines.length ? [`    ${key}=(`, ...lines, "    ),"] : []
  }
  const within = modules("feedforward_modules", "feedforward")
  const unsaid = prefix === PROMPTS ? "FEATURE_EXTRACTION" : "" // without a task PEFT puts no prompts before a text
  const task = Object.entries(table.changes.tasks).find(([ending]) => modelClass.endsWith(ending))?.[1] ?? unsaid
  return [
    `method = ${config}(`,
    ...said.map((each) => `    ${each},`),
    ...modules("target_modules", "modules", "feedforward", "LayerNorm"),
    ...("feedforward" in takes && !within.length ? ["    feedforward_modules=[],"] : within),
    task && `    task_type="${task}",`,
    ")\nmodel = get_peft_model(model, method)",
  ]
}

// --- The buttons ------------------------------------------------------------

/** What each button gives. @type {Record<string, (shown: Shown) => string>} */
const TEXTS = { csv, json, markdown, snippet: snippetOf, address: () => location.href }
/** @type {Record<string, string>} */
const TYPES = { csv: "text/csv", json: "application/json" }

/** @param {string} text */
const answer = (text) => say(placeIn("export-place", "[role=status]"), text)

/** @param {string} kind */
function download(kind) {
  const name = `bert-counted.${kind}`
  const href = URL.createObjectURL(new Blob([TEXTS[kind](last)], { type: TYPES[kind] }))
  Object.assign(document.createElement("a"), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1000)
  answer(`${name} is ready`)
}
/** @param {string} kind */
const copy = (kind) =>
  navigator.clipboard.writeText(TEXTS[kind](last)).then(
    () => answer("Copied"),
    () => answer("The browser does not allow it"),
  )

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#export-place button"))) {
  const act = button.name in TYPES ? download : copy
  button.addEventListener("click", () => act(button.name))
  // Only a page that came safely may write to the clipboard.
  button.hidden = act === copy && !navigator.clipboard
}

/** @param {Shown} shown */
export function show(shown) {
  last = shown
  say(placeIn("export-place", ".bc-snippet"), snippetOf(shown))
}
