// The picture of the calculator: a model of any sizes, drawn like a whole model on
// the map, with areas to scale and the sum that they show. It is built as a string,
// which is safe because it contains only the site's own words and digits.
//
// Each part of the model is a column. All layers share a column, in which each is a tile if
// there are few enough to tell apart. Frozen areas are hatched.

import table from "../../data/table.js"
import { ROOT } from "../answering/elements.js"
import { sumBy, whole } from "../counting/engine.js"
import * as draw from "../drawing/levels.js"
import { byId } from "./live.js"

const { phrases } = table
const MAX_TILES = 24 // up to this many layers are drawn one by one; more are one area with lines between them
const MAX_LINES = 400 // up to this many layers are separated by lines; more lines would fill the area
const MAX_LAYERS_ACROSS = 4 // the maximum number of layers side by side
// The heights that two lines of text and one line need on a phone, as percentages of the picture's height. In a shorter
// block, text is left out or set tighter.
const [HEIGHT_OF_TWO_LINES, HEIGHT_OF_ONE_LINE] = [25, 12]
/**
 * The names of the blocks within a layer, for the legend; other blocks are too thin to see there.
 * @type {Record<string, string>}
 */
const NAMES_WITHIN_LAYER = {
  "self-attention": "attention",
  "cross-attention": "cross-attention",
  "feed-forward": "feed-forward",
}
/** The pattern of frozen areas: lines at intervals of 9 pixels, rotated by 45 degrees. */
const HATCH_PATTERN =
  '<defs><pattern id="calculator-hatch" width="9" height="9" patternUnits="userSpaceOnUse"' +
  ' patternTransform="rotate(45)"><path d="M0 0v9" class="bc-hatch"/></pattern></defs>'

/**
 * The groups of the picture in order: the layers, and each part outside them. `within` lists the blocks of one layer
 * with their numbers of parameters. `frozenTimes` is the number of frozen layers, or 1 for a frozen part; it is 0 if
 * nothing is frozen.
 * @param {View} view
 */
function groupsOf({ counts: { rows, parts }, configuration: { frozen, tuning, pruned } }) {
  const layerRows = rows.filter((row) => row.path.includes("layer_*") && !row.added && row.number)
  /** @type {Map<string, number>} */
  const numberInLayers = new Map()
  // Pruning may take heads from only some layers, so the layers may differ, and are drawn as one area.
  for (const { block, elementsPerLayer, number } of layerRows)
    numberInLayers.set(block, (numberInLayers.get(block) ?? 0) + (pruned ? number : elementsPerLayer))
  const times = pruned ? 1 : (layerRows[0]?.layers ?? 0)
  const layers = {
    block: "layer",
    label: "layers",
    each: sumBy(numberInLayers.values(), (number) => number),
    times,
    page: "parts/encoder-layer.html",
    within: pruned ? [] : [...numberInLayers],
    frozenTimes: tuning || frozen.all_but_head ? times : frozen.layers,
  }
  /** @type {PictureGroup[]} */
  const groups = []
  for (const { block, title, page, number, trainable } of parts) {
    const numberInAllLayers = (numberInLayers.get(block) ?? 0) * times
    // The layers take the place of the first of their blocks.
    if (numberInAllLayers && !groups.includes(layers)) groups.push(layers)
    const label = title.split(",")[0] // the purpose of a head, after a comma in its title, would be too long here
    const partGroup = { block, label, each: number - numberInAllLayers, times: 1, page, within: [] }
    if (partGroup.each > 0) groups.push({ ...partGroup, frozenTimes: trainable ? 0 : 1 })
  }
  return groups
}

/**
 * The areas of the blocks of a layer that are large enough to see, and the label of the layer, on the tallest of them.
 * @param {PictureGroup} group
 * @param {Tile} tile
 * @param {string} name
 */
function drawLayer({ within }, tile, name) {
  const kinds = within.map(([, each]) => ({ each, times: 1, maxSideBySide: 1 }))
  const blocks = draw.tiles("rows", kinds, tile).map(([block]) => block)
  const areas = blocks.map((block, index) =>
    draw.isThin(block) ? "" : `<g class="bc-${within[index][0]}">${draw.rectangle(block)}</g>`,
  )
  const tallestBlock = blocks.reduce((tallest, other) => (other.height > tallest.height ? other : tallest))
  const label = `<g${tallestBlock.height < HEIGHT_OF_ONE_LINE ? ' class="bc-tight"' : ""}>${draw.nameAlone(name, tallestBlock)}</g>`
  return { areas: areas.join(""), label }
}

