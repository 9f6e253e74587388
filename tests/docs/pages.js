(() => {
  // Where the lines end on which some of a text stands.
  const lines = (node, start, end) => {
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, end)
    return [...range.getClientRects()].map(({ bottom }) => bottom)
  }

  // The texts within an element.
  const texts = (within) => {
    const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
    return [...(function* () { while (walk.nextNode()) yield walk.currentNode })()].filter(({ data }) => data.trim())
  }

  return {
    // Show every level of the map, of which a reader with scripts sees one; a test of the map walks to them.
    allLevels: () => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(".bc-level { display: grid !important }")
      document.adoptedStyleSheets.push(sheet)
    },

    // Words of letters alone that go on in another line; the id of a commit may.
    brokenWords: () => {
      return [...document.querySelectorAll("article :is(td, th, samp)")].flatMap(texts).flatMap(node =>
        [...node.data.matchAll(/[\p{L}\p{N}]+/gu)]
          .filter(({ 0: word }) => !/\p{N}/u.test(word))
          .filter(({ 0: word, index }) => new Set(lines(node, index, index + word.length).map(Math.round)).size > 1)
          .map(([word]) => `${word} in ${node.data}`))
    },

    // Rows in whose cells the first lines end at other heights than fonts of other sizes account for.
    unevenRows: () => {
      const first = cell => texts(cell).filter(node => !node.parentElement.closest("math")).slice(0, 1)
      return [...document.querySelectorAll("article tbody tr")].flatMap(row => {
        const ends = [...row.cells].flatMap(first).flatMap(node => lines(node, 0, node.length).slice(0, 1))
        return Math.max(...ends) - Math.min(...ends) > 5 ? [row.innerText] : []
      })
    },
  }
})()
