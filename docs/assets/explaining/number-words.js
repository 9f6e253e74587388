// Reads English number words before a large unit: "one hundred and ten million" becomes "110
// million". Number words without such a unit are left alone, because they count things.

const ONES = "one two three four five six seven eight nine ten"
const TEENS = "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
/** The values of the words below a hundred. */
const VALUES = new Map([
  ["a", 1],
  .../** @type {[string, number][]} */ (`${ONES} ${TEENS}`.split(" ").map((word, index) => [word, index + 1])),
  .../** @type {[string, number][]} */ (TENS.split(" ").map((word, index) => [word, 10 * (index + 2)])),
])
const WORD = [...VALUES.keys()].join("|")
const RUN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${WORD})(?:[\s-]+(?:and\s+)?(?:${WORD}|hundred))*(?=[\s-]+(?:thousand|million|billion)(?!\p{L}))`,
  "giu",
)

/** The text with number words before a large unit written in digits. @param {string} text */
export const withoutNumberWords = (text) =>
  text.replace(RUN, (run) => valueOfWords(run.toLowerCase().split(/[\s-]+/))?.toString() ?? run)

/** The value of number words; null if they are not one number. @param {string[]} numberWords */
function valueOfWords(numberWords) {
  let value = 0
  let limit = 1000 // the next word must have a smaller value
  for (const word of numberWords.filter((other) => other !== "and")) {
    if (word === "hundred") {
      if (value < 1 || value > 9) return null
      value *= 100
      limit = 100
      continue
    }
    const wordValue = VALUES.get(word) ?? NaN
    if (!(wordValue < limit)) return null
    value += wordValue
    limit = wordValue >= 20 && wordValue % 10 === 0 ? 10 : 0
  }
  return value
}
