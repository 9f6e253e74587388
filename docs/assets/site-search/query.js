// Translates a reader's query into the words of the search index: numbers are written with
// commas, names of matrices become one word, words that carry no meaning are dropped, and
// words that mean little on this site get less weight. If no page contains a word, a
// second query allows for misspellings.
//
// The theme would search for words as they are typed and as beginnings of longer words.
// The index is lunr's; in its queries, ^ sets the weight of a word, and ~ the number of
// letters that may differ.

// Words that occur on every page. They are kept if a query has no others.
const STOP_WORDS = new Set(
  `a an and are as at be by can could did do does for from get give got had has have how i if in into is it its
  just me mean means my of off on or our out please should so than that the their them then there these they this
  those to us was we were what what's whats when where which who will with would you your`.split(/\s+/),
)
// Words that say little on a site about the parameters of BERT, unless a query has no others.
const WEAK_WORDS = new Set("bert count many number param parameter parameters params 参数 参数量 参数数量".split(" "))
// Numbers with and without thousands separators, and names of matrices such as W_q or W^{O}. The assertions at both
// ends exclude parts of longer numbers or words, such as versions (4.46.3) and dates.
const GROUPED = /(?<![\w.,-])\d{1,3}(?:[ .,'’_\u00a0\u202f]\d{3})+(?![\d])/g
const LONG_NUMBER = /(?<![\d.,\w-])\d{4,}(?![\d.,\w])/g
const MATRIX = /(?<![\p{L}\p{N}])(w|b)[ _^]{0,2}\{?(q|k|v|o)\}?(?![\p{L}\p{N}])/gu
// Words that may be given a weight. Others may contain characters with a meaning in lunr's query language.
const WEIGHABLE_WORD = /^[\p{Script=Latin}\p{Script=Han}\p{N}][\p{Script=Latin}\p{Script=Han}\p{N}_.,'/-]*$/u
const WEIGHT = 40 // the weight of a whole word, which outweighs any number of longer words that begin with it
const GREEK = /** @type {Record<string, string>} */ ({ γ: "gamma", β: "beta" })
// The lengths from which one letter of a word, or two, may differ. Shorter words resemble too many others.
const [MIN_LENGTH_FOR_ONE, MIN_LENGTH_FOR_TWO] = [5, 8]

/** @param {string} digits */
const withCommas = (digits) => digits.replace(/\D/g, "").replace(/\B(?=(?:\d{3})+$)/g, ",")

/** A reader's query in the words of the index, with their weights. @param {string} query */
export function translateQuery(query) {
  const normalisedQuery = query
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[γβ]/g, (letter) => GREEK[letter])
    .replace(GROUPED, withCommas)
    .replace(LONG_NUMBER, withCommas)
    .replace(MATRIX, "$1$2")
    .replace(/\^|[?!;]+(?=\s|$)/g, "") // signs of powers, which lunr would read as weights, and the ends of sentences
    .replace(/[()]/g, " ")
  const words = normalisedQuery.split(/\s+/).filter(Boolean)
  const meaningfulWords = words.filter((word) => !STOP_WORDS.has(word))
  const isSpecific = meaningfulWords.some((word) => !WEAK_WORDS.has(word))
  // A query that consists only of stop words, such as "what is it", is better than an empty one.
  return (meaningfulWords.length ? meaningfulWords : words)
    .map((word) => (isSpecific && WEAK_WORDS.has(word) ? word : withWeight(word)))
    .join(" ")
}

/** A word in two forms: with a weight and, so that it also matches the beginning of longer words, without one.
 * @param {string} word */
const withWeight = (word) => (WEIGHABLE_WORD.test(word) ? `${word}^${WEIGHT} ${word}` : word)

/** A query that allows for misspellings in its unknown words; null if there are none that may be misspelt.
 * @param {string} query @param {{ terms: Record<string, boolean> }[][]} results  by page */
export function broadenQuery(query, results) {
  const knownWords = new Set()
  for (const { terms } of results.flat())
    for (const [term, isMatch] of Object.entries(terms)) if (isMatch) knownWords.add(term)
  // A word with a weight occurs twice; the copy without one is enough.
  const unweighted = query.split(" ").filter((word) => !word.includes("^"))
  const words = unweighted.map((word) => {
    // Words with digits are not taken as misspelt, because a different digit makes a different number.
    const isMisspelt = /^[a-z]+$/.test(word) && !knownWords.has(word) && word.length >= MIN_LENGTH_FOR_ONE
    return isMisspelt ? `${word}~${word.length < MIN_LENGTH_FOR_TWO ? 1 : 2}` : word
  })
  return words.some((word, index) => word !== unweighted[index]) ? words.join(" ") : null
}
