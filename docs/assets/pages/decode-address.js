// Decodes addresses, which readers may have changed by hand.

/**
 * An address with its escapes decoded, or unchanged if they are malformed.
 * @param {string} text
 */
export function decodeAddress(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
