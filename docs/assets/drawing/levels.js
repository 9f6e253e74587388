// Draws areas in proportion to numbers of parameters, and the sum that they show, for sizes
// that a reader enters. In the build, macros/rendering/figures/area_map.py and tiling.py draw
// the same for published models, with the same constants; tests/scripts/test_drawing.py
// compares the results.
//
// All positions are percentages, so a picture may have any size. As in the build, SVG and
// HTML are strings, which contain only the site's own words.

import table from "../../data/table.js"
import { whole } from "../counting/engine.js"

// Widths and heights are percentages of those of the picture.
const MIN_VISIBLE = 0.7 // a tile narrower or shorter than this gets a mark, because it is hard to see
// The largest widths of a letter in a name and of a character in a number, on a phone.
const [LETTER_WIDTH, DIGIT_WIDTH] = [2.15, 2]
// The height that a name needs with its number below it, and the height that it needs alone.
const [LABEL_HEIGHT, NAME_HEIGHT] = [10, 9]
// The width and the height that a name and its number need if they are set vertically.
const [VERTICAL_WIDTH, VERTICAL_HEIGHT] = [4.5, 30]
const DECIMALS = 4 // the decimals of a position, enough that no edge is visibly misplaced
/** The end of the caption of a picture with marks, which explains them. */
export const THIN_KEY = ` ${table.phrases.thin}`
/** The tile that fills the picture. @type {Tile} */
export const WHOLE = { x: 0, y: 0, width: 100, height: 100 }

/**
 * The tiles of each kind of block, one list per kind. Together they fill the area `within`.
 * @param {string} split  "columns" or "rows"
 * @param {BlockKind[]} kinds
 * @param {Tile} within
 */
export function tiles(split, kinds, within) {
  const [start, extent] = /** @type {(keyof Tile)[]} */ (split === "columns" ? ["x", "width"] : ["y", "height"])
  const total = kinds.reduce((sum, { each, times }) => sum + each * times, 0)
  let position = 0
  return kinds.map(({ each, times, maxSideBySide }) => {
    const number = each * times
    const from = within[start] + (within[extent] * position) / total
    const size = (within[extent] * number) / total
    position += number
    return grid({ ...within, [start]: from, [extent]: size }, times, maxSideBySide)
  })
}

/**
 * A grid of equal cells. The number of columns is the largest divisor of `times` that is at most `maxColumns`.
 * @param {Tile} area
 * @param {number} times
 * @param {number} maxColumns
 * @returns {Tile[]}
 */
function grid(area, times, maxColumns) {
  let columns = Math.min(maxColumns, times)
  while (times % columns) columns--
  const [width, height] = [area.width / columns, area.height / (times / columns)]
  return Array.from({ length: times }, (_, index) => ({
    x: area.x + width * (index % columns),
    y: area.y + height * Math.floor(index / columns),
    width,
    height,
  }))
}

/** Whether a tile is too thin to be seen with an outline. @param {Tile} tile */
export const isThin = (tile) => Math.min(tile.width, tile.height) < MIN_VISIBLE

/** A percentage with as few digits as it needs, without the percent sign. @param {number} value */
const percent = (value) => String(Number(value.toFixed(DECIMALS)))

/**
 * `12 × 7,087,872`, or the number alone if there is one block.
 * @param {{ each: number, times: number }} kind
 */
export const amount = ({ each, times }) => (times > 1 ? `${whole(times)} × ${whole(each)}` : whole(each))

/**
 * The position and size of a tile as attributes, without those that are zero.
 * @param {Tile} tile
 */
const attributesOf = (tile) =>
  /** @type {(keyof Tile)[]} */ (["x", "y", "width", "height"])
    .map((name) => (percent(tile[name]) === "0" ? "" : ` ${name}="${percent(tile[name])}%"`))
    .join("")

/** A tile as an SVG rectangle. @param {Tile} tile */
export const rectangle = (tile) => `<rect${attributesOf(tile)}/>`
/** Tiles as SVG rectangles. @param {Tile[]} tileList */
export const rectangles = (tileList) => tileList.map(rectangle).join("")

