// Addresses as text.

/** An address without its escapes; one that is broken as it is. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
