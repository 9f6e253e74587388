// The verdicts on new heads, and on weights that the model has no place for. A new classifier
// is normal, but a new masked-LM head is not if its predictions are wanted. The verdict
// depends on the reader's plans, which a warning does not show. So the headline says "as it
// should be for ..." or "if you want ...", and the findings say what follows.

import { wasFineTuned } from "../model-names.js"
import { code, enumeration, finding, verbFor, withCapital, words } from "../words.js"
import { isTied, LM_HEADS, TASK_HEADS } from "./groups.js"
import { asCode, classInWords, fileInWords, namesInWords, partsWithAmounts, tensorsInWords } from "./wording.js"

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./groups.js").ParsedWarning} ParsedWarning */

/** The headline, findings on it, whether something is wrong, and the groups that the headline mentions.
 * @typedef {{ headline: Words, findings: Finding[], isBad: boolean, groups: Group[] }} WarningVerdict */

/** A checkpoint that the reader may have saved: a path, or a folder with a typical name for results. */
const READERS_CHECKPOINT = /^(?:\.{0,2}\/|~|[A-Z]:\\)|checkpoint-?[0-9]|\b(?:output|results|runs|best|epoch)\b/i

/** The verdict if anything in the model is new; null if nothing is.
 * @param {ParsedWarning} warning @returns {WarningVerdict | null} */
export function headVerdict(warning) {
  const missingGroups = warning.groups.filter(({ status }) => status === "missing")
  if (!missingGroups.length) return null
  const newGroups = missingGroups.filter(
    ({ part, entries }) => !["buffers", "empty", "unknown"].includes(part) && !entries.every(isTied),
  )
  if (!newGroups.length) return verdictWithoutKnownParts(missingGroups, warning)
  const hasTaskHead = newGroups.some(({ part }) => TASK_HEADS.includes(part))
  const hasLmHead = newGroups.some(({ part }) => LM_HEADS.includes(part))
  if (hasTaskHead && wasFineTuned(warning.checkpoint)) return verdictOnFineTunedModel(newGroups, warning)
  if (hasLmHead && !hasTaskHead) return verdictOnNewLmHead(newGroups, warning)
  return verdictOnNewHead(newGroups, warning)
}

/** The words for new parts, and the verbs and the pronoun that agree with them.
 * @param {Group[]} newGroups @param {ParsedWarning} warning */
function partsAsSubject(newGroups, warning) {
  const partWords = partsWithAmounts(newGroups, warning)
  const isSingular = newGroups.length === 1 && newGroups[0].part !== "embeddings"
  return isSingular
    ? { partWords, verb: "is", startVerb: "starts", pronoun: "it" }
    : { partWords, verb: "are", startVerb: "start", pronoun: "them" }
}

/** The verdict on a new head, although the file should have one.
 * @param {Group[]} newGroups @param {ParsedWarning} warning @returns {WarningVerdict} */
function verdictOnFineTunedModel(newGroups, warning) {
  const { partWords, verb, pronoun } = partsAsSubject(newGroups, warning)
  const headline = words`Look twice: ${partWords} ${verb} new, although the name ${fileInWords(warning)} suggests a fine-tuned model, which should have a head.`
  const hint = words`Load it with the class under ${code("architectures")} in its config.json; otherwise train ${pronoun} before use.`
  return { headline, findings: [finding(60, hint)], isBad: false, groups: newGroups }
}

/** The verdict on a new masked-LM head, whose predictions are random. @param {Group[]} newGroups
 * @param {ParsedWarning} warning @returns {WarningVerdict} */
function verdictOnNewLmHead(newGroups, warning) {
  const { partWords, verb, startVerb, pronoun } = partsAsSubject(newGroups, warning)
  const headline = words`This is not as it should be if you want the predictions of ${classInWords(warning)}: ${partWords} ${verb} not in ${fileInWords(warning)} and ${startVerb} from random values.`
  const hint = words`The file is of a bare model, or was fine-tuned for another task. Take a checkpoint with this head, or train ${pronoun} before use.`
  return { headline, findings: [finding(60, hint)], isBad: true, groups: newGroups }
}

/** The verdict on new parts that are to be trained, such as a classifier. @param {Group[]} newGroups
 * @param {ParsedWarning} warning @returns {WarningVerdict} */
function verdictOnNewHead(newGroups, warning) {
  const { partWords, verb, pronoun } = partsAsSubject(newGroups, warning)
  const isPooler = newGroups.every(({ part }) => part === "pooler")
  const whyMissing = newGroups.some(({ part }) => part === "cross-attention")
    ? words`an encoder has no cross-attention`
    : words`${fileInWords(warning)} has none`
  const consequence = isPooler
    ? words`If you use only the token vectors, this does not matter, but the pooler's output is of no use before training.`
    : words`Until you have trained ${pronoun}, the predictions are random.`
  const purpose = warning.className ? words`for ${classInWords(warning)}` : words`for a new task`
  const advice = isPooler ? "" : `; train ${pronoun} before use`
  const headline = words`This is as it should be ${purpose}: ${partWords} ${verb} new, because ${whyMissing}${advice}.`
  return {
    headline,
    findings: [finding(60, consequence), ...readersCheckpointHint(warning)],
    isBad: false,
    groups: newGroups,
  }
}

