// Waterfalls: two totals and the steps between them, from zero and to one scale,
// and what is too small a second time, magnified. The same is drawn while the
// site is built, by macros/rendering/elements/waterfalls.py; a test compares the two.

import { whole } from "../counting/engine.js"
import { element, signed } from "./elements.js"

const SVG = "http://www.w3.org/2000/svg"
const LINE = 22,
  NEXT_LINE = 17,
  BAR = 26,
  GAP = 14,
  FUNNEL = 26,
  AXIS = 24 // in CSS pixels
const THIN = 0.5,
  SMALL = 2 // in per cent of the width
const ROUND = [8, 6, 5, 4, 3, 2, 1]
const LETTERS = 46
const MEANINGS = { added: "added", taken: "taken away", total: "totals" }

/** @param {string} name @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...children)
  return made
}

/** @param {number} value */
const percent = (value) => `${value.toFixed(4)}%`
/** @param {Scale} scale @param {number} value */
const at = (scale, value) => (100 * (value - scale.origin)) / scale.full
/** @param {Scale} scale @param {Stretch} each */
const wide = (scale, { start, end }) => (100 * Math.abs(end - start)) / scale.full
/** @param {Stretch[]} steps */
const values = (steps) => steps.flatMap(({ start, end }) => [start, end])

// --- One bar ----------------------------------------------------------------

