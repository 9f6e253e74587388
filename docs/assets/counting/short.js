// Shortens texts from readers and addresses, so that a message that quotes them stays
// readable.

const MOST = 6 // the most texts that a message quotes

/** A text, cut with three dots if it has more characters than the limit. @param {string} text @param {number} limit */
export const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)

/** The first few of some texts without repetitions, followed by the number of the others. @param {string[]} texts */
export function few(texts) {
  const different = [...new Set(texts)]
  const more = different.length - MOST
  return more > 1 ? [...different.slice(0, MOST), `${more.toLocaleString("en")} more`] : different
}
