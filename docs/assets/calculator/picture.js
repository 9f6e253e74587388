// The picture of the calculator: any model as the map shows a whole one, areas
// to scale, with the sum that it shows. Only the site's own words and digits
// are in it.

import { whole } from "../counting/engine.js"
import { isThin, label, mark, placeOf, rectangle, roomFor, tiles } from "../drawing/levels.js"
import * as live from "./live.js"

const MOST_TILES = 24
const MOST_LINES = 400
const ACROSS = 4
const LOW = 25,
  LOWEST = 7.5 // per cent of the height on a phone that two lines take, and one
const WHOLE = { x: 0, y: 0, width: 100, height: 100 }
/** What blocks within a layer are called; the others are too thin to see there. @type {Record<string, string>} */
const WITHIN = { "self-attention": "attention", "cross-attention": "cross-attention", "feed-forward": "feed-forward" }
/** What has a title too long for a picture. @type {Record<string, string>} */
const SHORT = { lora: "LoRA", "copied-head": "copy of the head" }
const ROOT = document.documentElement.dataset.root ?? "../"
const HATCH =
  '<defs><pattern id="calculator-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v9" class="bc-hatch"/></pattern></defs>'

const place = live.place("calculator-picture")

/** What stands in the layers, what stands once, and how often there are layers. @param {Counted} counted */
function groupsOf(counted) {
  /** @param {CountedRow} row */
  const inLayer = (row) => row.path.includes("layer_*") && !row.added && row.number > 0
  const layered = counted.rows.filter(inLayer)
  const depth = layered[0]?.layers ?? 0
  /** @type {Map<string, number>} */
  const within = new Map()
  for (const { block, one } of layered) within.set(block, (within.get(block) ?? 0) + one)
  const each = [...within.values()].reduce((sum, value) => sum + value, 0)
  /** @type {PictureGroup[]} */
  const groups = []
  for (const part of counted.parts) {
    const layers = layered.filter((row) => row.block === part.block).reduce((sum, row) => sum + row.number, 0)
    const once = part.number - layers
    if (layers && !groups.some(({ style }) => style === "layer")) {
      groups.push({ style: "layer", label: "layers", each, times: depth, page: "parts/encoder-layer.html", within })
    }
    if (once > 0)
      groups.push({
        style: part.block,
        label: SHORT[part.block] ?? part.title,
        each: once,
        times: 1,
        page: part.page,
        within: null,
      })
  }
  return groups
}

/** Which groups, and how many layers from the first, are not trained. @param {Shown} shown */
function frozenIn({ configuration: { frozen, lora }, counted }) {
  const all = Boolean(lora) || frozen.all_but_head
  /** @param {string} block */
  const still = (block) =>
    counted.rows.some((row) => row.block === block && row.number > 0) &&
    counted.rows.every((row) => row.block !== block || row.trainable === 0)
  return { layers: all ? Infinity : frozen.layers, still }
}

/** @param {PictureGroup} group */
const amount = ({ each, times }) => (times > 1 ? `${whole(times)} × ${whole(each)}` : whole(each))

/** A layer cut into what it holds, where that can be seen. @param {PictureGroup} group @param {Tile[]} area */
function inside({ within }, area) {
  const kinds = [...(within ?? [])].filter(([block]) => block in WITHIN)
  if (!kinds.length) return ""
  const shares = [...(within ?? [])].map(([, value]) => ({ each: value, times: 1, most: 1 }))
  const blocks = [...(within ?? [])].map(([block]) => block)
  return area
    .map((tile) =>
      tiles("columns", shares, tile)
        .map(([piece], order) =>
          isThin(piece) ? "" : `<g class="${live.styleOf(blocks[order])}">${rectangle(piece)}</g>`,
        )
        .join(""),
    )
    .join("")
}

/** @param {PictureGroup} group @param {Tile[]} area @param {number} frozen  how many of them are not trained */
function drawn(group, area, frozen) {
  const words = whole(group.each)
  /** @param {number} order */
  const named = (order) => (group.style === "layer" ? `layer ${order}` : group.label)
  if (group.times > MOST_TILES) return one(group, area[0], frozen)
  const cut = inside(group, area)
  const outlines = area.map(rectangle).join("")
  return (
    cut +
    (cut ? `<g class="bc-outline">${outlines}</g>` : outlines) +
    (frozen ? `<g class="bc-frozen">${area.slice(0, frozen).map(rectangle).join("")}</g>` : "") +
    area
      .map((tile, order) => (tile.height < LOW ? line(named(order), tile) : label(named(order), words, tile)))
      .join("")
  )
}

