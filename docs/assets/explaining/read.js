"use strict"
// Reading: what a text says that a reader typed, and which numbers it may stand
// for. The rules are those of macros/counting/disagreements/printed.py, and a
// test compares the two.
{
  const { units, explanations: { limits } } = bertCounted.table

  /** @type {Map<string, string>} */
  const WIDE = new Map([..."０１２３４５６７８９"].map((digit, place) => [digit, String(place)]))
  for (const [wide, plain] of ["，,", "．.", "。."]) WIDE.set(wide, plain)
  const FORM = /^(?:[~≈]|about|circa|ca\.?)?([0-9][0-9.,]*)([^0-9.,]*)$/

  /**
   * Digits, decimals and unit of a text, or null where it holds no number.
   * @param {string} text
   */
  function read(text) {
    const letters = [...text]
    if (letters.length > limits.longest) return null
    const plain = letters.map((each) => WIDE.get(each) ?? each).join("")
      .replace(/[^\S\ufeff]|[\x1c-\x1f\x85_'’]/g, "").toLowerCase()
      .replace(/(?:parameters|params|numbers|参数|个)+$/, "")
    const [, digits, unit] = FORM.exec(plain) ?? []
    if (!digits) return null
    const known = Object.hasOwn(units.counts, unit) || Object.hasOwn(units.bytes, unit)
    const [whole, fraction] = parted(digits, Boolean(unit))
    if (!whole || (fraction && !unit) || (unit && !known)) return null
    const ofMemory = Object.hasOwn(units.bytes, unit)
    const size = unit ? (ofMemory ? units.bytes : units.counts)[unit] : 1
    const exact = !unit || (ofMemory && size === 1)
    return { digits: BigInt(whole + fraction), decimals: fraction.length, unit, size, ofMemory, exact }
  }

  /**
   * Digits before and after the decimal mark; other marks separate thousands.
   * @param {string} digits
   * @param {boolean} hasUnit
   */
  function parted(digits, hasUnit) {
    const marks = digits.match(/[.,]/g) ?? []
    const last = marks.at(-1)
    if (!last) return [digits, ""]
    const cut = digits.lastIndexOf(last)
    const after = digits.slice(cut + 1)
    const once = marks.filter((each) => each === last).length === 1
    // The last mark is decimal if it stands once, and not before three digits that end a whole number.
    if (once && (after.length !== 3 || (hasUnit && last === "."))) {
      return [digits.slice(0, cut).replace(/[.,]/g, ""), after]
    }
    return [digits.replace(/[.,]/g, ""), ""]
  }

  // Beyond what a model can hold one number is like another, and here they stay exact.
  const MOST = BigInt(Number.MAX_SAFE_INTEGER)
  /** @param {bigint} big */
  const plainNumber = (big) => Number(big > MOST ? MOST : big < -MOST ? -MOST : big)

  /** @param {bigint} number @param {bigint} below */
  function ceilDivided(number, below) {
    const quotient = number / below
    return number % below > 0n ? quotient + 1n : quotient
  }

  /**
   * The least and the greatest whole number that it stands for.
   * @param {NumberRead} asked
   * @returns {[low: number, high: number]}
   */
  function bounds(asked, unit = asked.size) {
    if (asked.exact) return [plainNumber(asked.digits), plainNumber(asked.digits)]
    const round = !asked.decimals && asked.digits && asked.digits % 10n === 0n
    const last = round ? 10n : 1n
    const below = 2n * 10n ** BigInt(asked.decimals)
    const [low, high] = [-last, last].map((side) => ceilDivided((2n * asked.digits + side) * BigInt(unit), below))
    return [plainNumber(low), plainNumber(high - 1n)]
  }

  bertCounted.read = read
  bertCounted.bounds = bounds
}
