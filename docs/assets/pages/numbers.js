// Lets the arrow keys move between the numbers of a table and between the terms of a sum or
// a formula. Every number that has an explanation can be focused to show it (see
// pop-over.js). If the Tab key stopped at each of them, crossing a table would take dozens of
// stops. So Tab stops at one number per table, and the arrow keys reach the others.

import "./pop-over.js"

for (const table of document.querySelectorAll("table.bc")) {
  /** @type {NodeListOf<HTMLDataElement>} */
  const [, ...numbersAfterFirst] = table.querySelectorAll("data[data-how]")
  for (const number of numbersAfterFirst) number.tabIndex = -1
}

/**
 * How many rows down and columns right each key moves.
 * @type {Record<string, [down: number, right: number]>}
 */
const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }

/**
 * The next number in a direction, past cells without a number; null at the edge of the table.
 * @param {HTMLTableCellElement} cell
 * @param {[down: number, right: number]} move
 * @returns {HTMLElement | null}
 */
function neighbour(cell, [down, right]) {
  const { rows } = /** @type {HTMLTableElement} */ (cell.closest("table"))
  const { rowIndex } = /** @type {HTMLTableRowElement} */ (cell.parentElement)
  const next = rows[rowIndex + down]?.cells[cell.cellIndex + right]
  return next ? (next.querySelector("data[data-how]") ?? neighbour(next, [down, right])) : null
}

document.addEventListener("keydown", (event) => {
  const focusedElement =
    event.target instanceof Element && /** @type {HTMLElement | null} */ (event.target.closest("data, .bc-term"))
  if (!focusedElement) return
  // Removing the focus from a term also removes the highlights of related elements (see links.js).
  if (event.key === "Escape" && focusedElement.matches(".bc-term")) focusedElement.blur()
  const cell = /** @type {HTMLTableCellElement | null} */ (
    focusedElement.closest("table.bc :is(td, th):not(:has(.bc-steps))")
  )
  const move = MOVES[event.key]
  const terms = /** @type {HTMLElement[]} */ ([
    ...(focusedElement.closest(".bc-steps, .bc-formula")?.querySelectorAll(".bc-term") ?? []),
  ])
  // Terms form a single sequence, so down means the same as right.
  const next = move && (cell ? neighbour(cell, move) : terms[terms.indexOf(focusedElement) + move[0] + move[1]])
  if (!next) return
  event.preventDefault()
  focusedElement.tabIndex = -1
  next.tabIndex = 0
  next.focus()
})
