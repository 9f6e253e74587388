// Reads the rows of a print-out: its statements, line by line. No format has a parser of its
// own. A text with nested brackets is read by its brackets (modules.js, nested.js), a
// table with a column of counts by its heading (summaries.js), and every other line by
// the signals in it: a name with dots or slashes, a shape, a count, a flag. Whatever
// holds a number or a name and fits nothing is kept as unread, so that an answer can
// show it.

import table from "../../../data/table.js"
import { classes } from "../../counting/engine.js"
import { allLinesOf, notebookText, plain } from "../clean.js"
import { moduleRows, showsModules } from "./modules.js"
import { printedRows } from "./names.js"
import { isNested, nestedRows } from "./nested.js"
import { countIn, isRule, isTotal, summaryRows } from "./summaries.js"
import { elementsOf, textRow } from "./text-row.js"

const PATH = /(?<![\w./-])(?:[0-9]+\.)?[A-Za-z_][\w-]*(?:[./][\w-]+)+(?::0)?/g
const CODE =
  /^(?:torch|tf|np|jnp|model\.(?:named|state|parameters|summary|config|from)|transformers|tensorflow)\.|\.(?:py|safetensors|bin|json|txt|pt|ckpt|size|shape|numel|parameters|items|from_pretrained)$|^(?:p|param|params|np|nn|self|i|e|v|k)\.[a-z_]+$/i
const TENSOR =
  /(?:^|[./])(?:weight|bias|kernel|gamma|beta|scale|embedding|embeddings|\w+_embeddings|position_ids|token_type_ids|output_weights|output_bias|in_proj_weight|in_proj_bias|(?:weight|bias)_[ih]h_l[0-9]\w*|cls_token|lora_[ABE]\w*|adam_[mv]|\w+_vector|inv_freq|logit_scale|running_mean|running_var|num_batches_tracked)(?::0)?$/i
const SHAPE =
  /(?:torch\.)?Size\(\[([0-9,\s]*)\]\)|[[(]\s*([0-9]+(?:\s*,\s*[0-9]+)*\s*,?)\s*[\])]|(?<![\w.,])([0-9]+(?:\s*[x×*]\s*[0-9]+)+)(?![\w.])|(?<![\w.,])([0-9]+(?:,\s+[0-9]+)+)(?![\w.])/g
