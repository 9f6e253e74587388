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

/** Whether one of two headings is that of the numbers of tensors, which pandas calls "count" beside a "sum".
 * @param {string} heading @param {number} _ @param {string[]} headings */
const isOfTensors = (heading, _, headings) =>
  headings.length === 2 && (TENSORS.test(heading) || (heading === "count" && headings.includes("sum")))

const MIN_ROWS = 3
const MAX_LINES = 200 // the maximum number of lines of a text with such a table

/** The text without the numbers of tensors, if at least `MIN_ROWS` rows have one; any other text unchanged.
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
    .find((words) => words.filter(isOfTensors).length === 1)
  if (!headings || lines.filter((line) => ROW.test(line)).length < MIN_ROWS) return text
  const isFirst = isOfTensors(headings[0], 0, headings)
  return lines
    .map((line) => line.replace(ROW, (_, name, first, space, second) => `${name}${space}${isFirst ? second : first}`))
    .join("\n")
}
