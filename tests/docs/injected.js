/* Functions that plant code and styles on a page as an attacker would, and that report which of them had an effect. */
({
  // Records the attacks that have an effect, and the directives of the policy that are violated. It must be called before
  // the page loads.
  watch: () => {
    globalThis.effects = new Set()
    globalThis.violatedDirectives = new Set()
    addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.startsWith("planted ")) effects.add(data)
    })
    document.addEventListener("securitypolicyviolation", (event) => violatedDirectives.add(event.effectiveDirective))
  },

  // Plants elements and code as a bug in our own scripts might. It must be called once the page has loaded.
  plantByScript: () => {
    const add = (name, attributes) => document.body.appendChild(Object.assign(document.createElement(name), attributes))
    add("script", { textContent: "parent.postMessage('planted element of a script', '*')" })
    add("div", { innerHTML: `<img src="data:," alt="" onerror="parent.postMessage('planted HTML put in', '*')">` })
    add("p", { id: "planted-later" }).setAttribute("style", "z-index: 73")
    fetch("https://elsewhere.example/fetched", { mode: "no-cors" }).catch(() => {})
    const code = URL.createObjectURL(new Blob(["postMessage('planted worker')"]))
    try { new Worker(code).onmessage = ({ data }) => effects.add(data) } catch {}
    setTimeout("parent.postMessage('planted code in a text', '*')")
    document.querySelector("#planted-link").click()
    document.querySelector("#planted-form").submit()
  },

  // Returns the attacks that have had an effect.
  effectsSoFar: () => {
    const styledElements = ["element", "attribute", "later"].filter((name) =>
      getComputedStyle(document.querySelector(`#planted-${name}`)).zIndex.startsWith("7"))
    const base = document.baseURI === location.href ? [] : ["base"]
    return [...effects, ...styledElements.map((name) => `planted style ${name}`), ...base]
  },
})
