// Works out sums: the lines that lead to a total, as a person would write them down.
// macros/counting/sum_lines.py explains the rules in full, and tests/scripts/test_changes.py
// compares the lines of both. The tensors first form a tree of modules, in which equal modules are
// merged into one node with a factor; then each node becomes a line.

import table from "../../data/table.js"
import { product, sizeOfDimension, sumBy, whole } from "./engine.js"
import { groupBy, signedSum, termOf } from "./polynomials.js"

const { total, several, leaves, blocks, ends } = table.labels

/** The kinds of nodes. */
const [TENSOR, MODULE, BLOCK, LAYER, WHOLE] = ["tensor", "module", "block", "layer", "whole"]

/** The blocks of the tensors that LoRA and other methods add. */
const [LORA, ADDED] = ["lora", "added"]
const LORA_LEAF_LENGTH = "lora_A".length // the length of the ending by which LoRA's two matrices differ

/** The ending of the path of a part that is removed with a pruned head. */
export const PRUNED_END = " of a head"
const BLOCK_ORDER = table.changes.blocks.map(({ name }) => name)

/** The path of the module that holds an item. @param {{ path: string }} item */
const parentOf = ({ path }) => path.slice(0, path.lastIndexOf("/"))

// --- The tree of a sum, with letters -------------------------------------------

/** The form of a node. Nodes of the same form have the same letters, not merely equal numbers.
 * @param {SumNode} node @returns {string} */
const formOf = ({ factors, children }) =>
  `${asText(factors)}(${children.map((child) => `${asText(child.times)}${formOf(child)}`).join(";")})`

/** Factors joined with dots, so that equal products have equal texts. @param {Dimension[]} factors */
const asText = (factors) => factors.join("·")

/** A node with the given nodes as its children. Nodes with the same form and factors are merged into one child, with
 * their number as a factor. A single child without a factor other than −1 is returned as it is.
 * @param {string} kind @param {SumNode[]} nodes @returns {SumNode} */
function joinNodes(kind, nodes) {
  const children = [...groupBy(nodes, (node) => `${asText(node.times)} ${formOf(node)}`).values()].map((equalNodes) =>
    equalNodes.length > 1
      ? { ...mergeEqualNodes(equalNodes), times: [equalNodes.length, ...equalNodes[0].times] }
      : equalNodes[0],
  )
  const [onlyChild] = children
  if (children.length === 1 && onlyChild.times.every((factor) => factor === -1)) return onlyChild
  const { block, place } = nodes[0]
  const isOfBlock = kind === MODULE || kind === BLOCK
  const paths = nodes.flatMap((node) => node.paths)
  return { kind, paths, children, factors: [], times: [], block: isOfBlock ? block : "", place }
}

/** One node that represents several equal ones, and keeps all their paths.
 * @param {SumNode[]} nodes @returns {SumNode} */
const mergeEqualNodes = (nodes) => ({
  ...nodes[0],
  paths: nodes.flatMap((node) => node.paths),
  children: nodes[0].children.map((_, index) => mergeEqualNodes(nodes.map((node) => node.children[index]))),
})

/** A node for a tensor. If the tensor is in layers, the node counts that of a single layer.
 * @param {ItemOfSum & { place: number }} item @returns {SumNode} */
function tensorNode({ path, shape, above, block, place }) {
  const { coefficient, letters } = termOf({ shape, layers: [] })
  const factors = coefficient !== 1 || !letters.length ? [coefficient, ...letters] : letters
  return { kind: TENSOR, paths: [path], children: [], factors, times: above[0] === -1 ? above : [], block, place }
}

/** The nodes of a block: its innermost modules, and the tensors outside them.
 * @param {(ItemOfSum & { place: number })[]} items */
function moduleNodes(items) {
  const parents = new Set(items.map(parentOf))
  return [...groupBy(items, parentOf)].flatMap(([parent, children]) => {
    const tensors = children.map(tensorNode)
    const hasInnerModules = [...parents].some((other) => other.startsWith(`${parent}/`))
    if (hasInnerModules) return tensors
    const module = joinNodes(MODULE, tensors)
    const end = tensors[0].paths[0].endsWith(PRUNED_END) ? PRUNED_END : ""
    return [module.kind === TENSOR ? module : { ...module, paths: [parent + end] }]
  })
}

/** The root of the sum: one layer times the number of layers, and the blocks outside the layers. Tensors in a different
 * number of layers, and those that a method adds, form a layer of their own. Null if nothing is counted.
 * @param {ItemOfSum[]} items */
