// Gathers the words of a text that bear on one of its numbers: the model that the number most
// likely belongs to, and the classes, parts and purposes that are named near it. If the text has
// several counts, only the classes, parts and purposes in the number's own clause are taken.

import table from "../../../data/table.js"
import { classesOf, classOfBare, countTensors, lazily } from "../../counting/engine.js"
import { partNamesLeftOut } from "../questions/questioned-parts.js"
import { namesType } from "./memory.js"
import { ALL_LAYERS } from "./named-parts.js"

/** The mention that each number belongs to; null if there is none. If only one model is mentioned, all numbers belong
 * to it. If there are as many numbers as distinct mentions, they are paired in order. Otherwise, a number belongs to
 * the nearest mention between the previous number and itself, or else to the mention after it in the same clause, to an
 * earlier one, or to one in a later clause before the next number.
 * @param {Quantity[]} counts @param {Mention[]} mentions @param {string} text @returns {(Mention | null)[]} */
export function mentionsOf(counts, mentions, text) {
  const distinctMentions = mentions.filter(
    (one, index) => !mentions.slice(0, index).some((other) => isSameModel(one, other)),
  )
  if (distinctMentions.length < 2) return counts.map(() => distinctMentions[0] ?? null)
  if (distinctMentions.length === counts.length) return counts.map((_, index) => distinctMentions[index])
  return counts.map(({ start, end }, index) => {
    const from = counts[index - 1]?.end ?? 0
    const to = counts[index + 1]?.start ?? text.length
    const mentionBefore = mentions.filter((mention) => mention.end <= start && mention.start >= from).at(-1)
    const mentionAfter = mentions.find((mention) => mention.start >= end && mention.end <= to)
    const earlierMention = mentions.filter((mention) => mention.end <= start).at(-1)
    const isNear = mentionAfter && !/[\n.;]/.test(text.slice(end, mentionAfter.start))
    return mentionBefore ?? (isNear ? mentionAfter : null) ?? earlierMention ?? mentionAfter ?? null
  })
}

/** Whether two mentions name the same model. @param {Mention} one @param {Mention} other */
const isSameModel = (one, other) =>
  one.models.join() === other.models.join() &&
  one.others.join() === other.others.join() &&
  one.isForeign === other.isForeign &&
  (one.models.length > 0 || one.others.length > 0 || one.text === other.text)

const MAX_OCCURRENCES = 6 // occurrences of one number that share a context; if there are more, each has its own

/** The context of a number: the model, the classes, the parts and other hints in the words near it.
 * @param {LabelledText} labelledText @param {Quantity} quantity @param {Mention | null} mention @returns {Context} */
export function contextOf(
  { text, classes, purposes, labels, parts, numbers, explain: explainNumber },
  { start, end, roles },
  mention,
) {
  const counts = numbers.filter(({ role }) => role === "count")
  // A log may repeat a number, and may state zeros.
  const distinctCount = new Set(counts.map(({ number }) => number.low).filter(Boolean)).size
  const isOnlyCount = distinctCount < 2 && counts.length <= MAX_OCCURRENCES
  const [from, to] = isOnlyCount ? [0, text.length] : clauseAround(text, counts, { start, end })
  /** Whether a span is in the clause of the number. */
  const isNear = (/** @type {{ start: number, end: number }} */ span) => span.start >= from && span.end <= to
  return {
    mention,
    classes: classes.filter((span) => span.modelClass && (isOnlyCount || isNear(span))).map(({ name }) => name),
    endings: purposes.filter((purpose) => isOnlyCount || isNear(purpose)).map(({ ending }) => ending),
    labels,
    parts: [
      ...partsNear(text, parts, counts, { start, end }, isNear),
      ...numbers.flatMap((number) => partCountedBefore(number, text, start)),
    ],
    isOnlyCount,
    partsInText: [...new Set(parts.map((part) => part.words))],
    leavesOutPart: partNamesLeftOut({ text, parts }).length > 0,
    isDifference: DIFFERENCE_BEFORE.test(text.slice(from, start)) || DIFFERENCE_AFTER.test(text.slice(end, to)),
    profilers: profilersIn(text),
    tokens: numbers.find(({ role }) => role === "tokens")?.number.low ?? 0,
    isTrained: roles.includes("trainable"),
    explain: explainNumber,
    isChanged: CHANGES.test(text),
    isGguf: LLAMA_CPP.test(text) || areOfFile(numbers),
    isTypeNamed: namesType(text),
    isTensorNamed: TENSOR_WORDS.test(text),
    isWeightsFile: WEIGHTS_FILE.test(text),
    isGraphFile: GRAPH_FILE.test(text.slice(numbers.filter((number) => number.end <= start).at(-1)?.end ?? 0, start)),
  }
}

/** The parts that all layers or heads make up, by the role of their number. @type {Record<string, string>} */
const PARTS_OF_ALL = { layers: ALL_LAYERS, heads: "self-attention" }

/** The part for a number of layers or heads that alone is the label of the number at a position, as in "12 layers:
 * 85M", as a list; empty for any other number.
 * @param {Quantity} quantity @param {string} text @param {number} position */
function partCountedBefore({ role, number, end }, text, position) {
  const part = PARTS_OF_ALL[role]
  const isLabel = /^\s*(?:(?:attention )?heads|layers|blocks)?\s*[:=]\s*$/i.test(text.slice(end, position))
  return part && number.exact && number.low > 1 && isLabel ? [part] : []
}

