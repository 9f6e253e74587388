// Warnings about weights: which parts of the model they are about, how many parameters
// these have, whether that is as it should be for the class, and what follows. The names
// are read by `warning-text.js` and matched by `warning-names.js`. A new classifier is as
// it should be; an encoder with random values never is.

import table from "../../../data/table.js"
import { ofModel } from "../../counting/configuration.js"
import { classes, classOfBare, count, rows as everyRow, noun, product, whole } from "../../counting/engine.js"
import { cut } from "../../counting/short.js"
import { modelOfName, wasFineTuned } from "../configs/model-names.js"
import { code, link, listed, words } from "../words.js"
import { architectureOf, countedClass, entriesOf } from "./names.js"
import { loadReport } from "./text.js"

/** @typedef {import("./text.js").LoadReport} LoadReport */
/** @typedef {import("./names.js").Entry} Entry */
/** @typedef {import("./names.js").Architecture} Architecture */

/** @typedef {"missing" | "unexpected" | "mismatched"} Status */
/** @typedef {{ part: string, status: Status, entries: Entry[], number: number | null, hasLabels: boolean }} Group
 * The names of one part with one status, and its parameters; null if the sizes are not known. */

/** @typedef {{ architecture: Architecture, modelClass: string, className: string, checkpoint: string, model: Model | null,
 *   sizes: Sizes | null, report: LoadReport, groups: Group[] }} Reading
 * What is known: the class if it is counted, its name as it was written, the checkpoint, the published model that it is,
 * and its sizes. */

/** Characters of a name that an answer repeats. */
const LONGEST_NAME = 80

/** The parts in words, in the order of a model.
 * @type {Record<string, string>} */
const PARTS = {
  embeddings: "the embeddings",
  encoder: "the encoder",
  "cross-attention": "cross-attention",
  pooler: "the pooler",
  "mlm-head": "the masked-LM head",
  "nsp-head": "the next-sentence head",
  "discriminator-head": "the discriminator head",
  "task-head": "the classifier",
  "choice-head": "the multiple-choice head",
  "answer-head": "the answer head",
  buffers: "buffers, which are no parameters",
  empty: "layers without parameters",
  unknown: "tensors that we do not know",
}

const BODY = ["embeddings", "encoder"]
const TASK_HEADS = ["task-head", "choice-head", "answer-head"]
const LM_HEADS = ["mlm-head", "nsp-head", "discriminator-head"]

/** The part that a row belongs to. @param {Row} row */
function partOf({ path, block }) {
  if (path.startsWith("bert/pooler")) return "pooler"
  if (path.includes("/crossattention/")) return "cross-attention"
  if (/^bert\/(?:embeddings|relative)/.test(path)) return "embeddings"
  if (path.startsWith("bert/")) return "encoder"
  if (/^(?:cls\/squad|answer)/.test(path)) return "answer-head"
  if (path.startsWith("multiple_choice")) return "choice-head"
  return block
}

/** The account of a warning; null if a text is none.
 * @param {string} text @returns {Account | null} */
export function accountOfWarning(text) {
  const report = loadReport(text)
  if (!report) return null
  const names = [report.missing, report.unexpected, report.mismatched].flatMap((some) => [...some.keys()])
  const architecture = architectureOf(
    report.modelClass,
    report.checkpoint,
    names.map((name) => name.split(" ")[0]),
  )
  return architecture ? accountOf(readingOf(report, architecture)) : ofUnknown(report)
}

