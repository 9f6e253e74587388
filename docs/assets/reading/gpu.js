// Explains texts about the memory of a GPU or a computer: out-of-memory errors, PyTorch's
// counters, lines that readers' own scripts print, and the output of nvidia-smi. Such amounts
// include weights, optimiser states, gradients and activations, so they do not determine a
// model. The account says what they are and how far they are rounded, and links to the page
// that counts a training step.
//
// Each kind of text has patterns of its own, because libraries word their errors differently
// and PyTorch's wording differs between releases. Only the amounts that patterns match are
// read; the rest of the text is ignored.

import { noun, whole } from "../counting/engine.js"
import { sentencesOnBlock } from "./blocks.js"
import { accountInSentences, code, link, words } from "./words.js"

const BYTES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, KB: 1e3, MB: 1e6, GB: 1e9 }
const UNITS = [...Object.keys(BYTES), "bytes"].join("|")
/** An amount of memory, with a group for the digits and one for the unit. */
const AMOUNT = String.raw`(\d[\d,]*(?:\.\d+)?) ?(${UNITS})\b`
/** Out-of-memory errors, as libraries word them. */
const MEMORY_ERROR =
  /\bout of memory\b|\bOutOfMemoryError\b|\bOOM when allocating\b|\b(?:can't allocate|not enough) memory: you tried\b|\bUnable to allocate \S+ \w+ for an array\b|\bresource[_ ]?exhausted/i
/** The shape and the type of the tensor or array that TensorFlow or NumPy could not allocate. */
const TENSOR_IN_ERROR = /\b(?:tensor|array) with shape ?[[(]([\d, ]+)[\])] and (?:data )?type (\w+)/
/** The bytes per number, by the names of types in the errors of TensorFlow and NumPy. */
const BYTES_PER_NUMBER = {
  half: 2,
  bfloat16: 2,
  float: 4,
  double: 8,
  int32: 4,
  int64: 8,
  bool: 1,
  uint8: 1,
  float16: 2,
  float32: 4,
  float64: 8,
}
/** The size, in bytes, that TensorFlow's allocator has rounded a request up to. */
const ROUNDED_UP = /\(rounded to (\d+)\)/
/** The error of PyTorch's GPU allocator and of those modelled on it, which gives the size of a block. */
const BLOCK_ERROR = /\b(?:CUDA|HIP|XPU|NPU) out of memory\. Tried to allocate\b/
/** The devices whose memory may be full, with patterns for their errors. Any other error is about a GPU. */
const DEVICES = Object.entries({
  computer: /\bDefaultCPUAllocator\b|\balloc_cpu\b|\bdevice:CPU\b|\bMPS\b|\bUnable to allocate\b/,
  TPU: /\bTPU\b|\bhbm\b/i,
  NPU: /\bNPU\b/,
})
/** A counter of PyTorch, possibly converted to another unit, and the number printed for it, such as
 * `torch.cuda.max_memory_allocated() / 1024**3: 11.2`. */
const COUNTER = new RegExp(
  String.raw`\b(max_)?memory_(allocated|reserved)\b(?:\(\w*\))?(?: ?\/ ?\(?(1024 ?\*\* ?[123]|2 ?\*\* ?[123]0|1e[369]|1024 ?[/*] ?1024(?: ?[/*] ?1024)?)\)?)?(?::,?\.\d+f)?[^\d/]{0,40}?(\d[\d_,]*(?:\.\d+)?) ?(${UNITS})?(?![\w.])`,
  "g",
)
/** The same counter in the dictionary that `torch.cuda.memory_stats()` returns. */
const STATISTIC = /\b(allocated|reserved)_bytes\.all\.(current|peak)\W{1,4}(\d+)/g
/** Amounts of memory in the wordings of custom scripts, such as `GPU memory used: 4476 MiB`. */
const AMOUNTS_IN_SCRIPTS = [
  new RegExp(
    String.raw`\b(?:GPU|CUDA|VRAM)[ _]mem(?:ory)?\b[^\d\n]{0,30}?\b(?:used|usage|occupied|allocated)\b[^\d\n]{0,5}${AMOUNT}`,
    "i",
  ),
  new RegExp(String.raw`^[ \t]*(?:Allocated|Cached|Reserved):[ \t]*${AMOUNT}`, "m"),
]
/** A peak amount in the wording of custom scripts, such as `Peak GPU memory: 4476 MiB`. */
const PEAK_IN_SCRIPTS = new RegExp(
  String.raw`\b(?:peak[ _](?:\w+[ _])?(?:mem(?:ory)?|VRAM)|max(?:imum)?[ _](?:\w+[ _])?mem(?:ory)?[ _](?:used|usage|allocated))\b[^\d\n]{0,30}${AMOUNT}`,
  "i",
)
/** A remark on one amount that nvidia-smi shows, without any other number. */
const SMI_REMARK = new RegExp(String.raw`^\s*(?=[^\n]*\bnvidia-smi\b)[^\d\n]*${AMOUNT}[^\d\n]*\s*$`)
/** A GPU in nvidia-smi's table or in a line of gpustat, which writes MB for MiB: the memory in use and the capacity. */
const SMI_CELLS = /(?:\b(\d+) ?MiB *\/ *(\d+) ?MiB|\| +(\d+) \/ +(\d+) MB)\b/g
/** The memory in use in the list of `nvidia-smi -q`, after the capacity. */
const SMI_LIST = /\bFB Memory Usage\s+Total +: (\d+) MiB(?:\s+Reserved +: \d+ MiB)?\s+Used +: (\d+) MiB/g
/** A process in nvidia-smi's table: its numbers, type, name and memory. */
const PROCESS = /\|(?: +(?:\d+|N\/A))+ +[CGM+]{1,4} +(\S[^|]*?) +(\d+) ?MiB *\|/g
/** A row of `torch.cuda.memory_summary()` after its name: the current and the peak amount. */
const SUMMARY_CELLS = String.raw`memory *\| *(\d+) (B|[KMG]i?B) *\| *(\d+) (B|[KMG]i?B) *\|`

/** The line above DeepSpeed's table of the memory that ZeRO needs, which gives millions of parameters. */
const ZERO = /\bSW: Model with (\d{1,9})M total params(?:, (\d{1,9})M largest layer params)?/

/** Patterns for the amounts in an error, by kind, as releases of PyTorch, TensorFlow and JAX word them. */
const AMOUNTS_IN_ERRORS = {
  request: [
    `(?:[Tt]ried|trying|Unable) to allocate ${AMOUNT}`,
    `Out of memory allocating ${AMOUNT}`,
    String.raw`Failed to allocate request for \S+ ?\((\d+)(B)\)`,
  ],
  // PyTorch 2.1 misspelt "capacity".
  capacity: [`total capaci?ty of ${AMOUNT}`, `${AMOUNT} total capacity`, `max allowed: ${AMOUNT}`],
  allocation: [`${AMOUNT} is allocated by PyTorch`, `${AMOUNT} already allocated`, `MPS allocated: ${AMOUNT}`],
  usage: [`has ${AMOUNT} memory in use`],
}

/** An amount as printed and in bytes, with its largest possible rounding error in bytes (`margin`).
 * @typedef {{ text: string, bytes: number, margin: number }} Amount */

/** The amount that digits and a unit give.
 * @param {string} digits @param {string | undefined} unit @param {boolean} [isBinary]  whether MB means MiB
 * @returns {Amount} */
function amountOf(digits, unit = "bytes", isBinary = false) {
  const plainDigits = digits.replace(/[,_]/g, "")
  if (unit === "bytes" || unit === "B")
    return { text: `${whole(Number(plainDigits))} bytes`, bytes: Number(plainDigits), margin: 0 }
  const unitName = isBinary ? unit.replace(/^([KMG])B$/, "$1iB") : unit
  const size = BYTES[/** @type {keyof typeof BYTES} */ (unitName)]
  const decimals = plainDigits.split(".")[1]?.length ?? 0
  // An amount without decimals may have been rounded down, as in PyTorch's summary.
  return {
    text: `${digits} ${unit}`,
    bytes: Number(plainDigits) * size,
    margin: decimals ? size / 10 ** decimals / 2 : size,
  }
}

/** @typedef {Partial<Record<keyof typeof AMOUNTS_IN_ERRORS, Amount>>} Amounts */

/** The amounts in an error, by kind. @param {string} text @param {boolean} isBinary @returns {Amounts} */
const amountsOf = (text, isBinary) =>
  Object.fromEntries(
    Object.entries(AMOUNTS_IN_ERRORS).flatMap(([kind, patterns]) => {
      const match = patterns.map((pattern) => new RegExp(pattern).exec(text)).find(Boolean)
      return match ? [[kind, amountOf(match[1], match[2], isBinary)]] : []
    }),
  )

/** A text that consists only of a capacity, such as `24 GB` or `16 GB of VRAM`. */
const CAPACITY = /^\s*(\d+) ?(Gi?B)(?: (?:of )?(?:V?RAM|GPU(?: memory)?|memory))?\s*$/i
/** The memory of common GPUs in GiB, which manufacturers call GB. */
const GPU_SIZES = new Set([6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 192])

/** The account of an amount that is probably the memory of a GPU. @param {string} text @param {number} gib */
function accountOfCapacity(text, gib) {
  const capacity = amountOf(String(gib), "GiB")
  const toTrain = link(formAddress(capacity), "how many texts of a training step fit into it")
  const toLoad = link("totals/memory.html", "what the weights of a model take")
  return accountInSentences(
    words`${text} is most likely the memory of a GPU, not the size of a model. We count ${toTrain}.`,
    [words`To see ${toLoad}, enter a more precise amount, such as 417.6 MiB.`],
    { confidence: "likely" },
  )
}

/** The account of a text about the memory of a GPU or a computer; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfMemory(text) {
  const [, size = "", unit = ""] = CAPACITY.exec(text) ?? []
  if (GPU_SIZES.has(Number(size))) return accountOfCapacity(`${size} ${unit}`, Number(size))
  if (MEMORY_ERROR.test(text)) return accountOfError(text)
  const counters = [
    ...Array.from(text.matchAll(COUNTER), counterOf),
    ...Array.from(text.matchAll(STATISTIC), statisticOf),
  ]
  if (counters.length) return accountOfCounters(counters)
  const [allocation, reservation] = ["Allocated", "reserved"].map((name) =>
    new RegExp(`${name} ${SUMMARY_CELLS}`).exec(text),
  )
  if (allocation) return accountOfSummary(allocation, reservation)
  const zero = ZERO.exec(text)
  if (zero) return accountOfZero(zero)
  const gpus = gpusOf(text)
  const processes = Array.from(text.matchAll(PROCESS), sentenceOnProcess)
  if (gpus.length) return accountOfSmi(gpus, processes)
  if (processes.length)
    return accountInSentences(processes[0], [...processes.slice(1), sentenceOnContents(), ON_RESERVED_MEMORY])
  const remark = SMI_REMARK.exec(text)
  if (remark) return accountOfSmi([{ usage: amountOf(remark[1], remark[2]), capacity: null }], [])
  const peak = PEAK_IN_SCRIPTS.exec(text)
  const amount = peak ?? AMOUNTS_IN_SCRIPTS.map((pattern) => pattern.exec(text)).find(Boolean)
  return amount ? accountOfScript(amountOf(amount[1], amount[2]), Boolean(peak)) : null
}

const CONTENTS = words`This memory holds the weights, the optimiser's states, and activations or gradients; activations grow with the batch and the length of the texts.`

/** The address of the form that counts a training step, with the capacity of the GPU filled in if it is known.
 * @param {Amount | null} [capacity] */
function formAddress(capacity) {
  const gib = capacity ? Number((capacity.bytes / BYTES.GiB).toFixed(2)) : 0
  return `run/memory-of-training.html${gib ? `?memory=${gib}` : ""}#batch`
}

/** Words on the contents of the memory, with a link to the form that counts a step.
 * @param {Amount | null} [capacity]  the capacity of the GPU, if it is known @returns {Words} */
const sentenceOnContents = (capacity) =>
  words`${CONTENTS} The form ${link(formAddress(capacity), "Whether a step fits on a GPU")} counts them, and says what would save memory.`

/** A sentence on the rounding of an amount; empty if its margin is at most one byte. @param {Amount} amount */
const sentencesOnRounding = ({ text, margin }) =>
  margin > 1
    ? [
        words`${text} is rounded: it stands for any number of bytes within ${Math.round(margin)} of it, so it does not name a model or a batch.`,
      ]
    : []

/** Whether an amount is in KB, MB or GB, which are powers of ten but often used for powers of two.
 * @param {Amount} amount */
const isInDecimalUnit = ({ text }) => / [KMG]B$/.test(text)

/** A sentence on the rounding of an amount that a script prints. The script may have divided by a power of two.
 * @param {Amount} amount */
const sentencesOnPrintedAmount = (amount) =>
  isInDecimalUnit(amount)
    ? [
        words`${amount.text} is rounded, and many scripts write ${amount.text.slice(-2)} for ${amount.text.slice(-2, -1)}iB, so it does not name a model or a batch.`,
      ]
    : sentencesOnRounding(amount)

/** A sentence on the memory that nvidia-smi counts in addition to a program's tensors. */
export const ON_RESERVED_MEMORY = words`nvidia-smi also counts the driver's own memory, and what PyTorch has reserved without using it; ${code("torch.cuda.max_memory_allocated()")} gives the most that its tensors have taken.`

/** The account of an out-of-memory error. @param {string} text */
function accountOfError(text) {
  const isMac = /\bMPS\b/.test(text)
  const device = DEVICES.find(([, pattern]) => pattern.test(text))?.[0] ?? "GPU"
  const amounts = amountsOf(text, isMac)
  const { request } = amounts
  const tensor = TENSOR_IN_ERROR.exec(text)
  const isBlock = BLOCK_ERROR.test(text)
  const need = isBlock ? "PyTorch asked for another" : "one more tensor needed"
  const requestWords = request ? words`, and ${need} ${amountInWords(request)}` : words``
  const [, roundedUp] = ROUNDED_UP.exec(text) ?? []
  const sentencesOnRoundingUp = roundedUp
    ? [words`TensorFlow rounds a request up to a multiple of 256 bytes: here, to ${whole(Number(roundedUp))}.`]
    : []
  /** The sentences about the requested amount. @param {Amount} amount */
  const sentencesOnRequest = (amount) =>
    isBlock ? sentencesOnBlock(amount.text, amount.bytes) : sentencesOnRounding(amount)
  return accountInSentences(words`The step did not fit: ${usageClause(amounts, isMac, device)}${requestWords}.`, [
    ...(tensor ? sentencesOnTensor(tensor) : []),
    sentenceOnContents(device === "GPU" ? amounts.capacity : null),
    ...sentencesOnRoundingUp,
    ...(request && !roundedUp ? sentencesOnRequest(request) : []),
    ...(isMac && request && isInDecimalUnit(request)
      ? [words`The units of this error are powers of two: its MB and GB are MiB and GiB.`]
      : []),
  ])
}

/** A clause on how full the memory was. PyTorch's tensors take less than the memory in use, because PyTorch reserves
 * more than they need, and the driver and other programs use some.
 * @param {Amounts} amounts @param {boolean} isMac @param {string} device @returns {Words} */
function usageClause({ allocation, usage, capacity }, isMac, device) {
  const limit = isMac ? `the ${capacity?.text} that PyTorch may take` : `the ${device}'s ${capacity?.text}`
  const ofLimit = capacity ? ` of ${limit}` : ""
  if (allocation) return words`tensors took ${allocation.text}${ofLimit}`
  if (usage) return words`${usage.text}${ofLimit} was in use`
  return words`the ${device}'s memory was full`
}

/** A number of bytes in GiB, as words in brackets. @param {number} bytes */
const inGib = (bytes) => ` (${(bytes / BYTES.GiB).toFixed(2)} GiB)`

/** The words for an amount, with GiB in brackets after an exact number of bytes that is at least one GiB.
 * @param {Amount} amount */
const amountInWords = ({ text, bytes, margin }) => text + (margin || bytes < BYTES.GiB ? "" : inGib(bytes))

/** The sentences about a tensor or array whose shape and type an error gives; empty if the type is unknown.
 * @param {RegExpExecArray} match */
function sentencesOnTensor([, dimensions, type]) {
  const shape = dimensions
    .split(",")
    .filter((dimension) => dimension.trim())
    .map(Number)
  const bytesPerNumber = BYTES_PER_NUMBER[/** @type {keyof typeof BYTES_PER_NUMBER} */ (type)]
  if (!bytesPerNumber) return []
  const bytes = shape.reduce((product, size) => product * size, bytesPerNumber)
  const sum = words`The tensor of shape ${shape.map(whole).join(" × ")} takes ${bytesPerNumber} ${noun(bytesPerNumber, "byte")} per element, ${whole(bytes)} in all.`
  const [textCount, heads, tokens, lastSize] = shape
  // Attention scores have a row and a column for each token, per head and text.
  const isOfScores = shape.length === 4 && tokens === lastSize && heads < tokens
  const scores = words`The attention scores of a layer have this shape for ${whole(textCount)} ${noun(textCount, "text")} of ${whole(tokens)} tokens and ${whole(heads)} heads.`
  return isOfScores ? [sum, scores] : [sum]
}

/** The account of DeepSpeed's table, or of the line above it, which rounds numbers of parameters down to millions.
 * @param {RegExpExecArray} match */
function accountOfZero({ input, 1: total, 2: layer }) {
  /** The range of the numbers that are printed as this many millions. @param {number} millions */
  const range = (millions) =>
    words`${millions ? words`at least ${millions * 1e6} and ` : []}fewer than ${(millions + 1) * 1e6} parameters`
  const [totalMillions, layerMillions] = [total, layer ?? "0"].map(Number)
  const sentenceOnTotal =
    totalMillions < layerMillions
      ? words`Its total is less than that of one module: DeepSpeed counts tensors at the same address once, and on PyTorch's meta device, tensors have no address.`
      : words`The model has ${range(totalMillions)}, because DeepSpeed rounds the number down to millions.`
  return accountInSentences(
    words`This is DeepSpeed's estimate of the memory that ZeRO needs for weights, gradients and optimiser states. ${sentenceOnTotal}`,
    [
      ...(layer ? [words`The module with the most parameters of its own has ${range(layerMillions)}.`] : []),
      words`${link(formAddress(), "Whether a step fits on a GPU")} also depends on activations, which are not included.`,
      ...(/[0-9]GB\b/.test(input) ? [words`By GB, DeepSpeed means GiB, which are powers of two.`] : []),
    ],
  )
}

/** The account of PyTorch's `memory_summary`.
 * @param {RegExpExecArray} allocation @param {RegExpExecArray | null} reservation */
function accountOfSummary([, current, unit, peak, peakUnit], reservation) {
  const reservationWords = reservation ? words`, and has reserved at most ${reservation[3]} ${reservation[4]}` : words``
  return accountInSentences(
    words`PyTorch now has ${current} ${unit} in tensors on the GPU${reservation ? "," : " and"} has had at most ${peak} ${peakUnit}${reservationWords}.`,
    [sentenceOnContents(), ...sentencesOnRounding(amountOf(peak, peakUnit, true))],
  )
}

/** A sentence on a process in nvidia-smi's table. @param {RegExpMatchArray} match */
const sentenceOnProcess = ([, name, digits]) =>
  words`The process ${code(name)} takes ${amountOf(digits, "MiB").text} of the GPU's memory.`

/** The unit to which a divisor converts bytes; undefined if the divisor is unknown.
 * @param {string | undefined} divisor */
function unitOf(divisor = "") {
  const spelling = divisor.replaceAll(" ", "").replaceAll("/", "*")
  // Each unit with the usual spellings of its size.
  const units = [
    ["KiB", "1024**1", "2**10"],
    ["MiB", "1024**2", "2**20", "1024*1024"],
    ["GiB", "1024**3", "2**30", "1024*1024*1024"],
    ["KB", "1e3"],
    ["MB", "1e6"],
    ["GB", "1e9"],
  ]
  return units.find(([, ...spellings]) => spellings.includes(spelling))?.[0]
}

/** A value of one of PyTorch's counters. `amount` is null if its unit is unknown.
 * @typedef {{ isPeak: boolean, kind: string, amount: Amount | null, digits: string }} Counter */

/** The counter in a match. A number with decimals but without a unit has been divided by something unknown.
 * @param {RegExpMatchArray} match @returns {Counter} */
function counterOf([, isPeak, kind, divisor, digits, printedUnit]) {
  const unit = unitOf(divisor) ?? printedUnit
  const amount = unit || !digits.includes(".") ? amountOf(digits, unit) : null
  return { isPeak: Boolean(isPeak), kind, amount, digits }
}

/** The counter in a match of PyTorch's dictionary of statistics. @param {RegExpMatchArray} match @returns {Counter} */
const statisticOf = ([, kind, when, digits]) => ({ isPeak: when === "peak", kind, amount: amountOf(digits), digits })

/** A sentence on the value of a counter. @param {Counter} counter */
function sentenceOnCounter({ isPeak, kind, amount, digits }) {
  const when = isPeak ? "has had at most" : "now has"
  const use = kind === "reserved" ? "reserved on the GPU, whether tensors use it or not" : "in tensors on the GPU"
  if (!amount) return words`PyTorch ${when} ${digits} ${use}, in a unit that the text does not give.`
  return words`PyTorch ${when} ${amountInWords(amount)} ${use}.`
}

/** The account of PyTorch's counters: those of tensors first and, of each kind, peaks before current values.
 * @param {Counter[]} counters */
function accountOfCounters(counters) {
  const countersInOrder = [...counters].sort(
    (one, other) => one.kind.localeCompare(other.kind) || Number(other.isPeak) - Number(one.isPeak),
  )
  const [first, ...others] = countersInOrder
  return accountInSentences(sentenceOnCounter(first), [
    ...others.map(sentenceOnCounter),
    sentenceOnContents(),
    ...(first.amount ? sentencesOnPrintedAmount(first.amount) : []),
  ])
}

/** The account of an amount that a custom script prints. @param {Amount} amount @param {boolean} isPeak */
const accountOfScript = (amount, isPeak) =>
  accountInSentences(
    isPeak ? words`${amount.text} is the most memory that was in use.` : words`${amount.text} of memory is in use.`,
    [sentenceOnContents(), ...sentencesOnPrintedAmount(amount)],
  )

/** A GPU in the output of nvidia-smi. The capacity is null if the query did not include it.
 * @typedef {{ usage: Amount, capacity: Amount | null }} Gpu */

/** A GPU from its amounts in MiB. @param {string} usage @param {string} [capacity] @returns {Gpu} */
const gpuOf = (usage, capacity) => ({
  usage: amountOf(usage, "MiB"),
  capacity: capacity ? amountOf(capacity, "MiB") : null,
})

/** The GPUs in the output of nvidia-smi or gpustat. @param {string} text @returns {Gpu[]} */
function gpusOf(text) {
  const cells = Array.from(text.matchAll(SMI_CELLS), ([, ...digits]) => {
    const [usage, capacity] = digits.filter(Boolean)
    return gpuOf(usage, capacity)
  })
  const lists = Array.from(text.matchAll(SMI_LIST), ([, capacity, usage]) => gpuOf(usage, capacity))
  return [...cells, ...lists, ...gpusInTable(text)]
}

/** The GPUs in the table that `nvidia-smi --query-gpu` prints. @param {string} text @returns {Gpu[]} */
function gpusInTable(text) {
  const rows = text.split("\n").map((line) => line.split(",").map((cell) => cell.trim()))
  const headingIndex = rows.findIndex((cells) => cells.includes("memory.used [MiB]"))
  if (headingIndex < 0) return []
  const [usage, capacity] = ["memory.used [MiB]", "memory.total [MiB]"].map((name) => rows[headingIndex].indexOf(name))
  /** The digits of a cell in MiB; undefined if it has no amount. */
  const mibIn = (/** @type {string | undefined} */ cell) => /^(\d+)(?: MiB)?$/.exec(cell ?? "")?.[1]
  return rows.slice(headingIndex + 1).flatMap((cells) => {
    const mibInUse = mibIn(cells[usage])
    return mibInUse ? [gpuOf(mibInUse, mibIn(cells[capacity]))] : []
  })
}

/** The account of the output of nvidia-smi, or of a remark on it. @param {Gpu[]} gpus @param {Words[]} processes */
function accountOfSmi([{ usage, capacity }, ...others], processes) {
  const gpu = others.length ? "one GPU's" : "the GPU's"
  const ofCapacity = capacity ? words`${gpu} ${capacity.text}` : words`${gpu} memory`
  return accountInSentences(words`${usage.text} of ${ofCapacity} is in use, by all programs together.`, [
    ...others.map(
      (other) => words`${other.usage.text} of another GPU's ${other.capacity?.text ?? "memory"} is in use.`,
    ),
    ...processes,
    sentenceOnContents(capacity),
    ON_RESERVED_MEMORY,
    ...sentencesOnRounding(usage),
  ])
}
