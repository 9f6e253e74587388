// The sign # beside each table, figure and sum: a link to it, which opens a
// small window with its address and with text that cites it in a course page.
// Everything is made here when it is asked for, from what the page says.

import { escaped, html } from "../drawing/html.js"

/**
 * @typedef {object} Cited  what a link leads to
 * @property {string} title
 * @property {string} number  what it adds up to; empty where it is no sum
 * @property {string} question  that its page answers
 * @property {string} site
 * @property {string} address
 * @property {string} embed  its address as a page of its own; empty where it has none
 * @property {number} height  in pixels, that it takes as such a page
 */

const LINKS = ".bc-permalink"
const SUMS = ".bc-summed, .bc-level-sum"
const OPEN = "bc-cited" // the class of the link that is open, beside which the window is
const PARAMETERS = " parameters"

/** The text of an element without its signs. @param {Element | null | undefined} element */
function textOf(element) {
  const copy = /** @type {Element | undefined} */ (element?.cloneNode(true))
  for (const sign of copy?.querySelectorAll(`${LINKS}, .headerlink`) ?? []) sign.remove()
  return copy?.textContent?.trim().replace(/\s+/g, " ") ?? ""
}

/** @param {ParentNode | null | undefined} within @param {string} selector */
const all = (within, selector) => [...(within?.querySelectorAll(selector) ?? [])]

/** The last result of a sum, with its unit. @param {Element | null | undefined} sum */
function resultOf(sum) {
  const result = all(sum, ".bc-line-of-sum b, strong").at(-1)
  if (result) return textOf(result) + PARAMETERS
  return textOf(all(sum, ".bc-line-of-sum").at(-1)).split(/[=≈] /).at(-1) ?? ""
}

/** Parameters in the last line of a table, below the headings of their columns. @param {Element} table */
function totalOf(table) {
  const heads = all(table, "thead th").map(textOf)
  const counted = "data:is(:not([data-kind]), [data-kind=deviating])"
  const numbers = all(table, "tfoot tr > *").flatMap((cell, place) =>
    cell.querySelector(counted) ? [{ head: heads[place], number: textOf(cell) }] : [],
  )
  const named = numbers.map(({ head, number }) => (numbers.length > 1 ? `${head} ${number}` : number))
  return named.length ? named.join(", ") + PARAMETERS : ""
}

/** The heading above an element, or that of its page. @param {Element} element */
function headingOf(element) {
  const { DOCUMENT_POSITION_FOLLOWING: FOLLOWING } = Node
  return textOf(
    all(document, "article h2")
      .filter((each) => each.compareDocumentPosition(element) & FOLLOWING)
      .at(-1),
  )
}

/** What a link leads to: the block it is in, what that is called, and its number. @param {Element} link */
function blockOf(link) {
  const table = link.closest(".bc-table")
  if (table) return { block: table, title: textOf(table.querySelector("caption")), number: totalOf(table) }
  const figure = link.closest("figure")
  if (figure) {
    const sum = figure.nextElementSibling
    const title = textOf(figure.querySelector("svg > title"))
    return { block: figure, title, number: sum?.matches(SUMS) ? resultOf(sum) : "" }
  }
  const block = link.closest("p, div") ?? link
  const model = /BERT \w+/.exec(textOf(block))?.[0] ?? ""
  const title = [headingOf(block), model].filter(Boolean).join(", ")
  return { block, title, number: resultOf(block.querySelector(".bc-steps") ? block : block.nextElementSibling) }
}

/** The address of a thing as a page of its own, as its page says it; of a level of the map that of the map, to walk
 * on in. @param {HTMLAnchorElement} link @param {string} page */
function embedOf(link, page) {
  const { embed = "", embeds = "" } = document.querySelector("article")?.dataset ?? {}
  if (embed) return new URL(embed, page).href + link.hash
  return embeds && `${new URL(embeds, page).href}${link.hash.slice(1)}.html`
}

const MOST = 900 // pixels of a frame
const AROUND = 90 // of them for margins, what stands above or below, and where it is from

/** @param {Element} block */
function heightOf(block) {
  const next = block.nextElementSibling
  const last = next?.matches(`${SUMS}, .bc-steps`) ? next : block
  const height = last.getBoundingClientRect().bottom - block.getBoundingClientRect().top
  return Math.min(MOST, Math.ceil((height + AROUND) / 10) * 10)
}

