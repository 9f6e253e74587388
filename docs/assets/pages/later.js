"use strict"
// Fetches the scripts that a page alone needs once the page is there, in the
// order they build on each other, so that reading never waits for them. Their
// addresses are in the `data-scripts` of the element that loads this script.
{
  const loader = /** @type {HTMLScriptElement} */ (document.currentScript)
  const sources = loader.dataset.scripts?.split(" ") ?? []
  function fetchAll() {
    for (const source of sources) {
      const script = document.createElement("script")
      script.async = false
      script.src = source
      document.body.append(script)
    }
  }
  // An address that asks something is waiting for its answer.
  if (location.search) fetchAll()
  else addEventListener("load", fetchAll)
}
