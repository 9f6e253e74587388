// The page of the map: shows one level at a time, by the address, and below the
// levels each tensor down to one parameter; adds a choice of models, and draws
// what the page does not hold; walks by keyboard, with a movement that says
// where a level lies in the one above.

import { models } from "../counting/engine.js"
import { cellOf, cellsOf, grids } from "../drawing/cells.js"
import { html } from "../drawing/html.js"
import { at, below, levels, section } from "../drawing/levels.js"

const BASE = "base"
/** The two that the page holds, by the first part of their address. */
const HELD = new Map([
  [BASE, { name: "bert-base-uncased", title: "BERT base" }],
  ["large", { name: "bert-large-uncased", title: "BERT large" }],
])
const MILLISECONDS = 280

const map = /** @type {HTMLElement} */ (document.querySelector(".bc-levels"))

/** @typedef {{ root: string, path: string, cell: number[] }} Place  a model by the first part of its address, a level or a
 * tensor, and of a tensor the row and column of one parameter */

/** What each model is called, by the first part of its address: those that have a page and the parts of BERT. */
const titles = new Map([...HELD].map(([root, { title }]) => [root, title]))
for (const { name, title, page, architecture } of models.values())
  if (page && architecture === "bert" && ![...HELD.values()].some((each) => each.name === name)) titles.set(name, title)

/** An address as text; one that is broken names nothing. @param {string} hash */
function plain(hash) {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ""
  }
}

/** @param {string} root */
const sizesOf = (root) => models.get(HELD.get(root)?.name ?? root).sizes

/** The place that an address names, if it names one. @param {string} hash @returns {Place | undefined} */
function find(hash) {
  const [, root, path, numbers] = /^([^/]*)\/?(.*?)((?:\/[0-9]+)*)$/.exec(plain(hash)) ?? []
  if (!titles.has(root)) return undefined
  const grid = grids.get(path)
  if (grid) return { root, path, cell: cellOf(grid, numbers.split("/").slice(1).map(Number), sizesOf(root)) }
  const level = levels.find((each) => each.path === path || each.aliases?.includes(path))
  return level && !numbers ? { root, path: level.path, cell: [] } : undefined
}
/** The place that an address names, or the whole of base. @param {string} hash @returns {Place} */
const placeOf = (hash) => find(hash) ?? { root: BASE, path: "", cell: [] }
/** @param {Place} place */
const addressOf = ({ root, path, cell }) => `#${[at(root, path), ...cell].join("/")}`

/** The section of a level; the levels of a model are drawn when they are first asked for. @param {Place} place */
function sectionOf({ root, path }) {
  if (!document.getElementById(root)) {
    const drawn = levels.map((each) => section(each, sizesOf(root), titles.get(root) ?? "", root))
    map.insertAdjacentHTML("beforeend", drawn.join(""))
  }
  return /** @type {HTMLElement} */ (document.getElementById(at(root, path)))
}

/** Draw a tensor, which is drawn anew whenever it is shown. @param {Place} place */
function drawCells({ root, path, cell }) {
  const grid = grids.get(path)
  if (!grid) return
  document.getElementById(at(root, path))?.remove()
  const drawn = cellsOf(grid, sizesOf(root), titles.get(root) ?? "", root, cell, (chosen, words) => {
    shown = { root, path, cell: chosen }
    keep("replaceState", addressOf(shown))
    status.textContent = words
  })
  map.append(drawn)
}

/** Let the blocks of a level lead down to its tensors, and not to pages. @param {Place} place */
function leadDown(place) {
  const level = levels.find(({ path }) => path === place.path)
  if (!level) return
  const terms = [...sectionOf(place).querySelectorAll(".bc-level-sum a")]
  for (const [order, block] of level.blocks.entries())
    for (const link of block.cells ? [blocksOf(place)[order], terms[order]] : [])
      link.setAttribute("href", `#${at(place.root, below(level, block) ?? "")}`)
}
/** The picture of a place. @param {Place} place */
const pictureOf = (place) => /** @type {SVGSVGElement} */ (sectionOf(place).querySelector("svg"))
/** @param {Place} place */
const blocksOf = (place) => [...pictureOf(place).querySelectorAll("a")]

// --- Showing ----------------------------------------------------------------

const status = html`<p class="bc-status" role="status"></p>`
const select = document.createElement("select")
let shown = placeOf(location.hash)

/** Show a level and nothing else. @param {Place} place @param {boolean} [walked]  whether the reader asked for it */
function show(place, walked = true) {
  const before = shown
  shown = place
  drawCells(place)
  leadDown(place)
  const wanted = sectionOf(place)
  for (const each of map.querySelectorAll(".bc-shown")) each.classList.remove("bc-shown")
  wanted.classList.add("bc-shown")
  map.dataset.walked = ""
  select.value = place.root
  if (!walked || addressOf(before) === addressOf(place)) return
  status.textContent = wanted.querySelector("h2")?.textContent ?? ""
  move(before, place)
}

