// The levels of the map, drawn for any model: areas in proportion to
// parameters, with the sum that they show. What is drawn, and how, is what
// macros/rendering/figures/area_map.py draws while the site is built, to the
// letter; a test compares the two. The levels themselves stand in the page.

import { count, whole } from "../counting/engine.js"
import { escaped } from "./html.js"

const THIN = 0.7 // per cent: what is narrower or lower gets a mark
// Per cent of a picture's width on a phone that a letter of a name takes at most, and a character of a number.
const LETTER = 2.15,
  DIGIT = 2
// Per cent of a picture's height that a name above its number takes at least, and a name alone.
const LOW = 10,
  LOWEST = 9
const PLACES = 4
const MOST_DRAWN = 24
const SIDE_BY_SIDE = 999
export const MODEL_CLASS = "BertModel"
export const THIN_KEY = ' <i class="bc-key-thin"></i>marks what is too thin to see.'
/** @type {Tile} */
export const WHOLE = { x: 0, y: 0, width: 100, height: 100 }

// A script that draws nothing of a page without levels has none.
/** @type {Level[]} */
export const levels = JSON.parse(document.querySelector("#levels")?.textContent ?? "[]")

// --- Counting and cutting -----------------------------------------------------

/** @typedef {Share & { block: Block, group: Tile[] }} Drawn  a kind of block: what one counts, how many there are, where */

/** The kinds of blocks of a level. @param {Level} level @param {Sizes} sizes @param {Tile} [within] @returns {Drawn[]} */
function kindsOf(level, sizes, within = WHOLE) {
  const shares = level.blocks.map((block) => {
    const { part, tag, per, times = "1", most = SIDE_BY_SIDE } = block
    const [above, below] = times.split("/").map((each) => sizes[each] ?? Number(each))
    const number = Number(count({ modelClass: MODEL_CLASS, sizes, part, tag }))
    return { block, each: Math.floor(number / (per ? sizes[per] : 1)), times: Math.floor(above / (below ?? 1)), most }
  })
  const groups = tiles(level.split, shares, within)
  return shares.map((share, order) => ({ ...share, group: groups[order] }))
}

/** @param {Share[]} shares */
const added = (shares) => shares.reduce((sum, { each, times }) => sum + each * times, 0)
/** @param {Level} level @param {Sizes} sizes */
const totalOf = (level, sizes) => added(kindsOf(level, sizes))

/** The rectangles of every kind of block, which together are `within`.
 * @param {string} split @param {Share[]} shares @param {Tile} within */
