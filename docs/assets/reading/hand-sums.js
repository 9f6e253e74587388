// Sums by hand

/** @param {string} text @returns {Account | null} */
export const accountOfSum = (text) => (text ? null : null)