/**
 * The rectangles of a group, with names and hatching.
 * @param {PictureGroup} group
 * @param {Tile[]} tiles  one for each layer or part; a single one for all layers if there are too many
 */
function drawingOf(group, tiles) {
  const { label, each, times, within, frozenTimes } = group
  const [first] = tiles
  /** Hatching over the frozen tiles; "" if nothing is frozen. @param {Tile[]} frozenTiles */
  const hatchingOver = (frozenTiles) => (frozenTimes ? `<g class="bc-frozen">${draw.rectangles(frozenTiles)}</g>` : "")
  if (times > MAX_TILES) {
    const lines = times > MAX_LINES ? "" : draw.linesBetween(times, first)
    const frozenPart = hatchingOver([{ ...first, width: (first.width * frozenTimes) / times }])
    return draw.rectangle(first) + lines + frozenPart + draw.label(label, draw.amount(group), first)
  }
  if (within.length) {
    const layers = tiles.map((tile, index) => drawLayer(group, tile, `layer ${index}`))
    const areas = layers.map((layer) => layer.areas).join("")
    const names = layers.map((layer) => layer.label).join("")
    return `${areas}<g class="bc-outline">${draw.rectangles(tiles)}</g>${hatchingOver(tiles.slice(0, frozenTimes))}${names}`
  }
  const name = first.height < HEIGHT_OF_TWO_LINES ? draw.nameAlone(label, first) : draw.label(label, whole(each), first)
  return draw.rectangles(tiles) + hatchingOver(tiles) + name
}

/**
 * The caption, with the meaning of the colours within a layer, the hatching and the marks, if the picture has them.
 * @param {PictureGroup[]} groups
 * @param {Tile[][]} areas
 * @param {Counts} counts
 */
function caption(groups, areas, { trainable, total }) {
  const blocksInLayers = groups.find(({ within, times }) => within.length && times <= MAX_TILES)?.within ?? []
  const entries = blocksInLayers
    .filter(([block]) => block in NAMES_WITHIN_LAYER)
    .map(([block]) => ` <span class="bc-joined">${draw.keyOf(`bc-${block}`)}${NAMES_WITHIN_LAYER[block]}</span>`)
  const legend = entries.length ? ` ${phrases["within-layers"]}${entries.join(",")}.` : ""
  const hatching = trainable < total ? " Hatched: frozen." : ""
  const marks = areas.flat().some(draw.isThin) ? draw.THIN_KEY : ""
  return `${phrases["to-scale"]}.${legend}${hatching}${marks}`
}

let drawnHtml = "" // the HTML of the current picture, which is only replaced if it changes, to avoid a new layout

/** Draws the picture of the configuration in the fields. @param {View} view */
export function show(view) {
  const { counts } = view
  const groups = groupsOf(view)
  const kinds = groups.map(({ each, times }) =>
    times > MAX_TILES
      ? { each: each * times, times: 1, maxSideBySide: 1 }
      : { each, times, maxSideBySide: MAX_LAYERS_ACROSS },
  )
  const areas = draw.tiles("columns", kinds, draw.WHOLE)
  const terms = groups.map((group, index) => ({
    ...group,
    style: `bc-${group.block}`,
    thin: draw.isThin(areas[index][0]),
    href: group.page && ROOT + group.page,
  }))
  const words = terms.map((term) => `${term.label}: ${draw.amount(term)}`)
  const body = terms.map(
    ({ style, thin, each }, index) =>
      `<g class="${style}${thin ? " bc-thin" : ""}" data-value="${each}"><title>${words[index]}</title>` +
      `${drawingOf(groups[index], areas[index])}${thin ? draw.mark(areas[index][0]) : ""}</g>`,
  )
  const description = words.join("; ") || "nothing"
  const picture = `<svg class="bc-map" role="img" aria-label="${description}">${HATCH_PATTERN}${body.join("")}</svg>`
  const html =
    `<figure class="bc-figure">${picture}<figcaption>${caption(groups, areas, counts)}</figcaption></figure>` +
    draw.sumLine(terms, counts.total)
  if (html !== drawnHtml) byId("calculator-picture").innerHTML = drawnHtml = html
}
