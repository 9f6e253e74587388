// Lines with labels

/** @param {string} text @returns {Account | null} */
export const accountOfLabels = (text) => (text ? null : null)
