// Texts of readers and addresses, cut short for messages, however long they are.

const MOST = 6 // things that a message names one by one

/** A text, cut if it is longer than so many characters. @param {string} text @param {number} limit */
export const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)

/** The first few of some texts, each once, and how many more there are. @param {string[]} texts */
export function few(texts) {
  const different = [...new Set(texts)]
  const more = different.length - MOST
  return more > 1 ? [...different.slice(0, MOST), `${more.toLocaleString("en")} more`] : different
}
