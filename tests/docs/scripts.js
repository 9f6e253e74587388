/* Functions that tests run on pages. Several need the site's modules, which `importModules` makes available. */
({
  // Makes the functions of the site's modules available to tests, as `bertCounted`.
  importModules: async top => {
    // Tests also need the calculator's modules on pages other than its own.
    const pages = ["disagreements/i-got.html", "try/calculator.html"]
    const htmls = await Promise.all(pages.map(async page => (await fetch(new URL(`../../../${page}`, top))).text()))
    const bundles = new Set(htmls.flatMap(html => html.match(/\/bundles\/[^"]+/g) ?? []))
    const modules = Object.assign({}, ...(await Promise.all([...bundles].map(address => import(new URL(`..${address}`, top))))))
    // In a bundle, answering/answer.js has become the function $answering_answer.
    const load = path => modules[`$${path.replace(".js", "").replaceAll(/\W/g, "_")}`]()
    const calculatorModules = document.querySelector("#calculator") && {
      exports: load("calculator/export.js"), tables: load("calculator/tables.js"),
    }
    window.bertCounted = {
      answer: load("answering/answer.js"),
      changes: load("counting/changes.js"),
      configuration: load("counting/configuration.js"),
      calculator: { ...load("calculator/state.js"), ...calculatorModules },
      ...load("explaining/read.js"),
      ...load("explaining/explain.js"),
      ...load("answering/waterfall.js"),
      ...load("calculator/export.js"),
    }
  },

  // Returns the address of the first search result for each question, or "" if there is none.
  firstResults: async questions => {
    const config = JSON.parse(document.getElementById("__config").textContent)
    const worker = new Worker(new URL(config.search, location.href))
    const answerTo = (message) => new Promise((resolve) => {
      worker.addEventListener("message", ({ data }) => resolve(data.data), { once: true })
      worker.postMessage(message)
    })
    const index = await (await fetch(new URL(`${config.base}/search/search_index.json`, location.href))).json()
    // The theme's worker accepts messages of these types: 0 sets it up with the index, and 2 is a query.
    await answerTo({ type: 0, data: { ...index, options: { suggest: false } } })
    const locations = []
    for (const question of questions) locations.push((await answerTo({ type: 2, data: question })).items[0]?.[0].location ?? "")
    return locations
  },

  // Returns, for each text, the first sentence of the answer, all of the answer's text, and the kind and confidence of
  // the first explanation.
  firstAnswers: texts => texts.map((text) => {
    const container = document.createElement("div")
    container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
    const [first] = bertCounted.explain(text) ?? []
    const all = container.textContent
    const sentence = container.querySelector(".bc-answer")?.textContent ?? all
    // If several parts have this number, the sentence is followed by a list of them.
    const parts = sentence.endsWith(":") ? container.querySelector("ul").textContent : ""
    const { kind = "none", confidence = "possible" } = first ?? {}
    return { sentence: `${sentence} ${parts}`, all, kind, confidence }
  }),

  // Adds a copy of the answer, with ids that end with `suffix`, to the array `copies`, so that axe can later check many
  // answers at once.
  keepCopy: suffix => {
    const copy = document.querySelector("#answer").cloneNode(true)
    const names = ["id", "for", "aria-labelledby", "aria-describedby", "href"]
    for (const element of copy.querySelectorAll("[id], [for], [aria-labelledby], [aria-describedby], a[href^='#']"))
      for (const name of names)
        if (element.hasAttribute(name) && (name !== "href" || element.hash))
          element.setAttribute(name, element.getAttribute(name).replaceAll(/\S+/g, id => `${id}-${suffix}`))
    globalThis.copies = [...(globalThis.copies ?? []), ...copy.childNodes]
  },

  // Returns the texts whose answer is empty, contains HTML from the text, or cannot be computed. In the last case, the text
  // comes with the error.
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
  stopAnimations: () => {
    // If the sheet were adopted twice, the browser would compute the styles of the whole page twice.
    if (document.adoptedStyleSheets.includes(window.withoutAnimations)) return
    window.withoutAnimations = new CSSStyleSheet()
    withoutAnimations.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important }")
    document.adoptedStyleSheets.push(withoutAnimations)
  },

  // Switches to a colour scheme; returns Material's name for the scheme that the page then has.
  chooseTheme: async ([scheme, name]) => {
    const { dataset } = document.body
    if (dataset.mdColorScheme !== name) {
      document.querySelector(`input[data-md-color-media="(prefers-color-scheme: ${scheme})"]`).click()
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    }
    return dataset.mdColorScheme
  },

  // Returns the visible elements in a part of a page, each with the properties that decide how legible it is. WCAG
  // counts bold text as large from 18.66 pixels, and other text from 24.
  visibleElements: selector => new Map([...document.querySelectorAll(`:is(${selector}), :is(${selector}) *`)]
    .filter(element => element.checkVisibility())
    .map(element => {
      const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element)
      return [element, [color, backgroundColor, parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24)].join()]
    })),

  // Returns the elements that are visible now, and that were invisible before or looked different.
  changedElements: ([before, now]) => [...now].filter(([element, style]) => before.get(element) !== style)
    .map(([element]) => element),

  // Appends the answer to a text to the article, and returns the element that contains it.
  appendAnswer: text => {
    const container = document.createElement("div")
    container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text)))
    document.querySelector("article").append(container)
    return container
  },

  // Chooses every fifth model in a <select>, one after the other, and waits until the map has drawn all of them.
  chooseOtherModels: async select => {
    const values = [...select.options].map(({ value }) => value).filter((_, index) => index % 5 === 0)
    for (const value of values) {
      select.value = value
      select.dispatchEvent(new Event("change"))
    }
    while (!values.every(value => document.getElementById(value))) await new Promise(requestAnimationFrame)
  },

  // Replaces `correct` by `wrong` in the first matching element whose text contains `correct`. If the selector ends with
  // [data-how], the text is the element's explanation.
  plantFault: (root, [selector, correct, wrong]) => {
    const isExplanation = selector.endsWith("[data-how]")
    const text = (element) => (isExplanation ? element.dataset.how : element.textContent)
    const target = [...root.querySelectorAll(selector)].find((element) => text(element).includes(correct))
    if (isExplanation) target.dataset.how = text(target).replace(correct, wrong)
    else target.textContent = text(target).replace(correct, wrong)
  },

  // From now on, records the arguments of every animation and the size of the element that it moves.
  recordAnimations: () => {
    globalThis.animations = []
    const { animate } = Element.prototype
    Element.prototype.animate = function (...args) {
      animations.push([...args, this.clientWidth, this.clientHeight])
      return animate.apply(this, args)
    }
  },

  // Fills in fields of the calculator and presses a key in one of them. Returns the field's text afterwards, and whether
  // the page handled the key itself.
  pressKey: (fields, letter, key) => {
    const form = document.querySelector("#calculator-form")
    for (const [name, text] of Object.entries(fields)) form.elements[name].value = text
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })
    form.elements[letter].dispatchEvent(event)
    const { value } = form.elements[letter]
    form.querySelector("[type=reset]").click()
    return [value, event.defaultPrevented]
  },

  // Returns the times that the calculator takes to react to each of a number of edits, in milliseconds, in ascending order.
  reactionTimes: async (editCount) => {
    const values = { V: 30522, P: 512, F: 4096, L: 24 }
    const letters = Object.keys(values)
    const times = []
    for (let edit = 0; edit < editCount; edit++) {
      const letter = letters[edit % letters.length]
      const field = document.querySelector(`#calculator-${letter.toLowerCase()}`)
      field.focus()
      field.value = String(values[letter] + 1 + (edit % 97))
      const start = performance.now()
      field.dispatchEvent(new Event("input", { bubbles: true }))
      document.documentElement.getBoundingClientRect() // makes the time include styles and layout
      times.push(performance.now() - start)
      await new Promise(requestAnimationFrame)
    }
    return times.sort((first, second) => first - second)
  },

  // Returns, for each text, how many more texts are explained in order to answer it.
  countFurtherTexts: texts => texts.map((text) => {
    let calls = 0
    const countedExplain = (...args) => {
      calls++
      return bertCounted.explain(...args)
    }
    bertCounted.answer.answerTo(text, "", bertCounted.explain(text), countedExplain)
    return calls
  }),

  // Returns the duration of the longest task while a text is answered, in milliseconds, or 0 if no task takes 50 ms.
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
    // After these waits, the answer has been drawn and the observer has been notified.
    for (const _ of [1, 2, 3]) await new Promise((resolve) => setTimeout(resolve, 50))
    observer.disconnect()
    return Math.max(...times)
  },

  // Returns whether the page fits its frame exactly.
  frameFits: () => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const { height } = document.querySelector("main").getBoundingClientRect()
    return scrollWidth <= innerWidth && scrollHeight <= innerHeight && innerHeight - height < 2
  },

  // Waits until the heading is drawn, even if the rest of the page has not arrived yet.
  waitForHeading: async () => {
    const painted = () => performance.getEntriesByName("first-contentful-paint").length > 0
    while (!document.querySelector("h1") || !painted()) await new Promise(requestAnimationFrame)
  },

  // Returns the sum of the page's layout shifts so far.
  layoutShift: async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame) // shifts that are still in progress count, too
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: "layout-shift", buffered: true })
    return observer.takeRecords().reduce((sum, { value }) => sum + value, 0)
  },

  // Waits until the browser has run the tasks that are queued now: the error event of an image added now comes after
  // them.
  waitForQueuedTasks: () => new Promise((resolve) => {
    const image = new Image()
    image.onerror = () => setTimeout(resolve)
    image.src = "data:,"
  }),

  // Returns the serious and critical violations of the given accessibility rules that axe finds in the elements of a list,
  // or in those that match a selector. `rules` lists rule names, or tags that each select many rules; those in
  // `omittedRules` are left out.
  violations: async ([checked, rules, omittedRules]) => {
    if (!checked.length) return [] // axe refuses an empty list
    const omitted = Object.fromEntries(omittedRules.map(name => [name, { enabled: false }]))
    const options = { runOnly: rules, rules: omitted, resultTypes: ["violations"], preload: false }
    const { violations } = await axe.run(checked, options)
    return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  },

  // Returns, for each number of explanations, the number of those listed below the answer, and the sentence about the
  // rest.
  furtherExplanations: ([text, numbers]) => numbers.map(number => {
    const container = document.createElement("div")
    container.append(...bertCounted.answer.answerTo(text, "", bertCounted.explain(text).slice(0, number)))
    const list = container.querySelector(".bc-ways-on")
    return [list.querySelectorAll("li").length, list.querySelector("p")?.textContent ?? ""]
  }),
})
