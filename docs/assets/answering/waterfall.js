// Draws a waterfall chart: two totals and the steps between them, from zero and to the same
// scale. Small steps are drawn a second time, magnified. The build draws the same figures
// with macros/rendering/components/waterfalls.py, and the same tests measure both.
//
// Horizontal positions are percentages, so that the figure fits any width; vertical positions
// are in pixels, because they depend on the lines of text. Each stretch from one value to
// another has a row: its label, its number at the right, and its bar below. Consecutive
// small steps share a row, with a frame around their bars; a panel below magnifies the
// content of the frame to the full width, with a row for each step.

import table from "../../data/table.js"
import { whole } from "../counting/engine.js"
import { fillIn } from "../counting/messages.js"
import { element, withSign } from "./elements.js"

// In CSS pixels: the height of a label's last line, of each line before it, of a bar, and of the gap below a row.
const [LAST_LINE_HEIGHT, LINE_HEIGHT, BAR_HEIGHT, ROW_GAP] = [22, 17, 26, 14]
const BASELINE = 15 // pixels from the top of a line to its baseline
const FRAME_MARGIN = 4 // pixels between the bars of small steps and the frame around them
const PANEL_MARGIN = 6 // pixels around the panel; the style sheet draws them as its stroke
// Percentages of the width. A bar narrower than the first is too thin to see, so it gets a mark; a step narrower
// than the second is small.
const [MIN_VISIBLE_WIDTH, SMALL_STEP_WIDTH] = [0.5, 2]
const LINE_CHARACTERS = 46 // the characters that fit on a line on a phone, including those of the row's number
const CARET = "M0 0l4.5 8h-9z" // a triangle, 9 pixels wide and 8 high, that points up at a thin bar
const { phrases, waterfall: STYLE_MEANINGS } = table

/** An SVG element with attributes and children.
 * @param {string} name @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children */
function svg(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value))
  node.append(...children)
  return node
}

/** A percentage as CSS writes it. @param {number} value */
const percent = (value) => `${value.toFixed(4)}%`

/** The width of a stretch as a percentage of the whole. @param {Stretch} stretch @param {number} full */
const percentageOf = ({ start, end }, full) => (100 * Math.abs(end - start)) / full

/** Draws a label with its number and, below them, one or more bars. A bar that is too thin to see gets a mark, but bars
 * that share a label do not, because they are drawn again below. Returns the y coordinate of the top of the bars.
 * @param {Element} parent @param {Scale} scale @param {number} y @param {Stretch[]} bars
 * @param {[label: string, note: string]} [sharedLabel]  the label and number that several bars share */
function drawRow(parent, { origin, full }, y, bars, sharedLabel) {
  const [label, note] = sharedLabel ?? [bars[0].label, bars[0].note]
  // Each line has as many words as fit next to the number, or a single word that is longer.
  const lineOfWords = new RegExp(String.raw`\S.{0,${LINE_CHARACTERS - 1 - note.length}}(?=\s|$)|\S+`, "gu")
  const lines = label.match(lineOfWords) ?? []
  const top = y + LAST_LINE_HEIGHT + LINE_HEIGHT * (lines.length - 1)
  /** The position of a value on the scale. @param {number} value */
  const positionOf = (value) => percent((100 * (value - origin)) / full)
  const nodes = [
    ...lines.map((line, index) => svg("text", { x: 0, y: y + BASELINE + LINE_HEIGHT * index }, line)),
    svg("text", { x: "100%", y: y + BASELINE, "text-anchor": "end", class: "bc-figures" }, note),
  ]
  for (const stretch of bars) {
    const { style, start, end } = stretch
    const geometry = {
      x: positionOf(Math.min(start, end)),
      y: top,
      width: percent(percentageOf(stretch, full)),
      height: BAR_HEIGHT,
    }
    const title = svg("title", {}, `${stretch.label}: ${stretch.note}`)
    // The bar is in an <svg> of its own, so that its outline is drawn inside its edges.
    const bar = svg("rect", { width: "100%", height: "100%" })
    nodes.push(svg("svg", { ...geometry, class: `bc-${style}`, "data-from": start, "data-to": end }, title, bar))
    if (sharedLabel || percentageOf(stretch, full) >= MIN_VISIBLE_WIDTH) continue
    const caret = svg("path", { d: CARET, class: `bc-${style}` })
    nodes.push(svg("svg", { x: positionOf((start + end) / 2), y: top + BAR_HEIGHT + 1, class: "bc-caret" }, caret))
  }
  parent.append(...nodes)
  return top
}

/** The part of the scale around small steps, magnified by a round factor; undefined if the factor would be less than
 * two.
 * @param {Stretch[]} steps @param {number} largest  the largest number in the figure */
function windowAround(steps, largest) {
  const values = steps.flatMap(({ start, end }) => [start, end])
  const [low, high] = [Math.min(...values), Math.max(...values)]
  // Rounded down to one significant digit, because "magnified 40 times" reads better than 47.
  const factorDigits = String(Math.floor(largest / (high - low)))
  const times = Number(factorDigits[0]) * 10 ** (factorDigits.length - 1)
  if (times < 2) return undefined
  const full = largest / times
  // The window is centred if there is room on both sides, and starts at a whole number that leaves no step out.
  const centredOrigin = Math.floor(Math.max(0, low - (full - (high - low)) / 2))
  return { times, full, origin: Math.max(Math.min(centredOrigin, Math.floor(largest - full)), Math.ceil(high - full)) }
}

