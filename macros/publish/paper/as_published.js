// Lets links lead from a sheet to the published site; where nobody said what its address is, they are none.
() => {
  const published = document.querySelector("link[rel=canonical]")?.href ?? document.baseURI
  for (const link of document.querySelectorAll("a[href]")) {
    const { protocol, href } = new URL(link.getAttribute("href"), published)
    if (protocol === "file:") link.removeAttribute("href")
    else link.setAttribute("href", href)
  }
}
