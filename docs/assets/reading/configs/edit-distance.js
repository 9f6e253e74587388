// Compares names and keys that may be misspelt.

/** The optimal string alignment distance of two strings: the smallest number of insertions, deletions, replacements and
 * swaps of adjacent characters that turn one into the other. If their lengths differ by more than `limit`, it is
 * `limit + 1`.
 * @param {string} one @param {string} other @param {number} limit */
export function distance(one, other, limit) {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  /** @type {number[]} */
  let previousRow = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j], previousRow[j - 2] + 1)
    }
    previousRow = row
    row = next
  }
  return row[other.length]
}
