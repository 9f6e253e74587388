// Fetches what a fold needs when a reader first opens it, so that a page loads nothing that
// nobody asks for.

/** Starts the script of a fold when the fold is first opened.
 * @param {HTMLDetailsElement} fold
 * @param {() => Promise<{ start: (fold: HTMLDetailsElement) => unknown }>} load  imports the script */
export function startWhenOpened(fold, load) {
  fold.addEventListener(
    "toggle",
    async () => {
      const { start } = await load()
      start(fold)
    },
    { once: true },
  )
}
