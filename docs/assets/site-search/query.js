// Translates a reader's query into the words of the search index: numbers are written with
// commas, products and sums are worked out, names are also searched as one word, accents are left
// out, words that carry no meaning are dropped, and words that mean little on this site get
// less weight. If no page contains a word, a second query allows for misspellings.
//
// The theme would search for words as they are typed and as beginnings of longer words.
// The index is lunr's; in its queries, ^ sets the weight of a word, ~ the number of
// letters that may differ, and * stands for any letters.

import { compound } from "./compounds.js"

// Words that say nothing about a page, in the languages in which readers ask. They are kept if a query has no others.
const STOP_WORDS = new Set(
  `a an and are as at be between by can could did difference do does for from get give got had has have how i if in
  into is it its just me mean means more my of off on or our out please should so than that the their them then there
  these they this those to us versus vs was we were what what's whats when where which who will with would you your
  anzahl das dem den der des die ein eine fur hat im ist mit pro und viel viele von wie
  combien dans de du en est et la le les nombre par pour quel quelle un une
  cuanta cuantas cuanto cuantos el los las para por que tiene y`.split(/\s+/),
)
// Words that say little on a site about the parameters of BERT, unless a query has no others.
const MODEL_NAME = "bert"
const WEAK_WORDS = new Set(
  `${MODEL_NAME} big count many model models num number param parameter parameters params taille tamano weight weights
  参数 参数量 参数数量 パラメータ パラメータ数`.split(/\s+/),
)
// The names of BERT's two sizes, which say little beside another word, because most pages are about both.
const NAME_OF_SIZE = /^(?:[\w-]+\/)?(?:bert[-_])?(?:base|large)(?:[-_](?:un)?cased)?$/
// Words for forgetting, which say more about the page than what was forgotten.
const WORDS_FOR_SLIPS = new Set(["forget", "forgetting", "forgot", "forgotten"])
/** Misspellings of "parameters", and the word in other languages. */
const PARAMETERS = /^pa?ra?m[aei]*t[aeiours]+$/
// Chinese words that say little, within a text without spaces, and what a text of nothing else asks for.
const PARAMETERS_IN_CHINESE = "参数"
const WEAK_HAN = /参数数?量?|參數數?量?|有?多少|怎么算?|如何|为什么|什么|有几|大小|的/g
// A Chinese text. Characters next to a digit or to Japanese syllables belong to a longer word.
const HAN =
  /(?<![\d\p{Script=Hiragana}\p{Script=Katakana}ー])\p{Script=Han}+(?![\p{Script=Hiragana}\p{Script=Katakana}ー])/gu
