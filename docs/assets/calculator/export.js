// Exports the tensors as CSV or JSON, the parts as a table in Markdown, the address,
// and a snippet. The snippet builds the model with transformers, and with PEFT or
// adapters if a method needs them, and prints the calculator's total; snippets are
// run whenever recordings are made.

import table from "../../data/table.js"
import { METHODS, sizesOfMethod } from "../counting/changes.js"
import * as configurations from "../counting/configuration.js"
import { classOfBare, MOST, noun, usualChoices, whole } from "../counting/engine.js"
import { firstIn, percentage, say } from "./live.js"

const PROMPTS = "base_model" // the beginning of PEFT's names in a model with prompts

/** @type {Shown} */
let last

// --- The texts --------------------------------------------------------------

/**
 * The sizes that affect the total, each with its letter.
 * @param {Shown} shown
 * @param {(size: number) => string} asText
 * @param {string} equals  what separates a letter from its size
 * @param {string} between  what separates one size from the next
 */
const sizesOf = ({ configuration: { sizes, lora, pruned }, offered }, asText, equals, between) =>
  Object.entries({ ...sizes, ...(lora && sizesOfMethod(lora)), ...(pruned && { h: pruned }) })
    .filter(([letter]) => letter !== "C" || offered.labels)
    .map(([letter, size]) => `${letter}${equals}${asText(size)}`)
    .join(between)

/**
 * The tensors as CSV. Nothing needs quotes, because neither names nor numbers contain a comma. Every row repeats the
 * class and the sizes, so that files of several models can be concatenated.
 * @param {Shown} shown
 */
export function csv(shown) {
  const { total, trainable, rows } = shown.counted
  const head = "name,block,shape,letters,elements,layers,parameters,trainable,tied_to,model_class,sizes"
  const cells = rows.map(({ name, block, shape, letters, one, layers, number, trainable, tied }) =>
    [name, block, shape.join("×"), letters.join("×"), one, layers, number, trainable, tied].join(),
  )
  const model = `${shown.configuration.modelClass},${sizesOf(shown, String, "=", " ")}`
  const lines = [...cells, `total,,,,,,${total},${trainable},`].map((line) => `${line},${model}\n`)
  return `${head}\n${lines.join("")}`
}

/**
 * The configuration, its parts, tensors and bytes as JSON. A number that is too large to be exact becomes null.
 * @param {Shown} shown
 */
export function json({ configuration, counted }) {
  const { modelClass: model_class, biases, frozen, lora, pruned } = configuration
  const { total, trainable, formula, bytes } = counted
  const parts = counted.parts.map(({ block, number, trainable }) => ({ block, parameters: number, trainable }))
  const tensors = counted.rows.map(({ name, block, shape, layers, number, trainable, tied }) => ({
    name,
    block,
    shape,
    layers,
    parameters: number,
    trainable,
    tied_to: tied || null,
  }))
  const config = configurations.config(configuration)
  const data = { model_class, config, biases, frozen, lora, pruned, total, trainable, formula, parts, tensors, bytes }
  return `${JSON.stringify(data, (_, value) => (value > MOST ? null : value), 2)}\n`
}

/**
 * The parts as a table in Markdown, with the total above it and the formula below.
 * @param {Shown} shown
 */
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

/**
 * A string, a number or a Boolean in Python's syntax.
 * @param {unknown} value
 */
const python = (value) => JSON.stringify(value).replace(/^[tf]/, (first) => first.toUpperCase())

/**
 * Python code that builds a configuration without memory for its weights, and prints the calculator's numbers.
 * @param {Pick<Shown, "configuration" | "counted" | "offered"> & { note?: string }} shown
 */
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
    ...(isFrozen ? freezingLines(configuration, counted) : []),
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

/**
 * The lines that freeze parts of a model; false or empty for each part that is not frozen.
 * @param {Configuration} configuration
 * @param {Counted} counted
 */
function freezingLines({ frozen: { embeddings, layers, all_but_head: body }, sizes }, { rows }) {
  const name = rows.find((row) => row.path.includes("layer_*"))?.name ?? ""
  const list = `model.get_submodule("${name.slice(0, name.indexOf(".*"))}")`
  // ALBERT has a list of groups, each with a list of layers.
  const allLayers = "G" in sizes ? `[layer for group in ${list} for layer in group.albert_layers]` : list
  return [
    body && "model.base_model.requires_grad_(False)",
    embeddings && "model.base_model.embeddings.requires_grad_(False)",
    layers > 0 && name && `for layer in ${allLayers}[:${layers}]:\n    layer.requires_grad_(False)`,
  ]
}

