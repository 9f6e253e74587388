/* Functions that tests run on the calculator's page to use its fields, downloads and picture. */
({
  // Fills in fields or sets checkboxes, each given by its id or letter. The click elsewhere makes the whole page update at
  // once.
  typeInFields: changes => {
    for (const [id, value] of changes) {
      const field = document.getElementById(id.includes("-") ? id : `calculator-${id}`)
      if (typeof value === "boolean") field.checked = value
      else field.value = value
      field.dispatchEvent(new Event("input", { bubbles: true }))
    }
    document.body.click()
  },

  // Returns the CSV, the JSON, the Markdown and the snippet for the configuration in the address.
  exports: () => {
    const { calculator: { evaluate, exports, stateAt }, changes } = bertCounted
    const { configuration } = evaluate(stateAt(location.search).state.fields)
    const view = { configuration, counts: changes.count(configuration), available: changes.available(configuration) }
    return ["csv", "json", "markdown", "snippetOf"].map(name => exports[name](view))
  },

  // Types sizes, and returns the labels that the picture shows. Each label is a list of its text, whether its block is
  // wide enough for it, and the number of pixels by which it extends above or below the block, negative if it does not.
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
      // The block is the widest area at the middle of the label. Any others are drawn within the block.
      const width = Math.max(0, ...areas.map(box => box.width))
      const block = areas.find(box => box.width === width)
      const fits = block && left >= block.left && right <= block.right
      return [text.textContent, fits, block && Math.max(block.top - top, bottom - block.bottom)]
    })
  },

  // Returns, for each block of the picture, its share of the picture's area, and those of its attention and its
  // feed-forward networks. Widths and heights are percentages, hence the division.
  sharesOfAreas: () => {
    const size = (rectangle, name) => parseFloat(rectangle.getAttribute(name) ?? 0)
    const area = rectangles =>
      rectangles.reduce((sum, rectangle) => sum + size(rectangle, "width") * size(rectangle, "height") / 10000, 0)
    const rectanglesIn = (group, style) => [...group.querySelectorAll(`:scope > .${style} > rect`)]
    return [...document.querySelectorAll("#calculator-picture .bc-map > g")].map(group => {
      const block = [...group.querySelectorAll(":scope > rect"), ...rectanglesIn(group, "bc-outline")]
      const inner = ["bc-self-attention", "bc-feed-forward"].map(style => area(rectanglesIn(group, style)))
      return [area(block), ...inner]
    })
  },
})
