// Counts the bytes that a training step has in memory at its peak: those of the weights and
// the optimiser's states, and of activations, gradients and temporary results.
// macros/counting/training/step.py explains which of these add up. The bytes of the
// activations follow from polynomials in the sizes, which the build exports;
// macros/rendering/files/training.py explains their form.

import exported from "../../data/training.js"
import { roundedUp } from "./rounding.js"

/** A published model that the form on the page about training memory offers.
 * @param {string} name @param {string} option  the name of the trained part @returns {TrainedModel} */
export function publishedModel(name, option) {
  const { trained, ...model } = exported.models[name]
  return { ...model, ...trained[option], method: "" }
}

/** The widths of numbers for which the bytes of weights, gradients and states are given: 32 and 16 bits. */
const WIDTHS = /** @type {const} */ (["full", "short"])

/** The bytes of weights, of gradients and, by optimiser, of its states.
 * @param {TrainedModel} model @param {StepSettings} settings */
const fixedBytesOf = ({ fixed }, { dtype }) => fixed[WIDTHS[Number(dtype === exported.short)]]

/** A sentence of the engine with its values filled in, without commas in numbers. The page about training memory
 * cannot use messages.js for this, because that would load the whole exported table.
 * @param {string} text @param {Record<string, string | number>} values */
const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

/** The entry for a key. Under some conditions, different tensors are kept: the entry for all conditions that hold is
 * taken or, failing that, the one for the first of them that has an entry; otherwise, the entry for the key alone.
 * @param {Record<string, TrainingEntry>} entries @param {string} key @param {Record<string, boolean>} conditions */
function entryOf(entries, key, conditions) {
  const metConditions = Object.keys(conditions).filter((name) => conditions[name])
  return (
    [metConditions.join(" "), ...metConditions].map((name) => entries[`${key} ${name}`]).find(Boolean) ?? entries[key]
  )
}

/** The indices of the polynomials of the body, one for each way of running a step; undefined if they are not exported.
 * @param {TrainedModel} model @returns {(number | null)[] | undefined} */
const bodyIndices = ({ architecture, trained, sizes }) =>
  entryOf(exported.bodies, architecture, { "E=H": sizes.E === sizes.H, "L=1": sizes.L === 1 })?.[trained]

/** The indices of the polynomials of the head, one for each way of running a step; undefined if they are not exported.
 * @param {TrainedModel} model @param {number} texts  the number of texts in the batch */
function headIndices({ modelClass, choices, trained, sizes }, texts) {
  // A class in which nothing can be tied has an entry under only one of these keys.
  const keys = [choices.tied, true, false].map((tied) => `${modelClass} ${Number(choices.pooler)}${Number(tied)}`)
  const key = keys.find((candidate) => candidate in exported.heads) ?? ""
  const conditions = { "E=H": sizes.E === sizes.H, "C=1": sizes.C === 1, "N=1": texts === 1 }
  return entryOf(exported.heads, key, conditions)?.[exported.like[trained] ?? trained]
}

/** The index in `kernels` of the kernel that computes attention. PyTorch's fused kernels only accept certain head
 * widths.
 * @param {TrainedModel} model @param {StepSettings} settings */
function kernelIndex({ sizes }, { dtype, attention }) {
  if (attention) return exported.kernels.indexOf(attention)
  return exported.kernels.indexOf(Math.floor(sizes.H / sizes.A) % exported.aligned[dtype] ? "math" : "")
}

/** The reason why steps of a model are not counted, in the words of the engine; "" if they are.
 * @param {TrainedModel} model */
function refusalOf({ modelClass: name, choices, sizes, method, fixed }) {
  const { messages } = exported
  if (choices.cross_attention) return fillIn(messages["training-cross-attention"], { name })
  if (sizes.G > 1 || sizes.I > 1) return fillIn(messages["training-shared-layers"], { name })
  if (sizes.L === 0) return fillIn(messages["training-no-layers"], { name })
  if (fixed.full[1] === 0) return fillIn(messages["training-nothing"], { name })
  return method ? fillIn(messages["training-method"], { method }) : ""
}

/** Whether the form has an answer for a model: the bytes of its steps, or the reason why they are not counted. If it
 * has none, the command line may be able to count them.
 * @param {TrainedModel} model */
export const hasAnswerFor = (model) => Boolean(refusalOf(model) || (bodyIndices(model) && headIndices(model, 2)))

/** The reason why a step is not counted, in the words of the engine, and the field to change; null if it is counted.
 * @param {TrainedModel} model @param {StepSettings} settings @returns {Refusal | null} */
export function refusal(model, settings) {
  const { modelClass: name, architecture, maxTokens } = model
  const { tokens, padded, checkpointing, optimiser } = settings
  const { messages, mask_step: step } = exported
  const [, , states] = fixedBytesOf(model, settings)
  if (!(optimiser in states)) {
    const choices = Object.keys(states).join(" or ")
    return { field: "optimiser", message: fillIn(messages["training-optimiser"], { optimiser, choices }) }
  }
  const modelRefusal = refusalOf(model)
  if (modelRefusal) return { field: "model", message: modelRefusal }
  if (padded && exported.unpadded.includes(name))
    return { field: "padded", message: fillIn(messages["training-padding"], { name }) }
  if (checkpointing && !exported.checkpoints.includes(architecture))
    return { field: "checkpointing", message: fillIn(messages["training-checkpointing"], { name }) }
  if (tokens > maxTokens)
    return { field: "tokens", message: fillIn(messages["training-length"], { tokens, most: maxTokens }) }
  const isFused = exported.kernels[kernelIndex(model, settings)] === ""
  const roundedTokens = roundedUp(tokens, step)
  const length = roundedTokens > maxTokens ? roundedTokens - step : roundedTokens
  if (!isFused || !padded || tokens === roundedTokens) return null
  return { field: "tokens", message: fillIn(messages["training-mask"], { tokens, step, length }) }
}

