// Explains warnings about weights: which parts of the model they concern, how many parameters
// these have, whether the warning is normal for the class, and what follows from it. The
// names are read by `text.js`, matched by `names.js` and grouped by `groups.js`. Verdicts are
// tried in order of seriousness: a body with random values, shapes that do not fit, new
// heads, and unused weights. The first that applies gives the headline, and whatever it does
// not mention becomes a finding.
//
// Findings are sorted by weight, so that advice comes before background.

import table from "../../../data/table.js"
import { ofModel } from "../../counting/configuration.js"
import { count, noun, product } from "../../counting/engine.js"
import { accountInSentences, code, enumeration, finding, isPlural, link, withCapital, words } from "../words.js"
import { bodyVerdict } from "./body.js"
import { BODY, groupsOf, PART_TITLES, parameterCountOf, parsedWarningOf } from "./groups.js"
import { mismatchVerdict } from "./mismatches.js"
import { architectureOf, layerCountOf } from "./names.js"
import { loadReportIn } from "./text.js"
import { headVerdict, unusedVerdict } from "./verdicts.js"
import { asCode, classInWords, namesInWords, partOfRow, partsWithAmounts } from "./wording.js"

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./text.js").LoadReport} LoadReport */
/** @typedef {import("./groups.js").ParsedWarning} ParsedWarning */
/** @typedef {import("./groups.js").Status} Status */
/** @typedef {import("./verdicts.js").WarningVerdict} WarningVerdict */

const MAX_LINES = 400 // the maximum number of lines for one part; a longer list would be too slow to show

/** The account of a warning; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfWarning(text) {
  const report = loadReportIn(text)
  if (!report) return accountWithoutNames(text)
  const architecture = architectureOf(report)
  return architecture ? accountOf(parsedWarningOf(report, architecture)) : accountOfUnknown(report)
}

const MAX_QUOTE = 300 // the maximum number of characters of a question that quotes a warning without its list of names
/** The words of a warning in a question that quotes it. */
const QUOTED_WARNING =
  /\bweights\b.{0,120}\b(?:(?:were|are)\s)?(?:not\sused|not\sinitiali[sz]ed|newly\sinitiali[sz]ed)\b/is

/** The account of a question that quotes a warning without the names of tensors; null for any other text, and for one
 * with a number to be explained.
 * @param {string} text @returns {Account | null} */
function accountWithoutNames(text) {
  if (text.length > MAX_QUOTE || !QUOTED_WARNING.test(text) || /[0-9]{4}/.test(text)) return null
  return accountInSentences(
    words`This warning changes no count: the class of a model and its config decide how many parameters it has, not its checkpoint. Weights that are not used belong to parts that the class lacks, such as a pre-training head. Newly initialized ones belong to parts that the checkpoint lacks, such as a classifier.`,
    [words`Paste the whole warning, with the names in it, and the answer says which parts they are.`],
    { kind: "warning" },
  )
}

/** The account of a warning about a known architecture. @param {ParsedWarning} warning @returns {Account} */
function accountOf(warning) {
  const { groups, report } = warning
  /** The groups with this status that belong to one of the parts. */
  const groupsWith = (/** @type {Status} */ status, /** @type {string[]} */ parts) =>
    groups.filter((group) => group.status === status && parts.includes(group.part))
  const body = groupsWith("missing", BODY)
  const unusedInBody = groupsWith("unexpected", BODY)
  const verdict =
    bodyVerdict(body, unusedInBody, warning) ??
    mismatchVerdict(groupsWith("mismatched", Object.keys(PART_TITLES)), warning) ??
    headVerdict(warning) ??
    unusedVerdict(unusedInBody, warning)
  const { modelClass, model, sizes } = warning
  const total =
    modelClass && model && sizes ? count({ modelClass, sizes, choices: ofModel(model.name, modelClass).choices }) : null
  const findings = [...verdict.findings, ...otherFindings(warning, verdict)]
  return {
    kind: "warning",
    headline: verdict.headline,
    findings: findings.sort((one, other) => other.weight - one.weight),
    lines: groups.flatMap((group) => linesOf(group, warning, verdict.isBad)),
    bridge: null,
    model: model && total !== null ? { name: model.name, modelClass, total } : null,
    confidence: report.isCut || groups.some(({ part }) => part === "unknown") || !modelClass ? "likely" : "certain",
  }
}

/** The words for the status of a tensor, to follow "is". @type {Record<Status, string>} */
const STATUS_WORDS = { missing: "new", unexpected: "not used", mismatched: "of a different shape" }

/** Findings on what the verdict does not mention.
 * @param {ParsedWarning} warning @param {WarningVerdict} verdict @returns {Finding[]} */
function otherFindings(warning, { groups: mentionedGroups, isBad }) {
  const { groups, report, model, modelClass, className, architecture } = warning
  const findings = []
  const others = groups.filter((group) => !mentionedGroups.includes(group))
  const unusedGroups = others.filter(
    ({ status, part }) => status === "unexpected" && part !== "unknown" && !(isBad && BODY.includes(part)),
  )
  if (unusedGroups.length) {
    const pronoun = unusedGroups.length > 1 || isPlural([PART_TITLES[unusedGroups[0].part]]) ? "them" : "it"
    findings.push(
      finding(
        30,
        words`Not used from the file: ${partsWithAmounts(unusedGroups, warning)}. ${withCapital(classInWords(warning))} has no place for ${pronoun}.`,
      ),
    )
  }
  const missingGroups = others.filter(
    ({ status, part }) => status === "missing" && !["unknown", "empty"].includes(part),
  )
  if (missingGroups.length) findings.push(finding(35, words`Also new: ${partsWithAmounts(missingGroups, warning)}.`))
  const unknownGroups = others.filter(({ part }) => part === "unknown")
  for (const { entries, status } of unknownGroups)
    findings.push(
      finding(
        25,
        words`${namesInWords(entries)} ${entries.length === 1 ? "is" : "are"} ${STATUS_WORDS[status]}, and not part of ${architecture.title} as far as we know.`,
      ),
    )
  if (report.isCut) findings.push(finding(20, words`The list of names is cut off, so there may be more.`))
  if (className && !modelClass)
    findings.push(
      finding(
        15,
        words`We do not know the class ${asCode(className)}; its names are taken for those of ${architecture.title}.`,
      ),
    )
  if (report.isError) findings.push(finding(45, adviceAfterError(report)))
  if (model) findings.push(finding(10, words`The numbers are those of ${link(model.page, model.title)}.`))
  else findings.push(...findingInFirstModel(warning))
  return findings
}

