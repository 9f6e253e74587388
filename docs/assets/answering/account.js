// Shows the account of a text: what it is and whether it is right, what the reader should
// know about it, the way from the reader's total to the right one, and the reader's own
// lines, each next to the part of the model that it describes. `reading/` works all of this
// out; here it becomes elements or, for the clipboard, Markdown. The reader's lines only
// ever become text, never HTML.
//
// A print-out may have thousands of lines, most of them right. So the table shows the
// first few hundred rows until the reader asks for all, folds runs of lines that say
// nothing, and can hide those that are right.

import { percentage } from "../calculator/live.js"
import { whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { markdown, plainly } from "../reading/words.js"
import { code, element, link, number, ROOT, signed, tableOf } from "./elements.js"
import { waterfall } from "./waterfall.js"

const MAX_ROWS = 300 // rows of the table that are shown at first; browsers are slow to lay out thousands
const MAX_BARS = 12 // a bridge of more steps is not drawn, because the figure would be higher than a window
const SCROLL_ABOVE = 40 // with more rows than this, the table scrolls in a box of its own
const FOLD_FROM = 3 // from this many on, successive lines that were not read, or that hold no parameters, are folded
const FILTER_ABOVE = 12 // with more lines than this, the right ones can be hidden
const MAX_LENGTH = 400 // characters; a longer line, such as one of JSON, is cut
const DEEPEST = 6 // characters: the widest indentation of a line, so that deep modules leave room for their names

/** Verdicts, each with a mark that tells it apart without a colour, in the order in which they are counted, and the
 * words for several lines.
 * @type {Record<LineVerdict, [mark: string, words: string, many: string]>} */
const VERDICTS = {
  right: ["✓", "right", "right"],
  wrong: ["✗", "wrong", "wrong"],
  "counted twice": ["2×", "counted twice", "counted twice"],
  "not a parameter": ["–", "not a parameter", "not parameters"],
  "not used": ["–", "not used", "not used"],
  added: ["+", "added to the model", "added to the model"],
  subtotal: ["Σ", "subtotal", "subtotals"],
  rounded: ["≈", "rounded", "rounded"],
  explained: ["→", "explained", "explained"],
  unknown: ["?", "unknown", "unknown"],
  "not read": ["·", "not read", "not read"],
}
/** The verdicts on lines that the reader need not look at again. */
const NO_FAULT = new Set(["right", "subtotal", "rounded"])
/** The verdicts on lines that are no part of the model. */
const NOT_OF_MODEL = new Set(["not a parameter", "not used"])

/** Pieces of a sentence as content. @param {Words} words @returns {Content[]} */
const contentOf = (words) =>
  words.map((piece) => {
    if (typeof piece === "string") return piece
    if ("number" in piece) return number(piece.number)
    return "code" in piece ? code(piece.code) : link(piece.page, piece.text)
  })

// --- Around the lines -----------------------------------------------------------

/** The findings as a list; nothing if there are none. @param {Finding[]} findings */
function findingsList(findings) {
  const items = findings.map(({ words, amount }) => {
    const effect = amount ? [element("span", { class: "bc-amount" }, signed(amount))] : []
    return element("li", {}, element("span", {}, contentOf(words)), ...effect)
  })
  return items.length ? [element("ul", { class: "bc-findings" }, items)] : []
}

/** The way from the reader's total to the right one, as a figure and as a table.
 * @param {AccountBridge | null} bridge */
function bridgeElements(bridge) {
  if (!bridge?.steps.length) return []
  const { start, startLabel, steps, end, endLabel } = bridge
  const bars = steps.map(({ label, value }) => ({ label: plainly(label), value }))
  // A single step needs no figure: the table shows it in three numbers.
  const figure = steps.length < 2 || steps.length > MAX_BARS ? [] : [waterfall(start, bars, [startLabel, endLabel])]
  const inTable = tableOf(
    "bridge",
    `From ${whole(start)} to ${whole(end)}, step by step`,
    { "to put it right": "prose", change: "num", ...(steps.some(({ formula }) => formula) && { formula: "prose" }) },
    [
      [startLabel, whole(start), ""],
      ...steps.map(({ label, value, formula }) => [contentOf(label), signed(value), formula && code(formula)]),
    ],
    [endLabel, whole(end), ""],
  )
  return [...figure, inTable]
}

// --- The reader's lines -----------------------------------------------------------

/** A line as it is shown: without its indentation, and with narrow gaps between columns. @param {string} source */
const lineText = (source) => cut(source.trim().replace(/\s{3,}/g, "  "), MAX_LENGTH)

/** One of the reader's lines as code, indented half as much as it was. A wrapped line has a hanging indent.
 * @param {AccountLine} line */
function asCode({ source }) {
  const node = code(lineText(source))
  node.className = "bc-line"
  const depth = /^\s*/.exec(source.replace(/\t/g, "    "))?.[0].length ?? 0
  node.style.marginLeft = `${Math.min(DEEPEST, depth / 2)}ch`
  return node
}

/** Whether a line says anything, and is not only a rule between others. @param {AccountLine} line */
const saysAnything = ({ source, verdict }) => verdict !== "not read" || /[\p{L}\p{N}]/u.test(source)

/** Whether a line was read and holds no parameters, such as that of a dropout layer. @param {AccountLine} line */
const isWithoutParameters = ({ verdict, right }) => right === 0 && NO_FAULT.has(verdict)

/** The words for the lines of the fold that a line may go into; "" if it is never folded.
 * @param {AccountLine} line */
function foldOf(line) {
  if (line.verdict === "not read") return "that were not read"
  return isWithoutParameters(line) ? "without parameters" : ""
}

/** The lines in groups: successive lines that are folded together, and any other line by itself.
 * @param {AccountLine[]} lines */
function groupsOf(lines) {
  /** @type {AccountLine[][]} */
  const groups = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && foldOf(line) && foldOf(last[0]) === foldOf(line)) last.push(line)
    else groups.push([line])
  }
  return groups.flatMap((group) => (group.length < FOLD_FROM ? group.map((line) => [line]) : [group]))
}

