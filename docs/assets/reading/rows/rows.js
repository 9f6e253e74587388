// Reads the rows and totals of a print-out. Formats do not have parsers of their own. A text
// with nested brackets is read by its brackets (modules.js, nested.js), a table with a
// column of counts by its heading (summaries.js), and any other line by the signals in it: a
// name with dots or slashes, a shape, a count, a flag. A line with several names is split
// into pieces, after names that were broken over two lines have been joined. Lines without a
// name may state a total. Any other line with a number is kept as unread, so that the answer
// can show it.
//
// The patterns below are permissive, because people paste the output of any tool, mangled
// by editors and chats. They grew with the print-outs in tests/scripts/printouts, which
// guard them: a narrower pattern must still read all of these.

import table from "../../../data/table.js"
import { classes } from "../../counting/engine.js"
import { slipOf } from "../../explaining/kinds/near.js"
import { numberOfDigits } from "../../explaining/read.js"
import { allLinesOf, inPlainCharacters, notebookText } from "../clean.js"
import { moduleRows, showsModules } from "./modules.js"
import { printedRows, stemOf } from "./names.js"
import { isNested, nestedRows } from "./nested.js"
import { withShapesInBrackets } from "./separated.js"
import { countIn, isRule, isTotal, summaryRows } from "./summaries.js"
import { BYTES_PER_ELEMENT, elementsOf, numbersOf, textRow } from "./text-row.js"

/** A name of two or more parts, separated by dots or slashes. A wrapper may put a number in front, and TensorFlow
 * appends ":0". */
const PATH = /(?<![\w./-])(?:[0-9]+\.)?[A-Za-z_][\w-]*(?:[./][\w-]+)+(?::0)?/g
/** The number that ONNX gives a matrix in place of a name when it stores the transpose. */
const NUMBERED_MATRIX = /(?<![\w:])onnx::[A-Za-z]+_[0-9]+/g
/** Code that looks like such a name, for example a library call, a file name, or an attribute of a loop variable. */
const CODE =
  /^(?:torch|tf|np|jnp|model\.(?:named|state|parameters|summary|config|from)|transformers|tensorflow)\.|\.(?:py|safetensors|bin|json|txt|pt|ckpt|size|shape|numel|parameters|items|from_pretrained)$|^(?:p|param|params|np|nn|self|i|e|v|k)\.[a-z_]+$/i
/** The ending of a tensor's name, as frameworks print it. */
const TENSOR =
  /(?:^|[./])(?:weight|bias|kernel|gamma|beta|scale|embedding|embeddings|\w+_embeddings|position_ids|token_type_ids|output_weights|output_bias|in_proj_weight|in_proj_bias|(?:weight|bias)_[ih]h_l[0-9]\w*|cls_token|lora_[ABE]\w*|adam_[mv]|\w+_vector|inv_freq|logit_scale|running_mean|running_var|num_batches_tracked)(?::0)?$/i
/** A shape: torch.Size([…]), numbers in brackets, numbers separated by crosses, or numbers separated by a comma and a
 * space. Each form has a group of its own. */
const SHAPE =
  /(?:torch\.)?Size\(\[([0-9,\s]*)\]\)|[[(]\s*([0-9]+(?:\s*,\s*[0-9]+)*\s*,?)\s*[\])]|(?<![\w.,])([0-9]+(?:\s*[x×*]\s*[0-9]+)+)(?![\w.])|(?<![\w.,])([0-9]+(?:,\s+[0-9]+)+)(?![\w.])/g
