/* Functions that measure a page at rest, by name: each returns the faults that it finds, or numbers to compare. */
(() => {
  // The heights at which the lines end that a stretch of a text is on.
  const lines = (node, start, end) => {
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, end)
    return [...range.getClientRects()].map(({ bottom }) => bottom)
  }

  // The text nodes within an element, without empty ones.
  const texts = (within) => {
    const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
    return [...(function* () { while (walk.nextNode()) yield walk.currentNode })()].filter(({ data }) => data.trim())
  }

  return {
    // Hides elements that scripts have added, and shows every level of the map, of which a reader with scripts sees one
    // at a time; a test of the map goes through them.
    asWithoutScripts: added => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`.bc-level { display: grid !important } ${added} { display: none !important }`)
      document.adoptedStyleSheets.push(sheet)
    },

    // Words that are broken across lines. Those with a digit may be, such as the id of a commit.
    brokenWords: () => {
      return [...document.querySelectorAll("article :is(td, th, samp)")].flatMap(texts).flatMap(node =>
        [...node.data.matchAll(/[\p{L}\p{N}]+/gu)]
          .filter(({ 0: word }) => !/\p{N}/u.test(word))
          .filter(({ 0: word, index }) => new Set(lines(node, index, index + word.length).map(Math.round)).size > 1)
          .map(([word]) => `${word} in ${node.data}`))
    },

    // Headings in closed folds that the outline would mark: it marks the last heading that the reader has passed.
    closedInOutline: () => {
      const links = [...new Set([...document.querySelectorAll(".md-nav--secondary a[href]")].map(each => each.hash.slice(1)))]
      const heads = links.map(id => document.getElementById(id)).filter(each => each)
        .map(each => ({ each, top: each.getBoundingClientRect().top })).sort((one, other) => one.top - other.top)
      return heads.filter(({ each, top }, place) => !each.checkVisibility() && !(heads[place + 1]?.top < top + 1))
        .map(({ each }) => each.id)
    },

    // Rows in whose cells the first lines end at different heights, by more than different sizes of font account for.
    unevenRows: () => {
      const first = cell => texts(cell).filter(node => !node.parentElement.closest("math")).slice(0, 1)
      return [...document.querySelectorAll("article tbody tr")].flatMap(row => {
        const ends = [...row.cells].flatMap(first).flatMap(node => lines(node, 0, node.length).slice(0, 1))
        return Math.max(...ends) - Math.min(...ends) > 5 ? [row.innerText] : []
      })
    },

    // Removes the elements that are not to be judged, and those that only repeat an element further up: with the same
    // elements in the same elements, of the same classes, attributes and colours, and as empty or full. Elements that
    // name others stay.
    oneOfAKind: within => {
      const judged = [...document.querySelectorAll(within)]
      if (!judged.some(each => each.matches("html")))
        for (const each of document.querySelectorAll("body *:not(.md-header, .md-header *, .md-sidebar, .md-sidebar > *, .md-sidebar__inner)"))
          if (each.isConnected && !judged.some(other => other.contains(each) || each.contains(other))) each.remove()
      const names = new Map() // the kinds of elements, kept because it takes long to ask for their styles again
      const named = each => {
        if (!names.has(each)) names.set(each, kindOf(each))
        return names.get(each)
      }
      const kindOf = each => {
        const { color, backgroundColor } = getComputedStyle(each)
        const kind = [each.localName, each.className.baseVal ?? each.className, ...each.getAttributeNames()]
        return [...kind, color, backgroundColor, !each.textContent.trim()].join()
      }
      const parts = each => [each, ...each.querySelectorAll("*")].map(part => `${named(part.parentElement)} ${named(part)}`)
      const telling = "[id], label, caption, legend, summary, th, title, desc"
      const seen = new Set()
      const look = each => {
        const found = parts(each)
        if (found.every(part => seen.has(part)) && !each.matches(telling)) return each.remove()
        if (!each.matches("a, button, label, select")) for (const child of [...each.children]) look(child)
        for (const part of found) seen.add(part)
      }
      for (const each of judged) if (each.isConnected) look(each.querySelector("article") ?? each)
    },

    // The faults of a page on paper of some width.
    faultsOnPaper: width => {
      const found = []
      for (const each of document.querySelectorAll(".md-content *")) {
        const drawn = each.closest("svg") && each.localName !== "text"
        if (drawn || !each.getClientRects().length || each.matches(".bc-hidden, .bc-status")) continue
        const { left, right } = each.getBoundingClientRect()
        const { overflowX, display } = getComputedStyle(each)
        const named = `${each.localName} in ${each.closest("[id]")?.id}`
        if (left < -2 || right > width + 2) found.push(`${named} is cut off`)
        if (each.scrollWidth > each.clientWidth + 2 && overflowX !== "visible" && display !== "inline")
          found.push(`${named} scrolls`)
        if (each.matches("button, .bc-permalink, .headerlink")) found.push(`${named} is for clicking`)
      }
      for (const each of document.querySelectorAll("header, footer, .md-sidebar, .md-tabs"))
        if (!each.closest(".md-content") && each.getClientRects().length) found.push(`${each.className} is shown`)
      if (getComputedStyle(document.body).getPropertyValue("--md-default-fg-color").trim() !== "#1c2530")
        found.push("it is not in the light colours")
      if (!document.querySelector(".bc-imprint")?.getClientRects().length) found.push("it does not say where it is from")
      return found
    },

    // Numbers that are broken across lines, or parted from their units. Digits in a name, an address or the id of a
    // commit are no number.
    brokenNumbers: () => {
      const found = []
      const range = document.createRange()
      const texts = document.createTreeWalker(document.querySelector(".md-content"), NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: number, index } of text.data.matchAll(/(?<![\w/])\d(?:[.,]?\d)*(?:[KMB%]|\s[KMGT]i?B)?(?!\w)/g)) {
          range.setStart(text, index)
          range.setEnd(text, index + number.length)
          if (range.getClientRects().length > 1) found.push(number)
        }
      return found
    },

    // Elements that scroll sideways and have no shade behind them.
    withoutShade: () => [...document.querySelectorAll("article *")]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX))
      .filter((each) => each.checkVisibility() && !getComputedStyle(each).backgroundImage.includes("gradient"))
      .map((each) => each.outerHTML.slice(0, 99)),

    // The height of the page at its top, and after each step of scrolling through it.
    heights: async () => {
      const height = () => document.documentElement.scrollHeight
      scrollTo({ top: 0, behavior: "instant" })
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      const found = [height()]
      for (let top = 0; top < height(); top += innerHeight) {
        scrollTo({ top, behavior: "instant" })
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        found.push(height())
      }
      return found
    },

    // Elements that keep their shade, though scrolling should move it.
    stayingShades: () => [...document.querySelectorAll("article *")]
      .filter((each) => getComputedStyle(each).boxShadow.includes("inset")).map((each) => each.outerHTML.slice(0, 99)),

    // Focuses a sample of the numbers of a page, one after the other. A fault is an explanation that covers the number,
    // the heading above it, or in a table the caption or the heads of its row and column; that leaves the window; or
    // that is too many pixels away. In a low frame, headings may be covered.
    explainedOver: async ([most, isLow, farthest]) => {
      const found = []
      const numbers = [...document.querySelectorAll("article data[data-how]")].filter((each) => each.checkVisibility())
      const step = Math.max(1, Math.floor(numbers.length / most))
      for (let place = 0; place < numbers.length; place += step) {
        const number = numbers[place]
        number.scrollIntoView({ block: ["start", "center", "end"][place % 3], behavior: "instant" })
        number.focus({ preventScroll: true })
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
        const box = document.querySelector("#bc-how").getBoundingClientRect()
        const { left, top, right, bottom } = box
        if (!box.width) found.push(`${number.textContent} is not explained`)
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) found.push(`${number.textContent} leaves`)
        const own = number.getBoundingClientRect()
        const [across, down] = [[left - own.right, own.left - right], [top - own.bottom, own.top - bottom]]
        const distance = Math.round(Math.hypot(Math.max(0, ...across), Math.max(0, ...down)))
        if (distance > farthest) found.push(`that of ${number.textContent} is ${distance} pixels away`)
        const above = [...document.querySelectorAll("article :is(h1, h2, h3, h4)")]
          .filter((each) => each.compareDocumentPosition(number) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1)
        const cell = number.closest("td")
        const { caption, tHead } = cell?.closest("table") ?? {}
        const heads = cell ? [caption, tHead?.rows[0].cells[cell.cellIndex], cell.parentElement.querySelector("th")] : []
        for (const each of [number, ...(isLow ? [] : [above, ...heads])].filter(Boolean)) {
          const other = each.getBoundingClientRect()
          const across = Math.min(right, other.right) - Math.max(left, other.left)
          const down = Math.min(bottom, other.bottom) - Math.max(top, other.top)
          if (across > 1 && down > 1) found.push(`that of ${number.textContent} covers ${each.textContent}`)
        }
      }
      return found
    },

    // Focuses every second number of a page, each time from the top of the page, and waits until the page is at rest.
    // A fault is a number that is out of sight or not explained, or whose explanation moves when it is placed again,
    // as it is at an event that scrolls nothing.
    explainedFarBelow: async () => {
      const found = []
      const numbers = [...document.querySelectorAll("article data[data-how]")].filter((each) => each.checkVisibility())
      const shown = document.querySelector("#bc-how")
      for (let place = 0; place < numbers.length; place += 2) {
        const number = numbers[place]
        scrollTo(0, 0)
        await new Promise(requestAnimationFrame)
        number.focus()
        for (let frame = 0; frame < 8; frame++) await new Promise(requestAnimationFrame)
        const { top, bottom } = number.getBoundingClientRect()
        const before = shown.getBoundingClientRect()
        document.dispatchEvent(new Event("scroll"))
        const after = shown.getBoundingClientRect()
        if (bottom < 0 || top > innerHeight) found.push(`${number.textContent} is out of sight`)
        else if (!before.width) found.push(`${number.textContent} is not explained`)
        else if (before.top !== after.top || before.left !== after.left) found.push(`${number.textContent} has moved`)
      }
      return found
    },
  }
})()