/**
 * The line that prunes heads. It removes all heads but one from each layer, starting with the first, until the number
 * of heads to prune is reached.
 * @param {Configuration} configuration
 */
function pruningLine({ pruned, sizes: { A } }) {
  const [fullLayers, rest] = [Math.floor(pruned / (A - 1)), pruned % (A - 1)]
  const entries = [
    fullLayers && `layer: range(${A - 1}) for layer in range(${fullLayers})`,
    rest && `${fullLayers}: range(${rest})`,
  ]
  const heads = entries.filter(Boolean).map((entry) => `{${entry}}`)
  return `model.prune_heads(${heads.join(" | ")})  # which only transformers 4 has`
}

/**
 * The lines that apply a method. Modules are given by patterns of their full names, because several modules may share
 * the end of their names.
 * @param {Lora} lora
 * @param {string} modelClass
 * @param {Counted} counted
 */
function methodLines({ method, rank, width }, modelClass, { rows }) {
  const { config, given, given_width: givenWidth, takes, prefix } = METHODS.get(method)
  const templates = [...given, ...(prefix === PROMPTS ? table.changes.of_prompts : [])]
  const args = templates.map((template) => template.replace("{}", String(rank)))
  if (!config) return args
  if (width) args.push(givenWidth.replace("{}", String(width)))
  /**
   * The lines of one argument: a pattern of the modules to which these names refer; empty if there are none.
   * @param {string} key
   * @param {string[]} names
   */
  const modules = (key, ...names) => {
    const ownRows = rows.filter((row) => names.includes(row.at))
    // The pattern of a module that the first layer lacks must not match in that layer, where another module may have
    // the same name.
    const patterns = ownRows.map(({ module, isButFirst }) =>
      module.replace(/\./g, "\\.").replace(/\*/g, isButFirst ? "[1-9]\\d*" : "\\d+"),
    )
    const lines = [...new Set(patterns)].map((pattern, index) => `        r"${index ? "|" : ""}${pattern}"`)
    return lines.length ? [`    ${key}=(`, ...lines, "    ),"] : []
  }
  const feedforward = modules("feedforward_modules", "feedforward")
  const noTask = prefix === PROMPTS ? "FEATURE_EXTRACTION" : "" // without a task, PEFT puts no prompts before a text
  const task = Object.entries(table.changes.tasks).find(([ending]) => modelClass.endsWith(ending))?.[1] ?? noTask
  return [
    `method = ${config}(`,
    ...args.map((arg) => `    ${arg},`),
    ...modules("target_modules", "modules", "feedforward", "LayerNorm"),
    ...("feedforward" in takes && !feedforward.length ? ["    feedforward_modules=[],"] : feedforward),
    task && `    task_type="${task}",`,
    ")\nmodel = get_peft_model(model, method)",
  ]
}

// --- The buttons ------------------------------------------------------------

/**
 * The text that each button gives.
 * @type {Record<string, (shown: Shown) => string>}
 */
const TEXTS = { csv, json, markdown, snippet: snippetOf, address: () => location.href }
/**
 * The media types of the files; all other texts are copied.
 * @type {Record<string, string>}
 */
const TYPES = { csv: "text/csv", json: "application/json" }

/** @param {string} text */
const announce = (text) => say(firstIn("export-place", "[role=status]"), text)

/** @param {string} kind */
function download(kind) {
  const name = `bert-counted.${kind}`
  const href = URL.createObjectURL(new Blob([TEXTS[kind](last)], { type: TYPES[kind] }))
  Object.assign(document.createElement("a"), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1000) // once the download has begun
  announce(`${name} is ready`)
}

/** @param {string} kind */
const copy = (kind) =>
  navigator.clipboard.writeText(TEXTS[kind](last)).then(
    () => announce("Copied"),
    () => announce("The browser does not allow it"),
  )

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#export-place button"))) {
  const act = button.name in TYPES ? download : copy
  button.addEventListener("click", () => act(button.name))
  // Browsers allow the clipboard only on pages that were loaded over a secure connection.
  button.hidden = act === copy && !navigator.clipboard
}

/** @param {Shown} shown */
export function show(shown) {
  last = shown
  say(firstIn("export-place", ".bc-snippet"), snippetOf(shown))
}
