// The units of bytes.

/** The name of a unit of bytes, by its size. @type {Record<number, string>} */
export const UNIT_NAMES = { 1e3: "kB", [2 ** 10]: "KiB", 1e6: "MB", [2 ** 20]: "MiB", 1e9: "GB", [2 ** 30]: "GiB" }
