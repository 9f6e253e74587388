// Reads the output of `print(model)` in PyTorch. Modules are nested, each printed as
// `(name): Class(arguments)`; torch 2 folds equal ones into `(0-11): 12 x Class(`. The
// output has no counts, but the arguments of each class show which tensors the module
// has. The profiles of DeepSpeed and ptflops are the same output with figures in front of the arguments.
//
// Brackets determine the structure, so lost line breaks and indentation do not
// matter. A missing bracket moves modules up or down by a level. This rarely does any
// harm, because names are matched by their endings.
//
// First treeOf() builds a tree of the modules; then moduleRows() walks it and adds the
// tensors of each module. Apart from torch's MultiheadAttention, pytorch-crf's layer and DoRA's
// magnitude vectors, only basic layers, such as Linear, and lists of parameters are handled here,
// because classes such as BertSelfAttention have no tensors other than those of the modules inside
// them.

import { numbersOf, textRow } from "./text-row.js"

// Limits against malicious texts, which may nest one range of thousands of layers in another.
const MAX_ROWS = 200_000
const MAX_LAYERS = 1000
const MAX_DEPTH = 100 // the deepest nesting; real models have about ten levels

/** A module in the text.
 * @typedef {object} Module
 * @property {string} name
 * @property {string} type
 * @property {number} start  the position at which its arguments begin in the text
 * @property {number} end  the position at which they end: that of its first child or of its closing bracket
 * @property {number} brackets  the number of open brackets within its arguments
 * @property {Module[]} children
 * @property {number} line  the index of its line */

