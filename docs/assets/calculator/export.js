// Exports the tensors as CSV, the configuration and its counts as JSON, the parts as a table in
// Markdown, the address, and a snippet. The snippet builds the model with transformers, and with
// PEFT or adapters if a method needs them, and prints its numbers of parameters. `make verify`
// runs snippets of many configurations.
//
// Each export is a function that returns a text for a view. It is called when its button is
// pressed, so it always exports what the page shows.

import table from "../../data/table.js"
import { METHODS, sizesOfMethod } from "../counting/changes.js"
import * as configurations from "../counting/configuration.js"
import { classOfBare, defaultChoices, MAX_NUMBER, noun, whole } from "../counting/engine.js"
import { firstIn, percentage, setText } from "./live.js"

const PROMPT_PREFIX = "base_model" // the beginning of PEFT's names in a model with prompts
const DOWNLOAD_TIME = 1000 // milliseconds that a browser has to begin a download

/** @type {View} */
let lastView

// --- The texts --------------------------------------------------------------

/**
 * The sizes, including those of a method and the number of pruned heads, each with its letter. The number of labels is
 * left out if the class does not use it.
 * @param {View} view
 * @param {(size: number) => string} formatSize
 * @param {string} letterSeparator  the separator between a letter and its size
 * @param {string} sizeSeparator  the separator between sizes
 */
const sizesText = (
  { configuration: { sizes, tuning, pruned: prunedHeads }, available },
  formatSize,
  letterSeparator,
  sizeSeparator,
) =>
  Object.entries({ ...sizes, ...(tuning && sizesOfMethod(tuning)), ...(prunedHeads && { h: prunedHeads }) })
    .filter(([letter]) => letter !== "C" || available.labels)
    .map(([letter, size]) => `${letter}${letterSeparator}${formatSize(size)}`)
    .join(sizeSeparator)

/**
 * The tensors as CSV. No cell needs quotation marks, because neither names nor numbers contain commas. Every row
 * repeats the class and the sizes, so that the files of several models can be concatenated.
 * @param {View} view
 */
export function csv(view) {
  const { total, trainable, rows } = view.counts
  const head = "name,block,shape,letters,elements,layers,parameters,trainable,tied_to,model_class,sizes"
  const rowTexts = rows.map(
    ({ name, block, shape, letters, elementsPerLayer, layers, number, trainable, tied: tiedTo }) =>
      [name, block, shape.join("×"), letters.join("×"), elementsPerLayer, layers, number, trainable, tiedTo].join(),
  )
  const modelCells = `${view.configuration.modelClass},${sizesText(view, String, "=", " ")}`
  const lines = [...rowTexts, `total,,,,,,${total},${trainable},`].map((line) => `${line},${modelCells}\n`)
  return `${head}\n${lines.join("")}`
}

/**
 * The configuration and its counts as JSON. A number that is too large to be exact becomes null.
 * @param {View} view
 */
export function json({ configuration, counts }) {
  const { modelClass: model_class, biases, frozen, tuning, pruned: prunedHeads } = configuration
  const { total, trainable, formula, bytes } = counts
  const parts = counts.parts.map(({ block, number, trainable }) => ({ block, parameters: number, trainable }))
  const tensors = counts.rows.map(({ name, block, shape, layers, number, trainable, tied: tiedTo }) => ({
    name,
    block,
    shape,
    layers,
    parameters: number,
    trainable,
    tied_to: tiedTo || null,
  }))
  const config = configurations.configOf(configuration)
  const data = {
    model_class,
    config,
    biases,
    frozen,
    lora: tuning,
    pruned: prunedHeads,
    total,
    trainable,
    formula,
    parts,
    tensors,
    bytes,
  }
  return `${JSON.stringify(data, (_, value) => (value > MAX_NUMBER ? null : value), 2)}\n`
}

/**
 * The parts as a table in Markdown, with the total above it and the formula below.
 * @param {View} view
 */
