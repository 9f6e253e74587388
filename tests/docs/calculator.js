/* Functions that tests run on the page of the calculator, on its fields, its downloads and its picture. */
({
  // Fills in fields, each given by its id or its letter, and lets the page react.
  typed: changes => {
    for (const [id, value] of changes) {
      const field = document.getElementById(id.includes("-") ? id : `calculator-${id}`)
      if (typeof value === "boolean") field.checked = value
      else field.value = value
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    document.body.click()
  },

  // The texts of the downloads and of the snippet, for the model that the address names.
  exports: () => {
    const { calculator: { evaluate, exports, stateAt }, changes } = bertCounted
    const { configuration } = evaluate(stateAt(location.search).state.fields)
    const view = { configuration, counts: changes.count(configuration), available: changes.available(configuration) }
    return ["csv", "json", "markdown", "snippetOf"].map(name => exports[name](view))
  },

  // The labels of the picture for some sizes: for each, whether it fits into its block across, and how far it sticks out.
  labelsOf: sizes => {
    for (const [letter, size] of Object.entries(sizes)) {
      const field = document.querySelector(`#calculator-${letter.toLowerCase()}`)
      field.value = size
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    const labels = [...document.querySelectorAll("#calculator-picture text")].filter(label => label.getClientRects().length)
    return labels.map(text => {
      const { left, right, top, bottom } = text.getBoundingClientRect()
      const [x, y] = [(left + right) / 2, (top + bottom) / 2]
      const around = [...text.closest(".bc-map > g").querySelectorAll("rect")].map(area => area.getBoundingClientRect())
        .filter(box => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)
      const most = Math.max(0, ...around.map(box => box.width))
      const block = around.find(box => box.width === most)
      const fits = block && left >= block.left && right <= block.right
      return [text.textContent, fits, block && Math.max(block.top - top, bottom - block.bottom)]
    })
  },

  // The areas of each model in the picture, as shares of the whole: all of it, its attention, and its feed-forward parts.
  areas: () => {
    const size = (area, name) => parseFloat(area.getAttribute(name) ?? 0)
    const area = all => all.reduce((sum, one) => sum + size(one, "width") * size(one, "height") / 10000, 0)
    const within = (group, style) => [...group.querySelectorAll(`:scope > .${style} > rect`)]
    return [...document.querySelectorAll("#calculator-picture .bc-map > g")].map(group => {
      const own = [...group.querySelectorAll(":scope > rect"), ...within(group, "bc-outline")]
      const blocks = ["bc-self-attention", "bc-feed-forward"].map(style => area(within(group, style)))
      return [area(own), ...blocks]
    })
  },
})