/** @param {HTMLAnchorElement} link @param {ReturnType<typeof blockOf>} found @returns {Cited} */
function cited(link, { block, title, number }) {
  const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))
  const [page] = (canonical?.href ?? location.href).split(/[?#]/)
  return {
    ...{ title, number, embed: embedOf(link, page), height: heightOf(link.closest(".bc-level") ?? block) },
    question: textOf(document.querySelector("h1")),
    site: document.querySelector(".md-header .md-logo")?.getAttribute("title") ?? document.title,
    address: `${page}${link.hash}`,
  }
}

/** @type {Record<string, string>} */
const IN_LATEX = {
  ...{ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" },
  ...{ "×": "$\\times$", "−": "$-$" },
}
/** @param {string} text */
const inLatex = (text) => text.replace(/[\\~^×−#%&_${}]/g, (sign) => IN_LATEX[sign] ?? `\\${sign}`)
/** @param {string} text */
const inMarkdown = (text) => text.replace(/[\\`*_[\]]/g, "\\$&").replace(/</g, "&lt;")

/** What a number adds to a title. @param {string} number */
const after = (number) => (number ? `: ${number}` : "")

/** The forms of a citation, by the name of each. @type {Record<string, (of: Cited) => string>} */
const FORMS = {
  Link: ({ address }) => address,
  Text: ({ title, number, question, site, address }) => `${title}${after(number)}. “${question}”, ${site}. ${address}`,
  Markdown: ({ title, number, question, site, address }) =>
    `[${inMarkdown(title)}](${address})${after(number)}. “${inMarkdown(question)}”, *${inMarkdown(site)}*.`,
  HTML: ({ title, number, question, site, address }) =>
    `<a href="${escaped(address)}">${escaped(title)}</a>${escaped(after(number))}. ` +
    `“${escaped(question)}”, <cite>${escaped(site)}</cite>.`,
  LaTeX: ({ title, number, question, site, address }) =>
    `\\href{${address.replace(/[#%&\\{}]/g, "\\$&")}}{${inLatex(title)}}${inLatex(after(number))}. ` +
    `\`\`${inLatex(question)}'', \\emph{${inLatex(site)}}.`,
  // Light, as course pages are; below the frame stands what it shows, for wherever frames are not allowed.
  Frame: (of) =>
    `<iframe src="${escaped(of.embed.replace(/#|$/, "?theme=light$&"))}" title="${escaped(of.title)}" width="100%"` +
    ` height="${of.height}" style="border: 0"></iframe>\n<p>${FORMS.HTML(of)}</p>`,
}

const buttons = Object.keys(FORMS).map((form) => {
  const label = form === "Link" ? "Copy link" : `Copy as ${form}`
  return /** @type {HTMLButtonElement} */ (html`<button type="button" aria-label="${label}">${form}</button>`)
})
const opened = html`<div class="bc-citing" popover="auto" role="dialog"><p class="bc-forms">Copy ${buttons}</p>
  <textarea readonly rows="4" spellcheck="false" aria-label="Text to copy"></textarea>
  <p class="bc-forms"></p><p role="status"></p></div>`
const [, fieldThere, files, status] = opened.children
const field = /** @type {HTMLTextAreaElement} */ (fieldThere)
buttons[0].autofocus = true

/** @type {Cited | null} */
let current = null

/** Links to the files of a figure; nothing else has any. @param {Element} block */
function filesOf(block) {
  const { file, kinds = "" } = /** @type {HTMLElement} */ (block).dataset
  const links = kinds
    .split(" ")
    .flatMap((kind) =>
      ["light", "dark"].map(
        (scheme) => html`<a href="${file ?? ""}-${scheme}.${kind}" download>${kind.toUpperCase()} ${scheme}</a>`,
      ),
    )
  return file ? ["Download ", ...links] : []
}

/** Copy what the field shows; where the browser keeps its clipboard from pages, it stays selected. */
async function copied() {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    field.focus()
    field.select()
    return document.execCommand("copy") // where there is no safe connection
  }
}

for (const button of buttons)
  button.addEventListener("click", async () => {
    if (!current) return
    const form = button.textContent ?? ""
    field.value = FORMS[form](current)
    status.textContent = (await copied()) ? `${form} copied` : "Selected: copy it with Ctrl+C or ⌘C"
  })

opened.addEventListener("toggle", () => {
  if (!opened.matches(":popover-open")) for (const link of all(document, `.${OPEN}`)) link.classList.remove(OPEN)
})

/** @param {MouseEvent} event */
function open(event) {
  const { target, metaKey, ctrlKey, shiftKey, altKey } = event
  const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(LINKS))
  if (!link || metaKey || ctrlKey || shiftKey || altKey) return
  event.preventDefault()
  if (opened.matches(":popover-open")) opened.hidePopover()
  const found = blockOf(link)
  current = cited(link, found)
  field.value = current.address
  buttons[Object.keys(FORMS).indexOf("Frame")].hidden = !current.embed
  status.textContent = ""
  files.replaceChildren(...filesOf(found.block))
  opened.setAttribute("aria-label", `${link.title}: ${current.title}`)
  found.block.after(opened)
  link.classList.add(OPEN)
  link.focus() // where the focus returns to
  opened.showPopover()
}

if ("popover" in HTMLElement.prototype) document.addEventListener("click", open)
