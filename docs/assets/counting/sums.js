"use strict"
// Sums worked out: how a total comes about, line by line, as somebody would write
// it down. The rules are those of macros/counting/sums.py, and a test compares
// the lines.
{
  const { table, engine } = bertCounted
  const { whole } = engine
  const [TENSOR, MODULE, BLOCK, LAYER, WHOLE] = ["tensor", "module", "block", "layer", "whole"]
  const ORDER = table.changes.blocks.map((each) => each.name)

  /** @template T @param {T[]} items @param {(each: T) => string} key @returns {T[][]} */
  function grouped(items, key) {
    /** @type {Map<string, T[]>} */
    const found = new Map()
    for (const each of items) {
      const group = found.get(key(each))
      if (group) group.push(each)
      else found.set(key(each), [each])
    }
    return [...found.values()]
  }

  /** @param {bigint[]} numbers */
  const product = (numbers) => numbers.reduce((all, each) => all * each, 1n)
  /** @param {{ path: string }} item */
  const parentOf = ({ path }) => path.slice(0, path.lastIndexOf("/"))

  /** What two nodes have in common that are alike: letters, not merely numbers. @param {SumNode} node @returns {string} */
  const form = ({ factors, children }) => `${written(factors)}(${children.map((each) => `${written(each.times)}${form(each)}`).join(";")})`
  /** @param {Factor[]} factors */
  const written = (factors) => factors.map(({ number, letter }) => letter || `${number}`).join("·")

  /** Nodes together; what is alike among them is counted once and multiplied, and one alone is itself.
   * @param {string} kind @param {SumNode[]} nodes @returns {SumNode} */
  function together(kind, nodes) {
    const children = grouped(nodes, (each) => `${written(each.times)} ${form(each)}`).map(([first, ...more]) =>
      more.length ? { ...first, times: [{ number: BigInt(more.length + 1), letter: "" }, ...first.times] } : first,
    )
    const [only] = children
    if (children.length === 1 && !only.times.length) return only
    const number = nodes.reduce((sum, each) => sum + each.number * product(each.times.map((one) => one.number)), 0n)
    return { kind, number, children, factors: [], times: [], block: "", place: nodes[0].place }
  }

  /** One tensor, in one layer if it stands in each. @param {ItemOfBlock & { place: number }} item @param {ExactSizes} sizes @returns {SumNode} */
  function tensor({ shape, block, place }, sizes) {
    const letters = shape.filter((each) => typeof each === "string").map((letter) => ({ number: sizes[letter], letter: `${letter}` }))
    const coefficient = shape.reduce((/** @type {number} */ all, each) => (typeof each === "number" ? all * each : all), 1)
    const factors = coefficient !== 1 || !letters.length ? [{ number: BigInt(coefficient), letter: "" }, ...letters] : letters
    return { kind: TENSOR, number: product(factors.map((each) => each.number)), children: [], factors, times: [], block, place }
  }

  /** The modules of a block, and beside them the tensors that lie directly in it.
   * @param {(ItemOfBlock & { place: number })[]} items @param {ExactSizes} sizes */
  function modules(items, sizes) {
    const parents = new Set(items.map(parentOf))
    return grouped(items, parentOf).flatMap((each) => {
      const tensors = each.map((one) => tensor(one, sizes))
      const holdsOthers = [...parents].some((other) => other.startsWith(`${parentOf(each[0])}/`))
      return holdsOthers ? tensors : [together(MODULE, tensors)]
    })
  }

  /** All that is counted, the blocks outside of the layers beside a layer; what PEFT adds to a layer stands beside it.
   * @param {ItemOfBlock[]} items @param {ExactSizes} sizes */
  function rooted(items, sizes) {
    const placed = items.map((item, place) => ({ ...item, place }))
    const scopes = grouped(placed, ({ layers, added }) => `${layers} ${layers.length ? added : ""}`)
    const nodes = scopes.flatMap((scope) => {
      const { layers } = scope[0]
      const blocks = ORDER.map((block) => scope.filter((each) => each.block === block)).filter((each) => each.length)
      const found = blocks.map((each) => ({ ...together(BLOCK, modules(each, sizes)), block: each[0].block }))
      return layers.length ? [{ ...together(LAYER, found), times: layers.map((letter) => ({ number: sizes[letter], letter })) }] : found
    })
    if (scopes.length > 1) nodes.sort((one, other) => one.place - other.place)
    return nodes.length ? together(WHOLE, nodes) : null
  }

  /** @param {Factor[]} factors */
  const times = (factors) => factors.map(({ number }) => whole(number)).join(" × ")

  /** A node as it stands in the line of another one: how often, times what is known of it by then. @param {SumNode} node */
  const addend = (node) => [...node.times, ...(node.factors.length === 1 ? node.factors : [{ number: node.number, letter: "" }])]

  /** @param {SumNode} node @returns {SumLine} */
  function line({ kind, block, number, children, factors }) {
    const addends = children.length ? children.map(addend) : [factors]
    const isWorked = addends.length > 1 || addends[0].length > 1
    return { text: addends.map(times).join(" + ") + (isWorked ? ` = ${whole(number)}` : ""), kind, block }
  }

  /** The lines of a node down to a depth; a vector needs none but as the whole. @param {SumNode} node @param {number} depth @returns {SumLine[]} */
  function lines(node, depth) {
    const below = depth ? node.children.filter((each) => each.children.length || each.factors.length > 1) : []
    return [...below.flatMap((each) => lines(each, depth - 1)), line(node)]
  }

  /** @param {SumNode} node @returns {number} */
  const depthOf = ({ children }) => (children.length ? 1 + Math.max(...children.map(depthOf)) : 0)

  /** The lines of a sum, each of which uses only sizes, counts and results of lines before it; the last is the whole.
   * @param {ItemOfBlock[]} items  those that count @param {ExactSizes} sizes @returns {SumLine[]} */
  function worked(items, sizes) {
    const root = rooted(items, sizes)
    return root ? lines(root, depthOf(root)) : []
  }

  bertCounted.sums = { worked }
}
