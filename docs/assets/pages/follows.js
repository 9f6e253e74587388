// Updates numbers of operations when the reader changes the length of a text. For each number,
// the page contains the coefficients of a polynomial in the length: `data-fixed` is constant,
// `data-each` is multiplied by the length, and `data-square`, for the attention scores, by its
// square. So the engine is not needed here.

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(".bc-follows"))) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input"))
  const outputs = form.querySelectorAll("output")
  /** Writes the number of operations for the length in the field into each output, and scales the bars to match. */
  const update = () => {
    const length = Number(field.value)
    const numbers = Array.from(
      outputs,
      ({ dataset: { fixed = 0, each = 0, square = 0 } }) =>
        Number(fixed) + length * (Number(each) + length * Number(square)),
    )
    outputs.forEach((output, index) => {
      output.value = numbers[index].toLocaleString("en")
      output.parentElement?.style.setProperty("--bc-share", String(numbers[index] / Math.max(...numbers)))
    })
  }
  form.addEventListener("input", update)
  form.addEventListener("submit", (event) => event.preventDefault())
  form.hidden = false
  update()
}
