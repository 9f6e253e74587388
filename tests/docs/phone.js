/* Functions that measure a page in the narrow window of a phone; most return the faults that they find. */
({
  // Cells with a name, a number, a word or a formula that cannot be seen whole unless the table is scrolled sideways.
  hiddenCells: () => {
    const hidden = []
    for (const row of document.querySelectorAll("table.bc tr")) {
      const isShort = (cell, column) => cell.matches(
        `.bc-num, .bc-word, .bc-num-${column} :nth-child(${column}), .bc-word-${column} :nth-child(${column})`)
      const cells = [...row.cells].filter((cell, index) =>
        cell.textContent.trim() && (!index || isShort(cell, index + 1) || cell.querySelector("data, math")))
      for (const cell of cells) {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { left, right, width } = range.getBoundingClientRect()
        const region = cell.closest(".bc-scroll").getBoundingClientRect()
        if (width && (left < region.left - 1 || right > Math.min(region.right, innerWidth) + 1))
          hidden.push(`${row.closest(".bc-table").id}: ${cell.textContent}`)
      }
    }
    return hidden
  },

  // Tables that scroll sideways.
  wideTables: () => [...document.querySelectorAll("article .bc-scroll")]
    .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.parentElement.id),

  // Elements that scroll sideways without a shadow at their edges that shows it.
  withoutShadow: async () => {
    const faults = []
    for (const element of document.querySelectorAll("article *")) {
      if (element.scrollWidth <= element.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(element).overflowX)) continue
      if (!element.checkVisibility()) continue
      // An element outside the window gets its shadow in the frame after it has come into view.
      element.scrollIntoView({ block: "center", behavior: "instant" })
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      if (getComputedStyle(element).boxShadow === "none") faults.push(element.outerHTML.slice(0, 99))
    }
    scrollTo(0, 0)
    return faults
  },

  // Headings that are higher because the mark that links to them is on a line of its own.
  headingsWithEmptyLine: () => {
    const headings = [...document.querySelectorAll("article :is(h1, h2, h3):has(.headerlink)")]
    const marks = headings.map((element) => element.querySelector(".headerlink"))
    const heights = () => headings.map((element) => element.getBoundingClientRect().height)
    const [positions, before] = [marks.map((element) => [element.parentNode, element.nextSibling]), heights()]
    for (const element of marks) element.remove()
    const after = heights()
    marks.forEach((element, index) => positions[index][0].insertBefore(element, positions[index][1]))
    return headings.filter((_, index) => before[index] !== after[index]).map((element) => element.textContent)
  },

  // Texts in figures whose letters are smaller than twelve pixels; 11.99 allows for rounding.
  smallLetters: () => [...document.querySelectorAll(".bc-figure svg text")].filter((element) => {
    const { a, b } = element.getScreenCTM()
    return element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) * Math.hypot(a, b) < 11.99
  }).map((element) => element.textContent),

  // Texts in area maps that extend beyond the area they are on; half a pixel allows for rounding.
  straddling: () => {
    const isInside = (box, area) => box.left >= area.left - 0.5 && box.right <= area.right + 0.5
      && box.top >= area.top - 0.5 && box.bottom <= area.bottom + 0.5
    const isFilled = (element) => !["none", "rgba(0, 0, 0, 0)"].includes(getComputedStyle(element).fill)
    return [...document.querySelectorAll(".bc-map text")].filter((text) => {
      const areas = [...text.closest(".bc-map").querySelectorAll("rect")].filter(isFilled)
      const box = text.getBoundingClientRect()
      return text.checkVisibility() && !areas.some((element) => isInside(box, element.getBoundingClientRect()))
    }).map((element) => element.textContent)
  },

  // Numbers whose explanation covers the number after them, in a sample of at least `size` numbers if there are as many.
  coveringNext: async (size) => {
    const [frame, faults] = [() => new Promise(requestAnimationFrame), []]
    for (let frames = 0; frames < 2; frames++) await frame() // the size of the window may just have changed
    const numbers = [...document.querySelectorAll("article data[data-how]")].filter((element) => element.checkVisibility())
    const step = Math.max(1, Math.floor(numbers.length / size))
    for (let index = 0; index + 1 < numbers.length; index += step) {
      const [number, next] = [numbers[index], numbers[index + 1]]
      number.scrollIntoView({ block: ["start", "center", "end"][index % 3] })
      number.focus({ preventScroll: true })
      await frame()
      const { left, top, width, height } = next.getBoundingClientRect()
      // Nobody reads a number far below together with this one.
      if (top - number.getBoundingClientRect().top > innerHeight / 3) continue
      const [x, y] = [left + width / 2, top + height / 2]
      if (document.elementFromPoint(x, y)?.closest(".bc-how")) faults.push(`${number.textContent} covers ${next.textContent}`)
    }
    document.activeElement.blur()
    return faults
  },

  // `unfold` opens all folds, even those that share a name, of which a browser keeps only one open; `fold` undoes it.
  unfold: () => document.querySelectorAll("details").forEach((element) => {
    Object.assign(element.dataset, { folded: element.open ? "" : "folded", named: element.name })
    Object.assign(element, { name: "", open: true })
  }),
  fold: () => {
    const folds = [...document.querySelectorAll("details[data-folded]")]
    for (const element of folds) element.open = !element.dataset.folded
    for (const element of folds) {
      if (element.dataset.named) element.name = element.dataset.named
      else element.removeAttribute("name")
      delete element.dataset.folded
      delete element.dataset.named
    }
  },

  // Lines that break after a sign, or between a letter and its "=", as the two words around the break; and formulas that
  // take several lines.
  breaksAfterSigns: (within) => {
    const root = document.querySelector(within ?? "article")
    const blockOf = (element) =>
      /^(inline|contents)/.test(getComputedStyle(element).display) ? blockOf(element.parentElement) : element
    const boxes = (node, index, { length }) => {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + length)
      return range.getClientRects()
    }
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const breaks = []
    let sign = null // the last sign, with its block and the box that it is drawn in
    while (walker.nextNode()) {
      const node = walker.currentNode
      // The small name above a number in a sum does not belong to the line.
      if (!node.data.trim() || node.parentElement.closest("script, svg, pre, option, textarea, small")) continue
      if (!sign && !/[+−×÷·=≈](\s|$)/.test(node.data) || !node.parentElement.checkVisibility()) continue
      const formula = node.parentElement.closest("math")
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        const isSign = !formula && (/^[+−×÷·=≈]$/.test(word) || /^[A-Za-z]′?\s=\s/.test(node.data.slice(index)))
        if (!sign && !isSign) continue
        const [line] = boxes(node, index, word)
        const block = blockOf(formula?.parentElement ?? node.parentElement)
        if (sign && line && sign.block === block && line.top > sign.line.bottom - sign.line.height / 3)
          breaks.push(`${sign.word} ${word} in ${block.textContent.trim().slice(0, 99)}`)
        sign = isSign && line ? { word, block, line } : null
      }
    }
    const formulas = [...root.querySelectorAll("math")].filter((element) => element.getClientRects().length > 1)
    return [...breaks, ...formulas.map((element) => element.textContent)]
  },

  // Names in legends that are not on the same line as their colour.
  namesBelowColours: () => [...document.querySelectorAll("article :is(.bc-key, .bc-key-thin)")].filter((key) => {
    const name = document.createRange()
    name.selectNode(key.nextSibling)
    const [first] = name.getClientRects()
    return first && first.top > key.getBoundingClientRect().bottom
  }).map((key) => key.nextSibling.textContent),

  // Underlined texts in which the line covers an underscore, because it lies no lower than the letters reach.
  coveredUnderscores: () => {
    const pen = document.createElement("canvas").getContext("2d")
    const underlined = (element) => element && (getComputedStyle(element).textDecorationLine.includes("underline") ? element
      : underlined(element.parentElement))
    return [...document.querySelectorAll("article *")].filter((element) => {
      const isNamed = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.includes("_"))
      const line = isNamed && element.checkVisibility() && underlined(element)
      if (!line) return false
      const { fontSize, fontFamily } = getComputedStyle(element)
      pen.font = `${fontSize} ${fontFamily}`
      return parseFloat(getComputedStyle(line).textUnderlineOffset) < pen.measureText("_").actualBoundingBoxDescent
    }).map((element) => element.textContent)
  },

  // The number of folded print-outs that scroll sideways, among those whose columns we chose ourselves.
  wideListings: () => {
    const folds = [...document.querySelectorAll(".bc-stacked details")]
    folds.forEach((fold) => (fold.open = true))
    return folds.map((fold) => fold.querySelector("pre")).filter((element) => element.scrollWidth > element.clientWidth).length
  },

  // Applies a style sheet to the page in place of the last one; "" removes it.
  applyStyle: style => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets = [sheet]
  },
})
