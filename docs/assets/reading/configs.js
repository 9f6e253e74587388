// Configs and names

/** @param {string} text @returns {Account | null} */
export const accountOfConfig = (text) => (text ? null : null)
