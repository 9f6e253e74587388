// Finds mutants: the ways in which Stryker's instrumenter breaks the scripts that
// are named on the command line, each in one place, as JSON. Places are counted
// in characters, as Python counts them.
import { readFileSync } from "node:fs"
import { Script } from "node:vm"
import { Instrumenter } from "@stryker-mutator/instrumenter"

// It logs what it does; what it finds is all that is of interest here.
const silent = new Proxy({}, { get: (_, name) => (String(name).startsWith("is") ? () => false : () => {}) })
const OPTIONS = { ignorers: [], excludedMutations: [], plugins: [] }

/** The place of a line and column in a text. */
function offsetOf(lines, { line, column }) {
  return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + column
}

const isProgram = (code) => {
  try {
    return Boolean(new Script(code))
  } catch {
    return false
  }
}

/** What is put in the place of what was there: in brackets, so that what stands around it takes it as one. A block
 * takes none, and a line that began with a bracket would go on with the line before. */
function textOf(source, start, end, replacement, operator) {
  const first = !source.slice(0, start).split("\n").at(-1).trim()
  const texts = first || operator === "BlockStatement" ? [replacement] : [`(${replacement})`, replacement]
  return texts.find((text) => isProgram(source.slice(0, start) + text + source.slice(end)))
}

async function mutantsOf(path) {
  const content = readFileSync(path, "utf8")
  const { mutants } = await new Instrumenter(silent).instrument([{ name: path, mutate: true, content }], OPTIONS)
  const lines = content.split("\n")
  return mutants.flatMap(({ location, mutatorName, replacement }) => {
    const [start, end] = [location.start, location.end].map((place) => offsetOf(lines, place))
    const text = textOf(content, start, end, replacement, mutatorName)
    if (text === undefined) return []
    const [from, to] = [start, end].map((place) => [...content.slice(0, place)].length)
    return [{ path, line: location.start.line + 1, operator: mutatorName, start: from, end: to, text }]
  })
}

const found = []
for (const path of process.argv.slice(2)) found.push(...(await mutantsOf(path)))
console.log(JSON.stringify(found))
