// Recognises typing errors: one digit that is wrong, missing, doubled or too many, or two digits that are swapped. This
// module loads no known numbers, so a page can use it before they are loaded.

/** The typing error that turns the right digits into the typed ones, in words; "" if no single error does.
 * @param {string} typedDigits @param {string} rightDigits
 * @param {number} [maxRunLength]  the length of the longest run of digits whose first and last may be swapped */
export function slipOf(typedDigits, rightDigits, maxRunLength = rightDigits.length) {
  if (typedDigits === rightDigits || Math.abs(typedDigits.length - rightDigits.length) > 1) return ""
  let start = 0
  while (typedDigits[start] === rightDigits[start]) start++
  let end = 0
  while (
    end < Math.min(typedDigits.length, rightDigits.length) - start &&
    typedDigits.at(-1 - end) === rightDigits.at(-1 - end)
  )
    end++
  // The digits of each number between the common beginning and the common end.
  const [typedRest, rightRest] = [typedDigits, rightDigits].map((text) => text.slice(start, text.length - end))
  if (typedRest.length + rightRest.length === 1) {
    if (!typedRest) return "with a digit missing"
    const isDoubled = [typedDigits[start - 1], typedDigits[start + 1]].includes(typedRest)
    return isDoubled ? "with a digit doubled" : "with a digit too many"
  }
  if (typedRest.length !== rightRest.length) return ""
  if (typedRest.length === 1) return "with one digit wrong"
  const swappedRest = rightRest.at(-1) + rightRest.slice(1, -1) + rightRest[0]
  const isSwapped = typedRest.length <= maxRunLength && typedRest === swappedRest
  return isSwapped ? "with two digits swapped" : ""
}
