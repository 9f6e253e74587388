// Reads warnings about weights that a library could not load or did not use: the names of
// tensors or layers, and the two shapes of mismatched tensors. It handles the warnings of
// transformers 2 to 5 for PyTorch, TensorFlow and Flax, the LOAD REPORT of transformers,
// and PyTorch's errors about a state_dict. Names that differ only in the layer are folded
// into one with a star.
//
// Terminals and logs wrap long lines, so warnings are read from the text joined into one
// line. Only the table of the LOAD REPORT is read line by line. Most repetitions in the
// patterns are limited, so that no text takes long to read.

import { linesOf } from "../clean.js"

/** A tensor, or one in each of several layers; its shapes in the file (`from`) and in the model (`to`), if the text
 * gives them; and the first of its names as written.
 * @typedef {{ layers: Set<string>, from: number[] | null, to: number[] | null, source: string }} TensorMention */

/** The content of a warning: the class and the checkpoint ("" if it does not name them); the tensors that the file
 * lacks (`missing`), that the model has no place for (`unexpected`) and whose shapes differ (`mismatched`), by name;
 * whether it says that all weights of the file were used or that all weights of the model were loaded; whether its
 * lists are cut off; whether it is an error; and the number of labels in the text around it (0 if there is none).
 * @typedef {{ modelClass: string, checkpoint: string, missing: Map<string, TensorMention>,
 * unexpected: Map<string, TensorMention>, mismatched: Map<string, TensorMention>, isAllUsed: boolean,
 * isAllLoaded: boolean, isCut: boolean, isError: boolean, labels: number }} LoadReport */

// The largest numbers of characters of a text and of names in a list that are read. A report on a large model has a few
// hundred names.
const MAX_LENGTH = 400_000
const MAX_NAMES = 5000
/** The maximum number of layers that a name may cover. */
const MAX_LAYERS = 200

/** A pattern for the checkpoint in a warning. */
const CHECKPOINT = "(?:the )?(?:model )?checkpoint at (?<checkpoint>[^\\s]{1,200}?)"
/** A pattern for the file or model that a warning names instead. */
const OTHER_SOURCE = "the (?:TF 2\\.0|PyTorch|Flax) model"
/** A pattern for the class in a warning. */
const CLASS = `(?:the )?(?:(?:TF 2\\.0|PyTorch|Flax) model )?(?<modelClass>\\w{1,80})`

/** The start of each warning about names, and its kind.
 * @type {{ pattern: RegExp, kind: "missing" | "unexpected" }[]} */
const WARNINGS = [
  {
    // Some weights of BertForX were not initialized from the model checkpoint at Y and are newly initialized: [...]
    pattern: new RegExp(
      `(?:weights|layers)(?: or buffers)? of ${CLASS} were not initialized from (?:${CHECKPOINT}|${OTHER_SOURCE}) and are newly initialized(?: because the shapes did not match)? ?:`,
      "g",
    ),
    kind: "missing",
  },
  {
    // Some weights of the model checkpoint at Y were not used when initializing BertForX: [...]
    pattern: new RegExp(
      `(?:weights|layers) (?:of|from) (?:${CHECKPOINT}|${OTHER_SOURCE}) were not used when initializing ${CLASS} ?:`,
      "g",
    ),
    kind: "unexpected",
  },
  { pattern: /Weights of (?<modelClass>\w{1,80}) not initialized from pretrained model ?:/g, kind: "missing" },
  { pattern: /Weights from pretrained model not used in (?<modelClass>\w{1,80}) ?:/g, kind: "unexpected" },
  {
    pattern: /Missing key\(?s?\)?(?: in (?:state_dict|the checkpoint model loaded))? ?:|missing_keys ?=/gi,
    kind: "missing",
  },
  {
    pattern: /Unexpected key\(?s?\)?(?: in (?:state_dict|the checkpoint model loaded))? ?:|unexpected_keys ?=/gi,
    kind: "unexpected",
  },
]

/** A shape, as in torch.Size([2, 768]) or (2, 768). */
const SHAPE = "(?:torch\\.Size)?\\(?\\[?([0-9, ]{0,60})\\]?\\)?"

/** Mismatches: a name, its shape in the file, and its shape in the model. */
const MISMATCHES = [
  new RegExp(
    `size mismatch for ([\\w.]{1,200}): copying a param (?:with shape|of) ${SHAPE} from checkpoint, (?:the shape in current model is|where the shape is) ${SHAPE}`,
    "g",
  ),
  new RegExp(`- ?([\\w.]{1,200}): found shape ${SHAPE} in the checkpoint and ${SHAPE} in the model instantiated`, "g"),
]