export function markdown(view) {
  const { modelClass } = view.configuration
  const { total, trainable, parts, formula } = view.counts
  const trainableNote = trainable === total ? "" : `, ${whole(trainable)} trainable`
  const rows = parts.map(({ title, number, share }) => `| ${title} | ${whole(number)} | ${percentage(share)} |\n`)
  return `**${modelClass}** with ${sizesText(view, whole, " = ", ", ")}: ${whole(total)} ${noun(total, "parameter")}${trainableNote}

| part | parameters | share |
|---|--:|--:|
${rows.join("")}| **total** | **${whole(total)}** | ${percentage(1)} |

\`${formula}\`
`
}

// --- The snippet ------------------------------------------------------------

/**
 * A string, a number or a Boolean as a Python literal.
 * @param {unknown} value
 */
const pythonLiteral = (value) => JSON.stringify(value).replace(/^[tf]/, (first) => first.toUpperCase())

/**
 * Python code that builds the configured model without allocating memory for its weights, and prints its numbers of
 * parameters, with those of the calculator in comments.
 * @param {Pick<View, "configuration" | "counts" | "available"> & { note?: string }} view
 */
export function snippetOf({ configuration, counts, note, available }) {
  const { modelClass, architecture, biases, frozen, tuning, pruned: prunedHeads, choices } = configuration
  const bare = classOfBare(architecture)
  const configClass = `${bare.replace(/Model$/, "")}Config`
  const { model_type: _, ...keys } = configurations.configOf(configuration)
  // Only the bare model accepts this argument. In every other class, the pooler is not optional.
  const hasUsualPooler = choices.pooler === defaultChoices(architecture).pooler
  const needsPoolerArgument = modelClass === bare && available.pooler && !hasUsualPooler
  const poolerArgument = needsPoolerArgument ? `, add_pooling_layer=${pythonLiteral(choices.pooler)}` : ""
  const isFrozen = !tuning && (frozen.embeddings || frozen.all_but_head || frozen.layers > 0)
  const lines = [
    note && `# ${note}`,
    "import torch",
    tuning && METHODS.get(tuning.method).imports,
    `from transformers import ${configClass}, ${modelClass}\n`,
    `config = ${configClass}(`,
    ...Object.entries(keys).map(([key, value]) => `    ${key}=${pythonLiteral(value)},`),
    ")",
    'with torch.device("meta"):  # no memory for the weights',
    `    model = ${modelClass}(config${poolerArgument})`,
    prunedHeads && pruningLine(configuration),
    ...(isFrozen ? freezingLines(configuration, counts) : []),
    ...(tuning ? methodLines(tuning, modelClass, counts) : []),
    biases
      ? "\nparameters = list(model.parameters())"
      : `
# all but the biases of dense layers; LayerNorm keeps its shift
parameters = [p for name, p in model.named_parameters() if not name.endswith("bias") or "norm" in name.lower()]`,
    `print(sum(p.numel() for p in parameters))  # ${counts.total}`,
    (tuning || isFrozen) && `print(sum(p.numel() for p in parameters if p.requires_grad))  # ${counts.trainable}`,
  ]
  return `${lines.filter(Boolean).join("\n")}\n`
}

/**
 * The lines that freeze parts of a model, with a falsy value for each part that is not frozen.
 * @param {Configuration} configuration
 * @param {Counts} counts
 */
