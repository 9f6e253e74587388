// The verdict on a body that was not loaded: embeddings or layers that start from random
// values, which is always a fault. Usually the names in the file begin differently from
// those in the model, because of DataParallel or another wrapper. So the most common
// prefixes of the names in the model and in the file are compared, and the answer says how
// to make them match.

import table from "../../../data/table.js"
import { classes, classOfBare, product, sumBy } from "../../counting/engine.js"
import { code, enumeration, finding, verbFor, words } from "../words.js"
import { BODY, partOf } from "./groups.js"
import { layerCountOf, tensorCountOf } from "./names.js"
import { classInWords, tensorsInWords } from "./wording.js"

/** @typedef {import("./groups.js").Group} Group */
/** @typedef {import("./groups.js").ParsedWarning} ParsedWarning */
/** @typedef {import("./verdicts.js").WarningVerdict} WarningVerdict */

const NEARLY_ALL = 0.9 // a larger share of the body's tensors counts as all; the rest are usually buffers or tied

/** The verdict if tensors of the body start from random values; null if none do.
 * @param {Group[]} body  the new groups of the body @param {Group[]} unusedInBody  the unused ones
 * @param {ParsedWarning} warning @returns {WarningVerdict | null} */
export function bodyVerdict(body, unusedInBody, warning) {
  if (!body.length) return null
  const numbers = body.map(({ number }) => number)
  const amount = numbers.every((number) => number !== null)
    ? words`, ${sumBy(numbers, (number) => number)} parameters,`
    : []
  const reason = reasonOf(body, unusedInBody, warning)
  const findings = reason ? [finding(80, reason)] : []
  if (shareOfBody(body, warning) > NEARLY_ALL) {
    const headline = words`This is not as it should be: nothing was loaded. The embeddings and the encoder of ${classInWords(warning)}${amount} start from random values.`
    return { headline, findings, isBad: true, groups: body }
  }
  const wordsForBody = enumeration(body.map((group) => words`${tensorsInWords(group)}`))
  const verb = verbFor(wordsForBody, "starts", "start")
  const headline = words`This is not as it should be: ${wordsForBody}${amount} ${verb} from random values in ${classInWords(warning)}.`
  const hint = words`The checkpoint belongs to a model with other layers or other names; compare its config.json with that of the model that you build.`
  return { headline, findings: reason ? findings : [finding(70, hint)], isBad: true, groups: body }
}

/** The share of the body's tensors that the groups contain. @param {Group[]} body @param {ParsedWarning} warning */
function shareOfBody(body, { architecture, modelClass, sizes }) {
  const countedClass = classes.get(modelClass || classOfBare(architecture.name))
  const rowsOfBody = countedClass.rows.filter((row) => BODY.includes(partOf(row)) && !row.when?.includes("cross"))
  const randomEntries = body.flatMap(({ entries }) => entries)
  // Without sizes, the model is assumed to be as deep as the text shows.
  const depth = sizes ? product(architecture.layers, sizes) : Math.max(...randomEntries.map(layerCountOf))
  return tensorCountOf(randomEntries) / sumBy(rowsOfBody, (row) => (row.repeated ? depth : 1))
}

/** The reason why the names of the body did not match; null if it is unknown.
 * @param {Group[]} body @param {Group[]} unusedInBody @param {ParsedWarning} warning @returns {Words | null} */
function reasonOf(body, unusedInBody, { architecture }) {
  const [modelPrefix, filePrefix] = [mostCommonPrefix(body), mostCommonPrefix(unusedInBody)]
  if (!unusedInBody.length || modelPrefix === filePrefix) return null
  // Several architectures share a prefix, such as BERT and Megatron BERT, so only a different prefix identifies the
  // file.
  const otherArchitecture =
    filePrefix !== architecture.prefix && table.architectures.find(({ prefix }) => prefix === filePrefix)
  if (otherArchitecture)
    return words`The file holds a model of another architecture, ${otherArchitecture.title}. Its names begin with ${code(filePrefix)}, where those of ${architecture.title} have ${code(architecture.prefix)}; load it with a class of ${otherArchitecture.title}.`
  if (filePrefix.endsWith(modelPrefix) && filePrefix) {
    const extraPrefix = filePrefix.slice(0, filePrefix.length - modelPrefix.length)
    const from = extraPrefix === "module." ? " They come from DataParallel." : ""
    const prefix = JSON.stringify(extraPrefix)
    return words`The names in the file begin with ${code(extraPrefix)}, and those of the model do not.${from} Remove this prefix before loading: ${code(`{name.removeprefix(${prefix}): tensor for name, tensor in state_dict.items()}`)}.`
  }
  if (modelPrefix.endsWith(filePrefix)) {
    const extraPrefix = modelPrefix.slice(0, modelPrefix.length - filePrefix.length)
    const hint =
      extraPrefix === "module." ? words`, as DataParallel makes them: load the file into ${code("model.module")}` : []
    return words`The names in the model begin with ${code(extraPrefix)}, and those in the file do not${hint}.`
  }
  const [inModel, inFile] = [modelPrefix || "no prefix", filePrefix || "no prefix"]
  return words`The names differ at their beginning: the model has ${code(inModel)}, and the file has ${code(inFile)}. Rename the tensors in the file before loading, or load it into the class that it was saved from.`
}

/** The most common prefix of the names in groups; "" if there are no names. @param {Group[]} groups */
function mostCommonPrefix(groups) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { wrapper } of groups.flatMap(({ entries }) => entries))
    counts.set(wrapper, (counts.get(wrapper) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ""
}
