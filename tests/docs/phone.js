/* Functions that measure a page in the narrow window of a phone; most return the faults that they find. */
({
  // Cells with a name, a number, a word or a formula that is not wholly in sight unless the table is scrolled sideways.
  hiddenCells: () => {
    const hidden = []
    for (const row of document.querySelectorAll("table.bc tr")) {
      const short = (cell, column) => cell.matches(
        `.bc-num, .bc-word, .bc-num-${column} :nth-child(${column}), .bc-word-${column} :nth-child(${column})`)
      const cells = [...row.cells].filter((cell, place) =>
        cell.textContent.trim() && (!place || short(cell, place + 1) || cell.querySelector("data, math")))
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

  // Elements that scroll sideways and do not show it at their edges.
  withoutShade: async () => {
    const faults = []
    for (const element of document.querySelectorAll("article *")) {
      if (element.scrollWidth <= element.clientWidth + 1 || !/auto|scroll/.test(getComputedStyle(element).overflowX)) continue
      if (!element.checkVisibility()) continue
      // An element far below gets its shade in the frame after it comes into sight.
      element.scrollIntoView({ block: "center", behavior: "instant" })
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      if (getComputedStyle(element).boxShadow === "none") faults.push(element.outerHTML.slice(0, 99))
    }
    scrollTo(0, 0)
    return faults
  },

  // Headings that the mark which links to them makes taller.
  emptyLines: () => {
    const headings = [...document.querySelectorAll("article :is(h1, h2, h3):has(.headerlink)")]
    const marks = headings.map((element) => element.querySelector(".headerlink"))
    const heights = () => headings.map((element) => element.getBoundingClientRect().height)
    const [places, before] = [marks.map((element) => [element.parentNode, element.nextSibling]), heights()]
    for (const element of marks) element.remove()
    const after = heights()
    marks.forEach((element, at) => places[at][0].insertBefore(element, places[at][1]))
    return headings.filter((_, at) => before[at] !== after[at]).map((element) => element.textContent)
  },

  // Words in figures that are smaller than twelve pixels.
  smallLetters: () => [...document.querySelectorAll(".bc-figure svg text")].filter((element) => {
    const { a, b } = element.getScreenCTM()
    return element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) * Math.hypot(a, b) < 11.99
  }).map((element) => element.textContent),

  // Words of area maps that lie on more than one colour.
  straddling: () => {
    const inside = (one, other) => one.left >= other.left - 0.5 && one.right <= other.right + 0.5
      && one.top >= other.top - 0.5 && one.bottom <= other.bottom + 0.5
    const filled = (element) => !["none", "rgba(0, 0, 0, 0)"].includes(getComputedStyle(element).fill)
    return [...document.querySelectorAll(".bc-map text")].filter((text) => {
      const areas = [...text.closest(".bc-map").querySelectorAll("rect")].filter(filled)
      const box = text.getBoundingClientRect()
      return text.checkVisibility() && !areas.some((element) => inside(box, element.getBoundingClientRect()))
    }).map((element) => element.textContent)
  },

  // Numbers, of a sample of those on the page, whose explanation covers the number after them.
  covered: async (most) => {
    const [frame, faults] = [() => new Promise(requestAnimationFrame), []]
    for (let frames = 0; frames < 2; frames++) await frame() // the size of the window may just have changed
    const numbers = [...document.querySelectorAll("article data[data-how]")].filter((element) => element.checkVisibility())
    const step = Math.max(1, Math.floor(numbers.length / most))
    for (let place = 0; place + 1 < numbers.length; place += step) {
      const [number, next] = [numbers[place], numbers[place + 1]]
      number.scrollIntoView({ block: ["start", "center", "end"][place % 3] })
      number.focus({ preventScroll: true })
      await frame()
      const { left, top, width, height } = next.getBoundingClientRect()
      // A number far below is not read together with this one.
      if (top - number.getBoundingClientRect().top > innerHeight / 3) continue
      const [x, y] = [left + width / 2, top + height / 2]
      if (document.elementFromPoint(x, y)?.closest(".bc-how")) faults.push(`${number.textContent} covers ${next.textContent}`)
    }
    document.activeElement.blur()
    return faults
  },

  // Opens all folds, even those of which only one may be open at a time, and closes them again.
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

  // Signs at the end of a line, or a letter there whose "=" is in the next, each with the word after it; and formulas
  // that are broken across lines.
  partedSigns: (within) => {
    const place = document.querySelector(within ?? "article")
    const block = (element) => /^(inline|contents)/.test(getComputedStyle(element).display) ? block(element.parentElement) : element
    const boxes = (node, index, { length }) => {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + length)
      return range.getClientRects()
    }
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    const parted = []
    let sign = null // the last sign, with its block and the box that it is drawn in
    while (walker.nextNode()) {
      const node = walker.currentNode
      // The small name above a number of a sum is no part of a line.
      if (!node.data.trim() || node.parentElement.closest("script, svg, pre, option, textarea, small")) continue
      if (!sign && !/[+−×÷·=≈](\s|$)/.test(node.data) || !node.parentElement.checkVisibility()) continue
      const formula = node.parentElement.closest("math")
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        const isSign = !formula && (/^[+−×÷·=≈]$/.test(word) || /^[A-Za-z]′?\s=\s/.test(node.data.slice(index)))
        if (!sign && !isSign) continue
        const [line] = boxes(node, index, word)
        const own = block(formula?.parentElement ?? node.parentElement)
        if (sign && line && sign.own === own && line.top > sign.line.bottom - sign.line.height / 3)
          parted.push(`${sign.word} ${word} in ${own.textContent.trim().slice(0, 99)}`)
        sign = isSign && line ? { word, own, line } : null
      }
    }
    const formulas = [...place.querySelectorAll("math")].filter((element) => element.getClientRects().length > 1)
    return [...parted, ...formulas.map((element) => element.textContent)]
  },

  // Names in legends that are not on the line of their swatch.
  partedKeys: () => [...document.querySelectorAll("article :is(.bc-key, .bc-key-thin)")].filter((key) => {
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

  // The number of folded print-outs that scroll sideways, of those whose columns we lay out.
  wideListings: () => {
    const folds = [...document.querySelectorAll(".bc-stacked details")]
    folds.forEach((fold) => (fold.open = true))
    return folds.map((fold) => fold.querySelector("pre")).filter((element) => element.scrollWidth > element.clientWidth).length
  },

  // Adds a style sheet to the page.
  styled: style => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets = [sheet]
  },
})