/** A row of a LOAD REPORT: a name, a status, and details such as two shapes. */
const ROW = /^[\s|>]*([\w.{}, *:/-]{1,200}?)\s*\|\s*(UNEXPECTED|MISSING|MISMATCH)(?:ED)?\b(.{0,300})$/
const SHAPES_IN_ROW = new RegExp(`(?:ckpt|checkpoint): ?${SHAPE} ?vs\\.? ?model: ?${SHAPE}`)

/** The report in a text; null if there is none. @param {string} text @returns {LoadReport | null} */
export function loadReportIn(text) {
  if (!isLikeReport(text)) return null
  const lines = linesOf(text.slice(0, MAX_LENGTH)).map((line) => line.text)
  const joinedText = lines.join(" ").replace(/\s+/g, " ")
  /** @type {LoadReport} */
  const report = {
    modelClass: "",
    checkpoint: "",
    missing: new Map(),
    unexpected: new Map(),
    mismatched: new Map(),
    isAllUsed: /\bAll (?:the )?(?:model )?checkpoint (?:weights|layers) were used\b/.test(joinedText),
    isAllLoaded:
      /\bAll the (?:weights|layers) of \w+ were initialized\b|All keys matched successfully|missing_keys=\[ ?\], unexpected_keys=\[ ?\]/.test(
        joinedText,
      ),
    isCut: text.length > MAX_LENGTH,
    isError: /Error\(s\) in loading/.test(joinedText),
    labels: Number(LABELS.exec(joinedText)?.[1] ?? 0),
  }
  readTable(lines, report)
  readWarnings(joinedText, report)
  readMismatches(joinedText, report)
  readClass(joinedText, report)
  const hasNames = report.missing.size + report.unexpected.size + report.mismatched.size > 0
  return hasNames || report.isAllUsed || report.isAllLoaded ? report : null
}