/** The start of a module with its name and class, a single bracket, or the end of a line. */
const TOKEN = /(?<!\w)\(([\w.,-]+)\):\s*(?:[0-9]+\s*x\s+)?([A-Za-z_][\w.]*)\s*\(|\(|\)|\n/g
/** A tensor of a ParameterList or ParameterDict, as PyTorch prints it. */
const PARAMETER = /\((\w+)\): Parameter containing: \[[\w.]* of size ([0-9]+(?:x[0-9]+)*)/g

/** The beginning of a line that goes on with arguments, because a narrow window has wrapped it. */
const CONTINUATION = /^\n\s*(?:[0-9]|\w+=|\w+\))/

/** The maximum number of characters that are searched for a class before the outermost bracket, and for arguments after
 * a line break. */
const MAX_SEARCHED = 80

/** The outermost modules of a text, each with its children, and whether all of their brackets are closed.
 * @param {string} text */
function treeOf(text) {
  /** @type {Module[]} */
  const roots = []
  /** @type {Module[]} the modules whose brackets are open, the innermost last */
  const openModules = []
  let line = 0
  /** Opens a new module.
   * @param {string} name @param {string} type @param {number} position  the position of the match that begins it
   * @param {number} start  the position at which its arguments begin */
  const begin = (name, type, position, start) => {
    const module = { name, type, start, end: -1, brackets: 0, children: [], line }
    const parent = openModules.at(-1)
    if (parent) {
      if (parent.end < 0) parent.end = position
      parent.children.push(module)
    } else roots.push(module)
    openModules.push(module)
  }
  /** Closes the innermost module. @param {number} position */
  const close = (position) => {
    const module = openModules.pop()
    if (module && module.end < 0) module.end = position
  }
  for (const match of text.matchAll(TOKEN)) {
    const [token, name, type] = match
    const innermost = openModules.at(-1)
    if (token === "\n") {
      // A leaf whose line was cut off has lost its closing bracket, unless its arguments go on in the next line. If a
      // module has children, nothing follows its bracket on the line.
      const isContinued = CONTINUATION.test(text.slice(match.index, match.index + MAX_SEARCHED))
      if (innermost && innermost.line === line && text.slice(innermost.start, match.index).trim() && !isContinued)
        close(match.index)
      line += 1
    } else if (name) begin(name, type, match.index, match.index + token.length)
    else if (token === "(" && innermost) innermost.brackets += 1
    else if (token === "(") {
      const [root] = /[A-Za-z_]\w*$/.exec(text.slice(Math.max(0, match.index - MAX_SEARCHED), match.index)) ?? []
      if (root) begin("", root, match.index, match.index + 1)
    } else if (innermost?.brackets) innermost.brackets -= 1
    else close(match.index)
    // There may be line breaks between a class and its bracket, which are part of the match.
    if (name) line += token.split("\n").length - 1
  }
  const isClosed = !openModules.length
  while (openModules.length) close(text.length)
  return { roots, isClosed }
}

/** A profiler's figure among the arguments: DeepSpeed's "23.84 M = 21.77% Params," and "1.2 GFLOPS,", and ptflops's
 * "23.84 M, 21.772% Params,". */
const FIGURE = /(?<![0-9.])[0-9.]+ ?[KMGTkmgtun]?[A-Za-z]*(?: =|,) [0-9.]+% [\w ]+,?|(?<![0-9.])[0-9.]+ [KMGT]?FLOPS,?/g

/** The positional and keyword arguments in a string. @param {string} text */
function argumentsIn(text) {
  /** @type {string[]} */
  const positional = []
  /** @type {Record<string, string>} */
  const keywords = Object.create(null)
  // A comma within brackets does not separate arguments.
  for (const piece of text.replace(FIGURE, "").match(/(?:[^,()]|\([^()]*\))+/g) ?? []) {
    const [, key, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(piece) ?? []
    if (key) keywords[key] = value
    else if (piece.trim()) positional.push(piece.trim())
  }
  return { positional, keywords }
}

/** The name and shape of a tensor in its module. @typedef {[name: string, shape: number[]]} NamedShape */

/** The tensors of a module, from its class and arguments; null if the class has no tensors of its own or the arguments
 * do not give their shapes.
 * @param {string} type @param {string} text  its arguments @returns {NamedShape[] | null} */
function tensorsOf(type, text) {
  const kind = /** @type {string} */ (type.split(".").at(-1))
  const { positional, keywords } = argumentsIn(text)
  // In code, the bias of nn.Linear may also be its third argument.
  const bias = keywords.bias ?? (kind === "Linear" ? positional[2] : undefined)
  const hasBias = bias !== "False"
  /** The first number in an argument, which may be passed by position or by name.
   * @param {number} index @param {string} key */
  const argumentAt = (index, key) => numbersOf(keywords[key] ?? positional[index] ?? "")[0]
  /** A weight and, unless the arguments switch it off, its bias, of these shapes.
   * @param {number[]} weight @param {number[]} biasShape @returns {NamedShape[]} */
  const weightAndBias = (weight, biasShape) => [
    ["weight", weight],
    ...(hasBias ? [/** @type {NamedShape} */ (["bias", biasShape])] : []),
  ]
  if (/Embedding$/.test(kind) && positional.length >= 2 && /^[0-9]+$/.test(positional[0]))
    return [["weight", [argumentAt(0, "num_embeddings"), argumentAt(1, "embedding_dim")]]]
  if (/Linear(?:8bitLt|4bit|_\w+)?$|^Dense$/.test(kind)) {
    const [inputs, outputs] = [argumentAt(0, "in_features"), argumentAt(1, "out_features")]
    return inputs && outputs ? weightAndBias([outputs, inputs], [outputs]) : null
  }
  // The dense layer in OpenAI's code, whose matrix is the transpose of Linear's.
  if (kind === "Conv1D") {
    const [outputs, inputs] = [argumentAt(0, "nf"), argumentAt(1, "nx")]
    return inputs && outputs ? weightAndBias([inputs, outputs], [outputs]) : null
  }
  if (/^Conv[123]d$/.test(kind)) {
    const [inputs, outputs] = [argumentAt(0, "in_channels"), argumentAt(1, "out_channels")]
    const groups = numbersOf(keywords.groups ?? "")[0] || 1
    const kernel = numbersOf(keywords.kernel_size ?? "")
    return inputs && outputs && kernel.length ? weightAndBias([outputs, inputs / groups, ...kernel], [outputs]) : null
  }
  if (/Norm(?:[123]d)?$|LayerNormalization$/.test(kind)) {
    const shape = numbersOf(positional[0] ?? keywords.normalized_shape ?? "")
    if (!shape.length || keywords.elementwise_affine === "False" || keywords.affine === "False") return null
    return /RMS/.test(kind) ? [["weight", shape]] : weightAndBias(shape, shape)
  }
  if (/^(?:LSTM|GRU|RNN)$/.test(kind))
    return recurrentTensors(kind, argumentAt(0, "input_size"), argumentAt(1, "hidden_size"), keywords)
  if (kind === "CRF") return transitionTensors(argumentAt(0, "num_tags"))
  return null
}

/** The tensors of pytorch-crf's layer, which prints only the number of tags: a score for each tag to come first, one
 * for each to come last, and one for each pair of consecutive tags; null if the number is missing.
 * @param {number} tags @returns {NamedShape[] | null} */
const transitionTensors = (tags) =>
  tags
    ? [
        ["start_transitions", [tags]],
        ["end_transitions", [tags]],
        ["transitions", [tags, tags]],
      ]
    : null

/** The tensors that a layer of this class usually has but the arguments switch off: a bias, or the scale and shift of a
 * LayerNorm.
 * @param {string} type @param {string} text  its arguments @returns {NamedShape[]} */
function absentTensors(type, text) {
  const presentTensors = tensorsOf(type, text) ?? []
  const usualTensors = tensorsOf(type, text.replace(/\b(bias|elementwise_affine)\s*=\s*False/g, "$1=True")) ?? []
  return usualTensors.slice(presentTensors.length)
}

/** The tensors of a recurrent network; null if the input size or hidden size is missing. Each layer has two matrices
 * per direction, one for the input and one for the state, with one row per gate and hidden feature, and two biases
 * unless the arguments switch them off.
 * @param {string} kind @param {number} inputs @param {number} hidden @param {Record<string, string>} keywords
 * @returns {NamedShape[] | null} */
function recurrentTensors(kind, inputs, hidden, keywords) {
  if (!inputs || !hidden) return null
  const gates = { LSTM: 4, GRU: 3, RNN: 1 }[kind] ?? 1
  const directions = keywords.bidirectional === "True" ? ["", "_reverse"] : [""]
  const layers = Math.min(numbersOf(keywords.num_layers ?? "")[0] || 1, MAX_LAYERS)
  return Array.from({ length: layers }, (_, layer) => {
    const width = layer ? hidden * directions.length : inputs
    return directions.flatMap((direction) => {
      const suffix = `l${layer}${direction}`
      /** @type {NamedShape[]} */
      const matrices = [
        [`weight_ih_${suffix}`, [gates * hidden, width]],
        [`weight_hh_${suffix}`, [gates * hidden, hidden]],
      ]
      /** @type {NamedShape[]} */
      const biases = [
        [`bias_ih_${suffix}`, [gates * hidden]],
        [`bias_hh_${suffix}`, [gates * hidden]],
      ]
      return keywords.bias === "False" ? matrices : [...matrices, ...biases]
    })
  }).flat()
}

/** The names that a printed module name covers: the name itself, every number of a range such as 0-11, unless it is
 * longer than `MAX_LAYERS`, or the names in a list such as query,key,value.
 * @param {string} name */
function namesIn(name) {
  if (name.includes(",")) return name.split(",")
  const [, first, last] = /^([0-9]+)-([0-9]+)$/.exec(name) ?? []
  if (!first) return [name]
  const count = Number(last) - Number(first) + 1
  return count > 0 && count <= MAX_LAYERS
    ? Array.from({ length: count }, (_, index) => String(Number(first) + index))
    : [name]
}

/** The beginning of the outermost module, alone on its line. */
const OUTERMOST = /^\s*[A-Z]\w*\(\s*$/m

/** Whether a text shows at least two modules as PyTorch prints them; the outermost one counts if it is alone on its
 * line.
 * @param {string} text */
export const showsModules = (text) =>
  (text.match(/\([\w.-]+\):\s*(?:[0-9]+\s*x\s+)?[A-Za-z_][\w.]*\s*\(/g) ?? []).length >= (OUTERMOST.test(text) ? 1 : 2)

/** A path extended by a name. Either may be "". @param {string} path @param {string} name */
const joinedPath = (path, name) => [path, name].filter(Boolean).join(".")

/** The joint projection of query, key and value in torch's MultiheadAttention, which prints only its output projection.
 * @param {string} outputArguments  the arguments of the output projection @returns {NamedShape[]} */
function inputProjection(outputArguments) {
  const [width] = numbersOf(argumentsIn(outputArguments).keywords.out_features ?? "")
  if (!width) return []
  return [
    ["in_proj_weight", [3 * width, width]],
    ["in_proj_bias", [3 * width]],
  ]
}

/** The tensors of a ParameterList or ParameterDict. @param {string} text  its arguments @returns {NamedShape[]} */
const parametersIn = (text) =>
  [...text.matchAll(PARAMETER)].map(([, name, shape]) => [name, shape.split("x").map(Number)])

/** Collects the rows of the modules in a text. */
class RowCollector {
  /** @type {TextRow[]} */
  rows = []
  /** Rows for the tensors that the arguments of modules switch off. @type {TextRow[]} */
  absentRows = []
  /** The numbers of layers that ranges such as (0-11) state. @type {number[]} */
  statedDepths = []
  /** The numbers of layers that single layers such as (11) show. @type {number[]} */
  shownDepths = []
  /** @type {Set<string>} */
  mentions = new Set()

  /** @param {string} text @param {TextLine[]} lines  all lines of the text, by index */
  constructor(text, lines) {
    this.text = text
    this.lines = lines
  }

  /** Adds rows for tensors of a module.
   * @param {Module} module @param {string} path @param {NamedShape[]} tensors @param {number} depth
   * @param {TextRow[]} [list]  the list to which the rows are added */
  add(module, path, tensors, depth, list = this.rows) {
    for (const [name, shape] of tensors)
      list.push(textRow(this.lines[module.line], { name: joinedPath(path, name), type: module.type, shape, depth }))
  }

  /** Adds rows without shapes for a module whose class prints no sizes, such as BertLayerNorm().
   * @param {Module} module @param {string} path @param {number} depth */
  addWithoutSizes(module, path, depth) {
    for (const name of ["weight", "bias"])
      this.rows.push(textRow(this.lines[module.line], { name: joinedPath(path, name), type: module.type, depth }))
  }

  /** Adds the rows of a module and of the modules inside it, in every layer that it stands for.
   * @param {Module} module @param {string} parentPath @param {number} depth */
  walk(module, parentPath, depth) {
    this.mentions.add(module.type)
    const names = namesIn(module.name)
    if (/^[0-9]+(?:-[0-9]+)?$/.test(module.name))
      (module.name.includes("-") ? this.statedDepths : this.shownDepths).push(Number(names.at(-1)) + 1)
    if (module.children.length) {
      const name = joinedPath(parentPath, module.name)
      this.rows.push(textRow(this.lines[module.line], { name, type: module.type, depth, isContainer: true }))
    }
    for (const name of names) {
      if (this.rows.length > MAX_ROWS) return
      const path = joinedPath(parentPath, name)
      this.addTensors(module, path, depth)
      if (depth < MAX_DEPTH) for (const child of module.children) this.walk(child, path, depth + 1)
    }
  }

  /** Adds the rows of a module's own tensors. @param {Module} module @param {string} path @param {number} depth */
  addTensors(module, path, depth) {
    const argumentText = this.text.slice(module.start, module.end)
    const tensors = tensorsOf(module.type, argumentText)
    // The tensors of a module with children are at the same depth as the children.
    const depthOfTensors = module.children.length ? depth + 1 : depth
    if (tensors) this.add(module, path, tensors, depthOfTensors)
    else if (/^Parameter(?:List|Dict)$/.test(module.type))
      this.add(module, path, parametersIn(argumentText), depthOfTensors)
    else if (/Norm$|Quant\w*Linear$|^QuantLinear$/.test(module.type) && !argumentText.trim() && !module.children.length)
      this.addWithoutSizes(module, path, depth)
    this.add(module, path, absentTensors(module.type, argumentText), depthOfTensors, this.absentRows)
    const output = module.children.find((child) => child.name === "out_proj")
    // In fairseq, a class of the same name has separate projections.
    const isJoint = module.type === "MultiheadAttention" && !module.children.some(({ name }) => name === "q_proj")
    if (isJoint && output)
      this.add(module, path, inputProjection(this.text.slice(output.start, output.end)), depthOfTensors)
    this.addMagnitudes(module, path, depthOfTensors)
  }

  /** Adds a row for each magnitude vector of DoRA, which PEFT prints without its size: one element per output of the
   * matrix that it scales.
   * @param {Module} module @param {string} path @param {number} depth */
  addMagnitudes({ children }, path, depth) {
    const magnitudes = children.find(({ name }) => name === "lora_magnitude_vector")
    const base = children.find(({ name }) => name === "base_layer")
    const [[, shape] = ["", null]] = (base && tensorsOf(base.type, this.text.slice(base.start, base.end))) ?? []
    if (!magnitudes || !shape) return
    for (const adapter of magnitudes.children)
      this.add(adapter, `${path}.lora_magnitude_vector.${adapter.name}`, [["weight", shape.slice(0, 1)]], depth)
  }
}

/** Whether a row is for the outermost module of a model, which has a class but no name. @param {TextRow} row */
export const isOutermost = ({ name, type, isContainer }) => isContainer && !name && type !== ""

/** The rows of all modules in a text, the depths and the classes that the modules show and, in `absentRows`, rows for
 * the tensors that their arguments switch off. If the text leaves lines out or ends before all brackets are closed, a
 * layer without a range does not show the depth, because others may follow it.
 * @param {string} text @param {TextLine[]} lines  all lines of the text, by index
 * @param {boolean} [hasGap]  whether the text leaves lines out
 * @returns {Pick<PrintOut, "rows" | "depths" | "mentions"> & { absentRows: TextRow[] }} */
export function moduleRows(text, lines, hasGap = false) {
  const collector = new RowCollector(text, lines)
  const { roots, isClosed } = treeOf(text)
  for (const root of roots) collector.walk(root, "", 0)
  const { rows, absentRows, statedDepths, shownDepths, mentions } = collector
  const depths = hasGap || !isClosed ? statedDepths : [...statedDepths, ...shownDepths]
  return { rows, absentRows, depths, mentions: [...mentions] }
}
