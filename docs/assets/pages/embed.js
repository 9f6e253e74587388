// Runs on a page that shows one piece of the site, such as a table or a tool, in a frame.
//
// - It applies the colours that the address specifies before anything is drawn.
// - It makes the credit link to the current content of the frame rather than the initial one.
// - It reports the height of the content to the page around the frame, in a message that
//   course systems understand.
// - If the frame's sandbox prevents links from opening, it shows the address to copy.
//
// This is a classic script, because a module would run only after the first paint. The
// block keeps its names from becoming global.
{
  // Two parameters in the address of a frame: its colours, and the id by which Canvas identifies frames.
  const [theme, id] = ["theme", "id"].map((name) => new URLSearchParams(location.search).get(name))
  const darkScheme = matchMedia("(prefers-color-scheme: dark)")

  /** Sets the colours that the address specifies, or by default those of the reader's system. */
  function paint() {
    const isDark = theme === "dark" || (theme !== "light" && darkScheme.matches)
    document.documentElement.dataset.mdColorScheme = isDark ? "slate" : "default" // the theme's names for dark and light
  }
  paint()
  darkScheme.addEventListener("change", paint)

  /**
   * Makes the credit of a tool link to the current content of the tool: a configuration, an exercise or a level of the
   * map.
   * @param {MouseEvent} event
   */
  function updateCredit({ target }) {
    const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(".bc-credit a"))
    // Only the page of a tool has a base element. The content of a figure or a table never changes.
    if (!link || !document.querySelector("base")) return
    const query = new URLSearchParams(location.search)
    for (const name of ["theme", "id"]) query.delete(name)
    link.search = String(query)
    link.hash = location.hash
  }
  for (const kind of /** @type {const} */ (["click", "auxclick"])) document.addEventListener(kind, updateCredit)

  /**
   * Opens a clicked link in a new window, unless it is a download or meant for the frame itself. If the browser
   * refuses, it says nothing, so the address is shown for copying.
   * @param {MouseEvent} event
   */
  function follow(event) {
    const link = event.target instanceof Element && event.target.closest("a[href]")
    const { ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
    if (!link || defaultPrevented || ctrlKey || metaKey || shiftKey || altKey) return
    if (link.getAttribute("target") === "_self" || link.hasAttribute("download")) return
    event.preventDefault()
    const address = String(new URL(link.getAttribute("href") ?? "", location.href))
    const tab = window.open(address)
    if (tab) tab.opener = null
    refusal.remove()
    if (tab) return
    refusal.textContent = "The page around this frame does not let it open links. Copy the address instead:"
    field.value = address
    refusal.append(field)
    document.querySelector(".bc-credit")?.after(refusal)
  }
  const [refusal, field] = [document.createElement("p"), document.createElement("textarea")]
  Object.assign(refusal, { className: "bc-hint", role: "alert" })
  Object.assign(field, { className: "bc-by-hand", readOnly: true, rows: 2, ariaLabel: "Address" })

  if (parent !== window) {
    // On the window, so that it handles a click last, after the scripts that show a link's target within the frame.
    window.addEventListener("click", follow)
    /** Sends the height of the content to the page around the frame. */
    const reportHeight = () => {
      const height = Math.ceil(document.querySelector("main")?.getBoundingClientRect().height ?? 0)
      // IMathAS reads only text, while Canvas reads text and objects. A height is not private, so any page may receive
      // it.
      const message = JSON.stringify({ subject: "lti.frameResize", height, ...(id && { frame_id: id }) })
      if (height) parent.postMessage(message, "*")
    }
    addEventListener("DOMContentLoaded", () => new ResizeObserver(reportHeight).observe(document.body))
    // The height is sent again, for a page that only began to listen after the first message.
    addEventListener("load", reportHeight)
    // A new history entry of a frame belongs to the whole window, where Back would then seem to do nothing.
    history.pushState = history.replaceState
  }
}
