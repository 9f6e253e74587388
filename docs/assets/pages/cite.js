// The sign # beside each table, figure and sum: a link to it, which opens a
// small window with its address and with text that cites it in a course page.
// Everything is made here when it is asked for, from what the page says.

if ("popover" in HTMLElement.prototype) {
  /**
   * @typedef {object} Cited  what a link leads to
   * @property {string} title
   * @property {string} number  what it adds up to; empty where it is no sum
   * @property {string} question  that its page answers
   * @property {string} site
   * @property {string} address
   * @property {HTMLElement} block
   * @property {string} embed  its address as a page of its own; empty where it has none
   * @property {number} height  in pixels, that it takes as such a page
   */

  const LINKS = ".bc-permalink"
  const OPEN = "bc-cited" // the class of the link that is open, beside which the window is

  /** The text of an element without its signs. @param {Element | null | undefined} element */
  function textOf(element) {
    const copy = /** @type {Element | undefined} */ (element?.cloneNode(true))
    for (const sign of copy?.querySelectorAll(`${LINKS}, .headerlink`) ?? []) sign.remove()
    return copy?.textContent?.trim().replace(/\s+/g, " ") ?? ""
  }

  const all = (/** @type {ParentNode | null | undefined} */ within, /** @type {string} */ selector) =>
    within ? [...within.querySelectorAll(selector)] : []

  const PARAMETERS = " parameters"

  /** The last result of a sum, with its unit. @param {Element | null | undefined} sum */
  function resultOf(sum) {
    const result = all(sum, ".bc-line-of-sum b, strong").at(-1)
    if (result) return textOf(result) + PARAMETERS
    return textOf(all(sum, ".bc-line-of-sum").at(-1)).split(/[=≈] /).at(-1) ?? ""
  }

  /** Parameters in the last line of a table, below the headings of their columns. @param {Element} table */
  function totalOf(table) {
    const heads = all(table, "thead th").map(textOf)
    const numbers = all(table, "tfoot tr > *").flatMap((cell, place) =>
      cell.querySelector("data:is(:not([data-kind]), [data-kind=deviating])") ? [[heads[place], textOf(cell)]] : [],
    )
    const [one, ...others] = numbers.map(([head, number]) => (numbers.length > 1 ? `${head} ${number}` : number))
    return one ? [one, ...others].join(", ") + PARAMETERS : ""
  }

  /** The heading above an element, or that of its page. @param {Element} element */
  function headingOf(element) {
    const before = all(document, "article h2").filter(
      (each) => each.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
    )
    return textOf(before.at(-1))
  }

  /** What a link leads to: the block it is in, what that is called, and its number. @param {Element} link */
  function blockOf(link) {
    const table = link.closest(".bc-table")
    if (table) return { block: table, title: textOf(table.querySelector("caption")), number: totalOf(table) }
    const figure = link.closest("figure")
    if (figure) {
      const sum = figure.nextElementSibling
      const number = sum?.matches(".bc-summed, .bc-level-sum") ? resultOf(sum) : ""
      return { block: figure, title: textOf(figure.querySelector("svg > title")), number }
    }
    const block = link.closest("p, div") ?? link
    const sum = block.querySelector(".bc-steps") ? block : block.nextElementSibling
    const model = /BERT \w+/.exec(textOf(block))?.[0] ?? ""
    const title = [headingOf(block), model].filter(Boolean).join(", ")
    return { block, title, number: resultOf(sum) }
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
    const below = block.nextElementSibling?.matches(".bc-summed, .bc-level-sum, .bc-steps")
      ? block.nextElementSibling
      : block
    const height = below.getBoundingClientRect().bottom - block.getBoundingClientRect().top
    return Math.min(MOST, Math.ceil((height + AROUND) / 10) * 10)
  }

  /** @param {HTMLAnchorElement} link @param {{ block: Element, title: string, number: string }} found @returns {Cited} */
  function cited(link, { block, title, number }) {
    const canonical = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=canonical]"))
    const [page] = (canonical?.href ?? location.href).split(/[?#]/)
    return {
      embed: embedOf(link, page),
      height: heightOf(link.closest(".bc-level") ?? block),
      title,
      number,
      question: textOf(document.querySelector("h1")),
      site: document.querySelector(".md-header .md-logo")?.getAttribute("title") ?? document.title,
      address: `${page}${link.hash}`,
      block: /** @type {HTMLElement} */ (block),
    }
  }

  /** @type {Record<string, string>} */
  const IN_HTML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
  const escaped = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (sign) => IN_HTML[sign])

  /** @type {Record<string, string>} */
  const IN_LATEX = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "×": "$\\times$",
    "−": "$-$",
  }
  const inLatex = (/** @type {string} */ text) =>
    text.replace(/[\\~^×−#%&_${}]/g, (sign) => IN_LATEX[sign] ?? `\\${sign}`)
  const inMarkdown = (/** @type {string} */ text) => text.replace(/[\\`*_[\]]/g, "\\$&").replace(/</g, "&lt;")

  const after = (/** @type {string} */ number) => (number ? `: ${number}` : "")

  /** The forms of a citation, by the name of each. @type {Record<string, (of: Cited) => string>} */
  const FORMS = {
    Link: ({ address }) => address,
    Text: ({ title, number, question, site, address }) =>
      `${title}${after(number)}. “${question}”, ${site}. ${address}`,
    Markdown: ({ title, number, question, site, address }) =>
      `[${inMarkdown(title)}](${address})${after(number)}. “${inMarkdown(question)}”, *${inMarkdown(site)}*.`,
    HTML: ({ title, number, question, site, address }) =>
      `<a href="${escaped(address)}">${escaped(title)}</a>${escaped(after(number))}. ` +
      `“${escaped(question)}”, <cite>${escaped(site)}</cite>.`,
    LaTeX: ({ title, number, question, site, address }) =>
      `\\href{${address.replace(/[#%&\\{}]/g, "\\$&")}}{${inLatex(title)}}${inLatex(after(number))}. ` +
      `\`\`${inLatex(question)}'', \\emph{${inLatex(site)}}.`,
    // Light, as course pages are; below the frame stands what it shows, for wherever frames are not allowed.
    Frame: ({ embed, height, ...of }) =>
      `<iframe src="${escaped(embed.replace(/#|$/, "?theme=light$&"))}" title="${escaped(of.title)}" width="100%" height="${height}" ` +
      `style="border: 0"></iframe>\n<p>${FORMS.HTML({ ...of, embed, height })}</p>`,
  }

  /** @template {keyof HTMLElementTagNameMap} T @param {T} name @param {Record<string, string>} attributes @param {(Node | string)[]} inside */
  function element(name, attributes, ...inside) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...inside)
    return made
  }

  const field = element("textarea", { readonly: "", rows: "4", spellcheck: "false", "aria-label": "Text to copy" })
  const status = element("p", { role: "status" })
  const buttons = Object.keys(FORMS).map((form) =>
    element("button", { type: "button", "aria-label": form === "Link" ? "Copy link" : `Copy as ${form}` }, form),
  )
  const choice = element("p", { class: "bc-forms" }, "Copy ", ...buttons)
  const files = element("p", { class: "bc-forms" })
  const opened = element("div", { class: "bc-citing", popover: "auto", role: "dialog" }, choice, field, files, status)
  buttons[0].autofocus = true
  const frame = buttons[Object.keys(FORMS).indexOf("Frame")]

  /** @type {Cited | null} */
  let current = null

  const SCHEMES = ["light", "dark"]

  /** Links to the files of a figure; nothing else has any. @param {HTMLElement} block */
  function filesOf({ dataset: { file, kinds = "" } }) {
    if (!file) return []
    const links = kinds.split(" ").flatMap((kind) =>
      SCHEMES.map((scheme) => {
        const named = `${kind.toUpperCase()} ${scheme}`
        return element("a", { href: `${file}-${scheme}.${kind}`, download: "" }, named)
      }),
    )
    return ["Download ", ...links]
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

  document.addEventListener("click", (event) => {
    const { target, metaKey, ctrlKey, shiftKey, altKey } = event
    const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(LINKS))
    if (!link || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    if (opened.matches(":popover-open")) opened.hidePopover()
    const found = blockOf(link)
    current = cited(link, found)
    field.value = current.address
    frame.hidden = !current.embed
    status.textContent = ""
    files.replaceChildren(...filesOf(current.block))
    opened.setAttribute("aria-label", `${link.title}: ${current.title}`)
    found.block.after(opened)
    link.classList.add(OPEN)
    link.focus() // where the focus returns to
    opened.showPopover()
  })
}