export function tiles(split, shares, within) {
  const [at, along] = /** @type {(keyof Tile)[]} */ (split === "columns" ? ["x", "width"] : ["y", "height"])
  const total = added(shares)
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

// --- Drawing ----------------------------------------------------------------

/** @param {number} value */
const percent = (value) => String(Number(value.toFixed(PLACES)))
/** `12 × 7,087,872`, or the number alone. @param {{ each: number, times: number }} share */
export const amount = ({ each, times }) => (times > 1 ? `${whole(times)} × ${whole(each)}` : whole(each))
const ROOT = globalThis.document?.documentElement.dataset.root ?? "" // what is embedded says where it stands

/** @param {Block} block @param {string} home */
export const leadsTo = ({ to, page }, home) => (to ? `${home}/${to}` : `${ROOT}${page}`)
/** The path of what a block leads to on the map: a level, or where scripts run a tensor down to one parameter.
 * @param {Level} level @param {Block} block */
export const below = ({ path }, { to, cells, label }) => to ?? (cells && `${path}/${label.replaceAll(" ", "-")}`)
/** @param {string} root @param {string} path */
export const at = (root, path) => (path ? `${root}/${path}` : root)

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
export const roomFor = (name, number = "") => Math.max(LETTER * name.length, DIGIT * number.length)

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

/** @param {Block} block @param {number} place */
const nameOf = ({ label, names = [] }, place) => (names.length === 1 ? `${names[0]} ${place}` : (names[place] ?? label))

/** A triangle at the top of a narrow block, or at the right of a low one, that points to it.
 * @param {Tile} tile */
export function mark({ x, y, width, height }) {
  const narrow = width < THIN
  const [left, top] = narrow ? [x + width / 2, y] : [x + width, y + height / 2]
  const path = narrow ? "M0 0l-5 -8h10z" : "M0 0l8 -5v10z"
  return `<svg x="${percent(left)}%" y="${percent(top)}%" class="bc-mark"><path d="${path}"/></svg>`
}

/** The blocks within each of a group that have another colour and are not too thin to see.
 * @param {Drawn} kind @param {Sizes} sizes @returns {Drawn[]} */
function within({ block: { to, style }, group }, sizes) {
  const level = levels.find((each) => each.path === to)
  if (!to || !level) return []
  const cut = group.map((tile) => kindsOf(level, sizes, tile))
  return kindsOf(level, sizes)
    .map((kind, order) => ({ ...kind, group: cut.flatMap((each) => each[order].group) }))
    .filter((kind) => kind.block.style !== style && !kind.group.some(isThin))
}

/** Blocks side by side that are too many for a rectangle each: one for all, and the lines between them. @param {Drawn} kind */
function many({ block, each, times, group }) {
  const [first, last] = [group[0], group[group.length - 1]]
  const area = { ...first, width: last.x + last.width - first.x }
  const value = `<g data-value="${each * times}">${rectangle(area)}</g>`
  return value + linesBetween(times, area) + label(block.label, amount({ each, times }), area)
}

/** All blocks of a kind as one link. @param {Drawn} kind @param {Sizes} sizes @param {string} home */
function groupOf(kind, sizes, home) {
  const { block, each, times, group } = kind
  const inner = within(kind, sizes)
  const cut = inner.map((of) => `<g class="bc-${of.block.style}" data-value="${of.each}">${rectangles(of.group)}</g>`)
  // A name across the edge between two colours is hard to read, and a number within one would be taken for its.
  const largest = inner.reduce((most, other) => (other.each > most.each ? other : most), inner[0])
  const labels = () =>
    largest
      ? largest.group.map((tile, place) => nameAlone(nameOf(block, place), tile))
      : group.map((tile, place) => label(nameOf(block, place), whole(each), tile))
  const isMany = times > MOST_DRAWN && group[0].y === group[group.length - 1].y
  const drawn = isMany ? many(kind) : [...cut, rectangles(group), ...labels()].join("")
  const thin = isThin(group[0])
  return (
    `<a href="${leadsTo(block, home)}" class="bc-${block.style}${thin ? " bc-thin" : ""}" data-value="${each}">` +
    `<title>${block.label}: ${amount(kind)}</title>${drawn}${thin ? mark(group[0]) : ""}</a>`
  )
}

/** The swatch of a style before a name. @param {string} style @param {boolean} [thin] */
export const keyOf = (style, thin) => `<i class="${thin ? "bc-key-thin" : "bc-key"} ${style}"></i>`

/** What the areas mean, how far they are magnified, and what the colours within blocks and the marks are.
 * @param {Level} level @param {Drawn[]} kinds @param {Sizes} sizes */
function caption(level, kinds, sizes) {
  const [size, total] = [totalOf(levels[0], sizes), added(kinds)]
  const tenths = Math.floor((20 * size + total) / (2 * total))
  const scale = level.path && `, magnified ${whole(Math.floor(tenths / 10))}.${tenths % 10} times`
  const named = kinds.flatMap((kind) =>
    within(kind, sizes).map(({ block }) => ` ${keyOf(`bc-${block.style}`)}${block.label}`),
  )
  const colours = named.length ? ` Within each layer:${named.join("")}.` : ""
  return `Areas are to scale${scale}.${colours}${kinds.some(({ group }) => group.some(isThin)) ? THIN_KEY : ""}`
}

/** The picture as a figure, with a link to itself; see pages/cite.js.
 * @param {Level} level @param {Drawn[]} kinds @param {Sizes} sizes @param {string} title @param {string} root */
function picture(level, kinds, sizes, title, root) {
  const address = at(root, level.path)
  const name = `figure-${address}`
  const described = kinds.map((kind) => `${kind.block.label}: ${amount(kind)}`).join("; ")
  const drawn = kinds.map((kind) => groupOf(kind, sizes, `#${root}`)).join("")
  return (
    `<figure class="bc-figure" id="${name}" data-search-exclude>` +
    `<svg role="group" aria-labelledby="${name}-title ${name}-description" focusable="false" class="bc-map">` +
    `<title id="${name}-title">${level.title}, ${title}</title><desc id="${name}-description">${described}.</desc>` +
    `${drawn}</svg><figcaption>${caption(level, kinds, sizes)} <a class="bc-permalink" href="#${address}"` +
    ' title="Link to this figure" aria-label="Link to this figure">#</a></figcaption></figure>'
  )
}

/** A sum whose terms have the colours of a picture, and may be links.
 * @param {{ label: string, each: number, times: number, style: string, thin: boolean, href: string }[]} terms @param {number} total */
export function sumLine(terms, total) {
  const listed = terms.map(({ style, thin, href, ...term }) => {
    const words = `<small>${keyOf(style, thin)}${term.label}</small> ${amount(term)}`
    return href ? `<a href="${href}">${words}</a>` : `<span>${words}</span>`
  })
  const result = `<span>= <strong data-value="${total}">${whole(total)}</strong></span>`
  return `<p class="bc-level-sum" data-result="${whole(total)} parameters">${listed.join(" + ")} ${result}</p>`
}

/** The sums of the levels above, the whole model first, in each of which the block that leads on is marked.
 * @param {{ path: string }} level @param {Sizes} sizes @param {string} root */
export function trail({ path }, sizes, root) {
  /** @param {Level} upper @returns {(block: Block) => boolean} */
  const leadsOn = (upper) => (block) => `${path}/`.startsWith(`${below(upper, block) ?? " "}/`)
  const lines = levels
    .filter((upper) => upper.blocks.some(leadsOn(upper)))
    .map((upper) => {
      const kinds = kindsOf(upper, sizes)
      const terms = kinds.map((kind) => (leadsOn(upper)(kind.block) ? `<mark>${amount(kind)}</mark>` : amount(kind)))
      const link = `<a href="#${at(root, upper.path)}">${upper.title}</a>`
      return `<li>${link} <span>${terms.join(" + ")} = ${whole(added(kinds))}</span></li>`
    })
  return lines.length ? `<ol class="bc-trail" aria-label="Levels above">${lines.join("")}</ol>` : ""
}

/** A level of a model as HTML.
 * @param {Level} level @param {Sizes} sizes @param {string} title  what the model is called @param {string} root  the first part of its address */
export function section(level, sizes, title, root) {
  const [address, named, home] = [at(root, level.path), escaped(title), `#${root}`]
  const aliases = (level.aliases ?? []).map((each) => `<span id="${at(root, each)}"></span>`).join("")
  const kinds = kindsOf(level, sizes)
  const terms = kinds.map(({ block, each, times, group: [first] }) => {
    const { label, style } = block
    return { label, each, times, style: `bc-${style}`, thin: isThin(first), href: leadsTo(block, home) }
  })
  return (
    `<section class="bc-level" id="${address}">` +
    `<h2>${aliases}${level.title} <small>${named}: ${whole(added(kinds))} parameters</small></h2>` +
    `${picture(level, kinds, sizes, named, root)}${sumLine(terms, added(kinds))}${trail(level, sizes, root)}</section>`
  )
}
