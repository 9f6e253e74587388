// Reads the layers that code builds with Keras. Most of them are not given the width of their input, so
// it follows from the code around them: an `Input`, an argument such as `input_shape`, words such as
// "768-dimensional", or the layer before. A layer whose input has no known width is not counted.

import { whole } from "../counting/engine.js"
import { resultOfFormula } from "./sums/expressions.js"

/** @typedef {import("./layers-in-code.js").LayerInCode} LayerInCode */

/** A call of a layer of Keras with its arguments, which may have brackets of their own. */
export const KERAS_CALL =
  /(?<![\w.])(?:(?:tf\.)?(?:keras\.)?layers\.|model\.add\((?:(?:tf\.)?(?:keras\.)?layers\.)?)(\w+)\(((?:[^()]|\([^()]*\)){0,400})\)/g
/** The width of the input: of the model, of its first layer, or in words. */
const INPUT_WIDTH =
  /\b(?:Input|InputLayer)\(\s*(?:(?:batch_)?(?:input_)?shape\s*=\s*)?[([](?:[\w\s]+,\s*)*?([0-9]+)\s*,?\s*[)\]]|\binput_(?:shape\s*=\s*[([](?:[\w\s]+,\s*)*?([0-9]+)\s*,?\s*[)\]]|dim\s*=\s*([0-9]+)(?!\s*,\s*output_dim))|(?<![\w.])([0-9]{2,5})[- ](?:dim|features?\b|wide\b)/

/** The layers of Keras that have parameters: the names of their first arguments, in order; and their formula and the
 * width of their output, which depend on their arguments and the width of their input.
 * @type {Record<string, { names: string[], formula: Formula, output: Output }>} */
const LAYERS = {
  Dense: {
    names: ["units"],
    formula: ({ units }, width, hasBias) => `${whole(width)} × ${whole(units)}${hasBias ? ` + ${whole(units)}` : ""}`,
    output: ({ units }) => units,
  },
  Embedding: {
    names: ["input_dim", "output_dim"],
    formula: ({ input_dim: rows, output_dim: columns }) => `${whole(rows)} × ${whole(columns)}`,
    output: ({ output_dim: columns }) => columns,
  },
  LayerNormalization: { names: [], formula: (_, width) => `2 × ${whole(width)}`, output: (_, width) => width },
  MultiHeadAttention: {
    names: ["num_heads", "key_dim"],
    formula({ num_heads: heads, key_dim: size }, width, hasBias) {
      const inner = heads * size
      const biases = hasBias ? ` + 3 × ${whole(inner)} + ${whole(width)}` : ""
      return `4 × ${whole(width)} × ${whole(inner)}${biases}`
    },
    output: (_, width) => width,
  },
}

/** @typedef {Record<string, number>} ArgumentNumbers */
/** @typedef {(values: ArgumentNumbers, width: number, hasBias: boolean) => string} Formula */
/** @typedef {(values: ArgumentNumbers, width: number) => number} Output */

/** The layers of Keras without parameters of their own: those whose output is as wide as their input, and others. */
const WITHOUT_PARAMETERS = /^(?:Input|InputLayer|\w*Dropout|Activation|Softmax|ReLU|Add|\w*Pooling\w*)$/
const OF_OTHER_WIDTH = /^(?:Flatten|Reshape|Concatenate|Lambda)$/

/** Arguments that change the number of parameters in a way that is not counted here. */
const UNCOUNTED_ARGUMENT = /\b(?:value_dim|output_shape|center|scale)\s*=/

/** The numbers among the arguments of a call, by name. @param {string} text @param {string[]} names  of the first ones
 * @returns {ArgumentNumbers} */
const valuesIn = (text, names) =>
  Object.fromEntries(
    text.split(",").map((argument, index) => {
      const [, name = names[index] ?? "", value] = /^\s*(?:(\w+)\s*=)?\s*(.*?)\s*$/s.exec(argument) ?? []
      return [name, Number(value.replaceAll("_", "") || NaN)]
    }),
  )

/** The layers that code builds with Keras, in order; the input of the first has the width that the text gives.
 * @param {string} text @returns {LayerInCode[]} */
export function kerasLayersIn(text) {
  let width = Number(INPUT_WIDTH.exec(text)?.slice(1).find(Boolean) ?? NaN)
  /** @type {LayerInCode[]} */
  const layers = []
  for (const [call, name, args] of text.matchAll(KERAS_CALL)) {
    if (WITHOUT_PARAMETERS.test(name)) continue
    if (OF_OTHER_WIDTH.test(name)) {
      width = NaN
      continue
    }
    const source = call.replace(/^model\.add\(/, "")
    const layer = Object.hasOwn(LAYERS, name) && !UNCOUNTED_ARGUMENT.test(args) ? LAYERS[name] : null
    const values = layer ? valuesIn(args, layer.names) : {}
    const formula = layer?.formula(values, width, !/\buse_bias\s*=\s*False/.test(args)) ?? ""
    // An unknown width is NaN in the formula, which then has no result.
    const number = resultOfFormula(formula)
    layers.push(Number.isSafeInteger(number) ? { source, formula, number } : { source, formula: null, number: null })
    width = layer?.output(values, width) ?? NaN
  }
  return layers
}
