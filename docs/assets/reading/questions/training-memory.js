// Answers how much memory fine-tuning takes for texts of a stated length or a batch of a stated size, and how much it
// takes on each of several GPUs among which ZeRO or FSDP splits it. Activations are not counted, because the data
// needed for them are too large to be fetched here. The form on the page about training memory counts them, and the
// answer for one GPU links to it with the model and these settings filled in.

import { subjectOf } from "../labels/meanings.js"
import { BYTES_PER_TRAINED_PARAMETER, inLargeUnit } from "../labels/memory.js"
import { classAndTotal } from "../labels/totals.js"
import { link, words } from "../words.js"
import { answer } from "./question-accounts.js"

/** Words for memory, and for training, in English and Chinese. */
const MEMORY = /\bmem(?:ory)?\b|\bv?ram\b|\bgpu\b|显存|顯存|内存/i
const TRAINING = /\bfine-?\s?tun\w*|(?<!pre-?)\btrain\w*|微调|训练/i
/** A setting with its number: a batch of 32, a length of 512. */
const BATCH =
  /\bbatch(?:[\s_-]?size)?(?:\s(?:of|is))?\s?[=:]?\s?(?<number>[0-9]{1,5})\b|\b(?<before>[0-9]{1,5})\s(?:texts|examples|sentences)\b/i
const LENGTH =
  /\b(?:max[\s_-]?)?(?:(?:seq(?:uence)?[\s_-]?|text[\s_-]|input[\s_-])?len(?:gth)?|seq)(?:\s(?:of|is))?\s?[=:]?\s?(?<number>[0-9]{1,5})\b|\b(?<before>[0-9]{1,5})\stokens\b/i
/** Another number of bytes or parameters, which the text may ask about instead. */
const OTHER_AMOUNT = /[0-9][0-9,.]{4,}|[0-9]\s?(?:[KMGT]i?B|M|B)\b/

/** The number that follows or precedes the words of a setting; 0 if there is none.
 * @param {string} text @param {RegExp} pattern */
function settingIn(text, pattern) {
  const { number = "", before = "" } = pattern.exec(text)?.groups ?? {}
  return Number(number || before)
}

/** The settings of a training step in a text: the texts in a batch and the tokens of each; 0 if it does not state one.
 * @param {string} text */
export const settingsOfStep = (text) => ({ texts: settingIn(text, BATCH), tokens: settingIn(text, LENGTH) })

/** The address of the form on training memory, filled in with a model and the settings of a step.
 * @param {string} name  of the model @param {{ texts: number, tokens: number }} settings */
export function addressOfForm(name, { texts, tokens }) {
  // The form ignores a model that it does not offer.
  const fields = Object.entries({ model: name, tokens, texts }).filter(([, value]) => value)
  const query = new URLSearchParams(fields.map(([field, value]) => [field, String(value)]))
  return `run/memory-of-training.html${fields.length ? `?${query}` : ""}#batch`
}

/** ZeRO with its stage, and FSDP, which splits the same tensors as stage 3; and a number of GPUs. */
const STAGE = /\bzero[\s_-]?(?:dp\s)?(?:stage[\s_-]?)?(?<stage>[1-3])\b|\b(?<fsdp>fsdp)\b/i
const GPUS = /\b(?<gpus>[0-9]{1,4})\s?(?:x\s)?(?:[\w-]+\s)?(?:gpus?|cards|devices|ranks)\b/i
/** The bytes per parameter of the weights, the gradients and the optimiser's numbers: with Adam in float32, and in
 * mixed precision, where Adam also keeps the weights in float32. */
const BYTES_OF_STATES = [4, 4, 8]
const BYTES_IN_MIXED_PRECISION = [2, 2, 12]
/** The contents of memory that each stage splits. @type {Record<number, string>} */
const SPLIT_IN_STAGE = {
  1: "Adam's two moments",
  2: "the gradients and Adam's two moments",
  3: "the weights, the gradients and Adam's two moments",
}

/** The account of a question about the memory of training on several GPUs among which ZeRO or FSDP splits it; null for
 * any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfSplitMemory({ text }, name) {
  const { stage: typedStage = "3" } = STAGE.exec(text)?.groups ?? {}
  const gpus = Number(GPUS.exec(text)?.groups?.gpus ?? 0)
  if (!STAGE.test(text) || !gpus || OTHER_AMOUNT.test(text)) return null
  const stage = Number(typedStage)
  const { modelClass, total } = classAndTotal(name)
  /** The bytes per parameter on each GPU, as a sum and as a number. @param {number[]} states */
  const perGpu = (states) => {
    const whole = states.slice(0, 3 - stage).reduce((sum, bytes) => sum + bytes, 0)
    const split = states.slice(3 - stage).reduce((sum, bytes) => sum + bytes, 0)
    return { sum: `${whole ? `${whole} + ` : ""}${split} ÷ ${gpus}`, bytes: Math.ceil(total * (whole + split / gpus)) }
  }
  const [single, mixed] = [BYTES_OF_STATES, BYTES_IN_MIXED_PRECISION].map(perGpu)
  const weights = Math.ceil(total / gpus)
  const onWeights =
    stage === 3
      ? [words`Of the weights alone, each GPU holds ${weights} parameters, ${4 * weights} bytes in float32.`]
      : []
  return answer(
    words`Training ${subjectOf(name)} with Adam in float32 takes 16 bytes for each of its ${total} parameters. If ${SPLIT_IN_STAGE[stage]} are split among ${gpus} GPUs, each GPU holds ${single.sum} bytes per parameter: ${single.bytes} bytes (${inLargeUnit(single.bytes)}), before activations.`,
    { name, modelClass, total },
    single.bytes === mixed.bytes
      ? onWeights
      : [
          ...onWeights,
          words`In mixed precision, each GPU holds ${mixed.sum} bytes per parameter (${inLargeUnit(mixed.bytes)}), because Adam also keeps the weights in float32.`,
        ],
  )
}

/** The account of a question about the memory of training with a batch or length; null for any other text. A batch on a
 * GPU needs no word for training.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfTrainingMemory({ text }, name) {
  const settings = settingsOfStep(text)
  const isOfTraining = TRAINING.test(text) || (settings.texts > 0 && /\bgpu\b/i.test(text))
  if (!MEMORY.test(text) || !isOfTraining || OTHER_AMOUNT.test(text)) return null
  const { modelClass, total } = classAndTotal(name)
  if (!(settings.texts || settings.tokens) || !total) return null
  const bytes = total * BYTES_PER_TRAINED_PARAMETER
  const form = link(addressOfForm(name, settings), "the form on training memory")
  return answer(
    words`Training ${subjectOf(name)} with Adam in float32 takes ${bytes} bytes (${inLargeUnit(bytes)}) before activations, whatever the batch: ${BYTES_PER_TRAINED_PARAMETER} for each of its ${total} parameters.`,
    { name, modelClass, total },
    [words`Activations grow with the batch and the length of the texts; ${form} counts them for common models.`],
  )
}
