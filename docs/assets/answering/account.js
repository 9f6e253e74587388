// Shows the account of a text: what the text is and whether it is right, what the reader
// should know about it, the steps from the reader's total to the right one, and the reader's
// own lines, each next to the part of the model that it describes. `reading/` works all of
// this out; this module turns it into elements or, for the clipboard, Markdown. The reader's
// lines are only ever inserted as text, never as HTML.
//
// A print-out may have thousands of lines, and most of them may be right. So the table shows only
// the first few hundred rows until the reader asks for the rest, folds runs of lines that were not
// read or have no parameters, and can hide the lines that are right.

import { percentage } from "../calculator/live.js"
import { whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { asPlainText, markdown } from "../reading/words.js"
import { code, element, link, number, ROOT, tableOf, withSign } from "./elements.js"
import { waterfall } from "./waterfall.js"

const MAX_ROWS = 300 // table rows shown at first, because browsers are slow to lay out thousands
const MAX_BARS = 12 // a bridge with more steps is not drawn, because the figure would be taller than a window
const SCROLL_ABOVE = 40 // with more rows than this, the table scrolls in its own box
const FOLD_FROM = 3 // consecutive lines that were not read, or that have no parameters, are folded from this many on
const FILTER_ABOVE = 12 // with more lines than this, the right ones can be hidden
const MAX_LINE_LENGTH = 400 // characters; a longer line, such as a line of JSON, is cut
const MAX_INDENT = 6 // characters; deeper modules are indented no further, to leave room for their names

/** The verdicts, in the order of the tally: each with a mark that does not rely on colour, and the words for one line
 * and for several.
 * @type {Record<LineVerdict, [mark: string, singular: string, plural: string]>} */
const VERDICTS = {
  right: ["✓", "right", "right"],
  wrong: ["✗", "wrong", "wrong"],
  "counted twice": ["2×", "counted twice", "counted twice"],
  "not a parameter": ["–", "not a parameter", "not parameters"],
  "not used": ["–", "not used", "not used"],
  added: ["+", "added to the model", "added to the model"],
  subtotal: ["Σ", "subtotal", "subtotals"],
  packed: ["▣", "packed", "packed"],
  rounded: ["≈", "rounded", "rounded"],
  explained: ["→", "explained", "explained"],
  unknown: ["?", "unknown", "unknown"],
  "not read": ["·", "not read", "not read"],
}
/** The verdicts on lines that need no attention. */
const FAULTLESS_VERDICTS = new Set(["right", "subtotal", "rounded"])
/** The verdicts on lines that are not part of the model. */
const VERDICTS_OUTSIDE_MODEL = new Set(["not a parameter", "not used"])

/** The pieces of a sentence as content. @param {Words} words @returns {Content[]} */
const contentOf = (words) =>
  words.map((piece) => {
    if (typeof piece === "string") return piece
    if ("number" in piece) return number(piece.number)
    return "code" in piece ? code(piece.code) : link(piece.page, piece.text)
  })

// --- Around the lines -----------------------------------------------------------

/** A list of the findings; empty if there are none. @param {Finding[]} findings */
function findingsList(findings) {
  const items = findings.map(({ words, amount }) => {
    const effect = amount ? [element("span", { class: "bc-amount" }, withSign(amount))] : []
    return element("li", {}, element("span", {}, contentOf(words)), ...effect)
  })
  return items.length ? [element("ul", { class: "bc-findings" }, items)] : []
}

/** The heading of the steps that lead from a wrong total to the right one. */
const TO_PUT_IT_RIGHT = "to put it right"

/** The steps from the reader's total to the right one: a table, preceded by a figure if there are two to `MAX_BARS`
 * steps. Empty if there are none.
 * @param {AccountBridge | null} bridge */
function bridgeElements(bridge) {
  if (!bridge?.steps.length) return []
  const { heading = TO_PUT_IT_RIGHT, start, startLabel, steps, end, endLabel } = bridge
  const bars = steps.map(({ label, value }) => ({ label: asPlainText(label), value }))
  // A single step needs no figure, because the table shows it in three numbers.
  const figure = steps.length < 2 || steps.length > MAX_BARS ? [] : [waterfall(start, bars, [startLabel, endLabel])]
  const bridgeTable = tableOf(
    "bridge",
    `From ${whole(start)} to ${whole(end)}, step by step`,
    { [heading]: "prose", change: "num", ...(steps.some(({ formula }) => formula) && { formula: "prose" }) },
    [
      [startLabel, whole(start), ""],
      ...steps.map(({ label, value, formula }) => [contentOf(label), withSign(value), formula && code(formula)]),
    ],
    [endLabel, whole(end), ""],
  )
  return [...figure, bridgeTable]
}

// --- The reader's lines -----------------------------------------------------------

/** The text of a line as shown: without indentation, with narrow gaps between columns, and cut if too long.
 * @param {string} source */
const lineText = (source) => cut(source.trim().replace(/\s{3,}/g, "  "), MAX_LINE_LENGTH)

/** One of the reader's lines as code, with half its original indentation, up to a limit. If it wraps, it has a hanging
 * indent.
 * @param {AccountLine} line */
function asCode({ source }) {
  const node = code(lineText(source))
  node.className = "bc-line"
  const depth = /^\s*/.exec(source.replace(/\t/g, "    "))?.[0].length ?? 0
  node.style.marginLeft = `${Math.min(MAX_INDENT, depth / 2)}ch`
  return node
}

/** Whether a line contains information, rather than being a mere rule between other lines. @param {AccountLine} line */
const isInformative = ({ source, verdict }) => verdict !== "not read" || /[\p{L}\p{N}]/u.test(source)

/** Whether a line was read but has no parameters, such as the line of a dropout layer. @param {AccountLine} line */
const isWithoutParameters = ({ verdict, right }) => right === 0 && FAULTLESS_VERDICTS.has(verdict)

/** The description of the lines with which a line may be folded; "" if it is never folded.
 * @param {AccountLine} line */
function foldDescription(line) {
  if (line.verdict === "not read") return "that were not read"
  return isWithoutParameters(line) ? "without parameters" : ""
}

/** The lines in groups: consecutive lines that are folded together, and every other line by itself.
 * @param {AccountLine[]} lines */
function groupsOf(lines) {
  /** @type {AccountLine[][]} */
  const groups = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && foldDescription(line) && foldDescription(last[0]) === foldDescription(line)) last.push(line)
    else groups.push([line])
  }
  return groups.flatMap((group) => (group.length < FOLD_FROM ? group.map((line) => [line]) : [group]))
}