/** The verdict if the only new tensors are unknown ones, buffers, tied tensors, or layers without parameters.
 * @param {Group[]} missingGroups @param {ParsedWarning} warning @returns {WarningVerdict} */
function verdictWithoutKnownParts(missingGroups, warning) {
  const unknownGroups = missingGroups.filter(({ part }) => part === "unknown")
  if (unknownGroups.length) {
    const [{ entries }] = unknownGroups
    const [verb, start, pronoun] = entries.length === 1 ? ["is", "it starts", "it"] : ["are", "they start", "them"]
    const headline = words`${namesInWords(entries)} ${verb} new and not part of ${warning.architecture.title} as far as we know; ${start} from random values, so train ${pronoun} before use.`
    return { headline, findings: [], isBad: false, groups: unknownGroups }
  }
  const [first] = missingGroups.flatMap((group) => group.entries)
  const reason = first.isBuffer || first.isEmpty ? "holds no parameters" : "shares its weights with another tensor"
  const headline = words`This is harmless: ${asCode(first.mention.source)} ${reason}, so nothing of ${classInWords(warning)} is random.`
  return { headline, findings: [], isBad: false, groups: missingGroups }
}

/** A hint if the reader may have trained the model in the file, which should then have a head; empty otherwise.
 * @param {ParsedWarning} warning @returns {Finding[]} */
function readersCheckpointHint(warning) {
  const hint = words`If ${fileInWords(warning)} is a model that you have fine-tuned, its head should be there: either only the body was saved, or this is another class.`
  return READERS_CHECKPOINT.test(warning.checkpoint) ? [finding(55, hint)] : []
}

/** The verdict if nothing in the model is new: on unused tensors, or on a file that was used completely.
 * @param {Group[]} unusedInBody @param {ParsedWarning} warning @returns {WarningVerdict} */
export function unusedVerdict(unusedInBody, warning) {
  const { groups, report } = warning
  const unusedGroups = groups.filter(({ status }) => status === "unexpected")
  if (unusedInBody.length) return verdictOnUnusedBody(unusedInBody, warning)
  if (unusedGroups.length) return verdictOnUnusedHeads(unusedGroups, warning)
  const reason = report.isAllLoaded
    ? "every weight of the model was in the file"
    : "every weight of the file has a place in the model"
  return {
    headline: words`This is as it should be: ${reason}, and the text names none that is left over.`,
    findings: [],
    isBad: false,
    groups: [],
  }
}

/** The verdict on embeddings or layers that were left out. @param {Group[]} groups @param {ParsedWarning} warning */
function verdictOnUnusedBody(groups, warning) {
  const isOnlyEncoder = groups.every(({ part }) => part === "encoder")
  const wordsForUnused = enumeration(groups.map(tensorsInWords))
  const verb = verbFor(wordsForUnused, "was", "were")
  const headline = words`This is not as it should be: ${wordsForUnused} of ${fileInWords(warning)} ${verb} left out of ${classInWords(warning)}.`
  const hint = isOnlyEncoder
    ? words`The file has more layers than the model that you build: compare ${code("num_hidden_layers")}.`
    : words`The names in the file differ from those in the model, in which these parts most likely start from random values.`
  return { headline, findings: [finding(70, hint)], isBad: true, groups }
}

/** The verdict on unused tensors outside the embeddings and the encoder.
 * @param {Group[]} groups @param {ParsedWarning} warning */
function verdictOnUnusedHeads(groups, warning) {
  const knownGroups = groups.filter(({ part }) => part !== "unknown")
  const [first] = knownGroups
  if (!first) {
    const [{ entries }] = groups
    const headline = words`${classInWords(warning)} has no place for ${namesInWords(entries)} of ${fileInWords(warning)}, which ${entries.length === 1 ? "is" : "are"} not part of ${warning.architecture.title} as far as we know.`
    return { headline: withCapital(headline), findings: [], isBad: false, groups: [] }
  }
  if (knownGroups.every(({ part }) => part === "buffers" || part === "empty")) {
    const name = asCode(first.entries[0].mention.source)
    const headline = words`This is harmless: ${name} holds no parameters, and ${classInWords(warning)} needs none of that name from the file.`
    return { headline, findings: [], isBad: false, groups: knownGroups }
  }
  const hasTaskHead = knownGroups.some(({ part }) => TASK_HEADS.includes(part))
  const condition = hasTaskHead ? " if you want the body only" : ""
  const headline = words`This is as it should be${condition}: ${classInWords(warning)} has no place for ${partsWithAmounts(knownGroups, warning)} of ${fileInWords(warning)}, and nothing here says that anything is missing.`
  const consequence = hasTaskHead
    ? words`The head was trained for a task; if you want its predictions, load the class under ${code("architectures")} in its config.json.`
    : words`What is left out serves other classes, so you can use the model as it is.`
  return { headline, findings: [finding(40, consequence)], isBad: false, groups: knownGroups }
}