function freezingLines({ frozen: { embeddings, layers, all_but_head: body }, sizes }, { rows }) {
  const name = rows.find((row) => row.path.includes("layer_*"))?.name ?? ""
  const moduleList = `model.get_submodule("${name.slice(0, name.indexOf(".*"))}")`
  // ALBERT has a list of groups, each with a list of layers.
  const allLayers = "G" in sizes ? `[layer for group in ${moduleList} for layer in group.albert_layers]` : moduleList
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
function pruningLine({ pruned: prunedHeads, sizes: { A } }) {
  const [fullLayers, remainingHeads] = [Math.floor(prunedHeads / (A - 1)), prunedHeads % (A - 1)]
  const entries = [
    fullLayers && `layer: range(${A - 1}) for layer in range(${fullLayers})`,
    remainingHeads && `${fullLayers}: range(${remainingHeads})`,
  ]
  const heads = entries.filter(Boolean).map((entry) => `{${entry}}`)
  return `model.prune_heads(${heads.join(" | ")})  # only in transformers 4`
}

/**
 * The lines that apply a method. Modules are specified by patterns of their full names, because several modules may
 * share the last component of their names.
 * @param {Tuning} tuning
 * @param {string} modelClass
 * @param {Counts} counts
 */
function methodLines({ method, rank, width }, modelClass, { rows }) {
  const { config, given: argumentTemplates, given_width: widthTemplate, takes, prefix } = METHODS.get(method)
  const templates = [...argumentTemplates, ...(prefix === PROMPT_PREFIX ? table.changes.of_prompts : [])]
  const args = templates.map((template) => template.replace("{}", String(rank)))
  // If a method has no PEFT config, the templates are complete lines of Python rather than arguments.
  if (!config) return args
  if (width) args.push(widthTemplate.replace("{}", String(width)))
  /**
   * The lines of an argument whose value is a pattern that matches the modules with these names; empty if there are
   * none.
   * @param {string} key
   * @param {string[]} names
   */
  const argumentLines = (key, ...names) => {
    const adaptedRows = rows.filter((row) => names.includes(row.at))
    // If the first layer lacks a module, the pattern must not match there, where another module may have the same name.
    const patterns = adaptedRows.map(({ module, skipsFirstLayer }) =>
      module.replace(/\./g, "\\.").replace(/\*/g, skipsFirstLayer ? "[1-9]\\d*" : "\\d+"),
    )
    const lines = [...new Set(patterns)].map((pattern, index) => `        r"${index ? "|" : ""}${pattern}"`)
    return lines.length ? [`    ${key}=(`, ...lines, "    ),"] : []
  }
  const feedforwardLines = argumentLines("feedforward_modules", "feedforward")
  // PEFT's (IA)³ config needs an explicit empty list.
  const noFeedforward = "feedforward" in takes && !feedforwardLines.length ? ["    feedforward_modules=[],"] : []
  // Without a task type, PEFT does not add the prompts to the input.
  const fallbackTask = prefix === PROMPT_PREFIX ? "FEATURE_EXTRACTION" : ""
  const task = Object.entries(table.changes.tasks).find(([ending]) => modelClass.endsWith(ending))?.[1] ?? fallbackTask
  return [
    `method = ${config}(`,
    ...args.map((arg) => `    ${arg},`),
    ...argumentLines("target_modules", "modules", "feedforward", "LayerNorm"),
    ...feedforwardLines,
    ...noFeedforward,
    task && `    task_type="${task}",`,
    ")\nmodel = get_peft_model(model, method)",
  ]
}

// --- The buttons ------------------------------------------------------------

/**
 * The functions that write the exports, by the names of their buttons.
 * @type {Record<string, (view: View) => string>}
 */
const WRITERS = { csv, json, markdown, snippet: snippetOf, address: () => location.href }
/**
 * The media types of the exports that are saved as files. All others are copied.
 * @type {Record<string, string>}
 */
const MEDIA_TYPES = { csv: "text/csv", json: "application/json" }

/** Shows the result of an export below the buttons. @param {string} text */
const announce = (text) => setText(firstIn("export-place", "[role=status]"), text)

/** Saves an export as a file, and reports that it is ready. @param {string} kind */
function download(kind) {
  const name = `bert-counted.${kind}`
  const href = URL.createObjectURL(new Blob([WRITERS[kind](lastView)], { type: MEDIA_TYPES[kind] }))
  Object.assign(document.createElement("a"), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_TIME)
  announce(`${name} is ready`)
}

/** Copies an export to the clipboard, and reports the result. @param {string} kind */
const copyToClipboard = (kind) =>
  navigator.clipboard.writeText(WRITERS[kind](lastView)).then(
    () => announce("Copied"),
    () => announce("Your browser does not allow copying"),
  )

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#export-place button"))) {
  const act = button.name in MEDIA_TYPES ? download : copyToClipboard
  button.addEventListener("click", () => act(button.name))
  // Browsers offer the clipboard only in secure contexts.
  button.hidden = act === copyToClipboard && !navigator.clipboard
}

/** Stores the view for the next export, and shows its snippet. @param {View} view */
export function show(view) {
  lastView = view
  setText(firstIn("export-place", ".bc-snippet"), snippetOf(view))
}