/** A whole number whose thousands are separated by a mark, by spaces, or by nothing. */
const NUMBER =
  /(?<![\w.,])[0-9]{1,3}(?:([,._'])[0-9]{3})(?:\1[0-9]{3})*(?![\w])(?!\.[0-9])|(?<![\w.,])[0-9]{1,3}(?: [0-9]{3})+(?![\w.,])|(?<![\w.,])[0-9]+(?![\w])(?!\.[0-9])/g
/** The ending of the name of a tensor that is not a parameter: a buffer, or Adam's state in a TensorFlow checkpoint. */
const BUFFER =
  /(?:^|[./])(?:position_ids|token_type_ids|inv_freq|original_inv_freq|masked_bias|running_mean|running_var|num_batches_tracked|adam_[mv]|global_step)(?::0)?$/i

/** The number that a match of `NUMBER` represents. Two equal numbers separated by a space, such as "768 768", are the
 * shape of a vector and its count.
 * @param {string} text */
function numberOf(text) {
  const parts = text.split(" ")
  const isTwice = parts.length > 1 && new Set(parts).size === 1
  return numberOfDigits(isTwice ? parts[0] : text)
}

const MAX_NAME_LENGTH = 300 // the maximum number of characters in a name; anything longer is taken for encoded data
const MAX_CUT_LINE_LENGTH = 400 // the maximum number of characters in a line that a window has broken

/** A name of one part that is followed by a size, or that TensorFlow prints with its shape: a tensor that the model
 * holds directly. */
const NAME_OF_ONE_PART = /^\s*[a-z_]+(?=\W+(?:torch\.)?Size\()|(?<=\bname = )[a-z_]+:0(?=, shape = )/g
/** A custom name that has a layer number, with a name of two parts after it. */
const NAME_IN_LAYER = /[./][0-9]+[./]\w+[./]\w/

/** The matches of tensor names in a line. @param {string} text */
function pathsIn(text) {
  const paths = [...text.matchAll(PATH)].filter(
    ([path]) => path.length < MAX_NAME_LENGTH && !CODE.test(path) && !/^https?:/.test(path),
  )
  if (!paths.length) {
    const numberedMatrices = [...text.matchAll(NUMBERED_MATRIX)]
    return numberedMatrices.length ? numberedMatrices : [...text.matchAll(NAME_OF_ONE_PART)]
  }
  const tensors = paths.filter(([path]) => TENSOR.test(path) || printedRows(path))
  if (tensors.length) return tensors
  // Custom names need not end as tensor names usually do. A shape on the same line shows that they are tensors.
  const hasShape = /Size\(|\[[0-9]+, /.test(text)
  return hasShape ? paths : paths.filter(([path]) => NAME_IN_LAYER.test(path))
}

/** A number such as 23,440,896, which is not a shape even in brackets. */
const MILLIONS = /^[0-9]{1,3}(?:,[0-9]{3}){2,}$/
/** A shape that is cut off by the end of a line. */
const CUT_SHAPE = /(?:torch\.)?Size\(?\[?[0-9, ]*$|[[(][0-9, ]+$/

/** The first shape in a string, and the string without it. (512,768) is a shape, but (23,440,896) is a count.
 * @param {string} text @returns {{ shape: number[] | null, rest: string }} */
function shapeIn(text) {
  for (const match of text.matchAll(SHAPE)) {
    const [all, size, bracketed, product, bare] = match
    if (bracketed && MILLIONS.test(bracketed)) continue
    const shape = numbersOf(size ?? bracketed ?? product ?? bare ?? "")
    // GGUF pads every shape to four dimensions with ones.
    while (bare && shape.length > 1 && shape.at(-1) === 1) shape.pop()
    return { shape, rest: `${text.slice(0, match.index)} ${text.slice(match.index + all.length)}` }
  }
  return { shape: null, rest: text.replace(CUT_SHAPE, "") }
}

/** The count that a line states in addition to a shape: the product of the shape or, failing that, a number that looks
 * like a mistyped product; null if there is neither. A number of bytes is not a count.
 * @param {number[]} numbers @param {number} elements */
function countWithShape(numbers, elements) {
  if (numbers.includes(elements)) return elements
  const others = numbers.filter((number) => !BYTES_PER_ELEMENT.some((bytes) => number === elements * bytes))
  return others.find((number) => isSlip(number, elements)) ?? null
}

const MIN_SLIP = 100 // numbers with fewer digits may differ in one digit by chance

/** Whether two numbers differ as if one had been mistyped: by a digit that is wrong, left out, added or swapped.
 * @param {number} one @param {number} other */
export const isSlip = (one, other) => Math.min(one, other) >= MIN_SLIP && slipOf(String(one), String(other)) !== ""

/** A comma between the cells of a CSV file, as opposed to one within a shape or a number. After a product such as
 * 768x768, three digits may be the rest of a number instead. */
const BETWEEN_CELLS =
  /,(?=["'[(])|(?<=["'\])]),(?=[0-9"'])|(?<![0-9]),(?=[0-9]+[x×*][0-9])|(?<=[0-9][x×*][0-9]+),(?=(?:[0-9]{1,2}|[0-9]{4,})(?![0-9]))/g

/** A short number at the start of a line, which numbers the rows of a table. */
const ROW_NUMBER = /^\s*\W?[0-9]{1,4}\b/

/** The row for a piece of text with one name.
 * @param {TextLine} line @param {string} path @param {string} around  the text without the name
 * @param {number} lengthBefore  of the text before the name @returns {TextRow} */
function namedRow(line, path, around, lengthBefore) {
  const { shape, rest } = shapeIn(around.replace(BETWEEN_CELLS, " "))
  const numbers = [...rest.matchAll(NUMBER)].map(([text]) => text)
  // If there is a shape, a row number must not be mistaken for the count.
  if (shape && ROW_NUMBER.test(rest) && numbers.length && rest.indexOf(numbers[0]) < lengthBefore) numbers.shift()
  const elements = elementsOf(shape)
  const count = elements ?? countAlone(numbers.map(numberOf), rest, lengthBefore)
  const roundedCount = countIn(ROUNDED.exec(rest)?.[0] ?? "")
  return textRow(line, {
    name: path.replace(/\//g, "."),
    shape,
    low: count ?? roundedCount?.low ?? null,
    high: count ?? roundedCount?.high ?? null,
    stated: elements === null ? null : countWithShape(numbers.map(numberOf), elements),
    isTrainable: trainableIn(rest),
    isBuffer: BUFFER.test(path),
  })
}

/** Whether the tensor on a line is trained, according to the value of requires_grad; null if the line has none.
 * @param {string} text */
function trainableIn(text) {
  if (/\bTrue\b/.test(text)) return true
  return /\bFalse\b/.test(text) ? false : null
}

/** The count in a line without a shape: the first number after the name or, failing that, the last number; null if
 * there is none.
 * @param {number[]} numbers @param {string} rest @param {number} lengthBefore */
function countAlone(numbers, rest, lengthBefore) {
  if (!numbers.length) return null
  const [after] = [...rest.slice(lengthBefore).matchAll(NUMBER)].map(([text]) => numberOf(text))
  return after ?? numbers[numbers.length - 1]
}

/** The pieces of a line, each with one name: the name, the text around it, and the length of the text before it. In a
 * line with several names, each name begins its piece, or ends it if the numbers come first.
 * @param {string} text */
function piecesOf(text) {
  const paths = pathsIn(text)
  /** The index after a match. */
  const endOf = (/** @type {RegExpExecArray} */ match) => match.index + match[0].length
  /** Whether a string has a number of two or more digits. */
  const hasNumber = (/** @type {string} */ part) => /[0-9]{2}/.test(part)
  if (paths.length < 2)
    return paths.map((match) => ({
      path: match[0],
      around: `${text.slice(0, match.index)} ${text.slice(endOf(match))}`,
      lengthBefore: match.index,
    }))
  const ends = paths.map(endOf)
  const areNumbersFirst = hasNumber(text.slice(0, paths[0].index)) && !hasNumber(text.slice(ends.at(-1)))
  return paths.map(({ 0: path, index: start }, index) => {
    const from = areNumbersFirst ? (ends[index - 1] ?? 0) : start
    const to = areNumbersFirst ? ends[index] : (paths[index + 1]?.index ?? text.length)
    return { path, around: text.slice(from, start) + text.slice(ends[index], to), lengthBefore: start - from }
  })
}

/** The kinds of totals with patterns for their words. The first match decides, because "non-trainable" contains
 * "trainable", and a line of either kind may also match the last pattern. */
const TOTAL_KINDS = /** @type {const} */ ([
  ["frozen", /non-?trainable|frozen|冻结|不可训练/i],
  ["trainable", /trainable|可训练|requires_grad/i],
  [
    "total",
    /total|sum|all params|together|overall|总|合计|总计|總|\ball\b|number of param|参数量|num(?:ber)?[_ ]?param/i,
  ],
])

/** Words on lines that total something other than parameters: memory, shares, operations, or training runs. */
const OF_OTHER_UNITS =
  /size[^:]*\((?:[MGK]i?B)|%|\b[MG]i?B\b|mult-?_?adds|\bflops|\bmacs\b|seconds|epoch|steps|batch|examples/i
/** A rounded count, such as "110M" or "1.2 K". */
const ROUNDED = /(?<![\w.,])[0-9]+(?:\.[0-9]+)? ?[KMB](?![\w])/
/** The memory size that Keras appends to a total, in brackets. */
const IN_BYTES = /\([0-9.,]+ ?(?:[KMG]i?B|Bytes?)\)/gi
/** The number of tensors, as many tutorials print it: "The BERT model has 201 different named parameters." */
const TENSOR_COUNT = /^\D{0,60}\b([0-9]{2,4}) (?:different )?(?:(?:named )?parameters|(?:parameter )?tensors)\b/i

export const MIN_TOTAL = 1000 // a smaller number is not a total: it counts epochs, steps or layers

/** The totals that a line states. @param {TextLine} line @returns {StatedTotal[]} */
function totalsIn(line) {
  const text = line.text.replace(IN_BYTES, "").replace(/\*\*/g, "")
  if (OF_OTHER_UNITS.test(text)) return []
  const [, tensors] = TENSOR_COUNT.exec(text) ?? []
  if (tensors) return [{ line, kind: "tensors", low: Number(tensors), high: Number(tensors) }]
  const kind = TOTAL_KINDS.find(([, pattern]) => pattern.test(text))?.[0]
  const numbers = [...text.matchAll(NUMBER)].map(([number]) => numberOf(number))
  if (kind) {
    const roundedCount = countIn(ROUNDED.exec(text)?.[0] ?? "")
    if (roundedCount) return [{ line, kind, ...roundedCount }]
    const number = numbers.at(-1)
    return number === undefined || number < MIN_TOTAL ? [] : [{ line, kind, low: number, high: number }]
  }
  // A number alone on a line is the total, because that is what people print last.
  if (/^\s*[0-9][0-9,._' ]*\s*$/.test(text) && numbers.length === 1 && numbers[0] > MIN_TOTAL)
    return [{ line, kind: "total", low: numbers[0], high: numbers[0] }]
  return []
}

/** A line that gives an attribute of the tensor named above it, such as "Shape: [768, 768]" or "dtype: float32". */
const ATTRIBUTE =
  /^[\s\-*•"']*(shape|size|dims?|dimensions?|numel|n_?params|num_?(?:params|parameters|elements)|(?:number of )?(?:params|parameters|elements)|count|(?:d|data ?)?type|device|requires[_ ]grad|trainable|形状|参数量)["']?\s*[:=]/i

/** The lines, with the attributes of each tensor on the line of its name, as loops print them that give every attribute
 * a line of its own. A label is that of an attribute if it follows most names that have no size on their line.
 * @param {TextLine[]} lines @returns {TextLine[]} */
function withAttributes(lines) {
  /** Whether a line has the name of a tensor, and no number after it. */
  const isNameAlone = (/** @type {TextLine} */ { text }) => {
    const [path, ...others] = ATTRIBUTE.test(text) ? [] : pathsIn(text)
    return path && !others.length && !/[0-9]/.test(text.slice(path.index + path[0].length))
  }
  /** @type {{ name: TextLine, attributes: TextLine[] }[]} */
  const blocks = []
  let isOpen = false
  for (const line of lines) {
    const isAttribute = ATTRIBUTE.test(line.text)
    if (isNameAlone(line)) blocks.push({ name: line, attributes: [] })
    else if (isOpen && isAttribute) blocks.at(-1)?.attributes.push(line)
    isOpen = isNameAlone(line) || (isOpen && isAttribute)
  }
  const sizedBlocks = blocks.filter(({ attributes }) => attributes.some(({ text }) => /[0-9]/.test(text)))
  if (!sizedBlocks.length || sizedBlocks.length < blocks.length / 2) return lines
  // The label of a total below the list may be that of an attribute, but the last tensor then has it twice.
  const names = new Map(
    sizedBlocks.map(({ name, attributes }) => {
      const labels = attributes.map(({ text }) => ATTRIBUTE.exec(text)?.[1])
      const ownAttributes = attributes.filter((_, index) => labels.indexOf(labels[index]) === index)
      return [name, ownAttributes]
    }),
  )
  const joinedLines = new Set([...names.values()].flat())
  return lines
    .filter((line) => !joinedLines.has(line))
    .map((line) => {
      const attributes = names.get(line) ?? []
      return {
        ...line,
        text: [line.text.replace(/:\s*$/, ""), ...attributes.map(({ text }) => text.trim())].join("  "),
      }
    })
}

/** The lines, after rejoining those that a narrow window has broken. @param {TextLine[]} lines */
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

// Patterns for the end of a line that may be broken, and for the start of the line that may continue it.
const NAME_AT_END = /[A-Za-z_][\w./]*$/
const NAME_AT_START = /^\s*[\w.]+/
const SHAPE_AT_END = /[[(][0-9, ]*$/
const SHAPE_AT_START = /^[0-9, ]*[\])]/
const SIZE_AT_START = /^\W*(?:torch\.Size|[[(]?[0-9])/
/** The rest of a name, alone on a line, such as "ght" after "query.wei". */
const REST_OF_NAME = /^\s*[a-z_]{1,8}\s*$/

/** Whether the second of two lines continues the first, which lacks the end of a name or of a shape, or the size after
 * a name.
 * @param {string} line @param {string} nextLine */
function isCut(line, nextLine) {
  if (!/[./]/.test(line) || line.length > MAX_CUT_LINE_LENGTH) return false
  const path = pathsIn(line).at(-1)
  if (path && SHAPE_AT_END.test(line) && SHAPE_AT_START.test(nextLine)) return true
  if (!path || !printedRows(path[0])) return continuesName(line, nextLine)
  // If the name is complete and no number follows it, its size may be on the next line.
  const rest = line.slice(path.index + path[0].length)
  return !/[0-9_]/.test(rest) && SIZE_AT_START.test(nextLine) && !pathsIn(nextLine).length
}

/** Whether the end of one line and the start of the next form one name.
 * @param {string} line @param {string} nextLine */
function continuesName(line, nextLine) {
  const [end] = NAME_AT_END.exec(line) ?? []
  const [start] = NAME_AT_START.exec(nextLine) ?? []
  if (!end || !start) return false
  if (REST_OF_NAME.test(nextLine) && !TENSOR.test(end) && TENSOR.test(end + nextLine.trim())) return true
  return /[./]/.test(end) && printedRows(end + start.trim()) !== null
}

/** Two lines joined by a space, or directly within a name or a shape. @param {string} line @param {string} nextLine */
const joinedText = (line, nextLine) =>
  SHAPE_AT_END.test(line) || continuesName(line, nextLine) ? line + nextLine.trim() : `${line} ${nextLine.trim()}`

const STEMS = table.architectures.map(({ name }) => stemOf(name))
/** Names of classes that do not consist of a stem and a task, such as DPRReader. */
const IRREGULAR_CLASSES = [...classes.keys()].filter((name) => !/Model$|For[A-Z]/.test(name)).join("|")
const CLASSES = new RegExp(`\\b(?:TF|Flax)?((?:${STEMS.join("|")})(?=[A-Z])[A-Za-z0-9]+|${IRREGULAR_CLASSES})\\b`, "g")
/** The name that Keras derives from the class of a model, such as tf_bert_model_1. */
const KERAS_MODEL = /\b(?:tf|flax)_([a-z][a-z0-9_]*?)(?:_[0-9]+)?\b/g

/** The classes that have a prefix of their own, such as DPR's question_encoder. */
const BY_MODULE = table.architectures.flatMap(({ prefix, classes: modelClasses }) =>
  modelClasses
    .filter((modelClass) => modelClass.prefix && modelClass.prefix !== prefix)
    .map((modelClass) => ({ prefix: modelClass.prefix, name: modelClass.name })),
)

/** The classes that a text mentions, in transformers' or Keras's spelling. @param {string} text */
function mentionsIn(text) {
  const kerasNames = new Set([...text.matchAll(KERAS_MODEL)].map(([, name]) => name.replaceAll("_", "")))
  const byKerasName = [...classes.keys()].filter((name) => kerasNames.has(name.toLowerCase()))
  const byModule = BY_MODULE.filter(({ prefix }) => text.includes(`${prefix}bert_model`)).map(({ name }) => name)
  return new Set([...[...text.matchAll(CLASSES)].map(([, name]) => name), ...byKerasName, ...byModule])
}

/** A number of layers: "… * 12" after a label or a count, "12 layers", or "12 x BertLayer". */
const DEPTHS =
  /(?:[A-Za-z)\u4e00-\u9fff] ?|[0-9],[0-9]{3} ?)[*×x] ?([0-9]{1,2})\b(?! ?[x×*.,\d])|\b([0-9]{1,2}) ?(?:x ?)?(?:hidden |encoder |transformer )?(?:layers|blocks|层)|(?:^|\s)([0-9]{1,2}) ?[x×] ?[A-Z]\w*Layer/gi
/** The values of a tensor, which may follow its name. */
const VALUES = /tensor\([^()]*(?:\)|$)/g

/** The print-out in a text, with each row once even if the text was pasted several times.
 * @param {string} source @returns {PrintOut} */
export function printOutOf(source) {
  const printOut = readPrintOut(source)
  const copyCount = copyCountIn(printOut.rows)
  return { ...printOut, rows: printOut.rows.slice(0, printOut.rows.length / copyCount), copyCount }
}

/** A row of Lightning's table: a number, a name, a class and a count. */
const LIGHTNING = /^\s*\d+\s*\|\s*[\w.]+\s*\|\s*[A-Z]\w*\s*\|\s*[\d.,]+ ?[KMB]?\s*(?:\||$)/m
/** A row of a Keras summary: a name, a class in brackets, the shape of the output and a count. */
const KERAS = /^\s*[\w.-]+ \([A-Z]\w*\)\s+\S.*?\s[\d,]+(?:\s|$)/m
/** The branch, class and index of a module in torchinfo's tree. */
const BRANCH = /^[\s│|]*[├└]─\w+.*: \d+-\d+(?=\s)/gm
/** A total below a table, as torchinfo and Lightning print it, and the heading above a table. */
const TOTAL_BELOW = /^\s*(?:Total params:?\s+[\d.,]+|[\d.,]+ ?[KMB]?\s+Total params)/im
const HEADING = /\bType\s*\|\s*Params|\bParam(?:s|eters)? ?#/i

/** The text, with a heading added if its table lacks one, because people often copy only rows and totals.
 * @param {string} text */
function withHeading(text) {
  if (!TOTAL_BELOW.test(text) || HEADING.test(text)) return text
  if (LIGHTNING.test(text)) return `  | Name | Type | Params\n${text}`
  if (KERAS.test(text)) return `Layer (type) Output Shape Param #\n${text}`
  const widths = [...text.matchAll(BRANCH)].map(([branch]) => branch.length)
  const heading = "Layer (type:depth-idx)"
  return widths.length ? `${heading.padEnd(Math.max(heading.length, ...widths) + 2)}Param #\n${text}` : text
}

/** The architectures that the name of a row in a summary may mention: the name itself, such as "distilbert", and BERT
 * if it is a layer of keras-bert.
 * @param {string} name */
const mentionsByRow = (name) => [
  ...(/^[a-z]+$/.test(name) ? [name] : []),
  ...(LAYER_OF_KERAS_BERT.test(name) ? ["bert"] : []),
]

/** The print-out in a text, read by the first layout that applies: nested brackets, a table or a list of counts, a list
 * of sizes without names, or lines with names. If the text was pasted twice, every row occurs twice.
 * @param {string} source @returns {Omit<PrintOut, "copyCount">} */
function readPrintOut(source) {
  // Values of tensors are removed, but their line breaks stay, so that line numbers remain correct.
  const text = withHeading(inPlainCharacters(notebookText(source) ?? source)).replace(VALUES, (values) =>
    "\n".repeat(values.split("\n").length - 1),
  )
  const all = withShapesInBrackets(allLinesOf(text))
  const lines = withAttributes(all.filter((line) => line.text.trim()))
  const mentions = mentionsIn(text)
  const depths = [...text.matchAll(DEPTHS)].map((match) => Number(match[1] ?? match[2] ?? match[3]))
  /** A print-out recognised by its layout, with default values for missing fields.
   * @param {Partial<PrintOut> & Pick<PrintOut, "rows">} fields */
  const printOutWith = (fields) => ({
    totals: [],
    depths: [],
    mentions: [...mentions],
    unread: [],
    isOpen: false,
    isTable: true,
    ...fields,
  })
  if (showsModules(text)) {
    const modules = moduleRows(text, all)
    for (const type of modules.mentions) mentions.add(type)
    const otherLines = lines.filter(({ text: line }) => !/\w\(|^\s*\)/.test(line))
    return printOutWith({ rows: modules.rows, totals: otherLines.flatMap(totalsIn), depths: modules.depths })
  }
  if (isNested(text)) return printOutWith({ ...nestedRows(text, all), isOpen: /\.\.\./.test(text) })
  const isOpen = lines.some(({ text: line }) => GAP.test(line))
  const summary = summaryRows(all) ?? plainCounts(lines)
  const namedLineCount = lines.filter(({ text: line }) => pathsIn(line).some(([path]) => printedRows(path))).length
  if (summary && namedLineCount < summary.length / 2) {
    for (const { name } of summary) for (const mention of mentionsByRow(name)) mentions.add(mention)
    const rowLines = new Set(summary.map(({ line }) => line.index))
    const otherLines = lines.filter(({ index, text: line }) => !rowLines.has(index) && !isRule(line))
    return printOutWith({ rows: summary, totals: otherLines.flatMap(totalsIn), depths, isOpen })
  }
  const rowsWithoutNames = namedLineCount < FEW_NAMES ? bareRows(lines) : []
  if (rowsWithoutNames.length) return printOutWith({ rows: rowsWithoutNames })
  return { ...readLines(lines), depths, mentions: [...mentions], isOpen, isTable: false }
}

/** The name of a layer in keras-bert and bert4keras. */
const LAYER_OF_KERAS_BERT = /^(?:Embedding-Token|(?:Encoder|Transformer)-[0-9]+-)/

/** The rows and totals of lines, each read separately, and the lines with numbers that are neither.
 * @param {TextLine[]} lines @returns {Pick<PrintOut, "rows" | "totals" | "unread">} */
function readLines(lines) {
  /** @type {TextRow[]} */
  const rows = []
  /** @type {StatedTotal[]} */
  const totals = []
  /** @type {TextLine[]} */
  const unread = []
  for (const line of joinLines(lines)) {
    if (isRule(line.text)) continue
    const pieces = piecesOf(line.text)
    rows.push(...pieces.map(({ path, around, lengthBefore }) => namedRow(line, path, around, lengthBefore)))
    if (pieces.length) continue
    const lineTotals = totalsIn(line)
    totals.push(...lineTotals)
    if (!lineTotals.length && (/[0-9]{2}/.test(line.text) || isTotal(line.text))) unread.push(line)
  }
  return { rows: withContainers(rows), totals, unread }
}

/** A line in place of rows that were left out, such as "...". */
const GAP =
  /^\s*[|│]?\s*(?:[.…·⋮:]{2,}|<snip>|\[?\s*(?:\.{3}|…)\s*\]?|\[?(?:snip|omitted|truncated)\]?|\(?(?:and so on|etc\.?)\)?|(?:省略|以此类推).*)\s*[|│]?\s*$/i

/** The rows, each marked as a container if the name of the next row continues its name. @param {TextRow[]} rows */
const withContainers = (rows) =>
  rows.map((row, index) =>
    row.shape === null && rows[index + 1]?.name.startsWith(`${row.name}.`)
      ? { ...row, isContainer: true, low: null, high: null }
      : row,
  )

/** A line with the name of a module, optionally its class, its count, and optionally a share. */
const PLAIN_COUNT =
  /^\s*\|?\s*([A-Za-z_][\w.-]*(?: {1,2}[0-9]+)?)(?:\s+([A-Z]\w+))?\s*(?:[:=|]|->|\s)\s*([0-9][0-9,._']*)\s*(?:\|?\s*[0-9.]+ ?%\s*\|?)?$/
const BODIES = [...new Set(table.architectures.map(({ prefix }) => prefix.slice(0, -1)))].join("|")
/** The names of large modules and heads in the site's architectures, and the usual names in custom models. */
const MODULE =
  /(?:embeddings|encoder|pooler|classifier|cls|lm_head|head|qa_outputs|layers?|transformer|dropout|final_norm|predictions|discriminator_predictions|generator_\w+|embeddings_project|vocab_\w+|pre_classifier|fc\d*|linear\d*|layers?[ .]*\d+)?/
/** The names of a layer in keras-bert and of a module in PyTorch. */
const KERAS_NAME = /^(?:Embedding|Encoder-\d+|Transformer-\d+|MLM|NSP|Pooler)(?:-[A-Za-z]+)*$/
const TORCH_NAME = new RegExp(`^(?:(?:${BODIES}|model|base_model|transformer)\\.?)?${MODULE.source}$`)

/** A label, such as "word embeddings:" or "segment", before a count at the end of a line. */
const LABELLED_COUNT = /^\s*[A-Za-z][\w'’-]*(?:\.? [A-Za-z][\w'’-]*)*\s*[:= ]\s*[0-9][0-9,._ ]{2,}$/

/** The rows of a list of modules with their counts, as a loop over named_children() prints it; null if there is no such
 * list.
 * @param {TextLine[]} lines @returns {TextRow[] | null} */
function plainCounts(lines) {
  const rows = lines.flatMap((line) => {
    const [, name, type = "", count] = PLAIN_COUNT.exec(line.text) ?? []
    const isModule =
      name &&
      !/^(?:total|sum|all)$/i.test(name) &&
      (TORCH_NAME.test(name) || KERAS_NAME.test(name) || /^[A-Z]\w+$/.test(type))
    const interval = isModule ? countIn(count) : null
    return interval ? [textRow(line, { name: name.replace(/ +/, "."), type, ...interval })] : []
  })
  // If many other lines have a label and a count, the text is a sum that the reader wrote, and only part of it would be
  // read here.
  const rowLines = new Set(rows.map(({ line }) => line))
  const labelledLines = lines.filter(
    (line) => !rowLines.has(line) && LABELLED_COUNT.test(line.text) && !isTotal(line.text),
  )
  return rows.length >= 2 && rows.length > labelledLines.length ? rows : null
}

const FEW_NAMES = 3 // a text with this many lines that have known names is not read as a list without names
const MIN_BARE = 12 // the minimum number of sizes in a list without names; fewer may be anything
const MAX_BARE = 20_000 // more than the tensors of a model; a dump of weights has more numbers
const MIN_TABLE = 1000 // the minimum number of elements of a table; word tables have more

/** The rows of a list of shapes or counts without names, as a comprehension over parameters() returns it.
 * @param {TextLine[]} lines @returns {TextRow[]} */
function bareRows(lines) {
  const linesOfNumbers = lines.filter(({ text }) => !/[A-Za-z]{3}/.test(text.replace(/torch\.Size|Size/g, "")))
  const shapes = linesOfNumbers.flatMap((line) =>
    [...line.text.matchAll(/\(([0-9, ]+)\)|Size\(\[([0-9, ]*)\]\)/g)].map((match) => ({
      line,
      shape: numbersOf(match[1] ?? match[2]),
    })),
  )
  if (shapes.length >= MIN_BARE && areSizes(shapes.map(({ shape }) => elementsOf(shape) ?? 0)))
    return shapes.map(({ line, shape }) => textRow(line, { shape }))
  const counts = linesOfNumbers.flatMap((line) =>
    /^[\s[\](),0-9]+$/.test(line.text) ? numbersOf(line.text).map((low) => ({ line, low })) : [],
  )
  return counts.length >= MIN_BARE && areSizes(counts.map(({ low }) => low))
    ? counts.map(({ line, low }) => textRow(line, { low, high: low }))
    : []
}

/** Whether numbers may be the sizes of a model's tensors: not too many numbers, at least three different ones, and one
 * that is large enough for a table.
 * @param {number[]} numbers */
const areSizes = (numbers) =>
  new Set(numbers).size > 2 && numbers.length < MAX_BARE && numbers.some((number) => number >= MIN_TABLE)

const MIN_REPEATED = 3 // the minimum number of different rows in each copy; fewer may be equal layers

/** The number of copies of the same rows, one after another, as in a table that was pasted twice; 1 for most texts.
 * @param {TextRow[]} rows */
function copyCountIn(rows) {
  const keys = rows.map(({ name, low }) => `${name} ${low}`)
  for (let length = MIN_REPEATED; length <= keys.length / 2; length++) {
    if (keys.length % length || keys[length] !== keys[0]) continue
    const isRepeated = keys.every((key, index) => key === keys[index % length])
    if (isRepeated && new Set(keys.slice(0, length)).size >= MIN_REPEATED) return keys.length / length
  }
  return 1
}
