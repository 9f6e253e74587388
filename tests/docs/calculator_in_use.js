({
  lit: letter => {
    document.getElementById(`calculator-${letter.toLowerCase()}`).focus()
    document.body.click()
    const rows = [...document.querySelectorAll("#calculator-tensors tbody tr")]
    const shape = row => row.cells[1].querySelector(".bc-letters").textContent.split(" × ")
    const holds = row => shape(row).includes(letter) || (letter === "L" && row.cells[0].textContent.includes("layer.*"))
    const lit = rows.filter(row => row.matches(".bc-lit"))
    return [lit.length, rows.every(row => holds(row) === lit.includes(row))]
  },

  atOnce: text => {
    const field = document.querySelector("#calculator-l")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    return [".bc-digits", "#calculator-parts tfoot td"].map(each => document.querySelector(each).textContent)
  },

  way: all => all.map(address => {
    const { calculator: { tables, evaluate, stateAt }, configuration } = bertCounted
    const { fields } = stateAt(address).state
    return tables.way(evaluate(fields), configuration.ofModel(fields.from || fields.model)).map(({ label }) => label)
  }),

  bars: () => [...document.querySelectorAll(".bc-compared svg")].map((bar, _, [first]) => {
    const pieces = [...bar.children].map(each => ["x", "width"].map(name => parseFloat(each.getAttribute(name))))
    let end = 0
    return [pieces.every(([x, width]) => Math.abs(x - end) < 0.001 && (end += width)), end * bar.clientWidth / first.clientWidth]
  }),

  paste: text => {
    const field = document.querySelector("#calculator-config")
    field.value = text
    field.dispatchEvent(new Event("input", { bubbles: true }))
    document.body.click()
    return document.querySelector("#calculator-config-says").textContent
  },
})
