// Places the explanation of a number: as close to the number as possible, because
// the pointer must be able to reach it. The explanation covers neither the number nor, if
// possible, the headings that the number belongs to; in a table, these include the caption and the
// headings of its row and column. If a place not much farther away is free, the
// explanation does not cover the next number either.
//
// Every candidate place has a cost in pixels: its distance from the number, plus a
// penalty for each thing it covers. The cheapest place wins.

const GAP = 6 // pixels between the explanation and anything that it must not touch
const HEADINGS = "h1, h2, h3, h4, h5, h6"

// The penalties in pixels. Covering the number itself is ruled out. Covering one of its headings is worse than any
// distance. To avoid the next number, the explanation may be about as far away as it is wide.
const [OVER_NUMBER, OVER_HEADING, OVER_NEXT] = [Infinity, 10_000, 290]

/**
 * Whether two boxes overlap.
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
const areOverlapping = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/**
 * The distance between two boxes in pixels; 0 if they overlap.
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
const distance = (one, other) =>
  Math.hypot(
    Math.max(0, one.left - other.right, other.left - one.right),
    Math.max(0, one.top - other.bottom, other.top - one.bottom),
  )

/**
 * The headings that a number belongs to. A heading that contains the number is left out: it is the anchor itself or, in
 * a table, surrounds the anchor.
 * @param {Element} number
 */
function headingsOf(number) {
  const cell = /** @type {HTMLTableCellElement | null} */ (number.closest("table :is(td, th)"))
  const headings = [headingBefore(number), ...(cell ? headingsOfCell(cell) : [])]
  return headings.flatMap((heading) => (heading && !heading.contains(number) ? [heading] : []))
}

/**
 * The caption of a cell's table, and the headings of its column and row.
 * @param {HTMLTableCellElement} cell
 */
function headingsOfCell(cell) {
  const table = cell.closest("table")
  return [table?.caption, table?.tHead?.rows[0]?.cells[cell.cellIndex], cell.parentElement?.querySelector("th")]
}

/**
 * The last heading of the article before a number; undefined if there is none.
 * @param {Element} number
 */
const headingBefore = (number) =>
  [...document.querySelectorAll(`article :is(${HEADINGS})`)]
    .filter((heading) => heading.compareDocumentPosition(number) & Node.DOCUMENT_POSITION_FOLLOWING)
    .at(-1)

/**
 * The numbers after a number, up to and including the next one with an explanation; empty if there is none.
 * @param {Element} number
 */
function numbersAfter(number) {
  const numbers = [...document.querySelectorAll("article data")]
  const followingNumbers = numbers.slice(numbers.indexOf(number) + 1)
  return followingNumbers.slice(0, followingNumbers.findIndex((next) => next.matches("[data-how]")) + 1)
}

/**
 * The obstacles that an explanation should not cover, with the penalty for each.
 * @param {HTMLElement} number
 * @param {DOMRect} anchor
 */
const obstaclesAround = (number, anchor) => [
  { rect: anchor, cost: OVER_NUMBER },
  ...headingsOf(number).map((heading) => ({ rect: heading.getBoundingClientRect(), cost: OVER_HEADING })),
  ...numbersAfter(number).map((next) => ({ rect: next.getBoundingClientRect(), cost: OVER_NEXT })),
]

/**
 * The nearest position that leaves a gap at both edges of the window.
 * @param {number} position
 * @param {number} limit  the farthest position to the right, or down
 */
const clamp = (position, limit) => Math.max(GAP, Math.min(position, limit))

/**
 * The places for an explanation that do not cover the number, the cheapest first; empty if there is no room.
 * @param {HTMLElement} number
 * @param {DOMRect} anchor
 * @param {DOMRect} explanation  a box of the explanation's size
 */
function placesFor(number, anchor, { width, height }) {
  // The rightmost and the lowest position of the explanation.
  const [maxLeft, maxTop] = [document.documentElement.clientWidth - GAP - width, innerHeight - GAP - height]
  const [start, end] = [clamp(anchor.left, maxLeft), clamp(anchor.right - width, maxLeft)]
  const middle = clamp((anchor.top + anchor.bottom - height) / 2, maxTop)
  const obstacles = obstaclesAround(number, anchor)
  // The nearest free place touches an obstacle, so only such places are tried. The place above the number comes
  // first: the sort is stable, so this place wins among places of equal cost.
  const tops = [...obstacles.flatMap(({ rect }) => [rect.top - GAP - height, rect.bottom + GAP]), middle, GAP, maxTop]
  const lefts = [start, end, ...obstacles.flatMap(({ rect }) => [rect.right + GAP, rect.left - GAP - width])]
  return tops
    .flatMap((top) => lefts.map((left) => ({ left, top })))
    .filter(({ left, top }) => left >= GAP && left <= maxLeft && top >= GAP && top <= maxTop)
    .map(({ left, top }) => {
      const box = new DOMRect(left, top, width, height)
      const penalty = obstacles.reduce((sum, { rect, cost }) => sum + (areOverlapping(box, rect) ? cost : 0), 0)
      return { left, top, cost: penalty + Math.round(distance(box, anchor)) }
    })
    .filter(({ cost }) => cost < OVER_NUMBER)
    .sort((one, other) => one.cost - other.cost)
}

/**
 * Places an explanation next to a number, within the window. Returns false if the number is out of sight.
 * @param {HTMLElement} number
 * @param {HTMLElement} explanation
 */
export function placeBeside(number, explanation) {
  const anchor = (number.closest(HEADINGS) ?? number).getBoundingClientRect()
  if (!anchor.width || anchor.bottom < 0 || anchor.top > innerHeight) return false
  const { style } = explanation
  style.maxHeight = ""
  const size = explanation.getBoundingClientRect()
  const [cheapest] = placesFor(number, anchor, size)
  // In a very short frame, no place may be large enough. Then the explanation fills the larger space above or below the
  // number, and scrolls.
  const [above, below] = [anchor.top - 2 * GAP, innerHeight - anchor.bottom - 2 * GAP]
  const left = clamp(anchor.left, document.documentElement.clientWidth - GAP - size.width)
  const place = cheapest ?? { left, top: above > below ? GAP : anchor.bottom + GAP }
  if (!cheapest) style.maxHeight = `${Math.max(above, below)}px`
  style.left = `${place.left}px`
  style.top = `${place.top}px`
  return true
}
