/* Functions with which tests compare the figures of a page with the files that readers download. */
({
  // The properties in which the files for one colour scheme differ from the figures as they are drawn on the page.
  differences: async name => {
    const HOW = ["fill", "stroke", "strokeWidth", "fontSize", "fontWeight", "textAnchor", "paintOrder", "writingMode"]
    const DRAWN = "rect, path, line, text, tspan"
    const found = []
    let compared = 0
    for (const figure of document.querySelectorAll("figure[data-file]")) {
      const text = await (await fetch(`${figure.dataset.file}-${name}.svg`)).text()
      const file = new DOMParser().parseFromString(text, "image/svg+xml").documentElement
      document.body.append(file)
      const own = [...figure.querySelector("svg").querySelectorAll(DRAWN)]
      const others = [...file.querySelector("svg").querySelectorAll(DRAWN)]
      if (own.length !== others.length) found.push(`${figure.id}, ${name}: ${others.length} pieces, not ${own.length}`)
      own.forEach((each, place) => {
        const style = getComputedStyle(each), other = getComputedStyle(others[place] ?? file)
        for (const how of HOW) {
          const [right, got] = [style[how], other[how]].map(each => each.replace("rgba(0, 0, 0, 0)", "none"))
          const where = `${figure.id}, ${name}, ${each.outerHTML.slice(0, 60)}`
          if (right !== got) found.push(`${where}: ${how} is ${got}, not ${right}`)
          compared++
        }
      })
      file.remove()
    }
    if (compared < 500) found.push(`only ${compared} values compared`)
    return found.slice(0, 20)
  },

  // The texts that lie partly outside the picture of their file.
  cutOff: async files => {
    const found = []
    for (const name of files) {
      const file = new DOMParser().parseFromString(await (await fetch(name)).text(), "image/svg+xml").documentElement
      document.body.append(file)
      const whole = file.getBoundingClientRect()
      for (const each of file.querySelectorAll("text")) {
        const { left, right, top, bottom } = each.getBoundingClientRect()
        if (left < whole.left || right > whole.right || top < whole.top || bottom > whole.bottom)
          found.push(`${name}: ${each.textContent}`)
      }
      file.remove()
    }
    return found
  },
})
