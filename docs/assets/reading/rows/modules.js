// Reads the output of `print(model)` in PyTorch. Modules are nested, each as
// `(name): Class(arguments)`; torch 2 folds equal ones into `(0-11): 12 x Class(`. The
// print has no counts, but the arguments of each class say which tensors it holds. A
// profile by DeepSpeed is the same print with its figures put before the arguments.
//
// The text is read by its brackets alone, so lost line breaks and indentation do not
// matter. A bracket that is missing moves modules up or down by a level; names are
// matched by their ends, so that mostly does no harm.

import { textRow } from "./text-row.js"

const MOST_ROWS = 200_000
const MOST_LAYERS = 1000
const MOST_DEPTH = 100 // of modules within one another; real models have ten

/** @typedef {object} Module
 * @property {string} name
 * @property {string} type
 * @property {number} start  where its arguments begin
 * @property {number} end  where they end: at its first child, or at its closing bracket
 * @property {number} brackets  open brackets among the arguments
 * @property {Module[]} children
 * @property {number} line */

const SIGN = /\(([\w.-]+)\):[ \t]*(?:[0-9]+\s*x\s+)?([A-Za-z_][\w.]*)\s*\(|\(|\)|\n/g
const PARAMETER =
  /\((\w+)\): Parameter containing: \[[\w.]*(Float|Half|BFloat16|Double)?[\w.]* of size ([0-9]+(?:x[0-9]+)*)/g

/** The modules of a text, outermost first, in a tree. @param {string} text */
function treeOf(text) {
  /** @type {Module[]} */
  const roots = []
  /** @type {Module[]} */
  const open = []
  let line = 0
  /** @param {string} name @param {string} type @param {number} at @param {number} start */
  const begin = (name, type, at, start) => {
    const module = { name, type, start, end: -1, brackets: 0, children: [], line }
    const parent = open.at(-1)
    if (parent) {
      if (parent.end < 0) parent.end = at
      parent.children.push(module)
    } else roots.push(module)
    open.push(module)
  }
  for (const match of text.matchAll(SIGN)) {
    const [sign, name, type] = match
    const top = open.at(-1)
    if (sign === "\n") {
      // A leaf whose line was cut has lost its closing bracket; the arguments of a module with children begin on the next line.
      if (top && top.line === line && text.slice(top.start, match.index).trim()) {
        if (top.end < 0) top.end = match.index
        open.pop()
      }
      line += 1
    } else if (name) begin(name, type, match.index, match.index + sign.length)
    else if (sign === "(" && top) top.brackets += 1
    else if (sign === "(") {
      const [root] = /[A-Za-z_]\w*$/.exec(text.slice(Math.max(0, match.index - 80), match.index)) ?? []
      if (root) begin("", root, match.index, match.index + 1)
    } else if (top?.brackets) top.brackets -= 1
    else if (top) {
      if (top.end < 0) top.end = match.index
      open.pop()
    }
    // A type may be followed by line breaks before its bracket, which belong to it.
    if (name) line += sign.split("\n").length - 1
  }
  for (const module of open) if (module.end < 0) module.end = text.length
  return roots
}

/** The arguments of a class by position and by name. @param {string} text */
function argumentsIn(text) {
  /** @type {string[]} */
  const positional = []
  /** @type {Record<string, string>} */
  const keywords = Object.create(null)
  const plain = text.replace(/[0-9.]+ ?[KMGTkmgtun]?[A-Za-z]* = [0-9.]+% [\w ]+,?|[0-9.]+ [KMGT]?FLOPS,?/g, "")
  for (const piece of plain.match(/(?:[^,()]|\([^()]*\))+/g) ?? []) {
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(piece) ?? []
    if (key) keywords[key] = value
    else if (piece.trim()) positional.push(piece.trim())
  }
  return { positional, keywords }
}

/** @param {string | undefined} text */
const numbersIn = (text) => (text?.match(/[0-9]+/g) ?? []).map(Number)

/** The tensors of a module by the arguments of its class; null if the class holds none of its own, or none that its
 * arguments give.
 * @param {string} type @param {string} text  its arguments
 * @returns {[name: string, shape: number[]][] | null} */
function tensorsOf(type, text) {
  const kind = /** @type {string} */ (type.split(".").at(-1))
  const { positional, keywords } = argumentsIn(text)
  const hasBias = keywords.bias !== "False"
  const at = (/** @type {number} */ index, /** @type {string} */ key) =>
    numbersIn(keywords[key] ?? positional[index])[0]
  /** @param {number[]} weight @param {number} bias @returns {[string, number[]][]} */
  const pair = (weight, bias) =>
    hasBias
      ? [
          ["weight", weight],
          ["bias", [bias]],
        ]
      : [["weight", weight]]
  if (/Embedding$/.test(kind) && positional.length >= 2 && /^[0-9]+$/.test(positional[0]))
    return [["weight", [at(0, "num_embeddings"), at(1, "embedding_dim")]]]
  if (/Linear(?:8bitLt|4bit)?$|^Dense$/.test(kind)) {
    const [into, out] = [at(0, "in_features"), at(1, "out_features")]
    return into && out ? pair([out, into], out) : null
  }
  if (kind === "Conv1D") {
    const [out, into] = [at(0, "nf"), at(1, "nx")]
    return into && out ? pair([into, out], out) : null
  }
  if (/^Conv[123]d$/.test(kind)) {
    const [into, out] = [at(0, "in_channels"), at(1, "out_channels")]
    const groups = numbersIn(keywords.groups)[0] || 1
    const kernel = numbersIn(keywords.kernel_size)
    return into && out && kernel.length ? pair([out, into / groups, ...kernel], out) : null
  }
  if (/Norm(?:[123]d)?$|LayerNormalization$/.test(kind)) {
    const shape = numbersIn(
      /^\(/.test(positional[0] ?? "") ? positional[0] : (positional[0] ?? keywords.normalized_shape),
    )
    if (!shape.length || keywords.elementwise_affine === "False" || keywords.affine === "False") return null
    return /RMS/.test(kind) || !hasBias
      ? [["weight", shape]]
      : [
          ["weight", shape],
          ["bias", shape],
        ]
  }
  if (/^(?:LSTM|GRU|RNN)$/.test(kind)) return recurrent(kind, at(0, "input_size"), at(1, "hidden_size"), keywords)
  return null
}

/** The tensors of a recurrent network. @param {string} kind @param {number} into @param {number} hidden
 * @param {Record<string, string>} keywords @returns {[string, number[]][] | null} */
function recurrent(kind, into, hidden, keywords) {
  if (!into || !hidden) return null
  const gates = { LSTM: 4, GRU: 3, RNN: 1 }[kind] ?? 1
  const directions = keywords.bidirectional === "True" ? ["", "_reverse"] : [""]
  const layers = Math.min(numbersIn(keywords.num_layers)[0] || 1, MOST_LAYERS)
  return Array.from({ length: layers }, (_, layer) => {
    const width = layer ? hidden * directions.length : into
    return directions.flatMap((way) => {
      /** @type {[string, number[]][]} */
      const matrices = [
        [`weight_ih_l${layer}${way}`, [gates * hidden, width]],
        [`weight_hh_l${layer}${way}`, [gates * hidden, hidden]],
      ]
      if (keywords.bias === "False") return matrices
      for (const side of ["ih", "hh"]) matrices.push([`bias_${side}_l${layer}${way}`, [gates * hidden]])
      return matrices
    })
  }).flat()
}

/** The names that a module stands for: one, or one for each number of a range such as 0-11. @param {string} name */
function namesIn(name) {
  const [, first, last] = /^([0-9]+)-([0-9]+)$/.exec(name) ?? []
  if (!first) return [name]
  const count = Number(last) - Number(first) + 1
  return count > 0 && count <= MOST_LAYERS
    ? Array.from({ length: count }, (_, index) => String(Number(first) + index))
    : [name]
}

/** Whether a text shows modules as PyTorch prints them. @param {string} text */
export const showsModules = (text) =>
  (text.match(/\([\w.-]+\):\s*(?:[0-9]+\s*x\s+)?[A-Za-z_][\w.]*\s*\(/g) ?? []).length >= 2

/** The tensors of all modules in a text.
 * @param {string} text @param {TextLine[]} lines  by their index
 * @returns {Pick<PrintOut, "rows" | "depths" | "mentions">} */
export function moduleRows(text, lines) {
  /** @type {TextRow[]} */
  const rows = []
  /** @type {number[]} */
  const depths = []
  /** @type {Set<string>} */
  const mentions = new Set()
  /** @param {Module} module @param {string} name @param {[string, number[]][]} tensors @param {number} depth */
  const add = (module, name, tensors, depth) => {
    for (const [tensor, shape] of tensors)
      rows.push(
        textRow(lines[module.line], { name: name ? `${name}.${tensor}` : tensor, type: module.type, shape, depth }),
      )
  }
  /** @param {Module} module @param {string} above @param {number} depth */
  const walk = (module, above, depth) => {
    const inside = text.slice(module.start, module.end)
    mentions.add(module.type)
    const names = namesIn(module.name)
    if (/^(?:[0-9]+)(?:-[0-9]+)?$/.test(module.name)) depths.push(Number(names.at(-1)) + 1)
    const tensors = tensorsOf(module.type, inside)
    // The tensors of a module that holds others lie in it, beside those.
    const inner = module.children.length ? depth + 1 : depth
    if (module.children.length)
      rows.push(
        textRow(lines[module.line], {
          name: [above, module.name].filter(Boolean).join("."),
          type: module.type,
          depth,
          container: true,
        }),
      )
    for (const name of names) {
      if (rows.length > MOST_ROWS) return
      const path = [above, name].filter(Boolean).join(".")
      if (tensors) add(module, path, tensors, inner)
      else if (/Norm$/.test(module.type) && !inside.trim() && !module.children.length) unsized(module, path, depth)
      const output = module.children.find((child) => child.name === "out_proj")
      if (module.type === "MultiheadAttention" && output) {
        // torch prints only the output matrix of this class; query, key and value are in one tensor beside it.
        const [width] = numbersIn(argumentsIn(text.slice(output.start, output.end)).keywords.out_features)
        if (width)
          add(
            module,
            path,
            [
              ["in_proj_weight", [3 * width, width]],
              ["in_proj_bias", [3 * width]],
            ],
            inner,
          )
      }
      if (depth < MOST_DEPTH) for (const child of module.children) walk(child, path, depth + 1)
    }
  }
  /** A module whose class prints no sizes, such as BertLayerNorm().
   * @param {Module} module @param {string} path @param {number} depth */
  const unsized = (module, path, depth) => {
    for (const tensor of ["weight", "bias"])
      rows.push(textRow(lines[module.line], { name: `${path}.${tensor}`, type: module.type, depth }))
  }
  for (const root of treeOf(text)) walk(root, "", 0)
  for (const match of text.matchAll(PARAMETER)) {
    const line = lines[text.slice(0, match.index).split("\n").length - 1]
    rows.push(textRow(line, { name: match[1], type: "Parameter", shape: match[3].split("x").map(Number) }))
  }
  return { rows, depths, mentions: [...mentions] }
}
