// Puts the address of this site into texts to paste. A build that is not given the address
// writes a placeholder for it, which a sentence asks the reader to replace. The browser knows
// where the page comes from, so here the placeholder becomes that address, and the sentences
// are removed. A page that was opened as a file keeps both.

const article = /** @type {HTMLElement} */ (document.querySelector("article"))
const logo = /** @type {HTMLAnchorElement} */ (document.querySelector(".md-header .md-logo"))
const site = new URL(".", logo.href).href

const placeholder = article.querySelector(".bc-nowhere code")?.textContent

if (placeholder && site.startsWith("http")) {
  for (const sentence of article.querySelectorAll(".bc-nowhere")) sentence.remove()
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode)
    if (text.data.includes(placeholder)) text.data = text.data.replaceAll(placeholder, site)
  }
}
