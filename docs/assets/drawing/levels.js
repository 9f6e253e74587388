// Areas in proportion to parameters, with the sum that they show, as the levels
// of the map have them. What is drawn, and how, is what
// macros/rendering/figures/area_map.py draws while the site is built.

import table from "../../data/table.js"
import { whole } from "../counting/engine.js"

const THIN = 0.7 // per cent: what is narrower or lower gets a mark
// Per cent of a picture's width on a phone that a letter of a name takes at most, and a character of a number.
const [LETTER, DIGIT] = [2.15, 2]
// Per cent of a picture's height that a name above its number takes at least, and a name alone.
const [LOW, LOWEST] = [10, 9]
const PLACES = 4
export const THIN_KEY = ` ${table.phrases.thin}`
/** @type {Tile} */
export const WHOLE = { x: 0, y: 0, width: 100, height: 100 }

/** The rectangles of every kind of block, which together are `within`.
 * @param {string} split @param {Share[]} shares @param {Tile} within */
export function tiles(split, shares, within) {
  const [at, along] = /** @type {(keyof Tile)[]} */ (split === "columns" ? ["x", "width"] : ["y", "height"])
  const total = shares.reduce((sum, { each, times }) => sum + each * times, 0)
  let start = 0
  return shares.map(({ each, times, most }) => {
    const amount = each * times
    const [from, size] = [within[at] + (within[along] * start) / total, (within[along] * amount) / total]
    start += amount
    return grid({ ...within, [at]: from, [along]: size }, times, most)
  })
}

/** Equal cells in rows; as many side by side as divide the number and are no more than `most`.
 * @param {Tile} area @param {number} times @param {number} most @returns {Tile[]} */
function grid(area, times, most) {
  let across = Math.min(most, times)
  while (times % across) across--
  const [width, height] = [area.width / across, area.height / (times / across)]
  return Array.from({ length: times }, (_, place) => ({
    x: area.x + width * (place % across),
    y: area.y + height * Math.floor(place / across),
    width,
    height,
  }))
}

/** @param {Tile} tile */
export const isThin = (tile) => Math.min(tile.width, tile.height) < THIN

/** @param {number} value */
const percent = (value) => String(Number(value.toFixed(PLACES)))
/** `12 × 7,087,872`, or the number alone. @param {{ each: number, times: number }} share */
export const amount = ({ each, times }) => (times > 1 ? `${whole(times)} × ${whole(each)}` : whole(each))
/** @param {Tile} tile  edges and sizes as attributes; an edge at zero needs none */
const placeOf = (tile) =>
  /** @type {(keyof Tile)[]} */ (["x", "y", "width", "height"])
    .map((name) => (percent(tile[name]) === "0" ? "" : ` ${name}="${percent(tile[name])}%"`))
    .join("")
/** @param {Tile} tile */
export const rectangle = (tile) => `<rect${placeOf(tile)}/>`
/** Several of them. @param {Tile[]} group */
export const rectangles = (group) => group.map(rectangle).join("")
/** The lines between so many blocks side by side. @param {number} times @param {Tile} area */
export const linesBetween = (times, area) =>
  `<svg${placeOf(area)} viewBox="0 0 ${times} 1" preserveAspectRatio="none"><path d="` +
  `${Array.from({ length: times - 1 }, (_, place) => `M${place + 1} 0v1`).join("")}" class="bc-between"/></svg>`

/** How wide a block has to be for a name, or a name above a number, to stay within it. @param {string} name @param {string} [number] */
const roomFor = (name, number = "") => Math.max(LETTER * name.length, DIGIT * number.length)

/** Name and number in the middle of a block, one above the other or upright, where there is room.
 * @param {string} name @param {string} number @param {Tile} tile */
export function label(name, number, { x: left, y: top, width, height }) {
  const [x, y] = [percent(left + width / 2), percent(top + height / 2)]
  if (width >= roomFor(name, number) && height >= LOW)
    return `<text x="${x}%" y="${y}%">${name}<tspan x="${x}%" dy="1.3em">${number}</tspan></text>`
  const upright = width >= 4.5 && height >= 30
  return upright ? `<text x="${x}%" y="${y}%" class="bc-upright">${name} · ${number}</text>` : ""
}

/** A name in the middle of a block, where there is room. @param {string} name @param {Tile} tile */
export function nameAlone(name, { x, y, width, height }) {
  if (width < roomFor(name) || height < LOWEST) return ""
  return `<text x="${percent(x + width / 2)}%" y="${percent(y + height / 2)}%" dominant-baseline="central">${name}</text>`
}

/** A triangle at the top of a narrow block, or at the right of a low one, that points to it.
 * @param {Tile} tile */
export function mark({ x, y, width, height }) {
  const narrow = width < THIN
  const [left, top] = narrow ? [x + width / 2, y] : [x + width, y + height / 2]
  const path = narrow ? "M0 0l-5 -8h10z" : "M0 0l8 -5v10z"
  return `<svg x="${percent(left)}%" y="${percent(top)}%" class="bc-mark"><path d="${path}"/></svg>`
}

/** The swatch of a style before a name. @param {string} style @param {boolean} [thin] */
export const keyOf = (style, thin) => `<i class="${thin ? "bc-key-thin" : "bc-key"} ${style}"></i>`

/** A sum whose terms have the colours of a picture, and may be links.
 * @param {{ label: string, each: number, times: number, style: string, thin: boolean, href: string }[]} terms @param {number} total */
export function sumLine(terms, total) {
  const listed = terms.map(({ style, thin, href, ...term }, order) => {
    const words = `<small>${keyOf(style, thin)}${term.label}</small> ${amount(term)}`
    return `<span>${order ? "+ " : ""}${href ? `<a href="${href}">${words}</a>` : `<span>${words}</span>`}</span>`
  })
  const result = `<span>= <strong data-value="${total}">${whole(total)}</strong></span>`
  return `<p class="bc-level-sum">${listed.join(" ")} ${result}</p>`
}