/** The number of a line: the right one, or its own if there is none; for an added line, its own comes first.
 * @param {AccountLine} line */
const numberOf = ({ right, stated, verdict }) => (verdict === "added" ? (stated ?? right) : (right ?? stated))

/** A line's share of the model, counting all the equal layers that it stands for; "" if there is none.
 * @param {AccountLine} line @param {number} total */
function shareOf(line, total) {
  const number = (numberOf(line) ?? 0) * line.times
  return number && number <= total && !NOT_OF_MODEL.has(line.verdict) ? percentage(number / total) : ""
}

/** How the number of a line becomes that of all layers; "" if it stands for one. @param {AccountLine} line */
function inAllLayers(line) {
  const number = numberOf(line)
  return line.times > 1 && number ? `× ${whole(line.times)} = ${whole(number * line.times)}` : ""
}

/** The amount by which a line is wrong, in words; "" if that is not known. @param {AccountLine} line */
function differenceOf({ verdict, stated, right }) {
  if (!["wrong", "counted twice"].includes(verdict) || stated === null || right === null || stated === right) return ""
  return `${whole(stated)} is ${whole(Math.abs(stated - right))} too ${stated > right ? "high" : "low"}`
}

/** A note in smaller type below a number or a verdict; nothing for an empty one. @param {string} text */
const note = (text) => (text ? [element("span", { class: "bc-what" }, text)] : [])

/** The cells of a line. @param {AccountLine} line @param {number} total @returns {(Content | Content[])[]} */
function cellsOf(line, total) {
  const { part, verdict } = line
  const [mark, words] = VERDICTS[verdict]
  const number = numberOf(line)
  return [
    asCode(line),
    contentOf(part),
    number === null ? "" : [whole(number), ...note(inAllLayers(line))],
    shareOf(line, total),
    [
      element("span", { class: "bc-line-verdict" }, element("span", { "aria-hidden": "true" }, mark), ` ${words}`),
      ...note(differenceOf(line)),
    ],
  ]
}

