// A thing of the site as a page of its own, in a frame on another page: has the
// colours that the address asks for before anything is drawn, leads to what it
// shows by now, and tells the page around it how high it is, in the words that
// course systems know. Where a sandbox lets nothing be opened, it says so.
{
  const [theme, id] = ["theme", "id"].map((name) => new URLSearchParams(location.search).get(name))
  const dark = matchMedia("(prefers-color-scheme: dark)")

  function paint() {
    const isDark = theme === "dark" || (theme !== "light" && dark.matches)
    document.documentElement.dataset.mdColorScheme = isDark ? "slate" : "default"
  }
  paint()
  dark.addEventListener("change", paint)

  /** The page of a tool shows what the tool shows here: a configuration, an exercise, a level. @param {MouseEvent} event */
  function lead({ target }) {
    const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(".bc-credit a"))
    if (!link || !document.querySelector("base")) return
    const shown = new URLSearchParams(location.search)
    for (const ours of ["theme", "id"]) shown.delete(ours)
    link.search = String(shown)
    link.hash = location.hash
  }
  for (const kind of /** @type {const} */ (["click", "auxclick"])) document.addEventListener(kind, lead)

  /** Open what a link leads to, or show its address: a browser that may not open it says nothing. @param {MouseEvent} event */
  function follow(event) {
    const link = event.target instanceof Element && event.target.closest("a[href]")
    const { ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
    if (!link || defaultPrevented || ctrlKey || metaKey || shiftKey || altKey) return
    if (link.getAttribute("target") === "_self" || link.hasAttribute("download")) return
    event.preventDefault()
    const address = String(new URL(link.getAttribute("href") ?? "", location.href))
    const opened = window.open(address)
    if (opened) opened.opener = null
    refused.remove()
    if (opened) return
    refused.textContent = "The page around this frame lets it open no links. The address to copy:"
    field.value = address
    refused.append(field)
    document.querySelector(".bc-credit")?.after(refused)
  }
  const [refused, field] = [document.createElement("p"), document.createElement("textarea")]
  Object.assign(refused, { className: "bc-hint", role: "alert" })
  Object.assign(field, { className: "bc-by-hand", readOnly: true, rows: 2, ariaLabel: "Address" })

  if (parent !== window) {
    // The last to hear of a click, after the scripts that show what it leads to right here.
    window.addEventListener("click", follow)
    const tell = () => {
      const height = Math.ceil(document.querySelector("main")?.getBoundingClientRect().height ?? 0)
      // Nothing in it is private, so that any page may know. IMathAS reads text alone, and Canvas text and objects.
      const message = JSON.stringify({ subject: "lti.frameResize", height, ...(id && { frame_id: id }) })
      if (height) parent.postMessage(message, "*")
    }
    addEventListener("DOMContentLoaded", () => new ResizeObserver(tell).observe(document.body))
    // Once more for a page that began to listen only after the first message.
    addEventListener("load", tell)
    // A step in a frame would be one of the whole window: its Back would seem to do nothing.
    history.pushState = history.replaceState
  }
}
