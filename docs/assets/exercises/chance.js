// Chance: random numbers that are the same in every language, from a set's name
// and a seed. The rule is that of macros/teaching/chance.py, to the bit.

const STEP = 0x9e3779b9 // the golden ratio as a fraction of 2³²

/** The FNV-1a hash of a text, 32 bits of its UTF-8. @param {string} text */
const hashed = (text) =>
  new TextEncoder().encode(text).reduce((value, byte) => Math.imul(value ^ byte, 0x01000193), 0x811c9dc5) >>> 0

/** A word whose every bit depends on all bits of another: MurmurHash3's finaliser. @param {number} word */
function mixed(word) {
  const one = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const two = Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return (two ^ (two >>> 16)) >>> 0
}

/** Draws, the same ones for the same text. @param {string} text */
export function chanceFrom(text) {
  let state = hashed(text)

  /** A whole number from 0 to below a small one. @param {number} number */
  function below(number) {
    state = (state + STEP) >>> 0
    return mixed(state) % number
  }

  /** @template T @param {T[]} items */
  const oneOf = (items) => items[below(items.length)]

  /** All of them, in any order. @template T @param {T[]} items */
  function shuffled(items) {
    const found = [...items]
    for (let last = found.length - 1; last > 0; last--) {
      const place = below(last + 1)
      ;[found[place], found[last]] = [found[last], found[place]]
    }
    return found
  }
  return { below, oneOf, shuffled }
}
