// Makes the accounts that answer questions. It also has the maximum length of a question, and the words that several
// kinds of questions share.

import { accountInSentences, inParagraph } from "../words.js"

/** The maximum number of characters in a question. A longer text states more than a question does. */
export const MAX_LENGTH = 200

/** Words for parameters, in English, German, French, Italian and Chinese. */
export const PARAMETERS = /\bparam\w*|\bweights\b|参数|參數/i

/** Words that ask for a number. */
export const HOW_MANY = /\bhow\s(?:many|much|big|large)\b|\bnumber of\b/i

/** The words for the numbers from one to twelve. */
export const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ")

/** An account that answers in its headline.
 * @param {Words} headline @param {Account["model"]} [model]  the model that the headline counts
 * @param {Words[]} [sentences]  shown below the headline @returns {Account} */
export const answer = (headline, model = null, sentences = []) =>
  accountInSentences(headline, sentences, { kind: "labels", model })

/** An account whose headline consists of all these sentences; null if there are none.
 * @param {Words[]} sentences @returns {Account | null} */
export const answerInSentences = (sentences) => (sentences.length ? answer(inParagraph(sentences)) : null)