const ONLY_HAN = /^\p{Script=Han}+$/u
/** A place between a Latin letter and a Japanese syllable, with the particle after the letter. */
const LATIN_AND_KANA = /(?<=[a-z])[のはがをに]?(?=[\p{Script=Hiragana}\p{Script=Katakana}])/gu
// Numbers with and without thousands separators, products and sums of numbers, names of matrices such as W_q or W^{O},
// and the place between a number and its unit of bytes. The assertions at the ends exclude parts of longer numbers or
// words, such as versions (4.46.3) and dates.
const GROUPED = /(?<![\w.,-])\d{1,3}(?:[ .,'’_\u00a0\u202f]\d{3})+(?![\d])/g
const LONG_NUMBER = /(?<![\d.,\w-])\d{4,}(?![\d.,\w])/g
const PRODUCT = /(?<![\p{L}\p{N}.,*])[\d,]+(?:\s?[*×·x]\s?[\d,]+)+(?![\p{L}\p{N}.*])/gu
const SUM = /(?<![\p{L}\p{N}.,*])[\d,]+(?:\s?\+\s?[\d,]+)+(?![\p{L}\p{N}.*])/gu
/** The word for millions after a number, as in "66 million" or "66 Mio.". */
const MILLIONS = /(?<=\d)\s?(?:mio\.?|millionen|millions?|millones|m)(?![\p{L}\p{N}])/gu
const MATRIX = /(?<![\p{L}\p{N}])(w|b)[ _^]{0,2}\{?(q|k|v|o)\}?(?![\p{L}\p{N}])/gu
const BYTES = /(?<=\d)(?=[kmg]i?b(?![\p{L}\p{N}]))/gu
/** A key of a dictionary, as in `params["encoder"]`. */
const KEY = /\[["'](\w+)["']\]/g
/** The sign between a name and its value, as in `num_attention_heads=12`. */
const ASSIGNMENT = /(?<=[\w"'])\s?=\s?(?=\w)/g
/** An article or a preposition before an apostrophe, as in "l'attention". */
const ELISION = /(?<![\p{L}\p{N}])(?:[cdjlmnst]|qu)['’](?=\p{L}{3})/gu
// Words that may be given a weight. Others may contain characters with a meaning in lunr's query language.
const WEIGHABLE_WORD = /^[\p{L}\p{N}][\p{L}\p{N}ー_.,'/-]*$/u
const WEIGHT = 40 // the weight of a whole word, which outweighs any number of longer words that begin with it
const GREEK = /** @type {Record<string, string>} */ ({ γ: "gamma", β: "beta" })
// The lengths from which one letter of a word, or two, may differ. Shorter words resemble too many others.
const [MIN_LENGTH_FOR_ONE, MIN_LENGTH_FOR_TWO] = [4, 8]
// An unknown word of this length may be a compound, as in German, so its first letters are searched as well.
const MIN_LENGTH_OF_COMPOUND = 10
const LETTERS_OF_FIRST_PART = 5

/** A number with commas between thousands, in place of any other separators. @param {string} digits */
const withCommas = (digits) => digits.replace(/\D/g, "").replace(/\B(?=(?:\d{3})+$)/g, ",")

/** A text without accents on its letters. @param {string} text */
const withoutAccents = (text) =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")

/** The value of a product such as 768 × 768, as a number with commas. @param {string} text */
const product = (text) =>
  withCommas(`${text.split(/[*×·x]/).reduce((value, factor) => value * BigInt(factor.replace(/\D/g, "")), 1n)}`)

/** The value of a sum such as 768 + 768, as a number with commas. @param {string} text */
const sum = (text) =>
  withCommas(`${text.split("+").reduce((value, term) => value + BigInt(term.replace(/\D/g, "")), 0n)}`)

/** The letters of a word in alphabetical order, which are the same if two of them are swapped. @param {string} word */
const lettersOf = (word) => [...word].sort().join("")
const WEAK_WORD_BY_LETTERS = new Map([...WEAK_WORDS].map((word) => [lettersOf(word), word]))

/** The usual spelling of a word of little meaning, which may be misspelt; any other word unchanged.
 * @param {string} word */
const correctWord = (word) => {
  if (WEAK_WORDS.has(word)) return word
  return PARAMETERS.test(word) ? "parameters" : (WEAK_WORD_BY_LETTERS.get(lettersOf(word)) ?? word)
}

/** How much a word says about the page that a query looks for. Words that say less than another one rank no page.
 * @param {string} word */
function meaningOf(word) {
  if (word === MODEL_NAME) return 0
  if (WEAK_WORDS.has(word)) return 1
  return NAME_OF_SIZE.test(word) ? 2 : 3
}

/** A reader's query in the words of the index, with their weights. A weak word beside others gets a weight of 0: it
 * ranks no page, but keeps a page that has it from being listed as lacking it. @param {string} query */
export function translateQuery(query) {
  const normalisedQuery = withoutAccents(query)
    .toLowerCase()
    .replace(/[γβ]/g, (letter) => GREEK[letter])
    .replace(ASSIGNMENT, " ")
    .replace(PRODUCT, product)
    .replace(GROUPED, withCommas)
    .replace(LONG_NUMBER, withCommas)
    .replace(SUM, sum)
    .replace(MILLIONS, "m")
    .replace(MATRIX, "$1$2")
    .replace(BYTES, " ")
    .replace(KEY, "/$1")
    .replace(ELISION, "")
    .replace(LATIN_AND_KANA, " ")
    .replace(HAN, (text) => ` ${text.replace(WEAK_HAN, " ").trim() || PARAMETERS_IN_CHINESE} `)
    .replace(/\^|[?!;]+(?=\s|$)/g, "") // signs of powers, which lunr would read as weights, and the ends of sentences
    .replace(/[()]/g, " ")
  const words = normalisedQuery.split(/\s+/).filter(Boolean).map(correctWord)
  const meaningfulWords = words.filter((word) => !STOP_WORDS.has(word))
  // A query that consists only of stop words, such as "what is it", is better than an empty one.
  const keptWords = meaningfulWords.length ? meaningfulWords : words
  const mostMeaning = Math.max(...keptWords.map(meaningOf))
  const isWeak = (/** @type {string} */ word) => meaningOf(word) < mostMeaning
  const pairs = keptWords.slice(1).map((word, index) => [keptWords[index], word])
  return [
    ...keptWords.map((word) => (isWeak(word) ? `${word}^0` : withWeight(word))),
    ...keptWords.filter((word) => !isWeak(word)).map(termForName),
    ...pairs.filter((pair) => !pair.every(isWeak)).map(([first, second]) => termForPair(first, second)),
  ]
    .filter(Boolean)
    .join(" ")
}

/** A word in two forms: with a weight and, so that it also matches the beginning of longer words, without one; and the
 * words of which it may be the plural, with less weight. A number of one or two digits does not match longer numbers. A
 * Chinese text is split into its possible words, and a word with other signs is left as it is.
 * @param {string} word */
function withWeight(word) {
  if (!WEIGHABLE_WORD.test(word)) return word
  if (ONLY_HAN.test(word)) return `${hanTerms(word)} ${word}`
  const weight = WORDS_FOR_SLIPS.has(word) ? 3 * WEIGHT : WEIGHT
  const beginning = /^\d{1,2}$/.test(word) ? [] : [word]
  const singulars = singularsOf(word).map((singular) => `${singular}^${WEIGHT / 4}`)
  return [`${word}^${weight}`, ...beginning, ...singulars].join(" ")
}

/** All parts of a Chinese text that may be words. Longer words count more. The theme looks for words in a Chinese text
 * without its last character, so every part gets one more.
 * @param {string} text */
function hanTerms(text) {
  const characters = [...text]
  const [min, max] = [Math.min(2, characters.length), 6]
  return characters
    .flatMap((_, start) =>
      Array.from({ length: max - min + 1 }, (_, index) => characters.slice(start, start + min + index)).filter(
        (part, index) => part.length === min + index,
      ),
    )
    .map((part) => `${part.join("")}的^${10 * part.length ** 2}`)
    .join(" ")
}

/** The words of which a word may be the plural. @param {string} word */
function singularsOf(word) {
  // Words that end in -is, -ss or -us are singular.
  if (!/^[a-z]{3,}[^isu\W]s$/.test(word)) return []
  if (word.endsWith("ies")) return [word.replace(/ies$/, "y")]
  return word.endsWith("es") ? [word.slice(0, -1), word.slice(0, -2)] : [word.slice(0, -1)]
}

/** The term for a word that is a name of several parts, which may have been cut short at its end; "" for other words.
 * @param {string} word */
function termForName(word) {
  // A name on the hub may be that of a copy by another organisation.
  const [, ownName = ""] = /^[\w-]+\/([\w.-]+)$/.exec(word) ?? []
  const name = compound(ownName) || compound(word)
  if (!/^[\w·]+$/.test(name)) return ""
  const partCount = name.split(/[_·]/).length - 1
  return `${name}${partCount > 2 ? "*" : ""}^${2 * WEIGHT * partCount}`
}

/** The term for two words that may be a name written with a space; "" if they are not.
 * @param {string} first @param {string} second */
function termForPair(first, second) {
  const isName = [first, second].every((word) => /^[a-z]+$/.test(word))
  return isName ? `_${first}_${second}^${2 * WEIGHT}` : ""
}

/** A query that allows for misspellings and compounds in its unknown words; null if it has none.
 * @param {string} query @param {{ terms: Record<string, boolean> }[][]} results  by page */
export function broadenQuery(query, results) {
  const knownWords = new Set()
  for (const { terms } of results.flat())
    for (const [term, isMatch] of Object.entries(terms)) if (isMatch) knownWords.add(term)
  // A word with a weight occurs twice, so it is enough to change the copy without one.
  const words = query.split(" ")
  const broaderWords = words.map((word) => (word.includes("^") || knownWords.has(word) ? word : broaden(word)))
  return broaderWords.some((word, index) => word !== words[index]) ? broaderWords.join(" ") : null
}

/** The results without the names as one word, which the reader has not typed. Below a result, the theme lists each term
 * of the query that the page lacks as missing.
 * @template {{ terms: Record<string, boolean> }} Item
 * @param {Item[][]} results  by page */
export const withoutCompounds = (results) =>
  results.map((items) =>
    items.map((item) => ({
      ...item,
      terms: Object.fromEntries(Object.entries(item.terms).filter(([term]) => !term.startsWith("_"))),
    })),
  )

/** The words that an unknown word may mean: those of a name with underscores, those with similar letters, and the first
 * part of a compound. Words with digits are not taken as misspelt, because a different digit makes a different number.
 * @param {string} word */
function broaden(word) {
  if (/^[a-z]+(?:_[a-z]+)+$/.test(word))
    return word
      .split("_")
      .map((part) => (WEAK_WORDS.has(part) ? part : withWeight(part)))
      .join(" ")
  if (!/^[a-z]+$/.test(word) || word.length < MIN_LENGTH_FOR_ONE) return word
  const similarWords = `${word}~${word.length < MIN_LENGTH_FOR_TWO ? 1 : 2}^${WEIGHT}`
  return word.length < MIN_LENGTH_OF_COMPOUND ? similarWords : `${similarWords} ${word.slice(0, LETTERS_OF_FIRST_PART)}`
}
