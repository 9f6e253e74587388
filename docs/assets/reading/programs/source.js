// Splits code into statements: assignments, loops, functions, and whatever else a person writes to
// count parameters. Python is the usual language. Similar statements in JavaScript, C and R are
// read, too: "const H = 768;", "int H = 768;" and "H <- 768".
//
// A line that is not a statement is kept as text, because people write notes around code and paste
// what it prints.

/** A statement of a program. `name` is the name that it assigns or defines, or to which it adds; for a loop, its
 * variable; and for an unpacking, all names, separated by commas. `value` is the expression of a statement; for a loop,
 * the arguments of range(); and for a block that runs only under a condition, the condition.
 * `parameters` are those of a function, each with its default or "". `body` has the statements of a block. `comment` is
 * the comment after the statement, and `source` is the text of the statement, or "" for code without effect, such as an
 * import.
 * @typedef {{
 *   kind: "assignment" | "addition" | "function" | "loop" | "iteration" | "unpacking" | "if" | "else" | "return" |
 *     "print" | "expression" | "other",
 *   name: string, value: string, parameters: [name: string, value: string][], body: CodeStatement[], comment: string,
 *   source: string,
 * }} CodeStatement */

/** A line of a program: the number of spaces before it (`depth`), its code, and its comment. `source` is the line as a
 * whole. Lines that a statement spans are joined.
 * @typedef {{ depth: number, code: string, comment: string, source: string }} CodeLine */

/** A prompt of Python or of a notebook, which is not part of the line. */
const PROMPT = /^\s*(?:>>> ?|\.\.\. ?|In \[[0-9 ]*\]: ?)/
/** The comment at the end of a line. Two slashes begin one only in JavaScript and C, because they divide in Python. */
const COMMENT = /\s*#\s*(.*)$/
const COMMENT_AFTER_SLASHES = /\s*\/\/\s*(.*)$/
const LINE_WITH_SLASHES = /;\s*\/\//
/** A string in quotation marks. */
const STRING = /"[^"]*"|'[^']*'/g
/** A string in triple quotation marks on lines of its own, such as a docstring. */
const LONG_STRING = /^[ \t]*(?:"""[\s\S]*?"""|'''[\s\S]*?''')[ \t]*$/gm
/** Lines that compute nothing, or that only divide a total to print it in millions. */
const WITHOUT_EFFECT = /^(?:import |from \S+ import |pass$|"[^"]*"$|'[^']*'$|```|\w+\s*\/=\s*1(?:e6|_?000_?000)$)/
/** The keyword or type with which a declaration begins in JavaScript or C. */
const DECLARATION = /^\s*(?:let|const|var|int|long|double|float|auto) (?=\w+\s*=)/

const NAME = String.raw`[A-Za-z_]\w*`
// The statements that are read, each with groups for its pieces.
const FUNCTION = new RegExp(
  String.raw`^def\s+(?<name>${NAME})\s*\((?<parameters>.*?)\)\s*(?:->[^:]+)?:\s*(?<value>.*)$`,
)
const LAMBDA = new RegExp(String.raw`^(?<name>${NAME})\s*=\s*lambda\s+(?<parameters>[^:]*):\s*(?<value>.+)$`)
const ARROW = new RegExp(String.raw`^(?<name>${NAME})\s*=\s*\(?(?<parameters>[\w\s,=]*)\)?\s*=>\s*(?<value>[^{].*)$`)
const CONDITION = /^(?<name>if|else)\b\s*(?<condition>[^:]*):\s*(?<value>.*)$/
/** A loop over any expression. It also matches loops over range(), so `LOOP` is tried first. */
const ITERATION = /^for\s+[\w\s,()]+\s+in\s+(?<value>.+?):\s*(?<rest>.*)$/
const LOOP = new RegExp(String.raw`^for\s+(?<name>${NAME})\s+in\s+range\((?<times>.+)\)\s*:\s*(?<value>.*)$`)
const ADDITION = new RegExp(String.raw`^(?<name>${NAME})\s*\+=\s*(?<value>.+)$`)
const ASSIGNMENT = new RegExp(String.raw`^(?<name>${NAME})\s*(?::\s*\w+\s*)?(?:=|<-|:=)\s*(?<value>[^=>\s].*)$`)
const PRINT = /^(?:printf?|console\.log|cat)\s*\((?<value>.*)\)$/
const RETURN = /^return\s+(?<value>.+)$/
/** Several names that are assigned at once: V, H = 30522, 768. */
const ASSIGNMENTS = new RegExp(String.raw`^\(?(?<names>${NAME}(?:\s*,\s*${NAME})+)\)?\s*=\s*(?<values>[^=].*)$`)
/** An expression of numbers, names and signs, with at least one plus sign, asterisk or round bracket. */
const EXPRESSION = /^[\w\s.,()[\]{}*+/^-]*[*+()][\w\s.,()[\]{}*+/^-]*$/
/** Statements that are not read, such as definitions of classes. */
const UNREADABLE =
  /^(?:elif|while|try|except|with|class|function|async|del|raise|assert|global|for)\b(?!\s*=)|^\w+\s*[*/-]=/

