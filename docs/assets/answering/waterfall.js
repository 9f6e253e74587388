// Waterfalls: two totals and the steps between them, from zero and to one scale,
// and small steps a second time, magnified. What the build draws so, by
// macros/rendering/components/waterfalls.py, is measured by the same tests.

import table from "../../data/table.js"
import { whole } from "../counting/engine.js"
import { filled } from "../counting/messages.js"
import { element, signed } from "./elements.js"

const [LINE, NEXT_LINE, BAR, GAP] = [22, 17, 26, 14] // in CSS pixels
const [THIN, SMALL] = [0.5, 2] // in per cent of the width
const LETTERS = 46 // of a label and its number on a phone
const { phrases, waterfall: MEANINGS } = table

/** @param {string} name @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function drawn(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...children)
  return made
}

/** @param {number} value */
const percent = (value) => `${value.toFixed(4)}%`
/** @param {Stretch} each @param {number} full */
const wide = ({ start, end }, full) => (100 * Math.abs(end - start)) / full

/** A bar, marked where it is thin, below its label; or several, which are drawn again. Returns their top.
 * @param {Element} parent @param {Scale} scale @param {number} y @param {Stretch[]} bars @param {[string, string]} [named] */
function row(parent, { origin, full }, y, bars, named) {
  const [label, note] = named ?? [bars[0].label, bars[0].note]
  // Words in lines that leave room for the number.
  const lines = label.match(new RegExp(String.raw`\S.{0,${LETTERS - 1 - note.length}}(?=\s|$)|\S+`, "gu")) ?? []
  const top = y + LINE + NEXT_LINE * (lines.length - 1)
  /** @param {number} value */
  const at = (value) => percent((100 * (value - origin)) / full)
  const nodes = [
    ...lines.map((line, place) => drawn("text", { x: 0, y: y + 15 + NEXT_LINE * place }, line)),
    drawn("text", { x: "100%", y: y + 15, "text-anchor": "end", class: "bc-figures" }, note),
  ]
  for (const each of bars) {
    const { style, start, end } = each
    const place = { x: at(Math.min(start, end)), y: top, width: percent(wide(each, full)), height: BAR }
    const title = drawn("title", {}, `${each.label}: ${each.note}`)
    // An outline lies within the edges.
    const bar = drawn("rect", { width: "100%", height: "100%" })
    nodes.push(drawn("svg", { ...place, class: `bc-${style}`, "data-from": start, "data-to": end }, title, bar))
    if (named || wide(each, full) >= THIN) continue
    const caret = drawn("path", { d: "M0 0l4.5 8h-9z", class: `bc-${style}` })
    nodes.push(drawn("svg", { x: at((start + end) / 2), y: top + BAR + 1, class: "bc-caret" }, caret))
  }
  parent.append(...nodes)
  return top
}

/** The part of the width around some steps, a round number of times smaller; undefined if it is hardly smaller.
 * @param {Stretch[]} steps @param {number} whole */
function magnified(steps, whole) {
  const values = steps.flatMap(({ start, end }) => [start, end])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const most = String(Math.floor(whole / (high - low)))
  const times = Number(most[0]) * 10 ** (most.length - 1)
  if (times < 2) return undefined
  const full = whole / times
  // In the middle, if there is room on both sides; a whole number that leaves nothing out.
  const middle = Math.floor(Math.max(0, low - (full - (high - low)) / 2))
  return { times, full, origin: Math.max(Math.min(middle, Math.floor(whole - full)), Math.ceil(high - full)) }
}

/** All bars to one scale; small steps in one row, framed, and below it once more, where the frame is the whole width.
 * @param {Stretch[]} stretches */
function drawing(stretches) {
  const full = Math.max(...stretches.flatMap(({ start, end }) => [start, end]))
  const body = drawn("svg", { class: "bc-bars", width: "100%", "data-full": full, role: "img" })
  let y = 0
  const all = { origin: 0, full }
  /** @param {Element} parent @param {Scale} scale @param {Stretch} each */
  const put = (parent, scale, each) => {
    y = row(parent, scale, y, [each]) + BAR + GAP
  }
  /** @param {Stretch | undefined} each */
  const isSmall = (each) => each && each.style !== "total" && wide(each, full) < SMALL
  for (let place = 0; place < stretches.length; ) {
    const steps = [stretches[place++]]
    while (isSmall(steps[0]) && isSmall(stretches[place])) steps.push(stretches[place++])
    const scale = isSmall(steps[0]) && magnified(steps, full)
    if (!scale) {
      for (const each of steps) put(body, all, each)
      continue
    }
    const sum = signed((steps.at(-1) ?? steps[0]).end - steps[0].start)
    const label = steps.length > 1 ? filled(phrases["small-steps"], { number: steps.length }) : steps[0].label
    const top = row(body, all, y, steps, [label, sum])
    y = top + BAR + GAP
    const [left, width] = [(100 * scale.origin) / full, 100 / scale.times]
    const frame = { x: percent(left), y: top - 4, width: percent(width), height: BAR + 8, class: "bc-window" }
    const [y1, y2] = [top + BAR + 4, y]
    const funnel = [0, 1].map((end) =>
      drawn("line", { x1: percent(left + width * end), y1, x2: percent(100 * end), y2, class: "bc-line" }),
    )
    const above = y + 6
    const ground = drawn("rect", { y: above, width: "100%", class: "bc-panel" })
    const heading = drawn(
      "text",
      { x: 0, y: y + 21, class: "bc-strong" },
      filled(phrases.magnified, { times: scale.times }),
    )
    const panel = drawn("g", { "data-times": scale.times, "data-origin": scale.origin }, ground, heading)
    body.append(drawn("rect", frame), ...funnel, panel)
    y += LINE + 6
    for (const each of steps) put(panel, scale, each)
    ground.setAttribute("height", String(y - above))
    y += GAP + 6
  }
  body.setAttribute("height", String(y - GAP))
  return body
}

/** From a number to another in steps, as a figure; a step that changes nothing has no bar.
 * @param {number} start @param {{ label: string, value: number }[]} steps @param {[string, string]} named  what stands at its ends */
export function waterfall(start, steps, named) {
  let here = start
  const moving = steps.filter(({ value }) => value)
  const between = moving.map(({ label, value }) => {
    here += value
    return { style: value > 0 ? "added" : "taken", label, note: signed(value), start: here - value, end: here }
  })
  const [first, last] = [start, here].map((end, place) => {
    return { style: "total", label: named[place], note: whole(end), start: 0, end }
  })
  const all = [first, ...between, last]
  const made = drawing(all)
  made.setAttribute("aria-label", "The steps of the table below, one after the other")
  const again = made.querySelector(".bc-panel") ? ` ${phrases.panel}` : ""
  const keys = Object.entries(MEANINGS).filter(([style]) => all.some((each) => each.style === style))
  const legend = keys.map(([style, words]) =>
    element("li", {}, element("span", { class: `bc-key bc-${style}` }), words),
  )
  const marked = made.querySelector(".bc-caret") ? [element("p", { class: "bc-carets" }, phrases.carets)] : []
  return element(
    "figure",
    { class: "bc-figure" },
    made,
    element("figcaption", {}, phrases.waterfall + again, element("ul", { class: "bc-legend" }, legend), ...marked),
  )
}
