// Areas in proportion to parameters, with the sum that they show, for sizes that
// a reader types. It draws what macros/rendering/figures/area_map.py and
// tiling.py draw for published models while the site is built, with the same
// constants; tests/scripts/test_drawing.py compares the two. Everything is placed
// in per cent, so a picture may have any size.

import table from "../../data/table.js"
import { whole } from "../counting/engine.js"

const THIN = 0.7 // per cent of the picture: a tile narrower or lower than this is marked
// The widest that a letter of a name and a character of a number get, in per cent of a picture's width on a phone.
const [LETTER, DIGIT] = [2.15, 2]
// The height that a name above its number needs, and that a name alone needs, in per cent of a picture's height.
const [LOW, LOWEST] = [10, 9]
// The width and height that a name and its number need when they are turned upright, in per cent.
const [UPRIGHT_WIDTH, UPRIGHT_HEIGHT] = [4.5, 30]
const PLACES = 4 // decimals of a position in per cent
export const THIN_KEY = ` ${table.phrases.thin}`
/** @type {Tile} */
export const WHOLE = { x: 0, y: 0, width: 100, height: 100 }

/**
 * The tiles of each kind of block, one list per share; together they fill `within`.
 * @param {string} split  "columns" or "rows"
 * @param {Share[]} shares
 * @param {Tile} within
 */
export function tiles(split, shares, within) {
  const [start, extent] = /** @type {(keyof Tile)[]} */ (split === "columns" ? ["x", "width"] : ["y", "height"])
  const total = shares.reduce((sum, { each, times }) => sum + each * times, 0)
  let before = 0
  return shares.map(({ each, times, most }) => {
    const amount = each * times
    const from = within[start] + (within[extent] * before) / total
    const size = (within[extent] * amount) / total
    before += amount
    return grid({ ...within, [start]: from, [extent]: size }, times, most)
  })
}

/**
 * A grid of equal cells: as many side by side as divide their number, up to `most`.
 * @param {Tile} area
 * @param {number} times
 * @param {number} most
 * @returns {Tile[]}
 */
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

/**
 * `12 × 7,087,872`, or the number alone if there is one block.
 * @param {{ each: number, times: number }} share
 */
export const amount = ({ each, times }) => (times > 1 ? `${whole(times)} × ${whole(each)}` : whole(each))

/**
 * Position and size of a tile as attributes; those at zero are left out.
 * @param {Tile} tile
 */
const edges = (tile) =>
  /** @type {(keyof Tile)[]} */ (["x", "y", "width", "height"])
    .map((name) => (percent(tile[name]) === "0" ? "" : ` ${name}="${percent(tile[name])}%"`))
    .join("")

/** @param {Tile} tile */
export const rectangle = (tile) => `<rect${edges(tile)}/>`
/** @param {Tile[]} group */
export const rectangles = (group) => group.map(rectangle).join("")

/**
 * The lines between blocks that lie side by side in an area and are too many to draw one by one.
 * @param {number} times  how many blocks there are
 * @param {Tile} area
 */
export const linesBetween = (times, area) =>
  `<svg${edges(area)} viewBox="0 0 ${times} 1" preserveAspectRatio="none"><path d="` +
  `${Array.from({ length: times - 1 }, (_, place) => `M${place + 1} 0v1`).join("")}" class="bc-between"/></svg>`

/**
 * The width, in per cent, that a block needs for a name, or for a name above a number.
 * @param {string} name
 * @param {string} [number]
 */
const roomFor = (name, number = "") => Math.max(LETTER * name.length, DIGIT * number.length)

/**
 * Name and number in the middle of a block: one above the other, or upright, or nothing, as there is room.
 * @param {string} name
 * @param {string} number
 * @param {Tile} tile
 */
export function label(name, number, { x: left, y: top, width, height }) {
  const [x, y] = [percent(left + width / 2), percent(top + height / 2)]
  if (width >= roomFor(name, number) && height >= LOW)
    return `<text x="${x}%" y="${y}%">${name}<tspan x="${x}%" dy="1.3em">${number}</tspan></text>`
  const isUpright = width >= UPRIGHT_WIDTH && height >= UPRIGHT_HEIGHT
  return isUpright ? `<text x="${x}%" y="${y}%" class="bc-upright">${name} · ${number}</text>` : ""
}

/**
 * A name in the middle of a block; empty if there is no room for it.
 * @param {string} name
 * @param {Tile} tile
 */
export function nameAlone(name, { x, y, width, height }) {
  if (width < roomFor(name) || height < LOWEST) return ""
  return `<text x="${percent(x + width / 2)}%" y="${percent(y + height / 2)}%" dominant-baseline="central">${name}</text>`
}

/**
 * The triangle that points to a thin block, from above if it is narrow, from the right if it is low.
 * @param {Tile} tile
 */
export function mark({ x, y, width, height }) {
  const isNarrow = width < THIN
  const [left, top] = isNarrow ? [x + width / 2, y] : [x + width, y + height / 2]
  const path = isNarrow ? "M0 0l-5 -8h10z" : "M0 0l8 -5v10z"
  return `<svg x="${percent(left)}%" y="${percent(top)}%" class="bc-mark"><path d="${path}"/></svg>`
}

/**
 * The swatch of a style, as it stands before a name.
 * @param {string} style
 * @param {boolean} [thin]  show the mark of a thin block instead of the colour
 */
export const keyOf = (style, thin) => `<i class="${thin ? "bc-key-thin" : "bc-key"} ${style}"></i>`

/**
 * The sum of a picture; its terms have the colours of the blocks, and links where they have an address.
 * @param {{ label: string, each: number, times: number, style: string, thin: boolean, href: string }[]} terms
 * @param {number} total
 */
export function sumLine(terms, total) {
  const addends = terms.map(({ style, thin, href, ...term }, order) => {
    const words = `<small>${keyOf(style, thin)}${term.label}</small> ${amount(term)}`
    return `<span>${order ? "+ " : ""}${href ? `<a href="${href}">${words}</a>` : `<span>${words}</span>`}</span>`
  })
  const result = `<span>= <strong data-value="${total}">${whole(total)}</strong></span>`
  return `<p class="bc-level-sum">${addends.join(" ")} ${result}</p>`
}
