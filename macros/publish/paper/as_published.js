// Makes the links of a sheet lead to the published site. If its address is unknown, they stop being links.
() => {
  const published = document.querySelector("link[rel=canonical]")?.href ?? document.baseURI
  for (const link of document.querySelectorAll("a[href]")) {
    const { protocol, href } = new URL(link.getAttribute("href"), published)
    if (protocol === "file:") link.removeAttribute("href")
    else link.setAttribute("href", href)
  }
}
