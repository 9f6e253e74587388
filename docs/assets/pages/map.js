// The page of the map. It shows one level at a time, the one that the address specifies.
// Below the levels are the tensors, down to a single parameter. The reader zooms in and out
// with the pointer or the keyboard. Each picture grows out of the block that it magnifies, to
// show where a level is in the one above.
//
// The built page contains the levels of some models, and works without scripts. The levels of
// other models are fetched when the reader chooses them.

import { fileOf } from "../counting/files.js"
import { cellOf, numbersOf, sectionOfTensor } from "../drawing/cells.js"
import { html } from "../drawing/html.js"
import { decodeAddress } from "./decode-address.js"

// The first parts of the addresses of BERT base and of the toy model, which is the only one whose values the map shows.
const [BASE, TOY] = ["base", "toy"]
const MOVE_TIME = 280 // milliseconds from one level to another: slow enough to follow, but too short to feel like a wait
const MIN_SIDE = 1 // per cent of the picture; growth out of a thinner block could not be seen
/** The fragment of an address without its # sign: a model, a path, and the numbers of a cell. */
const FRAGMENT = /^([^/]*)\/?(.*?)((?:\/[0-9]+)*)$/
const SITE = document.documentElement.dataset.root ?? "" // an embedded page gives the path to the top of the site

const map = /** @type {HTMLElement} */ (document.querySelector(".bc-levels"))
/** @type {{ models: Record<string, MapModel>, tensors: Tensor[] }} */
const levelData = JSON.parse(document.querySelector("#levels")?.textContent ?? "")
/** The models by the first part of their addresses. */
const models = new Map(Object.entries(levelData.models))
const tensors = new Map(levelData.tensors.map((tensor) => [tensor.path, tensor]))

/**
 * A place on the map: the model, by the first part of its address; a level or a tensor; and, in a tensor, the numbers
 * of a parameter, as `cellOf` returns them.
 * @typedef {{ root: string, path: string, cell: number[] }} PlaceOnMap
 */

/**
 * The id of the section for a place.
 * @param {string} root
 * @param {string} path
 */
const idOf = (root, path) => (path ? `${root}/${path}` : root)

/**
 * The place that an address specifies; undefined if it specifies none.
 * @param {string} hash
 * @returns {PlaceOnMap | undefined}
 */
function placeAt(hash) {
  const [, root, path, numbers] = FRAGMENT.exec(decodeAddress(hash.slice(1))) ?? []
  const model = models.get(root)
  if (!model) return undefined
  const tensor = tensors.get(path)
  if (tensor) return { root, path, cell: cellOf(tensor, numbers.split("/").slice(1).map(Number), model.sizes) }
  const level = document.getElementById(idOf(BASE, path))?.closest("section") // some levels have a second name
  return level && !numbers ? { root, path: level.id.slice(BASE.length + 1), cell: [] } : undefined
}

/**
 * The place that an address specifies, or by default the whole of BERT base.
 * @param {string} hash
 * @returns {PlaceOnMap}
 */
const placeOrDefault = (hash) => placeAt(hash) ?? { root: BASE, path: "", cell: [] }

/** The fragment that specifies a place, with its # sign. @param {PlaceOnMap} place */
function addressOf({ root, path, cell }) {
  const tensor = tensors.get(path)
  return `#${[idOf(root, path), ...(tensor ? numbersOf(tensor, cell) : [])].join("/")}`
}

/**
 * The section for a place, which must already be loaded or drawn.
 * @param {{ root: string, path: string }} place
 */
const sectionOf = ({ root, path }) => /** @type {HTMLElement} */ (document.getElementById(idOf(root, path)))

/**
 * Fetches the levels of a model, unless the page already has them.
 * @param {string} root
 */
async function fetchLevels(root) {
  if (document.getElementById(root)) return
  const { default: levels } = await import("../../data/levels.js")
  const sections = Object.values(levels).map((level) => level[root].replaceAll("site-root:", SITE))
  // Another call may have finished first.
  if (!document.getElementById(root)) map.insertAdjacentHTML("beforeend", sections.join(""))
}

/**
 * The sums of the levels above a tensor. In the last of them, the tensor itself is marked.
 * @param {PlaceOnMap} place
 * @param {Tensor} tensor
 */
