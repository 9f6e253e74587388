"use strict"
// Fetches the scripts of a page once the page is there, so that reading never
// waits for them, or as soon as a reader goes to the search. The page names
// them, in the order they build on each other, in elements with `data-src`;
// those with `data-own` are needed on this page alone.
{
  // The theme shows its search to readers with scripts only.
  document.documentElement.classList.replace("no-js", "js")

  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-md-component=search-query]"))
  const LONGEST = 3000 // milliseconds
  const KEYS = ["/", "s", "f"]

  /**
   * Elements that name scripts stay, and scripts go into the head: another element in the body, or one less, would
   * have the browser style the whole page anew.
   * @param {HTMLScriptElement} named  the element that names a script, whose data the script reads
   */
  function fetchOne(named) {
    const script = document.createElement("script")
    const { src = "", ...rest } = named.dataset
    Object.assign(script.dataset, rest)
    script.async = false
    script.src = src
    document.head.append(script)
    return script
  }

  /** @type {Set<HTMLScriptElement>} */
  const fetched = new Set()

  /** Fetch what has not been fetched yet. @param {string} which  a selector */
  function fetchAll(which = "script[data-src]") {
    const all = /** @type {NodeListOf<HTMLScriptElement>} */ (document.querySelectorAll(which))
    const named = [...all].filter((each) => !fetched.has(each))
    named.forEach((each) => fetched.add(each))
    return named.map(fetchOne)
  }

  function fetchRest() {
    stop.abort()
    // The theme begins with an event that has long been: the last of its scripts is where it is told again.
    const common = fetchAll("script[data-src]:not([data-own])").at(-1)
    fetchAll()
    common?.addEventListener("load", () => {
      listening.abort()
      document.dispatchEvent(new Event("DOMContentLoaded"))
    })
  }

  const stop = new AbortController()
  const listening = new AbortController()
  // An address that asks something is waiting for its answer, and all else for that, but not for long.
  const asked = "asked" in document.documentElement.dataset
  if (asked) {
    fetchAll("script[data-own]")
    document.addEventListener("answered", fetchRest, { signal: stop.signal })
    addEventListener("load", () => setTimeout(fetchRest, LONGEST))
  } else addEventListener("load", fetchRest, { signal: stop.signal })
  field?.addEventListener("focus", fetchRest, { signal: stop.signal })
  // Until the theme does so: its keys lead to the search, and so does the sign for it on phones.
  document.addEventListener(
    "keydown",
    (event) => {
      const { target, key } = event
      if (event.metaKey || event.ctrlKey || event.altKey || !KEYS.includes(key)) return
      if (target instanceof Element && target.closest("input, select, textarea, [contenteditable]")) return
      event.preventDefault()
      field?.focus()
    },
    { signal: listening.signal },
  )
  document
    .querySelector(".md-header__button[for=__search]")
    ?.addEventListener("click", () => field?.focus(), { signal: listening.signal })
  if (document.activeElement === field) field?.dispatchEvent(new Event("focus"))
}