/** The advice after an error in loading a state_dict. Mismatched shapes cause an error even if the keys are not checked
 * strictly.
 * @param {LoadReport} report @returns {Words} */
function adviceAfterError({ mismatched }) {
  if (!mismatched.size)
    return words`PyTorch stops here with an error; ${code("strict=False")} would load what fits, and leave the rest random.`
  return words`PyTorch stops here with an error, with ${code("strict=False")} as well: that ignores missing and unexpected names, but not shapes that differ. ${code("from_pretrained")} with ${code("ignore_mismatched_sizes=True")} loads what fits, and leaves the rest random.`
}

/** A finding with the numbers for the first published model of the architecture, if the text does not say which model
 * it is; empty if all numbers of parts outside the body are known.
 * @param {ParsedWarning} warning @returns {Finding[]} */
function findingInFirstModel(warning) {
  const { groups, architecture } = warning
  const withoutNumber = groups.filter(
    ({ number, part }) => number === null && part !== "unknown" && !BODY.includes(part),
  )
  // Tensors of the model matter more than those left over in the file.
  const groupsOfModel = withoutNumber.filter(({ status }) => status !== "unexpected")
  const groupsToCount = groupsOfModel.length ? groupsOfModel : withoutNumber
  const firstModel = table.models.find((model) => model.architecture === architecture.name)
  if (!groupsToCount.length || !firstModel) return []
  const { sizes } = firstModel
  const countedGroups = groupsToCount.map((group) => groupsOf(group.entries, group.status, sizes)[0])
  const parts = partsWithAmounts(countedGroups, { ...warning, sizes })
  return [finding(12, words`The text does not say which sizes the model has. In ${firstModel.title}: ${parts}.`)]
}

/** The lines for a part, one per name; a name in several layers has one line.
 * @param {Group} group @param {ParsedWarning} warning @param {boolean} isBad @returns {AccountLine[]} */
function linesOf({ part, status, entries }, { sizes }, isBad) {
  return entries.slice(0, MAX_LINES).map((entry) => {
    const { rows, mention, name, isBuffer, isEmpty } = entry
    const [row] = rows
    const rowPart = row && partOfRow(row)
    const times = layerCountOf(entry)
    const number = parameterCountOf(entry, sizes)
    const stated = mention.from && product(mention.from, {})
    return {
      source: times > 1 ? name : mention.source,
      part: rowPart ? words`${link(rowPart.page ?? "", rowPart.words)}` : words`${row ? PART_TITLES[part] : ""}`,
      stated,
      // A number from a shape in the text is for one layer; a number from the sizes is for all layers.
      right: number === null ? null : number / (mention.to ? 1 : times),
      verdict: verdictOf({
        status,
        isKnown: Boolean(row),
        hasNoParameters: isBuffer || isEmpty,
        isBad: isBad && BODY.includes(part),
      }),
      times,
    }
  })
}

/** The verdict on a line of the warning.
 * @param {{ status: Status, isKnown: boolean, hasNoParameters: boolean, isBad: boolean }} about
 * @returns {LineVerdict} */
function verdictOf({ status, isKnown, hasNoParameters, isBad }) {
  if (hasNoParameters) return "not a parameter"
  if (!isKnown) return "unknown"
  if (isBad || status === "mismatched") return "wrong"
  return status === "missing" ? "added" : "not used"
}

/** The account of a report on a model of an unknown architecture. @param {LoadReport} report @returns {Account} */
function accountOfUnknown({ modelClass, checkpoint, missing, unexpected, mismatched }) {
  const classWords = modelClass ? words`${asCode(modelClass)}` : words`a model`
  const [firstCount, ...otherCounts] = [
    { size: missing.size, status: "missing from the file" },
    { size: unexpected.size, status: "of the file without a place in the model" },
    { size: mismatched.size, status: "with a different shape" },
  ].filter(({ size }) => size)
  const fromFile = checkpoint ? words` from ${asCode(checkpoint)}` : []
  const clause = modelClass ? ", which is not a class that we know" : " whose class the text does not name"
  const headline = firstCount
    ? words`This is about ${classWords}${fromFile}${clause}: ${enumeration([
        words`${firstCount.size} ${noun(firstCount.size, "name")} ${firstCount.status}`,
        ...otherCounts.map(({ size, status }) => words`${size} ${status}`),
      ])}.`
    : words`This is as it should be: all weights of ${classWords} were loaded${fromFile}.`
  const sentence = words`What is missing from the file starts from random values, so train it before use.`
  return {
    kind: "warning",
    headline,
    findings: missing.size ? [finding(30, sentence)] : [],
    lines: [],
    bridge: null,
    model: null,
    confidence: "likely",
  }
}
