/* Functions that tests run on the page of the calculator, on its fields, its downloads and its picture. */
({
  // Fills in fields, each given by its id or its letter, and ends the wait for a pause in typing.
  typeInFields: changes => {
    for (const [id, value] of changes) {
      const field = document.getElementById(id.includes("-") ? id : `calculator-${id}`)
      if (typeof value === "boolean") field.checked = value
      else field.value = value
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    document.body.click()
  },

  // The texts of the downloads and of the snippet for the configuration in the address.
  exports: () => {
    const { calculator: { evaluate, exports, stateAt }, changes } = bertCounted
    const { configuration } = evaluate(stateAt(location.search).state.fields)
    const view = { configuration, counts: changes.count(configuration), available: changes.available(configuration) }
    return ["csv", "json", "markdown", "snippetOf"].map(name => exports[name](view))
  },

  // The labels of the picture for some sizes: for each, its text, whether its block is wide enough, and by how many
  // pixels it is too high.
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
      const areas = [...text.closest(".bc-map > g").querySelectorAll("rect")].map(area => area.getBoundingClientRect())
        .filter(box => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)
      // Of the areas at its middle, the widest is its block; the others are drawn within this one.
      const width = Math.max(0, ...areas.map(box => box.width))
      const block = areas.find(box => box.width === width)
      const fits = block && left >= block.left && right <= block.right
      return [text.textContent, fits, block && Math.max(block.top - top, bottom - block.bottom)]
    })
  },

  // The areas of each block of the picture, as shares of the whole: all of the block, its attention and its feed-forward
  // networks. Widths and heights are percentages, hence the division.
  areas: () => {
    const size = (rectangle, name) => parseFloat(rectangle.getAttribute(name) ?? 0)
    const area = rectangles => rectangles.reduce((sum, each) => sum + size(each, "width") * size(each, "height") / 10000, 0)
    const within = (group, style) => [...group.querySelectorAll(`:scope > .${style} > rect`)]
    return [...document.querySelectorAll("#calculator-picture .bc-map > g")].map(group => {
      const ofBlock = [...group.querySelectorAll(":scope > rect"), ...within(group, "bc-outline")]
      const inner = ["bc-self-attention", "bc-feed-forward"].map(style => area(within(group, style)))
      return [area(ofBlock), ...inner]
    })
  },
})
