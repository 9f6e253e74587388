// The page of the map: shows one level at a time, by the address, and below the
// levels each tensor down to one parameter; adds a choice of models, and fetches
// those that the page does not hold; walks by keyboard, with a movement that
// says where a level lies in the one above.

import { cellOf, cellsOf } from "../drawing/cells.js"
import { decoded, html } from "../drawing/html.js"

const BASE = "base"
const MILLISECONDS = 280
const ROOT = document.documentElement.dataset.root ?? "" // what is embedded says where it stands

const map = /** @type {HTMLElement} */ (document.querySelector(".bc-levels"))
/** @type {{ models: Record<string, MapModel>, tensors: Tensor[] }} */
const exported = JSON.parse(document.querySelector("#levels")?.textContent ?? "")
/** By the first part of their addresses. */
const models = new Map(Object.entries(exported.models))
const tensors = new Map(exported.tensors.map((each) => [each.path, each]))

/** @typedef {{ root: string, path: string, cell: number[] }} Place  a model by the first part of its address, a level or a
 * tensor, and of a tensor the row and column of one parameter */

/** @param {string} root @param {string} path */
const at = (root, path) => (path ? `${root}/${path}` : root)

/** The place that an address names, if it names one. @param {string} hash @returns {Place | undefined} */
function find(hash) {
  const [, root, path, numbers] = /^([^/]*)\/?(.*?)((?:\/[0-9]+)*)$/.exec(decoded(hash.slice(1))) ?? []
  const model = models.get(root)
  if (!model) return undefined
  const tensor = tensors.get(path)
  if (tensor) return { root, path, cell: cellOf(tensor, numbers.split("/").slice(1).map(Number), model.sizes) }
  const level = document.getElementById(at(BASE, path))?.closest("section") // some have other names as well
  return level && !numbers ? { root, path: level.id.slice(BASE.length + 1), cell: [] } : undefined
}
/** The place that an address names, or the whole of base. @param {string} hash @returns {Place} */
const placeOf = (hash) => find(hash) ?? { root: BASE, path: "", cell: [] }
/** @param {Place} place */
const addressOf = ({ root, path, cell }) => `#${[at(root, path), ...cell].join("/")}`

/** The section of a place that is drawn. @param {{ root: string, path: string }} place */
const sectionOf = ({ root, path }) => /** @type {HTMLElement} */ (document.getElementById(at(root, path)))

/** Fetch the levels of a model that are not there yet. @param {string} root */
async function load(root) {
  if (document.getElementById(root)) return
  const { default: levels } = await import("../../data/levels.js")
  const drawn = Object.values(levels).map((each) => each[root].replaceAll("site-root:", ROOT))
  if (!document.getElementById(root)) map.insertAdjacentHTML("beforeend", drawn.join(""))
}

/** The sums of the levels above a tensor, in the last of which it is marked. @param {Place} place @param {Tensor} tensor */
function trailOf({ root, path }, { above }) {
  const upper = sectionOf({ root, path: path.slice(0, path.lastIndexOf("/")) })
  const terms = [...upper.querySelectorAll(".bc-level-sum a")].flatMap((each, order) => {
    const amount = each.lastChild?.textContent?.trim() ?? ""
    const isMarked = each.getAttribute("data-tensor") === `#${at(root, path)}`
    const shown = isMarked ? html`<mark>${amount}</mark>` : amount
    return order ? [" ", html`<span class="bc-joined">+ ${shown}</span>`] : [shown]
  })
  const total = upper.querySelector(".bc-level-sum strong")?.textContent ?? ""
  const trail = /** @type {HTMLElement} */ (upper.querySelector(".bc-trail")?.cloneNode(true))
  trail.append(
    html`<li><a href="#${upper.id}">${above}</a> <span>${terms} <span class="bc-joined">= ${total}</span></span></li>`,
  )
  return trail
}

/** Draw a tensor, which is drawn anew whenever it is shown. @param {Place} place */
function drawCells({ root, path, cell }) {
  const [tensor, model] = [tensors.get(path), models.get(root)]
  if (!tensor || !model) return
  document.getElementById(at(root, path))?.remove()
  const drawn = cellsOf(tensor, model, at(root, path), ROOT + tensor.page, cell, (chosen, words) => {
    shown = { root, path, cell: chosen }
    keep("replaceState", addressOf(shown))
    status.textContent = words
  })
  drawn.append(trailOf({ root, path, cell }, tensor))
  map.append(drawn)
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
async function show(place, walked = true) {
  const before = shown
  shown = place
  await load(place.root).catch(() => (status.textContent = "The levels of this model cannot be fetched now."))
  if (shown !== place || !document.getElementById(place.root)) return // walked on meanwhile, or without a connection
  drawCells(place)
  const wanted = sectionOf(place)
  // Without scripts, what is a tensor leads to the page about it.
  for (const link of wanted.querySelectorAll("[data-tensor]"))
    link.setAttribute("href", link.getAttribute("data-tensor") ?? "")
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
  if (!block) return
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => parseFloat(block.getAttribute(name) ?? "0"))
  const small = `translate(${x}%, ${y}%) scale(${width / 100}, ${height / 100})`
  const large = `scale(${100 / width}, ${100 / height}) translate(${-x}%, ${-y}%)`
  // From a thin block the picture would come from nowhere.
  const transform = Math.min(width, height) < 1 ? "none" : inwards ? small : large
  const start = { transform, opacity: 0.2 }
  pictureOf(to).animate([start, { transform: "none", opacity: 1 }], { duration: MILLISECONDS, easing: "ease-out" })
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
async function go(hash) {
  const place = placeOf(hash)
  keep("pushState", hash)
  await show(place)
  return place
}

/** Put the keyboard on a block: the one that leads towards a place, or the first. @param {Place} place @param {Place} [to] */
function focusIn(place, to) {
  const block = (to && towards(place, to)) ?? blocksOf(place)[0]
  const start = block ?? sectionOf(place).querySelector("[aria-selected=true]")
  if (start instanceof SVGElement || start instanceof HTMLElement) start.focus({ preventScroll: true })
}

document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  const hash = link?.getAttribute("href") ?? ""
  const { ctrlKey, metaKey, shiftKey, altKey, detail } = event
  if (link && map.contains(link) && hash[0] !== "#") status.textContent = "Leaving the map."
  if (event.defaultPrevented || hash[0] !== "#" || !find(hash) || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const before = shown
  const place = await go(hash)
  // A click that the keyboard made has no detail: the keyboard goes on from the new level.
  if (!map.contains(link)) return
  if (detail) link?.blur()
  else focusIn(place, place.path.length > before.path.length ? undefined : before)
})

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
document.addEventListener("keydown", async (event) => {
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
    focusIn(await go(up?.getAttribute("href") ?? ""), before)
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

for (const [root, { title }] of models) select.add(new Option(title, root))
select.addEventListener("change", () => go(addressOf({ ...shown, root: select.value })))
document
  .querySelector(".bc-choice")
  ?.append(" ", html`<label data-needs-scripts>Or choose any model: ${select}</label>`)
const keys = "arrow keys move between blocks or parameters, Enter zooms in, Escape or Backspace zooms out."
map.after(html`<p class="bc-hint" data-needs-scripts>Keyboard: ${keys}</p>`, status)
follow(false)
