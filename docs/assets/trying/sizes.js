// A part of BERT base with sizes of the reader's choice: a slider and a field for each
// letter of the part's formula and, below them, the formula in numbers, a figure to
// scale, and the sum that it shows. The fold, a `<details>` element, is filled in when
// a reader opens it, so that the engine is only fetched if it is needed.
//
// Terms and pieces of the figure carry the paths of the tensors that they count, so that
// `pages/links.js` highlights them together and with the rest of the page.

import table from "../../data/table.js"
import { Counter, isOneLayer, MAX_NUMBER, models, numberOf, sumBy, whole } from "../counting/engine.js"
import { formula, groupBy, groups, mergeTerms, termOf } from "../counting/polynomials.js"
import { roundedUp } from "../counting/rounding.js"
import { labelOf } from "../counting/sum-lines.js"
import { html } from "../drawing/html.js"
import * as draw from "../drawing/levels.js"

const BASE = table.models[0]
/** The name of BERT base in sentences: the title without the casing. */
const [NAME] = BASE.title.split(",")
const BASE_SIZES = models.get(BASE.name).sizes
const MAX_PIECES = 8 // the most pieces in a figure with room for their names; a part with more modules is drawn by block
const MAX_MULTIPLE = 10 // the largest multiple of the usual size that a slider offers if published models have no other
const ANNOUNCEMENT_DELAY = 700 // milliseconds without a change before screen readers announce the result
/** The steps of the sliders, if not 1: usual sizes except V are multiples of these. @type {Record<string, number>} */
const STEPS = { V: 1000, P: 64, H: 64, F: 256 }

/** The names of sizes in the calculator's addresses, where these are not the letters. @type {Record<string, string>} */
const NAMES_IN_ADDRESS = { C: "labels" }

/** @typedef {Item & ItemOfSum & { number: number }} CountedItem  a tensor with its number of parameters */

/** The largest size that a slider offers: the largest in any published BERT, rounded up to a whole step, or a multiple
 * of the only size that published BERTs have.
 * @param {string} letter
 * @param {number} step */
function maxOf(letter, step) {
  const sizes = table.models.flatMap((model) => (model.architecture === BASE.architecture ? model.sizes[letter] : []))
  const [smallestSize, largestSize] = [Math.min(...sizes), Math.max(...sizes)]
  return smallestSize === largestSize ? largestSize * MAX_MULTIPLE : roundedUp(largestSize, step)
}

/** The paths of items, as an attribute lists them. @param {CountedItem[]} items */
const pathsOf = (items) => items.map(({ path }) => path).join(" ")

/** The number of parameters of items. @param {CountedItem[]} items */
const totalOf = (items) => sumBy(items, ({ number }) => number)

/** The path of a tensor's module. An embedding table is a module of its own. @param {string} path */
const moduleOf = (path) => path.replace(/\/(?:kernel|bias|gamma|beta|output_weights|output_bias)$/, "")

/** The name of a piece of the figure: the label of the line of a sum, without “the” and “, with its bias”.
 * @param {CountedItem[]} items */
function nameOf([first, ...others]) {
  const paths = [others.length ? moduleOf(first.path) : first.path]
  return labelOf({ kind: "module", paths, children: [], factors: [], times: [], block: first.block, place: 0 })
    .replace(/^the /, "")
    .replace(/, with its bias$/, "")
}

/** The pieces of the figure: the modules of the part or, if there are too many, its blocks. Pieces with the same name
 * and size are grouped.
 * @param {CountedItem[]} items */
function piecesOf(items) {
  const byModule = [...groupBy(items, ({ path }) => moduleOf(path)).values()]
  const isByModule = byModule.length <= MAX_PIECES
  const itemLists = isByModule ? byModule : [...groupBy(items, ({ block }) => block).values()]
  const entries = itemLists.map((itemsOfPiece) => ({
    label: isByModule ? nameOf(itemsOfPiece) : table.blocks[itemsOfPiece[0].block].title,
    style: `bc-${itemsOfPiece[0].block}`,
    paths: pathsOf(itemsOfPiece),
    each: totalOf(itemsOfPiece),
  }))
  const equalEntries = [...groupBy(entries, ({ label, each }) => `${label} ${each}`).values()]
  return equalEntries.map((equalPieces) => ({
    ...equalPieces[0],
    pathLists: equalPieces.map(({ paths }) => paths),
    times: equalPieces.length,
    maxSideBySide: equalPieces.length,
  }))
}