/** The number to show for a line: the right one or, if there is none, the stated one; for an added line, vice versa.
 * @param {AccountLine} line */
const numberOf = ({ right, stated, verdict }) => (verdict === "added" ? (stated ?? right) : (right ?? stated))

/** The share of the model that a line counts, in all layers that it represents; "" if it counts no part of the model,
 * or if its number exceeds the total.
 * @param {AccountLine} line @param {number} total */
function shareOf(line, total) {
  const number = (numberOf(line) ?? 0) * line.times
  return number && number <= total && !VERDICTS_OUTSIDE_MODEL.has(line.verdict) ? percentage(number / total) : ""
}

/** The product of a line's number and the number of layers that it represents; "" if there is nothing to multiply.
 * @param {AccountLine} line */
function inAllLayers(line) {
  const number = numberOf(line)
  return line.times > 1 && number ? `× ${whole(line.times)} = ${whole(number * line.times)}` : ""
}

/** The amount by which a line is wrong, in words; "" if the line is not wrong, or if that amount is unknown.
 * @param {AccountLine} line */
function differenceOf({ verdict, stated, right }) {
  if (!["wrong", "counted twice"].includes(verdict) || stated === null || right === null || stated === right) return ""
  return `${whole(stated)} is ${whole(Math.abs(stated - right))} too ${stated > right ? "high" : "low"}`
}

/** A note in smaller type below a number or a verdict; empty if there is no text. @param {string} text */
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

/** The cells of a row with folded lines. @param {AccountLine[]} lines */
function foldedCells(lines) {
  const summary = element("summary", {}, `${whole(lines.length)} lines ${foldDescription(lines[0])}`)
  return [element("details", { class: "bc-unread" }, summary, ...lines.map(asCode)), "", "", "", ""]
}

/** The number of lines with each verdict, in words. @param {AccountLine[]} lines */
function tally(lines) {
  const counts = Object.entries(VERDICTS).flatMap(([verdict, [, singular, plural]]) => {
    const count = lines.filter((line) => line.verdict === verdict).length
    return count ? [`${whole(count)} ${count > 1 ? plural : singular}`] : []
  })
  const layersNote = lines.some(({ times }) => times > 1) ? ", with equal layers taken together" : ""
  return `Your lines${layersNote}: ${counts.join(", ")}.`
}

/** A table of the classes of a model and their totals; empty if there are none. In the account of a config or of a
 * model name, each of the `lines` is a class.
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

/** The table of the lines in groups. @param {AccountLine[][]} groups @param {string} caption
 * @param {number} total  the number of parameters of the model, for the column of shares */
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

/** The reader's lines, each next to the part of the model that it describes; for a config or a model name, the table of
 * its classes. Empty if no line has information, or if a single line with labels is all that there is.
 * @param {Account} account @returns {HTMLElement[]} */