/** @param {LoadReport} report @param {Architecture} architecture @returns {Reading} */
function readingOf(report, architecture) {
  const modelClass = countedClass(report.modelClass)
  const model = modelOfName(report.checkpoint)?.model ?? null
  const isOwn = model?.architecture === architecture.name
  const known = isOwn ? { ...model.sizes } : null
  /** @type {[Status, Map<string, import("./text.js").Named>][]} */
  const all = [
    ["missing", report.missing],
    ["unexpected", report.unexpected],
    ["mismatched", report.mismatched],
  ]
  const entries = all.map(([status, names]) => ({
    status,
    entries: entriesOf(names, architecture, status === "unexpected" ? "" : modelClass),
  }))
  const sizes =
    known &&
    withLabels(
      known,
      entries.flatMap((one) => one.entries),
    )
  const groups = entries.flatMap(({ status, entries: some }) => groupsOf(some, status, sizes))
  const { modelClass: className, checkpoint } = report
  return { architecture, modelClass, className, checkpoint, model: isOwn ? model : null, sizes, report, groups }
}

/** Sizes with the number of labels that a shape in the text gives.
 * @param {Sizes} sizes @param {Entry[]} entries @returns {Sizes} */
function withLabels(sizes, entries) {
  for (const { rows, named } of entries)
    for (const row of rows) if (named.to && row.dimensions[0] === "C") return { ...sizes, C: named.to[0] }
  return sizes
}

/** Names by part. @param {Entry[]} entries @param {Status} status @param {Sizes | null} sizes @returns {Group[]} */
function groupsOf(entries, status, sizes) {
  /** @type {Map<string, Entry[]>} */
  const parts = new Map()
  for (const entry of entries) {
    const part = entry.isBuffer
      ? "buffers"
      : entry.isEmpty
        ? "empty"
        : entry.rows[0]
          ? partOf(entry.rows[0])
          : "unknown"
    parts.set(part, [...(parts.get(part) ?? []), entry])
  }
  const order = Object.keys(PARTS)
  return [...parts]
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([part, some]) => {
      const numbers = some.map((entry) => numberOf(entry, sizes))
      const isKnown = numbers.every((number) => number !== null)
      const number = isKnown ? numbers.reduce((/** @type {number} */ sum, one) => sum + Number(one), 0) : null
      const hasLabels = some.some((entry) => !entry.named.to && entry.rows.some((row) => row.dimensions.includes("C")))
      return { part, status, entries: some, number, hasLabels }
    })
}

/** The parameters of a name; null if they are not known. A tied tensor adds none.
 * @param {Entry} entry @param {Sizes | null} sizes */
function numberOf({ rows, named, isBuffer, isEmpty }, sizes) {
  if (isBuffer || isEmpty) return 0
  if (named.to) return named.to.reduce((all, size) => all * size, 1)
  if (!rows.length || !sizes) return null
  const times = Math.max(1, named.layers.size)
  return rows.reduce((sum, row) => sum + (row.tied_to ? 0 : product(row.dimensions, sizes) * times), 0)
}

// --- Words ----------------------------------------------------------------------

/** @param {string} name */
const asCode = (name) => code(cut(name, LONGEST_NAME))

/** The parameters of a part in words: a number, or letters if the sizes are not known.
 * @param {Group} group @param {Reading} reading @returns {Words} */
function amount(group, { sizes }) {
  const { number, entries, hasLabels } = group
  if (number !== null) {
    // The text does not give the number of labels, and transformers' default is two.
    const labels = hasLabels && sizes ? words` with the usual ${sizes.C} ${noun(sizes.C, "label")}` : []
    return words`${number} ${noun(number, "parameter")}${labels}`
  }
  const all = entries.flatMap(({ rows }) => rows).filter((row) => !row.tied_to)
  if (!all.length || all.length > 4 || all.some((row) => row.repeated))
    return words`${entries.length} ${noun(entries.length, "name")}`
  const letters = all
    .sort((one, other) => everyRow.indexOf(one) - everyRow.indexOf(other))
    .map(({ dimensions }) => dimensions.join("·"))
    .join(" + ")
  return words`${letters} parameters`
}

