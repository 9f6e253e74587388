// Warnings

/** @param {string} text @returns {Account | null} */
export const accountOfWarning = (text) => (text ? null : null)
