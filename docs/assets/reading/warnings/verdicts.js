// The verdicts on new heads, and on weights that the model has no place for. A new classifier
// is normal, but a new masked-LM head is not if its predictions are wanted. The verdict
// depends on the reader's plans, which a warning does not show. So the headline says "as it
// should be for ..." or "if you want ...", and the findings say what follows.

import { wasFineTuned } from "../model-names.js"
import { code, enumeration, finding, withCapital, words } from "../words.js"
import { isTied, LM_HEADS, TASK_HEADS } from "./groups.js"
import { asCode, classInWords, fileInWords, namesInWords, partsWithAmounts, tensorsInWords } from "./wording.js"

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./groups.js").ParsedWarning} ParsedWarning */

/** The headline, findings on it, whether something is wrong, and the groups that the headline mentions.
 * @typedef {{ headline: Words, findings: Finding[], isBad: boolean, groups: Group[] }} WarningVerdict */

/** A checkpoint that the reader may have saved: a path, or a folder with a typical name for results. */
const READERS_CHECKPOINT = /^(?:\.{0,2}\/|~|[A-Z]:\\)|checkpoint-?[0-9]|\b(?:output|results|runs|best|epoch)\b/i

/** The verdict if anything in the model is new; null if nothing is.
 * @param {ParsedWarning} reading @returns {WarningVerdict | null} */
export function headVerdict(reading) {
  const missingGroups = reading.groups.filter(({ status }) => status === "missing")
  if (!missingGroups.length) return null
  const newGroups = missingGroups.filter(
    ({ part, entries }) => !["buffers", "empty", "unknown"].includes(part) && !entries.every(isTied),
  )
  if (!newGroups.length) return verdictWithoutKnownParts(missingGroups, reading)
  const hasTaskHead = newGroups.some(({ part }) => TASK_HEADS.includes(part))
  const hasLmHead = newGroups.some(({ part }) => LM_HEADS.includes(part))
  if (hasTaskHead && wasFineTuned(reading.checkpoint)) return verdictOnFineTunedModel(newGroups, reading)
  if (hasLmHead && !hasTaskHead) return verdictOnNewLmHead(newGroups, reading)
  return verdictOnNewHead(newGroups, reading)
}

/** The words for new parts, and the verbs and the pronoun that agree with them.
 * @param {Group[]} newGroups @param {ParsedWarning} reading */
function partsAsSubject(newGroups, reading) {
  const partWords = partsWithAmounts(newGroups, reading)
  const isSingular = newGroups.length === 1 && newGroups[0].part !== "embeddings"
  return isSingular
    ? { partWords, verb: "is", startVerb: "starts", pronoun: "it" }
    : { partWords, verb: "are", startVerb: "start", pronoun: "them" }
}

/** The verdict on a new head, although the file should have one.
 * @param {Group[]} newGroups @param {ParsedWarning} reading @returns {WarningVerdict} */
function verdictOnFineTunedModel(newGroups, reading) {
  const { partWords, verb, pronoun } = partsAsSubject(newGroups, reading)
  const headline = words`Look twice: ${partWords} ${verb} new, although ${fileInWords(reading)} is a fine-tuned model by its name, and should have a head.`
  const hint = words`Load it with the class under ${code("architectures")} in its config.json; otherwise train ${pronoun} before use.`
  return { headline, findings: [finding(60, hint)], isBad: false, groups: newGroups }
}

/** The verdict on a new masked-LM head, whose predictions are random. @param {Group[]} newGroups
 * @param {ParsedWarning} reading @returns {WarningVerdict} */
function verdictOnNewLmHead(newGroups, reading) {
  const { partWords, verb, startVerb, pronoun } = partsAsSubject(newGroups, reading)
  const headline = words`This is not as it should be if you want the predictions of ${classInWords(reading)}: ${partWords} ${verb} not in ${fileInWords(reading)} and ${startVerb} from random values.`
  const hint = words`The file is of a bare model, or was fine-tuned for another task. Take a checkpoint with this head, or train ${pronoun} before use.`
  return { headline, findings: [finding(60, hint)], isBad: true, groups: newGroups }
}

/** The verdict on new parts that are to be trained, such as a classifier. @param {Group[]} newGroups
 * @param {ParsedWarning} reading @returns {WarningVerdict} */
function verdictOnNewHead(newGroups, reading) {
  const { partWords, verb, pronoun } = partsAsSubject(newGroups, reading)
  const isPooler = newGroups.every(({ part }) => part === "pooler")
  const whyMissing = newGroups.some(({ part }) => part === "cross-attention")
    ? words`an encoder has no cross-attention`
    : words`${fileInWords(reading)} has none`
  const consequence = isPooler
    ? words`If you take the token vectors only, it does not matter; its output is of use only after training.`
    : words`Until you have trained ${pronoun}, the predictions are random.`
  const purpose = reading.className ? words`for ${classInWords(reading)}` : words`for a new task`
  const advice = isPooler ? "" : `; train ${pronoun} before use`
  const headline = words`This is as it should be ${purpose}: ${partWords} ${verb} new, because ${whyMissing}${advice}.`
  return {
    headline,
    findings: [finding(60, consequence), ...readersCheckpointHint(reading)],
    isBad: false,
    groups: newGroups,
  }
}

