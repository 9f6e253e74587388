// Removes the numbers of tensors from a table of parts. Beside the numbers of parameters, they look like
// further terms of a sum:
//
//            count       sum
//   pooler       2    590592

/** The heading of numbers of tensors. */
const TENSORS = /^(?:(?:n|num|#)?_?tensors)$/i
/** The number of tensors in a row without a heading, before that of the parameters, as in "pooler: 2 tensors, 590,592".
 * In "(768, 768): 49 tensors", it is the only number. */
const TENSORS_IN_ROW = /(?<![\w.,])[0-9]{1,4} tensors?\b,?[ \t]*(?=[0-9])/gi
/** A row: the name of a part and two whole numbers. */
const ROW = /^(\s*[A-Za-z_(].{0,80}?[:\s]\s{0,80})(?<![\w.,])([0-9][0-9,]*)(\s+)([0-9][0-9,]*)\s*$/

const COLUMNS = 2 // of numbers
const MIN_ROWS = 3
const MAX_LINES = 200 // the maximum number of lines of a text with such a table

/** The index of the heading of numbers of tensors, which pandas calls "count" beside a "sum"; -1 if there is none, or
 * if a line has too few words to be the headings of two columns.
 * @param {string[]} headings */
const indexOfTensors = (headings) =>
  headings.length === COLUMNS
    ? headings.findIndex((heading) => TENSORS.test(heading) || (heading === "count" && headings.includes("sum")))
    : -1

/** The text without the numbers of tensors in at least three rows; any other text unchanged.
 * @param {string} text */
export function withoutTensorCounts(text) {
  const lines = text.split("\n")
  if (lines.length > MAX_LINES) return text
  if (lines.filter((line) => line.search(TENSORS_IN_ROW) >= 0).length >= MIN_ROWS)
    return text.replace(TENSORS_IN_ROW, "")
  const firstRow = lines.findIndex((line) => ROW.test(line))
  const column = lines
    .slice(0, Math.max(0, firstRow))
    .map((line) => indexOfTensors(line.trim().split(/\s+/).slice(-COLUMNS)))
    .find((index) => index >= 0)
  if (column === undefined || lines.filter((line) => ROW.test(line)).length < MIN_ROWS) return text
  return lines
    .map((line) =>
      line.replace(ROW, (_, name, first, space, second) => `${name}${space}${column === 0 ? second : first}`),
    )
    .join("\n")
}
