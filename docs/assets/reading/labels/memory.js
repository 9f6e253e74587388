// The units of bytes, and the bytes of a number in each data type.

/** The name of a unit of bytes, by its size. @type {Record<number, string>} */
export const UNIT_NAMES = { 1000: "kB", 1024: "KiB", 1e6: "MB", 1048576: "MiB", 1e9: "GB", 1073741824: "GiB" }

/** The binary unit that tools often call by the name of a decimal unit, by the size of the latter.
 * @type {Record<number, number>} */
export const BINARY_UNITS = { 1e3: 2 ** 10, 1e6: 2 ** 20, 1e9: 2 ** 30 }

/** The bytes of one number, by data type. @type {Record<string, number>} */
export const BYTES_PER_NUMBER = { float32: 4, float16: 2, bfloat16: 2, int8: 1, int4: 0.5 }
