"use strict"
// What a reader takes along: the tensors as CSV and JSON, a table in Markdown,
// a snippet for transformers that prints the same total, and the address.
{
  const { live, elements, calculator, configuration: configurations, engine } = bertCounted
  const { button, percentage, place, say } = live
  const { element } = elements
  const { noun, whole } = engine

  const status = element("span", { role: "status" })
  // No code element within: the theme would take its place in the order of keys away whenever it need not scroll.
  const snippet = element("pre", { class: "bc-snippet", tabindex: "0", role: "region", "aria-label": "The snippet for transformers" })
  /** @type {Shown | null} */
  let last = null

  // --- The texts --------------------------------------------------------------

  /** The sizes that count, by letter. @param {Shown} shown @returns {[string, bigint][]} */
  function sizesOf({ configuration: { sizes, lora }, offered }) {
    const own = Object.entries(sizes).filter(([letter]) => letter !== "C" || offered.labels)
    return lora ? [...own, ["r", lora.rank]] : own
  }

  /** Neither a name nor a number holds a comma. Class and sizes are in every row, so that files can be put together. @param {Shown} shown */
  function csv(shown) {
    const { configuration: { modelClass }, counted } = shown
    const head = ["name", "block", "shape", "letters", "elements", "layers", "parameters", "trainable", "tied_to", "model_class", "sizes"]
    const sizes = sizesOf(shown).map(([letter, size]) => `${letter}=${size}`).join(" ")
    const rows = counted.rows.map((row) => [
      row.name, row.block, row.shape.join("×"), row.letters.join("×"), row.one, row.layers, row.number, row.trainable, row.tied, modelClass, sizes])
    const total = ["total", "", "", "", "", "", counted.total, counted.trainable, "", modelClass, sizes]
    return `${[head, ...rows, total].map((row) => row.join(",")).join("\n")}\n`
  }

  /** Integers as they are, of any length. @param {unknown} value @returns {string} */
  function json(value, indent = "") {
    if (typeof value === "bigint") return String(value)
    if (Array.isArray(value)) {
      if (value.every((each) => typeof each !== "object")) return `[${value.map((each) => json(each)).join(", ")}]`
      return `[\n${value.map((each) => `${indent}  ${json(each, `${indent}  `)}`).join(",\n")}\n${indent}]`
    }
    if (value && typeof value === "object") {
      const entries = Object.entries(value).map(([key, each]) => `${indent}  ${JSON.stringify(key)}: ${json(each, `${indent}  `)}`)
      return `{\n${entries.join(",\n")}\n${indent}}`
    }
    return JSON.stringify(value)
  }

  /** @param {Shown} shown */
  function jsonOf({ configuration, counted }) {
    const { modelClass, biases, frozen, lora } = configuration
    const { total, trainable, formula, bytes } = counted
    const parts = counted.parts.map((part) => ({ block: part.block, parameters: part.number, trainable: part.trainable }))
    const tensors = counted.rows.map(({ name, block, shape, layers, number, trainable, tied }) =>
      ({ name, block, shape, layers, parameters: number, trainable, tied_to: tied || null }))
    const config = configurations.config(configuration)
    const made = { model_class: modelClass, config, biases, frozen, lora, total, trainable, formula, parts, tensors, bytes }
    return `${json(made)}\n`
  }

  /** @param {Shown} shown */
  function markdown(shown) {
    const { configuration, counted } = shown
    const sizes = sizesOf(shown).map(([letter, size]) => `${letter} = ${whole(size)}`).join(", ")
    const rows = counted.parts.map(({ title, number, share }) => `| ${title} | ${whole(number)} | ${percentage(share)} |`)
    return [
      `**${configuration.modelClass}** with ${sizes}: ${whole(counted.total)} ${noun(counted.total, "parameter")}${counted.trainable === counted.total ? "" : `, ${whole(counted.trainable)} trainable`}`, "",
      "| part | parameters | share |", "|---|--:|--:|", ...rows, `| **total** | **${whole(counted.total)}** | ${percentage(1)} |`, "",
      `\`${counted.formula}\``, "",
    ].join("\n")
  }

  // --- The snippet ------------------------------------------------------------

  /** PEFT's name for what a class is for, by how the class's name ends; it copies the heads of these. @type {Record<string, string>} */
  const TASKS = { ForSequenceClassification: "SEQ_CLS", ForTokenClassification: "TOKEN_CLS", ForQuestionAnswering: "QUESTION_ANS" }
  const PEFT = "base_model.model."

  /** A value in Python. @param {unknown} value */
  const python = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : typeof value === "bigint" ? String(value) : JSON.stringify(value))

  /** Python that builds this configuration without memory for its weights, and prints what it counts.
   * @param {Shown} shown */
  function snippetOf({ configuration, counted, note, offered }) {
    const { modelClass, architecture, biases, frozen, lora, choices } = configuration
    const bare = engine.classOfBare(architecture)
    const configClass = `${bare.replace(/Model$/, "")}Config`
    const keys = Object.entries(configurations.config(configuration)).filter(([key]) => key !== "model_type")
    const without = modelClass === bare && offered.pooler && !choices.pooler ? ", add_pooling_layer=False" : ""
    const isFrozen = !lora && (frozen.embeddings || frozen.all_but_head || frozen.layers > 0n)
    const left = biases ? "list(model.parameters())" : '[p for name, p in model.named_parameters() if not name.endswith("bias") or "norm" in name.lower()]'
    return [
      ...(note ? [`# ${note}`] : []), "import torch", ...(lora ? ["from peft import LoraConfig, get_peft_model"] : []), `from transformers import ${configClass}, ${modelClass}`, "",
      `config = ${configClass}(`, ...keys.map(([key, value]) => `    ${key}=${python(value)},`), ")",
      'with torch.device("meta"):  # no memory for the weights', `    model = ${modelClass}(config${without})`,
      ...(isFrozen ? frozenLines(configuration, counted) : []), ...(lora ? loraLines(lora, modelClass, counted) : []), "",
      ...(biases ? [] : ["# all but the biases of dense layers; LayerNorm keeps its shift"]), `parameters = ${left}`,
      `print(sum(p.numel() for p in parameters))  # ${counted.total}`,
      ...(lora || isFrozen ? [`print(sum(p.numel() for p in parameters if p.requires_grad))  # ${counted.trainable}`] : []), "",
    ].join("\n")
  }

  /** @param {Configuration} configuration @param {Counted} counted */
  function frozenLines({ frozen: { embeddings, layers, all_but_head: body }, sizes }, { rows }) {
    const name = rows.find((row) => row.path.includes("layer_*"))?.name ?? ""
    const list = `model.get_submodule("${name.slice(0, name.indexOf(".*"))}")`
    // ALBERT's layers stand in groups.
    const each = "G" in sizes ? `[layer for group in ${list} for layer in group.albert_layers]` : list
    return [
      ...(body ? ["model.base_model.requires_grad_(False)"] : []),
      ...(embeddings ? ["model.base_model.embeddings.requires_grad_(False)"] : []),
      ...(layers && name ? [`for layer in ${each}[:${layers}]:`, "    layer.requires_grad_(False)"] : []),
    ]
  }

  /** The modules are named in full, as some endings fit several. @param {Lora} lora @param {string} modelClass @param {Counted} counted */
  function loraLines({ rank }, modelClass, { rows }) {
    const adapted = rows.filter((row) => row.added === "lora" && row.path.endsWith("lora_A")).map((row) =>
      row.name.slice(PEFT.length, row.name.indexOf(".lora_A")).replace(/\./g, "\\.").replace(/\*/g, "\\d+"))
    const task = Object.entries(TASKS).find(([ending]) => modelClass.endsWith(ending))?.[1]
    return [
      "lora = LoraConfig(", `    r=${rank},`, "    target_modules=(", ...adapted.map((each, place) => `        r"${place ? "|" : ""}${each}"`), "    ),",
      ...(task ? [`    task_type="${task}",`] : []), ")", "model = get_peft_model(model, lora)",
    ]
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
  /** @param {string} text */
  function copy(text) {
    navigator.clipboard.writeText(text).then(() => (status.textContent = "Copied"), () => (status.textContent = "The browser does not allow it"))
  }
  /** @param {(shown: Shown) => void} act */
  const with_ = (act) => () => last && act(last)

  const buttons = element("div", { class: "bc-controls" },
    button("Download CSV", with_((shown) => download("bert-counted.csv", csv(shown), "text/csv"))),
    button("Download JSON", with_((shown) => download("bert-counted.json", jsonOf(shown), "application/json"))))
  // Only a page that came safely may write to the clipboard.
  if (navigator.clipboard) buttons.append(
    button("Copy as Markdown", with_((shown) => copy(markdown(shown)))),
    button("Copy the snippet", with_((shown) => copy(snippetOf(shown)))),
    button("Copy the address", () => copy(location.href)))
  buttons.append(status)
  place("export-place").append(buttons,
    element("p", { class: "bc-hint" }, "Run this where transformers is installed, and it prints the same total; nothing is downloaded:"),
    snippet)

  /** @param {Shown} shown */
  function show(shown) {
    last = shown
    say(snippet, snippetOf(shown))
  }

  calculator.panels.push({ show, place: place("export-place") })
  Object.assign(calculator, { exports: { csv, json: jsonOf, markdown, snippetOf } })
}
