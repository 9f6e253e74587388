// The picture of the calculator: any model as the map shows a whole one, areas
// to scale, with the sum that it shows. Only the site's own words and digits
// are in it.

import { whole } from "../counting/engine.js"
import * as draw from "../drawing/levels.js"
import { place, styleOf } from "./live.js"

const MOST_TILES = 24
const MOST_LINES = 400
const ACROSS = 4
// Per cent of the height on a phone that two lines take, and one; where there is less, it has none there.
const LOW = 25,
  TIGHT = 12
const LAYER = "layer"
/** What blocks within a layer are called; the others are too thin to see there. @type {Record<string, string>} */
const WITHIN = { "self-attention": "attention", "cross-attention": "cross-attention", "feed-forward": "feed-forward" }
/** What has a title too long for a picture. @type {Record<string, string>} */
const SHORT = { lora: "LoRA", "copied-head": "copy of the head" }
const ROOT = document.documentElement.dataset.root ?? "../"
const HATCH =
  '<defs><pattern id="calculator-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v9" class="bc-hatch"/></pattern></defs>'

/** What stands in the layers, what stands once, and how often there are layers. @param {Counted} counted */
function groupsOf({ rows, parts }) {
  const layered = rows.filter((row) => row.path.includes("layer_*") && !row.added && row.number > 0)
  /** @type {Map<string, number>} */
  const within = new Map()
  for (const { block, one } of layered) within.set(block, (within.get(block) ?? 0) + one)
  const times = layered[0]?.layers ?? 0
  const each = [...within.values()].reduce((sum, value) => sum + value, 0)
  const layers = { style: LAYER, label: "layers", each, times, page: "parts/encoder-layer.html", within }
  /** @type {PictureGroup[]} */
  const groups = []
  for (const { block, title, page, number } of parts) {
    const inLayers = (within.get(block) ?? 0) * times
    if (inLayers && !groups.includes(layers)) groups.push(layers)
    const once = { style: block, label: SHORT[block] ?? title, each: number - inLayers, times: 1, page, within: null }
    if (once.each > 0) groups.push(once)
  }
  return groups
}

/** How many of a group are not trained, from the first. @param {Shown} shown @param {PictureGroup} group */
function frozenIn({ configuration: { frozen, lora }, counted }, { style }) {
  if (style === LAYER) return lora || frozen.all_but_head ? Infinity : frozen.layers
  const rows = counted.rows.filter((row) => row.block === style)
  return Number(rows.some((row) => row.number > 0) && rows.every((row) => row.trainable === 0))
}

/** What a layer holds that can be seen in it, by block. @param {PictureGroup} group */
const seen = ({ within }) => [...(within?.keys() ?? [])].filter((block) => block in WITHIN)

/** A layer cut into what it holds, where that can be seen: each piece, and the largest. @param {PictureGroup} group @param {Tile} tile */
function inside(group, tile) {
  const kinds = [...(group.within ?? [])].map(([block, each]) => ({ style: styleOf(block), each, times: 1, most: 1 }))
  const pieces = draw.tiles("rows", kinds, tile).map(([piece]) => piece)
  const cut = pieces.map((piece, order) =>
    draw.isThin(piece) ? "" : `<g class="${kinds[order].style}">${draw.rectangle(piece)}</g>`,
  )
  return { cut: cut.join(""), largest: pieces.reduce((most, other) => (other.height > most.height ? other : most)) }
}

/** @param {PictureGroup} group @param {Tile[]} area @param {number} frozen  how many of them are not trained */
function drawn(group, area, frozen) {
  if (group.times > MOST_TILES) return one(group, area[0], frozen)
  const inner = seen(group).length ? area.map((tile) => inside(group, tile)) : []
  const labels = area.map((tile, order) => {
    const name = group.style === LAYER ? `layer ${order}` : group.label
    const largest = inner[order]?.largest
    if (largest) return `<g${largest.height < TIGHT ? ' class="bc-tight"' : ""}>${draw.nameAlone(name, largest)}</g>`
    return tile.height < LOW ? draw.nameAlone(name, tile) : draw.label(name, whole(group.each), tile)
  })
  const cut = inner.map((each) => each.cut).join("")
  return (
    (cut ? `${cut}<g class="bc-outline">${draw.rectangles(area)}</g>` : draw.rectangles(area)) +
    (frozen ? `<g class="bc-frozen">${draw.rectangles(area.slice(0, frozen))}</g>` : "") +
    labels.join("")
  )
}

/** Layers that are too many for a rectangle each: one for all, and the lines between them. @param {PictureGroup} group @param {Tile} area @param {number} frozen */
function one(group, area, frozen) {
  const count = group.times
  const still = draw.rectangle({ ...area, width: area.width * Math.min(1, frozen / count) })
  return (
    draw.rectangle(area) +
    (count <= MOST_LINES ? draw.linesBetween(count, area) : "") +
    (frozen ? `<g class="bc-frozen">${still}</g>` : "") +
    draw.label(group.label, draw.amount(group), area)
  )
}

/** @param {PictureGroup[]} groups @param {Tile[][]} areas @param {Shown} shown */
function picture(groups, areas, shown) {
  const body = groups.map((group, order) => {
    const thin = draw.isThin(areas[order][0])
    return (
      `<g class="${styleOf(group.style)}${thin ? " bc-thin" : ""}" data-value="${group.each}"><title>${group.label}: ${draw.amount(group)}</title>` +
      `${drawn(group, areas[order], frozenIn(shown, group))}${thin ? draw.mark(areas[order][0]) : ""}</g>`
    )
  })
  const said = groups.map((group) => `${group.label}: ${draw.amount(group)}`).join("; ")
  return `<svg class="bc-map" role="img" aria-label="${said || "nothing"}">${HATCH}${body.join("")}</svg>`
}

/** @param {PictureGroup[]} groups @param {Tile[][]} areas @param {Counted} counted */
function caption(groups, areas, { trainable, total }) {
  const cut = groups.find(({ style, times }) => style === LAYER && times <= MOST_TILES)
  const named = cut ? seen(cut).map((block) => ` ${draw.keyOf(styleOf(block))}${WITHIN[block]}`) : []
  const within = cut ? ` Within each layer:${named.join("")}.` : ""
  return `Areas are to scale.${within}${trainable < total ? " Hatched: frozen." : ""}${areas.flat().some(draw.isThin) ? draw.THIN_KEY : ""}`
}

let before = ""

/** @param {Shown} shown */
export function show(shown) {
  const { counted } = shown
  const groups = groupsOf(counted)
  const shares = groups.map(({ each, times }) =>
    times > MOST_TILES ? { each: each * times, times: 1, most: 1 } : { each, times, most: ACROSS },
  )
  const areas = draw.tiles("columns", shares, draw.WHOLE)
  const terms = groups.map((group, order) => ({
    ...group,
    style: styleOf(group.style),
    thin: draw.isThin(areas[order][0]),
    href: group.page && ROOT + group.page,
  }))
  const html =
    `<figure class="bc-figure">${picture(groups, areas, shown)}<figcaption>${caption(groups, areas, counted)}</figcaption></figure>` +
    draw.sumLine(terms, counted.total)
  if (html !== before) place("calculator-picture").innerHTML = before = html
}
