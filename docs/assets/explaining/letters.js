// Letters: a sum in the letters of sizes, such as 4·L·H or V*H + P*H, as people
// copy it from a formula. The sizes of a model are put in, what stands side by
// side is multiplied, and the result is read like any other text.

import table from "../../data/table.js"
import { IGNORED, read } from "./read.js"

const { limits } = table.explanations

// A number, letters side by side, or any other sign.
const PIECE = /[0-9][0-9.,_]*|\p{L}+|\S/gu
const ENDS_FACTOR = /[\p{L}\p{N})\]}]$/u
const BEGINS_FACTOR = /^[\p{L}0-9([{]/u

/** The letters of sizes in a word, which an x may separate, or "" where it is another word. Small letters are sizes where
 * they stand alone or right after a number: 4lh.
 * @param {string} word @param {Sizes} sizes @param {boolean} isCoefficient  whether a number touches it */
function lettersIn(word, sizes, isCoefficient) {
  const apart = [...word.replaceAll("x", "")]
  const isSmall = apart.length === 1 || isCoefficient
  // Some sizes have small letters themselves: the rank r.
  const letters = apart.map((letter) => (isSmall && !Object.hasOwn(sizes, letter) ? letter.toUpperCase() : letter))
  return letters.every((letter) => Object.hasOwn(sizes, letter)) ? letters.join("") : ""
}

/** A sum with numbers in place of letters; "" where it holds other words. @param {string} sum @param {Sizes} sizes */
function withNumbers(sum, sizes) {
  const pieces = [...sum.matchAll(PIECE)]
  let text = ""
  let before = ""
  for (const [place, { 0: piece, index }] of pieces.entries()) {
    const isWord = /^\p{L}/u.test(piece)
    const isCoefficient = /[0-9]$/.test(before) && pieces[place - 1].index + before.length === index
    const letters = isWord ? lettersIn(piece, sizes, isCoefficient) : ""
    const isTimes = isWord && !letters && /^x$/i.test(piece)
    if (isWord && !letters && !isTimes) {
      if (!IGNORED.has(piece.toLowerCase())) return ""
      continue
    }
    // A square that has lost its sign: H2. No other number stands right after a letter.
    const isPower = /\p{L}$/u.test(before) && /^[0-9]/.test(piece) && pieces[place - 1].index + before.length === index
    if (isPower && piece !== "2") return ""
    // Digits after digits are thousands: 30 522.
    const isJoined = ENDS_FACTOR.test(before) && BEGINS_FACTOR.test(piece) && !isTimes
    const isGrouped = /[0-9]$/.test(before) && /^[0-9]/.test(piece)
    text += isPower ? "^" : isGrouped ? " " : isJoined ? "*" : ""
    text += isTimes ? "*" : letters ? [...letters].map((letter) => sizes[letter]).join("*") : piece
    before = isTimes ? "*" : piece
  }
  return text
}

/** What a text says, in digits or in the letters of sizes; null where it holds no number.
 * @param {string} text @param {Sizes} sizes @returns {NumberRead | null} */
export function readWith(text, sizes) {
  const plain = read(text)
  if (plain || text.length > limits.longest) return plain
  // Of a sum and what it comes to, the first that can be read: 4LH = 36,864.
  for (const each of text.split(/[=＝]/)) {
    const sum = each.replace(/\p{L}/gu, (letter) => letter.normalize("NFKC"))
    // A small letter by itself is a word.
    const isSum = /\p{Lu}/u.test(sum) || /\p{L}.*[^\p{L}\s]|[^\p{L}\s].*\p{L}/u.test(sum)
    const found = isSum && read(withNumbers(sum, sizes))
    if (found) return { ...found, typedSum: each.trim(), inLetters: true, bare: false }
  }
  return null
}
