// Rewrites numbers that are not in the digits 0 to 9, so that the modules that read them need to
// know no others: numbers in the digits of other writing systems, and hexadecimal numbers.
// Characters without width, which calculators and web pages copy along with a number, are
// removed.

/** Invisible characters, such as soft hyphens, zero-width spaces, directional marks, and the byte order mark. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** The zeros of writing systems whose other nine digits follow them in Unicode: Arabic, Persian, Devanagari, Bengali,
 * Thai. */
const ZEROS = Array.from("٠۰०০๐", (zero) => zero.charCodeAt(0))
/** A digit of one of these writing systems. */
const OTHER_DIGIT = /[٠-٩۰-۹०-९০-৯๐-๙]/g
/** The separators and the percent sign of Arabic numbers, and the characters at the same positions that replace
 * them. */
const [ARABIC_SIGNS, PLAIN_SIGNS] = ["٬٫٪،", ",.%,"]
const ARABIC_SIGN = /[٬٫٪،]/g

/** A digit of another writing system as one of 0 to 9. @param {string} digit */
function plainDigit(digit) {
  const code = digit.charCodeAt(0)
  return String(code - Math.max(...ZEROS.filter((zero) => zero <= code)))
}

// A hexadecimal number after "at" is the address of an object, not a count. Longer runs of digits are hashes or keys,
// which would take long to convert.
const HEXADECIMAL = /(?<![\p{L}\p{N}_.,]|\bat )0x[0-9a-f]{1,16}(?![\p{L}\p{N}_])/giu

/** The text in the digits 0 to 9, without invisible characters. @param {string} text */
export const inPlainDigits = (text) =>
  text
    .replace(INVISIBLE, "")
    .replace(OTHER_DIGIT, plainDigit)
    .replace(ARABIC_SIGN, (sign) => PLAIN_SIGNS[ARABIC_SIGNS.indexOf(sign)])
    .replace(HEXADECIMAL, (digits) => String(BigInt(digits)))