/** A part with its parameters. @param {Group} group @param {Reading} reading @returns {Words} */
function withAmount(group, reading) {
  const title = PARTS[group.part]
  if (group.part === "buffers" || group.part === "empty") return words`${title}`
  if (group.entries.every(({ rows }) => rows.length && rows.every((row) => row.tied_to)))
    return words`the decoder, which shares its weights and adds nothing`
  return words`${title} (${amount(group, reading)})`
}

/** @param {Group[]} groups @param {Reading} reading */
const partsListed = (groups, reading) => listed(groups.map((group) => withAmount(group, reading)))

/** The class in words. @param {Reading} reading @returns {Words} */
const theClass = ({ className, architecture }) =>
  className ? words`${asCode(className)}` : words`the ${architecture.title} model`

/** The file in words. @param {Reading} reading @returns {Words} */
const theFile = ({ checkpoint }) => (checkpoint ? words`${asCode(checkpoint)}` : words`the file`)

// --- The verdict ----------------------------------------------------------------

/** @param {Reading} reading @returns {Account} */
function accountOf(reading) {
  const { groups, report } = reading
  const of = (/** @type {Status} */ status, /** @type {string[]} */ parts) =>
    groups.filter((group) => group.status === status && parts.includes(group.part))
  const body = of("missing", BODY)
  const lost = of("unexpected", BODY)
  const verdict =
    bodyVerdict(body, lost, reading) ??
    mismatchVerdict(of("mismatched", Object.keys(PARTS)), reading) ??
    headVerdict(reading) ??
    unusedVerdict(lost, reading)
  const { modelClass, model, sizes } = reading
  const total =
    modelClass && model && sizes ? count({ modelClass, sizes, choices: ofModel(model.name, modelClass).choices }) : null
  const findings = [...verdict.findings, ...otherFindings(reading, verdict)]
  return {
    kind: "warning",
    headline: verdict.headline,
    findings: findings.sort((one, other) => other.weight - one.weight),
    lines: groups.flatMap((group) => linesOf(group, reading, verdict.isBad)),
    bridge: null,
    model: model && total !== null ? { name: model.name, modelClass, total } : null,
    confidence: report.isCut || groups.some(({ part }) => part === "unknown") || !modelClass ? "likely" : "certain",
  }
}

/** @typedef {{ headline: Words, findings: Finding[], isBad: boolean, parts: Group[] }} Verdict */

/** @param {number} weight @param {Words} sentence @returns {Finding} */
const finding = (weight, sentence) => ({ weight, words: sentence, amount: null })

/** The verdict if tensors of the body start with random values; null if none does.
 * @param {Group[]} body @param {Group[]} lost @param {Reading} reading @returns {Verdict | null} */
function bodyVerdict(body, lost, reading) {
  if (!body.length) return null
  const share = shareOfBody(body, reading)
  const known = body.every(({ number }) => number !== null)
    ? body.reduce((sum, { number }) => sum + Number(number), 0)
    : null
  const many = known === null ? [] : words`, ${known} parameters,`
  const why = reasonOf(body, lost, reading)
  const findings = why ? [finding(80, why)] : []
  if (share > 0.9) {
    const headline = words`This is not as it should be: nothing was loaded. The embeddings and the encoder of ${theClass(reading)}${many} start from random values.`
    return { headline, findings, isBad: true, parts: body }
  }
  const where = listed(body.map((group) => words`${inPlaces(group)}`))
  const isOne = body.length === 1 && !/embeddings$|tensors/.test(inPlaces(body[0]))
  const headline = words`This is not as it should be: ${where}${many} ${isOne ? "starts" : "start"} from random values in ${theClass(reading)}.`
  const hint = words`The checkpoint is of a model with other layers or other names; compare its config.json with that of the model that you build.`
  return { headline, findings: why ? findings : [finding(70, hint)], isBad: true, parts: body }
}

/** The share of the tensors of the body that some names stand for.
 * @param {Group[]} body @param {Reading} reading */
