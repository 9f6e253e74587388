// Rewrites products in words with signs, so that the reader of sums recognises them: "12 layers of 7,087,872 are
// 85,054,464", "three 768 x 768 matrices", or a list of layers with dots in place of most of them. A product among
// terms that is followed by its own result is replaced by this result.

import { read, typedNumberOf } from "../../explaining/read.js"

const NUMBER = String.raw`[0-9][0-9.,_]*[0-9](?:\s?[MBk]\b)?`
/** The numbers of layers that texts write in words, in several languages. @type {[RegExp, string][]} */
const NUMBERS_IN_WORDS = [
  [/\b(?:six|sechs|seis)(?=\s)/gi, "6"],
  [/\b(?:twelve|zwölf|douze|doce)(?=\s)/gi, "12"],
  [/\b(?:twenty[- ]four|vierundzwanzig|vingt-quatre|veinticuatro)(?=\s)/gi, "24"],
]
/** The numbers of matrices in words. @type {Record<string, string>} */
const DIGITS_OF_MATRICES = { two: "2", three: "3", four: "4" }
const LAYERS = "(?:encoder\\s|transformer\\s)?(?:layers|blocks|schichten|blöcke|couches|capas)"
/** A verb or sign before a result. */
const MAKING = "(?:=|are|is|makes?|gives?|sind|ergeben|macht|font|donnent|son|dan)"

/** Layers with the number of parameters of each and of all: 12 layers of 7,087,872 are 85,054,464. */
const LAYERS_OF = new RegExp(
  String.raw`\b(?<times>[0-9]{1,2})\s(?<layers>${LAYERS})\s(?:of|with|at|je|zu\sje|à|de|mit)\s(?<count>${NUMBER})(?:\seach)?,?\s${MAKING}\s(?=${NUMBER})`,
  "giu",
)
/** The number of parameters of one thing, and of several: 7,087,872 and 12 of them 85,054,464. */
const OF_THEM = new RegExp(
  String.raw`(?<![0-9.,_])(?<count>${NUMBER}),?\s(?:and|so)\s(?<times>[0-9]{1,2})\sof\s(?:them|these|those)\s(?:(?:have|has|${MAKING})\s)?(?=${NUMBER})`,
  "giu",
)
/** A number and, after a comma, its factor: 7.08M, x12 = 85.0M, or x12 -> 85.0M. */
const FACTOR_AFTER_COMMA = new RegExp(
  String.raw`(?<![0-9.,_])(?<count>${NUMBER}),\s(?:[x×*]|times)\s?(?<times>[0-9]{1,2})\s?(?:=|->|=>|→)\s?(?=${NUMBER})`,
  "giu",
)
/** Layers with the number of parameters of each: "12 layers: each 7,087,872". */
const LAYERS_OF_EACH = new RegExp(
  String.raw`\b(?<times>[0-9]{1,2})\s(?<layers>${LAYERS})\s?[:,(]?\s(?:each|apiece|jede|je(?:weils)?|chacune|cada una)(?:\s(?:of|with|has|have|at|mit|hat|de|con|tiene))?[:\s]\s?(?<count>${NUMBER})(?!\s?[x×*·]|\)?,?\s${MAKING})`,
  "giu",
)
/** Some matrices with their shape: "three 768 x 768 matrices". */
const SOME_MATRICES =
  /\b(?<word>two|three|four|2|3|4)\s(?<rows>[0-9]{2,5})\s?[x×*]\s?(?<columns>[0-9]{2,5})\s(?=(?:\w+\s)?(?:matrices|kernels|weights|projections)\b)/gi
/** A product among terms, followed by a number that may be its own result: "23.8M + 12 × 7.08M = 85M + 0.6M". */
const TERM_WITH_RESULT = new RegExp(
  String.raw`(?<=${NUMBER}\s?\+\s?(?:[\p{L}-]+\s){0,3})(?<one>${NUMBER}|[0-9]+)\s?[x×*·]\s?(?<other>${NUMBER}|[0-9]+)\s?=\s?(?<result>${NUMBER})(?=\s?\+)`,
  "giu",
)
const MAX_ROUNDING = 0.01 // the largest relative difference between a product and its rounded result

/** The number that digits with their unit stand for; NaN if they stand for none. @param {string} digits */
function numberIn(digits) {
  const number = read(digits)
  return number ? typedNumberOf(number) : NaN
}

/** The result after a product, if it is that of the product; otherwise the product with the result, which is then that
 * of the sum up to it.
 * @param {string} term  the product with the result @param {string} one @param {string} other @param {string} result */
const resultAsTerm = (term, one, other, result) =>
  Math.abs((numberIn(one) * numberIn(other)) / numberIn(result) - 1) < MAX_ROUNDING ? result : term

/** Layers that are listed one by one with the same number of parameters, where dots stand for some of them. */
const LISTED_LAYERS = new RegExp(
  String.raw`(?<name>\b(?:encoder\s)?(?:layer|block|schicht|couche|capa))[ _#-]?(?<first>[0-9]{1,2})\s*[:=]\s*(?<count>${NUMBER})\s*[;,\n]\s*(?:\k<name>[ _#-]?[0-9]{1,2}\s*[:=]\s*\k<count>\s*[;,\n]\s*)*(?:…|\.{2,}|⋮)\s*[;,\n]?\s*\k<name>[ _#-]?(?<last>[0-9]{1,2})\s*[:=]\s*\k<count>(?![0-9.,_]*[0-9])`,
  "iu",
)

/** The text with a product in place of layers that it lists with dots between them; unchanged if it has no such list.
 * @param {string} text */
export const withoutDots = (text) =>
  text.replace(LISTED_LAYERS, (list, _name, first, count, last) => {
    const layers = Number(last) - Number(first) + 1
    return layers > 1 ? `${layers} layers: ${layers} × ${count}` : list
  })

/** The text with signs in place of words for products, and with their own results in place of products among terms;
 * unchanged if it has neither.
 * @param {string} text */
export function withProducts(text) {
  const withDigits = NUMBERS_IN_WORDS.reduce((rest, [words, digits]) => rest.replace(words, digits), text)
  const textWithSigns = withDigits
    .replace(LAYERS_OF, "$<times> $<layers>: $<times> × $<count> = ")
    .replace(OF_THEM, "$<count> × $<times> = ")
    .replace(FACTOR_AFTER_COMMA, "$<count> × $<times> = ")
    .replace(LAYERS_OF_EACH, "$<times> $<layers>: $<times> × $<count>")
    .replace(
      SOME_MATRICES,
      (_, word, rows, columns) => `${DIGITS_OF_MATRICES[word.toLowerCase()] ?? word} × ${rows} × ${columns} `,
    )
    .replace(TERM_WITH_RESULT, resultAsTerm)
  return textWithSigns === withDigits ? text : textWithSigns
}
