// Explains code that counts parameters as if the reader had written down the plain sum that the
// code works out (sum.js). Code that cannot be read as a sum gets an account that says so, because
// its single lines would be misread.

import { accountOfConfig } from "../configs/account.js"
import { accountOfSum } from "../sums/account.js"
import { accountInSentences, code, finding, words } from "../words.js"
import { isUnreadProgram, sumOfProgram } from "./sum.js"

/** The account of code that works out a sum, or else the sizes of a config; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfProgram(text) {
  const program = sumOfProgram(text)
  const account = program && (accountOfSum(program.sum) ?? accountOfConfig(program.sum))
  if (!account || !program.repeatedCall) return account
  const onFirstCall = words`Your code calls ${code(program.repeatedCall)} more than once; this is about the first call.`
  return { ...account, findings: [...account.findings, finding(LEAST_WEIGHT, onFirstCall)] }
}

const LEAST_WEIGHT = 0.1 // the weight of a finding that is not a correction

/** The account of code that is not read; null for any other text. @param {string} text @returns {Account | null} */
export const accountOfUnreadProgram = (text) =>
  isUnreadProgram(text)
    ? accountInSentences(words`We do not run code, and we cannot work out this code's result from its text.`, [
        words`Paste what it prints, or write the sum with numbers.`,
      ])
    : null