/** The figure, followed by the elements of the sum that it shows. @param {CountedItem[]} items */
function figureWithSum(items) {
  const pieces = piecesOf(items)
  const tilesByPiece = draw.tiles("columns", pieces, draw.WHOLE)
  const description = pieces.map(({ label, ...piece }) => `${label}: ${draw.amount(piece)}`).join("; ")
  const body = pieces.flatMap(({ label, style, pathLists, each }, index) =>
    tilesByPiece[index].map((tile, tileIndex) => {
      const isThin = draw.isThin(tile)
      const name = isThin ? draw.mark(tile) : draw.label(label, whole(each), tile)
      return (
        `<g class="${style}${isThin ? " bc-thin" : ""}" data-value="${each}" data-part="${pathLists[tileIndex]}">` +
        `<title>${label}: ${whole(each)}</title>${draw.rectangle(tile)}${name}</g>`
      )
    }),
  )
  const terms = pieces.map((piece, index) => ({ ...piece, thin: draw.isThin(tilesByPiece[index][0]), href: "" }))
  const marks = terms.some(({ thin }) => thin) ? draw.THIN_KEY : ""
  const figure = html`<figure class="bc-figure"></figure>`
  // Setting HTML from a string is safe here, because the string has nothing but the site's own words and digits.
  figure.innerHTML =
    `<svg class="bc-map" role="img" aria-label="${description}">${body.join("")}</svg>` +
    `<figcaption>${table.phrases["to-scale"]}.${marks}</figcaption>`
  const container = html`<div></div>`
  container.innerHTML = draw.sumLine(terms, totalOf(items))
  for (const [index, term] of [...container.querySelectorAll(".bc-level-sum > span > span")].entries())
    term.setAttribute("data-part", pieces[index].pathLists.join(" "))
  return [figure, ...container.children]
}

/** Letters as a text that does not depend on their order. @param {string[]} letters */
const sortedLetters = (letters) => [...letters].sort().join()

/** The items that a term of the formula counts. @param {CountedItem[]} items @param {Term} term */
const itemsOfTerm = (items, term) =>
  items.filter((item) => {
    const { letters, layers } = termOf(item)
    return sortedLetters(letters) === sortedLetters(term.letters) && layers.join() === term.layers.join()
  })

/** A group of terms with numbers in place of letters. Several terms per layer are put in brackets after the number of
 * layers; a single term is multiplied by that number without brackets.
 * @param {ReturnType<typeof groups>[0]} group @param {boolean} isFirst  whether the formula begins with this group
 * @param {CountedItem[]} items @param {Sizes} sizes */
function groupInNumbers([layers, terms], isFirst, items, sizes) {
  const hasBrackets = layers !== "" && terms.length > 1
  /** A text with sizes in place of letters. @param {string} text */
  const inNumbers = (text) => text.replace(/[A-Z]/g, (letter) => whole(sizes[letter]))
  const pieces = terms.map((term, index) => {
    const letters = hasBrackets ? term.letters : [...term.layers, ...term.letters]
    const text = inNumbers(formula([{ ...term, letters, layers: [] }]))
    const sign = index || !isFirst ? "+ " : ""
    const opening = hasBrackets && !index ? `${inNumbers(layers)}·(` : ""
    const closing = hasBrackets && index === terms.length - 1 ? ")" : ""
    const paths = pathsOf(itemsOfTerm(items, term))
    // A line may end before a sign, but not after it.
    return html`<span class="bc-joined">${sign}${opening}<span class="bc-term" data-part="${paths}" data-each>${text}</span>${closing}</span>`
  })
  return html`<span>${pieces.flatMap((piece, index) => (index ? [" ", piece] : [piece]))} </span>`
}

/** The formula with numbers in place of letters, and its result. @param {CountedItem[]} items @param {Sizes} sizes */
function formulaInNumbers(items, sizes) {
  const groupsOfTerms = groups(mergeTerms(items.map(termOf)))
  const elements = groupsOfTerms.map((group, index) => groupInNumbers(group, index === 0, items, sizes))
  const result = html`<b class="bc-term" data-part="${pathsOf(items)}">${whole(totalOf(items))}</b>`
  return html`<p class="bc-steps">${elements} <span class="bc-joined">= ${result}</span></p>`
}

/** The symbols of the letters in a part's formula, in the table's order. @param {CountedItem[]} items */
function symbolsOf(items) {
  const presentLetters = new Set(
    items.flatMap((item) => termOf(item)).flatMap(({ letters, layers }) => [...letters, ...layers]),
  )
  return table.symbols.filter(({ letter }) => presentLetters.has(letter))
}

/** The fold with the sliders for a part and its numbers at the chosen sizes. */
class SizedPart {
  /** @type {Sizes} */
  sizes = { ...BASE_SIZES }
  /** The result for screen readers, updated once the sizes have not changed for a while. */
  status = html`<p class="bc-status" role="status"></p>`
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  announcementTimer
  result = html`<div></div>`
  changeNote = html`<p class="bc-delta"></p>`
  backButton = html`<button type="button" class="bc-button">Back to ${NAME}</button>`

  /** @param {HTMLElement} fold  names the class and the part that it counts */
  constructor(fold) {
    const { ofClass = "", path = "", tag = "" } = fold.dataset
    this.fold = fold
    this.ofClass = ofClass
    this.path = path
    this.tag = tag
    this.fault = html`<p class="bc-fault" id="${fold.id}-fault" role="alert"></p>`
    this.link = /** @type {HTMLAnchorElement} */ (fold.querySelector("a"))
    this.calculatorAddress = this.link.href
    const items = this.countedItems()
    this.totalOfBase = totalOf(items)
    this.fields = symbolsOf(items).map((symbol) => this.fieldOf(symbol))
  }