/** The number of labels, as the argument of a call or as a key of a config. */
const LABELS = /\bnum_(?:labels|classes)["']?\s*[=:]\s*([1-9][0-9]{0,4})\b/

/** Whether a text may contain a report, as a quick check before it is read. @param {string} text */
const isLikeReport = (text) =>
  /newly initialized|not used\s+(?:when|in)|not initialized from|LOAD REPORT|UNEXPECTED|MISMATCH|\| *MISSING|state_dict|size mismatch|_keys ?=|(?:missing|unexpected) keys|were (?:used|initialized)\s|All keys matched/i.test(
    text,
  )

/** The lists of a report, by the statuses in a LOAD REPORT.
 * @type {Record<string, "missing" | "unexpected" | "mismatched">} */
const LISTS = { UNEXPECTED: "unexpected", MISSING: "missing", MISMATCH: "mismatched" }

/** Adds the rows of a LOAD REPORT to a report. @param {string[]} lines @param {LoadReport} report */
function readTable(lines, report) {
  for (const line of new Set(lines)) {
    const [, name, status, details] = ROW.exec(line) ?? []
    if (!name || !/[a-z]/i.test(name)) continue
    const shapes = SHAPES_IN_ROW.exec(details)
    addMention(report[LISTS[status]], name, shapes && numbersIn(shapes[1]), shapes && numbersIn(shapes[2]))
  }
}

/** Adds the names that warnings list, their class and their checkpoint to a report.
 * @param {string} text @param {LoadReport} report */
function readWarnings(text, report) {
  for (const { pattern, kind } of WARNINGS)
    for (const match of text.matchAll(pattern)) {
      const { modelClass = "", checkpoint = "" } = match.groups ?? {}
      report.modelClass ||= modelClass
      report.checkpoint ||= checkpoint
      const { names, isCut } = namesAfter(text, match.index + match[0].length)
      report.isCut ||= isCut
      for (const name of names) addMention(report[kind], name, null, null)
    }
}

/** Adds tensors with mismatched shapes to a report. @param {string} text @param {LoadReport} report */
function readMismatches(text, report) {
  for (const pattern of MISMATCHES)
    for (const [, name, from, to] of text.matchAll(pattern))
      addMention(report.mismatched, name, numbersIn(from), numbersIn(to))
}

/** Adds the class and the checkpoint that a text names to a report that has none yet.
 * @param {string} text @param {LoadReport} report */
function readClass(text, report) {
  const [, modelClass, checkpoint] = /(\w{1,80}) LOAD REPORT from: ?(\S{1,200})/.exec(text) ?? []
  const [, stateDictClass] = /loading state_dict for (\w{1,80})/.exec(text) ?? []
  const [, usedClass] = /were used when initializing (\w{1,80})/.exec(text) ?? []
  const [, loadedClass, from] =
    /All the (?:weights|layers) of (\w{1,80}) were initialized from the model checkpoint at (\S{1,200})/.exec(text) ??
    []
  report.modelClass ||= modelClass ?? stateDictClass ?? usedClass ?? loadedClass ?? ""
  report.checkpoint = (report.checkpoint || (checkpoint ?? from ?? "")).replace(/[.,:;]+$/, "")
}

/** The quoted names in a list, set or sequence that begins at a position, and whether it is cut off.
 * @param {string} text @param {number} start */
function namesAfter(text, start) {
  const rest = text.slice(start)
  const bracket = /^\s*([[{(])/.exec(rest.slice(0, 20))?.[1] ?? ""
  const closingBracket = { "[": "]", "{": "}", "(": ")" }[bracket] ?? ""
  let end = closingBracket ? rest.indexOf(closingBracket) : endOfNames(rest)
  // An abridged list ends in dots.
  const isCut = end < 0 || /\.\.\.|…/.test(rest.slice(Math.max(0, end - 8), end))
  if (end < 0) end = rest.length
  const list = rest.slice(0, end)
  // Flax names a tensor by its path, a tuple of strings.
  const tuples = bracket === "{" || /\[\s*\(/.test(list) ? list.match(/\(\s*['"][^()]{1,300}\)/g) : null
  const names = tuples ? tuples.map((tuple) => stringsIn(tuple).join(".")) : stringsIn(list)
  return { names: names.slice(0, MAX_NAMES), isCut }
}

/** The quoted strings in a list. @param {string} list */
const stringsIn = (list) => Array.from(list.matchAll(/['"]([^'"]{1,200})['"]/g), ([, text]) => text)

/** The index after quoted names separated by commas. @param {string} rest */
function endOfNames(rest) {
  const names = /^\s*(?:["'][^"']{1,200}["']\s*,?\s*)*/.exec(rest)
  return names ? names[0].length : 0
}

/** The numbers in a string, such as the sizes in a printed shape. @param {string} text */
const numbersIn = (text) => (text.match(/[0-9]{1,15}/g) ?? []).map(Number)

/** Adds a name, with its layer numbers folded, unless the list already has more than `MAX_NAMES`.
 * @param {Map<string, TensorMention>} mentions @param {string} name @param {number[] | null} from
 * @param {number[] | null} to */
function addMention(mentions, name, from, to) {
  if (mentions.size > MAX_NAMES) return
  const { pattern, layers } = foldLayers(nameInPyTorch(name))
  const key = from ? `${pattern} ${from}` : pattern
  const mention = mentions.get(key) ?? { layers: new Set(), from, to, source: name.trim() }
  for (const layer of layers) mention.layers.add(layer)
  mentions.set(key, mention)
}

/** A name in PyTorch's spelling: with dots, "weight" and "bias", and without TensorFlow's ":0". @param {string} name */
const nameInPyTorch = (name) =>
  name
    .trim()
    .replace(/:0$/, "")
    .replaceAll("/", ".")
    .replace(/layer_\._|layer_(?=[0-9])/g, "layer.")
    .replace(/\.(?:kernel|embedding|scale|gamma)$/, ".weight")
    .replace(/\.beta$/, ".bias")

/** A name with stars in place of layer numbers, and the layers that it covers. @param {string} name */
function foldLayers(name) {
  /** @type {number[][]} */
  const numbers = []
  const pattern = name.replace(/(?<=\.)(?:\{[0-9.,\s-]{1,200}\}|[0-9]{1,4})(?=\.|$)/g, (range) => {
    numbers.push(layersIn(range))
    return "*"
  })
  // A layer has one number, except in ALBERT, where it has two: its group's and its own within the group.
  if (!numbers.length || numbers.length > 2) return { pattern, layers: [] }
  const [outer, inner] = numbers
  const layers = inner ? outer.flatMap((group) => inner.map((layer) => `${group} ${layer}`)) : outer.map(String)
  return { pattern, layers: layers.slice(0, MAX_LAYERS) }
}

/** The numbers in `{0...11}`, `{0, 1, 2}` or `11`. @param {string} range */
function layersIn(range) {
  const [, first, last] = /^\{\s*([0-9]{1,4})\s*(?:\.{2,3}|-)\s*([0-9]{1,4})\s*\}$/.exec(range) ?? []
  if (last === undefined) return numbersIn(range)
  const length = Math.min(Math.max(0, Number(last) - Number(first) + 1), MAX_LAYERS)
  return Array.from({ length }, (_, index) => Number(first) + index)
}
