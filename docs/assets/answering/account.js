// The account of a text: what it is and whether it is right, what the reader should know
// about it, the way from the reader's total to the right one, and the reader's own lines,
// each beside the part that it is. `reading/` finds all of this; here it becomes elements
// or, for the clipboard, Markdown. The reader's lines only ever become text, never HTML.

import { percentage } from "../calculator/live.js"
import { noun, whole } from "../counting/engine.js"
import { cut } from "../counting/short.js"
import { markdown, plainly } from "../reading/words.js"
import { code, element, link, number, ROOT, signed, tableOf } from "./elements.js"
import { waterfall } from "./waterfall.js"

const MOST_ROWS = 300 // rows of the table that are shown at first
const MOST_BARS = 12 // steps of a bridge that are drawn
const SCROLLS = 40 // rows from which on the table scrolls by itself
const FOLDED = 3 // lines in a row that were not read, from which on they are folded
const FILTERED = 12 // rows from which on those that are right can be hidden
const LONGEST = 400 // characters of a line that are shown

/** Verdicts, each with a mark that tells it apart without a colour, in the order in which they are counted.
 * @type {Record<LineVerdict, [mark: string, words: string]>} */
const VERDICTS = {
  right: ["✓", "right"],
  wrong: ["✗", "wrong"],
  "counted twice": ["2×", "counted twice"],
  "not a parameter": ["–", "not a parameter"],
  added: ["+", "added to the model"],
  subtotal: ["Σ", "subtotal"],
  rounded: ["≈", "rounded"],
  unknown: ["?", "not a part we know"],
  "not read": ["·", "not read"],
}

/** Pieces of a sentence as content. @param {Words} words @returns {Content[]} */
const contentOf = (words) =>
  words.map((piece) => {
    if (typeof piece === "string") return piece
    if ("number" in piece) return number(piece.number)
    return "code" in piece ? code(piece.code) : link(piece.page, piece.text)
  })

// --- Around the lines -----------------------------------------------------------

/** @param {Finding[]} findings */
function findingsList(findings) {
  const items = findings.map(({ words, amount }) => {
    const effect = amount ? [element("span", { class: "bc-amount" }, signed(amount))] : []
    return element("li", {}, element("span", {}, contentOf(words)), ...effect)
  })
  return items.length ? [element("ul", { class: "bc-findings" }, items)] : []
}

/** The way from the reader's total to the right one, as a figure and as a table.
 * @param {AccountBridge | null} bridge */
function bridgeShown(bridge) {
  if (!bridge?.steps.length) return []
  const { start, startLabel, steps, end, endLabel } = bridge
  const bars = steps.map(({ label, value }) => ({ label: plainly(label), value }))
  const figure = steps.length > MOST_BARS ? [] : [waterfall(start, bars, [startLabel, endLabel])]
  const inTable = tableOf(
    "bridge",
    `From ${whole(start)} to ${whole(end)}, step by step`,
    { "to put it right": "text", change: "num", formula: "prose" },
    [
      [startLabel, whole(start), ""],
      ...steps.map(({ label, value, formula }) => [contentOf(label), signed(value), formula && code(formula)]),
    ],
    [endLabel, whole(end), ""],
  )
  return [...figure, inTable]
}

// --- The reader's lines -----------------------------------------------------------

/** A line as it is shown: half of its indentation, and no wide gaps between columns.
 * @param {string} source */
function shown(source) {
  const [, indent, text] = /** @type {RegExpExecArray} */ (/^(\s*)(.*)$/s.exec(source))
  const depth = Math.min(12, Math.ceil(indent.replace(/\t/g, "    ").length / 2))
  return " ".repeat(depth) + cut(text.replace(/\s{3,}/g, "  "), LONGEST)
}

/** Some of the reader's lines as code. @param {AccountLine[]} lines */
const asCode = (lines) =>
  Object.assign(element("code", { class: "bc-line" }), {
    textContent: lines.map(({ source }) => shown(source)).join("\n"),
  })

/** Whether a line says anything, and is not only a rule between others. @param {AccountLine} line */
const saysAnything = ({ source, verdict }) => verdict !== "not read" || /[\p{L}\p{N}]/u.test(source)

/** Lines of a kind that stand one after the other, if none of them was read; any other line by itself.
 * @param {AccountLine[]} lines */
function groupsOf(lines) {
  /** @type {AccountLine[][]} */
  const groups = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && line.verdict === "not read" && last[0].verdict === "not read") last.push(line)
    else groups.push([line])
  }
  return groups.flatMap((group) => (group.length < FOLDED ? group.map((line) => [line]) : [group]))
}

/** The share of a line in the model; "" if there is none.
 * @param {AccountLine} line @param {number} total */
function shareOf({ right, times, verdict }, total) {
  const number = (right ?? 0) * times
  return number && number <= total && !["added", "not a parameter"].includes(verdict) ? percentage(number / total) : ""
}

/** By how much a line is wrong, in words; "" if that is not known. @param {AccountLine} line */
function differenceOf({ verdict, stated, right }) {
  if (verdict !== "wrong" || stated === null || right === null || stated === right) return ""
  return `${whole(stated)} is ${whole(Math.abs(stated - right))} too ${stated > right ? "many" : "few"}`
}

