// Formats messages for readers: turns them into sentences, and shortens the texts from
// readers and from addresses that they quote.

const MAX_QUOTED = 6 // texts that a message quotes before it counts the rest

/** The text, cut and ended with three dots if it is longer than the limit.
 * @param {string} text @param {number} limit  in characters */
export const cut = (text, limit) => ([...text].length > limit ? `${[...text].slice(0, limit - 3).join("")}...` : text)

/** The first few of the texts, without duplicates, followed by the number of the remaining ones, such as "3 more", if
 * there are several.
 * @param {string[]} texts */
export function firstFew(texts) {
  const uniqueTexts = [...new Set(texts)]
  const hiddenCount = uniqueTexts.length - MAX_QUOTED
  // A single remaining text is quoted, because "1 more" would be no shorter.
  return hiddenCount > 1
    ? [...uniqueTexts.slice(0, MAX_QUOTED), `${hiddenCount.toLocaleString("en")} more`]
    : uniqueTexts
}

/** A message as a sentence; empty if there is none. @param {string} text */
export const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`
