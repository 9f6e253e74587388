// Where an explanation of a number is put: as near to it as can be, so that the
// pointer reaches it, and on neither the number nor what it belongs to, which is
// its heading, and in a table the caption and the heads of its row and column; if
// there is room not far away, not on the next number either.

const GAP = 6 // pixels
const HEADINGS = "h1, h2, h3, h4, h5, h6"

/** How many pixels farther away is no worse than to cover one of these. */
const [NUMBER, HEADING, NEXT] = [Infinity, 10_000, 290]

/** @param {DOMRect} one @param {DOMRect} other */
const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** How many pixels lie between two boxes. @param {DOMRect} one @param {DOMRect} other */
const distance = (one, other) =>
  Math.hypot(
    Math.max(0, one.left - other.right, other.left - one.right),
    Math.max(0, one.top - other.bottom, other.top - one.bottom),
  )

/** The headings that a number belongs to. @param {Element} number */
function headingsOf(number) {
  const cell = /** @type {HTMLTableCellElement | null} */ (number.closest("table :is(td, th)"))
  const heads = [headingBefore(number), ...(cell ? headsOf(cell) : [])]
  return heads.flatMap((each) => (each && !each.contains(number) ? [each] : []))
}

/** What a table says of one of its cells. @param {HTMLTableCellElement} cell */
function headsOf(cell) {
  const table = cell.closest("table")
  return [table?.caption, table?.tHead?.rows[0]?.cells[cell.cellIndex], cell.parentElement?.querySelector("th")]
}

/** @param {Element} number */
const headingBefore = (number) =>
  [...document.querySelectorAll(`article :is(${HEADINGS})`)]
    .filter((each) => each.compareDocumentPosition(number) & Node.DOCUMENT_POSITION_FOLLOWING)
    .at(-1)

/** The number after another one, if there is any. @param {Element} number */
function after(number) {
  const numbers = [...document.querySelectorAll("article data")]
  const next = numbers[numbers.indexOf(number) + 1]
  return next ? [next] : []
}

/** Puts an element beside a number, within the window; false where the number is not in sight.
 * @param {HTMLElement} number @param {HTMLElement} shown */
export function beside(number, shown) {
  const anchor = (number.closest(HEADINGS) ?? number).getBoundingClientRect()
  if (!anchor.width || anchor.bottom < 0 || anchor.top > innerHeight) return false
  const { style } = shown
  style.maxHeight = ""
  const { width, height } = shown.getBoundingClientRect()
  const [right, bottom] = [document.documentElement.clientWidth - GAP - width, innerHeight - GAP - height]
  /** @param {number} place @param {number} most */
  const within = (place, most) => Math.max(GAP, Math.min(place, most))
  const [start, end] = [within(anchor.left, right), within(anchor.right - width, right)]
  const middle = within((anchor.top + anchor.bottom - height) / 2, bottom)
  const taken = [
    { rect: anchor, cost: NUMBER },
    ...headingsOf(number).map((each) => ({ rect: each.getBoundingClientRect(), cost: HEADING })),
    ...after(number).map((each) => ({ rect: each.getBoundingClientRect(), cost: NEXT })),
  ]
  // The nearest place that covers nothing touches something that it would cover; above is best where all are as near.
  const tops = [...taken.flatMap(({ rect }) => [rect.top - GAP - height, rect.bottom + GAP]), middle, GAP, bottom]
  const lefts = [start, end, ...taken.flatMap(({ rect }) => [rect.right + GAP, rect.left - GAP - width])]
  const places = tops
    .flatMap((top) => lefts.map((left) => ({ left, top })))
    .filter(({ left, top }) => left >= GAP && left <= right && top >= GAP && top <= bottom)
    .map(({ left, top }) => {
      const box = new DOMRect(left, top, width, height)
      const covers = taken.reduce((sum, { rect, cost }) => sum + (overlap(box, rect) ? cost : 0), 0)
      return { left, top, cost: covers + Math.round(distance(box, anchor)) }
    })
    .filter(({ cost }) => cost < NUMBER)
    .sort((one, other) => one.cost - other.cost)
  // In a frame that is too low for it, it fills the larger side and scrolls.
  const [over, under] = [anchor.top - 2 * GAP, innerHeight - anchor.bottom - 2 * GAP]
  const [place = { left: start, top: over > under ? GAP : anchor.bottom + GAP }] = places
  if (!places.length) style.maxHeight = `${Math.max(over, under)}px`
  style.left = `${place.left}px`
  style.top = `${place.top}px`
  return true
}