function trailOf({ root, path }, { above }) {
  const sectionAbove = sectionOf({ root, path: path.slice(0, path.lastIndexOf("/")) })
  const terms = [...sectionAbove.querySelectorAll(".bc-level-sum a")].flatMap((link, index) => {
    const amount = link.lastChild?.textContent?.trim() ?? ""
    const isMarked = link.getAttribute("data-tensor") === `#${idOf(root, path)}`
    const term = isMarked ? html`<mark>${amount}</mark>` : amount
    return index ? [" ", html`<span class="bc-joined">+ ${term}</span>`] : [term]
  })
  const total = sectionAbove.querySelector(".bc-level-sum strong")?.textContent ?? ""
  const trail = /** @type {HTMLElement} */ (sectionAbove.querySelector(".bc-trail")?.cloneNode(true))
  trail.append(
    html`<li><a href="#${sectionAbove.id}">${above}</a> <span>${terms} <span class="bc-joined">= ${total}</span></span></li>`,
  )
  return trail
}

/**
 * Draws the tensor at a place, if there is one. It is redrawn each time, because the address may specify another
 * parameter.
 * @param {PlaceOnMap} place
 */
function drawCells({ root, path, cell }) {
  const [tensor, model] = [tensors.get(path), models.get(root)]
  if (!tensor || !model) return
  document.getElementById(idOf(root, path))?.remove()
  const file = fileOf(levelData.tensors, model.sizes)
  const section = sectionOfTensor(tensor, model, file, idOf(root, path), SITE + tensor.page, cell, (choice, words) => {
    currentPlace = { root, path, cell: choice }
    setAddress("replaceState", addressOf(currentPlace))
    status.textContent = words
  })
  if (!model.values)
    section
      .querySelector(".bc-cell-links")
      ?.append(html`<br>`, html`<a href="#${idOf(TOY, path)}">The same in the toy model, with values</a>`)
  section.append(trailOf({ root, path, cell }, tensor))
  map.append(section)
}

/** The picture of a place; null if it has a table of values instead. @param {PlaceOnMap} place */
const pictureOf = (place) => sectionOf(place).querySelector("svg")

/** The links in the picture of a place, one for each block. @param {PlaceOnMap} place */
const blocksOf = (place) => [...(pictureOf(place)?.querySelectorAll("a") ?? [])]

// --- Showing ----------------------------------------------------------------

const status = html`<p class="bc-status" role="status"></p>`
const select = document.createElement("select")
let currentPlace = placeOrDefault(location.hash)

/**
 * Shows a place, and hides the rest of the map.
 * @param {PlaceOnMap} place
 * @param {boolean} [isMove]  whether the reader comes from another place, so that the move is announced and animated
 */
async function show(place, isMove = true) {
  const previousPlace = currentPlace
  currentPlace = place
  await fetchLevels(place.root).catch(
    () => (status.textContent = "The levels of this model could not be loaded. Please try again later."),
  )
  // The reader may have moved on while the levels were loading; without a connection, they are missing.
  if (currentPlace !== place || !document.getElementById(place.root)) return
  drawCells(place)
  const section = sectionOf(place)
  // In the built page, which works without scripts, the blocks of tensors link to the pages about them; here, they lead
  // to the tensors on the map.
  for (const link of section.querySelectorAll("[data-tensor]"))
    link.setAttribute("href", link.getAttribute("data-tensor") ?? "")
  for (const other of map.querySelectorAll(".bc-shown")) other.classList.remove("bc-shown")
  section.classList.add("bc-shown")
  map.dataset.interactive = ""
  select.value = place.root
  if (!isMove || addressOf(previousPlace) === addressOf(place)) return
  status.textContent = section.querySelector("h2")?.textContent ?? ""
  animate(previousPlace, place)
}

/**
 * The block in the picture of one place that leads to another place, or towards it; undefined if there is none.
 * @param {PlaceOnMap} from
 * @param {PlaceOnMap} to
 */
const blockTowards = (from, to) =>
  blocksOf(from).find((block) => `${addressOf(to)}/`.startsWith(`${block.getAttribute("href")}/`))

/**
 * Animates a move between two levels. Inwards, the new picture grows out of the block that it magnifies; outwards, the
 * picture above begins enlarged to that block and shrinks to its own size.
 * @param {PlaceOnMap} from
 * @param {PlaceOnMap} to
 */
