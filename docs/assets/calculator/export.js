"use strict"
// What a reader takes along: the tensors as CSV and JSON, a table in Markdown,
// a snippet for transformers that prints the same total, and the address.
{
  const { live, elements, calculator, configuration: configurations, changes, engine } = bertCounted
  const { button, place, say } = live
  const { element, code } = elements
  const { whole } = engine

  const status = element("span", { role: "status" })
  const snippet = code("")
  /** @type {Shown | null} */
  let last = null

  // --- The texts --------------------------------------------------------------

  /** @param {string | bigint} value */
  const csvCell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : String(value))

  /** @param {Shown} shown */
  function csv({ counted }) {
    const head = ["name", "block", "shape", "letters", "elements", "layers", "parameters", "trainable", "tied_to"]
    const rows = counted.rows.map((row) => [
      row.name, row.block, row.shape.join("×"), row.letters.join("×"), row.one, row.layers, row.number, row.trainable, row.tied])
    const total = ["total", "", "", "", "", "", counted.total, counted.trainable, ""]
    return `${[head, ...rows, total].map((row) => row.map(csvCell).join(",")).join("\n")}\n`
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
      return entries.length ? `{\n${entries.join(",\n")}\n${indent}}` : "{}"
    }
    return JSON.stringify(value)
  }

  /** @param {Shown} shown */
  const jsonOf = ({ configuration, counted }) => `${json({
    model_class: configuration.modelClass,
    config: configurations.config(configuration),
    biases: configuration.biases, frozen: configuration.frozen, lora: configuration.lora,
    total: counted.total, trainable: counted.trainable, formula: counted.formula,
    parts: counted.parts.map(({ block, number, trainable }) => ({ block, parameters: number, trainable })),
    tensors: counted.rows.map(({ name, block, shape, layers, number, trainable, tied }) =>
      ({ name, block, shape, layers, parameters: number, trainable, tied_to: tied || null })),
    bytes: counted.bytes,
  })}\n`

  /** @param {Shown} shown */
  function markdown({ configuration, counted }) {
    const sizes = Object.entries(configuration.sizes).map(([letter, size]) => `${letter} = ${whole(size)}`).join(", ")
    const rows = counted.parts.map(({ title, number, share }) => `| ${title} | ${whole(number)} | ${live.percentage(share)} |`)
    return [
      `**${configuration.modelClass}** with ${sizes}: ${whole(counted.total)} parameters${counted.trainable === counted.total ? "" : `, ${whole(counted.trainable)} trainable`}`, "",
      "| part | parameters | share |", "|---|--:|--:|", ...rows, `| **total** | **${whole(counted.total)}** | 100.0% |`, "",
      `\`${counted.formula}\``, "",
    ].join("\n")
  }

  // --- The snippet ------------------------------------------------------------

  /** A value in Python. @param {unknown} value */
  const python = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : typeof value === "bigint" ? String(value) : JSON.stringify(value))

  /** Python that builds this configuration without memory for its weights, and prints what it counts. @param {Configuration} configuration */
  function snippetOf(configuration) {
    const { modelClass, architecture, biases, frozen, lora, choices } = configuration
    const configClass = `${engine.classOfBare(architecture).replace(/Model$/, "")}Config`
    const keys = Object.entries(configurations.config(configuration)).filter(([key]) => key !== "model_type")
    const bare = modelClass === engine.classOfBare(architecture)
    const offered = changes.offered(configuration)
    const without = bare && offered.pooler && !choices.pooler ? ", add_pooling_layer=False" : ""
    const frozenAny = frozen.embeddings || frozen.all_but_head || frozen.layers > 0n
    const lines = [
      "import torch", ...(lora ? ["from peft import LoraConfig, get_peft_model"] : []), `from transformers import ${configClass}, ${modelClass}`, "",
      `config = ${configClass}(`, ...keys.map(([key, value]) => `    ${key}=${python(value)},`), ")",
      'with torch.device("meta"):  # no memory for the weights', `    model = ${modelClass}(config${without})`,
    ]
    if (!biases) lines.push("for module in model.modules():", "    if isinstance(module, torch.nn.Linear):", "        module.bias = None")
    if (frozenAny && !lora) lines.push(...frozenLines(configuration))
    if (lora) lines.push(...loraLines(configuration))
    lines.push("", "parameters = list(model.parameters())", "print(sum(p.numel() for p in parameters))")
    if (lora || frozenAny) lines.push("print(sum(p.numel() for p in parameters if p.requires_grad))")
    return `${lines.join("\n")}\n`
  }

  /** @param {Configuration} configuration */
  function frozenLines({ frozen }) {
    const lines = ["model_body = model.base_model"]
    if (frozen.all_but_head) lines.push("model_body.requires_grad_(False)")
    if (frozen.embeddings) lines.push("model_body.embeddings.requires_grad_(False)")
    if (frozen.layers) lines.push(`for layer in model_body.encoder.layer[:${frozen.layers}]:`, "    layer.requires_grad_(False)")
    return lines
  }

  /** @param {Configuration} configuration */
  function loraLines({ lora }) {
    const modules = lora?.modules ?? []
    const targets = modules.includes("all-linear") ? '"all-linear"' : `[${modules.map((each) => JSON.stringify(each)).join(", ")}]`
    return [`model = get_peft_model(model, LoraConfig(r=${lora?.rank}, target_modules=${targets}))`]
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
    button("Copy the snippet", with_((shown) => copy(snippetOf(shown.configuration)))),
    button("Copy the address", () => copy(location.href)))
  buttons.append(status)
  place("export-place").append(buttons,
    element("p", { class: "bc-hint" }, "Run this where transformers is installed, and it prints the same total; nothing is downloaded:"),
    element("pre", { class: "bc-snippet", tabindex: "0" }, snippet))

  /** @param {Shown} shown */
  function show(shown) {
    last = shown
    say(snippet, snippetOf(shown.configuration))
  }

  calculator.panels.push(show)
  Object.assign(calculator, { exports: { csv, json: jsonOf, markdown, snippetOf } })
}
