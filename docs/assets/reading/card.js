// The memory of a graphics card: the error that it is full, the amount that PyTorch has
// allocated, and a line of nvidia-smi. Such amounts include weights, states, gradients and
// activations, so they do not determine a model; the account says what they are and how
// coarse they are, and links to the page that counts a training step.

import { whole } from "../counting/engine.js"
import { code, finding, link, words } from "./words.js"

const BYTES = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, KB: 1e3, MB: 1e6, GB: 1e9 }
const UNITS = [...Object.keys(BYTES), "bytes"].join("|")
const AMOUNT = String.raw`(\d[\d,]*(?:\.\d+)?) ?(${UNITS})\b`
const FULL = /\bout of memory\b|\bOutOfMemoryError\b/i
/** A counter of PyTorch, perhaps divided into another unit, and the number that was printed for it. */
const COUNTER = new RegExp(
  String.raw`\b(max_)?memory_(allocated|reserved)\b(?:\(\w*\))?(?: ?\/ ?(1024 ?\*\* ?[123]|2 ?\*\* ?[123]0|1e[369]|1024 ?\/ ?1024(?: ?\/ ?1024)?))?[^\d/]{0,40}?(\d[\d_,]*(?:\.\d+)?) ?(${UNITS})?(?![\w.])`,
)
const SMI = /\b(\d+) ?MiB *\/ *(\d+) ?MiB\b/

/** The amounts in an error, each with the words around it in the releases of PyTorch. */
const PARTS = {
  asked: [`[Tt]ried to allocate ${AMOUNT}`],
  capacity: [`total capacity of ${AMOUNT}`, `${AMOUNT} total capacity`],
  allocated: [`${AMOUNT} is allocated by PyTorch`, `${AMOUNT} already allocated`],
  used: [`has ${AMOUNT} memory in use`],
}

/** @typedef {{ text: string, bytes: number, half: number }} Amount  as printed, in bytes, and half its last digit */

/** @param {string} digits @param {string | undefined} unit @returns {Amount} */
function amountOf(digits, unit = "bytes") {
  const plain = digits.replace(/[,_]/g, "")
  const size = unit === "bytes" ? 1 : BYTES[/** @type {keyof typeof BYTES} */ (unit)]
  const decimals = plain.split(".")[1]?.length ?? 0
  const number = unit === "bytes" ? whole(Number(plain)) : digits
  return { text: `${number} ${unit}`, bytes: Number(plain) * size, half: size > 1 ? size / 10 ** decimals / 2 : 0 }
}

/** The amounts of an error, by what they are. @param {string} text @returns {Partial<Record<keyof typeof PARTS, Amount>>} */
const amountsOf = (text) =>
  Object.fromEntries(
    Object.entries(PARTS).flatMap(([name, patterns]) => {
      const match = patterns.map((pattern) => new RegExp(pattern).exec(text)).find(Boolean)
      return match ? [[name, amountOf(match[1], match[2])]] : []
    }),
  )

/** The account of a text about a card's memory; null for any other text. @param {string} text @returns {Account | null} */
export function accountOfCard(text) {
  if (FULL.test(text)) return accountOfError(amountsOf(text))
  const counter = COUNTER.exec(text)
  if (counter) return accountOfCounter(counter)
  const smi = SMI.exec(text)
  return smi ? accountOfSmi(amountOf(smi[1], "MiB"), amountOf(smi[2], "MiB")) : null
}

/** @param {Words} headline @param {Words[]} sentences @returns {Account} */
const accountOf = (headline, sentences) => ({
  kind: "other",
  headline,
  findings: sentences.map((sentence, index) => finding(50 - index, sentence)),
  lines: [],
  bridge: null,
  model: null,
  confidence: "certain",
})

const WHAT = words`This memory holds the weights, the optimiser's states, and activations or gradients; activations grow with the batch and the length of the texts. ${link("run/memory-of-training.html#batch", "Whether a step fits on a card")} counts them, and says what would save memory.`

/** How coarse an amount is. @param {Amount} amount */
const coarse = ({ text, half }) =>
  half > 1
    ? [
        words`${text} is rounded: it stands for any number of bytes within ${Math.round(half)} of it, so it does not name a model or a batch.`,
      ]
    : []

/** @param {Partial<Record<keyof typeof PARTS, Amount>>} amounts */
function accountOfError({ asked, capacity, allocated, used }) {
  const inUse = allocated ?? used
  const capacityWords = capacity ? words` of the card's ${capacity.text}` : words``
  const usage = inUse ? words` ${inUse.text}${capacityWords} was in use` : words` the card was full`
  const request = asked ? words`, and one more tensor needed ${asked.text}` : words``
  return accountOf(words`The step did not fit:${usage}${request}.`, [WHAT, ...(asked ? coarse(asked) : [])])
}

/** The unit into which a division leads. @param {string | undefined} divisor */
function unitOf(divisor = "") {
  const plain = divisor.replaceAll(" ", "")
  const powers = [
    ["KiB", "1024**1", "2**10"],
    ["MiB", "1024**2", "2**20", "1024/1024"],
    ["GiB", "1024**3", "2**30", "1024/1024/1024"],
    ["KB", "1e3"],
    ["MB", "1e6"],
    ["GB", "1e9"],
  ]
  return powers.find(([, ...written]) => written.includes(plain))?.[0]
}

/** @param {RegExpExecArray} match */
function accountOfCounter([, isMost, kind, divisor, digits, unit]) {
  const amount = amountOf(digits, unit ?? unitOf(divisor))
  const when = isMost ? "has had at most" : "now has"
  const place = kind === "reserved" ? "reserved on the card, whether tensors use it or not" : "in tensors on the card"
  const gib = unit || divisor ? "" : ` (${(amount.bytes / BYTES.GiB).toFixed(2)} GiB)`
  return accountOf(words`PyTorch ${when} ${amount.text}${gib} ${place}.`, [WHAT, ...coarse(amount)])
}

/** @param {Amount} used @param {Amount} capacity */
const accountOfSmi = (used, capacity) =>
  accountOf(words`${used.text} of the card's ${capacity.text} is in use, by all programs together.`, [
    WHAT,
    words`nvidia-smi also counts the driver's own memory, and what PyTorch has reserved without using it; ${code("torch.cuda.max_memory_allocated()")} gives what its tensors take.`,
    ...coarse(used),
  ])
