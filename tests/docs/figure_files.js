/* Functions that check the files of figures that readers download. */
({
  // Returns up to 20 differences between the files for a colour scheme and the figures as the page draws them.
  differences: async scheme => {
    const PROPERTIES = ["fill", "stroke", "strokeWidth", "fontSize", "fontWeight", "textAnchor", "paintOrder", "writingMode"]
    const SHAPES = "rect, path, line, text, tspan"
    const faults = []
    let comparisonCount = 0
    for (const figure of document.querySelectorAll("figure[data-file]")) {
      const text = await (await fetch(`${figure.dataset.file}-${scheme}.svg`)).text()
      const file = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
      document.body.append(file)
      const piecesOnPage = [...figure.querySelector("svg").querySelectorAll(SHAPES)]
      const piecesInFile = [...file.querySelector("svg").querySelectorAll(SHAPES)]
      if (piecesOnPage.length !== piecesInFile.length) faults.push(`${figure.id}, ${scheme}: ${piecesInFile.length} pieces, not ${piecesOnPage.length}`)
      piecesOnPage.forEach((element, index) => {
        const styles = [getComputedStyle(element), getComputedStyle(piecesInFile[index] ?? file)]
        for (const property of PROPERTIES) {
          const [expected, actual] = styles.map(style => style[property].replace("rgba(0, 0, 0, 0)", "none"))
          const piece = `${figure.id}, ${scheme}, ${element.outerHTML.slice(0, 60)}`
          if (expected !== actual) faults.push(`${piece}: ${property} is ${actual}, not ${expected}`)
          comparisonCount++
        }
      })
      file.remove()
    }
    // A lower number means that figures were not found or not drawn.
    if (comparisonCount < 500) faults.push(`only ${comparisonCount} values compared`)
    return faults.slice(0, 20)
  },

  // Returns the texts that extend beyond the picture in their file.
  cutOffTexts: async files => {
    const faults = []
    for (const name of files) {
      const file = new DOMParser().parseFromString(await (await fetch(name)).text(), "image/svg+xml").documentElement
      document.body.append(file)
      const picture = file.getBoundingClientRect()
      for (const element of file.querySelectorAll("text")) {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        if (left < picture.left || right > picture.right || top < picture.top || bottom > picture.bottom)
          faults.push(`${name}: ${element.textContent}`)
      }
      file.remove()
    }
    return faults
  },
})
