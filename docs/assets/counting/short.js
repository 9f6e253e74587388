// Formats messages for readers: turns them into sentences, and shortens the texts from
// readers and from addresses that they quote.

const MAX_QUOTED = 6 // the most texts that a message quotes

/** The text, cut and ended with three dots if it is longer than the limit.
 * @param {string} text @param {number} limit  in characters */
export const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)

/** The first few of the texts, without duplicates, followed by the number of the remaining ones.
 * @param {string[]} texts */
export function firstFew(texts) {
  const uniqueTexts = [...new Set(texts)]
  const hiddenCount = uniqueTexts.length - MAX_QUOTED
  // "1 more" would be no shorter than the text itself.
  return hiddenCount > 1
    ? [...uniqueTexts.slice(0, MAX_QUOTED), `${hiddenCount.toLocaleString("en")} more`]
    : uniqueTexts
}

/** A message as a sentence; empty if there is none. @param {string} text */
export const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`
