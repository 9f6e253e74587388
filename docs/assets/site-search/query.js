// Translates a reader's query into the words of the search index: numbers get
// commas, names of matrices become one word, words without meaning are dropped, and
// words that mean little here get less weight. If no page contains a word, a second
// query allows for a misspelling.
//
// The theme would search for the words as they are typed, and for the beginnings of longer
// words. The index is lunr's, in whose queries ^ gives a word a weight, and ~ a number of
// letters that may differ.

// Words that every page has; they stay if a query has no others.
const SAY_NOTHING = new Set(
  `a an and are as at be by can could did do does for from get give got had has have how i if in into is it its
  just me mean means my of off on or our out please should so than that the their them then there these they this
  those to us was we were what what's whats when where which who will with would you your`.split(/\s+/),
)
// On a site about the parameters of BERT, these words say little if the query has others.
const SAY_LITTLE = new Set("bert count many number param parameter parameters params 参数 参数量 参数数量".split(" "))
// Numbers with and without separators between thousands, and names of matrices such as W_q or W^{O}. The assertions at both
// ends keep out what is part of a longer number or word, such as the version 4.46.3 or a date.
const GROUPED = /(?<![\w.,-])\d{1,3}(?:[ .,'’_\u00a0\u202f]\d{3})+(?![\d])/g
const LONG = /(?<![\d.,\w-])\d{4,}(?![\d.,\w])/g
const MATRIX = /(?<![\p{L}\p{N}])(w|b)[ _^]{0,2}\{?(q|k|v|o)\}?(?![\p{L}\p{N}])/gu
// Words that may be given a weight. Others may contain signs that mean something in the index's query language.
const WEIGHABLE = /^[\p{Script=Latin}\p{Script=Han}\p{N}][\p{Script=Latin}\p{Script=Han}\p{N}_.,'/-]*$/u
const WEIGHT = 40 // of a whole word, so that no number of longer words that begin with it counts for more
const GREEK = /** @type {Record<string, string>} */ ({ γ: "gamma", β: "beta" })
// The least length of words in which one letter may differ, and of those in which two may. Shorter words resemble too
// many others.
const [ONE_DIFFERS, TWO_DIFFER] = [5, 8]

/** Digits with commas between thousands. @param {string} digits */
const withCommas = (digits) => digits.replace(/\D/g, "").replace(/\B(?=(?:\d{3})+$)/g, ",")

/** A reader's query in the words of the index, with their weights.
 * @param {string} query */
export function inIndexWords(query) {
  const plain = query
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[γβ]/g, (letter) => GREEK[letter])
    .replace(GROUPED, withCommas)
    .replace(LONG, withCommas)
    .replace(MATRIX, "$1$2")
    .replace(/\^|[?!;]+(?=\s|$)/g, "") // powers, which lunr would take for weights, and the ends of sentences
    .replace(/[()]/g, " ")
  const words = plain.split(/\s+/).filter(Boolean)
  const meaningfulWords = words.filter((word) => !SAY_NOTHING.has(word))
  const isSpecific = meaningfulWords.some((word) => !SAY_LITTLE.has(word))
  // A query of such words alone, as "what is it", is better than none.
  return (meaningfulWords.length ? meaningfulWords : words)
    .map((word) => (isSpecific && SAY_LITTLE.has(word) ? word : withWeight(word)))
    .join(" ")
}

/** A word in two forms: with more weight, and without, so that it also matches the beginning of longer words.
 * @param {string} word */
const withWeight = (word) => (WEIGHABLE.test(word) ? `${word}^${WEIGHT} ${word}` : word)

/** A query with room for misspellings in its unknown words; null if it has no unknown words.
 * @param {string} query @param {{ terms: Record<string, boolean> }[][]} results  by page */
export function forMisspellings(query, results) {
  const knownWords = new Set()
  for (const { terms } of results.flat())
    for (const [term, isMatch] of Object.entries(terms)) if (isMatch) knownWords.add(term)
  // A word with a weight is there twice; the copy without one is enough.
  const unweighted = query.split(" ").filter((word) => !word.includes("^"))
  const words = unweighted.map((word) => {
    // Numbers and names with digits are not misspelt: another digit is another number.
    const isMisspelt = /^[a-z]+$/.test(word) && !knownWords.has(word) && word.length >= ONE_DIFFERS
    return isMisspelt ? `${word}~${word.length < TWO_DIFFER ? 1 : 2}` : word
  })
  return words.some((word, index) => word !== unweighted[index]) ? words.join(" ") : null
}
