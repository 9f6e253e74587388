/* Functions that measure a page in the narrow window of a phone; most return the faults that they find. */
({
  // Returns the cells with a name, a number, a word or a formula that is not fully visible until the table is scrolled
  // sideways.
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

  // Returns the lines of code that are partly below the button that copies them.
  coveredCode: () => [...document.querySelectorAll("article pre > .md-code__nav")].filter((buttons) => {
    const code = document.createRange()
    code.selectNodeContents(buttons.parentElement.querySelector("code"))
    const { left, bottom, width } = buttons.getBoundingClientRect()
    return width && [...code.getClientRects()].some((line) => line.width && line.right > left && line.top < bottom - 1)
  }).map((buttons) => buttons.parentElement.textContent.trim().slice(0, 99)),

  // Returns the ids of the tables that scroll sideways.
  wideTables: () => [...document.querySelectorAll("article .bc-scroll")]
    .filter((element) => element.scrollWidth > element.clientWidth).map((element) => element.parentElement.id),

  // Returns the elements that scroll sideways but have no shadow at their edges to show that they do.
  withoutShadow: async () => {
    const faults = []
    for (const element of document.querySelectorAll("article *")) {
      if (element.scrollWidth <= element.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(element).overflowX)) continue
      if (!element.checkVisibility()) continue
      // An element outside the window is given its shadow in the frame after it has come into view.
      element.scrollIntoView({ block: "center", behavior: "instant" })
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      if (getComputedStyle(element).boxShadow === "none") faults.push(element.outerHTML.slice(0, 99))
    }
    scrollTo(0, 0)
    return faults
  },

  // Returns the headings that are taller than necessary because the mark that links to them is on a line of its own.
  headingsWithEmptyLine: () => {
    const headings = [...document.querySelectorAll("article :is(h1, h2, h3):has(.headerlink)")]
    const marks = headings.map((element) => element.querySelector(".headerlink"))
    const heights = () => headings.map((element) => element.getBoundingClientRect().height)
    const [positions, heightsBefore] = [marks.map((element) => [element.parentNode, element.nextSibling]), heights()]
    for (const element of marks) element.remove()
    const heightsAfter = heights()
    marks.forEach((element, index) => positions[index][0].insertBefore(element, positions[index][1]))
    return headings.filter((_, index) => heightsBefore[index] !== heightsAfter[index]).map((element) => element.textContent)
  },

  // Returns the texts in figures whose font size is below twelve pixels; 11.99 allows for rounding.
  smallLetters: () => [...document.querySelectorAll(".bc-figure svg text")].filter((element) => {
    const { a, b } = element.getScreenCTM()
    return element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) * Math.hypot(a, b) < 11.99
  }).map((element) => element.textContent),

  // Returns the texts in area maps that fit into no filled area; half a pixel allows for rounding.
  textsBeyondAreas: () => {
    const isInside = (box, area) => box.left >= area.left - 0.5 && box.right <= area.right + 0.5
      && box.top >= area.top - 0.5 && box.bottom <= area.bottom + 0.5
    const isFilled = (element) => !["none", "rgba(0, 0, 0, 0)"].includes(getComputedStyle(element).fill)
    return [...document.querySelectorAll(".bc-map text")].filter((text) => {
      const areas = [...text.closest(".bc-map").querySelectorAll("rect")].filter(isFilled)
      const box = text.getBoundingClientRect()
      return text.checkVisibility() && !areas.some((element) => isInside(box, element.getBoundingClientRect()))
    }).map((element) => element.textContent)
  },

  // Returns the numbers whose explanation covers the next number, in a sample of at least `size` numbers, or among all if
  // there are fewer. Eight are enough to cover the top, the middle and the end of a page.
  coveringNext: async (size = 8) => {
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
      // The explanation may cover a number far below, because readers rarely look at both at once.
      if (top - number.getBoundingClientRect().top > innerHeight / 3) continue
      const [x, y] = [left + width / 2, top + height / 2]
      if (document.elementFromPoint(x, y)?.closest(".bc-how")) faults.push(`${number.textContent} covers ${next.textContent}`)
    }
    document.activeElement.blur()
    return faults
  },

  // `unfold` opens all folds, even those that share a name, although a browser keeps only one of these open at a time.
  // `fold` restores their states.
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

  // Returns the line breaks after a sign, or between a letter and its "=", each as the two words around the break. Also
  // returns the formulas that take up several lines.
  breaksAfterSigns: (selector) => {
    const root = document.querySelector(selector ?? "article")
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
    let sign = null // the word before this one if it is a sign, with its block and the box that it is drawn in
    while (walker.nextNode()) {
      const node = walker.currentNode
      // The small name above a number in a sum is not part of the line.
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

  // Returns the names in legends that are not on the same line as their colour.
  namesBelowColours: () => [...document.querySelectorAll("article :is(.bc-key, .bc-key-thin)")].filter((key) => {
    const name = document.createRange()
    name.selectNode(key.nextSibling)
    const [first] = name.getClientRects()
    return first && first.top > key.getBoundingClientRect().bottom
  }).map((key) => key.nextSibling.textContent),

  // Returns the texts whose underline covers an underscore, because the underline is above the bottom of the underscore.
  coveredUnderscores: () => {
    const canvas = document.createElement("canvas").getContext("2d")
    const underlinedAncestor = (element) => element && (getComputedStyle(element).textDecorationLine.includes("underline")
      ? element : underlinedAncestor(element.parentElement))
    return [...document.querySelectorAll("article *")].filter((element) => {
      const hasUnderscore = [...element.childNodes].some((node) =>
        node.nodeType === Node.TEXT_NODE && node.data.includes("_"))
      const underlined = hasUnderscore && element.checkVisibility() && underlinedAncestor(element)
      if (!underlined) return false
      const { fontSize, fontFamily } = getComputedStyle(element)
      canvas.font = `${fontSize} ${fontFamily}`
      return parseFloat(getComputedStyle(underlined).textUnderlineOffset) < canvas.measureText("_").actualBoundingBoxDescent
    }).map((element) => element.textContent)
  },

  // Opens the folded print-outs whose columns we chose ourselves, and returns the number of those that scroll sideways.
  wideListings: () => {
    const folds = [...document.querySelectorAll(".bc-stacked details")]
    folds.forEach((fold) => (fold.open = true))
    return folds.map((fold) => fold.querySelector("pre")).filter((element) => element.scrollWidth > element.clientWidth).length
  },

  // Applies a style sheet to the page in place of any earlier one; "" removes it.
  applyStyle: style => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets = [sheet]
  },
})
