// Rewrites a tree of modules that is drawn with lines, as OpenDelta prints it, in the form of print(model), which
// modules.js reads:
//
//     ├── pooler (BertPooler)
//     │   └── dense (Linear) weight:[768, 768] bias:[768]
//
// becomes
//
//     (pooler): BertPooler(
//     (dense): Linear(in_features=768, out_features=768, bias=True))

import { numbersOf } from "./text-row.js"

const INDENT = 4 // the number of characters by which a level is indented
const MIN_LINES_WITH_TENSORS = 3

/** A branch: the lines drawn before it, the names of one or several equal modules, their class and their tensors. */
const BRANCH = /^([│| \u00a0]*)[├└]──\s*([\w.,-]+?)\s*\((\w+)\)((?:\s+\w+:\s*\[[0-9, ]+\])*)\s*$/
/** A tensor of a branch: its name and its shape. */
const TENSOR = /(\w+):\s*\[([0-9, ]+)\]/g

/** The shapes of a module's tensors by name, the shape of its weight ([] if it has none), whether it has a bias, and
 * whether it is plain: it has no tensors besides these two.
 * @param {string} tensors */
function shapesIn(tensors) {
  const shapes = new Map([...tensors.matchAll(TENSOR)].map(([, name, shape]) => [name, numbersOf(shape)]))
  const weight = shapes.get("weight") ?? []
  return {
    shapes,
    weight,
    hasBias: shapes.has("bias"),
    isPlain: [...shapes.keys()].every((name) => /^(?:weight|bias)$/.test(name)),
  }
}

/** A module with tensors in the form of print(model).
 * @param {string} name @param {string} type @param {string} tensors */
function leafOf(name, type, tensors) {
  const { shapes, weight, hasBias, isPlain } = shapesIn(tensors)
  if (!isPlain) {
    const parameters = [...shapes].map(
      ([key, shape]) => `(${key}): Parameter containing: [torch.FloatTensor of size ${shape.join("x")}]`,
    )
    return `(${name}): ParameterDict(${parameters.join(" ")})`
  }
  if (/Embedding$/.test(type)) return `(${name}): ${type}(${weight.join(", ")})`
  if (weight.length === 2)
    return `(${name}): Linear(in_features=${weight[1]}, out_features=${weight[0]}, bias=${hasBias ? "True" : "False"})`
  return `(${name}): LayerNorm((${weight.join(", ")},), bias=${hasBias ? "True" : "False"})`
}

/** A label in the form of print(model): "0-11" becomes "(0-11): 12 x BertLayer".
 * @param {string} name @param {string} type */
function labelOf(name, type) {
  const [, first, last] = /^([0-9]+)-([0-9]+)$/.exec(name) ?? []
  return first ? `(${name}): ${Number(last) - Number(first) + 1} x ${type}` : `(${name}): ${type}`
}

/** The text with its tree, if it has one, in the form of print(model). @param {string} text */
export function withModulesOfTree(text) {
  if (!/[├└]──/.test(text)) return text
  const lines = text.split("\n")
  const branches = lines.map((line) => BRANCH.exec(line))
  if (branches.filter((branch) => branch?.[4]).length < MIN_LINES_WITH_TENSORS) return text
  /** The levels of the modules whose brackets are open. @type {number[]} */
  const levels = []
  const lastIndex = branches.reduce((last, branch, index) => (branch ? index : last), -1)
  return lines
    .map((line, index) => {
      const branch = branches[index]
      if (!branch) return line
      const [, drawn, name, type, tensors] = branch
      const level = drawn.length / INDENT
      let closingBrackets = ""
      while (levels.length && levels[levels.length - 1] >= level) {
        levels.pop()
        closingBrackets += ")"
      }
      const hasChildren = (branches[index + 1]?.[1].length ?? 0) > drawn.length
      if (hasChildren || !tensors) levels.push(level)
      const end = index === lastIndex ? ")".repeat(levels.length) : ""
      if (tensors && !hasChildren) return `${closingBrackets}${leafOf(name, type, tensors)}${end}`
      // As in PEFT's modules, the tensors of a module with children are those of its base layer.
      const base = tensors ? `\n${leafOf("base_layer", type, tensors)}` : ""
      return `${closingBrackets}${labelOf(name, type)}(${base}${end}`
    })
    .join("\n")
}