/** An <svg> with all bars to the same scale. Consecutive small steps share a framed row, and are drawn again below it,
 * where the content of the frame takes up the full width. If that would not even double them, each has its own row.
 * @param {Stretch[]} stretches */
function barsOf(stretches) {
  const full = Math.max(...stretches.flatMap(({ start, end }) => [start, end]))
  const body = svg("svg", { class: "bc-bars", width: "100%", "data-full": full, role: "img" })
  let y = 0
  const wholeScale = { origin: 0, full }
  /** Whether a stretch is a small step, rather than a total or a larger step. @param {Stretch | undefined} stretch */
  const isSmall = (stretch) => stretch && stretch.style !== "total" && percentageOf(stretch, full) < SMALL_STEP_WIDTH
  for (let index = 0; index < stretches.length; ) {
    const group = [stretches[index++]]
    while (isSmall(group[0]) && isSmall(stretches[index])) group.push(stretches[index++])
    const scale = isSmall(group[0]) && windowAround(group, full)
    y = scale ? drawMagnified(body, group, scale, full, y) : drawStretches(body, wholeScale, y, group)
  }
  body.setAttribute("height", String(y - ROW_GAP))
  return body
}

/** Draws each stretch in its own row, from `y` downwards. Returns the y coordinate below them.
 * @param {Element} parent @param {Scale} scale @param {number} y @param {Stretch[]} stretches */
const drawStretches = (parent, scale, y, stretches) =>
  stretches.reduce((top, stretch) => drawRow(parent, scale, top, [stretch]) + BAR_HEIGHT + ROW_GAP, y)

/** Draws small steps twice, from `start` downwards: in a row that they share, with a frame around them, and magnified
 * in a panel below it. Returns the y coordinate below the panel.
 * @param {Element} body @param {Stretch[]} steps @param {NonNullable<ReturnType<typeof windowAround>>} scale
 * @param {number} full  the largest number in the figure @param {number} start */
function drawMagnified(body, steps, scale, full, start) {
  const sum = withSign((steps.at(-1) ?? steps[0]).end - steps[0].start)
  const label = steps.length > 1 ? fillIn(phrases["small-steps"], { number: steps.length }) : steps[0].label
  const top = drawRow(body, { origin: 0, full }, start, steps, [label, sum])
  const panelStart = top + BAR_HEIGHT + ROW_GAP
  const [left, width] = [(100 * scale.origin) / full, 100 / scale.times]
  const frame = svg("rect", {
    x: percent(left),
    y: top - FRAME_MARGIN,
    width: percent(width),
    height: BAR_HEIGHT + 2 * FRAME_MARGIN,
    class: "bc-window",
  })
  // A line from each lower corner of the frame to the upper corner of the panel below it.
  const [y1, y2] = [top + BAR_HEIGHT + FRAME_MARGIN, panelStart]
  const funnel = [0, 1].map((side) =>
    svg("line", { x1: percent(left + width * side), y1, x2: percent(100 * side), y2, class: "bc-line" }),
  )
  const panelTop = panelStart + PANEL_MARGIN
  const background = svg("rect", { y: panelTop, width: "100%", class: "bc-panel" })
  const headingAttributes = { x: 0, y: panelTop + BASELINE, class: "bc-strong" }
  const heading = svg("text", headingAttributes, fillIn(phrases.magnified, { times: scale.times }))
  const panel = svg("g", { "data-times": scale.times, "data-origin": scale.origin }, background, heading)
  body.append(frame, ...funnel, panel)
  const panelEnd = drawStretches(panel, scale, panelTop + LAST_LINE_HEIGHT, steps)
  background.setAttribute("height", String(panelEnd - panelTop))
  return panelEnd + ROW_GAP + PANEL_MARGIN
}

/** A figure of the steps from one number to another. Steps that change nothing have no row.
 * @param {number} start @param {{ label: string, value: number }[]} steps
 * @param {[first: string, last: string]} ends  the labels of both numbers */
export function waterfall(start, steps, ends) {
  let runningTotal = start
  const changes = steps.filter(({ value }) => value)
  const stepStretches = changes.map(({ label, value }) => {
    const stepStart = runningTotal
    runningTotal += value
    return { style: value > 0 ? "added" : "taken", label, note: withSign(value), start: stepStart, end: runningTotal }
  })
  const [first, last] = [start, runningTotal].map((end, index) => {
    return { style: "total", label: ends[index], note: whole(end), start: 0, end }
  })
  const stretches = [first, ...stepStretches, last]
  const bars = barsOf(stretches)
  bars.setAttribute("aria-label", "The steps of the table below, one after the other")
  const panelNote = bars.querySelector(".bc-panel") ? ` ${phrases.panel}` : ""
  const visibleStyles = Object.entries(STYLE_MEANINGS).filter(([style]) =>
    stretches.some((stretch) => stretch.style === style),
  )
  const legend = visibleStyles.map(([style, words]) =>
    element("li", {}, element("span", { class: `bc-key bc-${style}` }), words),
  )
  const caretNote = bars.querySelector(".bc-caret") ? [element("p", { class: "bc-carets" }, phrases.carets)] : []
  return element(
    "figure",
    { class: "bc-figure" },
    bars,
    element(
      "figcaption",
      {},
      phrases.waterfall + panelNote,
      element("ul", { class: "bc-legend" }, legend),
      ...caretNote,
    ),
  )
}
