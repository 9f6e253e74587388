/* Functions that use the calculator or its scripts, and return what it shows or computes. */
({
  // Focuses a letter's field. Returns the number of highlighted rows, and whether exactly the rows of the tensors that
  // depend on the letter are highlighted.
  highlightedRows: letter => {
    document.getElementById(`calculator-${letter.toLowerCase()}`).focus()
    document.body.click()
    const rows = [...document.querySelectorAll("#calculator-tensors tbody tr")]
    const shapeOf = row => row.cells[1].querySelector(".bc-letters").textContent.split(" × ")
    const hasLetter = row => shapeOf(row).includes(letter) || (letter === "L" && row.cells[0].textContent.includes("layer.*"))
    const highlighted = rows.filter(row => row.matches(".bc-lit"))
    return [highlighted.length, rows.every(row => hasLetter(row) === highlighted.includes(row))]
  },

  // Types a number of layers. Returns the totals that the first screen and the table show immediately afterwards.
  totalsOnTyping: layers => {
    const field = document.querySelector("#calculator-l")
    field.value = layers
    field.dispatchEvent(new Event("input", { bubbles: true }))
    return [".bc-digits", "#calculator-parts tfoot td"].map(selector => document.querySelector(selector).textContent)
  },

  // Returns, for each query string, the labels of the steps from the published model to the configuration.
  stepLabels: queries => queries.map(query => {
    const { calculator: { tables, evaluate, stateAt }, configuration } = bertCounted
    const { fields } = stateAt(query).state
    return tables.stepsFrom(evaluate(fields), configuration.ofModel(fields.from || fields.model)).map(({ label }) => label)
  }),

  // Returns, for each bar, whether each piece starts where the previous one ends, and the length of the bar as a
  // percentage of the space for the first bar.
  barMeasures: () => [...document.querySelectorAll(".bc-compared svg")].map((bar, _, [first]) => {
    const pieces = [...bar.children].map(piece => ["x", "width"].map(name => parseFloat(piece.getAttribute(name))))
    let end = 0
    return [pieces.every(([x, width]) => Math.abs(x - end) < 0.001 && (end += width)), end * bar.clientWidth / first.clientWidth]
  }),

  // Enters `text` in the field for a config, and returns the page's report on it.
  enterConfig: text => {
    const field = document.querySelector("#calculator-config")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    document.body.click()
    return document.querySelector("#calculator-config-says").textContent
  },
})
