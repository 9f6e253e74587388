// Puts messages into the form in which readers see them: as sentences, in which texts from
// readers and from addresses are cut.

const MAX_QUOTED = 6 // the most texts that a message quotes

/** A text, cut at the limit and ended with three dots if it is longer.
 * @param {string} text @param {number} limit  in characters */
export const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)

/** The first few of the texts, without duplicates, followed by the number of further texts. @param {string[]} texts */
export function few(texts) {
  const different = [...new Set(texts)]
  const hiddenCount = different.length - MAX_QUOTED
  // "1 more" would be no shorter than the text itself.
  return hiddenCount > 1 ? [...different.slice(0, MAX_QUOTED), `${hiddenCount.toLocaleString("en")} more`] : different
}

/** A message as a sentence; empty if there is none. @param {string} text */
export const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`