/** @param {string} text */
const note = (text) => (text ? [element("span", { class: "bc-what" }, text)] : [])

/** The cells of a line. @param {AccountLine} line @param {number} total @returns {(Content | Content[])[]} */
function cellsOf(line, total) {
  const { part, right, times, verdict } = line
  const [mark, words] = VERDICTS[verdict]
  const isMany = times > 1
  return [
    [asCode([line]), ...note(isMany ? `× ${whole(times)} layers` : "")],
    contentOf(part),
    right === null ? "" : [whole(right), ...note(isMany ? `${whole(right * times)} in all` : "")],
    shareOf(line, total),
    [
      element("span", { class: "bc-line-verdict" }, element("span", { "aria-hidden": "true" }, mark), ` ${words}`),
      ...note(differenceOf(line)),
    ],
  ]
}

/** The cells of lines that were not read, folded. @param {AccountLine[]} lines */
function unreadCells(lines) {
  const summary = element("summary", {}, `${whole(lines.length)} lines that were not read`)
  return [element("details", { class: "bc-unread" }, summary, asCode(lines)), "", "", "", ""]
}

/** How many lines have each verdict, in words. @param {AccountLine[]} lines */
function tally(lines) {
  const numbers = /** @type {LineVerdict[]} */ (Object.keys(VERDICTS)).flatMap((verdict) => {
    const times = lines.filter((line) => line.verdict === verdict).map((line) => line.times)
    const sum = times.reduce((all, one) => all + one, 0)
    return sum ? [`${whole(sum)} ${VERDICTS[verdict][1]}`] : []
  })
  return numbers.join(", ")
}

/** The reader's lines, each beside what it is.
 * @param {Account} account @returns {HTMLElement[]} */
function linesShown({ lines: sources, model }) {
  const lines = sources.filter(saysAnything)
  if (!lines.length) return []
  const total = model?.total ?? 0
  const place = element("div", { class: "bc-your-lines" })
  const only = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", id: "lines-filter" }))
  const button = element("button", { type: "button", class: "bc-button" })

  /** @param {number} most */
  function show(most) {
    const groups = groupsOf(only.checked ? lines.filter(({ verdict }) => verdict !== "right") : lines)
    const some = groups.slice(0, most)
    const table = tableOf(
      "your-lines",
      "Your lines, and what each of them is",
      { "your line": "prose", "what it is": "prose", "right number": "num", share: "num", verdict: "word" },
      some.map((group) => (group.length > 1 ? unreadCells(group) : cellsOf(group[0], total))),
    )
    const rows = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("tbody tr"))
    for (const [index, row] of rows.entries()) row.dataset.verdict = some[index][0].verdict
    table.classList.toggle("bc-high", some.length > SCROLLS)
    button.textContent = `Show all ${whole(groups.length)} rows`
    place.replaceChildren(table, ...(some.length < groups.length ? [button] : []))
  }
  const showAll = () => show(Number.POSITIVE_INFINITY)
  only.addEventListener("change", () => show(MOST_ROWS))
  button.addEventListener("click", () => {
    showAll()
    place.querySelector("table")?.parentElement?.focus()
  })
  addEventListener("beforeprint", () => place.isConnected && button.isConnected && showAll())
  show(MOST_ROWS)

  const right = lines.filter(({ verdict }) => verdict === "right").length
  const label = element("label", { for: only.id }, "Hide the lines that are right")
  const hasFilter = lines.length > FILTERED && right && right < lines.length
  const filter = hasFilter ? [element("p", { class: "bc-switch bc-on-screen" }, only, label)] : []
  const all = lines.reduce((sum, { times }) => sum + times, 0)
  const summary = element("p", {}, `Of your ${whole(all)} ${noun(all, "line")}: ${tally(lines)}.`)
  return [summary, ...filter, place]
}

// --- Markdown -----------------------------------------------------------------------

/** @param {string[]} cells */
const row = (cells) => `| ${cells.join(" | ")} |`

/** A line of a text as code within a table of Markdown. @param {string} source */
const asMarkdownCode = (source) => `\`${shown(source).trim().replaceAll("`", "'").replaceAll("|", "\\|") || " "}\``

/** The account as Markdown.
 * @param {Account} account @param {string} root  the address of the top of the site
 * @returns {string} */
export function asMarkdown({ headline, findings, bridge, lines, model }, root) {
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
  const rows = lines.filter(saysAnything).map((line) => {
    const { source, part, right, times, verdict } = line
    const what = times > 1 ? [...part, ` × ${whole(times)} layers`] : part
    const words = [VERDICTS[verdict].join(" "), differenceOf(line)].filter(Boolean).join(": ")
    const number = right === null ? "" : whole(right)
    return row([asMarkdownCode(source), markdown(what, root), number, shareOf(line, total), words])
  })
  const table = [
    row(["your line", "what it is", "right number", "share", "verdict"]),
    row(["---", "---", "--:", "--:", "---"]),
  ]
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
      () => (status.textContent = "The browser does not allow it"),
    ),
  )
  // Only a page from a secure connection has a clipboard.
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
      ...bridgeShown(account.bridge),
      ...linesShown(account),
      ...controls(account, address),
    ],
  }
}