/** Words in lines that leave room for a number on a phone. @param {string} label @param {string} note */
function linesOf(label, note) {
  /** @type {string[]} */
  const lines = []
  for (const word of label.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : ""
    if (longer && longer.length <= LETTERS - note.length) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** @param {number} y @param {string[]} lines @param {string} note */
const labels = (y, lines, note) => [
  ...lines.map((line, place) => drawn("text", { x: 0, y: y + 15 + NEXT_LINE * place }, line)),
  drawn("text", { x: "100%", y: y + 15, "text-anchor": "end", class: "bc-figures" }, note),
]

/** @param {Stretch} each @param {Scale} scale @param {number} top */
function bar(each, scale, top) {
  const place = {
    x: percent(at(scale, Math.min(each.start, each.end))),
    y: top,
    width: percent(wide(scale, each)),
    height: BAR,
  }
  const said = { class: `bc-${each.style}`, "data-from": each.start, "data-to": each.end }
  const title = drawn("title", {}, `${each.label}: ${each.note}`)
  if (each.style !== "taken") return drawn("rect", { ...place, ...said }, title)
  return drawn("svg", { ...place, ...said }, title, drawn("rect", { width: "100%", height: "100%" }))
}

/** A caret below what is barely visible. @param {Stretch} each @param {Scale} scale @param {number} top */
function marks(each, scale, top) {
  if (wide(scale, each) >= THIN) return []
  const caret = drawn("path", { d: "M0 0l4.5 8h-9z", class: `bc-${each.style}` })
  return [
    drawn("svg", { x: percent(at(scale, (each.start + each.end) / 2)), y: top + BAR + 1, class: "bc-caret" }, caret),
  ]
}

/** @param {number} y @param {Stretch[]} steps @param {Scale} scale @returns {[Node[], number]} */
function rows(y, steps, scale) {
  const made = steps.flatMap((each) => {
    const lines = linesOf(each.label, each.note)
    const top = y + LINE + NEXT_LINE * (lines.length - 1)
    const row = [...labels(y, lines, each.note), bar(each, scale, top), ...marks(each, scale, top)]
    y = top + BAR + GAP
    return row
  })
  return [made, y]
}

// --- What is too small ----------------------------------------------------------

/** The part of the width that a panel magnifies, and how many times; null if it is hardly less than the whole.
 * @param {Stretch[]} steps @param {Scale} scale */
function windowOf(steps, scale) {
  const low = Math.min(...values(steps)),
    high = Math.max(...values(steps))
  const possible = scale.full / (high - low)
  let power = 1
  while (10 * power <= possible) power *= 10
  const times = power * /** @type {number} */ (ROUND.find((first) => first * power <= possible))
  if (times === 1) return null
  const full = scale.full / times
  // In the middle, if there is room on both sides; a whole number that leaves nothing out.
  const middle = Math.floor(Math.max(0, low - (full - (high - low)) / 2))
  const origin = Math.max(Math.min(middle, Math.floor(scale.full - full)), Math.ceil(high - full))
  return { times, low, high, scale: { origin, full } }
}

/** @param {number} y @param {Stretch[]} steps @param {Scale} scale @param {Magnified} magnified @returns {[Node[], number]} */
function panel(y, steps, scale, magnified) {
  const many = steps.length > 1
  const { label, note } = many
    ? { label: `${steps.length} small steps`, note: signed(steps[steps.length - 1].end - steps[0].start) }
    : steps[0]
  const lines = linesOf(label, note)
  const top = y + LINE + NEXT_LINE * (lines.length - 1)
  const above = top + BAR + FUNNEL
  const heading = drawn(
    "text",
    { x: 0, y: above + 15, class: "bc-strong" },
    `magnified ${whole(magnified.times)} times`,
  )
  const [inside, end] = many
    ? rows(above + LINE + 6, steps, magnified.scale)
    : [
        [bar(steps[0], magnified.scale, above + LINE), ...marks(steps[0], magnified.scale, above + LINE)],
        above + LINE + BAR + GAP,
      ]
  const foot = end - GAP
  const ground = drawn("rect", { y: above, width: "100%", height: foot + AXIS - above, class: "bc-panel" })
  const attributes = { "data-times": magnified.times, "data-origin": magnified.scale.origin }
  const group = drawn("g", attributes, ground, heading, ...inside, ...axis(magnified, foot))
  const small = steps.map((each) => bar(each, scale, top))
  return [[...labels(y, lines, note), ...small, ...frame(magnified, scale, top, above), group], foot + AXIS + GAP + 6]
}

/** @param {Magnified} magnified @param {Scale} scale @param {number} top @param {number} above */
function frame(magnified, scale, top, above) {
  const left = at(scale, magnified.scale.origin),
    width = (100 * magnified.scale.full) / scale.full
  const place = { x: percent(left), y: top - 4, width: percent(width), height: BAR + 8 }
  const lines = [
    [left, 0],
    [left + width, 100],
  ].map(([x, end]) =>
    drawn("line", { x1: percent(x), y1: top + BAR + 4, x2: `${end}%`, y2: above - 6, class: "bc-line" }),
  )
  return [drawn("rect", { ...place, class: "bc-window" }), ...lines]
}

/** @param {Magnified} magnified @param {number} y */
function axis({ low, high, scale }, y) {
  const ends = /** @type {[number, string][]} */ ([
    [low, "start"],
    [high, "end"],
  ])
  return [
    drawn("line", { x1: 0, y1: y + 4, x2: "100%", y2: y + 4, class: "bc-line" }),
    ...ends.flatMap(([value, anchor]) => {
      const x = percent(at(scale, value))
      return [
        drawn("line", { x1: x, y1: y, x2: x, y2: y + 8, class: "bc-line" }),
        drawn("text", { x, y: y + 20, "text-anchor": anchor, class: "bc-small" }, whole(value)),
      ]
    }),
  ]
}

// --- The whole ----------------------------------------------------------------

/** Stretches that are small, or are totals, next to each other. @param {Stretch[]} stretches @param {Scale} scale */
function grouped(stretches, scale) {
  /** @type {[boolean, Stretch[]][]} */
  const groups = []
  let before = ""
  for (const each of stretches) {
    const small = wide(scale, each) < SMALL
    const kind = `${small} ${each.style === "total"}`
    if (kind === before) groups[groups.length - 1][1].push(each)
    else groups.push([small, [each]])
    before = kind
  }
  return groups
}

/** @param {Stretch[]} stretches */
function drawing(stretches) {
  const scale = { origin: 0, full: Math.max(...values(stretches)) }
  const body = drawn("svg", { class: "bc-bars", width: "100%", "data-full": scale.full })
  let y = 0
  for (const [small, steps] of grouped(stretches, scale)) {
    const magnified = small ? windowOf(steps, scale) : null
    const [nodes, end] = magnified ? panel(y, steps, scale, magnified) : rows(y, steps, scale)
    body.append(...nodes)
    y = end
  }
  body.setAttribute("height", String(y - GAP))
  return body
}

/** From a number to another in steps, as a figure.
 * @param {number} start @param {{ label: string, value: number }[]} steps @param {[string, string]} [named]  what stands at its ends */
export function waterfall(start, steps, named = ["the number to start from", "the right total"]) {
  let here = start
  const stretches = steps.map(({ label, value }) => {
    here += value
    return { style: value > 0 ? "added" : "taken", label, note: signed(value), start: here - value, end: here }
  })
  const ends = [start, here].map((value, place) => ({
    style: "total",
    label: named[place],
    note: whole(value),
    start: 0,
    end: value,
  }))
  const all = [ends[0], ...stretches, ends[1]]
  const made = drawing(all)
  made.setAttribute("role", "img")
  made.setAttribute("aria-label", "The steps of the table below, one after the other")
  const again = made.querySelector(".bc-panel")
    ? " What is too small to be read is drawn a second time, magnified, in a shaded panel."
    : ""
  const keys = Object.entries(MEANINGS).filter(([style]) => all.some((each) => each.style === style))
  const legend = keys.map(([style, words]) =>
    element("li", {}, element("span", { class: `bc-key bc-${style}` }), words),
  )
  const marked = made.querySelector(".bc-caret")
    ? [element("p", { class: "bc-carets" }, "▲ points to what is barely visible at this scale.")]
    : []
  return element(
    "figure",
    { class: "bc-figure" },
    made,
    element("figcaption", {}, `To scale, from zero.${again}`, element("ul", { class: "bc-legend" }, legend), ...marked),
  )
}
