/* Functions that plant code and styles on a page as an attacker would, and that say which of them had an effect. */
({
  // To be run before the page loads: records what worked, and what the policy stopped.
  watch: () => {
    globalThis.plantedWorked = new Set()
    globalThis.plantedStopped = new Set()
    addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.startsWith("planted ")) plantedWorked.add(data)
    })
    document.addEventListener("securitypolicyviolation", (event) => plantedStopped.add(event.effectiveDirective))
  },

  // To be run once the page is there: plants elements and code in ways in which a fault of our own scripts might.
  byScripts: () => {
    const add = (name, attributes) => document.body.appendChild(Object.assign(document.createElement(name), attributes))
    add("script", { textContent: "parent.postMessage('planted element of a script', '*')" })
    add("div", { innerHTML: `<img src="data:," alt="" onerror="parent.postMessage('planted HTML put in', '*')">` })
    add("p", { id: "planted-later" }).setAttribute("style", "z-index: 73")
    fetch("https://elsewhere.example/fetched", { mode: "no-cors" }).catch(() => {})
    const code = URL.createObjectURL(new Blob(["postMessage('planted worker')"]))
    try { new Worker(code).onmessage = ({ data }) => plantedWorked.add(data) } catch {}
    setTimeout("parent.postMessage('planted code in a text', '*')")
    document.querySelector("#planted-link").click()
    document.querySelector("#planted-form").submit()
  },

  // The planted things that had an effect.
  seen: () => {
    const styled = ["element", "attribute", "later"].filter((name) =>
      getComputedStyle(document.querySelector(`#planted-${name}`)).zIndex.startsWith("7"))
    const base = document.baseURI === location.href ? [] : ["base"]
    return [...plantedWorked, ...styled.map((name) => `planted style ${name}`), ...base]
  },
})
