// Filters the table of tensor names. The reader types the name or the shape of a tensor, as
// any of the libraries prints it. Then the section with the table opens, and the rows that do
// not match are hidden. The address records the typed text.

const form = /** @type {HTMLFormElement & { tensor: HTMLInputElement }} */ (document.querySelector("#names-filter"))
const output = /** @type {HTMLOutputElement} */ (form.querySelector("output"))
const fold = /** @type {HTMLDetailsElement} */ (document.querySelector("#names")?.closest("details"))
const PARAMETER = form.tensor.name // the name under which the address records the typed text

/** A shape as typed: digits, separators and brackets, with or without `torch.Size` in front. */
const SHAPE = /^(torch\.size)?[[(\s]*\d[\d\s,×x*[\])]*$/
/** The number of a layer in a name, as libraries write it: `layer.3`, `layers_3`, `encoder-3`, `transformer-3`. */
const LAYER_NUMBER = /(?<=layers?[_./]|(?:encoder|transformer)-)\d+/g
/** The ending of a variable's name in TensorFlow. */
const TENSORFLOW_END = /:0$/
const THOUSANDS_COMMA = /(\d),(?=\d{3}\b)/g

/** The runs of digits in a text. @param {string} text */
const numbersIn = (text) => text.match(/\d+/g) ?? []

const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#names tbody tr"))].map((row) => {
  const names = [...row.querySelectorAll("code")].map(({ textContent }) => textContent?.toLowerCase() ?? "")
  const { sizes = "" } = /** @type {HTMLElement | null} */ (row.querySelector("[data-sizes]"))?.dataset ?? {}
  return { row, names, shapes: sizes.split(",").map(numbersIn) }
})

/**
 * Whether any of the shapes has these sizes, in any order, because some libraries transpose matrices.
 * @param {string[][]} shapes
 * @param {string[]} sizes
 */
const hasShape = (shapes, sizes) => shapes.some((shape) => String([...shape].sort()) === String([...sizes].sort()))

/** Hides the rows that do not match the typed text, and shows the number of rows that do. */
function filter() {
  const query = form.tensor.value.trim().toLowerCase()
  // In the table, a star replaces the number of a layer.
  const name = query.replace(TENSORFLOW_END, "").replace(LAYER_NUMBER, "*")
  // A comma may separate thousands or sizes: [30,522, 768] has both.
  const readings = [query, query.replace(THOUSANDS_COMMA, "$1")].map(numbersIn)
  const isShape = SHAPE.test(query)
  let visibleCount = 0
  for (const { row, names, shapes } of rows) {
    row.hidden = isShape
      ? !readings.some((sizes) => hasShape(shapes, sizes))
      : !name.split(/\s+/).every((word) => names.some((candidate) => candidate.includes(word)))
    visibleCount += Number(!row.hidden)
  }
  if (query) fold.open = true
  const result = visibleCount
    ? `${visibleCount} of ${rows.length} rows`
    : `No tensor matches “${form.tensor.value.trim()}”.`
  output.value = query ? result : ""
}

form.addEventListener("input", filter)
form.addEventListener("change", () => {
  const query = form.tensor.value.trim() ? `?${new URLSearchParams({ [PARAMETER]: form.tensor.value.trim() })}` : ""
  history.replaceState(history.state, "", `${location.pathname}${query}${location.hash}`)
})
form.addEventListener("submit", (event) => event.preventDefault())

form.tensor.value = new URLSearchParams(location.search).get(PARAMETER) ?? ""
filter()
form.hidden = false
