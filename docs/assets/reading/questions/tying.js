// Answers whether the decoder of the masked-LM head has a matrix of its own, or uses that of the word embeddings.

import { Counter, classesOf, count, models } from "../../counting/engine.js"
import { titleOf } from "../labels/meanings.js"
import { code, link, words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

const SHARING = /\b(?:shar(?:e|es|ed|ing)|t(?:ie|ied|ies|ying)|same)\b/i
const TIED = /\b(?:un)?t(?:ied|ying)\b/i
const DECODER = /\bdecoder|\boutput\s(?:layer|matrix|weights?|embeddings?|projection)|\b(?:lm|mlm)[_\s-]?head/i
const WORD_EMBEDDINGS = /\bembeddings?\b/i

/** The shape of the decoder's matrix, in letters. */
const OWN_MATRIX = /\b(?:V\s?[x×*·]\s?H|H\s?[x×*·]\s?V)\b/

/** The path of the tensor that a class uses twice, as the matrix of its decoder; "" if it ties none by default.
 * @param {ModelClass} modelClass @param {Sizes} sizes */
export function tiedTensorOf({ name, rows }, sizes) {
  const isTied = new Counter(name, sizes).tied
  return (isTied && rows.find(({ tied_to }) => tied_to)?.tied_to) || ""
}

/** The path of the decoder's matrix. */
const DECODER_PATH = "cls/predictions/decoder/kernel"

/** The answer that the decoder of a class has a matrix of its own; null if the class has no decoder.
 * @param {ModelClass} modelClass @param {string} name  of the model */
function accountOfOwnDecoder(modelClass, name) {
  const number = count({ modelClass: modelClass.name, sizes: models.get(name).sizes, part: DECODER_PATH })
  return number
    ? answer(
        words`In ${code(modelClass.name)} of ${titleOf(name)}, the decoder has a matrix of its own, with ${number} parameters. It is not tied to the word embeddings.`,
      )
    : null
}

/** The account of a question about whether the decoder and the word embeddings share a matrix; null for any other text,
 * for one about every model, and for a model without such a decoder.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfTying({ text, quantities, purposes }, name) {
  if (quantities.length || text.length > MAX_LENGTH) return null
  const asksForMatrix = DECODER.test(text) && OWN_MATRIX.test(text)
  const isOfMaskedLM = DECODER.test(text) || purposes.some(({ ending }) => ending === "ForMaskedLM")
  const asksForTie = TIED.test(text) && isOfMaskedLM
  const asksForSharing = [SHARING, DECODER, WORD_EMBEDDINGS].every((pattern) => pattern.test(text))
  if (!asksForMatrix && !asksForTie && !asksForSharing) return null
  const { architecture, sizes } = models.get(name)
  const modelClass = classesOf(architecture).find(({ name: className }) => className.endsWith("ForMaskedLM"))
  const tiedTensor = modelClass ? tiedTensorOf(modelClass, sizes) : ""
  if (/\b(?:all|every|always|any)\b/i.test(text) || !modelClass) return null
  if (!tiedTensor) return accountOfOwnDecoder(modelClass, name)
  const number = count({ modelClass: modelClass.name, sizes, part: tiedTensor })
  return answer(
    words`In ${code(modelClass.name)} of ${titleOf(name)}, the decoder uses the matrix of the ${link("parts/heads.html", "word embeddings")}. Its ${number} parameters count once.`,
  )
}
