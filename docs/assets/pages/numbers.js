// Numbers can be focused to show where they come from. In a table that would
// make a stop of every cell, so there one number is the stop and the arrow
// keys move between the rest. Escape puts the explanation away.
const numbersOf = (table) => [...table.querySelectorAll("data")]

for (const table of document.querySelectorAll("table.bc")) {
  numbersOf(table).slice(1).forEach((number) => (number.tabIndex = -1))
}

const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }

// The next number in a direction, stepping over cells that hold none.
function neighbour(cell, [down, right]) {
  const rows = [...cell.closest("table").rows]
  let row = rows.indexOf(cell.parentElement)
  let column = cell.cellIndex
  do {
    row += down
    column += right
    const next = rows[row]?.cells[column]
    if (!next) return null
    const number = next.querySelector("data")
    if (number) return number
  } while (true)
}

document.addEventListener("keydown", (event) => {
  const number = event.target.closest?.("data")
  if (!number) return
  if (event.key === "Escape") number.blur()
  const cell = number.closest("table.bc :is(td, th)")
  const next = cell && MOVES[event.key] && neighbour(cell, MOVES[event.key])
  if (!next) return
  event.preventDefault()
  number.tabIndex = -1
  next.tabIndex = 0
  next.focus()
})
