// The levels of the map, drawn for any model: areas in proportion to
// parameters, with the sum that they show. What is drawn, and how, is what
// macros/rendering/figures/area_map.py draws while the site is built, to the
// letter; a test compares the two. The levels themselves stand in the page.

import { count, whole } from "../counting/engine.js"

const THIN = 0.7 // per cent: what is narrower or lower gets a mark
// Per cent of a picture's width on a phone that a letter of a name takes at most, and a character of a number.
const LETTER = 2,
  DIGIT = 1.85
const MOST_INSIDE = 4
const PLACES = 4
const MOST_DRAWN = 24
const SIDE_BY_SIDE = 999
const MODEL_CLASS = "BertModel"
const KEYS = ["bc-key", "bc-key-thin"]
/** @type {Tile} */
const WHOLE = { x: 0, y: 0, width: 100, height: 100 }

// A script that draws nothing of a page without levels has none.
/** @type {Level[]} */
export const levels = JSON.parse(document.querySelector("#levels")?.textContent ?? "[]")
/** @param {string} path */
const levelAt = (path) => /** @type {Level} */ (levels.find((each) => each.path === path))

// --- Counting ---------------------------------------------------------------

/** @param {Block} block @param {Sizes} sizes  how many blocks of a kind the model has */
function timesOf({ times = "1" }, sizes) {
  const [above, below] = times.split("/")
  const many = sizes[above] ?? Number(above)
  return below ? Math.floor(many / sizes[below]) : many
}

/** @param {Block} block @param {Sizes} sizes  what one block of a kind counts */
function eachOf({ part, tag, per }, sizes) {
  const number = Number(count({ modelClass: MODEL_CLASS, sizes, part, tag }))
  return per ? Math.floor(number / sizes[per]) : number
}

/** @param {Level} level @param {Sizes} sizes @returns {Share[]} */
const sharesOf = (level, sizes) =>
  level.blocks.map((block) => ({
    each: eachOf(block, sizes),
    times: timesOf(block, sizes),
    most: block.most ?? SIDE_BY_SIDE,
  }))

/** @param {Share[]} shares */
const added = (shares) => shares.reduce((sum, { each, times }) => sum + each * times, 0)
/** @param {Level} level @param {Sizes} sizes */
const totalOf = (level, sizes) => added(sharesOf(level, sizes))

/** The levels above one, the whole model first, each with the block that leads on towards it.
 * @param {Level} level @returns {[Level, Block][]} */
const above = (level) =>
  levels.flatMap((upper) =>
    upper.blocks
      .filter(({ to }) => to && (to === level.path || level.path.startsWith(`${to}/`)))
      .map((block) => /** @type {[Level, Block]} */ ([upper, block])),
  )

// --- Cutting ----------------------------------------------------------------

/** The rectangles of every kind of block, which together are `within`.
 * @param {string} split @param {Share[]} shares @param {Tile} within */
export function tiles(split, shares, within) {
  const total = added(shares)
  let start = 0
  return shares.map(({ each, times, most }) => {
    const amount = each * times
    const area = { ...within }
    if (split === "columns") {
      area.x = within.x + (within.width * start) / total
      area.width = (within.width * amount) / total
    } else {
      area.y = within.y + (within.height * start) / total
      area.height = (within.height * amount) / total
    }
    start += amount
    return grid(area, times, most)
  })
}

/** Equal cells in rows; as many side by side as divide the number and are no more than `most`.
 * @param {Tile} area @param {number} times @param {number} most @returns {Tile[]} */
function grid(area, times, most) {
  let across = Math.min(most, times)
  while (times % across) across--
  const down = times / across
  const [width, height] = [area.width / across, area.height / down]
  return Array.from({ length: times }, (_, place) => ({
    x: area.x + width * (place % across),
    y: area.y + height * Math.floor(place / across),
    width,
    height,
  }))
}

/** @param {Level} level @param {Sizes} sizes @param {Tile} [within] */
const placed = (level, sizes, within = WHOLE) => tiles(level.split, sharesOf(level, sizes), within)
/** @param {Tile} tile */
export const isThin = (tile) => Math.min(tile.width, tile.height) < THIN

// --- Drawing ----------------------------------------------------------------

/** @param {number} value */
const percent = (value) => String(Number(value.toFixed(PLACES)))
/** @param {Share} share  `12 × 7,087,872`, or the number alone */
const amount = ({ each, times }) => (times > 1 ? `${whole(times)} × ${whole(each)}` : whole(each))
const ROOT = globalThis.document?.documentElement.dataset.root ?? "" // what is embedded says where it stands

/** @param {Block} block @param {string} home */
const leadsTo = ({ to, page }, home) => (to ? `${home}/${to}` : `${ROOT}${page}`)
/** @param {string} root @param {string} path */
export const at = (root, path) => (path ? `${root}/${path}` : root)
/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")

