// A snippet for transformers, and for PEFT where there are adapters, that prints
// the calculator's total. It needs no page: each is run when recordings are made.

import * as configurations from "../counting/configuration.js"
import { classOfBare } from "../counting/engine.js"

/** PEFT's name for what a class is for, by how the class's name ends; it copies the heads of these. @type {Record<string, string>} */
const TASKS = {
  ForSequenceClassification: "SEQ_CLS",
  ForTokenClassification: "TOKEN_CLS",
  ForQuestionAnswering: "QUESTION_ANS",
}
const PEFT = "base_model.model."

/** A number or a truth value in Python. @param {unknown} value */
const python = (value) => String(value).replace(/^[tf]/, (first) => first.toUpperCase())

/** Python that builds this configuration without memory for its weights, and prints what it counts.
 * @param {Pick<Shown, "configuration" | "counted" | "offered"> & { note?: string }} shown */
export function snippetOf({ configuration, counted, note, offered }) {
  const { modelClass, architecture, biases, frozen, lora, choices } = configuration
  const bare = classOfBare(architecture)
  const configClass = `${bare.replace(/Model$/, "")}Config`
  const { model_type: _, ...keys } = configurations.config(configuration)
  const without = modelClass === bare && offered.pooler && !choices.pooler ? ", add_pooling_layer=False" : ""
  const isFrozen = !lora && (frozen.embeddings || frozen.all_but_head || frozen.layers > 0)
  const lines = [
    note && `# ${note}`,
    "import torch",
    lora && "from peft import LoraConfig, get_peft_model",
    `from transformers import ${configClass}, ${modelClass}\n`,
    `config = ${configClass}(`,
    ...Object.entries(keys).map(([key, value]) => `    ${key}=${python(value)},`),
    ")",
    'with torch.device("meta"):  # no memory for the weights',
    `    model = ${modelClass}(config${without})`,
    ...(isFrozen ? frozenLines(configuration, counted) : []),
    ...(lora ? loraLines(lora, modelClass, counted) : []),
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

/** The modules are named in full, as some endings fit several. @param {Lora} lora @param {string} modelClass @param {Counted} counted */
function loraLines({ rank }, modelClass, { rows }) {
  const adapted = rows
    .filter((row) => row.added === "lora" && row.path.endsWith("lora_A"))
    .map((row) => row.name.slice(PEFT.length, row.name.indexOf(".lora_A")).replace(/\./g, "\\.").replace(/\*/g, "\\d+"))
  const task = Object.entries(TASKS).find(([ending]) => modelClass.endsWith(ending))?.[1]
  return [
    `lora = LoraConfig(\n    r=${rank},\n    target_modules=(`,
    ...adapted.map((each, place) => `        r"${place ? "|" : ""}${each}"`),
    "    ),",
    task && `    task_type="${task}",`,
    ")\nmodel = get_peft_model(model, lora)",
  ]
}