function shareOfBody(body, { architecture, modelClass, sizes }) {
  const bare = classes.get(modelClass || classOfBare(architecture.name))
  const all = bare.rows.filter((row) => BODY.includes(partOf(row)) && !row.when?.includes("cross"))
  const named = body.flatMap(({ entries }) => entries)
  const depth = sizes
    ? product(architecture.layers, sizes)
    : Math.max(1, ...named.map(({ named: one }) => one.layers.size))
  const tensors = (/** @type {Row} */ row) => (row.repeated ? depth : 1)
  const there = all.reduce((sum, row) => sum + tensors(row), 0)
  const missing = named.reduce(
    (sum, { rows, named: one }) => sum + rows.length * (rows[0]?.repeated ? Math.max(1, one.layers.size) : 1),
    0,
  )
  return missing / there
}

/** A part of the body, with the numbers of its layers if they are few. @param {Group} group @returns {string} */
function inPlaces({ part, entries }) {
  if (part !== "encoder") {
    const rows = entries.flatMap((entry) => entry.rows)
    return rows.length === 1 ? wordsOf(rows[0], false) || PARTS[part] : `${rows.length} tensors of the embeddings`
  }
  const layers = [...new Set(entries.flatMap(({ named }) => [...named.layers]))]
    .map(Number)
    .sort((one, other) => one - other)
  const tensors = entries.reduce((sum, { named, rows }) => sum + rows.length * Math.max(1, named.layers.size), 0)
  const [first, last] = [layers[0], layers[layers.length - 1]]
  if (!layers.length) return `${tensors} ${noun(tensors, "tensor")} of the encoder`
  const range =
    first === last
      ? `layer ${first}`
      : last - first === layers.length - 1
        ? `layers ${first} to ${last}`
        : `${layers.length} layers`
  return `${tensors} ${noun(tensors, "tensor")} in ${range}`
}

/** Why the body was not found under its names; null if nothing says so.
 * @param {Group[]} body @param {Group[]} lost @param {Reading} reading @returns {Words | null} */
function reasonOf(body, lost, { architecture }) {
  const [wanted, there] = [mostCommon(body), mostCommon(lost)]
  if (!lost.length || wanted === there) return null
  const other = table.architectures.find(({ name, prefix }) => name !== architecture.name && prefix === there)
  if (other)
    return words`The file is one of ${other.title}: its names begin with ${code(there)}, where those of ${architecture.title} have ${code(architecture.prefix)}; load it with a class of ${other.title}.`
  if (there.endsWith(wanted) && there) {
    const extra = there.slice(0, there.length - wanted.length)
    const from = extra === "module." ? " They come from DataParallel." : ""
    const prefix = JSON.stringify(extra)
    return words`The names in the file begin with ${code(extra)}, and those of the model do not.${from} Take it off before loading: ${code(`{name.removeprefix(${prefix}): tensor for name, tensor in state_dict.items()}`)}.`
  }
  if (wanted.endsWith(there)) {
    const extra = wanted.slice(0, wanted.length - there.length)
    const hint =
      extra === "module." ? words`, as DataParallel makes them: load the file into ${code("model.module")}` : []
    return words`The names in the model begin with ${code(extra)}, and those in the file do not${hint}.`
  }
  const [own, theirs] = [wanted || "no prefix", there || "no prefix"]
  return words`The names differ at their beginning: the model has ${code(own)}, the file ${code(theirs)}. Rename them before loading, or load the file into the class that it was saved from.`
}