const NUMBER =
  /(?<![\w.,])[0-9]{1,3}(?:([,._'])[0-9]{3})(?:\1[0-9]{3})*(?![\w])(?!\.[0-9])|(?<![\w.,])[0-9]{1,3}(?: [0-9]{3})+(?![\w.,])|(?<![\w.,])[0-9]+(?![\w])(?!\.[0-9])/g
const BUFFER =
  /(?:^|[./])(?:position_ids|token_type_ids|inv_freq|original_inv_freq|masked_bias|running_mean|running_var|num_batches_tracked|adam_[mv]|global_step)(?::0)?$/i

/** A number without the marks between its thousands. Two equal numbers with a blank between them are a shape and a
 * count.
 * @param {string} text */
const whole = (text) => {
  const parts = text.split(" ")
  return Number((parts.length > 1 && new Set(parts).size === 1 ? parts[0] : text).replace(/[^0-9]/g, ""))
}

const LONGEST_NAME = 300

/** The names of tensors in a line, with where they begin. @param {string} text */
function pathsIn(text) {
  const paths = [...text.matchAll(PATH)].filter(
    ([path]) => path.length < LONGEST_NAME && !CODE.test(path) && !/^https?:/.test(path),
  )
  const tensors = paths.filter(([path]) => TENSOR.test(path) || printedRows(path))
  // A tensor that the model itself holds has a name of one part, which only its size shows to be one.
  if (!paths.length)
    return [...text.matchAll(/^\s*[a-z_]+(?=\W+(?:torch\.)?Size\()|(?<=\bname = )[a-z_]+:0(?=, shape = )/g)]
  // Home-made names need not end as tensors do; a name in three parts that names a layer is taken for one.
  if (/Size\(|\[[0-9]+, /.test(text) && !tensors.length) return paths
  return tensors.length ? tensors : paths.filter(([path]) => /[./][0-9]+[./]\w+[./]\w/.test(path))
}

/** The shape in a text, and the text without it. A bracket such as (512,768) is a shape, while (23,440,896) is a count
 * if the text writes thousands so.
 * @param {string} text @returns {{ shape: number[] | null, rest: string }} */
function shapeIn(text) {
  for (const match of text.matchAll(SHAPE)) {
    const [all, size, bracketed, product, bare] = match
    const inside = size ?? bracketed ?? product ?? bare ?? ""
    if (
      bracketed &&
      /^[0-9]{1,3}(?:,[0-9]{3})+$/.test(bracketed.trim()) &&
      !bracketed.includes(" ") &&
      bracketed.split(",").length > 2
    )
      continue
    const shape = (inside.match(/[0-9]+/g) ?? []).map(Number)
    // GGUF pads shapes with ones; no tensor here has more than four dimensions.
    while (shape.length > 2 && bare && shape.at(-1) === 1) shape.pop()
    if (bare && shape.length > 1 && shape.at(-1) === 1) shape.pop()
    return { shape, rest: `${text.slice(0, match.index)} ${text.slice(match.index + all.length)}` }
  }
  // A shape that was cut at the end of a line is none.
  return { shape: null, rest: text.replace(/(?:torch\.)?Size\(?\[?[0-9, ]*$|[[(][0-9, ]+$/, "") }
}

/** The count that a line states beside a shape: the number that is the shape's product or, if none is, one that differs
 * from it by a slip.
 * @param {number[]} numbers @param {number} elements */
function countBeside(numbers, elements) {
  if (numbers.includes(elements)) return elements
  const others = numbers.filter((number) => ![1, 2, 4, 8].some((bytes) => number === elements * bytes))
  return others.find((number) => isSlip(number, elements)) ?? null
}

/** Whether two numbers differ as one that was mistyped or edited differs from the other: in one digit, or by a digit
 * left out or added.
 * @param {number} one @param {number} other */
export function isSlip(one, other) {
  const [a, b] = [String(one), String(other)]
  if (a === b || Math.min(a.length, b.length) < 3) return false
  if (a.length === b.length) return [...a].filter((digit, index) => digit !== b[index]).length === 1
  const [long, short] = a.length > b.length ? [a, b] : [b, a]
  return (
    long.length === short.length + 1 &&
    [...long].some((_, index) => long.slice(0, index) + long.slice(index + 1) === short)
  )
}

/** A comma between cells of a CSV file, and not within a shape or a number. */
const BETWEEN_CELLS = /,(?=["'[(])|(?<=["'\])]),(?=[0-9"'])/g

/** The row of a piece of text that holds one name.
 * @param {TextLine} line @param {string} path @param {string} around  the text without the name @param {number} before
 *   the length of the text before the name @returns {TextRow} */
function namedRow(line, path, around, before) {
  const { shape, rest } = shapeIn(around.replace(BETWEEN_CELLS, " "))
  const numbers = [...rest.matchAll(NUMBER)]
    .filter(
      ([text], index) => !(index === 0 && rest.indexOf(text) < before && /^\s*\W?[0-9]{1,4}\b/.test(rest) && shape),
    )
    .map(([text]) => whole(text))
  const elements = elementsOf(shape)
  const alone = elements === null ? countAlone(numbers, rest, before) : null
  const rounded = countIn(ROUNDED.exec(rest)?.[0] ?? "")
  return textRow(line, {
    name: path.replace(/\//g, "."),
    shape,
    low: elements ?? alone ?? rounded?.low ?? null,
    high: elements ?? alone ?? rounded?.high ?? null,
    stated: elements === null ? null : countBeside(numbers, elements),
    trainable: /\bTrue\b/.test(rest) ? true : /\bFalse\b/.test(rest) ? false : null,
    buffer: BUFFER.test(path),
  })
}

/** The count of a line without a shape: its first number after the name, or else its last before it.
 * @param {number[]} numbers @param {string} rest @param {number} before */
function countAlone(numbers, rest, before) {
  if (!numbers.length) return null
  const after = [...rest.slice(before).matchAll(NUMBER)].map(([text]) => whole(text))
  return after[0] ?? /** @type {number} */ (numbers.at(-1))
}

/** Pieces of a line, each with one name. @param {string} text */
function piecesOf(text) {
  const paths = pathsIn(text)
  if (paths.length < 2)
    return paths.map((match) => ({ path: match[0], around: cutOut(text, match), before: match.index }))
  // Where a number comes before the first name, each name ends its piece; otherwise it begins one.
  const first = /** @type {number} */ (paths[0].index)
  const ends =
    /[0-9]{2}/.test(text.slice(0, first)) &&
    !/[0-9]{2}/.test(text.slice(/** @type {number} */ (paths.at(-1)?.index) + (paths.at(-1)?.[0].length ?? 0)))
  return paths.map((match, index) => {
    const previous = paths[index - 1]
    const from = ends ? (previous ? previous.index + previous[0].length : 0) : match.index
    const to = ends ? match.index + match[0].length : (paths[index + 1]?.index ?? text.length)
    const piece = text.slice(from, to)
    const at = match.index - from
    return { path: match[0], around: piece.slice(0, at) + piece.slice(at + match[0].length), before: at }
  })
}

/** @param {string} text @param {RegExpMatchArray} match */
const cutOut = (text, match) =>
  `${text.slice(0, match.index)} ${text.slice(/** @type {number} */ (match.index) + match[0].length)}`

const TOTAL_KINDS = /** @type {const} */ ([
  ["frozen", /non-?trainable|frozen|冻结|不可训练/i],
  ["trainable", /trainable|可训练|requires_grad/i],
  [
    "total",
    /total|sum|all params|together|overall|总|合计|总计|總|\ball\b|number of param|参数量|num(?:ber)?[_ ]?param/i,
  ],
])

const NO_COUNT =
  /size[^:]*\((?:[MGK]i?B)|%|\b[MG]i?B\b|mult-?_?adds|\bflops|\bmacs\b|seconds|epoch|steps|batch|examples/i
const ROUNDED = /(?<![\w.,])[0-9]+(?:\.[0-9]+)? ?[KMB](?![\w])/
const IN_BYTES = /\([0-9.,]+ ?(?:[KMG]i?B|Bytes?)\)/gi

const LEAST_TOTAL = 1000 // of parameters; a smaller number is one of epochs, steps or layers

/** The totals that a line states. @param {TextLine} line @returns {StatedTotal[]} */
function totalsIn(line) {
  const text = line.text.replace(IN_BYTES, "").replace(/\*\*/g, "")
  if (NO_COUNT.test(text)) return []
  const [, tensors] =
    /^\D{0,60}\b([0-9]{2,4}) (?:different )?(?:(?:named )?parameters|(?:parameter )?tensors)\b/i.exec(text) ?? []
  if (tensors) return [{ line, kind: "tensors", low: Number(tensors), high: Number(tensors) }]
  const kind = TOTAL_KINDS.find(([, pattern]) => pattern.test(text))?.[0]
  const numbers = [...text.matchAll(NUMBER)].map(([number]) => whole(number))
  if (kind) {
    const rounded = countIn(ROUNDED.exec(text)?.[0] ?? "")
    if (rounded) return [{ line, kind, ...rounded }]
    const number = numbers.at(-1)
    return number === undefined || number < LEAST_TOTAL ? [] : [{ line, kind, low: number, high: number }]
  }
  // A number alone on a line below the rows is what somebody printed last: the total.
  if (/^\s*[0-9][0-9,._' ]*\s*$/.test(text) && numbers.length === 1 && numbers[0] > 1000)
    return [{ line, kind: "total", low: numbers[0], high: numbers[0] }]
  return []
}

/** Lines with names that were cut over two lines put together again. @param {TextLine[]} lines */
function joinLines(lines) {
  /** @type {TextLine[]} */
  const result = []
  for (const line of lines) {
    const last = result.at(-1)
    if (last && isCut(last.text, line.text)) last.text = joinedText(last.text, line.text)
    else result.push({ ...line })
  }
  return result
}

/** Whether the second of two lines continues the first: a name lacks its end, or its size.
 * @param {string} one @param {string} other */
function isCut(one, other) {
  const [path] = pathsIn(one).slice(-1)
  const own = pathsIn(other)
  if (!/[./]/.test(one) || one.length > 400) return false
  if (path && /[[(][0-9, ]*$/.test(one) && /^[0-9, ]*[\])]/.test(other)) return true
  if (path && printedRows(path[0])) {
    const rest = one.slice(/** @type {number} */ (path.index) + path[0].length)
    return (
      !/[0-9]/.test(rest) &&
      !own.length &&
      /^\W*(?:torch\.Size|[[(]?[0-9])/.test(other) &&
      /^\W*$/.test(rest.replace(/[a-z]+/gi, ""))
    )
  }
  const [start] = /^\s*[\w.]+/.exec(other) ?? []
  const [end] = /[A-Za-z_][\w./]*$/.exec(one) ?? []
  if (end && /^\s*[a-z_]{1,8}\s*$/.test(other) && !TENSOR.test(end) && TENSOR.test(end + other.trim())) return true
  return Boolean(start && end && /[./]/.test(end) && printedRows(end + start.trim()))
}

/** @param {string} one @param {string} other */
const joinedText = (one, other) => {
  const [end] = /[A-Za-z_][\w./]*$/.exec(one) ?? []
  const [start] = /^\s*[\w.]+/.exec(other) ?? []
  const isInShape = /[[(][0-9, ]*$/.test(one)
  const isInName = end && /^\s*[a-z_]{1,8}\s*$/.test(other) && TENSOR.test(end + other.trim())
  return isInShape || isInName || (end && start && printedRows(end + start.trim()))
    ? one + other.trim()
    : `${one} ${other.trim()}`
}

const STEMS = table.architectures.map((architecture) => architecture.classes[0].name.replace(/Model$/, ""))
/** Names that are not made of a stem and a task, such as DPRReader. */
const OTHERS = [...classes.keys()].filter((name) => !/Model$|For[A-Z]/.test(name)).join("|")
const CLASSES = new RegExp(`\\b(?:TF|Flax)?((?:${STEMS.join("|")})(?=[A-Z])[A-Za-z0-9]+|${OTHERS})\\b`, "g")
const SNAKES = /\b(?:tf|flax)_([a-z][a-z0-9_]*?)(?:_[0-9]+)?\b/g // a class as Keras names a model

/** The classes by the names of modules that only they have, such as DPR's question_encoder. */
const BY_MODULE = table.architectures.flatMap(({ prefix, classes: own }) =>
  own.filter((one) => one.prefix && one.prefix !== prefix).map((one) => ({ prefix: one.prefix, name: one.name })),
)

/** The classes that a text mentions, in any spelling. @param {string} text */
function mentionsIn(text) {
  const snakes = new Set([...text.matchAll(SNAKES)].map(([, name]) => name.replaceAll("_", "")))
  const byName = [...classes.keys()].filter((name) => snakes.has(name.toLowerCase()))
  const byModule = BY_MODULE.filter(({ prefix }) => text.includes(`${prefix}bert_model`)).map(({ name }) => name)
  return new Set([...[...text.matchAll(CLASSES)].map(([, name]) => name), ...byName, ...byModule])
}

const DEPTHS =
  /(?:[A-Za-z)\u4e00-\u9fff] ?|[0-9],[0-9]{3} ?)[*×x] ?([0-9]{1,2})\b(?! ?[x×*.,\d])|\b([0-9]{1,2}) ?(?:x ?)?(?:hidden |encoder |transformer )?(?:layers|blocks|层)|(?:^|\s)([0-9]{1,2}) ?[x×] ?[A-Z]\w*Layer/gi
const VALUES = /tensor\([^()]*(?:\)|$)/g // the values of a tensor, which may be printed after its name

/** Everything in a text that may carry parameters. A text that was pasted twice is read once.
 * @param {string} source @returns {PrintOut} */
export function printOutOf(source) {
  const print = wholePrintOut(source)
  const rows = repeatedOnce(print.rows)
  return { ...print, rows, isRepeated: rows.length < print.rows.length }
}

/** A row of Lightning's table: its number, a name, a class and a count. */
const LIGHTNING = /^\s*\d+\s*\|\s*[\w.]+\s*\|\s*[A-Z]\w*\s*\|\s*[\d.,]+ ?[KMB]?\s*(?:\||$)/m
/** The branch, the class and the place of a module in torchinfo's tree. */
const BRANCH = /^[\s│|]*[├└]─\w+.*: \d+-\d+(?=\s)/gm
const TOTAL_BELOW = /^\s*(?:Total params:?\s+[\d.,]+|[\d.,]+ ?[KMB]?\s+Total params)/im
const HEADING = /\bType\s*\|\s*Params|\bParam(?:s|eters)? ?#/i

/** A table with its heading, which is easily left out when rows and totals are copied. @param {string} text */
function headed(text) {
  if (!TOTAL_BELOW.test(text) || HEADING.test(text)) return text
  if (LIGHTNING.test(text)) return `  | Name | Type | Params\n${text}`
  const widths = [...text.matchAll(BRANCH)].map(([branch]) => branch.length)
  const heading = "Layer (type:depth-idx)"
  return widths.length ? `${heading.padEnd(Math.max(heading.length, ...widths) + 2)}Param #\n${text}` : text
}

/** The same with all its rows. @param {string} source @returns {Omit<PrintOut, "isRepeated">} */
function wholePrintOut(source) {
  const text = headed(plain(notebookText(source) ?? source)).replace(VALUES, (values) =>
    "\n".repeat(values.split("\n").length - 1),
  )
  const all = allLinesOf(text)
  const lines = all.filter((line) => line.text.trim())
  const mentions = mentionsIn(text)
  const depths = [...text.matchAll(DEPTHS)].map((match) => Number(match[1] ?? match[2] ?? match[3]))
  if (showsModules(text)) {
    const modules = moduleRows(text, all)
    for (const type of modules.mentions) mentions.add(type)
    const totals = lines.filter(({ text: line }) => !/\w\(|^\s*\)/.test(line)).flatMap(totalsIn)
    return {
      rows: modules.rows,
      totals,
      depths: modules.depths,
      mentions: [...mentions],
      unread: [],
      isOpen: false,
      isTable: true,
    }
  }
  if (isNested(text)) {
    const nested = nestedRows(text, all)
    return { ...nested, depths: [], mentions: [...mentions], unread: [], isOpen: /\.\.\./.test(text), isTable: true }
  }
  const isOpen = lines.some(({ text: line }) => GAP.test(line))
  const summary = summaryRows(all) ?? plainCounts(lines)
  const namedLines = lines.filter(({ text: line }) => pathsIn(line).some(([path]) => printedRows(path))).length
  if (summary && namedLines < summary.length / 2) {
    for (const { name } of summary) {
      if (/^[a-z]+$/.test(name)) mentions.add(name)
      // Layers by their names in keras-bert and bert4keras.
      if (/^(?:Embedding-Token|(?:Encoder|Transformer)-[0-9]+-)/.test(name)) mentions.add("bert")
    }
    const rowLines = new Set(summary.map(({ line }) => line.index))
    const others = lines.filter(({ index, text: line }) => !rowLines.has(index) && !isRule(line))
    return {
      rows: summary,
      totals: others.flatMap(totalsIn),
      depths,
      mentions: [...mentions],
      unread: [],
      isOpen,
      isTable: true,
    }
  }
  const bare = namedLines < FEW_NAMES ? bareRows(lines) : []
  if (bare.length)
    return { rows: bare, totals: [], depths: [], mentions: [...mentions], unread: [], isOpen: false, isTable: true }
  /** @type {TextRow[]} */
  const rows = []
  /** @type {StatedTotal[]} */
  const totals = []
  /** @type {TextLine[]} */
  const unread = []
  for (const line of joinLines(lines)) {
    if (isRule(line.text)) continue
    const pieces = piecesOf(line.text)
    if (pieces.length) rows.push(...pieces.map(({ path, around, before }) => namedRow(line, path, around, before)))
    else {
      const stated = totalsIn(line)
      totals.push(...stated)
      if (!stated.length && (/[0-9]{2}/.test(line.text) || isTotal(line.text))) unread.push(line)
    }
  }
  return { rows: withContainers(rows), totals, depths, mentions: [...mentions], unread, isOpen, isTable: false }
}

/** A line that stands for rows which were left out. */
const GAP =
  /^\s*[|│]?\s*(?:[.…·⋮:]{2,}|<snip>|\[?\s*(?:\.{3}|…)\s*\]?|\[?(?:snip|omitted|truncated)\]?|\(?(?:and so on|etc\.?)\)?|(?:省略|以此类推).*)\s*[|│]?\s*$/i

/** Rows whose names others continue: they only hold those. @param {TextRow[]} rows */
const withContainers = (rows) =>
  rows.map((row, index) =>
    row.shape === null && rows[index + 1]?.name.startsWith(`${row.name}.`)
      ? { ...row, container: true, low: null, high: null }
      : row,
  )

const PLAIN_COUNT =
  /^\s*\|?\s*([A-Za-z_][\w.-]*(?: {0,2}[0-9]+)?)(?:\s+([A-Z]\w+))?\s*(?:[:=|]|->|\s)\s*([0-9][0-9,._']*)\s*(?:\|?\s*[0-9.]+ ?%\s*\|?)?$/
const BODIES = [...new Set(table.architectures.map(({ prefix }) => prefix.slice(0, -1)))].join("|")
const MODULE =
  /(?:embeddings|encoder|pooler|classifier|cls|lm_head|head|qa_outputs|layers?|transformer|dropout|final_norm|predictions|discriminator_predictions|generator_\w+|embeddings_project|vocab_\w+|pre_classifier|fc\d*|linear\d*|layers?[ .]*\d+)?/
const IN_KERAS = /^(?:Embedding|Encoder-\d+|Transformer-\d+|MLM|NSP|Pooler)(?:-[A-Za-z]+)*$/
const IN_TORCH = new RegExp(`^(?:(?:${BODIES}|model|base_model|transformer)\\.?)?${MODULE.source}$`)

/** The rows of a list of modules with their counts, as a loop over named_children() prints it; null if there is none.
 * @param {TextLine[]} lines @returns {TextRow[] | null} */
function plainCounts(lines) {
  const rows = lines.flatMap((line) => {
    const [, name, type = "", count] = PLAIN_COUNT.exec(line.text) ?? []
    const isModule =
      name &&
      !/^(?:total|sum|all)$/i.test(name) &&
      (IN_TORCH.test(name) || IN_KERAS.test(name) || /^[A-Z]\w+$/.test(type))
    const read = isModule ? countIn(count) : null
    return read ? [textRow(line, { name: name.replace(/ +/, "."), type, ...read })] : []
  })
  // Other lines with a label of several words and a count make the text a sum by hand, of which this would read half.
  const rowLines = new Set(rows.map(({ line }) => line))
  const others = lines.filter((line) => !rowLines.has(line) && LABELLED_COUNT.test(line.text) && !isTotal(line.text))
  return rows.length >= 2 && rows.length > others.length ? rows : null
}

/** Words, such as "word embeddings:", before a count at the end of a line. */
const LABELLED_COUNT = /^\s*[A-Za-z][\w'’-]*(?: [\w'’-]+)+\s*[:=]\s*[0-9][0-9,._ ]{2,}$/

const FEW_NAMES = 3
const FEWEST_BARE = 12 // sizes without names in a list; fewer may be anything

/** The rows of a list of sizes or counts without any names, as a comprehension over parameters() returns it.
 * @param {TextLine[]} lines @returns {TextRow[]} */
function bareRows(lines) {
  const rest = lines.filter(({ text }) => !/[A-Za-z]{3}/.test(text.replace(/torch\.Size|Size/g, "")))
  const shapes = rest.flatMap((line) =>
    [...line.text.matchAll(/\(([0-9, ]+)\)|Size\(\[([0-9, ]*)\]\)/g)].map((match) => ({
      line,
      shape: numbersOf(match[1] ?? match[2]),
    })),
  )
  if (shapes.length >= FEWEST_BARE && areSizes(shapes.map(({ shape }) => elementsOf(shape) ?? 0)))
    return shapes.map(({ line, shape }) => textRow(line, { shape }))
  const counts = rest.flatMap((line) =>
    /^[\s[\](),0-9]+$/.test(line.text) ? numbersOf(line.text).map((low) => ({ line, low })) : [],
  )
  return counts.length >= FEWEST_BARE && areSizes(counts.map(({ low }) => low))
    ? counts.map(({ line, low }) => textRow(line, { low, high: low }))
    : []
}

/** Whether numbers may be those of a model's tensors: a few different ones, and a table among them.
 * @param {number[]} numbers */
const areSizes = (numbers) =>
  new Set(numbers).size > 2 && numbers.length < MOST_BARE && numbers.some((number) => number >= 1000)
const MOST_BARE = 20_000

/** @param {string} text */
const numbersOf = (text) => (text.match(/[0-9]+/g) ?? []).map(Number)

/** Rows without a block that repeats word for word: a table that was pasted twice counts once.
 * @param {TextRow[]} rows */
function repeatedOnce(rows) {
  const half = rows.length / 2
  if (half < 3 || !Number.isInteger(half)) return rows
  const key = (/** @type {TextRow} */ { name, low }) => `${name} ${low}`
  for (let index = 0; index < half; index++) if (key(rows[index]) !== key(rows[index + half])) return rows
  return rows.slice(0, half)
}
