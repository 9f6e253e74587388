// The page of the map: shows one level at a time, by the address; adds a choice
// of models, and draws the levels of those that the page does not hold; walks
// by keyboard, with a movement that says where a level lies in the one above.

import { models } from "../counting/engine.js"
import { at, levels, section } from "../drawing/levels.js"

const STATIC = new Map([
  ["base", "bert-base-uncased"],
  ["large", "bert-large-uncased"],
])
const TITLES = new Map([
  ["base", "BERT base"],
  ["large", "BERT large"],
])
const MILLISECONDS = 280

const map = /** @type {HTMLElement} */ (document.querySelector(".bc-levels"))

/** @typedef {{ root: string, path: string }} Place  a model by the first part of its address, and a level */

/** @param {string} root */
const modelOf = (root) => models.get(STATIC.get(root) ?? root)
/** @param {string} root */
const titleOf = (root) => TITLES.get(root) ?? modelOf(root).title
/** The models to choose from: those that have a page and the parts of BERT. */
const choices = [...models.values()].filter(
  (each) => each.page && each.architecture === "bert" && ![...STATIC.values()].includes(each.name),
)

/** An address as text; one that is broken names nothing. @param {string} hash */
function plain(hash) {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ""
  }
}

/** The place that an address names, or the whole of base. @param {string} hash @returns {Place} */
function placeOf(hash) {
  const [root, ...rest] = plain(hash).split("/")
  const path = rest.join("/")
  const known = TITLES.has(root) || choices.some((each) => each.name === root)
  const level = levels.find((each) => each.path === path || each.aliases?.includes(path))
  return known && level ? { root, path: level.path } : { root: "base", path: "" }
}

/** The section of a level; the levels of a model are drawn when they are first asked for. @param {Place} place */
function sectionOf({ root, path }) {
  const found = () => document.getElementById(at(root, path))
  if (!found())
    map.insertAdjacentHTML(
      "beforeend",
      levels.map((each) => section(each, modelOf(root).sizes, titleOf(root), root)).join(""),
    )
  return /** @type {HTMLElement} */ (found())
}

// --- Showing ----------------------------------------------------------------

const status = document.createElement("p")
status.className = "bc-status"
status.setAttribute("role", "status")

let shown = placeOf(location.hash)

/** Show a level and nothing else. @param {Place} place @param {boolean} [walked]  whether the reader asked for it */
function show(place, walked = true) {
  const before = shown
  shown = place
  const wanted = sectionOf(place)
  for (const each of map.querySelectorAll(".bc-shown")) each.classList.remove("bc-shown")
  wanted.classList.add("bc-shown")
  map.dataset.walked = ""
  select.value = place.root
  if (!walked) return
  status.textContent = /** @type {HTMLElement} */ (wanted.querySelector("h2")).textContent
  move(before, place)
}

/** The picture of a place. @param {Place} place */
const pictureOf = (place) => /** @type {SVGSVGElement} */ (sectionOf(place).querySelector("svg"))
/** The block of a level that leads towards another. @param {Place} from @param {Place} to */
const towards = (from, to) =>
  [...pictureOf(from).querySelectorAll("a")].find((each) => {
    const address = each.getAttribute("href") ?? ""
    return address === `#${at(to.root, to.path)}` || `#${at(to.root, to.path)}`.startsWith(`${address}/`)
  })