/** The cells of a row that stands for folded lines. @param {AccountLine[]} lines */
function foldedCells(lines) {
  const summary = element("summary", {}, `${whole(lines.length)} lines ${foldOf(lines[0])}`)
  return [element("details", { class: "bc-unread" }, summary, ...lines.map(asCode)), "", "", "", ""]
}

/** How many lines have each verdict, in words. @param {AccountLine[]} lines */
function tally(lines) {
  const numbers = Object.entries(VERDICTS).flatMap(([verdict, [, one, many]]) => {
    const number = lines.filter((line) => line.verdict === verdict).length
    return number ? [`${whole(number)} ${number > 1 ? many : one}`] : []
  })
  const layersNote = lines.some(({ times }) => times > 1) ? ", with equal layers taken together" : ""
  return `Your lines${layersNote}: ${numbers.join(", ")}.`
}

/** The totals of a model by class. For a config or a model name, `lines` holds these classes.
 * @param {Account} account */
function classesElements({ lines }) {
  const caption = "The classes of this model, and how many parameters each of them has"
  const rows = lines.map(({ source, part, right }) => [
    code(source),
    contentOf(part),
    right === null ? "" : whole(right),
  ])
  return lines.length
    ? [tableOf("your-lines", caption, { class: "text", "what it is for": "prose", parameters: "num" }, rows)]
    : []
}

/** The table of some groups of lines. @param {AccountLine[][]} groups @param {ReturnType<typeof tally>} caption
 * @param {number} total  the parameters of the model, for shares */
function tableOfGroups(groups, caption, total) {
  const table = tableOf(
    "your-lines",
    caption,
    { "your line": "prose", "what it is": "prose", parameters: "num", share: "num", verdict: "word" },
    groups.map((group) => (group.length > 1 ? foldedCells(group) : cellsOf(group[0], total))),
  )
  const rows = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("tbody tr"))
  for (const [index, row] of rows.entries()) row.dataset.verdict = groups[index][0].verdict
  table.classList.toggle("bc-high", groups.length > SCROLL_ABOVE)
  return table
}

/** The reader's lines, each beside what it is.
 * @param {Account} account @returns {HTMLElement[]} */
function linesElements(account) {
  if (account.kind === "config" || account.kind === "name") return classesElements(account)
  const { kind, lines: sources, model } = account
  const lines = sources.filter(saysAnything)
  // The first sentence says all there is to say of a single line with labels.
  if (!lines.length || (kind === "labels" && lines.length === 1)) return []
  const total = model?.total ?? 0
  const region = element("div", { class: "bc-your-lines" })
  const filterBox = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "lines-filter" }))
  const button = element("button", { type: "button", class: "bc-button" })

  /** Fills the table with the first groups of lines, up to a number of them. @param {number} maxGroups */
  function show(maxGroups) {
    const groups = groupsOf(filterBox.checked ? lines.filter(({ verdict }) => !NO_FAULT.has(verdict)) : lines)
    const visible = groups.slice(0, maxGroups)
    const table = tableOfGroups(visible, tally(lines), total)
    button.textContent = `Show all ${whole(groups.length)} rows`
    region.replaceChildren(table, ...(visible.length < groups.length ? [button] : []))
  }
  /** Fills the table with all lines. */
  const showAll = () => show(Number.POSITIVE_INFINITY)
  filterBox.addEventListener("change", () => show(MAX_ROWS))
  button.addEventListener("click", () => {
    showAll()
    region.querySelector("table")?.parentElement?.focus() // because the button that had the focus no longer exists
  })
  // Paper shows all rows. A button that is not in the page has none left to show.
  addEventListener("beforeprint", () => region.isConnected && button.isConnected && showAll())
  show(MAX_ROWS)

  const rightCount = lines.filter(({ verdict }) => NO_FAULT.has(verdict)).length
  const label = element("label", { for: filterBox.id }, "Hide the lines that are right")
  const hasFaults = lines.some(({ verdict }) => verdict !== "not read" && !NO_FAULT.has(verdict))
  const hasFilter = lines.length > FILTER_ABOVE && rightCount && hasFaults
  const filter = hasFilter ? [element("p", { class: "bc-switch bc-on-screen" }, filterBox, label)] : []
  return [...filter, region]
}