/** What stands before most names. @param {Group[]} groups */
function mostCommon(groups) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { wrapper } of groups.flatMap(({ entries }) => entries))
    counts.set(wrapper, (counts.get(wrapper) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ""
}

/** The verdict if shapes do not fit; null if all do.
 * @param {Group[]} groups @param {Reading} reading @returns {Verdict | null} */
function mismatchVerdict(groups, reading) {
  const entries = groups.flatMap((group) => group.entries)
  if (!entries.length) return null
  const findings = entries.slice(0, 6).map((entry, place) => finding(60 - place, sentenceOfMismatch(entry)))
  const reasons = [...new Set(entries.flatMap((entry) => reasonOfMismatch(entry) ?? []))]
  const isHead = groups.every(({ part }) => TASK_HEADS.includes(part))
  const what = listed(
    groups.map(({ part, number }) => words`${PARTS[part]}${number ? words` (${number} parameters)` : []}`),
  )
  const why = reasons.length ? words`: ${listed(reasons.map((reason) => words`${reason}`))}` : []
  const headline = isHead
    ? words`${capital(what)} of the file does not fit ${theClass(reading)}${why}.`
    : words`This is not as it should be: ${what} of the file ${groups.length === 1 && groups[0].part !== "embeddings" ? "does" : "do"} not fit ${theClass(reading)}${why}.`
  const follows = isHead
    ? words`If you want a head of your own, load with ${code("ignore_mismatched_sizes=True")}: it starts from random values, so train it before use.`
    : words`Build the model with the sizes of the file's config.json; resized tables and random ones are no replacement.`
  return { headline, findings: [...findings, finding(50, follows)], isBad: !isHead, parts: groups }
}

/** @param {Words} sentence @returns {Words} */
const capital = (sentence) =>
  sentence.map((piece, place) =>
    place === 0 && typeof piece === "string" ? piece.charAt(0).toUpperCase() + piece.slice(1) : piece,
  )

/** @param {number[]} shape */
const times = (shape) => shape.map(whole).join(" × ")

/** @param {Entry} entry @returns {Words} */
function sentenceOfMismatch({ name, named: { from, to, source } }) {
  if (!from || !to) return words`${asCode(source || name)} has another shape.`
  const [one, other] = [from, to].map((shape) => shape.reduce((all, size) => all * size, 1))
  return words`${asCode(source || name)} is ${times(from)} in the file, ${one} parameters, and ${times(to)} in the model, ${other}.`
}

/** What a letter in which two shapes differ counts. @type {Record<string, string>} */
const DIFFERENCES = { C: "labels", V: "tokens in the vocabulary", P: "positions", S: "segments" }

/** The reason why two shapes differ; null if it is not known. @param {Entry} entry */
function reasonOfMismatch({ rows, named: { from, to } }) {
  const [row] = rows
  if (!row || !from || !to || from.length !== to.length) return null
  // PyTorch stores a matrix the other way round than the rows do.
  const letters = row.transposed ? [...row.dimensions].reverse() : row.dimensions
  if (letters.length !== from.length) return null
  const place = from.findIndex((size, index) => size !== to[index])
  const letter = String(letters[place])
  if (letter in DIFFERENCES)
    return `the file has ${from[place].toLocaleString("en")} ${DIFFERENCES[letter]}, the model ${to[place].toLocaleString("en")}`
  return place >= 0
    ? `the file has ${from[place].toLocaleString("en")} where the model has ${to[place].toLocaleString("en")}`
    : null
}

/** The verdict if heads or the pooler are new; null if none is.
 * @param {Reading} reading @returns {Verdict | null} */
function headVerdict(reading) {
  const { groups, checkpoint, modelClass, report } = reading
  const missing = groups.filter(({ status }) => status === "missing")
  const fresh = missing.filter(
    ({ part, entries }) => !["buffers", "empty", "unknown"].includes(part) && !entries.every(isTied),
  )
  if (!missing.length) return null
  const unknown = missing.filter(({ part }) => part === "unknown")
  if (!fresh.length && unknown.length) {
    const names = listed(unknown[0].entries.slice(0, 4).map(({ named }) => asCode(named.source)))
    const headline = words`${names} ${unknown[0].entries.length === 1 ? "is" : "are"} new and no part of ${reading.architecture.title} that we know; whatever it is starts from random values, so train it before use.`
    return { headline, findings: [], isBad: false, parts: unknown }
  }
  if (!fresh.length) {
    const [first] = missing.flatMap((group) => group.entries)
    const what = first.isBuffer || first.isEmpty ? "holds no parameters" : "shares its weights with another tensor"
    const headline = words`This is harmless: ${asCode(first.named.source)} ${what}, so nothing of ${theClass(reading)} is random.`
    return { headline, findings: [], isBad: false, parts: missing }
  }
  const task = fresh.filter(({ part }) => TASK_HEADS.includes(part))
  const language = fresh.filter(({ part }) => LM_HEADS.includes(part))
  const cross = fresh.some(({ part }) => part === "cross-attention")
  const what = partsListed(fresh, reading)
  const are = fresh.length === 1 && fresh[0].part !== "embeddings" ? ["is", "it"] : ["are", "them"]
  if (task.length && wasFineTuned(checkpoint)) {
    const headline = words`Look twice: ${what} ${are[0]} new, although ${theFile(reading)} is a fine-tuned model by its name, and should have a head.`
    const hint = words`Load it with the class under ${code("architectures")} in its config.json; otherwise train ${are[1]} before use.`
    return { headline, findings: [finding(60, hint)], isBad: false, parts: fresh }
  }
  if (language.length && !task.length) {
    const headline = words`This is not as it should be if you want the predictions of ${theClass(reading)}: ${what} ${are[0]} not in ${theFile(reading)} and start${are[0] === "is" ? "s" : ""} from random values.`
    const hint = words`The file is of a bare model, or was fine-tuned for another task. Take a checkpoint with this head, or train ${are[1]} before use.`
    return { headline, findings: [finding(60, hint)], isBad: true, parts: fresh }
  }
  const isPooler = fresh.every(({ part }) => part === "pooler")
  const whyNot = cross ? words`an encoder has no cross-attention` : words`${theFile(reading)} has none`
  const follows = isPooler
    ? words`If you take the token vectors only, it does not matter; its output is of use only after training.`
    : words`Until you have trained ${are[1]}, the predictions are random.`
  const expected = modelClass || report.modelClass ? words`for ${theClass(reading)}` : words`for a new task`
  const headline = words`This is as it should be ${expected}: ${what} ${are[0]} new, because ${whyNot}${isPooler ? "" : `; train ${are[1]} before use`}.`
  return { headline, findings: [finding(60, follows), ...aboutOwn(reading)], isBad: false, parts: fresh }
}

/** A hint if the file may be one that the reader has trained: then it should have a head.
 * @param {Reading} reading @returns {Finding[]} */
function aboutOwn(reading) {
  const isOwn = /^(?:\.{0,2}\/|~|[A-Z]:\\)|checkpoint-?[0-9]|\b(?:output|results|runs|best|epoch)\b/i.test(
    reading.checkpoint,
  )
  const hint = words`If ${theFile(reading)} is a model that you have fine-tuned, its head should be there: either only the body was saved, or this is another class.`
  return isOwn ? [finding(55, hint)] : []
}

/** Whether all tensors of a name share their weights with others. @param {Entry} entry */
const isTied = ({ rows }) => rows.length > 0 && rows.every((row) => row.tied_to)

/** The verdict if something in the file was not used, or everything was.
 * @param {Group[]} lost @param {Reading} reading @returns {Verdict} */
function unusedVerdict(lost, reading) {
  const { groups, report } = reading
  const unused = groups.filter(({ status }) => status === "unexpected")
  if (lost.length) {
    const deeper = lost.every(({ part }) => part === "encoder")
    const where = listed(lost.map((group) => words`${inPlaces(group)}`))
    const headline = words`This is not as it should be: ${where} of ${theFile(reading)} ${deeper ? "were" : "was"} left out of ${theClass(reading)}.`
    const hint = deeper
      ? words`The file has more layers than the model that you build: compare ${code("num_hidden_layers")}.`
      : words`The file has other names than the model; what was left out starts from random values there.`
    return { headline, findings: [finding(70, hint)], isBad: true, parts: lost }
  }
  if (unused.length) {
    const known = unused.filter(({ part }) => part !== "unknown")
    if (known.length && known.every(({ part }) => part === "buffers" || part === "empty")) {
      const name = asCode(known[0].entries[0].named.source)
      const headline = words`This is harmless: ${name} holds no parameters, and ${theClass(reading)} needs none of that name from the file.`
      return { headline, findings: [], isBad: false, parts: known }
    }
    if (!known.length) return unknownVerdict(unused, reading)
    const isOfTask = known.some(({ part }) => TASK_HEADS.includes(part))
    const condition = isOfTask ? " if you want the body only" : ""
    const headline = words`This is as it should be${condition}: ${theClass(reading)} has no place for ${partsListed(known, reading)} of ${theFile(reading)}, and nothing here says that anything is missing.`
    const follows = isOfTask
      ? words`The head was trained for a task; if you want its predictions, load the class under ${code("architectures")} in its config.json.`
      : words`What is left out serves other classes, so you can use the model as it is.`
    return { headline, findings: [finding(40, follows)], isBad: false, parts: known }
  }
  const all = report.isAllLoaded
    ? "every weight of the model was in the file"
    : "every weight of the file has a place in the model"
  return {
    headline: words`This is as it should be: ${all}, and none is left over in what the text says.`,
    findings: [],
    isBad: false,
    parts: [],
  }
}

/** @param {Group[]} groups @param {Reading} reading @returns {Verdict} */
function unknownVerdict([{ entries }], reading) {
  const names = listed(entries.slice(0, 4).map(({ named }) => asCode(named.source)))
  const more = entries.length > 4 ? words` and ${entries.length - 4} more` : []
  const headline = words`${theClass(reading)} has no place for ${names}${more} of ${theFile(reading)}, which ${entries.length === 1 ? "is" : "are"} no part of ${reading.architecture.title} that we know.`
  return { headline: capital(headline), findings: [], isBad: false, parts: [] }
}

/** What else the text says: parts that the verdict does not name.
 * @param {Reading} reading @param {Verdict} verdict @returns {Finding[]} */
function otherFindings(reading, { parts, isBad }) {
  const { groups, report, model, modelClass, className, architecture } = reading
  const findings = []
  const others = groups.filter((group) => !parts.includes(group))
  const unused = others.filter(
    ({ status, part }) => status === "unexpected" && part !== "unknown" && !(isBad && BODY.includes(part)),
  )
  if (unused.length)
    findings.push(
      finding(
        30,
        words`Not used of the file: ${partsListed(unused, reading)}. ${capital(theClass(reading))} has no place for ${unused.length === 1 ? "it" : "them"}.`,
      ),
    )
  const missing = others.filter(({ status, part }) => status === "missing" && !["unknown", "empty"].includes(part))
  if (missing.length) findings.push(finding(35, words`Also new: ${partsListed(missing, reading)}.`))
  const unknown = others.filter(({ part }) => part === "unknown")
  for (const { entries, status } of unknown) {
    const names = listed(entries.slice(0, 4).map(({ named }) => asCode(named.source)))
    const what = status === "missing" ? "new" : status === "unexpected" ? "not used" : "of another shape"
    findings.push(
      finding(
        25,
        words`${names} ${entries.length === 1 ? "is" : "are"} ${what}, and no part of ${architecture.title} that we know.`,
      ),
    )
  }
  if (report.isCut) findings.push(finding(20, words`The list of names is cut off, so there may be more.`))
  if (className && !modelClass)
    findings.push(
      finding(
        15,
        words`We do not know the class ${asCode(className)}; its names are taken for those of ${architecture.title}.`,
      ),
    )
  if (report.isError)
    findings.push(
      finding(
        45,
        words`PyTorch stops here with an error; ${code("strict=False")} would load what fits, and leave the rest random.`,
      ),
    )
  if (model) findings.push(finding(10, words`The numbers are those of ${link(model.page, model.title)}.`))
  else findings.push(...inFirstModel(reading))
  return findings
}

/** The numbers in the best known model, if the text does not say which one it is.
 * @param {Reading} reading @returns {Finding[]} */
function inFirstModel(reading) {
  const { groups, architecture } = reading
  const unknown = groups.filter(({ number, part }) => number === null && part !== "unknown" && !BODY.includes(part))
  const needed = unknown.filter(({ status }) => status !== "unexpected")
  const lacking = needed.length ? needed : unknown
  const first = table.models.find((model) => model.architecture === architecture.name)
  if (!lacking.length || !first) return []
  const sizes = { ...first.sizes }
  const counted = lacking.map((group) => groupsOf(group.entries, group.status, sizes)[0])
  const parts = partsListed(counted, { ...reading, sizes })
  return [finding(12, words`The text does not say which sizes the model has. In ${first.title}: ${parts}.`)]
}

// --- Lines ----------------------------------------------------------------------

/** The words for a row. @param {Row} row @param {boolean} isAll  whether all its layers are meant */
function wordsOf(row, isAll) {
  const path = isAll ? row.path : row.path.replace("layer_*", "layer_0")
  return PART_WORDS.get(path)?.words ?? ""
}

const PART_WORDS = new Map(table.explanations.parts.filter(({ tag }) => !tag).map((part) => [part.path, part]))

/** The lines of a part: one for each name, equal layers folded.
 * @param {Group} group @param {Reading} reading @param {boolean} isBad @returns {AccountLine[]} */
function linesOf({ part, status, entries }, { sizes }, isBad) {
  return entries.slice(0, 400).map((entry) => {
    const { rows, named, name, isBuffer, isEmpty } = entry
    const [row] = rows
    const known = row && PART_WORDS.get(row.path.replace("layer_*", "layer_0"))
    const times = Math.max(1, named.layers.size)
    const number = numberOf(entry, sizes)
    const stated = named.from ? named.from.reduce((all, size) => all * size, 1) : null
    return {
      source: times > 1 ? name : named.source,
      part: known ? words`${link(known.page ?? "", known.words)}` : words`${row ? PARTS[part] : ""}`,
      stated,
      right: number === null ? null : number / (named.to ? 1 : times),
      verdict: verdictOf({
        status,
        isKnown: Boolean(row),
        isNone: isBuffer || isEmpty,
        isBad: isBad && BODY.includes(part),
      }),
      times,
    }
  })
}

/** @param {{ status: Status, isKnown: boolean, isNone: boolean, isBad: boolean }} about @returns {LineVerdict} */
function verdictOf({ status, isKnown, isNone, isBad }) {
  if (isNone) return "not a parameter"
  if (!isKnown) return "unknown"
  if (isBad || status === "mismatched") return "wrong"
  return status === "missing" ? "added" : "right"
}

/** The account of a report on a model that is none of those we know.
 * @param {LoadReport} report @returns {Account} */
function ofUnknown({ modelClass, checkpoint, missing, unexpected, mismatched, isAllUsed, isAllLoaded }) {
  const of = modelClass ? words`${asCode(modelClass)}` : words`a model`
  const counts = [
    ...(missing.size ? [words`${missing.size} ${noun(missing.size, "name")} missing from the file`] : []),
    ...(unexpected.size ? [words`${unexpected.size} of the file without a place in the model`] : []),
    ...(mismatched.size ? [words`${mismatched.size} of another shape`] : []),
  ]
  const at = checkpoint ? words` from ${asCode(checkpoint)}` : []
  const isFine = !counts.length && (isAllUsed || isAllLoaded)
  const headline = isFine
    ? words`This is as it should be: all weights of ${of} were loaded${at}.`
    : words`This is about ${of}${at}, which is no BERT that we know: ${listed(counts)}.`
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