function animate(from, to) {
  if (from.root !== to.root || matchMedia("(prefers-reduced-motion: reduce)").matches) return
  const isInwards = to.path.length > from.path.length
  const block = (isInwards ? blockTowards(from, to) : blockTowards(to, from))?.querySelector(":scope > rect")
  if (!block) return
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => parseFloat(block.getAttribute(name) ?? "0"))
  // Inwards, the new picture starts at the size of the block; outwards, it starts so large that the block fills the
  // picture.
  const shrinkingTransform = `translate(${x}%, ${y}%) scale(${width / 100}, ${height / 100})`
  const enlargingTransform = `scale(${100 / width}, ${100 / height}) translate(${-x}%, ${-y}%)`
  const startTransform = isInwards ? shrinkingTransform : enlargingTransform
  const start = { transform: Math.min(width, height) < MIN_SIDE ? "none" : startTransform, opacity: 0.2 }
  pictureOf(to)?.animate([start, { transform: "none", opacity: 1 }], { duration: MOVE_TIME, easing: "ease-out" })
}

// --- Moving from place to place ---------------------------------------------

/**
 * Sets the address, either as a step that the browser's Back button undoes or in place of the current one.
 * @param {"pushState" | "replaceState"} method
 * @param {string} hash
 */
function setAddress(method, hash) {
  try {
    history[method](hash, "", hash)
  } catch {
    // Browsers refuse to change the address too often in a short time.
  }
}

/**
 * Goes to the place that an address specifies, and returns the place.
 * @param {string} hash
 */
async function go(hash) {
  const place = placeOrDefault(hash)
  setAddress("pushState", hash)
  await show(place)
  return place
}

/**
 * Moves the keyboard focus to the block that leads towards a place, or to the first block. In a tensor, which has no
 * blocks, it moves the focus to the selected parameter.
 * @param {PlaceOnMap} place
 * @param {PlaceOnMap} [to]
 */
function focusIn(place, to) {
  const block = (to && blockTowards(place, to)) ?? blocksOf(place)[0]
  const start = block ?? sectionOf(place).querySelector("[aria-selected=true]")
  if (start instanceof SVGElement || start instanceof HTMLElement) start.focus({ preventScroll: true })
}

document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  const hash = link?.getAttribute("href") ?? ""
  const { ctrlKey, metaKey, shiftKey, altKey, detail } = event
  if (link && map.contains(link) && hash[0] !== "#") status.textContent = "Leaving the map."
  if (event.defaultPrevented || hash[0] !== "#" || !placeAt(hash) || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const previousPlace = currentPlace
  const place = await go(hash)
  if (!map.contains(link)) return
  // If a key caused the click, `detail` is 0, and the focus moves to the new level.
  if (detail) link?.blur()
  else focusIn(place, place.path.length > previousPlace.path.length ? undefined : previousPlace)
})

/**
 * How far each key moves the focus, in blocks.
 * @type {Record<string, number>}
 */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
document.addEventListener("keydown", async (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event
  const isElsewhere = target !== document.body && !(target instanceof Node && map.contains(target))
  if (isElsewhere || ctrlKey || metaKey || altKey || (target instanceof HTMLInputElement && key !== "Escape")) return
  const blocks = blocksOf(currentPlace)
  const focusedIndex = blocks.findIndex((block) => block === target)
  if (STEPS[key] && focusedIndex >= 0) {
    event.preventDefault()
    blocks[(focusedIndex + STEPS[key] + blocks.length) % blocks.length].focus()
  } else if ((key === "Escape" || key === "Backspace") && currentPlace.path) {
    event.preventDefault()
    const previousPlace = currentPlace
    const upLink = sectionOf(previousPlace).querySelector(".bc-trail li:last-child a")
    focusIn(await go(upLink?.getAttribute("href") ?? ""), previousPlace)
  }
})

/**
 * Shows the place that the address specifies. An address may also lead elsewhere on the page, as the link "Skip to
 * content" does. Then the current place stays, and is stored in the state of the history entry.
 * @param {boolean} isMove
 */
function follow(isMove) {
  if (!placeAt(location.hash) && !history.state) history.replaceState(addressOf(currentPlace), "")
  show(placeAt(location.hash) ?? placeOrDefault(history.state), isMove)
}
addEventListener("popstate", () => follow(true))

// --- The choice of models ---------------------------------------------------

for (const [root, { title }] of models) select.add(new Option(title, root))
select.addEventListener("change", () => go(addressOf({ ...currentPlace, root: select.value })))
document
  .querySelector(".bc-choice")
  ?.append(" ", html`<label data-needs-scripts>Or choose another BERT: ${select}</label>`)
const keys = "arrow keys move between blocks or parameters, Enter zooms in, and Escape or Backspace zooms out."
map.after(html`<p class="bc-hint" data-needs-scripts>Keyboard: ${keys}</p>`, status)
follow(false)
