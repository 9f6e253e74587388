// The filter of the table of tensor names. The reader types the name or the shape of
// a tensor, as any of the libraries prints it, and the rows of all other tensors are
// hidden. The fold that holds the table opens then. The address records what was typed.

const form = /** @type {HTMLFormElement & { tensor: HTMLInputElement }} */ (document.querySelector("#names-filter"))
const output = /** @type {HTMLOutputElement} */ (form.querySelector("output"))
const fold = /** @type {HTMLDetailsElement} */ (document.querySelector("#names")?.closest("details"))
const KEY = form.tensor.name

/** The runs of digits in a text. @param {string} text */
const numbersIn = (text) => text.match(/\d+/g) ?? []

const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#names tbody tr"))].map((row) => {
  const names = [...row.querySelectorAll("code")].map(({ textContent }) => textContent?.toLowerCase() ?? "")
  const { sizes = "" } = /** @type {HTMLElement | null} */ (row.querySelector("[data-sizes]"))?.dataset ?? {}
  return { row, names, shapes: sizes.split(",").map(numbersIn) }
})

/**
 * Whether one of some shapes has these sizes, in any order, because some libraries transpose matrices.
 * @param {string[][]} shapes
 * @param {string[]} sizes
 */
const hasShape = (shapes, sizes) => shapes.some((shape) => String([...shape].sort()) === String([...sizes].sort()))

function filter() {
  const query = form.tensor.value.trim().toLowerCase()
  // The table has a star in place of a layer's number, and no :0, with which TensorFlow ends names.
  const name = query.replace(/:0$/, "").replace(/(?<=layers?[_./]|(?:encoder|transformer)-)\d+/g, "*")
  // In [30,522, 768] a comma may separate thousands or sizes.
  const readings = [query, query.replace(/(\d),(?=\d{3}\b)/g, "$1")].map(numbersIn)
  const isShape = /^(torch\.size)?[[(\s]*\d[\d\s,×x*[\])]*$/.test(query)
  let visible = 0
  for (const { row, names, shapes } of rows) {
    row.hidden = isShape
      ? !readings.some((sizes) => hasShape(shapes, sizes))
      : !name.split(/\s+/).every((word) => names.some((candidate) => candidate.includes(word)))
    visible += Number(!row.hidden)
  }
  if (query) fold.open = true
  const typed = form.tensor.value.trim()
  output.value = !query ? "" : visible ? `${visible} of ${rows.length} rows` : `No tensor matches “${typed}”.`
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
