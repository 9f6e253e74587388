// The # sign next to every table, figure and sum is a link to it. A click opens a small
// window with this link and with citations to paste into a course page, in several
// formats. The citation is assembled from the content of the page when the sign is clicked.

import { escapeHtml, html } from "../drawing/html.js"
import { copyOrSelect, pageAddress } from "./course-texts.js"

const LINK_SELECTOR = ".bc-permalink"
const OPEN_CLASS = "bc-cited" // the class of the link whose window is open
const MAX_HEIGHT = 900 // the greatest height of a frame, in pixels; taller content scrolls
const FRAME_MARGIN = 90 // pixels of a frame for margins, the lines above and below the block, and the credit

/**
 * The text of an element without its link signs; "" if there is no element.
 * @param {Element | null | undefined} element
 */
function textOf(element) {
  const clone = /** @type {Element | undefined} */ (element?.cloneNode(true))
  for (const sign of clone?.querySelectorAll(`${LINK_SELECTOR}, .headerlink`) ?? []) sign.remove()
  return clone?.textContent?.trim().replace(/\s+/g, " ") ?? ""
}

/**
 * The title of a block that has none of its own: the heading of its section, and the model if the block names one.
 * @param {Element} block
 */
function fallbackTitle(block) {
  const headings = [...document.querySelectorAll("article h2")]
  const headingsAbove = headings.filter(
    (heading) => heading.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  return [textOf(headingsAbove.at(-1)), ...(/BERT \w+/.exec(textOf(block)) ?? [])].filter(Boolean).join(", ")
}

/**
 * The address of a page that shows only this block, in the light theme, because course pages are light. For a block
 * in a tool, such as a level of the map, it is the address of the whole tool, so that readers can continue from there.
 * It is "" if there is no such page, as for a step of an example.
 * @param {HTMLAnchorElement} link
 * @param {string} page  the address of the page that contains the block
 */
function frameAddress(link, page) {
  const { hash } = link
  const { embed, embeds } = document.querySelector("article")?.dataset ?? {}
  if (embed) return `${new URL(embed, page)}?theme=light${hash}`
  if (link.closest("figure:not([data-file]), .bc-beside")) return ""
  return embeds ? `${new URL(embeds, page)}${hash.slice(1)}.html?theme=light` : ""
}

/**
 * The values of a citation, by the names that the templates below use. `number` is empty for a block without a result,
 * and `frame` for one that no page shows alone.
 * @param {HTMLAnchorElement} link
 * @param {Element} block
 * @returns {Record<string, string>}
 */
function citationOf(link, block) {
  const page = pageAddress()
  const level = link.closest(".bc-level") ?? block
  const next = block.nextElementSibling
  // The sum below a figure belongs to the figure, and is included in the frame.
  const lastBlock = next?.matches(".bc-summed, .bc-level-sum, .bc-steps") ? next : block
  const end = Math.max(level.getBoundingClientRect().bottom, lastBlock.getBoundingClientRect().bottom)
  const height = Math.ceil((end - level.getBoundingClientRect().top + FRAME_MARGIN) / 10) * 10 // in whole tens of pixels
  // A sum in the cell of a table is not the result of the table.
  const sum =
    [block, lastBlock].map((holder) => holder.querySelector("[data-result]:not(td *)")).find(Boolean) ?? lastBlock
  const result = sum.getAttribute("data-result")
  return {
    title: textOf(block.querySelector("caption, svg > title")) || fallbackTitle(block),
    number: result ? `: ${result}` : "",
    question: textOf(document.querySelector("h1")),
    site: document.querySelector(".md-header .md-logo")?.getAttribute("title") ?? document.title,
    address: page + link.hash,
    frame: frameAddress(link, page),
    height: String(Math.min(MAX_HEIGHT, height)),
  }
}

/**
 * LaTeX commands for the special characters that a backslash does not escape.
 * @type {Record<string, string>}
 */
const IN_LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "×": "$\\times$",
  "−": "$-$",
}