// --- Markdown -----------------------------------------------------------------------

/** A row of a table in Markdown. @param {string[]} cells */
const row = (cells) => `| ${cells.join(" | ")} |`

/** A line of a text as code within a table of Markdown, where a backtick would end the code, and a bar the cell. Code
 * cannot be empty.
 * @param {string} source */
const asMarkdownCode = (source) => `\`${lineText(source).replaceAll("`", "'").replaceAll("|", "\\|") || " "}\``

/** The account as Markdown.
 * @param {Account} account @param {string} root  the address of the top of the site
 * @returns {string} */
export function asMarkdown({ kind, headline, findings, bridge, lines, model }, root) {
  const total = model?.total ?? 0
  const list = findings.map(
    ({ words, amount }) => `- ${markdown(words, root)}${amount ? ` (**${signed(amount)}**)` : ""}`,
  )
  const steps = bridge?.steps.length
    ? [
        row(["to put it right", "change", "formula"]),
        row(["---", "--:", "---"]),
        row([markdown([bridge.startLabel], root), whole(bridge.start), ""]),
        ...bridge.steps.map(({ label, value, formula }) =>
          row([markdown(label, root), signed(value), formula && asMarkdownCode(formula)]),
        ),
        row([markdown([bridge.endLabel], root), whole(bridge.end), ""]),
      ]
    : []
  const isByClass = kind === "config" || kind === "name"
  const rows = lines.filter(saysAnything).map((line) => {
    const { source, part, verdict } = line
    const words = [VERDICTS[verdict].slice(0, 2).join(" "), differenceOf(line)].filter(Boolean).join(": ")
    const count = numberOf(line)
    const number = count === null ? "" : [whole(count), inAllLayers(line)].filter(Boolean).join(" ")
    const cells = [asMarkdownCode(source), markdown(part, root), number]
    return row(isByClass ? cells : [...cells, shareOf(line, total), words])
  })
  const table = isByClass
    ? [row(["class", "what it is for", "parameters"]), row(["---", "---", "--:"])]
    : [row(["your line", "what it is", "parameters", "share", "verdict"]), row(["---", "---", "--:", "--:", "---"])]
  const blocks = [[markdown(headline, root)], list, steps, rows.length ? [...table, ...rows] : []]
  return `${blocks.flatMap((block) => (block.length ? [block.join("\n")] : [])).join("\n\n")}\n`
}

// --- The whole ------------------------------------------------------------------------

/** The buttons below an account. @param {Account} account @param {string} address  that of the answer, or "" */
function controls(account, address) {
  const status = element("span", { role: "status" })
  const copy = element("button", { type: "button", class: "bc-button" }, "Copy as Markdown")
  copy.addEventListener("click", () =>
    navigator.clipboard.writeText(asMarkdown(account, new URL(ROOT, location.href).href)).then(
      () => (status.textContent = "Copied"),
      () => (status.textContent = "Your browser does not allow copying"),
    ),
  )
  // Browsers offer the clipboard only to pages loaded over a secure connection.
  const buttons = navigator.clipboard ? [copy, status] : []
  const links = address ? [element("a", { href: address }, "Link to this answer")] : []
  return buttons.length || links.length ? [element("div", { class: "bc-controls" }, ...buttons, ...links)] : []
}

/** An account as elements: the first sentences, and everything below them.
 * @param {Account} account @param {string} address  that of the answer; "" if it has none */
export function answerOf(account, address) {
  return {
    headline: element("p", { class: "bc-answer" }, contentOf(account.headline)),
    details: [
      ...findingsList(account.findings),
      ...bridgeElements(account.bridge),
      ...linesElements(account),
      ...controls(account, address),
    ],
  }
}
