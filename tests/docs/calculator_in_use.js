/* Functions that tests run on the page of the calculator, by name. */
({
  // Focus the size of a letter: the number of rows that light up, and whether they are those that depend on it.
  litRows: letter => {
    document.getElementById(`calculator-${letter.toLowerCase()}`).focus()
    document.body.click()
    const rows = [...document.querySelectorAll("#calculator-tensors tbody tr")]
    const shape = row => row.cells[1].querySelector(".bc-letters").textContent.split(" × ")
    const hasLetter = row => shape(row).includes(letter) || (letter === "L" && row.cells[0].textContent.includes("layer.*"))
    const lit = rows.filter(row => row.matches(".bc-lit"))
    return [lit.length, rows.every(row => hasLetter(row) === lit.includes(row))]
  },

  // Type a number of layers: the two totals on the page at that moment.
  totalsOnTyping: text => {
    const field = document.querySelector("#calculator-l")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    return [".bc-digits", "#calculator-parts tfoot td"].map(selector => document.querySelector(selector).textContent)
  },

  // The labels of the steps from the published model to the one at each address.
  stepLabels: addresses => addresses.map(address => {
    const { calculator: { tables, evaluate, stateAt }, configuration } = bertCounted
    const { fields } = stateAt(address).state
    return tables.stepsFrom(evaluate(fields), configuration.ofModel(fields.from || fields.model)).map(({ label }) => label)
  }),

  // Of each bar: whether its pieces follow one another, and its length as a percentage of the first bar's width.
  bars: () => [...document.querySelectorAll(".bc-compared svg")].map((bar, _, [first]) => {
    const pieces = [...bar.children].map(piece => ["x", "width"].map(name => parseFloat(piece.getAttribute(name))))
    let end = 0
    return [pieces.every(([x, width]) => Math.abs(x - end) < 0.001 && (end += width)), end * bar.clientWidth / first.clientWidth]
  }),

  // Paste a text as a config: what the page says about it.
  paste: text => {
    const field = document.querySelector("#calculator-config")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    document.body.click()
    return document.querySelector("#calculator-config-says").textContent
  },
})