function linesElements(account) {
  if (account.kind === "config" || account.kind === "name") return classesElements(account)
  const { kind, lines: allLines, model } = account
  const lines = allLines.filter(isInformative)
  // For a single line with labels, the first sentence already says everything.
  if (!lines.length || (kind === "labels" && lines.length === 1)) return []
  const total = model?.total ?? 0
  const region = element("div", { class: "bc-your-lines" })
  const filterBox = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "lines-filter" }))
  const button = element("button", { type: "button", class: "bc-button" })

  /** Shows the table with at most `maxGroups` groups of lines. @param {number} maxGroups */
  function show(maxGroups) {
    const groups = groupsOf(filterBox.checked ? lines.filter(({ verdict }) => !FAULTLESS_VERDICTS.has(verdict)) : lines)
    const visibleGroups = groups.slice(0, maxGroups)
    const table = tableOfGroups(visibleGroups, tally(lines), total)
    button.textContent = `Show all ${whole(groups.length)} rows`
    region.replaceChildren(table, ...(visibleGroups.length < groups.length ? [button] : []))
  }
  const showAll = () => show(Number.POSITIVE_INFINITY)
  filterBox.addEventListener("change", () => show(MAX_ROWS))
  button.addEventListener("click", () => {
    showAll()
    region.querySelector("table")?.parentElement?.focus() // because the button that had the focus no longer exists
  })
  // On paper, all rows are shown. If the button is no longer on the page, they already are.
  addEventListener("beforeprint", () => region.isConnected && button.isConnected && showAll())
  show(MAX_ROWS)

  const rightCount = lines.filter(({ verdict }) => FAULTLESS_VERDICTS.has(verdict)).length
  const label = element("label", { for: filterBox.id }, "Hide the lines that are right")
  const hasFaults = lines.some(({ verdict }) => verdict !== "not read" && !FAULTLESS_VERDICTS.has(verdict))
  const isFilterOffered = lines.length > FILTER_ABOVE && rightCount && hasFaults
  const filter = isFilterOffered ? [element("p", { class: "bc-switch bc-on-screen" }, filterBox, label)] : []
  return [...filter, region]
}

// --- Markdown -----------------------------------------------------------------------

/** A row of a table in Markdown. @param {string[]} cells */
const row = (cells) => `| ${cells.join(" | ")} |`

/** A line as code in a Markdown table, where a backtick would end the code and a bar would end the cell. An empty line
 * becomes a space, because code cannot be empty.
 * @param {string} source */
const asMarkdownCode = (source) => `\`${lineText(source).replaceAll("`", "'").replaceAll("|", "\\|") || " "}\``

/** The account as Markdown.
 * @param {Account} account @param {string} root  the address of the top of the site
 * @returns {string} */
export function asMarkdown({ kind, headline, findings, bridge, lines, model }, root) {
  const total = model?.total ?? 0
  const findingLines = findings.map(
    ({ words, amount }) => `- ${markdown(words, root)}${amount ? ` (**${withSign(amount)}**)` : ""}`,
  )
  const steps = bridge?.steps.length
    ? [
        row([bridge.heading ?? TO_PUT_IT_RIGHT, "change", "formula"]),
        row(["---", "--:", "---"]),
        row([markdown([bridge.startLabel], root), whole(bridge.start), ""]),
        ...bridge.steps.map(({ label, value, formula }) =>
          row([markdown(label, root), withSign(value), formula && asMarkdownCode(formula)]),
        ),
        row([markdown([bridge.endLabel], root), whole(bridge.end), ""]),
      ]
    : []
  const isByClass = kind === "config" || kind === "name"
  const rows = lines.filter(isInformative).map((line) => {
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
  const blocks = [[markdown(headline, root)], findingLines, steps, rows.length ? [...table, ...rows] : []]
  return `${blocks.flatMap((block) => (block.length ? [block.join("\n")] : [])).join("\n\n")}\n`
}

// --- The whole account ----------------------------------------------------------------

/** The button and the link below an account.
 * @param {Account} account @param {string} address  the address of the answer; "" if it has none */
function controls(account, address) {
  const status = element("span", { role: "status" })
  const copyButton = element("button", { type: "button", class: "bc-button" }, "Copy as Markdown")
  copyButton.addEventListener("click", () =>
    navigator.clipboard.writeText(asMarkdown(account, new URL(ROOT, location.href).href)).then(
      () => (status.textContent = "Copied"),
      () => (status.textContent = "Your browser does not allow copying"),
    ),
  )
  // Browsers offer the clipboard only in secure contexts.
  const buttons = navigator.clipboard ? [copyButton, status] : []
  const links = address ? [element("a", { href: address }, "Link to this answer")] : []
  return buttons.length || links.length ? [element("div", { class: "bc-controls" }, ...buttons, ...links)] : []
}

/** An account as elements: the first sentences, and everything below them.
 * @param {Account} account @param {string} address  the address of the answer; "" if it has none */
export function accountElements(account, address) {
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