/** @param {Tile} tile  edges and sizes as attributes; an edge at zero needs none */
export const placeOf = (tile) =>
  /** @type {(keyof Tile)[]} */ (["x", "y", "width", "height"])
    .filter((name) => percent(tile[name]) !== "0")
    .map((name) => ` ${name}="${percent(tile[name])}%"`)
    .join("")
/** @param {Tile} tile */
export const rectangle = (tile) => `<rect${placeOf(tile)}/>`

/** How wide a block has to be for a name, or a name above a number, to stay within it. @param {string} name @param {string} [number] */
export const roomFor = (name, number = "") => Math.max(LETTER * name.length, DIGIT * number.length)

/** Name and number in the middle of a block, one above the other or upright, where there is room.
 * @param {string} name @param {string} number @param {Tile} tile */
export function label(name, number, tile) {
  const [x, y] = [percent(tile.x + tile.width / 2), percent(tile.y + tile.height / 2)]
  if (tile.width >= roomFor(name, number) && tile.height >= 10) {
    return `<text x="${x}%" y="${y}%">${name}<tspan x="${x}%" dy="1.3em">${number}</tspan></text>`
  }
  return tile.width >= 4.5 && tile.height >= 30
    ? `<text x="${x}%" y="${y}%" class="bc-upright">${name} · ${number}</text>`
    : ""
}

/** @param {Block} block @param {number} place */
const nameOf = ({ label, names = [] }, place) => (names.length === 1 ? `${names[0]} ${place}` : (names[place] ?? label))

/** A triangle at the top of a narrow block, or at the right of a low one, that points to it.
 * @param {Tile} tile */
export function mark(tile) {
  const narrow = tile.width < THIN
  const x = percent(narrow ? tile.x + tile.width / 2 : tile.x + tile.width)
  const y = percent(narrow ? tile.y : tile.y + tile.height / 2)
  return `<svg x="${x}%" y="${y}%" class="bc-mark"><path d="${narrow ? "M0 0l-5 -8h10z" : "M0 0l8 -5v10z"}"/></svg>`
}

/** The blocks within each of a group, if they are few enough to leave its number readable.
 * @param {Block} block @param {Tile[]} group @param {Sizes} sizes */
function within({ to }, group, sizes) {
  if (!to) return []
  const level = levelAt(to)
  const cut = group.map((tile) => placed(level, sizes, tile))
  const shares = sharesOf(level, sizes)
  const kinds = level.blocks
    .map((inner, place) => ({ inner, share: shares[place], found: cut.flatMap((each) => each[place]) }))
    .filter(({ found }) => !found.some(isThin))
  const number = kinds.reduce((sum, { share }) => sum + share.times, 0)
  return number > 1 && number <= MOST_INSIDE ? kinds : []
}

/** What the block's own level shows. @param {Block} block @param {Tile[]} group @param {Sizes} sizes */
const inside = (block, group, sizes) =>
  within(block, group, sizes)
    .map(
      ({ inner, share, found }) =>
        `<g class="bc-${inner.style}" data-value="${share.each}">${found.map(rectangle).join("")}</g>`,
    )
    .join("")

/** Blocks side by side that are too many for a rectangle each: one for all, and the lines between them.
 * @param {Block} block @param {Share} share @param {Tile[]} group */
function many(block, share, group) {
  const [first, last] = [group[0], group[group.length - 1]]
  const area = { x: first.x, y: first.y, width: last.x + last.width - first.x, height: first.height }
  const lines = Array.from({ length: share.times - 1 }, (_, place) => `M${place + 1} 0v1`).join("")
  return (
    `<g data-value="${share.each * share.times}">${rectangle(area)}</g>` +
    `<svg${placeOf(area)} viewBox="0 0 ${share.times} 1" preserveAspectRatio="none"><path d="${lines}" class="bc-between"/></svg>` +
    label(block.label, amount(share), area)
  )
}

/** All blocks of a kind as one link.
 * @param {Block} block @param {Share} share @param {Tile[]} group @param {Sizes} sizes @param {string} home */
function groupOf(block, share, group, sizes, home) {
  const drawn =
    share.times > MOST_DRAWN && group[0].y === group[group.length - 1].y
      ? many(block, share, group)
      : inside(block, group, sizes) +
        group.map(rectangle).join("") +
        group.map((tile, place) => label(nameOf(block, place), whole(share.each), tile)).join("")
  const thin = isThin(group[0])
  return (
    `<a href="${leadsTo(block, home)}" class="bc-${block.style}${thin ? " bc-thin" : ""}" data-value="${share.each}">` +
    `<title>${block.label}: ${amount(share)}</title>${drawn}${thin ? mark(group[0]) : ""}</a>`
  )
}