/** The block of a level that leads towards another. @param {Place} from @param {Place} to */
const towards = (from, to) =>
  blocksOf(from).find((each) => `${addressOf(to)}/`.startsWith(`${each.getAttribute("href")}/`))

/** The picture grows out of the block that it magnifies, or shrinks back into it. @param {Place} from @param {Place} to */
function move(from, to) {
  if (from.root !== to.root || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  const inwards = to.path.length > from.path.length
  const block = (inwards ? towards(from, to) : towards(to, from))?.querySelector(":scope > rect")
  const drawn = pictureOf(to)
  const [x, y, width, height] = ["x", "y", "width", "height"].map(
    (name) => parseFloat(block?.getAttribute(name) ?? "0") / 100,
  )
  if (!width || !height) return
  const [left, top] = [x * drawn.clientWidth, y * drawn.clientHeight]
  const small = `translate(${left}px, ${top}px) scale(${width}, ${height})`
  const large = `scale(${1 / width}, ${1 / height}) translate(${-left}px, ${-top}px)`
  // From a thin block the picture would come from nowhere.
  const transform = Math.min(width, height) < 0.01 ? "none" : inwards ? small : large
  const [start, end] = [
    { transform, opacity: 0.2 },
    { transform: "none", opacity: 1 },
  ]
  drawn.animate([start, end], { duration: MILLISECONDS, easing: "ease-out" })
}

// --- Walking ----------------------------------------------------------------

/** Keep an address as a step that the browser's Back undoes, or instead of the last one.
 * @param {"pushState" | "replaceState"} how @param {string} hash */
function keep(how, hash) {
  try {
    history[how](hash, "", hash)
  } catch {
    // Browsers refuse too many changes in a short time.
  }
}

/** Go to a level. @param {string} hash */
function go(hash) {
  const place = placeOf(hash)
  keep("pushState", hash)
  show(place)
  return place
}

/** Put the keyboard on a block: the one that leads towards a place, or the first. @param {Place} place @param {Place} [to] */
function focusIn(place, to) {
  const block = (to && towards(place, to)) ?? blocksOf(place)[0]
  const start = block ?? sectionOf(place).querySelector("[aria-selected=true]")
  if (start instanceof SVGElement || start instanceof HTMLElement) start.focus({ preventScroll: true })
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  const hash = link?.getAttribute("href") ?? ""
  const { ctrlKey, metaKey, shiftKey, altKey, detail } = event
  if (link && map.contains(link) && hash[0] !== "#") status.textContent = "Leaving the map."
  if (event.defaultPrevented || hash[0] !== "#" || !find(hash) || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const before = shown
  const place = go(hash)
  // A click that the keyboard made has no detail: the keyboard goes on from the new level.
  if (!map.contains(link)) return
  if (detail) link?.blur()
  else focusIn(place, place.path.length > before.path.length ? undefined : before)
})

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
document.addEventListener("keydown", (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event
  const elsewhere = target !== document.body && !(target instanceof Node && map.contains(target))
  if (elsewhere || ctrlKey || metaKey || altKey || (target instanceof HTMLInputElement && key !== "Escape")) return
  const blocks = blocksOf(shown)
  const current = blocks.findIndex((each) => each === target)
  if (STEPS[key] && current >= 0) {
    event.preventDefault()
    blocks[(current + STEPS[key] + blocks.length) % blocks.length].focus()
  } else if ((key === "Escape" || key === "Backspace") && shown.path) {
    event.preventDefault()
    const before = shown
    const up = sectionOf(before).querySelector(".bc-trail li:last-child a")
    focusIn(go(up?.getAttribute("href") ?? ""), before)
  }
})

/** Show what the address names. One that leads elsewhere on the page, as the link does that skips to the text, belongs
 * to the level that it is followed from, which the browser keeps with it. @param {boolean} walked */
function follow(walked) {
  if (!find(location.hash) && !history.state) history.replaceState(addressOf(shown), "")
  show(find(location.hash) ?? placeOf(history.state), walked)
}
addEventListener("popstate", () => follow(true))

// --- The choice of models ---------------------------------------------------

for (const [root, title] of titles) select.add(new Option(title, root))
select.addEventListener("change", () => go(addressOf({ ...shown, root: select.value })))
const choice = html`<label data-needs-scripts>Or choose any model: ${select}</label>`
document.querySelector(".bc-choice")?.append(" ", choice)
map.before(status)
map.after(
  html`<p class="bc-hint" data-needs-scripts>Keyboard: arrow keys move between blocks or parameters, Enter walks in, Escape or Backspace walks out.</p>`,
)
follow(false)
