"use strict"
// Fetches the scripts that a page alone needs once the page is there, in the
// order they build on each other, so that reading never waits for them.
{
  const { scripts } = document.currentScript.dataset
  addEventListener("load", () => {
    for (const source of scripts.split(" ")) {
      const script = document.createElement("script")
      script.async = false
      script.src = source
      document.body.append(script)
    }
  })
}