/**
 * The lines between the blocks of an area that has too many blocks to draw them one by one.
 * @param {number} times  the number of blocks
 * @param {Tile} area
 */
export function linesBetween(times, area) {
  // One unit is one block; the view box stretches all blocks to the width of the area.
  const path = Array.from({ length: times - 1 }, (_, index) => `M${index + 1} 0v1`).join("")
  const lines = `<path d="${path}" class="bc-between"/>`
  return `<svg${attributesOf(area)} viewBox="0 0 ${times} 1" preserveAspectRatio="none">${lines}</svg>`
}

/**
 * The width that a block needs for a name, or for a name above a number, as a percentage.
 * @param {string} name
 * @param {string} [number]
 */
const widthFor = (name, number = "") => Math.max(LETTER_WIDTH * name.length, DIGIT_WIDTH * number.length)

/**
 * The name and number in the middle of a block: on two lines, which are 1.3 em apart; set vertically if only that
 * fits; "" if neither fits.
 * @param {string} name
 * @param {string} number
 * @param {Tile} tile
 */
export function label(name, number, { x: left, y: top, width, height }) {
  const [x, y] = [percent(left + width / 2), percent(top + height / 2)]
  if (width >= widthFor(name, number) && height >= LABEL_HEIGHT)
    return `<text x="${x}%" y="${y}%">${name}<tspan x="${x}%" dy="1.3em">${number}</tspan></text>`
  const isVertical = width >= VERTICAL_WIDTH && height >= VERTICAL_HEIGHT
  return isVertical ? `<text x="${x}%" y="${y}%" class="bc-upright">${name} · ${number}</text>` : ""
}

/**
 * A name in the middle of a block; "" if there is no room for it.
 * @param {string} name
 * @param {Tile} tile
 */
export function nameAlone(name, { x, y, width, height }) {
  if (width < widthFor(name) || height < NAME_HEIGHT) return ""
  return `<text x="${percent(x + width / 2)}%" y="${percent(y + height / 2)}%" dominant-baseline="central">${name}</text>`
}

// Triangles of 10 by 8 pixels, with their tips at the origin.
const [POINTING_DOWN, POINTING_LEFT] = ["M0 0l-5 -8h10z", "M0 0l8 -5v10z"]

/**
 * The triangle that points to a thin block: from above if the block is narrow, from the right if it is short.
 * @param {Tile} tile
 */
export function mark({ x, y, width, height }) {
  const isNarrow = width < MIN_VISIBLE
  const [left, top] = isNarrow ? [x + width / 2, y] : [x + width, y + height / 2]
  const path = isNarrow ? POINTING_DOWN : POINTING_LEFT
  return `<svg x="${percent(left)}%" y="${percent(top)}%" class="bc-mark"><path d="${path}"/></svg>`
}

/**
 * A swatch of the colour of a style, to show before a name.
 * @param {string} style
 * @param {boolean} [isThinBlock]  whether to show the mark of a thin block instead of the colour
 */
export const keyOf = (style, isThinBlock) => `<i class="${isThinBlock ? "bc-key-thin" : "bc-key"} ${style}"></i>`

/**
 * The sum that a picture shows. Its terms have swatches in the colours of the blocks, and are links if they have an
 * address.
 * @param {{ label: string, each: number, times: number, style: string, thin: boolean, href: string }[]} terms
 * @param {number} total
 */
export function sumLine(terms, total) {
  const addends = terms.map(({ style, thin, href, ...term }, index) => {
    const words = `<small>${keyOf(style, thin)}${term.label}</small> ${amount(term)}`
    const addend = href ? `<a href="${href}">${words}</a>` : `<span>${words}</span>`
    return `<span>${index ? "+ " : ""}${addend}</span>`
  })
  const result = `<span>= <strong data-value="${total}">${whole(total)}</strong></span>`
  return `<p class="bc-level-sum">${addends.join(" ")} ${result}</p>`
}
