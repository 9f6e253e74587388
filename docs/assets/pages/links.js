// What belongs together: a term of a sum, its piece of a figure, the rows of
// its tensors, its letter. Whichever is pointed at, focused or tapped lights
// the others. Paths say so, in `data-part`; letters in `data-letter`, and in
// formulas by themselves. A sum is one stop of the tab key; see numbers.js.

/** @typedef {{ element: Element, paths: string[], letters: Set<string> }} Source  what lights others */

const article = document.querySelector("article")
const PLACES = ["figure [data-part]", ".bc-level-sum [data-part]", "tr[data-part]", ".bc-term[data-part]"]
const LETTERS = ".bc-worked mi, .bc-worked [data-letter], .bc-summed [data-letter]"

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

/** Of the elements of one place those that count what the source counts, or parts of it; or else the smallest that hold
 * all of it, or some. @param {Element[]} elements @param {string[]} paths */
function matching(elements, paths) {
  const named = elements.map((element) => ({ element, own: pathsOf(element) }))
  /** @param {string} path */
  const isCounted = (path) => paths.some((each) => within(path, each))
  const inside = named.filter(({ element, own }) =>
    own[element.hasAttribute("data-each") ? "some" : "every"](isCounted),
  )
  /** @param {string[]} own @returns {(path: string) => boolean} */
  const isHeldBy = (own) => (path) => own.some((each) => within(path, each))
  const holding = named.filter(({ own }) => paths.every(isHeldBy(own)))
  const fewest = Math.min(...holding.map(({ own }) => own.length))
  const smallest = holding.filter(({ own }) => own.length === fewest)
  const some = named.filter(({ own }) => paths.some(isHeldBy(own)))
  return ([inside, smallest].find((found) => found.length) ?? some).map(({ element }) => element)
}

/** @param {Source | null} source */
function light(source) {
  for (const lit of document.querySelectorAll(".bc-lit")) lit.classList.remove("bc-lit")
  if (!article || !source) return
  const { element, paths, letters } = source
  const related = PLACES.flatMap((place) => matching(paths.length ? [...article.querySelectorAll(place)] : [], paths))
  const lettered = [...article.querySelectorAll(LETTERS)].filter(
    (each) => letters.has(letterOf(each)) && (!paths.length || !each.closest(".bc-term, tr")),
  )
  for (const each of [element, ...related, ...lettered]) each.classList.add("bc-lit")
}

if (article?.querySelector(".bc-steps")) {
  /** What is pointed at comes before what is focused or was tapped. @type {Source | null} */
  let held = null
  article.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") light(sourceOf(event.target) ?? held)
  })
  article.addEventListener("pointerleave", () => light(held))
  article.addEventListener("focusin", ({ target }) => light((held = sourceOf(target))))
  article.addEventListener("focusout", () => light((held = null)))
  document.addEventListener("click", ({ target }) => light((held = sourceOf(target))))

  for (const sum of article.querySelectorAll(".bc-steps"))
    for (const [place, term] of [...sum.querySelectorAll("[data-part].bc-term")].entries())
      term.setAttribute("tabindex", place ? "-1" : "0")
}
