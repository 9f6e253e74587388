// Draws pseudo-random numbers that depend only on a string, such as `layer:7`. The results equal
// those of macros/teaching/chance.py.
//
// The state of the generator is at first a hash of the string. Each draw adds a constant to the
// state and mixes its bits. All arithmetic is on 32-bit words, hence Math.imul, and >>> 0, which
// makes a word unsigned.

const STEP = 0x9e3779b9 // 2³² divided by the golden ratio, rounded down; its multiples are spread evenly
const [FNV_PRIME, FNV_OFFSET] = [0x01000193, 0x811c9dc5] // the constants of FNV-1a
const [MIX_ONE, MIX_TWO] = [0x85ebca6b, 0xc2b2ae35] // the constants of MurmurHash3's finaliser

/** The 32-bit FNV-1a hash of a string, taken over its UTF-8 bytes. @param {string} text */
const fnv1a = (text) =>
  new TextEncoder().encode(text).reduce((value, byte) => Math.imul(value ^ byte, FNV_PRIME), FNV_OFFSET) >>> 0

/** The word with its bits mixed by the finaliser of MurmurHash3. @param {number} word */
function mix(word) {
  const mixedOnce = Math.imul(word ^ (word >>> 16), MIX_ONE)
  const mixedTwice = Math.imul(mixedOnce ^ (mixedOnce >>> 13), MIX_TWO)
  return (mixedTwice ^ (mixedTwice >>> 16)) >>> 0
}

/** A source of random draws; the same string always gives the same draws. @param {string} text */
export function randomFrom(text) {
  let state = fnv1a(text)

  /** A whole number from 0 to `limit` − 1. @param {number} limit */
  function below(limit) {
    state = (state + STEP) >>> 0
    return mix(state) % limit
  }

  /** One of the items. @template T @param {T[]} items */
  const oneOf = (items) => items[below(items.length)]

  /** All items in random order, by the Fisher–Yates shuffle. @template T @param {T[]} items */
  function shuffled(items) {
    const shuffledItems = [...items]
    for (let last = shuffledItems.length - 1; last > 0; last--) {
      const index = below(last + 1)
      ;[shuffledItems[index], shuffledItems[last]] = [shuffledItems[last], shuffledItems[index]]
    }
    return shuffledItems
  }
  return { below, oneOf, shuffled }
}
