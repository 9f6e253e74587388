// Answers questions about whether a model fits on a GPU. The answer gives the memory that its weights take,
// and the least that training them takes. Activations are not counted, because they depend on more than the
// question states.

import { subjectOf } from "../labels/meanings.js"
import { BYTES_PER_NUMBER, BYTES_PER_TRAINED_PARAMETER, inLargeUnit } from "../labels/memory.js"
import { USUAL_MODELS } from "../labels/named-parts.js"
import { classAndTotal } from "../labels/totals.js"
import { link, words } from "../words.js"
import { answer } from "./question-accounts.js"
import { addressOfForm, settingsOfStep } from "./training-memory.js"

/** Words that ask whether a model fits, names and words for the device that it may fit on, and an amount of memory. */
const FITS = /\b(?:fits?|enough|suffices?|will\b.*\bdo)\b/i
const NAMED_DEVICE = /\b(?:[tpv]4|[pv]100|[ah][124]00|l40s?|l4|k80|(?:rtx|gtx)\s?[0-9]{4}|[34]0[6-9]0(?:\s?ti)?)\b/i
const DEVICE = /\b(?:gpus?|vram|oom|out of memory|graphics card|cuda|colab|kaggle)\b|显存|顯存/i
const MEMORY = /\b[0-9]+(?:[.,][0-9]+)? ?Gi?B\b/i
/** Words that make an amount of memory a statement about the model, instead of the size of a device. */
const NEEDS = /\b(?:needs?|takes?|requires?|occupies|us(?:es?|ed|ing))\b/i
/** A number of parameters or another amount of memory, which may be the question instead. */
const OTHER_AMOUNT = /[0-9][0-9,.]{3,}[0-9]|\b[0-9]+(?:[.,][0-9]+)? ?(?:M|B|Mi?B|million|billion)\b/i

/** The account of a question about whether a model fits on a GPU, BERT base if none is named; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfDevice({ text, mentions }) {
  const [mention] = mentions
  const [namedModel] = mention && !mention.isForeign ? mention.models : []
  const name = namedModel ?? (mention ? null : USUAL_MODELS[0])
  const [isNamedDevice, fits] = [NAMED_DEVICE.test(text), FITS.test(text)]
  const isOnDevice = (isNamedDevice || DEVICE.test(text)) && !OTHER_AMOUNT.test(text) && !NEEDS.test(text)
  const hasSize = MEMORY.test(text) || (isNamedDevice && fits)
  if (!name || !(isOnDevice || (namedModel && fits)) || !hasSize) return null
  const { modelClass, total } = classAndTotal(name, "")
  const memoryFor = (/** @type {number} */ bytes) => inLargeUnit(total * bytes)
  return answer(
    words`In float32, the weights of ${subjectOf(name)} take ${memoryFor(BYTES_PER_NUMBER.float32)}, and training with Adam takes at least ${memoryFor(BYTES_PER_TRAINED_PARAMETER)}.`,
    { name, modelClass, total },
    [
      words`A step also keeps activations, which grow with the batch and the length of the texts; ${link(addressOfForm(name, settingsOfStep(text)), "the page on training memory")} counts them, too, for common models and your GPU.`,
    ],
  )
}
