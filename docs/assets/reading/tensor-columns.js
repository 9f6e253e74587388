// Removes the numbers of tensors from a table of parts. Beside the numbers of parameters, they look like
// further terms of a sum:
//
//            count       sum
//   pooler       2    590592

/** The word for a number of tensors in a heading; pandas calls it "count" beside a "sum". */
const TENSORS = /^(?:(?:n|num|number of|no\.? of|#)?[ _]?tensors|count)$/i
/** The number of tensors in a row without a heading, as in "pooler: 2 tensors, 590,592 parameters". */
const TENSORS_IN_ROW = /(?<![\w.,])[0-9]{1,4} tensors?\b,?\s*/gi
/** A row: the name of a part and two whole numbers. */
const ROW = /^(\s*[A-Za-z_(].{0,80}?[:\s]\s{0,80})(?<![\w.,])([0-9][0-9,]*)(\s+)([0-9][0-9,]*)\s*$/

const MIN_ROWS = 3
const MAX_LINES = 200 // the maximum number of lines of a text with such a table

/** The text without the numbers of tensors in at least three rows; any other text unchanged.
 * @param {string} text */
export function withoutTensorCounts(text) {
  const lines = text.split("\n")
  if (lines.length > MAX_LINES) return text
  if (lines.filter((line) => line.search(TENSORS_IN_ROW) >= 0).length >= MIN_ROWS)
    return text.replace(TENSORS_IN_ROW, "")
  const headings = lines
    .slice(
      0,
      lines.findIndex((line) => ROW.test(line)),
    )
    .map((line) => line.trim().split(/\s+/).slice(-2))
    .find((words) => words.length === 2 && words.filter((word) => TENSORS.test(word)).length === 1)
  if (!headings || lines.filter((line) => ROW.test(line)).length < MIN_ROWS) return text
  const isFirst = TENSORS.test(headings[0])
  return lines
    .map((line) => line.replace(ROW, (_, name, first, space, second) => `${name}${space}${isFirst ? second : first}`))
    .join("\n")
}
