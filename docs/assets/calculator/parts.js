// The parts of the calculator's model: what each holds, its share, and how far
// it is from the published model.

import { link, signed } from "../answering/elements.js"
import { models, whole } from "../counting/engine.js"
import { cell, liveTable, percentage, place, swatch } from "./live.js"

/** @type {Column[]} */
const COLUMNS = [
  ["part", "text"],
  ["parameters", "num"],
  ["share", "num"],
  ["trainable", "num"],
  ["difference", "num"],
]
const table = liveTable("calculator-parts", "Part by part", COLUMNS)
place("parts-place").append(table.element)

/** @param {number} value */
const difference = (value) => (value ? signed(value) : "")

/** @param {Shown} shown */
function show({ counted, published, configuration, typed }) {
  /** @param {string} block */
  const there = (block) => published.parts.find((each) => each.block === block)?.number ?? 0
  const gone = published.parts.filter((each) => !counted.parts.some(({ block }) => block === each.block))
  const rows = [...counted.parts, ...gone.map((each) => ({ ...each, number: 0, trainable: 0, share: 0 }))].map(
    (part) => ({
      name: part.block,
      cells: [
        cell(part.title, () => [swatch(part.block), link(part.page, part.title)]),
        whole(part.number),
        percentage(part.share),
        whole(part.trainable),
        difference(part.number - there(part.block)),
      ],
    }),
  )
  table.element.classList.toggle("bc-all-trained", counted.trainable === counted.total)
  table.say(
    `${configuration.modelClass}, part by part, and how it differs from ${models.get(typed.to || typed.model).title} in the same class; each share is rounded by itself`,
  )
  table.show(rows, [
    "total",
    whole(counted.total),
    "100.0%",
    whole(counted.trainable),
    difference(counted.total - published.total),
  ])
}

/** @type {Panel} */
export const panel = { show, place: place("parts-place") }