/** Words before and after a number that show that it is the difference between two totals. */
const DIFFERENCE_BEFORE =
  /\b(?:difference|gap|off|short|differs?|lacks?|missing|extra)\b[^\p{L}0-9]{0,4}(?:(?:by|of|is|are|exactly|only)\s){0,3}$/iu
const DIFFERENCE_AFTER =
  /^\s*(?:param(?:eter)?s?\s)?(?:are\s)?(?:fewer|less|more|missing|extra|short|apart|off|too\s(?:many|few|low|high|large|small|much))\b/i

/** Words for one of the tensors of a module. */
const TENSOR_WORDS = /\b(?:bias(?:es)?|matri(?:x|ces)|kernel|scale|shift|gamma|beta)\b/i

/** Words for what changes the number of parameters or of those that are trained: adapters, quantisation and
 * freezing. */
const CHANGES = /lora|dora\b|adapter|prefix|prompt|p-tuning|peft|quanti|[48][ -]?bit|int4|nf4|bitfit|frozen|freez/i

/** The names of llama.cpp and of its file format, and the words with which its log begins lines about a file. */
const LLAMA_CPP = /gguf|llama\.cpp|llm_load|llama_model|print_info/i

/** The name of a file that libraries write with the weights alone, without gradients or an optimiser's moments. */
const WEIGHTS_FILE = /\.(?:safetensors|msgpack|h5)\b|(?:pytorch|adapter)_model[\w.-]*\.bin\b/i

/** The name of a file that holds the graph of a model besides its weights, and may change or drop some of them. */
const GRAPH_FILE = /\.(?:onnx|tflite|mlmodel|pb)\b/i

/** The bounds of the text around a span, from one of these separators to the next.
 * @param {string} text @param {{ start: number, end: number }} span @param {string[]} separators
 * @returns {[from: number, to: number]} */
export function boundsAround(text, { start, end }, separators) {
  const starts = separators.map((separator) => [text.lastIndexOf(separator, start - 1), separator.length])
  const ends = separators.map((separator) => text.indexOf(separator, end)).filter((index) => index >= 0)
  const from = Math.max(0, ...starts.map(([index, length]) => (index < 0 ? 0 : index + length)))
  return [from, Math.min(text.length, ...ends)]
}

/** The bounds of the clause around a number. A line break, a semicolon, a full stop or another count ends a clause.
 * @param {string} text @param {Quantity[]} counts @param {{ start: number, end: number }} span  of the number */
function clauseAround(text, counts, span) {
  const [from, to] = boundsAround(text, span, ["\n", ";", ". "])
  const ends = counts.filter((count) => count.end <= span.start).map((count) => count.end)
  const next = counts.find((count) => count.start >= span.end)
  return [Math.max(from, ...ends), Math.min(to, next?.start ?? text.length)]
}

/** The profilers that a text names. @param {string} text */
const profilersIn = (text) => text.toLowerCase().match(PROFILER) ?? []
const PROFILER = /\b(?:thop|ptflops|fvcore|calflops|deepspeed|torchprofile|torchinfo)\b/g

/** The words between a number and a second one that it is part of, such as "of", in several languages. */
export const OF = /^\s*(?:\w+\s){0,3}(?:of|out of|\/|von|de|из|di|sur)\s(?:\w+\s){0,2}$/i

/** The parts near a number. In "86M of the 110M are in the encoder", the part belongs to the first number.
 * @param {string} text @param {LabelledText["parts"]} parts @param {Quantity[]} counts
 * @param {{ start: number, end: number }} span @param {(one: { start: number, end: number }) => boolean} isNear */
function partsNear(text, parts, counts, span, isNear) {
  /** Whether the first of two spans is a part of the second. */
  const isOf = (/** @type {{ end: number }} */ first, /** @type {{ start: number }} */ second) =>
    OF.test(text.slice(first.end, second.start))
  const index = counts.findIndex(({ start }) => start === span.start)
  const [before, after] = [counts[index - 1], counts[index + 1]]
  if (index >= 0 && after && isOf(span, after)) return parts.map((part) => part.words)
  if (index >= 0 && before && isOf(before, span)) return []
  return parts.filter(isNear).map((part) => part.words)
}

/** Whether numbers include a count of parameters and a number of tensors that BERT has only in a file of llama.cpp.
 * @param {Quantity[]} numbers */
const areOfFile = (numbers) =>
  numbers.some(({ role }) => role === "count") &&
  numbers.some(({ role, number }) => role === "tensors" && tensorsOfFiles().has(number.low))

export const POOLER_TENSORS = 2 // the number of the pooler's tensors, which a file of llama.cpp leaves out

/** The numbers of tensors that a BERT has only in a file of llama.cpp. */
const tensorsOfFiles = lazily(() => {
  const [{ name: bert }] = table.architectures
  const models = table.models.filter(({ architecture }) => architecture === bert)
  const numbersOfClasses = models.flatMap(({ sizes }) => classesOf(bert).map(({ name }) => countTensors(name, sizes)))
  const numbersOfFiles = models.map(({ sizes }) => countTensors(classOfBare(bert), sizes) - POOLER_TENSORS)
  return new Set(numbersOfFiles.filter((number) => !numbersOfClasses.includes(number)))
})
