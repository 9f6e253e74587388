// The memory of a GPU or a computer: the error that it is full, the amounts that PyTorch
// has allocated, and lines of nvidia-smi. Such amounts include weights, states, gradients
// and activations, so they do not determine a model; the account says what they are and how
// far they are rounded, and links to the page that counts a training step.

import { noun, whole } from "../counting/engine.js"
import { aboutBlock } from "./blocks.js"
import { code, finding, link, words } from "./words.js"

const BYTES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, KB: 1e3, MB: 1e6, GB: 1e9 }
const UNITS = [...Object.keys(BYTES), "bytes"].join("|")
const AMOUNT = String.raw`(\d[\d,]*(?:\.\d+)?) ?(${UNITS})\b`
/** The error that there is no memory left, in any library. */
const MEMORY_ERROR =
  /\bout of memory\b|\bOutOfMemoryError\b|\bOOM when allocating\b|\b(?:can't allocate|not enough) memory: you tried\b|\bresource_?exhausted/i
/** The tensor for which TensorFlow found no memory: its shape and its type. */
const TENSOR_IN_ERROR = /\btensor with shape ?\[([\d, ]+)\] and type (\w+)/
/** The bytes of a number, by TensorFlow's names of types. */
const WIDTHS = { half: 2, bfloat16: 2, float: 4, double: 8, int32: 4, int64: 8, bool: 1, uint8: 1 }
/** The error of PyTorch's allocator for GPUs of NVIDIA and AMD, which gives a block. */
const BLOCK_ERROR = /\b(?:CUDA|HIP) out of memory\. Tried to allocate\b/
/** A counter of PyTorch, perhaps divided into another unit, and the number that was printed for it. */
const COUNTER = new RegExp(
  String.raw`\b(max_)?memory_(allocated|reserved)\b(?:\(\w*\))?(?: ?\/ ?(1024 ?\*\* ?[123]|2 ?\*\* ?[123]0|1e[369]|1024 ?\/ ?1024(?: ?\/ ?1024)?))?[^\d/]{0,40}?(\d[\d_,]*(?:\.\d+)?) ?(${UNITS})?(?![\w.])`,
)
/** A cell of nvidia-smi's table: what is in use, and what there is. */
const SMI_CELL = /\b(\d+) ?MiB *\/ *(\d+) ?MiB\b/
/** The same two amounts as `nvidia-smi --query-gpu` gives them, below the line with their names. */
const SMI_QUERY = /\bmemory\.used \[MiB\], ?memory\.total \[MiB\]\s+(?:[^\n]*, ?)?(\d+) MiB, ?(\d+) MiB/
/** A process in nvidia-smi's table: its number, its type, its name and its memory. */
const PROCESS = /\|(?: +(?:\d+|N\/A))+ +[CGM+]{1,4} +(\S[^|]*?) +(\d+) ?MiB *\|/g
/** A row of `torch.cuda.memory_summary()` after its name: what is in use now, and what was at most. */
const SUMMARY_CELLS = String.raw`memory *\| *(\d+) (B|[KMG]i?B) *\| *(\d+) (B|[KMG]i?B) *\|`

/** The amounts in an error, each with the words around it in the releases of PyTorch, TensorFlow and JAX. */
const AMOUNTS_IN_ERRORS = {
  request: [`(?:[Tt]ried|trying) to allocate ${AMOUNT}`],
  capacity: [`total capacity of ${AMOUNT}`, `${AMOUNT} total capacity`, `max allowed: ${AMOUNT}`],
  allocation: [`${AMOUNT} is allocated by PyTorch`, `${AMOUNT} already allocated`, `MPS allocated: ${AMOUNT}`],
  usage: [`has ${AMOUNT} memory in use`],
}

/** An amount as printed and in bytes, with the bytes by which rounding may have changed it.
 * @typedef {{ text: string, bytes: number, margin: number }} Amount */

/** The bytes that digits and a unit stand for, with the unit.
 * @param {string} digits @param {string | undefined} unit @param {boolean} [isBinary]  whether MB stands for MiB
 * @returns {Amount} */
function amountOf(digits, unit = "bytes", isBinary = false) {
  const plain = digits.replace(/[,_]/g, "")
  const unitName = isBinary ? unit.replace(/^([KMG])B$/, "$1iB") : unit
  const size = unit === "bytes" ? 1 : BYTES[/** @type {keyof typeof BYTES} */ (unitName)]
  const decimals = plain.split(".")[1]?.length ?? 0
  const number = unit === "bytes" ? whole(Number(plain)) : digits
  return { text: `${number} ${unit}`, bytes: Number(plain) * size, margin: size > 1 ? size / 10 ** decimals / 2 : 0 }
}

/** @typedef {Partial<Record<keyof typeof AMOUNTS_IN_ERRORS, Amount>>} Amounts */

/** The amounts of an error, by what they are. @param {string} text @param {boolean} isBinary @returns {Amounts} */
const amountsOf = (text, isBinary) =>
  Object.fromEntries(
    Object.entries(AMOUNTS_IN_ERRORS).flatMap(([name, patterns]) => {
      const match = patterns.map((pattern) => new RegExp(pattern).exec(text)).find(Boolean)
      return match ? [[name, amountOf(match[1], match[2], isBinary)]] : []
    }),
  )

/** The account of a text about the memory of a GPU or a computer; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfMemory(text) {
  if (MEMORY_ERROR.test(text)) return accountOfError(text)
  const counter = COUNTER.exec(text)
  if (counter) return accountOfCounter(counter)
  const [allocation, reservation] = ["Allocated", "reserved"].map((name) =>
    new RegExp(`${name} ${SUMMARY_CELLS}`).exec(text),
  )
  if (allocation) return accountOfSummary(allocation, reservation)
  const smi = SMI_CELL.exec(text) ?? SMI_QUERY.exec(text)
  const processes = Array.from(text.matchAll(PROCESS), processOf)
  if (smi) return accountOfSmi(amountOf(smi[1], "MiB"), amountOf(smi[2], "MiB"), processes)
  return processes.length ? accountOf(processes[0], [...processes.slice(1), WHAT, RESERVED]) : null
}

/** An account without lines. @param {Words} headline @param {Words[]} sentences @returns {Account} */
const accountOf = (headline, sentences) => ({
  kind: "other",
  headline,
  findings: sentences.map((sentence, index) => finding(50 - index, sentence)),
  lines: [],
  bridge: null,
  model: null,
  confidence: "certain",
})

const WHAT = words`This memory holds the weights, the optimiser's states, and activations or gradients; activations grow with the batch and the length of the texts. ${link("run/memory-of-training.html#batch", "Whether a step fits on a GPU")} counts them, and says what would save memory.`

/** A sentence on how far an amount is rounded; none if it is exact. @param {Amount} amount */
const aboutRounding = ({ text, margin }) =>
  margin > 1
    ? [
        words`${text} is rounded: it stands for any number of bytes within ${Math.round(margin)} of it, so it does not name a model or a batch.`,
      ]
    : []

const RESERVED = words`nvidia-smi also counts the driver's own memory, and what PyTorch has reserved without using it; ${code("torch.cuda.max_memory_allocated()")} gives what its tensors take.`

/** The account of an error that there is no memory left. @param {string} text */
function accountOfError(text) {
  const isMac = /\bMPS\b/.test(text)
  const isGpu = !isMac && !/\bDefaultCPUAllocator\b|\balloc_cpu\b|\bdevice:CPU\b/.test(text)
  const amounts = amountsOf(text, isMac)
  const { request } = amounts
  const tensor = TENSOR_IN_ERROR.exec(text)
  const isBlock = BLOCK_ERROR.test(text)
  const need = isBlock ? "PyTorch asked for another" : "one more tensor needed"
  const requestWords = request ? words`, and ${need} ${inBytes(request)}` : words``
  const aboutRequest = request ? (isBlock ? aboutBlock(request.text, request.bytes) : aboutRounding(request)) : []
  const isDecimal = request && /^[KMG]B$/.test(request.text.split(" ")[1])
  return accountOf(words`The step did not fit: ${stateOf(amounts, isMac, isGpu)}${requestWords}.`, [
    ...(tensor ? sentencesOf(tensor) : []),
    WHAT,
    ...aboutRequest,
    ...(isMac && isDecimal ? [words`Its units are powers of two: what it writes as MB and GB are MiB and GiB.`] : []),
  ])
}

/** What was taken when memory ran out. What PyTorch's tensors take is less than what is in use: it keeps more than they
 * need, and the driver and other programs take some.
 * @param {Amounts} amounts @param {boolean} isMac @param {boolean} isGpu @returns {Words} */
function stateOf({ allocation, usage, capacity }, isMac, isGpu) {
  const limit = capacity?.text ?? ""
  const ofLimit = limit ? (isMac ? ` of the ${limit} that PyTorch may take` : ` of the GPU's ${limit}`) : ""
  if (allocation) return words`tensors took ${allocation.text}${ofLimit}`
  if (usage) return words`${usage.text}${ofLimit} was in use`
  return words`${isGpu ? "the GPU's" : "the computer's"} memory was full`
}

/** A number of bytes in GiB, in brackets. @param {number} bytes */
const inGib = (bytes) => ` (${(bytes / BYTES.GiB).toFixed(2)} GiB)`

/** An amount, with GiB beside an exact number of bytes that is at least one GiB. @param {Amount} amount */
const inBytes = ({ text, bytes, margin }) => text + (margin || bytes < BYTES.GiB ? "" : inGib(bytes))

/** The sentences about a tensor whose shape and type TensorFlow gives. @param {RegExpExecArray} match */
function sentencesOf([, dimensions, type]) {
  const shape = dimensions.split(",").map(Number)
  const width = WIDTHS[/** @type {keyof typeof WIDTHS} */ (type)]
  if (!width) return []
  const bytes = shape.reduce((product, size) => product * size, width)
  const sum = words`The tensor of shape ${shape.map(whole).join(" × ")} takes ${width} bytes for each of its numbers, ${whole(bytes)} in all.`
  const [texts, heads, tokens, others] = shape
  const isTable = shape.length === 4 && tokens === others && heads < tokens
  const scores = words`The attention scores of a layer have this shape for ${whole(texts)} ${noun(texts, "text")} of ${whole(tokens)} tokens and ${whole(heads)} heads.`
  return isTable ? [sum, scores] : [sum]
}

/** The account of PyTorch's `memory_summary`.
 * @param {RegExpExecArray} allocation @param {RegExpExecArray | null} reservation */
function accountOfSummary([, current, unit, peak, peakUnit], reservation) {
  const reservationWords = reservation ? words`, and has reserved at most ${reservation[3]} ${reservation[4]}` : words``
  return accountOf(
    words`PyTorch now has ${current} ${unit} in tensors on the GPU${reservation ? "," : " and"} has had at most ${peak} ${peakUnit}${reservationWords}.`,
    [WHAT, ...aboutRounding(amountOf(peak, peakUnit, true))],
  )
}

/** A sentence on a process in nvidia-smi's table. @param {RegExpMatchArray} match */
const processOf = ([, name, digits]) =>
  words`The process ${code(name)} takes ${amountOf(digits, "MiB").text} of the GPU's memory.`

/** The unit into which a division leads. @param {string | undefined} divisor */
function unitOf(divisor = "") {
  const plain = divisor.replaceAll(" ", "")
  const divisors = [
    ["KiB", "1024**1", "2**10"],
    ["MiB", "1024**2", "2**20", "1024/1024"],
    ["GiB", "1024**3", "2**30", "1024/1024/1024"],
    ["KB", "1e3"],
    ["MB", "1e6"],
    ["GB", "1e9"],
  ]
  return divisors.find(([, ...spellings]) => spellings.includes(plain))?.[0]
}

/** The account of one of PyTorch's counters. @param {RegExpExecArray} match */
function accountOfCounter([, isPeak, kind, divisor, digits, unit]) {
  const amount = amountOf(digits, unit ?? unitOf(divisor))
  const when = isPeak ? "has had at most" : "now has"
  const place = kind === "reserved" ? "reserved on the GPU, whether tensors use it or not" : "in tensors on the GPU"
  const gib = unit || divisor ? "" : inGib(amount.bytes)
  return accountOf(words`PyTorch ${when} ${amount.text}${gib} ${place}.`, [WHAT, ...aboutRounding(amount)])
}

/** The account of nvidia-smi's table. @param {Amount} usage @param {Amount} capacity @param {Words[]} processes */
const accountOfSmi = (usage, capacity, processes) =>
  accountOf(words`${usage.text} of the GPU's ${capacity.text} is in use, by all programs together.`, [
    ...processes,
    WHAT,
    RESERVED,
    ...aboutRounding(usage),
  ])
