// Sums worked out: how a total comes about, line by line, as somebody would write
// it down. The rules are those of macros/counting/sum_lines.py, and a test compares
// the lines.

import table from "../../data/table.js"
import { product, sized, sumBy, whole } from "./engine.js"
import { added, grouped, termOf } from "./polynomials.js"

const [TENSOR, MODULE, BLOCK, LAYER, WHOLE] = ["tensor", "module", "block", "layer", "whole"]
const { total, several, leaves, blocks, ends } = table.labels
const [LORA, ADDED, LORA_LEAF] = ["lora", "added", "lora_A".length]
/** How a path ends of what goes with a pruned head. */
export const GONE = " of a head"
const ORDER = table.changes.blocks.map((each) => each.name)

/** @param {{ path: string }} item */
const parentOf = ({ path }) => path.slice(0, path.lastIndexOf("/"))

// --- What is added to what, whatever the sizes -------------------------------

/** What two nodes have in common that are alike: letters, not merely numbers. @param {SumNode} node @returns {string} */
const form = ({ factors, children }) =>
  `${written(factors)}(${children.map((each) => `${written(each.times)}${form(each)}`).join(";")})`
/** @param {Dimension[]} factors */
const written = (factors) => factors.join("·")

/** Nodes together; what is alike among them is counted once and multiplied, and one alone is itself.
 * @param {string} kind @param {SumNode[]} nodes @returns {SumNode} */
function together(kind, nodes) {
  const children = [...grouped(nodes, (each) => `${written(each.times)} ${form(each)}`).values()].map((alike) =>
    alike.length > 1 ? { ...anyOf(alike), times: [alike.length, ...alike[0].times] } : alike[0],
  )
  const [only] = children
  if (children.length === 1 && only.times.every((each) => each === -1)) return only
  const { block, place } = nodes[0]
  const ofBlock = kind === MODULE || kind === BLOCK
  const paths = nodes.flatMap((each) => each.paths)
  return { kind, paths, children, factors: [], times: [], block: ofBlock ? block : "", place }
}

/** Any of some nodes of one form: it has the paths of all, and so have its children. @param {SumNode[]} nodes @returns {SumNode} */
const anyOf = (nodes) => ({
  ...nodes[0],
  paths: nodes.flatMap((each) => each.paths),
  children: nodes[0].children.map((_, at) => anyOf(nodes.map((each) => each.children[at]))),
})

/** One tensor, in one layer if it stands in each. @param {ItemOfBlock & { place: number }} item @returns {SumNode} */
function tensor({ path, shape, above, block, place }) {
  const { coefficient, letters } = termOf({ shape, layers: [] })
  const factors = coefficient !== 1 || !letters.length ? [coefficient, ...letters] : letters
  return { kind: TENSOR, paths: [path], children: [], factors, times: above[0] === -1 ? above : [], block, place }
}

/** The modules of a block, and beside them the tensors that lie directly in it.
 * @param {(ItemOfBlock & { place: number })[]} items */
function modules(items) {
  const parents = new Set(items.map(parentOf))
  return [...grouped(items, parentOf)].flatMap(([parent, each]) => {
    const tensors = each.map(tensor)
    const holdsOthers = [...parents].some((other) => other.startsWith(`${parent}/`))
    if (holdsOthers) return tensors
    const module = together(MODULE, tensors)
    const end = tensors[0].paths[0].endsWith(GONE) ? GONE : ""
    return [module.kind === TENSOR ? module : { ...module, paths: [parent + end] }]
  })
}

/** All that is counted, the blocks outside of the layers beside a layer; what PEFT adds to a layer stands beside it.
 * @param {ItemOfBlock[]} items */
function rooted(items) {
  const placed = items.map((item, place) => ({ ...item, place }))
  const scopes = [...grouped(placed, ({ layers, added }) => `${layers} ${layers.length ? added : ""}`).values()]
  const nodes = scopes.flatMap((scope) => {
    const { layers } = scope[0]
    const blocks = ORDER.map((block) => scope.filter((each) => each.block === block)).filter((each) => each.length)
    const found = blocks.map((each) => together(BLOCK, modules(each)))
    return layers.length ? [{ ...together(LAYER, found), times: layers }] : found
  })
  if (scopes.length > 1) nodes.sort((one, other) => one.place - other.place)
  return nodes.length ? together(WHOLE, nodes) : null
}

// --- What each line counts --------------------------------------------------------

/** The module of a tensor, and the leaf; a module, or a tensor with a name of its own, has none. @param {string} path */
function parted(path) {
  const leaf = path.slice(path.lastIndexOf("/") + 1)
  return leaves.includes(leaf) ? [parentOf({ path }), leaf] : [path, ""]
}

/** What a line counts, as words.py says it. @param {SumNode} node */
function labelOf({ kind, paths, block }) {
  if (kind === WHOLE) return total
  if (paths[0].endsWith(GONE)) return blocks[kind === BLOCK ? "pruned" : "pruned module"]
  if (kind === BLOCK || kind === LAYER) {
    const isBias = paths.every((path) => path.endsWith("/bias"))
    return (isBias && blocks[`${block} bias`]) || blocks[block || kind]
  }
  if (block === LORA && kind === MODULE) return blocks[`${LORA} module`]
  if (block === LORA || block === ADDED) return ends[paths[0].slice(-LORA_LEAF)] ?? blocks[block]
  const [first, leaf] = parted(paths[0])
  const alike = new Set(paths.map((path) => parted(path)[0])).size > 1
  const [, many = first] = Object.entries(several).find(([piece]) => first.split("/").includes(piece)) ?? []
  const module = alike ? many : first
  const parts = (leaf && kind === TENSOR ? `${module}/${leaf}` : module).split("/")
  const end = parts.map((_, at) => parts.slice(at).join("/")).find((each) => each in ends)
  return end ? ends[end] : blocks[block]
}

// --- The same with sizes ------------------------------------------------------

/** What a node comes to. The lines of those below it are added first, then its own; a vector needs none but as the whole.
 * @param {SumNode} node @param {(factor: Dimension) => number} sized @param {SumLine[]} lines  to which they are added @returns {number} */
function work(node, sized, lines) {
  const { kind, block, children, factors } = node
  // Each stands in the line as how often there is one, times what is known of it by then.
  const addends = children.map((each) => {
    const isVector = !each.children.length && each.factors.length === 1
    return [...each.times.map(sized), isVector ? sized(each.factors[0]) : work(each, sized, lines)]
  })
  if (!children.length) addends.push(factors.map(sized))
  const number = sumBy(addends, (each) => product(each, {}))
  const result = addends.length > 1 || addends[0].length > 1 ? ` = ${whole(number)}` : ""
  const text = added(addends.map(signed)) + result
  lines.push({ text, what: labelOf(node), kind, block })
  return number
}

/** A product with its sign before it, as somebody writes it who takes it away. @param {number[]} factors */
const signed = (factors) =>
  (product(factors, {}) < 0 ? "−" : "") +
  factors.flatMap((each) => (each === -1 ? [] : whole(Math.abs(each)))).join(" × ")

/** The lines of a sum, each of which uses only sizes, counts and results of lines before it; the last is the whole.
 * @param {ItemOfBlock[]} items  those that count @param {Sizes} sizes */
export function sumLines(items, sizes) {
  const root = rooted(items)
  /** @type {SumLine[]} */
  const lines = []
  if (root) work(root, (each) => sized(each, sizes), lines)
  return lines
}