/** A name alone in the middle of a block that is too low for a number below it; where even one line is too high on a phone, it stands elsewhere only.
 * @param {string} text @param {Tile} tile */
function line(text, { x, y, width, height }) {
  if (width < roomFor(text)) return ""
  return `<text x="${x + width / 2}%" y="${y + height / 2}%" dominant-baseline="central"${height < LOWEST ? ' class="bc-tight"' : ""}>${text}</text>`
}

/** Layers that are too many for a rectangle each: one for all, and the lines between them. @param {PictureGroup} group @param {Tile} area @param {number} frozen */
function one(group, area, frozen) {
  const count = group.times
  const still = frozen
    ? `<g class="bc-frozen">${rectangle({ ...area, width: area.width * Math.min(1, frozen / count) })}</g>`
    : ""
  const lines = count <= MOST_LINES ? Array.from({ length: count - 1 }, (_, order) => `M${order + 1} 0v1`).join("") : ""
  const between =
    lines &&
    `<svg${placeOf(area)} viewBox="0 0 ${count} 1" preserveAspectRatio="none"><path d="${lines}" class="bc-between"/></svg>`
  return rectangle(area) + between + still + label(group.label, amount(group), area)
}

/** @param {PictureGroup[]} groups @param {Tile[][]} areas @param {Shown} shown */
function picture(groups, areas, shown) {
  const { layers, still } = frozenIn(shown)
  const body = groups.map((group, order) => {
    const thin = isThin(areas[order][0])
    const frozen = group.style === "layer" ? layers : still(group.style) ? 1 : 0
    return (
      `<g class="${live.styleOf(group.style)}${thin ? " bc-thin" : ""}" data-value="${group.each}"><title>${group.label}: ${amount(group)}</title>` +
      `${drawn(group, areas[order], frozen)}${thin ? mark(areas[order][0]) : ""}</g>`
    )
  })
  const said = groups.map((group) => `${group.label}: ${amount(group)}`).join("; ")
  return `<svg class="bc-map" role="img" aria-label="${said || "nothing"}">${HATCH}${body.join("")}</svg>`
}

/** @param {PictureGroup[]} groups @param {Tile[][]} areas @param {Shown} shown */
function caption(groups, areas, shown) {
  const layer = groups.find(({ style }) => style === "layer")
  const within =
    layer && layer.times <= MOST_TILES
      ? ` Within each layer:${[...(layer.within ?? [])]
          .filter(([block]) => block in WITHIN)
          .map(([block]) => ` <i class="bc-key ${live.styleOf(block)}"></i>${WITHIN[block]}`)
          .join("")}.`
      : ""
  const thin = areas.flat().some(isThin) ? ' <i class="bc-key-thin"></i>marks what is too thin to see.' : ""
  const frozen = shown.counted.trainable < shown.counted.total ? " Hatched: frozen." : ""
  return `Areas are to scale.${within}${frozen}${thin}`
}

/** @param {PictureGroup[]} groups @param {Tile[][]} areas @param {number} total */
function sum(groups, areas, total) {
  const terms = groups.map((group, order) => {
    const key = isThin(areas[order][0]) ? "bc-key-thin" : "bc-key"
    const words = `<small><i class="${key} ${live.styleOf(group.style)}"></i>${group.label}</small> ${amount(group)}`
    return group.page ? `<a href="${ROOT}${group.page}">${words}</a>` : `<span>${words}</span>`
  })
  return `<p class="bc-level-sum">${terms.join(" + ")} <span>= <strong data-value="${total}">${whole(total)}</strong></span></p>`
}

let before = ""

/** @param {Shown} shown */
function show(shown) {
  const groups = groupsOf(shown.counted)
  const areas = tiles(
    "columns",
    groups.map(({ each, times }) => {
      return times > MOST_TILES ? { each: each * times, times: 1, most: 1 } : { each, times, most: ACROSS }
    }),
    WHOLE,
  )
  const html =
    `<figure class="bc-figure">${picture(groups, areas, shown)}<figcaption>${caption(groups, areas, shown)}</figcaption></figure>` +
    sum(groups, areas, shown.counted.total)
  if (html !== before) place.innerHTML = before = html
}

/** @type {Panel} */
export const panel = { show, place }
