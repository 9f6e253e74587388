/* Functions that tests run on pages. Several need the modules of the site, which `importModules` makes available. */
({
  // Makes the functions of the page's bundles available to tests, as `bertCounted`.
  importModules: async top => {
    // The calculator's own files are loaded on other pages, too.
    const pages = ["disagreements/i-got.html", "try/calculator.html"]
    const htmls = await Promise.all(pages.map(async page => (await fetch(new URL(`../../../${page}`, top))).text()))
    const bundles = new Set(htmls.flatMap(html => html.match(/\/bundles\/[^"]+/g) ?? []))
    const modules = Object.assign({}, ...(await Promise.all([...bundles].map(address => import(new URL(`..${address}`, top))))))
    // In a bundle, answering/answer.js is the function $answering_answer.
    const load = path => modules[`$${path.replace(".js", "").replaceAll(/\W/g, "_")}`]()
    const inCalculator = document.querySelector("#calculator") && {
      exports: load("calculator/export.js"), tables: load("calculator/tables.js"),
    }
    window.bertCounted = {
      answer: load("answering/answer.js"),
      changes: load("counting/changes.js"),
      configuration: load("counting/configuration.js"),
      calculator: { ...load("calculator/state.js"), ...inCalculator },
      ...load("explaining/read.js"),
      ...load("explaining/explain.js"),
      ...load("answering/waterfall.js"),
      ...load("calculator/export.js"),
    }
  },

  // For each question, the address of the first result of the site's search; "" if there is none.
  firstResults: async questions => {
    const config = JSON.parse(document.getElementById("__config").textContent)
    const worker = new Worker(new URL(config.search, location.href))
    const answer = (message) => new Promise((resolve) => {
      worker.addEventListener("message", ({ data }) => resolve(data.data), { once: true })
      worker.postMessage(message)
    })
    const index = await (await fetch(new URL(`${config.base}/search/search_index.json`, location.href))).json()
    // The theme's worker takes messages of these types: 0 sets it up with the index, 2 is a query.
    await answer({ type: 0, data: { ...index, options: { suggest: false } } })
    const locations = []
    for (const question of questions) locations.push((await answer({ type: 2, data: question })).items[0]?.[0].location ?? "")
    return locations
  },

  // For each text, the first sentence of its answer, all text of the answer, and the kind and confidence of its first
  // explanation.
  firstAnswers: texts => texts.map((text) => {
    const container = document.createElement("div")
    container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
    const [first] = bertCounted.explain(text) ?? []
    const all = container.textContent
    const says = container.querySelector(".bc-answer")?.textContent ?? all
    // If several parts have the number, they are in a list below the sentence.
    const parts = says.endsWith(":") ? container.querySelector("ul").textContent : ""
    const { kind = "none", confidence = "possible" } = first ?? {}
    return { says: `${says} ${parts}`, all, kind, confidence }
  }),

  // Keeps a copy of the answer on the page in `also`, with other ids, so that axe can check many answers at once.
  keepCopy: suffix => {
    const copy = document.querySelector("#answer").cloneNode(true)
    const names = ["id", "for", "aria-labelledby", "aria-describedby", "href"]
    for (const element of copy.querySelectorAll("[id], [for], [aria-labelledby], [aria-describedby], a[href^='#']"))
      for (const name of names)
        if (element.hasAttribute(name) && (name !== "href" || element.hash))
          element.setAttribute(name, element.getAttribute(name).replaceAll(/\S+/g, id => `${id}-${suffix}`))
    globalThis.also = [...(globalThis.also ?? []), ...copy.childNodes]
  },

  // The texts whose answer is empty or contains elements from the text, or on which answering fails.
  badlyAnswered: texts => texts.flatMap((text) => {
    const container = document.createElement("div")
    try {
      container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
      return container.querySelector("script, img, b, iframe, [onerror]") || !container.textContent ? [text] : []
    } catch (error) {
      return [[text, String(error)]]
    }
  }),

  // Stops all transitions and animations.
  still: () => {
    // Adopting the sheet twice would compute the styles of the whole page twice.
    if (document.adoptedStyleSheets.includes(window.still)) return
    window.still = new CSSStyleSheet()
    still.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important }")
    document.adoptedStyleSheets.push(still)
  },

  // Switches to a colour scheme; returns Material's name of the scheme that the page then has.
  chooseTheme: async ([scheme, name]) => {
    const { dataset } = document.body
    if (dataset.mdColorScheme !== name) {
      document.querySelector(`input[data-md-color-media="(prefers-color-scheme: ${scheme})"]`).click()
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    }
    return dataset.mdColorScheme
  },

  // The visible elements in a part of a page, each with the properties that decide how legible it is. WCAG calls text
  // large from 18.66 pixels if it is bold, and from 24 otherwise.
  visibleElements: within => new Map([...document.querySelectorAll(`:is(${within}), :is(${within}) *`)]
    .filter(element => element.checkVisibility())
    .map(element => {
      const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element)
      return [element, [color, backgroundColor, parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24)].join()]
    })),

  // Whether an element is visible now that was not visible before, or looks different.
  hasChanged: ([before, now]) => [...now].some(([element, style]) => before.get(element) !== style),

  // Adds the answer to a text to the page, and returns the element with it.
  shownAnswer: text => {
    const container = document.createElement("div")
    container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
    document.querySelector("article").append(container)
    return container
  },

  // Chooses every fifth model of a list, and waits until all of these are drawn.
  otherModels: async select => {
    const values = [...select.options].map(({ value }) => value).filter((_, index) => index % 5 === 0)
    for (const value of values) {
      select.value = value
      select.dispatchEvent(new Event("change"))
    }
    while (!values.every(value => document.getElementById(value))) await new Promise(requestAnimationFrame)
  },

  // Plants a fault: replaces part of the first text that contains it or, for numbers, of the first explanation.
  plant: (root, [selector, correct, wrong]) => {
    const isExplanation = selector.endsWith("[data-how]")
    const text = (element) => (isExplanation ? element.dataset.how : element.textContent)
    const target = [...root.querySelectorAll(selector)].find((element) => text(element).includes(correct))
    if (isExplanation) target.dataset.how = text(target).replace(correct, wrong)
    else target.textContent = text(target).replace(correct, wrong)
  },

  // Records the arguments of every animation, with the size of the element that it moves.
  recordAnimations: () => {
    globalThis.animations = []
    const { animate } = Element.prototype
    Element.prototype.animate = function (...args) {
      animations.push([...args, this.clientWidth, this.clientHeight])
      return animate.apply(this, args)
    }
  },

  // Presses a key in a field of the calculator; returns the text of the field afterwards, and whether the page handled
  // the key itself.
  step: (fields, letter, key) => {
    const form = document.querySelector("#calculator-form")
    for (const [name, text] of Object.entries(fields)) form.elements[name].value = text
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })
    form.elements[letter].dispatchEvent(event)
    const { value } = form.elements[letter]
    form.querySelector("[type=reset]").click()
    return [value, event.defaultPrevented]
  },

  // The times that the calculator takes to react to edits, in milliseconds, the shortest first.
  timesToType: async (edits) => {
    const values = { V: 30522, P: 512, F: 4096, L: 24 }
    const letters = Object.keys(values)
    const times = []
    for (let edit = 0; edit < edits; edit++) {
      const letter = letters[edit % letters.length]
      const field = document.querySelector(`#calculator-${letter.toLowerCase()}`)
      field.focus()
      field.value = String(values[letter] + 1 + (edit % 97))
      const start = performance.now()
      field.dispatchEvent(new Event("input", { bubbles: true }))
      document.documentElement.getBoundingClientRect() // so that the time includes styles and layout
      times.push(performance.now() - start)
      await new Promise(requestAnimationFrame)
    }
    return times.sort((first, second) => first - second)
  },

  // For each text, how many more texts its answer has explained.
  explanations: texts => texts.map((text) => {
    let calls = 0
    const countedExplain = (...args) => {
      calls++
      return bertCounted.explain(...args)
    }
    bertCounted.answer.answerTo(text, "", bertCounted.explain(text), countedExplain)
    return calls
  }),

  // The longest time for which answering blocks the page, in milliseconds; 0 if it never does for 50 or more.
  longestTask: async text => {
    const times = [0]
    const observer = new PerformanceObserver((list) => times.push(...list.getEntries().map(({ duration }) => duration)))
    observer.observe({ type: "longtask" })
    const form = document.querySelector("#question")
    form.n.value = text
    document.querySelector("#answer").replaceChildren()
    // The test's own code must not count as a task of the page.
    setTimeout(() => form.requestSubmit())
    while (!document.querySelector("#answer .bc-answer")) await new Promise((resolve) => setTimeout(resolve, 10))
    // Until the answer is drawn, and the observer has been told of it.
    for (const _ of [1, 2, 3]) await new Promise((resolve) => setTimeout(resolve, 50))
    observer.disconnect()
    return Math.max(...times)
  },

  // Whether the page fits into its frame exactly.
  frameFits: () => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const { height } = document.querySelector("main").getBoundingClientRect()
    return scrollWidth <= innerWidth && scrollHeight <= innerHeight && innerHeight - height < 2
  },

  // Waits until the heading is drawn, even if the rest of the page has not arrived.
  headingDrawn: async () => {
    const painted = () => performance.getEntriesByName("first-contentful-paint").length > 0
    while (!document.querySelector("h1") || !painted()) await new Promise(requestAnimationFrame)
  },

  // The sum of the page's layout shifts so far.
  layoutShift: async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame) // shifts that are still happening count, too
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: "layout-shift", buffered: true })
    return observer.takeRecords().reduce((sum, { value }) => sum + value, 0)
  },

  // Waits until the browser has done the tasks that are queued now: loading an image that fails comes after them.
  settled: () => new Promise((resolve) => {
    const image = new Image()
    image.onerror = () => setTimeout(resolve)
    image.src = "data:,"
  }),

  // The serious and critical violations of rules of accessibility that axe finds within an element.
  violations: async ([within, rules]) => {
    const { violations } = await axe.run(within, { runOnly: rules, resultTypes: ["violations"], preload: false })
    return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  },

  // For each number of explanations, how many are listed below the answer, and the sentence about the rest.
  furtherExplanations: ([text, numbers]) => numbers.map(number => {
    const container = document.createElement("div")
    container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text).slice(0, number)))
    const list = container.querySelector(".bc-ways-on")
    return [list.querySelectorAll("li").length, list.querySelector("p")?.textContent ?? ""]
  }),
})