/** The value of a polynomial such as 34BHLT+9ABLTT. @param {string} text @param {Sizes} sizes */
function bytesOf(text, sizes) {
  let bytes = 0
  for (const [, coefficient, letters] of text.matchAll(/(-?[0-9]+)([A-Za-z]*)/g)) {
    let term = Number(coefficient)
    for (const letter of letters) term *= sizes[letter]
    bytes += term
  }
  return bytes
}

/** The bytes of a step in memory, part by part; and for each moment of the step the bytes other than weights and
 * states, whose maximum determines the peak.
 * @param {TrainedModel} model @param {StepSettings} settings @param {number} texts  the number of texts in the batch
 * @returns {{ parts: StepParts, moments: number[] }} */
function stepOf(model, settings, texts) {
  const { tokens } = settings
  const dtypeIndex = Object.keys(exported.aligned).indexOf(settings.dtype)
  const attentionIndex = dtypeIndex * exported.kernels.length + kernelIndex(model, settings)
  // The polynomials of each way of running a step, in the order in which they are exported: by data type, by kernel,
  // with or without padding, and with or without checkpointing.
  const body = bodyIndices(model)?.[4 * attentionIndex + 2 * Number(settings.padded) + Number(settings.checkpointing)]
  const head = headIndices(model, texts)?.[2 * dtypeIndex + Number(settings.checkpointing)]
  const sizes = {
    ...model.sizes,
    N: texts,
    B: texts * (model.modelClass.endsWith("MultipleChoice") ? exported.choices : 1),
    T: tokens,
    Q: roundedUp(tokens, exported.rounding),
    Y: tokens + 1,
  }
  const polynomials = [body, head].map((index) => exported.polynomials[/** @type {number} */ (index)].split("|"))
  const [activations, copies, layerBytes] = [0, 1, 2].map((index) =>
    polynomials.reduce((sum, fields) => sum + bytesOf(fields[index] ?? "", sizes), 0),
  )
  // If only one layer keeps anything, it may be the first, which keeps different tensors.
  const keepingLayers = model.sizes.L - (polynomials[0][4] ? model.sizes.K : 0)
  const layer = layerBytes && keepingLayers <= 1 ? activations + copies : layerBytes
  const [weights, gradients, { [settings.optimiser]: states }] = fixedBytesOf(model, settings)
  const temporaryFields = polynomials.map((fields) => (fields[3] ? exported.polynomials[Number(fields[3])] : ""))
  const bounds = temporaryFields.flatMap((field) => field.split(";").map((bound) => bytesOf(bound, sizes)))
  const temporary = Math.max(0, ...bounds)
  const moments = [0, ...bounds].flatMap((bound) => [activations + copies + bound, gradients + layer + bound])
  const all = weights + states + activations + copies + temporary
  const peak = weights + states + Math.max(...moments)
  return { parts: { weights, states, copies, activations, gradients, layer, temporary, all, peak }, moments }
}

/** The bytes of a step in memory, part by part, with their sum at the end of the forward pass (`all`) and the largest
 * sum at any moment (`peak`). `hasAnswerFor` must be true of the model, and `refusal` must be null.
 * @param {TrainedModel} model @param {StepSettings} settings @param {number} texts  the number of texts in the batch */
export const bytesByPart = (model, settings, texts) => stepOf(model, settings, texts).parts

/** The bytes that each text from the third on adds at every moment. @param {TrainedModel} model
 * @param {StepSettings} settings */
function bytesAddedByText(model, settings) {
  const [momentsOfTwo, momentsOfThree] = [2, 3].map((texts) => stepOf(model, settings, texts).moments)
  return momentsOfThree.map((bytes, index) => bytes - momentsOfTwo[index])
}

/** The most bytes that a text from the third on adds at any moment.
 * @param {TrainedModel} model @param {StepSettings} settings */
export const maxBytesPerText = (model, settings) => Math.max(...bytesAddedByText(model, settings))

/** The largest number of texts for which a step fits in the given number of bytes.
 * @param {TrainedModel} model @param {StepSettings} settings @param {number} bytes */
export function largestBatch(model, settings, bytes) {
  if (bytesByPart(model, settings, 1).peak > bytes) return 0
  const { parts, moments } = stepOf(model, settings, 2)
  if (parts.peak > bytes) return 1
  const availableBytes = bytes - parts.weights - parts.states
  const textsThatFit = bytesAddedByText(model, settings).map((addedBytes, index) =>
    addedBytes > 0 ? Math.floor((availableBytes - moments[index]) / addedBytes) : Infinity,
  )
  return 2 + Math.min(...textsThatFit)
}
