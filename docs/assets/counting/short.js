// What readers and addresses say, as messages repeat it: short, whatever its length.

const MOST = 6 // things that are named one by one

/** A text of so many characters at most, cut where it is longer. @param {string} text @param {number} limit */
export const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)

/** The first few of some texts, each of them once, and how many there are besides. @param {string[]} texts */
export function few(texts) {
  const different = [...new Set(texts)]
  const more = different.length - MOST
  return more > 1 ? [...different.slice(0, MOST), `${more.toLocaleString("en")} more`] : different
}