/** The picture grows out of the block that it magnifies, or shrinks back into it. @param {Place} from @param {Place} to */
function move(from, to) {
  if (from.root !== to.root || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  const inwards = to.path.length > from.path.length
  const [outer, inner] = inwards ? [from, to] : [to, from]
  const block = towards(outer, inner)?.querySelector(":scope > rect")
  const drawn = pictureOf(to)
  const [x, y, width, height] = ["x", "y", "width", "height"].map(
    (name) => parseFloat(block?.getAttribute(name) ?? "0") / 100,
  )
  if (!width || !height) return
  const { clientWidth, clientHeight } = drawn
  const small = `translate(${x * clientWidth}px, ${y * clientHeight}px) scale(${width}, ${height})`
  const large = `scale(${1 / width}, ${1 / height}) translate(${-x * clientWidth}px, ${-y * clientHeight}px)`
  // From a thin block the picture would come from nowhere.
  const start = Math.min(width, height) < 0.01 ? "none" : inwards ? small : large
  drawn.animate(
    [
      { transform: start, opacity: 0.2 },
      { transform: "none", opacity: 1 },
    ],
    { duration: MILLISECONDS, easing: "ease-out" },
  )
}

// --- Walking ----------------------------------------------------------------

/** Go to a level, as a step that the browser's Back undoes. @param {string} hash */
function go(hash) {
  const place = placeOf(hash)
  try {
    history.pushState(null, "", hash)
  } catch {
    // Browsers refuse too many changes in a short time.
  }
  show(place)
  return place
}

/** Put the keyboard on a block: the one that leads towards a place, or the first. @param {Place} place @param {Place} [to] */
function focusIn(place, to) {
  const block = (to && towards(place, to)) ?? pictureOf(place).querySelector("a")
  block?.focus({ preventScroll: true })
}

/** @param {Event} event */
const linkOf = (event) => (event.target instanceof Element ? event.target.closest("a") : null)

document.addEventListener("click", (event) => {
  const link = linkOf(event)
  const hash = link?.getAttribute("href") ?? ""
  const { ctrlKey, metaKey, shiftKey, altKey, detail } = /** @type {MouseEvent} */ (event)
  const isLevel = hash[0] === "#" && at(...placeParts(hash)) === hash.slice(1)
  if (event.defaultPrevented || !isLevel || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const before = shown
  const place = go(hash)
  const inwards = place.path.length > before.path.length
  // A click that the keyboard made has no detail: the keyboard goes on from the new level.
  if (link && map.contains(link)) detail ? link.blur() : focusIn(place, inwards ? undefined : before)
})
/** @param {string} hash @returns {[string, string]} */
const placeParts = (hash) => {
  const { root, path } = placeOf(hash)
  return [root, path]
}

const STEPS = new Map([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
])
document.addEventListener("keydown", (event) => {
  const elsewhere = event.target !== document.body && !(event.target instanceof Node && map.contains(event.target))
  if (elsewhere || event.ctrlKey || event.metaKey || event.altKey) return
  const step = STEPS.get(event.key)
  const blocks = [...pictureOf(shown).querySelectorAll("a")]
  const current = blocks.findIndex((each) => each === event.target)
  if (step && current >= 0) {
    event.preventDefault()
    blocks[(current + step + blocks.length) % blocks.length].focus()
  } else if ((event.key === "Escape" || event.key === "Backspace") && shown.path) {
    event.preventDefault()
    const before = shown
    const up = sectionOf(before).querySelector(".bc-trail li:last-child a")
    focusIn(go(up?.getAttribute("href") ?? ""), before)
  }
})

addEventListener("popstate", () => show(placeOf(location.hash)))

// --- The choice of models ---------------------------------------------------

const choice = document.createElement("label")
choice.dataset.needsScripts = ""
choice.textContent = "Or choose any model: "
const select = document.createElement("select")
for (const [root, title] of TITLES) select.add(new Option(title, root))
for (const each of choices) select.add(new Option(each.title, each.name))
select.addEventListener("change", () => go(`#${at(select.value, shown.path)}`))
choice.append(select)
document.querySelector(".bc-choice")?.append(" ", choice)
const keys = document.createElement("p")
keys.className = "bc-hint"
keys.dataset.needsScripts = ""
keys.textContent = "Keyboard: arrow keys move between blocks, Enter walks in, Escape or Backspace walks out."
map.before(status)
map.after(keys)
show(shown, false)
