// Numbers that follow a field: the largest batch that fits in a given memory, or the
// operations for a given text length. What the numbers are computed from stands in
// the page: for a batch, the bytes that any batch takes and those of one more text; for
// a length, the coefficients of a polynomial, `data-fixed`, `data-each` and `data-square`.

const GIB = 2 ** 30
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(".bc-follows"))) {
  const [field] = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input"))
  const outputs = form.querySelectorAll("output")
  const follow = () => {
    const typed = Number(field.value.trim().replace(",", "."))
    const numbers = Array.from(outputs, ({ dataset: { fixed = 0, each = 0, square } }) => {
      if (square) return Number(fixed) + typed * (Number(each) + typed * Number(square))
      return Math.max(0, Math.floor((typed * GIB - Number(fixed)) / Number(each)))
    })
    outputs.forEach((output, place) => {
      output.value = typed > 0 ? numbers[place].toLocaleString("en") : "…"
      output.parentElement?.style.setProperty("--bc-share", String(numbers[place] / Math.max(...numbers)))
    })
  }
  form.addEventListener("input", follow)
  form.addEventListener("submit", (event) => event.preventDefault())
  form.hidden = false
  follow()
}