/** The verdict if the only new tensors are unknown ones, buffers, tied tensors, or layers without parameters.
 * @param {Group[]} missingGroups @param {ParsedWarning} reading @returns {WarningVerdict} */
function verdictWithoutKnownParts(missingGroups, reading) {
  const unknownGroups = missingGroups.filter(({ part }) => part === "unknown")
  if (unknownGroups.length) {
    const [{ entries }] = unknownGroups
    const headline = words`${namesInWords(entries)} ${entries.length === 1 ? "is" : "are"} new and not part of ${reading.architecture.title} as far as we know; whatever it is starts from random values, so train it before use.`
    return { headline, findings: [], isBad: false, groups: unknownGroups }
  }
  const [first] = missingGroups.flatMap((group) => group.entries)
  const reason = first.isBuffer || first.isEmpty ? "holds no parameters" : "shares its weights with another tensor"
  const headline = words`This is harmless: ${asCode(first.mention.source)} ${reason}, so nothing of ${classInWords(reading)} is random.`
  return { headline, findings: [], isBad: false, groups: missingGroups }
}

/** A hint if the reader may have trained the model in the file, which should then have a head; empty otherwise.
 * @param {ParsedWarning} reading @returns {Finding[]} */
function readersCheckpointHint(reading) {
  const hint = words`If ${fileInWords(reading)} is a model that you have fine-tuned, its head should be there: either only the body was saved, or this is another class.`
  return READERS_CHECKPOINT.test(reading.checkpoint) ? [finding(55, hint)] : []
}

/** The verdict if nothing in the model is new: on unused tensors, or on a file that was used completely.
 * @param {Group[]} unusedInBody @param {ParsedWarning} reading @returns {WarningVerdict} */
export function unusedVerdict(unusedInBody, reading) {
  const { groups, report } = reading
  const unusedGroups = groups.filter(({ status }) => status === "unexpected")
  if (unusedInBody.length) return verdictOnUnusedBody(unusedInBody, reading)
  if (unusedGroups.length) return verdictOnUnusedHeads(unusedGroups, reading)
  const reason = report.isAllLoaded
    ? "every weight of the model was in the file"
    : "every weight of the file has a place in the model"
  return {
    headline: words`This is as it should be: ${reason}, and none is left over in what the text says.`,
    findings: [],
    isBad: false,
    groups: [],
  }
}

/** The verdict on embeddings or layers that were left out. @param {Group[]} groups @param {ParsedWarning} reading */
function verdictOnUnusedBody(groups, reading) {
  const isOnlyEncoder = groups.every(({ part }) => part === "encoder")
  const wordsForUnused = enumeration(groups.map(tensorsInWords))
  const headline = words`This is not as it should be: ${wordsForUnused} of ${fileInWords(reading)} ${isOnlyEncoder ? "were" : "was"} left out of ${classInWords(reading)}.`
  const hint = isOnlyEncoder
    ? words`The file has more layers than the model that you build: compare ${code("num_hidden_layers")}.`
    : words`The file has other names than the model; what was left out starts from random values there.`
  return { headline, findings: [finding(70, hint)], isBad: true, groups }
}

/** The verdict on unused tensors outside the embeddings and the encoder.
 * @param {Group[]} groups @param {ParsedWarning} reading */
function verdictOnUnusedHeads(groups, reading) {
  const knownGroups = groups.filter(({ part }) => part !== "unknown")
  const [first] = knownGroups
  if (!first) {
    const [{ entries }] = groups
    const headline = words`${classInWords(reading)} has no place for ${namesInWords(entries)} of ${fileInWords(reading)}, which ${entries.length === 1 ? "is" : "are"} not part of ${reading.architecture.title} as far as we know.`
    return { headline: withCapital(headline), findings: [], isBad: false, groups: [] }
  }
  if (knownGroups.every(({ part }) => part === "buffers" || part === "empty")) {
    const name = asCode(first.entries[0].mention.source)
    const headline = words`This is harmless: ${name} holds no parameters, and ${classInWords(reading)} needs none of that name from the file.`
    return { headline, findings: [], isBad: false, groups: knownGroups }
  }
  const hasTaskHead = knownGroups.some(({ part }) => TASK_HEADS.includes(part))
  const condition = hasTaskHead ? " if you want the body only" : ""
  const headline = words`This is as it should be${condition}: ${classInWords(reading)} has no place for ${partsWithAmounts(knownGroups, reading)} of ${fileInWords(reading)}, and nothing here says that anything is missing.`
  const consequence = hasTaskHead
    ? words`The head was trained for a task; if you want its predictions, load the class under ${code("architectures")} in its config.json.`
    : words`What is left out serves other classes, so you can use the model as it is.`
  return { headline, findings: [finding(40, consequence)], isBad: false, groups: knownGroups }
}