/** The kinds of statements that have a body. @type {Set<CodeStatement["kind"]>} */
const BLOCKS = new Set(["function", "loop", "iteration", "if", "else"])

/** Thrown for code that is not read. */
export class UnreadableCode extends Error {}

/** The non-empty pieces of a text between commas that are outside of brackets and quotation marks.
 * @param {string} text */
export function piecesOf(text) {
  const pieces = [""]
  let depth = 0
  for (const part of text.match(/"[^"]*"|'[^']*'|[\s\S]/g) ?? []) {
    if (/^[([{]$/.test(part)) depth++
    if (/^[)\]}]$/.test(part)) depth--
    if (part === "," && depth === 0) pieces.push("")
    else pieces[pieces.length - 1] += part
  }
  return pieces.map((piece) => piece.trim()).filter(Boolean)
}

/** The lines of a program that are not empty. A line ends only where all brackets are closed.
 * @param {string} text */
function codeLinesOf(text) {
  /** @type {CodeLine[]} */
  const lines = []
  let openBrackets = 0
  let isContinued = false
  for (const source of text.replace(LONG_STRING, "").split("\n")) {
    const line = source.replace(PROMPT, "").replace(/\t/g, "    ")
    const { code, comment } = codeAndComment(line)
    const lineBefore = lines[lines.length - 1]
    if (isContinued) {
      lineBefore.code += ` ${code}`
      lineBefore.source += `\n${line}`
    } else if (line.trim()) lines.push({ depth: line.search(/\S/), code, comment, source: line.trim() })
    else continue
    openBrackets = Math.max(0, openBrackets + bracketsOpenedIn(code))
    isContinued = openBrackets > 0
  }
  return lines
}

/** The code and the comment of a line. The comment begins with a hash sign in any language; it is "" if there is none.
 * @param {string} line */
function codeAndComment(line) {
  const isDeclaration = DECLARATION.test(line)
  const pattern = isDeclaration || LINE_WITH_SLASHES.test(line) ? COMMENT_AFTER_SLASHES : COMMENT
  const match = pattern.exec(line.replace(STRING, (string) => "_".repeat(string.length)))
  const code = line
    .slice(0, match?.index)
    .replace(DECLARATION, "")
    .replace(/(?<=[0-9])L(?!\w)/g, "") // the suffix of an integer in R, or of a long one in C: 12L
    .replace(/[;\\]?\s*$/, "")
    .trim()
  return { code, comment: match ? `# ${match[1]}` : "" }
}

/** The number of brackets that code opens, less those that it closes. @param {string} code */
function bracketsOpenedIn(code) {
  const plain = code.replace(STRING, "")
  return (plain.match(/[([{]/g) ?? []).length - (plain.match(/[)\]}]/g) ?? []).length
}

/** The statements of a program.
 * @param {string} text @returns {CodeStatement[]} @throws {UnreadableCode} if one of them is not read */
export const codeStatementsIn = (text) => statementsOf(codeLinesOf(text))

/** Whether a text declares a name as JavaScript and C do. @param {string} text */
export const hasDeclaration = (text) => text.split("\n").some((line) => DECLARATION.test(line))

/** The statements of lines that are all at least as deep as the first. @param {CodeLine[]} lines */
function statementsOf(lines) {
  /** @type {CodeStatement[]} */
  const statements = []
  for (let index = 0; index < lines.length; ) {
    const { depth } = lines[index]
    const statementsOnLine = ownStatements(lines[index])
    const [{ kind, body }] = statementsOnLine
    statements.push(...statementsOnLine)
    index++
    if (!BLOCKS.has(kind)) continue
    const start = index
    while (index < lines.length && lines[index].depth > depth) index++
    body.push(...statementsOf(lines.slice(start, index)))
  }
  return statements
}

