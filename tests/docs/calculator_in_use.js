/* Functions with which tests use the calculator as a reader does, and read what it then shows. */
({
  // Focuses the field of a letter; returns the number of rows that light up, and whether they are those with the letter.
  litRows: letter => {
    document.getElementById(`calculator-${letter.toLowerCase()}`).focus()
    document.body.click()
    const rows = [...document.querySelectorAll("#calculator-tensors tbody tr")]
    const shapeOf = row => row.cells[1].querySelector(".bc-letters").textContent.split(" × ")
    const hasLetter = row => shapeOf(row).includes(letter) || (letter === "L" && row.cells[0].textContent.includes("layer.*"))
    const lit = rows.filter(row => row.matches(".bc-lit"))
    return [lit.length, rows.every(row => hasLetter(row) === lit.includes(row))]
  },

  // Types a number of layers; returns the total on the first screen and that in the table at that moment.
  totalsOnTyping: text => {
    const field = document.querySelector("#calculator-l")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    return [".bc-digits", "#calculator-parts tfoot td"].map(selector => document.querySelector(selector).textContent)
  },

  // For each address, the labels of the steps from the published model to the configuration.
  stepLabels: addresses => addresses.map(address => {
    const { calculator: { tables, evaluate, stateAt }, configuration } = bertCounted
    const { fields } = stateAt(address).state
    return tables.stepsFrom(evaluate(fields), configuration.ofModel(fields.from || fields.model)).map(({ label }) => label)
  }),

  // For each bar, whether each of its pieces starts where the one before ends, and its length as a percentage of the
  // space for the first bar.
  bars: () => [...document.querySelectorAll(".bc-compared svg")].map((bar, _, [first]) => {
    const pieces = [...bar.children].map(piece => ["x", "width"].map(name => parseFloat(piece.getAttribute(name))))
    let end = 0
    return [pieces.every(([x, width]) => Math.abs(x - end) < 0.001 && (end += width)), end * bar.clientWidth / first.clientWidth]
  }),

  // Pastes a text as a config; returns what the page says about it.
  paste: text => {
    const field = document.querySelector("#calculator-config")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    document.body.click()
    return document.querySelector("#calculator-config-says").textContent
  },
})
