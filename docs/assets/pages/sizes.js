// The folds in which a reader tries other sizes for a part. The script that fills them is
// fetched when one of them is opened.

for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.bc-resized"))) {
  fold.addEventListener(
    "toggle",
    async () => {
      const { start } = await import("../trying/sizes.js")
      start(fold)
    },
    { once: true },
  )
}
