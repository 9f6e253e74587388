// Fetches the script of a `<details>` element when a reader first opens it, so that a page
// loads nothing that its reader does not use.

/** Starts the script of a `<details>` element when the element is first opened.
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