/** A text with the special characters of LaTeX as commands, or after a backslash. @param {string} text */
const inLatex = (text) => text.replace(/[\\~^×−#%&_${}]/g, (sign) => IN_LATEX[sign] ?? `\\${sign}`)

/** A text with the special characters of Markdown escaped. @param {string} text */
const inMarkdown = (text) => text.replace(/[\\\x60*_[\]]/g, "\\$&").replace(/</g, "&lt;") // \x60 is the backtick

const AS_HTML = '<a href="@address">@title</a>@number. “@question”, <cite>@site</cite>.'
const AS_FRAME = '<iframe src="@frame" title="@title" width="100%" height="@height" style="border: 0"></iframe>'

/**
 * The formats of a citation, each as a function that escapes values and a template that names them.
 * @type {Record<string, [escapeFor: (text: string) => string, template: string]>}
 */
const FORMATS = {
  Link: [String, "@address"],
  Text: [String, "@title@number. “@question”, @site. @address"],
  Markdown: [inMarkdown, "[@title](@address)@number. “@question”, *@site*."],
  HTML: [escapeHtml, AS_HTML],
  LaTeX: [inLatex, "\\href{@address}{@title}@number. ``@question'', \\emph{@site}."],
  // If a course system removes frames, the citation below the frame remains.
  Frame: [escapeHtml, `${AS_FRAME}\n<p>${AS_HTML}</p>`],
}

const buttons = Object.keys(FORMATS).map((format) => {
  const label = format === "Link" ? "Copy link" : `Copy as ${format}`
  return /** @type {HTMLButtonElement} */ (html`<button type="button" aria-label="${label}">${format}</button>`)
})
const popover = html`<div class="bc-citing" popover="auto" role="dialog"><p class="bc-forms">Copy ${buttons}</p>
  <textarea readonly rows="4" spellcheck="false" aria-label="Text to copy"></textarea>
  <p class="bc-forms"></p><p role="status"></p></div>`
const [, textarea, files, status] = popover.children
const field = /** @type {HTMLTextAreaElement} */ (textarea)
buttons[0].autofocus = true

/**
 * The values of the citation in the open window.
 * @type {Record<string, string>}
 */
let citation

/**
 * The word “Download” and links to the files of a figure; empty for a block without files.
 * @param {Element} block
 */
function filesOf(block) {
  const { file, kinds = "" } = /** @type {HTMLElement} */ (block).dataset
  /**
   * The link to the file of one kind, in light or dark colours.
   * @param {string} kind
   * @param {string} scheme
   */
  const link = (kind, scheme) =>
    html`<a href="${file ?? ""}-${scheme}.${kind}" download>${kind.toUpperCase()} ${scheme}</a>`
  return file ? ["Download ", ...kinds.split(" ").flatMap((kind) => [link(kind, "light"), link(kind, "dark")])] : []
}

for (const button of buttons)
  button.addEventListener("click", async () => {
    const format = button.textContent ?? ""
    const [escapeFor, template] = FORMATS[format]
    field.value = template.replace(/@(\w+)/g, (_, name) => escapeFor(citation[name]))
    status.textContent = await copyOrSelect(field.value, format, field)
  })

popover.addEventListener("beforetoggle", () => document.querySelector(`.${OPEN_CLASS}`)?.classList.remove(OPEN_CLASS))

/**
 * Opens the citation window for a clicked # sign, unless a modifier key is pressed.
 * @param {MouseEvent} event
 */
function openWindow(event) {
  const { target, metaKey, ctrlKey, shiftKey, altKey } = event
  const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(LINK_SELECTOR))
  if (!link || metaKey || ctrlKey || shiftKey || altKey) return
  event.preventDefault()
  if (popover.matches(":popover-open")) popover.hidePopover()
  const block = link.closest(".bc-table") ?? link.closest("figure, p, div") ?? link
  citation = citationOf(link, block)
  field.value = citation.address
  buttons[buttons.length - 1].hidden = !citation.frame
  status.textContent = ""
  files.replaceChildren(...filesOf(block))
  popover.setAttribute("aria-label", `${link.title}: ${citation.title}`)
  block.after(popover)
  link.focus() // because closing the popover returns the focus to the element that had it before
  popover.showPopover()
  link.classList.add(OPEN_CLASS)
}

if ("popover" in HTMLElement.prototype) document.addEventListener("click", openWindow)
