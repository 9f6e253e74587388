// The largest batch below a limit that the reader types. Each output carries the
// bytes that any batch takes and those of one more text.

const form = /** @type {HTMLFormElement & { memory: HTMLInputElement }} */ (document.querySelector("#batch-form"))
const GIB = 2 ** 30

form.addEventListener("input", () => {
  const limit = Number(form.memory.value.trim().replace(",", ".")) * GIB
  for (const output of form.querySelectorAll("output")) {
    const most = Math.floor((limit - Number(output.dataset.fixed)) / Number(output.dataset.each))
    output.value = limit > 0 ? Math.max(0, most).toLocaleString("en") : "…"
  }
})
form.addEventListener("submit", (event) => event.preventDefault())
form.hidden = false
