// What axe finds wrong on a page as it is shown now. What looks the same is not judged twice.
//
// Rules on colours judge two elements of each look, on whichever page: a look
// is all that decides their verdict. The other rules judge the page once in each
// shape: that is all that they read, and themes share it. `known` has what was
// found in looks and shapes so far; what is found in new ones is returned beside the faults.
// Rules that find nothing serious are not run, and the rule on the size of targets, which takes
// longest, judges only those that it may find too small.
async ([selector, tags, known]) => {
  const JUDGED = { "color-contrast": "", "link-in-text-block": ":is(a[href], [role=link])" }
  const COLOURS = Object.keys(JUDGED)
  const SERIOUS = ["serious", "critical"]
  /** The buttons in the head of the page: the only elements that are others in each theme. */
  const themes = document.querySelector("[data-md-component=palette]")
  /** What else they change in the document. */
  const OF_THEMES = / data-md-color-\w+="[^"]*"|<meta name="(theme-color|color-scheme)"[^>]*>/g
  /** Marks the elements whose colours are to be judged. */
  const FRESH = "data-fresh"
  /** Marks the targets whose size is to be judged. */
  const SMALL = "data-small"
  /** How wide and high a target has to be, in pixels. */
  const LARGE = 24
  const MARKS = new RegExp(` (${FRESH}|${SMALL})=""`, "g")

  /** What the colours of text depend on in its own element. */
  const OF_TEXT = ["color", "-webkit-text-fill-color", "text-shadow", "text-indent"]
  const SIZES = ["font-size", "font-weight"]
  /** And in all that are around it. */
  const AROUND = ["background-color", "background-image", "background-clip", "opacity", "filter", "mix-blend-mode", "position", "z-index", "clip",
    "clip-path"]
  /** Neither of which is changed by an element that leaves them so. */
  const PLAIN = "rgba(0, 0, 0, 0)|none|border-box|1|none|normal|static|auto|auto|none"
  /** What takes an element and all in it from the rule. */
  const DECIDING = ["disabled", "aria-disabled", "inert"]
  /** What else tells a link from the text around it. */
  const OF_LINKS = ["display", "font-family", "font-style", "text-decoration-line", "text-decoration-style", "text-decoration-color",
    ...["top", "right", "bottom", "left"].flatMap(side => ["width", "style", "color"].map(kind => `border-${side}-${kind}`))]
  /** What decides which part of an element can be seen and clicked. */
  const LAYOUT = ["visibility", "position", "z-index", "opacity", "overflow-x", "overflow-y", "transform", "clip", "clip-path", "pointer-events"]

  const within = document.querySelector(selector)
  const told = {}
  /** The ids of what names something disabled: axe does not judge the colours there. */
  const naming = new Set([...document.querySelectorAll("[aria-labelledby]")].filter(disabled)
    .flatMap(each => each.getAttribute("aria-labelledby").split(/\s+/)))
  const seen = new Map()
  for (const element of document.querySelectorAll("*")) seen.set(element, read(element))
  const painted = [...seen.keys()].filter(each => seen.get(each).paints && seen.get(each).visible)

  const [shape, buttons] = shapes()
  const byRule = Object.fromEntries(looks().map((found, which) => [COLOURS[which], found]))
  const present = [...new Set([shape, buttons, ...Object.values(byRule).flatMap(found => [...found.values()])])]
  for (const each of present) if (!(each in known)) told[each] = []
  await judge()
  return { faults: present.flatMap(each => told[each] ?? known[each]), told }

  /** Judge what is new: the shape, the buttons or colours, in as few runs as there can be, for each reads the whole page. */
  async function judge() {
    const fresh = new Set(Object.values(byRule).flatMap(firstAndLast))
    const small = shape in told || buttons in told ? targetsToJudge() : []
    const rules = COLOURS.map(id => ({ id, selector: `${JUDGED[id]}[${FRESH}]` }))
    // Colours count without what a style sheet adds to an element, too: otherwise axe leaves it open whether they are enough.
    const options = { ...axe._audit.checks["color-contrast"].options, ignorePseudo: true }
    axe.configure({ rules: [...rules, { id: "target-size", selector: `[${SMALL}]` }], checks: [{ id: "color-contrast", options }] })
    fresh.forEach(each => each.setAttribute(FRESH, ""))
    small.forEach(each => each.setAttribute(SMALL, ""))
    if (shape in told || fresh.size) await run(within, shape in told ? seriousRules() : COLOURS, shape)
    fresh.forEach(each => each.removeAttribute(FRESH))
    if (buttons in told && !(shape in told) && within.contains(themes)) await run(themes, seriousRules(), buttons)
    small.forEach(each => each.removeAttribute(SMALL))
  }

  /** The rules of these tags whose faults are serious or critical; the impact of a rule is that of whatever it finds. */
  function seriousRules() {
    const { rules } = axe._audit // what axe.getRules tells of a rule leaves its impact out
    return rules.filter(rule => SERIOUS.includes(rule.impact) && !rule.tags.includes("experimental")
      && rule.tags.some(tag => tags.includes(tag))).map(rule => rule.id)
  }

  /** Targets that are small, or that another one may cover in part, unless it is around them. */
  function targetsToJudge() {
    const targets = [...seen.keys()].filter(each => each.tabIndex >= 0 && seen.get(each).shown)
    const boxes = targets.map(each => seen.get(each).box)
    return targets.filter((each, place) => boxes[place].width < LARGE || boxes[place].height < LARGE
      || targets.some((other, where) => other !== each && overlap(boxes[place], boxes[where]) && !other.contains(each)))
  }

  /** Note what axe finds serious or critical, at the look that it is found in. */
  async function run(context, values, otherwise) {
    const { violations } = await axe.run(context, { resultTypes: ["violations"], elementRef: true, runOnly: { type: "rule", values } })
    for (const { id, impact, nodes } of violations) {
      if (!SERIOUS.includes(impact)) continue
      for (const { element, html } of nodes) {
        const found = byRule[id]?.get(element) ?? otherwise
        told[found] = [...told[found] ?? [], `${id}: ${html.replaceAll(MARKS, "").slice(0, 200)}`]
      }
    }
  }

  /** What is the same for all rules: the box of an element, its styles and those around it. */
  function read(element) {
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    const above = seen.get(element.parentElement)
    const shown = element.checkVisibility()
    const named = naming.has(element.id) && element.id
    const around = shown ? values(style, AROUND) : PLAIN // without a box it paints nothing behind what is in it
    const own = [...DECIDING.map(name => element.getAttribute(name) ?? ""), named || ""].join("|")
    const clear = Boolean(above?.clear) || style.opacity === "0"
    const cuts = shown && (style.overflowX !== "visible" || style.overflowY !== "visible")
    return {
      box, shown, clear,
      /** Whether axe may see it: what is not displayed, hidden or transparent has no colours that it judges, nor does it cover anything. */
      visible: shown && !clear && style.visibility === "visible",
      chain: around === PLAIN && own === "|||" ? above?.chain : hash([above?.chain, own, around].join("|")),
      cut: cuts ? [...above?.cut ?? [], box] : above?.cut ?? [],
      layout: shown ? [box.x, box.y, box.width, box.height, values(style, LAYOUT)].join() : "",
      paints: shown && (element.matches("img, svg, canvas, video, object, iframe") || style.backgroundImage !== "none"
        || !/^rgba\(.*, 0\)$/.test(style.backgroundColor)),
    }
  }

  function values(style, properties) {
    return properties.map(property => style.getPropertyValue(property)).join("|")
  }

  /** A text as a short one (cyrb53); two texts of a site that get the same one are not to be expected. */
  function hash(text) {
    let one = 0xdeadbeef, other = 0x41c6ce57
    for (let place = 0; place < text.length; place++) {
      const code = text.charCodeAt(place)
      one = Math.imul(one ^ code, 2654435761)
      other = Math.imul(other ^ code, 1597334677)
    }
    one = Math.imul(one ^ one >>> 16, 2246822507) ^ Math.imul(other ^ other >>> 13, 3266489909)
    other = Math.imul(other ^ other >>> 16, 2246822507) ^ Math.imul(one ^ one >>> 13, 3266489909)
    return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36)
  }

  /** The page without what themes change on purpose; and the buttons that change it, with what lies around them. */
  function shapes() {
    const html = document.documentElement.outerHTML.replace(themes?.outerHTML ?? "", "").replace(OF_THEMES, "")
    const drawn = [...seen.keys()].filter(each => !document.head.contains(each) && !themes?.contains(each))
    const layout = drawn.map(each => seen.get(each).layout)
    const around = [...themes?.parentElement.children ?? [], ...themes?.querySelectorAll("*") ?? []]
    return [
      hash([selector, html, ...layout].join("\n")),
      hash(["themes", within.contains(themes), themes?.outerHTML, ...around.map(each => seen.get(each).layout)].join("\n")),
    ]
  }

  /** Every look there is, and for each rule on colours the look of each element that it may judge. */
  function looks() {
    const texts = new Map(), links = new Map()
    for (const element of [within, ...within.querySelectorAll("*")]) {
      if (!seen.get(element).visible) continue
      if (hasText(element)) texts.set(element, hash(`text|${look(element)}`))
      if (element.matches(JUDGED["link-in-text-block"]) && !isBox(element)) links.set(element, hash(`link|${look(element)}|${lookOfLink(element)}`))
    }
    return [texts, links]
  }

  /** Of each look that is new, the first element and the last. */
  function firstAndLast(looks) {
    const first = new Map(), last = new Map()
    for (const [element, found] of looks) {
      if (found in known) continue
      if (!first.has(found)) first.set(found, element)
      last.set(found, element)
    }
    return [...first.values(), ...last.values()]
  }

  function disabled(element) {
    return element.closest(":disabled, [aria-disabled=true], [inert]") !== null
  }

  function textIn(element) {
    return [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data).join("").trim()
  }

  function hasText(element) {
    return element.matches("input, select, textarea") || textIn(element) !== ""
  }

  function look(element) {
    const { box, chain, cut } = seen.get(element)
    const text = textIn(element)
    // Axe does not judge single letters, nor signs alone, which may be pictures; but all controls.
    const kind = element.matches("input, select, textarea") ? element.tagName + element.type : text.length < 2 ? "letter" : /[a-z0-9]/i.test(text) ? "" : text
    const whole = cut.every(other => box.left >= other.left && box.right <= other.right && box.top >= other.top && box.bottom <= other.bottom)
    const part = cut.every(other => overlap(box, other))
    const off = box.right <= 0 || box.bottom + scrollY <= 0 || box.left >= document.documentElement.scrollWidth
    // What shares its place with the element without being around it may lie beneath it, or above.
    const strangers = painted.filter(each => overlap(box, seen.get(each).box) && !each.contains(element) && !element.contains(each))
    const style = getComputedStyle(element)
    const size = style.textShadow === "none" ? isLarge(style) : values(style, SIZES) // shadows are measured by the size of letters
    const unusable = element.closest("label")?.control?.disabled
    return [chain, values(style, OF_TEXT), size, whole, part, off, box.width > 0 && box.height > 0, kind, unusable, strangers.map(each => seen.get(each).chain)].join("|")
  }

  /** Whether letters are so large, or so bold and large, that axe asks for less contrast; of none, where there are none to see. */
  function isLarge(style) {
    const { boldValue, boldTextPt, largeTextPt } = axe._audit.checks["color-contrast"].options
    const points = Math.ceil(parseFloat(style.fontSize) * 72) / 96
    return points && points >= (parseFloat(style.fontWeight) >= boldValue ? boldTextPt : largeTextPt)
  }

  /** The styles of a link and of the block that it is in, and whether axe takes it for one within text. */
  function lookOfLink(link) {
    let block = link.parentElement
    while (block.parentElement && !isBlock(block)) block = block.parentElement
    const apart = [...block.querySelectorAll("*")].filter(each => each.matches(":is(br, hr, [style])") || isBlock(each))
    const parts = apart.map(each => `${each.tagName}${each.getAttribute("style")}${each.compareDocumentPosition(link)}${each.textContent}`)
    return [values(getComputedStyle(link), [...SIZES, ...OF_LINKS]), values(getComputedStyle(block), [...OF_TEXT, ...SIZES, ...OF_LINKS]),
      hasMoreTextThanLinks(block), ...parts].join("|")
  }

  function isBlock(element) {
    return !getComputedStyle(element).display.startsWith("inline")
  }

  /** Whether an element is no part of a line of text, or a box within one: axe takes it for no link in text then. */
  function isBox(element) {
    return /^(block|list-item|table|flex|grid|inline-)/.test(getComputedStyle(element).display)
  }

  function hasMoreTextThanLinks(block) {
    let linked = "", rest = ""
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      if (block.contains(texts.currentNode.parentElement.closest("a, button, input, select, textarea, [role=link]"))) linked += texts.currentNode.data
      else rest += texts.currentNode.data
    }
    return collapsed(rest).length > collapsed(linked).length
  }

  function collapsed(text) {
    return text.replace(/\s+/g, " ").trim()
  }

  function overlap(one, other) {
    return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
  }
}
