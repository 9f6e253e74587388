// The filter of the table of names: of its rows it leaves those of the tensor
// whose name or shape the reader types, as any of the libraries prints it. What
// was typed stands in the address.

const form = /** @type {HTMLFormElement & { tensor: HTMLInputElement }} */ (document.querySelector("#names-filter"))
const output = /** @type {HTMLOutputElement} */ (form.querySelector("output"))
const KEY = form.tensor.name

/** @param {string} text */
const numbersIn = (text) => text.match(/\d+/g) ?? []

const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#names tbody tr"))].map((row) => {
  const names = [...row.querySelectorAll("code")].map(({ textContent }) => textContent?.toLowerCase() ?? "")
  const { sizes = "" } = /** @type {HTMLElement | null} */ (row.querySelector("[data-sizes]"))?.dataset ?? {}
  return { row, names, shapes: sizes.split(",").map(numbersIn) }
})

/** Whether a tensor has these sizes, in any order: some libraries transpose. @param {string[][]} shapes @param {string[]} sizes */
const hasShape = (shapes, sizes) => shapes.some((shape) => String([...shape].sort()) === String([...sizes].sort()))

function filter() {
  const typed = form.tensor.value.trim().toLowerCase()
  // A number between marks is that of a layer, for which the table has a star; TensorFlow ends names in :0.
  const name = typed.replace(/:0$/, "").replace(/(?<=layers?[_./]|(?:encoder|transformer)-)\d+/g, "*")
  const readings = [typed, typed.replace(/(\d),(?=\d{3}\b)/g, "$1")].map(numbersIn)
  const isShape = /^(torch\.size)?[[(\s]*\d[\d\s,×x*[\])]*$/.test(typed)
  let left = 0
  for (const { row, names, shapes } of rows) {
    row.hidden = isShape
      ? !readings.some((sizes) => hasShape(shapes, sizes))
      : !name.split(/\s+/).every((word) => names.some((each) => each.includes(word)))
    left += Number(!row.hidden)
  }
  output.value = typed ? `${left || "None"} of ${rows.length} rows` : ""
}

form.addEventListener("input", filter)
form.addEventListener("change", () => {
  const query = form.tensor.value.trim() ? `?${new URLSearchParams({ [KEY]: form.tensor.value.trim() })}` : ""
  history.replaceState(history.state, "", `${location.pathname}${query}${location.hash}`)
})
form.addEventListener("submit", (event) => event.preventDefault())

form.tensor.value = new URLSearchParams(location.search).get(KEY) ?? ""
filter()
form.hidden = false