function rootOf(items) {
  const itemsWithPlace = items.map((item, place) => ({ ...item, place }))
  const scopes = [...groupBy(itemsWithPlace, ({ layers, added }) => `${layers} ${layers.length ? added : ""}`).values()]
  const nodes = scopes.flatMap((scope) => {
    const { layers } = scope[0]
    const itemsByBlock = BLOCK_ORDER.map((block) => scope.filter((item) => item.block === block)).filter(
      ({ length }) => length,
    )
    const children = itemsByBlock.map((items) => joinNodes(BLOCK, moduleNodes(items)))
    return layers.length ? [{ ...joinNodes(LAYER, children), times: layers }] : children
  })
  if (scopes.length > 1) nodes.sort((one, other) => one.place - other.place)
  return nodes.length ? joinNodes(WHOLE, nodes) : null
}

// --- The labels of lines ----------------------------------------------------------

/** The path of a tensor's module, and the tensor's leaf, such as "bias". Modules, and tensors with a name of their own,
 * have no leaf.
 * @param {string} path */
function moduleAndLeaf(path) {
  const leaf = path.slice(path.lastIndexOf("/") + 1)
  return leaves.includes(leaf) ? [parentOf({ path }), leaf] : [path, ""]
}

/** The label of a line, by the rules of macros/rendering/components/words.py. @param {SumNode} node */
export function labelOf({ kind, paths, block }) {
  if (kind === WHOLE) return total
  if (paths[0].endsWith(PRUNED_END)) return blocks[kind === BLOCK ? "pruned" : "pruned module"]
  if (kind === BLOCK || kind === LAYER) {
    const isBias = paths.every((path) => path.endsWith("/bias"))
    return (isBias && blocks[`${block} bias`]) || blocks[block || kind]
  }
  if (block === LORA && kind === MODULE) return blocks[`${LORA} module`]
  if (block === LORA || block === ADDED) return ends[paths[0].slice(-LORA_LEAF_LENGTH)] ?? blocks[block]
  const [first, leaf] = moduleAndLeaf(paths[0])
  const hasSeveralModules = new Set(paths.map((path) => moduleAndLeaf(path)[0])).size > 1
  const [, common = first] = Object.entries(several).find(([component]) => first.split("/").includes(component)) ?? []
  const module = hasSeveralModules ? common : first
  const parts = (leaf && kind === TENSOR ? `${module}/${leaf}` : module).split("/")
  const end = parts.map((_, start) => parts.slice(start).join("/")).find((suffix) => suffix in ends)
  return end ? ends[end] : blocks[block]
}

// --- The lines, with sizes -----------------------------------------------------

/** Appends the lines for the nodes below a node and the line for the node itself. Returns the number of the node. A
 * vector has a line of its own only if nothing else is counted.
 * @param {SumNode} node @param {(factor: Dimension) => number} sizeOf @param {SumLine[]} lines @returns {number} */
function writeLines(node, sizeOf, lines) {
  const { kind, block, children, factors } = node
  // Each child becomes a product: its factors times the result of an earlier line.
  const addends = children.map((child) => {
    const isVector = !child.children.length && child.factors.length === 1
    return [...child.times.map(sizeOf), isVector ? sizeOf(child.factors[0]) : writeLines(child, sizeOf, lines)]
  })
  if (!children.length) addends.push(factors.map(sizeOf))
  const number = sumBy(addends, (addend) => product(addend, {}))
  const result = addends.length > 1 || addends[0].length > 1 ? ` = ${whole(number)}` : ""
  const text = signedSum(addends.map(productText)) + result
  lines.push({ text, what: labelOf(node), kind, block })
  return number
}

/** A product as text. Its sign comes first, so that a factor of −1 is not written out.
 * @param {number[]} factors */
const productText = (factors) =>
  (product(factors, {}) < 0 ? "−" : "") +
  factors.flatMap((factor) => (factor === -1 ? [] : whole(Math.abs(factor)))).join(" × ")

/** The lines of a sum. Each uses only sizes, counts and the results of earlier lines; the last one gives the total.
 * @param {ItemOfSum[]} items  the counted items
 * @param {Sizes} sizes */
export function sumLines(items, sizes) {
  const root = rootOf(items)
  /** @type {SumLine[]} */
  const lines = []
  if (root) writeLines(root, (factor) => sizeOfDimension(factor, sizes), lines)
  return lines
}
