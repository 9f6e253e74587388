// What belongs together: a term of a sum, its piece of a figure, the rows of
// its tensors, its letter. Whichever is pointed at, focused or tapped lights
// the others. Paths say so, in `data-part`; letters in `data-letter`, and in
// formulas by themselves. A sum is one stop of the tab key; arrow keys move
// between its terms.

/** @typedef {{ element: Element, paths: string[], letters: Set<string> }} Source  what lights others */

const article = document.querySelector("article")
const PLACES = ["figure [data-part]", ".bc-level-sum [data-part]", "tr[data-part]", ".bc-term[data-part]"]
const LETTERS = ".bc-worked mi, .bc-worked [data-letter], .bc-summed [data-letter]"
/** @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** The paths of an element; all layers are alike. @param {Element} element */
const pathsOf = (element) => (element.getAttribute("data-part") ?? "").replace(/layer_\d+/g, "layer_*").split(" ")

/** @param {string} path @param {string} whole */
const within = (path, whole) => path === whole || path.startsWith(`${whole}/`)

/** @param {Element} element */
const letterOf = (element) => element.getAttribute("data-letter") ?? element.textContent ?? ""

/** What an element stands for; null where it belongs to no sum. @param {EventTarget | null} target @returns {Source | null} */
function sourceOf(target) {
  if (!(target instanceof Element)) return null
  // A number names its part as well, but not what a tag leaves of it; in a table its row does.
  const part = target.closest("[data-part]:not(data)")
  const letter = target.closest(LETTERS)
  const element = part ?? letter
  if (!element) return null
  const named = letter ? [letter] : [...element.querySelectorAll("mi, [data-letter]")]
  return { element, paths: part ? pathsOf(part) : [], letters: new Set(named.map(letterOf)) }
}

/**
 * Of the elements of one place those that count what the source counts, or
 * parts of it; or else the smallest that hold all of it, or some.
 * @param {Element[]} elements
 * @param {string[]} paths
 */
function matching(elements, paths) {
  const named = elements.map((element) => ({ element, own: pathsOf(element), each: element.hasAttribute("data-each") }))
  /** @param {string} path */
  const counted = (path) => paths.some((each) => within(path, each))
  const inside = named.filter(({ own, each }) => (each ? own.some(counted) : own.every(counted)))
  if (inside.length) return inside
  const holding = named.filter(({ own }) => paths.every((path) => own.some((each) => within(path, each))))
  const fewest = Math.min(...holding.map(({ own }) => own.length))
  if (holding.length) return holding.filter(({ own }) => own.length === fewest)
  return named.filter(({ own }) => paths.some((path) => own.some((each) => within(path, each))))
}

/** @param {Source | null} source */
function light(source) {
  for (const lit of document.querySelectorAll(".bc-lit")) lit.classList.remove("bc-lit")
  if (!article || !source) return
  source.element.classList.add("bc-lit")
  if (source.paths.length)
    for (const place of PLACES)
      for (const { element } of matching([...article.querySelectorAll(place)], source.paths))
        element.classList.add("bc-lit")
  for (const element of article.querySelectorAll(LETTERS))
    if (source.letters.has(letterOf(element)) && (!source.paths.length || !element.closest(".bc-term, tr")))
      element.classList.add("bc-lit")
}

if (article?.querySelector(".bc-steps")) {
  /** What is pointed at comes before what is focused or was tapped. */
  /** @type {Source | null} */
  let held = null
  article.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") light(sourceOf(event.target) ?? held)
  })
  article.addEventListener("pointerleave", () => light(held))
  article.addEventListener("focusin", ({ target }) => light((held = sourceOf(target))))
  article.addEventListener("focusout", () => light((held = null)))
  document.addEventListener("click", ({ target }) => light((held = sourceOf(target))))

  for (const sum of article.querySelectorAll(".bc-steps"))
    sum.querySelectorAll("[data-part].bc-term").forEach((term, place) => {
      if (term instanceof HTMLElement) term.tabIndex = place ? -1 : 0
    })

  article.addEventListener("keydown", (event) => {
    const term = event.target instanceof HTMLElement && event.target.closest(".bc-term")
    if (!(term instanceof HTMLElement)) return
    if (event.key === "Escape") term.blur()
    const step = KEYS[event.key]
    const terms = /** @type {HTMLElement[]} */ ([...(term.closest(".bc-steps")?.querySelectorAll(".bc-term") ?? [])])
    const next = step && terms[terms.indexOf(term) + step]
    if (!next) return
    event.preventDefault()
    term.tabIndex = -1
    next.tabIndex = 0
    next.focus()
  })
}