/** The statements on one line, without the block that follows it.
 * @param {CodeLine} line @returns {[CodeStatement, ...CodeStatement[]]} @throws {UnreadableCode} if one is not read */
function ownStatements({ code, comment, source }) {
  const blank = { name: "", value: "", parameters: [], body: [], comment, source }
  const hasNoEffect = !code || WITHOUT_EFFECT.test(code)
  if (!hasNoEffect && UNREADABLE.test(code) && !ITERATION.test(code)) throw new UnreadableCode(code)
  if (hasNoEffect) return [{ ...blank, kind: "other", source: code ? "" : source }]
  const [first, ...others] = isListOfAssignments(code) ? piecesOf(code) : code.split(/;\s*/)
  if (others.length)
    return [
      ...ownStatements({ depth: 0, code: first, comment: "", source: first }),
      ...others.flatMap((other) => ownStatements({ depth: 0, code: other, comment, source: other })),
    ]
  const definition = FUNCTION.exec(code) ?? LAMBDA.exec(code) ?? ARROW.exec(code)
  if (definition?.groups) {
    const { name, parameters, value } = definition.groups
    const body = FUNCTION.test(code)
      ? statementsAfterColon(value)
      : [{ ...blank, kind: /** @type {const} */ ("return"), value }]
    return [{ ...blank, kind: "function", name, parameters: piecesOf(parameters).map(parameterOf), body }]
  }
  const { name = "", times = "", value = "" } = LOOP.exec(code)?.groups ?? {}
  if (times) return [{ ...blank, kind: "loop", name, value: times, body: statementsAfterColon(value) }]
  const iteration = ITERATION.exec(code)?.groups
  if (iteration)
    return [{ ...blank, kind: "iteration", value: iteration.value, body: statementsAfterColon(iteration.rest) }]
  const block = CONDITION.exec(code)?.groups
  if (block) {
    const kind = block.name === "if" ? "if" : "else"
    return [{ ...blank, kind, value: block.condition, body: statementsAfterColon(block.value) }]
  }
  const { names = "", values = "" } = ASSIGNMENTS.exec(code)?.groups ?? {}
  if (names) return assignmentsOf(piecesOf(names), values, blank)
  for (const [kind, pattern] of /** @type {const} */ ([
    ["addition", ADDITION],
    ["assignment", ASSIGNMENT],
    ["print", PRINT],
    ["return", RETURN],
  ])) {
    const { groups } = pattern.exec(code) ?? {}
    if (groups) return [{ ...blank, kind, name: groups.name ?? "", value: groups.value }]
  }
  return [{ ...blank, kind: EXPRESSION.test(code) ? "expression" : "other", value: code }]
}

/** The statements that give several names their values: one for each name, or a single one that unpacks a
 * value, such as what a call returns.
 * @param {string[]} names @param {string} values @param {Omit<CodeStatement, "kind">} blank
 * @returns {[CodeStatement, ...CodeStatement[]]} */
function assignmentsOf(names, values, blank) {
  const valueList = piecesOf(values.replace(/^\(([^()]*)\)$/, "$1"))
  if (valueList.length !== names.length) return [{ ...blank, kind: "unpacking", name: names.join(), value: values }]
  const [first, ...others] = names.map((name, index) => ({
    ...blank,
    kind: /** @type {const} */ ("assignment"),
    name,
    value: valueList[index],
  }))
  return [first, ...others]
}

/** Whether code gives several names their values, separated by commas: H = 768, F = 3072. @param {string} code */
const isListOfAssignments = (code) =>
  piecesOf(code).length > 1 && piecesOf(code).every((piece) => /^[A-Za-z_]\w*\s*=\s*[^=\s]/.test(piece))

/** The statements after a colon, on the same line. @param {string} code */
const statementsAfterColon = (code) => (code ? [...ownStatements({ depth: 0, code, comment: "", source: code })] : [])

/** The name and the default of a parameter, such as "hidden: int = 768"; the default is "" if there is none.
 * @param {string} text @returns {[name: string, value: string]} */
function parameterOf(text) {
  const [declaration, value = ""] = text.split(/\s*=\s*/)
  return [declaration.replace(/\s*:.*$/, ""), value]
}
