// The account of code that counts parameters: of the plain sum that it works out (sum.js), as if the reader had written
// that down. Code that is not read gets an account that says so, because single lines of it would be misread.

import { accountOfConfig } from "../configs/account.js"
import { accountOfSum } from "../sums/account.js"
import { accountInSentences, words } from "../words.js"
import { isUnreadProgram, sumOfProgram } from "./sum.js"

/** The account of code that works out a sum, or else the sizes of a config; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfProgram(text) {
  const sum = sumOfProgram(text)
  return sum === null ? null : (accountOfSum(sum) ?? accountOfConfig(sum))
}

/** The account of code that is not read; null for any other text. @param {string} text @returns {Account | null} */
export const accountOfUnreadProgram = (text) =>
  isUnreadProgram(text)
    ? accountInSentences(words`We do not run code, and cannot read the number that this code works out.`, [
        words`Paste what it prints, or the sum with its numbers.`,
      ])
    : null
