/* Functions that measure a page; most return the faults that they find. */
(() => {
  // Returns the bottom edges of the lines on which a part of a text node is drawn.
  const bottoms = (node, start, end) => {
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, end)
    return [...range.getClientRects()].map(({ bottom }) => bottom)
  }

  // Returns the text nodes within an element that contain more than whitespace.
  const textNodes = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    return [...(function* () { while (walker.nextNode()) yield walker.currentNode })()].filter(({ data }) => data.trim())
  }

  // Returns the visible text of the first element that a selector matches, without line breaks.
  const visibleText = selector => document.querySelector(selector).innerText.replace(/\s+/g, " ").trim()

  return {
    // Returns the texts of a page that was opened without scripts: those of the visible elements that `selector` matches,
    // the article's and the heading's. Elements without a size are invisible.
    textsWithoutScripts: selector => {
      // This sentence asks readers to fill in the address that a script would otherwise fill in.
      for (const sentence of document.querySelectorAll(".bc-nowhere")) sentence.remove()
      const visibleElements = [...document.querySelectorAll(selector)]
        .filter(element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length)
      return [visibleElements.map(element => element.textContent), visibleText("article"), visibleText("h1")]
    },

    // Makes a page look as it does without scripts, and returns the article's text. It hides the elements that scripts have
    // added, which `selector` matches, and shows all levels of the map, which scripts show one at a time.
    textAsWithoutScripts: selector => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`.bc-level { display: grid !important } ${selector} { display: none !important }
        *, ::before, ::after { transition: none !important; animation: none !important }`)
      document.adoptedStyleSheets.push(sheet)
      return visibleText("article")
    },

    // Returns the words in tables and sample output that are broken across lines. Words with a digit, such as the id of a
    // commit, may be broken.
    brokenWords: () => {
      return [...document.querySelectorAll("article :is(td, th, samp)")].flatMap(textNodes).flatMap(node =>
        [...node.data.matchAll(/[\p{L}\p{N}]+/gu)]
          .filter(({ 0: word }) => !/\p{N}/u.test(word))
          .filter(({ 0: word, index }) => new Set(bottoms(node, index, index + word.length).map(Math.round)).size > 1)
          .map(([word]) => `${word} in ${node.data}`))
    },

    // Returns the ids of the headings in closed folds that the outline would mark as current. It marks the last heading
    // above the reader's position, even a hidden one, unless another heading follows at the same height.
    closedHeadingsInOutline: () => {
      const ids = new Set([...document.querySelectorAll(".md-nav--secondary a[href]")].map(link => link.hash.slice(1)))
      const headings = [...ids].map(id => document.getElementById(id)).filter(heading => heading)
        .map(heading => ({ heading, top: heading.getBoundingClientRect().top })).sort((first, second) => first.top - second.top)
      return headings.filter(({ heading, top }, index) => !heading.checkVisibility() && !(headings[index + 1]?.top < top + 1))
        .map(({ heading }) => heading.id)
    },

    // Returns the rows whose cells are not aligned: the bottoms of their first lines differ by more than five pixels.
    // Smaller differences can be due to font sizes.
    unevenRows: () => {
      const firstText = cell => textNodes(cell).filter(node => !node.parentElement.closest("math")).slice(0, 1)
      return [...document.querySelectorAll("article tbody tr")].flatMap(row => {
        const ends = [...row.cells].flatMap(firstText).flatMap(node => bottoms(node, 0, node.length).slice(0, 1))
        return Math.max(...ends) - Math.min(...ends) > 5 ? [row.innerText] : []
      })
    },

    // Returns the lines of worked sums whose label takes up more than half of the line, and so squeezes the sum.
    squeezedSums: () => {
      return [...document.querySelectorAll("article :is(.bc-steps, .bc-solution) > li")].filter(line => {
        const [label, sum] = [...line.children].map(part => part.getBoundingClientRect())
        const isBeside = sum && sum.left >= label.right && sum.top < label.bottom
        return isBeside && sum.left - label.left > line.getBoundingClientRect().width / 2
      }).map(line => line.innerText)
    },

    // Returns the texts that are less than four pixels from a border around them, and so those that a box cuts off. Folds
    // are opened for this. Within an element that scrolls, the border is that of the element.
    textsAtBorders: () => {
      const hasBorder = element => {
        const style = getComputedStyle(element)
        return style.display !== "inline" && ["Top", "Right", "Bottom", "Left"].every(side =>
          parseFloat(style[`border${side}Width`]) > 0 && !/, 0\)$/.test(style[`border${side}Color`]))
      }
      // Of folds with one name, at most one is open.
      const folds = [...document.querySelectorAll("article details")].map(fold => ({ fold, name: fold.name, open: fold.open }))
      for (const { fold } of folds) fold.removeAttribute("name")
      for (const { fold } of folds) fold.open = true
      const bordered = new Map() // a cache, because computing styles is slow
      const range = document.createRange()
      const faults = textNodes(document.querySelector("article")).filter(node => {
        if (node.parentElement.closest("svg, math, option, table")) return false
        let box = node.parentElement
        for (; box.localName !== "article"; box = box.parentElement) {
          if (!bordered.has(box)) bordered.set(box, hasBorder(box))
          if (bordered.get(box)) break
          if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") return false
        }
        range.selectNodeContents(node)
        const [text, { left, right, top, bottom }] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
        const gap = Math.min(text.left - left, right - text.right, text.top - top, bottom - text.bottom)
        return box.localName !== "article" && text.width && gap < 4 && node.parentElement.checkVisibility({ visibilityProperty: true })
      })
      for (const { fold, open } of folds) fold.open = open
      for (const { fold, name } of folds) if (name) fold.name = name
      return faults.map(({ data, parentElement }) => `${data.trim().slice(0, 40)} in ${parentElement.closest("[class]")?.className}`)
    },

    // Returns the kinds of text that are not larger than the kind after them, which matters less.
    sizesOutOfOrder: () => {
      const kinds = ["article h1", "article > h2", "article > h1 + p", "article > p:not(h1 + p, [class])", "article figcaption"]
      const sizes = kinds.flatMap(kind => {
        const element = document.querySelector(kind)
        return element ? [{ kind, size: parseFloat(getComputedStyle(element).fontSize) }] : []
      })
      return sizes.slice(1).flatMap(({ kind, size }, index) =>
        size < sizes[index].size ? [] : [`${kind}: ${size}px, but ${sizes[index].kind}: ${sizes[index].size}px`])
    },

    // Removes the elements that axe need not check: those outside the given parts, and those that repeat earlier elements.
    // An element repeats earlier ones if each element in it has an earlier one of the same kind, whose parent is also of
    // the same kind. Elements of the same kind have the same name, classes, names of attributes, and colours, and either
    // all or none of them have text. Elements that may name others stay.
    removeRepeated: selector => {
      const checkedParts = [...document.querySelectorAll(selector)]
      if (!checkedParts.some(element => element.matches("html")))
        for (const element of document.querySelectorAll("body *:not(.md-header, .md-header *, .md-sidebar, .md-sidebar > *, .md-sidebar__inner)"))
          if (element.isConnected && !checkedParts.some(part => part.contains(element) || element.contains(part))) element.remove()
      const kinds = new Map() // a cache, because computing styles is slow
      const kindOf = element => {
        if (!kinds.has(element)) kinds.set(element, describe(element))
        return kinds.get(element)
      }
      const describe = element => {
        const { color, backgroundColor } = getComputedStyle(element)
        const kind = [element.localName, element.className.baseVal ?? element.className, ...element.getAttributeNames()]
        return [...kind, color, backgroundColor, !element.textContent.trim()].join()
      }
      const kindsIn = element => [element, ...element.querySelectorAll("*")].map(part => `${kindOf(part.parentElement)} ${kindOf(part)}`)
      const namingElements = "[id], label, caption, legend, summary, th, title, desc"
      const earlierKinds = new Set()
      const removeIfRepeated = element => {
        const kindsOfElement = kindsIn(element)
        if (kindsOfElement.every(kind => earlierKinds.has(kind)) && !element.matches(namingElements)) return element.remove()
        if (!element.matches("a, button, label, select")) for (const child of [...element.children]) removeIfRepeated(child)
        for (const kind of kindsOfElement) earlierKinds.add(kind)
      }
      for (const part of checkedParts) if (part.isConnected) removeIfRepeated(part.querySelector("article") ?? part)
    },

    // Returns the references to elements that do not exist, for example from a field to its description. Hidden
    // elements are left out: a script may create what they refer to before it shows them.
    danglingReferences: () => {
      const references = ["for", "list", "headers", "aria-labelledby", "aria-describedby", "aria-owns", "aria-details"]
      const dangling = []
      for (const name of references)
        for (const element of document.querySelectorAll(`article [${name}]:not([hidden], [hidden] *)`))
          for (const id of element.getAttribute(name).split(/\s+/).filter(Boolean))
            if (!document.getElementById(id)) dangling.push(`${name}="${id}"`)
      return dangling
    },

    // Returns the faults of a page that is printed on paper `width` pixels wide. Two pixels allow for rounding.
    faultsOnPaper: width => {
      const faults = []
      for (const element of document.querySelectorAll(".md-content *")) {
        const isDrawn = element.closest("svg") && element.localName !== "text"
        if (isDrawn || !element.getClientRects().length || element.matches(".bc-hidden, .bc-status")) continue
        const { left, right } = element.getBoundingClientRect()
        const { overflowX, display } = getComputedStyle(element)
        const name = `${element.localName} in ${element.closest("[id]")?.id}`
        if (left < -2 || right > width + 2) faults.push(`${name} is cut off`)
        if (element.scrollWidth > element.clientWidth + 2 && overflowX !== "visible" && display !== "inline")
          faults.push(`${name} scrolls`)
        if (element.matches("button, .bc-permalink, .headerlink")) faults.push(`${name} is for clicking`)
      }
      for (const element of document.querySelectorAll("header, footer, .md-sidebar, .md-tabs"))
        if (!element.closest(".md-content") && element.getClientRects().length) faults.push(`${element.className} is shown`)
      if (getComputedStyle(document.body).getPropertyValue("--md-default-fg-color").trim() !== "#1c2530")
        faults.push("it is not in the light colours")
      if (!document.querySelector(".bc-imprint")?.getClientRects().length) faults.push("it does not say where it is from")
      return faults
    },

    // Returns the numbers that are broken across lines or separated from their units. Digits in a name, an address or the
    // id of a commit do not count as numbers.
    brokenNumbers: () => {
      const broken = []
      const range = document.createRange()
      const texts = document.createTreeWalker(document.querySelector(".md-content"), NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: number, index } of text.data.matchAll(/(?<![\w/])\d(?:[.,]?\d)*(?:[KMB%]|\s[KMGT]i?B)?(?!\w)/g)) {
          range.setStart(text, index)
          range.setEnd(text, index + number.length)
          if (range.getClientRects().length > 1) broken.push(number)
        }
      return broken
    },

    // Returns the elements that scroll sideways but have no shade in their background to show that they do.
    withoutShade: () => [...document.querySelectorAll("article *")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX))
      .filter((element) => element.checkVisibility() && !getComputedStyle(element).backgroundImage.includes("gradient"))
      .map((element) => element.outerHTML.slice(0, 99)),

    // Returns the height of the page when scrolled to the top, and after each step of scrolling through it.
    heights: async () => {
      const height = () => document.documentElement.scrollHeight
      scrollTo({ top: 0, behavior: "instant" })
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      const heights = [height()]
      for (let top = 0; top < height(); top += innerHeight) {
        scrollTo({ top, behavior: "instant" })
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        heights.push(height())
      }
      return heights
    },

    // Returns the elements with an inner shadow, which stays in place however far the reader has scrolled.
    innerShadows: () => [...document.querySelectorAll("article *")]
      .filter((element) => getComputedStyle(element).boxShadow.includes("inset")).map((element) => element.outerHTML.slice(0, 99)),

    // Focuses the numbers of a page one after the other, or a sample of at least `size` of them, and returns the faults.
    // An explanation must appear within the window, at most `maxDistance` pixels from its number. It must not cover the
    // number, the heading above it or, in a table, the caption and the headers of the cell. In a low frame, it may cover
    // everything except the number.
    misplacedExplanations: async ([size, isLow, maxDistance]) => {
      const faults = []
      const numbers = [...document.querySelectorAll("article data[data-how]")].filter((element) => element.checkVisibility())
      const step = Math.max(1, Math.floor(numbers.length / size))
      for (let index = 0; index < numbers.length; index += step) {
        const number = numbers[index]
        number.scrollIntoView({ block: ["start", "center", "end"][index % 3], behavior: "instant" })
        number.focus({ preventScroll: true })
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        const box = document.querySelector("#bc-how").getBoundingClientRect()
        const { left, top, right, bottom } = box
        if (!box.width) faults.push(`${number.textContent} is not explained`)
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
          faults.push(`the explanation of ${number.textContent} extends beyond the window`)
        const numberBox = number.getBoundingClientRect()
        const [across, down] = [
          [left - numberBox.right, numberBox.left - right], [top - numberBox.bottom, numberBox.top - bottom],
        ]
        const distance = Math.round(Math.hypot(Math.max(0, ...across), Math.max(0, ...down)))
        if (distance > maxDistance) faults.push(`the explanation of ${number.textContent} is ${distance} pixels away`)
        const headingAbove = [...document.querySelectorAll("article :is(h1, h2, h3, h4)")]
          .filter((element) => element.compareDocumentPosition(number) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1)
        const cell = number.closest("td")
        const { caption, tHead } = cell?.closest("table") ?? {}
        const headers = cell ? [caption, tHead?.rows[0].cells[cell.cellIndex], cell.parentElement.querySelector("th")] : []
        for (const element of [number, ...(isLow ? [] : [headingAbove, ...headers])].filter(Boolean)) {
          const covered = element.getBoundingClientRect()
          const across = Math.min(right, covered.right) - Math.max(left, covered.left)
          const down = Math.min(bottom, covered.bottom) - Math.max(top, covered.top)
          if (across > 1 && down > 1) faults.push(`the explanation of ${number.textContent} covers ${element.textContent}`)
        }
      }
      return faults
    },

    // Focuses every second number of a page, each time from the top of the page, waits for eight frames, and
    // returns the faults. A number must be visible and explained. Its explanation must be in the right place, so a scroll
    // event, which makes the page place it again, must not move it.
    misplacedAfterJump: async () => {
      const faults = []
      const numbers = [...document.querySelectorAll("article data[data-how]")].filter((element) => element.checkVisibility())
      const explanation = document.querySelector("#bc-how")
      for (let index = 0; index < numbers.length; index += 2) {
        const number = numbers[index]
        scrollTo(0, 0)
        await new Promise(requestAnimationFrame)
        number.focus()
        for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame)
        const { top, bottom } = number.getBoundingClientRect()
        const before = explanation.getBoundingClientRect()
        document.dispatchEvent(new Event("scroll"))
        const after = explanation.getBoundingClientRect()
        if (bottom < 0 || top > innerHeight) faults.push(`${number.textContent} is out of sight`)
        else if (!before.width) faults.push(`${number.textContent} is not explained`)
        else if (before.top !== after.top || before.left !== after.left) faults.push(`the explanation of ${number.textContent} has moved`)
      }
      return faults
    },
  }
})()
