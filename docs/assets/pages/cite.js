// The sign # beside each table, figure and sum: a link to it, which opens a
// small window with its address and with text that cites it in a course page.
// Everything is made here when it is asked for, from what the page says.

import { escaped, html } from "../drawing/html.js"

const LINKS = ".bc-permalink"
const OPEN = "bc-cited" // the class of the link that is open, beside which the window is

/** The text of an element without its signs. @param {Element | null | undefined} element */
function textOf(element) {
  const copy = /** @type {Element | undefined} */ (element?.cloneNode(true))
  for (const sign of copy?.querySelectorAll(`${LINKS}, .headerlink`) ?? []) sign.remove()
  return copy?.textContent?.trim().replace(/\s+/g, " ") ?? ""
}

/** What something without a name is called: the section it is in, and its model. @param {Element} block */
function placeOf(block) {
  const headings = [...document.querySelectorAll("article h2")]
  const above = headings.filter((each) => each.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING)
  return [textOf(above.at(-1)), ...(/BERT \w+/.exec(textOf(block)) ?? [])].filter(Boolean).join(", ")
}

/** The address of a thing as a page of its own, light as course pages are; of a level of the map that of the map, to
 * walk on in; a step of an example has none. @param {HTMLAnchorElement} link @param {string} page */
function frameOf(link, page) {
  const { hash } = link
  const { embed, embeds } = document.querySelector("article")?.dataset ?? {}
  if (embed) return `${new URL(embed, page)}?theme=light${hash}`
  if (link.closest("figure:not([data-file]), .bc-beside")) return ""
  return embeds ? `${new URL(embeds, page)}${hash.slice(1)}.html?theme=light` : ""
}

const MOST = 900 // pixels of a frame
const AROUND = 90 // of them for margins, what stands above or below, and where it is from

/** @param {HTMLAnchorElement} link @param {Element} block @returns {Record<string, string>} */
function cited(link, block) {
  const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))
  const [page] = (canonical?.href ?? location.href).split(/[?#]/)
  const shown = link.closest(".bc-level") ?? block
  const next = block.nextElementSibling
  const below = next?.matches(".bc-summed, .bc-level-sum, .bc-steps") ? next : block
  const end = Math.max(shown.getBoundingClientRect().bottom, below.getBoundingClientRect().bottom)
  const height = Math.ceil((end - shown.getBoundingClientRect().top + AROUND) / 10) * 10
  const sum = [block, below].map((each) => each.querySelector("[data-result]:not(td *)")).find(Boolean) ?? below
  const result = sum.getAttribute("data-result")
  return {
    title: textOf(block.querySelector("caption, svg > title")) || placeOf(block),
    number: result ? `: ${result}` : "",
    question: textOf(document.querySelector("h1")),
    site: document.querySelector(".md-header .md-logo")?.getAttribute("title") ?? document.title,
    address: page + link.hash,
    frame: frameOf(link, page),
    height: String(Math.min(MOST, height)),
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
const inMarkdown = (text) => text.replace(/[\\\x60*_[\]]/g, "\\$&").replace(/</g, "&lt;")

const AS_HTML = '<a href="@address">@title</a>@number. “@question”, <cite>@site</cite>.'
const AS_FRAME = '<iframe src="@frame" title="@title" width="100%" height="@height" style="border: 0"></iframe>'

/** The forms of a citation: how each writes a text, and what it consists of. @type {Record<string, [(text: string) => string, string]>} */
const FORMS = {
  Link: [String, "@address"],
  Text: [String, "@title@number. “@question”, @site. @address"],
  Markdown: [inMarkdown, "[@title](@address)@number. “@question”, *@site*."],
  HTML: [escaped, AS_HTML],
  LaTeX: [inLatex, "\\href{@address}{@title}@number. ``@question'', \\emph{@site}."],
  // Below the frame stands what it shows, for wherever frames are not allowed.
  Frame: [escaped, `${AS_FRAME}\n<p>${AS_HTML}</p>`],
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

/** What is cited. @type {Record<string, string>} */
let current

/** Links to the files of a figure; nothing else has any. @param {Element} block */
function filesOf(block) {
  const { file, kinds = "" } = /** @type {HTMLElement} */ (block).dataset
  /** @param {string} kind @param {string} scheme */
  const link = (kind, scheme) =>
    html`<a href="${file ?? ""}-${scheme}.${kind}" download>${kind.toUpperCase()} ${scheme}</a>`
  return file ? ["Download ", ...kinds.split(" ").flatMap((kind) => [link(kind, "light"), link(kind, "dark")])] : []
}

for (const button of buttons)
  button.addEventListener("click", async () => {
    const form = button.textContent ?? ""
    const [inForm, template] = FORMS[form]
    field.value = template.replace(/@(\w+)/g, (_, name) => inForm(current[name]))
    try {
      await navigator.clipboard.writeText(field.value)
      status.textContent = `${form} copied`
    } catch {
      field.focus()
      field.select()
      status.textContent = "Selected: copy it with Ctrl+C or ⌘C" // the browser keeps its clipboard from pages
    }
  })

opened.addEventListener("beforetoggle", () => document.querySelector(`.${OPEN}`)?.classList.remove(OPEN))

/** @param {MouseEvent} event */
function open(event) {
  const { target, metaKey, ctrlKey, shiftKey, altKey } = event
  const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(LINKS))
  if (!link || metaKey || ctrlKey || shiftKey || altKey) return
  event.preventDefault()
  if (opened.matches(":popover-open")) opened.hidePopover()
  const block = link.closest(".bc-table") ?? link.closest("figure, p, div") ?? link
  current = cited(link, block)
  field.value = current.address
  buttons[buttons.length - 1].hidden = !current.frame
  status.textContent = ""
  files.replaceChildren(...filesOf(block))
  opened.setAttribute("aria-label", `${link.title}: ${current.title}`)
  block.after(opened)
  link.focus() // where the focus returns to
  opened.showPopover()
  link.classList.add(OPEN)
}

if ("popover" in HTMLElement.prototype) document.addEventListener("click", open)
