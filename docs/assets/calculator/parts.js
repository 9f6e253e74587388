// The parts of the calculator's model: what each holds, its share, and how far
// it is from the published model.

import { link, signed } from "../answering/elements.js"
import { models, whole } from "../counting/engine.js"
import { cell, liveTable, percentage, place, swatch } from "./live.js"

const table = liveTable("parts", { part: "text", parameters: "num", share: "num", trainable: "num", difference: "num" })

/** @param {number} value */
const difference = (value) => (value ? signed(value) : "")

/** @param {Shown} shown */
function show({ counted, published, configuration, typed }) {
  /** @param {string} block */
  const there = (block) => published.parts.find((each) => each.block === block)?.number ?? 0
  const gone = published.parts.filter((each) => !counted.parts.some(({ block }) => block === each.block))
  table.element.classList.toggle("bc-all-trained", counted.trainable === counted.total)
  table.show(
    `${configuration.modelClass}, part by part, and how it differs from ${models.get(typed.to || typed.model).title} in the same class; each share is rounded by itself`,
    [...counted.parts, ...gone.map((each) => ({ ...each, number: 0, trainable: 0, share: 0 }))].map(
      ({ block, title, page, number, share, trainable }) => [
        block,
        [
          cell(title, () => [swatch(block), link(page, title)]),
          ...[whole(number), percentage(share), whole(trainable), difference(number - there(block))],
        ],
      ],
    ),
    [
      ...["total", whole(counted.total), "100.0%", whole(counted.trainable)],
      difference(counted.total - published.total),
    ],
  )
}

/** @type {Panel} */
export const panel = { show, place: place("parts-place") }
