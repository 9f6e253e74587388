// The picture of the calculator: any model as the map shows a whole one, areas
// to scale, with the sum that it shows. Only the site's own words and digits
// are in it.

import table from "../../data/table.js"
import { sumBy, whole } from "../counting/engine.js"
import * as draw from "../drawing/levels.js"
import { place } from "./live.js"

const { phrases } = table
const MOST_TILES = 24
const MOST_LINES = 400
const ACROSS = 4
// Per cent of the height on a phone that two lines take, and one; where there is less, it has none there.
const LOW = 25,
  TIGHT = 12
/** What blocks within a layer are called; the others are too thin to see there. @type {Record<string, string>} */
const WITHIN = { "self-attention": "attention", "cross-attention": "cross-attention", "feed-forward": "feed-forward" }
const ROOT = document.documentElement.dataset.root ?? "../"
const HATCH =
  '<defs><pattern id="calculator-hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v9" class="bc-hatch"/></pattern></defs>'

/** What stands in the layers and what stands once, with how many of each are not trained, from the first.
 * @param {Shown} shown */
function groupsOf({ counted: { rows, parts }, configuration: { frozen, lora, pruned } }) {
  const layered = rows.filter((row) => row.path.includes("layer_*") && !row.added && row.number)
  /** @type {Map<string, number>} */
  const within = new Map()
  // Layers of which some have fewer heads are one area.
  for (const { block, one, number } of layered) within.set(block, (within.get(block) ?? 0) + (pruned ? number : one))
  const [times, each] = [pruned ? 1 : (layered[0]?.layers ?? 0), sumBy(within.values(), (each) => each)]
  const still = lora || frozen.all_but_head ? times : frozen.layers
  const page = "parts/encoder-layer.html"
  const layers = { block: "layer", label: "layers", each, times, page, within: pruned ? [] : [...within], still }
  /** @type {PictureGroup[]} */
  const groups = []
  for (const { block, title, page, number, trainable } of parts) {
    const inLayers = (within.get(block) ?? 0) * times
    if (inLayers && !groups.includes(layers)) groups.push(layers)
    const once = { block, label: title.split(",")[0], each: number - inLayers, times: 1, page, within: [] }
    if (once.each > 0) groups.push({ ...once, still: trainable ? 0 : 1 })
  }
  return groups
}

/** A layer cut into what can be seen in it, and its name on the largest piece. @param {PictureGroup} group @param {Tile} tile @param {string} name */
function inside({ within }, tile, name) {
  const kinds = within.map(([, each]) => ({ each, times: 1, most: 1 }))
  const pieces = draw.tiles("rows", kinds, tile).map(([piece]) => piece)
  const cut = pieces.map((piece, order) =>
    draw.isThin(piece) ? "" : `<g class="bc-${within[order][0]}">${draw.rectangle(piece)}</g>`,
  )
  const largest = pieces.reduce((most, other) => (other.height > most.height ? other : most))
  const label = `<g${largest.height < TIGHT ? ' class="bc-tight"' : ""}>${draw.nameAlone(name, largest)}</g>`
  return { cut: cut.join(""), label }
}

/** The rectangles of a group with their names; for layers that are too many, one for all and the lines between them.
 * @param {PictureGroup} group @param {Tile[]} area */
function drawn(group, area) {
  const { label, each, times, within, still } = group
  const [first] = area
  /** @param {Tile[]} tiles */
  const hatched = (tiles) => (still ? `<g class="bc-frozen">${draw.rectangles(tiles)}</g>` : "")
  if (times > MOST_TILES) {
    const lines = times > MOST_LINES ? "" : draw.linesBetween(times, first)
    const frozen = hatched([{ ...first, width: (first.width * still) / times }])
    return draw.rectangle(first) + lines + frozen + draw.label(label, draw.amount(group), first)
  }
  if (within.length) {
    const layers = area.map((tile, order) => inside(group, tile, `layer ${order}`))
    const [cut, names] = [layers.map((each) => each.cut).join(""), layers.map((each) => each.label).join("")]
    return `${cut}<g class="bc-outline">${draw.rectangles(area)}</g>${hatched(area.slice(0, still))}${names}`
  }
  const named = first.height < LOW ? draw.nameAlone(label, first) : draw.label(label, whole(each), first)
  return draw.rectangles(area) + hatched(area) + named
}

/** @param {PictureGroup[]} groups @param {Tile[][]} areas @param {Counted} counted */
function caption(groups, areas, { trainable, total }) {
  const cut = groups.find(({ within, times }) => within.length && times <= MOST_TILES)?.within ?? []
  const seen = cut.filter(([block]) => block in WITHIN)
  const named = seen.map(([block]) => ` <span class="bc-joined">${draw.keyOf(`bc-${block}`)}${WITHIN[block]}</span>`)
  const within = seen.length ? ` ${phrases["within-layers"]}${named.join("")}.` : ""
  return `${phrases["to-scale"]}.${within}${trainable < total ? " Hatched: frozen." : ""}${areas.flat().some(draw.isThin) ? draw.THIN_KEY : ""}`
}

let before = ""

/** @param {Shown} shown */
export function show(shown) {
  const { counted } = shown
  const groups = groupsOf(shown)
  const shares = groups.map(({ each, times }) =>
    times > MOST_TILES ? { each: each * times, times: 1, most: 1 } : { each, times, most: ACROSS },
  )
  const areas = draw.tiles("columns", shares, draw.WHOLE)
  const terms = groups.map((group, order) => ({
    ...group,
    style: `bc-${group.block}`,
    thin: draw.isThin(areas[order][0]),
    href: group.page && ROOT + group.page,
  }))
  const words = terms.map((term) => `${term.label}: ${draw.amount(term)}`)
  const body = terms.map(
    ({ style, thin, each }, order) =>
      `<g class="${style}${thin ? " bc-thin" : ""}" data-value="${each}"><title>${words[order]}</title>` +
      `${drawn(groups[order], areas[order])}${thin ? draw.mark(areas[order][0]) : ""}</g>`,
  )
  const picture = `<svg class="bc-map" role="img" aria-label="${words.join("; ") || "nothing"}">${HATCH}${body.join("")}</svg>`
  const html =
    `<figure class="bc-figure">${picture}<figcaption>${caption(groups, areas, counted)}</figcaption></figure>` +
    draw.sumLine(terms, counted.total)
  if (html !== before) place("calculator-picture").innerHTML = before = html
}
