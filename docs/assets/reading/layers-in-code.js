// Counts the layers that code builds with torch.nn: alone, as in nn.TransformerEncoderLayer(768, 12), or
// on top of a model that the code loads. Layers of Keras are counted only alone (layers-in-keras.js).
//
// The code is not run. Each call of a layer is read with its arguments. A size must be a number, a name
// to which the code gives a number, the hidden size of a loaded model's config, or a product of these;
// a switch, such as `bias`, must be True, False, or a name to which the code gives one of these. A layer
// in a list comprehension counts as often as its range says. A layer with any other size or switch, or
// one that another kind of loop repeats, is known by its name but not counted.

import { sumBy, whole } from "../counting/engine.js"
import { isPlausible, waysTo } from "../explaining/explain.js"
import { numberOfDigits } from "../explaining/read.js"
import { partsOfSameSize } from "./labels/meanings.js"
import { modelsIn } from "./labels/mentions.js"
import { KERAS_CALL, kerasLayersIn } from "./layers-in-keras.js"
import { loadingIn } from "./loaded-model.js"
import { PARAMETERS } from "./questions/question-accounts.js"
import { resultOfFormula } from "./sums/expressions.js"
import { accountInSentences, code, finding, words } from "./words.js"

/** A layer in code: its call, and its number of parameters as a formula and a number; both are null if the code does
 * not give every size, or does not say whether there are biases.
 * @typedef {{ source: string, formula: string | null, number: number | null }} LayerInCode */