/** @param {Level} level @param {Sizes} sizes  what the areas mean, how far they are magnified, and what the marks are */
function caption(level, sizes) {
  const [size, total] = [totalOf(levelAt(""), sizes), totalOf(level, sizes)]
  const tenths = Math.floor((20 * size + total) / (2 * total))
  const scale = `, magnified ${whole(Math.floor(tenths / 10))}.${tenths % 10} times`
  const marks = placed(level, sizes).flat().some(isThin)
    ? ' <i class="bc-key-thin"></i>marks what is too thin to see.'
    : ""
  return `Areas are to scale${level.path ? scale : ""}.${otherColours(level, sizes)}${marks}`
}

/** Names for what is drawn within blocks in other colours than theirs. @param {Level} level @param {Sizes} sizes */
function otherColours(level, sizes) {
  const named = kindsOf(level, sizes)
    .flatMap(({ block, group }) => within(block, group, sizes).filter(({ inner }) => inner.style !== block.style))
    .map(({ inner }) => ` <i class="bc-key bc-${inner.style}"></i>${inner.label}`)
  return named.length ? ` Within each layer:${named.join("")}.` : ""
}

/** The kinds of blocks of a level, each with what it counts and where it is.
 * @param {Level} level @param {Sizes} sizes */
function kindsOf(level, sizes) {
  const [shares, groups] = [sharesOf(level, sizes), placed(level, sizes)]
  return level.blocks.map((block, place) => ({ block, share: shares[place], group: groups[place] }))
}

/** The sign that links to a level; see pages/cite.js. @param {string} address */
const permalink = (address) =>
  `<a class="bc-permalink" href="#${address}" title="Link to this figure" aria-label="Link to this figure">#</a>`

/** The picture as a figure. @param {Level} level @param {Sizes} sizes @param {string} title @param {string} root */
function picture(level, sizes, title, root) {
  const name = `figure-${at(root, level.path)}`
  const kinds = kindsOf(level, sizes)
  const described = kinds.map(({ block, share }) => `${block.label}: ${amount(share)}`).join("; ")
  const drawn = kinds.map(({ block, share, group }) => groupOf(block, share, group, sizes, `#${root}`)).join("")
  return (
    `<figure class="bc-figure" id="${name}" data-search-exclude>` +
    `<svg role="group" aria-labelledby="${name}-title ${name}-description" focusable="false" class="bc-map">` +
    `<title id="${name}-title">${level.title}, ${title}</title><desc id="${name}-description">${described}.</desc>` +
    `${drawn}</svg><figcaption>${caption(level, sizes)} ${permalink(at(root, level.path))}</figcaption></figure>`
  )
}

/** The sum that a level shows. @param {Level} level @param {Sizes} sizes @param {string} home */
function sumOf(level, sizes, home) {
  const terms = kindsOf(level, sizes).map(
    ({ block, share, group }) =>
      `<a href="${leadsTo(block, home)}"><small><i class="${KEYS[Number(isThin(group[0]))]} bc-${block.style}"></i>` +
      `${block.label}</small> ${amount(share)}</a>`,
  )
  const total = totalOf(level, sizes)
  const result = `<span>= <strong data-value="${total}">${whole(total)}</strong></span>`
  return `<p class="bc-level-sum">${terms.join(" + ")} ${result}</p>`
}

/** The sums of the levels above. @param {Level} level @param {Sizes} sizes @param {string} root */
function trail(level, sizes, root) {
  const lines = above(level).map(([upper, towards]) => {
    const shares = sharesOf(upper, sizes)
    const terms = upper.blocks.map((block, place) =>
      block === towards ? `<mark>${amount(shares[place])}</mark>` : amount(shares[place]),
    )
    return (
      `<li><a href="#${at(root, upper.path)}">${upper.title}</a> ` +
      `<span>${terms.join(" + ")} = ${whole(totalOf(upper, sizes))}</span></li>`
    )
  })
  return lines.length ? `<ol class="bc-trail" aria-label="Levels above">${lines.join("")}</ol>` : ""
}

/**
 * A level of a model as HTML.
 * @param {Level} level
 * @param {Sizes} sizes
 * @param {string} title  what the model is called
 * @param {string} root  the first part of its address
 */
export function section(level, sizes, title, root) {
  const [address, named] = [at(root, level.path), escaped(title)]
  const aliases = (level.aliases ?? []).map((each) => `<span id="${at(root, each)}"></span>`).join("")
  return (
    `<section class="bc-level" id="${address}">` +
    `<h2>${aliases}${level.title} <small>${named}: ${whole(totalOf(level, sizes))} parameters</small></h2>` +
    `${picture(level, sizes, named, root)}${sumOf(level, sizes, `#${root}`)}${trail(level, sizes, root)}</section>`
  )
}
