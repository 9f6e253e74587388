// The fold in which a reader tries a sentence. The vocabulary and the script that cuts the
// sentence into tokens are fetched when it is opened.

const fold = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.bc-sentence"))
fold?.addEventListener(
  "toggle",
  async () => {
    const { start } = await import("../trying/sentence.js")
    start(fold)
  },
  { once: true },
)