/** A call of torch.nn, with one level of brackets among its arguments. */
const CALL = /\b(?:torch\.)?nn\.(\w+)\(((?:[^()]|\([^()]*\)){0,400})\)/g
/** The call of a layer without its module, in a question of one line: "What does LayerNorm(768) have?" */
const BARE_CALL = /(?<=^[^\n():]{0,80})(?<![\w.])(?:Linear|Embedding|LayerNorm|MultiheadAttention)(?=\([0-9])/g
/** The rest of a list comprehension after the layer that it repeats; the second group is the number of times. */
const REPEATED = /^\s*for\s+\w+\s+in\s+(range\(([^()]{1,60})\)|[^\]]{1,60})/
/** A name with a number, True or False, as the default of an argument or in an assignment. */
const NAMED_VALUE =
  /(?:^|[(,\n])[ \t]*(?:self\.)?([A-Za-z_]\w*)[ \t]*(?::[ \t]*(?:int|bool)[ \t]*)?=[ \t]*([0-9][0-9_]*|True|False)[ \t]*(?=[,)\n#]|$)/g
const SELF = /^self\./
/** The hidden size of a loaded model, as code refers to it. */
const HIDDEN_SIZE = /^(?:[\w.]+\.)?config\.(?:hidden_size|dim|d_model)$/

/** The values of a layer's arguments, by name. @typedef {Record<string, number | boolean>} ArgumentValues */

/** The terms of a formula for biases, with the sign before them; "" for a layer without biases. NaN replaces the terms
 * if the value of the argument is not known, so that the formula has no result.
 * @param {number | boolean | undefined} bias  the argument of the layer, which is true by default
 * @param {string} terms */
const withBias = (bias, terms) => (bias === false ? "" : ` + ${Number(bias ?? true) ? terms : NaN}`)

/** The formula of LayerNorms of this width: each has a scale and, unless `bias` is false, a shift.
 * @param {number} number  of LayerNorms @param {number} width @param {number | boolean | undefined} bias */
const layerNorms = (number, width, bias) => `${number * (1 + Number(bias ?? true))} × ${whole(width)}`

/** The formula of attention: four square matrices, each with a bias unless `bias` is false.
 * @param {number} size @param {number | boolean | undefined} bias */
const attention = (size, bias) => `4 × ${whole(size)} × ${whole(size)}${withBias(bias, `4 × ${whole(size)}`)}`

/** The formula of a recurrent layer with this many gates: for each gate, each direction of each level has a matrix for
 * the input, one for the state, and two bias vectors unless the layer has no biases.
 * @param {number} gates @returns {(values: ArgumentValues) => string} */
const recurrent = (gates) => (values) => {
  const [input, state] = [Number(values.input_size), Number(values.hidden_size)]
  const [levels, directions] = [Number(values.num_layers ?? 1), 1 + Number(values.bidirectional ?? false)]
  /** The parameters of one level, given the width of its input. */
  const level = (/** @type {number} */ width) =>
    `(${whole(width)} × ${whole(state)} + ${whole(state)} × ${whole(state)}${withBias(values.bias, `2 × ${whole(state)}`)})`
  const times = directions * gates
  const first = `${times} × ${level(input)}`
  return levels === 1 ? first : `${first} + ${(levels - 1) * times} × ${level(directions * state)}`
}

/** The names of a recurrent layer's arguments, in order. RNN has one more between the sizes and the options. */
const SIZES_OF_RECURRENT = ["input_size", "hidden_size", "num_layers"]
const OPTIONS_OF_RECURRENT = ["bias", "batch_first", "dropout", "bidirectional"]

/** The layers of torch.nn that have parameters: the names of their first arguments, in order, and their formulas.
 * @type {Record<string, { names: string[], formula: (values: ArgumentValues) => string }>} */
const LAYERS = {
  Linear: {
    names: ["in_features", "out_features", "bias"],
    formula: ({ in_features: inputs, out_features: outputs, bias }) =>
      `${whole(+inputs)} × ${whole(+outputs)}${withBias(bias, whole(+outputs))}`,
  },
  Embedding: {
    names: ["num_embeddings", "embedding_dim"],
    formula: ({ num_embeddings: rows, embedding_dim: width }) => `${whole(+rows)} × ${whole(+width)}`,
  },
  LayerNorm: {
    names: ["normalized_shape"],
    formula: ({ normalized_shape: width, bias }) => layerNorms(1, +width, bias),
  },
  BatchNorm1d: { names: ["num_features"], formula: ({ num_features: width }) => `2 × ${whole(+width)}` },
  Conv1d: {
    names: ["in_channels", "out_channels", "kernel_size"],
    formula: ({ in_channels: inputs, out_channels: outputs, kernel_size: size, bias }) =>
      `${whole(+inputs)} × ${whole(+outputs)} × ${size}${withBias(bias, whole(+outputs))}`,
  },
  MultiheadAttention: {
    names: ["embed_dim", "num_heads", "dropout", "bias"],
    formula: ({ embed_dim: size, bias }) => attention(+size, bias),
  },
  TransformerEncoderLayer: {
    names: ["d_model", "nhead", "dim_feedforward"],
    formula({ d_model: size, dim_feedforward: inner = 2048, bias }) {
      const [width, innerWidth] = [whole(+size), whole(+inner)]
      const feedForward = `2 × ${width} × ${innerWidth}${withBias(bias, `${innerWidth} + ${width}`)}`
      return `${attention(+size, bias)} + ${feedForward} + ${layerNorms(2, +size, bias)}`
    },
  },
  LSTM: { names: [...SIZES_OF_RECURRENT, ...OPTIONS_OF_RECURRENT], formula: recurrent(4) },
  GRU: { names: [...SIZES_OF_RECURRENT, ...OPTIONS_OF_RECURRENT], formula: recurrent(3) },
  RNN: { names: [...SIZES_OF_RECURRENT, "nonlinearity", ...OPTIONS_OF_RECURRENT], formula: recurrent(1) },
}

/** The parts of torch.nn without parameters of their own. */
const WITHOUT_PARAMETERS =
  /^(?:Module|ModuleList|ModuleDict|Sequential|Dropout\w*|\w*ReLU\w*|GELU|SiLU|Tanh|Sigmoid|(?:Log)?Softmax|Identity|Flatten|\w*Loss|functional|init|DataParallel|(?:Avg|Max|Adaptive)\w*Pool\w*)$/
/** Arguments that change the number of parameters in a way that is not counted here. */
const UNCOUNTED_ARGUMENT = /\b(?:groups|proj_size|kdim|vdim|add_bias_kv|elementwise_affine|affine)\s*=/

/** The numbers and switches that code gives to names; NaN for a name to which it gives several.
 * @param {string} text @returns {Map<string, number | boolean>} */
function valuesByName(text) {
  /** @type {Map<string, number | boolean>} */
  const namedValues = new Map()
  for (const [, name, digits] of text.replace(CALL, "").matchAll(NAMED_VALUE)) {
    const value = /^[0-9]/.test(digits) ? Number(digits.replaceAll("_", "")) : digits === "True"
    namedValues.set(name, (namedValues.get(name) ?? value) === value ? value : NaN)
  }
  return namedValues
}

/** The values that arguments may refer to: those with names, and the hidden size of the loaded model (NaN if there is
 * none).
 * @typedef {{ namedValues: Map<string, number | boolean>, hiddenSize: number }} KnownValues */

/** The value of an argument that is True, False, a number, a known value, or a product of numbers; NaN for any other
 * argument.
 * @param {string} text @param {KnownValues} knownValues */
function valueOfArgument(text, { namedValues, hiddenSize }) {
  if (text === "True" || text === "False") return text === "True"
  const namedValue = namedValues.get(text.replace(SELF, ""))
  if (typeof namedValue === "boolean") return namedValue
  const factors = text
    .split("*")
    .map((factor) => factor.trim().replace(/(?<=[0-9])_(?=[0-9])/g, ""))
    .map((factor) => {
      if (HIDDEN_SIZE.test(factor)) return hiddenSize
      return Number(namedValues.get(factor.replace(SELF, "")) ?? (factor || NaN))
    })
  return factors.reduce((product, factor) => product * factor, 1)
}

/** The values of the arguments in a call, by name. @param {string} text @param {string[]} names  of the first arguments
 * @param {KnownValues} knownValues @returns {ArgumentValues} */
const valuesIn = (text, names, knownValues) =>
  Object.fromEntries(
    text
      .split(",")
      .map((argument) => argument.trim())
      .filter(Boolean)
      .map((argument, index) => {
        const [, name = names[index] ?? "", value] = /^(?:(\w+)\s*=\s*)?(.*)$/s.exec(argument) ?? []
        return [name, valueOfArgument(value.trim(), knownValues)]
      }),
  )

/** A call that stacks equal encoder layers, with their number. */
const STACK =
  /\bnn\.TransformerEncoder\((?:[^()]|\([^()]*\)){0,400}?,\s*(?:num_layers\s*=\s*)?(?<times>[\w.]{1,60})\s*[,)]/

const MAX_BEFORE = 10 // characters before a call that may have a number of copies
/** A number of layers before the call that builds one: 12 × nn.TransformerEncoderLayer(768, 12). */
const COPIES_BEFORE = /(?<![\w.,=([])([0-9]{1,3})\s?[x×*]?\s$/

/** The layers that code builds, in order. @param {string} text
 * @param {number} [hiddenSize]  of the model that the code loads @returns {LayerInCode[]} */
export function layersIn(text, hiddenSize = NaN) {
  const knownValues = { namedValues: valuesByName(text), hiddenSize }
  const depth = STACK.exec(text)?.groups?.times
  return layersWith(text, knownValues, depth ? Number(valueOfArgument(depth, knownValues)) : 1)
}

/** The layers that code builds with known values, in order. @param {string} text @param {KnownValues} knownValues
 * @param {number} times  the number of encoder layers in a stack @returns {LayerInCode[]} */
function layersWith(text, knownValues, times) {
  return [...text.matchAll(CALL)].flatMap(({ index, 0: source, 1: name, 2: args }) => {
    if (WITHOUT_PARAMETERS.test(name) || (name === "TransformerEncoder" && times !== 1))
      return layersWith(args, knownValues, times)
    const layer = Object.hasOwn(LAYERS, name) ? LAYERS[name] : null
    const isCounted = layer && !UNCOUNTED_ARGUMENT.test(args)
    const formulaOfOne = isCounted ? layer.formula(valuesIn(args, layer.names, knownValues)) : ""
    const [, iterable, range = iterable ? "" : "1"] = REPEATED.exec(text.slice(index + source.length)) ?? []
    const before = COPIES_BEFORE.exec(text.slice(Math.max(0, index - MAX_BEFORE), index))?.[1] ?? 1
    const copies = Number(before) * Number(valueOfArgument(range, knownValues))
    const repeats = copies * (name === "TransformerEncoderLayer" ? times : 1)
    const formula = repeats === 1 ? formulaOfOne : `${repeats} × (${formulaOfOne})`
    // A size that is not given as a number is NaN in the formula, which then has no result.
    const number = resultOfFormula(formula)
    if (!Number.isSafeInteger(number)) return [{ source, formula: null, number: null }]
    return [{ source: repeats > 1 ? `${repeats} × ${source}` : source, formula, number }]
  })
}

const MAX_LENGTH = 30_000 // characters
const MAX_LENGTH_OF_QUESTION = 200
/** The beginning of a call of a class in torch.nn. */
const LAYER_CALL = /\bnn\.[A-Z]\w*\(/
/** Four words in a row, as in a sentence. Code has them only in comments and strings. */
const SENTENCE = /\b[A-Za-z]+(?: [A-Za-z]+){3}\b/
/** A line with a question, which has no call. */
const QUESTION = /^[^\n()]*\?[ \t]*$/gm
/** A comment or a string. */
const COMMENT_OR_STRING = /#.*$|(["'])(?:(?!\1).){0,200}\1/gm
/** The definition of a module. */
const MODULE_CLASS = /\bclass\s+\w+\((?:torch\.)?(?:nn\.)?Module\)/
/** A number of at least six characters. */
const LARGE_NUMBER = /[0-9][0-9,._]{5,}/

/** A text without the calls of layers in it. @param {string} text */
export const withoutLayerCalls = (text) => text.replace(CALL, "").replace(KERAS_CALL, "")

/** The name to which a line assigns a value. */
const ASSIGNED_NAME = /^[ \t]*[\w.]+[ \t]*=/gm

/** Whether a text consists of calls of layers alone, perhaps with the names to which they are assigned.
 * @param {string} text */
export function hasOnlyLayerCalls(text) {
  const rest = withoutLayerCalls(text)
  return rest !== text && !/\w/.test(rest.replace(ASSIGNED_NAME, ""))
}

/** The account of code that builds layers, with torch.nn or Keras, and loads no model. Null for any other text, for
 * code beside sentences or a number that is not its total, and if a size is not given as a number, except in a short
 * text with Keras, whose account says what is missing.
 * @param {string} typedText @returns {Account | null} */
export function accountOfLayersInCode(typedText) {
  if (typedText.length > MAX_LENGTH || loadingIn(typedText)) return null
  const text = PARAMETERS.test(typedText) ? typedText.replace(BARE_CALL, "nn.$&") : typedText
  const isInTorch = LAYER_CALL.test(text)
  const layers = isInTorch ? layersIn(text) : kerasLayersIn(text)
  const rest = withoutLayerCalls(text.replace(COMMENT_OR_STRING, ""))
  if (!layers.length) return null
  if (layers.some(({ number }) => number === null)) {
    const isShort = text.length <= MAX_LENGTH_OF_QUESTION && !LARGE_NUMBER.test(rest)
    return isInTorch || !isShort ? null : accountOfUnknownInput(layers)
  }
  const total = sumBy(layers, ({ number }) => number ?? 0)
  const [statedNumber = ""] = LARGE_NUMBER.exec(rest.replace(NAMED_VALUE, "")) ?? []
  const isStated = numberOfDigits(statedNumber) === total
  const isQuestion = text.length <= MAX_LENGTH_OF_QUESTION && PARAMETERS.test(rest) && !modelsIn(rest).length
  const hasFurtherNumber = LARGE_NUMBER.test(rest.replace(NAMED_VALUE, "").replace(statedNumber, ""))
  if (statedNumber && (!isStated || hasFurtherNumber)) return null
  if (SENTENCE.test(rest.replace(QUESTION, "")) && !isQuestion) return null
  const way = waysTo(total).find((other) => other.kind === "part" && !other.mistakes.length && !other.layers)
  const clause = way?.models.length && isPlausible(way) ? words` That is the size of ${partsOfSameSize(way)}.` : []
  const [first, ...others] = layers
  const opening = others.length
    ? words`These layers have ${layers.map(({ number }) => whole(number ?? 0)).join(" + ")} = ${total} parameters.`
    : sentenceOnLayer(first)
  return accountInSentences(words`${opening}${clause}`, others.length ? layers.map(sentenceOnLayer) : [], {
    kind: "other",
    confidence: "likely",
  })
}

/** The account of layers of Keras whose inputs have no known width. @param {LayerInCode[]} layers */
const accountOfUnknownInput = (layers) =>
  accountInSentences(
    words`The number of parameters depends on the width of the input, which this code does not give: ${code("Dense(units)")} has inputs × units + units.`,
    layers.map(sentenceOnLayer),
    { kind: "other", confidence: "likely" },
  )

/** The account of a module that code defines with layers whose sizes it does not all give; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfUncountedModule(text) {
  if (text.length > MAX_LENGTH || !MODULE_CLASS.test(text) || loadingIn(text)) return null
  const layers = layersIn(text)
  if (layers.every(({ number }) => number !== null)) return null
  const advice = words`Paste what ${code("print(model)")} prints, or give the sizes with which you build it.`
  return accountInSentences(
    words`We cannot tell from this code how many parameters the module has, because it does not give every size as a number.`,
    [...layers.map(sentenceOnLayer), advice],
    { kind: "other", confidence: "likely" },
  )
}

/** A sentence on the parameters of a layer. @param {LayerInCode} layer @returns {Words} */
const sentenceOnLayer = ({ source, formula, number }) =>
  number === null || formula === null
    ? words`We cannot tell from this code how many parameters ${code(source)} has.`
    : words`${code(source)} has ${formula} = ${number} parameters.`

/** The assignment of a layer to a part of the loaded model, which may have such a part already. */
const REPLACEMENT = /\bmodel\.[\w.]+\s*=\s*(?:torch\.)?nn\./

/** A sentence on the total of a loaded model and the layers that code builds, to follow that on the model.
 * @param {LayerInCode[]} layers @param {number} modelTotal @param {string} text @returns {Words} */
function sentenceOnTotal(layers, modelTotal, text) {
  if (layers.some(({ number }) => number === null)) return words` Your code adds layers that are not all counted here.`
  if (REPLACEMENT.test(text))
    return words` Your code puts layers of its own into the model, and they may replace some that this total includes.`
  const total = modelTotal + sumBy(layers, ({ number }) => number ?? 0)
  return words` With the layers that your code adds, that makes ${total}.`
}

/** The account of code that loads a model, with the layers that the code builds on top of it.
 * @param {Account} account @param {string} text @param {number} hiddenSize  of the model; NaN if it is not known
 * @returns {Account} */
export function withLayersInCode(account, text, hiddenSize) {
  const { model } = account
  const layers = layersIn(text, hiddenSize)
  if (!model || !layers.length) return account
  return {
    ...account,
    headline: [...account.headline, ...sentenceOnTotal(layers, model.total, text)],
    findings: [...layers.map((layer) => finding(45, sentenceOnLayer(layer))), ...account.findings],
    confidence: "likely",
  }
}