  /** The tensors of the part that are counted, with their numbers of parameters. @returns {CountedItem[]} */
  countedItems() {
    const isInOneLayer = isOneLayer(this.path)
    return new Counter(this.ofClass, this.sizes).itemsUnder([], this.path, this.tag).flatMap((item) => {
      const number = numberOf(item, this.sizes, isInOneLayer) ?? 0
      if (!item.row || item.factors.includes("0")) return []
      return { ...item, layers: isInOneLayer ? [] : item.layers, block: item.row.block, added: "", number }
    })
  }

  /** The field and the slider for a size. @param {Table["symbols"][number]} symbol */
  fieldOf({ letter, key }) {
    const step = STEPS[letter] ?? 1
    const id = `${this.fold.id}-${letter}`
    const field = html`<p class="bc-slid" data-letter="${letter}"><label for="${id}"><i>${letter}</i> ${key}</label>
      <input id="${id}" type="text" inputmode="numeric" autocomplete="off" aria-describedby="${this.fault.id}">
      <input type="range" min="${step}" max="${maxOf(letter, step)}" step="${step}" aria-label="${letter}, ${key}"></p>`
    const [number, slider] = /** @type {NodeListOf<HTMLInputElement>} */ (field.querySelectorAll("input"))
    slider.addEventListener("input", () => {
      number.value = whole(Number(slider.value))
      this.readFields()
    })
    number.addEventListener("input", () => this.readFields())
    return { letter, field, number, slider }
  }

  /** Writes the sizes of BERT base into the fields. */
  reset() {
    for (const { letter, number } of this.fields) number.value = whole(BASE_SIZES[letter])
    this.readFields()
  }

  /** Reads the fields and shows the result. If a field is not valid, the previous result stays. */
  readFields() {
    const values = this.fields.map(({ number }) => Number(number.value.replace(/[,\s]/g, "") || NaN))
    const validity = values.map((size) => Number.isInteger(size) && size > 0)
    for (const [index, { number, slider }] of this.fields.entries()) {
      number.ariaInvalid = validity[index] ? null : "true"
      if (!validity[index]) continue
      slider.value = String(values[index])
      slider.ariaValueText = whole(values[index]) // the slider itself only has the nearest step
    }
    const wrongField = this.fields[validity.indexOf(false)]
    this.fault.textContent = wrongField
      ? `${wrongField.letter} must be a whole number above zero, such as ${BASE_SIZES[wrongField.letter]}.`
      : ""
    if (wrongField) return
    this.sizes = {
      ...BASE_SIZES,
      ...Object.fromEntries(this.fields.map(({ letter }, index) => [letter, values[index]])),
    }
    this.show()
  }

  /** Shows the numbers of the part at the current sizes, and how they differ from those of BERT base. */
  show() {
    const items = this.countedItems()
    const total = totalOf(items)
    if (total > MAX_NUMBER) {
      this.fault.textContent = "With these sizes, the total is too large to be counted exactly here."
      return
    }
    this.result.replaceChildren(formulaInNumbers(items, this.sizes), ...figureWithSum(items))
    // Tab reaches only the first term of a formula; numbers.js moves along the others.
    for (const [index, term] of [...this.result.querySelectorAll(".bc-term")].entries())
      term.setAttribute("tabindex", index ? "-1" : "0")
    const difference = total - this.totalOfBase
    const words = difference
      ? `${whole(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"} than in`
      : "as many as in"
    const isWholeModel = !this.path && !this.tag
    this.changeNote.textContent = `${whole(total)} parameters, ${words} ${isWholeModel ? "" : "the same part of "}${NAME}.`
    const changedSizes = this.fields.filter(({ letter }) => this.sizes[letter] !== BASE_SIZES[letter])
    this.backButton.setAttribute("aria-disabled", String(!changedSizes.length))
    const query = changedSizes.map(({ letter }) => `&${NAMES_IN_ADDRESS[letter] ?? letter}=${this.sizes[letter]}`)
    this.link.href = `${this.calculatorAddress}?model=${BASE.name}&class=${this.ofClass}${query.join("")}`
    clearTimeout(this.announcementTimer)
    this.announcementTimer = setTimeout(
      () => (this.status.textContent = this.changeNote.textContent),
      ANNOUNCEMENT_DELAY,
    )
  }

  /** Replaces the contents of the fold with the sliders and the result. */
  fill() {
    this.backButton.addEventListener("click", () => this.reset())
    this.link.textContent = "Count the whole model in the calculator"
    this.fold.replaceChildren(
      .../** @type {Element[]} */ ([this.fold.querySelector("summary")]),
      html`<div class="bc-sliders">${this.fields.map(({ field }) => field)}</div>`,
      this.fault,
      this.changeNote,
      this.result,
      html`<p class="bc-buttons">${this.backButton} ${this.link}</p>`,
      this.status,
    )
    this.reset()
    clearTimeout(this.announcementTimer) // not announced at first, because a reader who opens the fold reads it next
  }
}

/** Fills in a fold with the sliders for a part and its numbers.
 * @param {HTMLElement} fold  names the class and the part that it counts */
export const start = (fold) => new SizedPart(fold).fill()
