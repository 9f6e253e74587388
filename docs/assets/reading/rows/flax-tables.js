// Rewrites the table of flax.linen's tabulate(), in which a module takes several lines, with one line for each module:
//
//     │ encoder/ln │ LayerNorm │ float32[1,128,256] │ bias: float32[256]     │
//     │            │           │                    │ 512 (2.0 KB)           │
//
// becomes
//
//     encoder.ln (LayerNorm): 512

/** The heading of the table. */
const HEADING = /^[┃|]\s*path\s*[┃|].*[┃|]\s*params\s*[┃|]\s*$/m
/** A rule between two modules. */
const RULE = /^[├└┡╞+]/
/** The count in the last cell of a module, before its size in memory. */
const COUNT = /([0-9][0-9,]*) \([0-9.]+ [KMGT]?B\)$/
/** The dots in place of the end of a name that is cut off. */
const CUT_OFF = /…|\.{3}/g

/** The text with each module of Flax's table on one line, and without its modules that have no count; any other text
 * unchanged. @param {string} text */
export function withModulesOfFlax(text) {
  if (!HEADING.test(text)) return text
  let module = ""
  return text
    .split("\n")
    .map((line) => {
      if (RULE.test(line)) module = ""
      if (!line.startsWith("│")) return RULE.test(line) ? "" : line
      const cells = line.split("│").map((cell) => cell.trim())
      if (cells[1]) module = `${cells[1].replaceAll("/", ".")} (${cells[2]})`.replace(CUT_OFF, "")
      const [, count] = COUNT.exec(cells.at(-2) ?? "") ?? []
      return module && count ? `${module}: ${count}` : ""
    })
    .join("\n")
}
