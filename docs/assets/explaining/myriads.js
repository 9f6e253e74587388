// Reads numbers in Chinese and Japanese numerals, such as 三亿四千万, including those mixed
// with digits, such as 1亿1千万.
//
// The numerals are grouped by myriads. 千 (thousand), 百 (hundred) and 十 (ten) multiply the
// digit before them; 万 (10⁴) and 亿 (10⁸) multiply the whole section since the last 万 or 亿.
// So the numerals are read from left to right, with a running sum for the current section.

const DIGITS = new Map([..."〇一二三四五六七八九"].map((figure, value) => [figure, value]))
DIGITS.set("零", 0).set("两", 2).set("兩", 2)
// The numerals that multiply the digit before them, and those that multiply the whole section before them.
const DIGIT_FACTORS = new Map(Object.entries({ 十: 10, 百: 100, 千: 1000 }))
const SECTION_FACTORS = new Map(Object.entries({ 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 }))

const FIGURES = [...DIGITS.keys(), ...DIGIT_FACTORS.keys(), ...SECTION_FACTORS.keys()].join("")
// In 1.1千万 the numerals are a unit, so digits after a decimal mark are not read together with them.
const RUN = new RegExp(`(?<![0-9.,]\\s*)(?:[0-9]*[${FIGURES}])+[0-9]*`, "g")

/** The text with Chinese and Japanese numbers that contain 万 or 亿 written in digits: 11e7 for 1亿1千万.
 * @param {string} text */
export const withoutMyriads = (text) => text.replace(RUN, (run) => inDigits(run) ?? run)

/** The value of a run of numerals, written in digits; null if the run is not a number that contains 万 or 亿.
 * @param {string} text @returns {string | null} */
function inDigits(text) {
  const figures = text.match(/[0-9]+|[^0-9]/g) ?? []
  // The sum of the finished sections, the sum of the current section, a digit or number that has not been multiplied
  // yet, and the place value of the last numeral.
  let [finishedSum, section, pending, unit] = [0, 0, NaN, 1]
  let lastLargeFactor = Infinity
  for (const figure of figures) {
    const smallFactor = DIGIT_FACTORS.get(figure)
    const largeFactor = SECTION_FACTORS.get(figure)
    if (smallFactor) {
      section += (Number.isNaN(pending) ? 1 : pending) * smallFactor
      ;[pending, unit] = [NaN, smallFactor]
    } else if (largeFactor) {
      if (largeFactor >= lastLargeFactor) return null
      const times = section + (Number.isNaN(pending) ? 0 : pending)
      if (!times) return null
      // In 四千万 the last significant figure counts thousands of myriads.
      unit = (Number.isNaN(pending) ? unit : 1) * largeFactor
      finishedSum += times * largeFactor
      ;[section, pending, lastLargeFactor] = [0, NaN, largeFactor]
    } else {
      const value = /[0-9]/.test(figure) ? Number(figure) : DIGITS.get(figure)
      if (value === undefined || !(Number.isNaN(pending) || pending === 0)) return null
      ;[pending, unit] = [value, 1]
    }
  }
  const value = finishedSum + section + (Number.isNaN(pending) ? 0 : pending)
  if (lastLargeFactor === Infinity || value > Number.MAX_SAFE_INTEGER) return null
  return unit === 1 ? String(value) : `${value / unit}e${Math.log10(unit)}`
}
