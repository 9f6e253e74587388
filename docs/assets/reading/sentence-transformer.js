// Explains the output of `print(model)` for a SentenceTransformer: its modules, without the layers
// in them. The first module names the encoder's class, and the pooling module gives the encoder's hidden size.
// Only a total in the same text can identify the model. Pooling, dropout and normalisation to unit
// length have no parameters, but Dense and LayerNorm modules do.
//
// Source: sentence-transformers 2.2.2, which writes "with Transformer model: BertModel", 5.1.2,
// which writes 'architecture': 'BertModel', and 6.2.0, which writes 'embedding_dimension' and
// LayerNorm({'dimension': 256}).

import { classes, count, sumBy } from "../counting/engine.js"
import { modelsByUse } from "../explaining/ways.js"
import { accountInSentences, code, link, words } from "./words.js"

/** The whole print-out, up to the last line that consists of a closing bracket. */
const PRINT_OUT = /^[ \t]*SentenceTransformer\([ \t]*\n(?:.*\n)*[ \t]*\)[ \t]*$/m
/** A module with its class, on a line of the print-out. */
const MODULE = /^[ \t]*\([0-9]+\): (\w+)\(/gm
const KNOWN_MODULES = ["Transformer", "Pooling", "Dense", "LayerNorm", "Dropout", "Normalize"]
// What a print-out gives: the class of the encoder, the width of the vectors, the inputs, outputs and bias of a dense
// layer, and the size of a LayerNorm.
const ENCODER_CLASS = /with Transformer model: (\w+)|'architecture': '(\w+)'/
const WIDTH = /'(?:word_)?embedding_dimension': ([0-9]+)/
const DENSE = /Dense\(\{'in_features': ([0-9]+), 'out_features': ([0-9]+), 'bias': (True|False)/g
const LAYER_NORM = /\bLayerNorm\((?:\(([0-9]+),\)|\{'dimension': ([0-9]+)\})/g
/** A number of at least six characters, which may be a total. */
const POSSIBLE_TOTAL = /[0-9][0-9,_]{5,}/g

/** A question on pooling or normalisation. */
const ON_POOLING = /\b(?:pool|normali[sz])[^?\n]{0,200}\?/i

/** The number of parameters of a module after pooling, and a sentence about it.
 * @typedef {{ addedCount: number, words: Words }} Addition */

/** The dense layers and then the LayerNorms in a print-out, each with the parameters that it adds to the encoder's.
 * @param {string} printOut @returns {Addition[]} */
function additionsIn(printOut) {
  const denseAdditions = [...printOut.matchAll(DENSE)].map(([, inputs, outputs, bias]) => {
    const [inputCount, outputCount] = [Number(inputs), Number(outputs)]
    const addedCount = inputCount * outputCount + (bias === "True" ? outputCount : 0)
    const sum =
      bias === "True" ? words`${inputCount} × ${outputCount} + ${outputCount}` : words`${inputCount} × ${outputCount}`
    return {
      addedCount,
      words: words`The dense layer from ${inputCount} to ${outputCount} features has ${sum} = ${addedCount} parameters.`,
    }
  })
  const normAdditions = [...printOut.matchAll(LAYER_NORM)].map(([, widthInVersion5, widthInVersion6]) => {
    const width = Number(widthInVersion5 ?? widthInVersion6)
    return { addedCount: 2 * width, words: words`The LayerNorm has 2 × ${width} = ${2 * width} parameters.` }
  })
  return [...denseAdditions, ...normAdditions]
}

/** The account of a printed SentenceTransformer, alone or with its total; null for any other text, including a model
 * with a module or an encoder that is not counted here.
 * @param {string} text @returns {Account | null} */
export function accountOfSentenceTransformer(text) {
  const [printOut = ""] = PRINT_OUT.exec(text) ?? []
  const [, classInVersion2, classInVersion5] = ENCODER_CLASS.exec(printOut) ?? []
  const modelClass = classInVersion2 ?? classInVersion5 ?? ""
  const width = Number(WIDTH.exec(printOut)?.[1] ?? 0)
  const hasOtherModules = [...printOut.matchAll(MODULE)].some(([, name]) => !KNOWN_MODULES.includes(name))
  const [typedTotal = "", ...furtherNumbers] = text.replace(printOut, "").match(POSSIBLE_TOTAL) ?? []
  if (!classes.has(modelClass) || hasOtherModules || furtherNumbers.length) return null
  const encoders = modelsByUse
    .filter(({ architecture, sizes }) => architecture === classes.get(modelClass).architecture && sizes.H === width)
    .map(({ name, title, page, sizes }) => ({ name, title, page, total: count({ modelClass, sizes }) }))
  if (!encoders.length) return null
  const additions = additionsIn(printOut)
  const addedCount = sumBy(additions, (addition) => addition.addedCount)
  const statedTotal = Number(typedTotal.replace(/[,_]/g, ""))
  const fittingEncoder = encoders.find(({ total }) => total + addedCount === statedTotal)
  const { name, title, page, total } = fittingEncoder ?? encoders[0]
  const model = { name, modelClass, total }
  const sentences = additions.map((addition) => addition.words)
  if (ON_POOLING.test(text.replace(printOut, ""))) sentences.push(words`Pooling and normalisation have no parameters.`)
  if (fittingEncoder) {
    const rest = addedCount ? words`, with ${total} parameters, and the ${addedCount} of the modules after it` : ""
    return accountInSentences(
      words`${statedTotal} is ${link(page, title)}, as ${code(modelClass)}${rest}.`,
      sentences,
      { model, confidence: "certain" },
    )
  }
  if (addedCount) sentences.push(words`With that encoder, the modules have ${total + addedCount} parameters together.`)
  if (statedTotal)
    sentences.push(words`No encoder here of this class and width leads to the ${statedTotal} in your text.`)
  return accountInSentences(
    words`This lists modules, not their parameters. The encoder is of the class ${code(modelClass)} and has a hidden size of ${width}, like ${link(page, title)}, which has ${total} parameters.`,
    sentences,
    { model, confidence: "possible" },
  )
}
