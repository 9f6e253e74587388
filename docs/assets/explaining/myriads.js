// Reads numbers in Chinese and Japanese figures, such as 三亿四千万, also mixed with
// digits, such as 1亿1千万.
//
// These count in myriads: 千 (thousand), 百 and 十 multiply the digit before them, and 万
// (10⁴) or 亿 (10⁸) multiplies everything before it since the last such figure. So the
// figures are read from left to right, with a sum for the section since then.

const DIGITS = new Map([..."〇一二三四五六七八九"].map((figure, value) => [figure, value]))
DIGITS.set("零", 0).set("两", 2).set("兩", 2)
// The figures that multiply a digit, and those that multiply all digits of their section.
const SMALL = new Map(Object.entries({ 十: 10, 百: 100, 千: 1000 }))
const LARGE = new Map(Object.entries({ 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 }))

const FIGURES = [...DIGITS.keys(), ...SMALL.keys(), ...LARGE.keys()].join("")
// In 1.1千万 the figures are a unit, so digits after a decimal mark are not read with them.
const RUN = new RegExp(`(?<![0-9.,]\\s*)(?:[0-9]*[${FIGURES}])+[0-9]*`, "g")

/** A text with such numbers in digits, to the last figure that is certain: 11e7 for 1亿1千万.
 * @param {string} text */
export const withoutMyriads = (text) => text.replace(RUN, (run) => myriads(run) ?? run)

/** A run of figures in digits; null if it is not a number. @param {string} text @returns {string | null} */
function myriads(text) {
  const figures = text.match(/[0-9]+|[^0-9]/g) ?? []
  // The sum of finished sections, that of the current one, a digit that nothing has multiplied yet, and the value of the
  // last figure.
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
      // In 四千万 the last certain figure stands for thousands of myriads.
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
  if (largest === Infinity || value > Number.MAX_SAFE_INTEGER) return null
  return unit === 1 ? String(value) : `${value / unit}e${Math.log10(unit)}`
}
