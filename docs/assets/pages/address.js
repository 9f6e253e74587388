// Puts the address of this site into texts to paste. If the build is not given the address,
// it writes a placeholder, and a sentence that asks the reader to replace it. The browser
// knows the address of the page, so this script fills in the placeholder and removes the
// sentence. On a page that was opened as a file, both remain.

const article = /** @type {HTMLElement} */ (document.querySelector("article"))
const logo = /** @type {HTMLAnchorElement} */ (document.querySelector(".md-header .md-logo"))
const site = new URL(".", logo.href).href

const placeholder = article.querySelector(".bc-nowhere code")?.textContent

if (placeholder && site.startsWith("http")) {
  for (const sentence of article.querySelectorAll(".bc-nowhere")) sentence.remove()
  const textNodes = document.createTreeWalker(article, NodeFilter.SHOW_TEXT)
  while (textNodes.nextNode()) {
    const text = /** @type {Text} */ (textNodes.currentNode)
    if (text.data.includes(placeholder)) text.data = text.data.replaceAll(placeholder, site)
  }
}
