// Rounds numbers. It imports nothing, so that a page that counts no model can use it
// without fetching the exported table.

/** A number rounded up to a multiple of another. @param {number} number @param {number} step */
export const roundedUp = (number, step) => Math.ceil(number / step) * step
