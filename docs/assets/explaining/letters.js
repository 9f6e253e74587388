// Reads sums in the letters of sizes, such as 4·L·H or V*H + P*H, as people copy them from
// a formula. A model's sizes replace the letters, adjacent factors are multiplied, and the
// result is read like any other text. A word with a letter that is not that of a size is not
// a product of sizes, which keeps sentences from being taken for formulas.

import table from "../../data/table.js"
import { hasSeveralStatements, IGNORED, read } from "./read.js"

const { limits } = table.explanations

// A number, a run of letters, or any other sign.
const PIECE = /[0-9][0-9.,_]*|\p{L}+|\S/gu
// The end of a factor, and the beginning of one.
const ENDS_FACTOR = /[\p{L}\p{N})\]}]$/u
const BEGINS_FACTOR = /^[\p{L}0-9([{]/u

/** The letters of sizes that a word consists of; "" if it contains any other letter. An x may separate them. Lower-case
 * letters count as sizes if a single letter is the whole word or a number is directly before it, as in 4lh.
 * @param {string} word @param {Sizes} sizes
 * @param {boolean} hasCoefficient  whether a number is directly before it */
function lettersIn(word, sizes, hasCoefficient) {
  const characters = [...word.replaceAll("x", "")]
  const isLowerCaseAllowed = characters.length === 1 || hasCoefficient
  // The letters of some sizes are lower-case, such as r for the rank.
  const letters = characters.map((letter) =>
    isLowerCaseAllowed && !Object.hasOwn(sizes, letter) ? letter.toUpperCase() : letter,
  )
  return letters.every((letter) => Object.hasOwn(sizes, letter)) ? letters.join("") : ""
}

/** A sum with numbers in place of its letters; "" if it contains a word that cannot be ignored, or a number other than
 * 2 directly after a letter.
 * @param {string} sum @param {Sizes} sizes */
function withNumbers(sum, sizes) {
  const pieces = [...sum.matchAll(PIECE)]
  let text = ""
  // The last piece that was not ignored, and the index of its end.
  let [previous, previousEnd] = ["", 0]
  for (const [pieceIndex, { 0: piece, index }] of pieces.entries()) {
    const isWord = /^\p{L}/u.test(piece)
    const isTouching = previousEnd === index
    const hasCoefficient = isTouching && /[0-9]$/.test(previous)
    const letters = isWord ? lettersIn(piece, sizes, hasCoefficient) : ""
    const isTimes = isWord && !letters && /^x$/i.test(piece)
    if (isWord && !letters && !isTimes) {
      const isBetweenNumbers = /[0-9]$/.test(previous) && /^[0-9]/.test(pieces[pieceIndex + 1]?.[0] ?? "")
      if (!IGNORED.has(piece.toLowerCase()) || isBetweenNumbers) return ""
      continue
    }
    // H2 is a square whose superscript was lost in copying. No other number may directly follow a letter.
    const isPower = isTouching && /\p{L}$/u.test(previous) && /^[0-9]/.test(piece)
    if (isPower && piece !== "2") return ""
    // Consecutive numbers are groups of thousands: 30 522.
    const isJoined = ENDS_FACTOR.test(previous) && BEGINS_FACTOR.test(piece) && !isTimes
    const isGrouped = /[0-9]$/.test(previous) && /^[0-9]/.test(piece)
    if (isPower) text += "^"
    else if (isGrouped) text += " "
    else if (isJoined) text += "*"
    const inNumbers = letters ? Array.from(letters, (letter) => sizes[letter]).join("*") : piece
    text += isTimes ? "*" : inNumbers
    ;[previous, previousEnd] = [isTimes ? "*" : piece, index + piece.length]
  }
  return text
}

/** The number in a text, in digits or in the letters of sizes; null if the text cannot be read as a number.
 * @param {string} text @param {Sizes} sizes @returns {NumberRead | null} */
export function readWithSizes(text, sizes) {
  const plainNumber = read(text)
  if (plainNumber || text.length > limits.max_characters || hasSeveralStatements(text)) return plainNumber
  // In an equation such as 4LH = 36,864, the first side that can be read is taken. A letter alone is only the name of
  // what the other side works out.
  const [first, ...others] = text.split(/[=＝]/)
  const sides = others.length && /^\s*\p{L}\s*$/u.test(first) ? others : [first, ...others]
  for (const side of sides) {
    const sum = side
      .replace(/\p{L}/gu, (letter) => letter.normalize("NFKC"))
      .replace(/(?<=\p{L}{2})-(?=\p{L}{2})/gu, " ") // a hyphen, as in non-trainable
    // A single lower-case letter is a word.
    const isSum = /\p{Lu}/u.test(sum) || /\p{L}.*[^\p{L}\s]|[^\p{L}\s].*\p{L}/u.test(sum)
    const number = isSum && read(withNumbers(sum, sizes))
    if (number) return { ...number, typedSum: side.trim(), inLetters: true, bare: false }
  }
  return null
}
