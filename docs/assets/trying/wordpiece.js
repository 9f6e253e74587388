// Splits a text into the pieces that BERT reads, as its tokenizers do for uncased models.
// First the text is cleaned and split into words, with every punctuation mark and every
// Chinese character as a word of its own. Then the longest entry of the vocabulary that
// begins a word is split off, and again from the rest. tests/vocabulary/make.py records
// the output of a real tokenizer, and a test compares the pieces with it.

const [UNKNOWN, FIRST, LAST] = ["[UNK]", "[CLS]", "[SEP]"]
const MAX_LENGTH = 100 // characters of a word; a longer one is unknown as a whole
/** The special tokens, which are split off before the text is cleaned. */
const SPECIAL_TOKENS = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/
/** Control characters, and the replacement for a damaged character. */
const DROPPED_CHARACTERS = /[\0\uFFFD]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const SPACES = /\p{White_Space}+/u
/** The combining marks that accents become when letters are decomposed. */
const ACCENTS = /\p{Mn}/gu
/** Any ASCII character that is not a letter, digit or space, such as $ and ^, and Unicode punctuation. */
const PUNCTUATION = /([!-/:-@[-`{-~]|\p{P})/u
/** The Unicode blocks that BERT's tokenizer lists as Chinese, without Japanese kana and Korean. */
const CHINESE =
  /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu

/** @typedef {{ piece: string, id: number }} Piece  an entry of the vocabulary and its index */

/** The words of a text in lower case, without accents, control characters and spaces. @param {string} text */
function wordsOf(text) {
  const spacedText = text.replace(DROPPED_CHARACTERS, "").replace(CHINESE, " $& ")
  const unaccentedText = spacedText.normalize("NFD").replace(ACCENTS, "")
  // One character at a time, so that a Greek sigma at the end of a word does not get its final form.
  const lowerCaseText = Array.from(unaccentedText, (character) => character.toLowerCase()).join("")
  return lowerCaseText.split(SPACES).flatMap((word) => word.split(PUNCTUATION).filter(Boolean))
}

/** The pieces of a word, each the longest entry that continues it. If at any point there is no such entry, the whole
 * word is unknown.
 * @param {string} word
 * @param {Map<string, number>} ids */
function piecesOfWord(word, ids) {
  const characters = [...word]
  if (characters.length > MAX_LENGTH) return [UNKNOWN]
  const pieces = []
  for (let start = 0; start < characters.length; ) {
    const prefix = start ? "##" : ""
    let end = characters.length
    while (end > start && !ids.has(prefix + characters.slice(start, end).join(""))) end--
    if (end === start) return [UNKNOWN]
    pieces.push(prefix + characters.slice(start, end).join(""))
    start = end
  }
  return pieces
}

/** The pieces of a text, with [CLS] before the first and [SEP] after the last.
 * @param {string} text
 * @param {Map<string, number>} ids  the index of each entry of the vocabulary
 * @returns {Piece[]} */
export function piecesOf(text, ids) {
  const pieces = text
    .split(SPECIAL_TOKENS)
    .flatMap((part) => (SPECIAL_TOKENS.test(part) ? [part] : wordsOf(part).flatMap((word) => piecesOfWord(word, ids))))
  return [FIRST, ...pieces, LAST].map((piece) => ({ piece, id: ids.get(piece) ?? -1 }))
}

/** The index of each entry of a vocabulary, which has one entry per line. @param {string} text */
export const idsOf = (text) =>
  new Map(
    text
      .trimEnd()
      .split("\n")
      .map((entry, index) => [entry, index]),
  )
