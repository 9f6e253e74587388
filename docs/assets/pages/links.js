// Highlights related elements together: a term of a formula or of a sum, its piece of a
// figure, the rows of its tensors, its letter, and the numbers in the text that count the
// same tensors. When one of them is pointed at, focused or tapped, all are highlighted.
//
// `data-part` lists the paths that an element represents, `data-paths` those that a number
// counts, and `data-letter` names a letter; in a formula, the letters are the `mi` elements.
// `data-drawn` names the model that a picture shows, if the reader can choose another: a number
// of one model never highlights the picture of another. The Tab key stops once at each sum and
// each formula; see numbers.js for the arrow keys.

/** @typedef {{ element: Element, paths: string[], letters: Set<string> }} Source  an element that highlights others */

const article = document.querySelector("article")
// Selectors for the kinds of elements with a part. Each kind is searched by itself, because a figure may have a single
// piece for what the source counts, while the table next to it has several rows.
const PART_SELECTORS = ["figure [data-part]", ".bc-level-sum [data-part]", "tr[data-part]", ".bc-term[data-part]"]
const LETTER_SELECTOR =
  ":is(.bc-worked, .bc-term) mi, :is(.bc-worked, .bc-summed, .bc-where) [data-letter], .bc-where mi"

/**
 * The paths of an element, with a star in place of a layer's number, because all layers are alike.
 * @param {Element} element
 */
const pathsOf = (element) =>
  // The question of a number may narrow its part by a tag, which `data-part` lacks, so `data-paths` is read instead.
  (element.getAttribute(element.matches("data") ? "data-paths" : "data-part") ?? "")
    .replace(/layer_\d+/g, "layer_*")
    .split(" ")
/**
 * Whether a path equals another or is below it.
 * @param {string} path
 * @param {string} containerPath
 */
const isWithin = (path, containerPath) => path === containerPath || path.startsWith(`${containerPath}/`)
/**
 * The model that a number counts or a picture shows; null or undefined if the element applies to every model.
 * @param {Element} element
 */
const modelOf = (element) =>
  element.matches("data")
    ? element.getAttribute("data-model")
    : element.closest("[data-drawn]")?.getAttribute("data-drawn")
/**
 * Whether two elements may be highlighted together, because they do not belong to different models.
 * @param {Element} one
 * @param {Element} other
 */
const areOfOneModel = (one, other) => {
  const [model, otherModel] = [modelOf(one), modelOf(other)]
  return !model || !otherModel || model === otherModel
}
/** The letter that an element names or consists of. @param {Element} element */
const letterOf = (element) => element.getAttribute("data-letter") ?? element.textContent ?? ""

/**
 * The source that an event's target belongs to; null if it has neither a part nor a letter.
 * @param {EventTarget | null} target
 * @returns {Source | null}
 */
function sourceOf(target) {
  if (!(target instanceof Element)) return null
  // For a number in the row of a tensor, the source is the row.
  const part = target.closest("tr[data-part]") ?? target.closest("data[data-paths], [data-part]:not(data)")
  const letter = target.closest(LETTER_SELECTOR)
  const element = part ?? letter
  if (!element) return null
  const letters = letter ? [letter] : [...element.querySelectorAll("mi, [data-letter]")]
  return { element, paths: part ? pathsOf(part) : [], letters: new Set(letters.map(letterOf)) }
}

/**
 * The elements of one kind that represent everything or pieces of what the source counts. If there are none, the
 * smallest elements that contain all of it; if there are none of those either, the elements that contain some of it.
 * @param {Element[]} elements
 * @param {string[]} paths
 */
function matchingElements(elements, paths) {
  const candidates = elements.map((element) => ({ element, elementPaths: pathsOf(element) }))
  /** Whether the source counts the tensor or module of a path. @param {string} path */
  const isCountedBySource = (path) => paths.some((prefix) => isWithin(path, prefix))
  // With `data-each`, an element represents any one of its paths.
  const piecesOfSource = candidates.filter(({ element, elementPaths }) =>
    elementPaths[element.hasAttribute("data-each") ? "some" : "every"](isCountedBySource),
  )
  /**
   * A function that tests whether an element with these paths contains the tensor or module of another path.
   * @param {string[]} elementPaths
   * @returns {(path: string) => boolean}
   */
  const isContainedIn = (elementPaths) => (path) => elementPaths.some((containerPath) => isWithin(path, containerPath))
  const containingAll = candidates.filter(({ elementPaths }) => paths.every(isContainedIn(elementPaths)))
  const fewestPaths = Math.min(...containingAll.map(({ elementPaths }) => elementPaths.length))
  const smallestContainers = containingAll.filter(({ elementPaths }) => elementPaths.length === fewestPaths)
  const containingSome = candidates.filter(({ elementPaths }) => paths.some(isContainedIn(elementPaths)))
  return ([piecesOfSource, smallestContainers].find((matches) => matches.length) ?? containingSome).map(
    ({ element }) => element,
  )
}

/**
 * The numbers in the text that count exactly what the source counts, or only some of its paths if it represents any
 * one of them.
 * @param {Source} source
 */
function sameNumbers({ element, paths }) {
  const representsAnyPath = element.hasAttribute("data-each")
  const numbers = [...(article?.querySelectorAll("data[data-paths]") ?? [])]
  return numbers.filter((number) => {
    if (!areOfOneModel(element, number)) return false
    const numberPaths = pathsOf(number)
    return (
      numberPaths.every((path) => paths.includes(path)) && (representsAnyPath || numberPaths.length === paths.length)
    )
  })
}

/**
 * The currently highlighted elements. No others are touched, because another script highlights rows in the calculator.
 * @type {Element[]}
 */
let litElements = []

/**
 * Highlights a source and everything related to it, and nothing else.
 * @param {Source | null} source
 */
function highlight(source) {
  for (const node of litElements) node.classList.remove("bc-lit")
  litElements = []
  if (!article || !source) return
  const { element, paths, letters } = source
  const relatedElements = PART_SELECTORS.flatMap((selector) => {
    const elements = paths.length ? [...article.querySelectorAll(selector)] : []
    return matchingElements(
      elements.filter((candidate) => areOfOneModel(element, candidate)),
      paths,
    )
  })
  // A term only highlights its letters in the formula, because the same letters in other terms belong to other parts.
  const sameLetters = [...article.querySelectorAll(LETTER_SELECTOR)].filter(
    (letter) => letters.has(letterOf(letter)) && (!paths.length || !letter.closest(".bc-term, tr")),
  )
  litElements = [element, ...relatedElements, ...sameNumbers(source), ...sameLetters]
  for (const node of litElements) node.classList.add("bc-lit")
}

// If a page has only numbers, there is nothing to highlight with them.
if (article?.querySelector("[data-part]:not(data)")) {
  /**
   * The source that was focused or tapped. It is highlighted whenever the mouse points at no other.
   * @type {Source | null}
   */
  let heldSource = null
  article.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") highlight(sourceOf(event.target) ?? heldSource)
  })
  article.addEventListener("pointerleave", () => highlight(heldSource))
  article.addEventListener("focusin", ({ target }) => highlight((heldSource = sourceOf(target))))
  article.addEventListener("focusout", () => highlight((heldSource = null)))
  document.addEventListener("click", ({ target }) => highlight((heldSource = sourceOf(target))))

  for (const sum of article.querySelectorAll(".bc-steps, .bc-formula"))
    for (const [index, term] of [...sum.querySelectorAll("[data-part].bc-term")].entries())
      term.setAttribute("tabindex", index ? "-1" : "0")
}
