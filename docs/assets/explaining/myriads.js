// Myriads: numbers in Chinese and Japanese figures, 三亿四千万, also mixed with digits, 1亿1千万.

const DIGITS = new Map([..."〇一二三四五六七八九"].map((figure, value) => [figure, value]))
DIGITS.set("零", 0).set("两", 2).set("兩", 2)
const SMALL = new Map(Object.entries({ 十: 10, 百: 100, 千: 1000 }))
const LARGE = new Map(Object.entries({ 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 }))

/**
 * The number of a text, and the unit of its last figure, which is as far as it is certain.
 * @param {string} text
 * @returns {{ value: number, unit: number } | null}
 */
export function myriads(text) {
  const figures = text.match(/[0-9]+|[^0-9]/g) ?? []
  let [whole, section, digit, unit] = [0, 0, NaN, 1]
  let largest = Infinity
  for (const figure of figures) {
    const small = SMALL.get(figure)
    const large = LARGE.get(figure)
    if (small) {
      section += (Number.isNaN(digit) ? 1 : digit) * small
      ;[digit, unit] = [NaN, small]
    } else if (large) {
      if (large >= largest) return null
      const times = section + (Number.isNaN(digit) ? 0 : digit)
      if (!times) return null
      // Of 四千万 the last figure that is certain is the thousands of myriads.
      unit = (Number.isNaN(digit) ? unit : 1) * large
      whole += times * large
      ;[section, digit, largest] = [0, NaN, large]
    } else {
      const value = /[0-9]/.test(figure) ? Number(figure) : DIGITS.get(figure)
      if (value === undefined || !(Number.isNaN(digit) || digit === 0)) return null
      ;[digit, unit] = [value, 1]
    }
  }
  const value = whole + section + (Number.isNaN(digit) ? 0 : digit)
  return largest < Infinity && value <= Number.MAX_SAFE_INTEGER ? { value, unit } : null
}
