// Answers questions about settings that do not affect the number of parameters: the number of
// heads, the length of the texts, the batch size and dropout. A sum in such a question may be
// right in itself, so it must not be judged.

import { classesOf, models } from "../counting/engine.js"
import { titleOf } from "./labels/meanings.js"
import { nameOfModel } from "./labels/mentions.js"
import { classAndTotal } from "./labels/totals.js"
import { accountInSentences, code, words } from "./words.js"

const MAX_LENGTH = 400 // characters of a question
const ASKING = /\?|\bhow\s(?:many|much)\b|\bwhat\b|^\s*do(?:es)?\b/i

/** Words for parameters, and words that compare two sizes or ask whether one matters. */
const PARAMETERS = /\b(?:param(?:eter)?s?|weights)\b/i
const CHANGE =
  /\b(?:instead\sof|from\s[0-9]+\sto\s[0-9]+|chang\w*|increas\w*|reduc\w*|doubl\w*|halv\w*|longer|shorter|affects?|adds?|depends?|matters?|influences?|(?:more|fewer|less|any|have)\s(?:attention\s|trainable\s)?(?:heads|param\w*|weights))\b/i
/** Words for other changes, which do change the number of parameters. */
const OTHER_CHANGE =
  /\b(?:prun\w*|remov\w*|drop\w*\s(?:heads?|layers?)|head_mask|hidden_size|hidden\ssize|layers\sinstead|position_embeddings|positions?|vocab\w*|lora|adapters?)\b/i

/** A setting without an effect: its pattern, its name, the letter of a size with which it does have one if a tensor has
 * this letter, and the reason why it has none in a model with these sizes.
 * @type {{ pattern: RegExp, name: string, letter: string, reason: (sizes: Sizes) => Words | null }[]} */
const SETTINGS = [
  {
    pattern: /\bnum_(?:attention_)?heads\b|\battention\sheads\b|\bnumber\sof\sheads\b|\b[0-9]+\sheads\b/i,
    name: "The number of heads",
    letter: "A", // some models have a bias per head
    reason: ({ H }) =>
      words`the heads divide the ${H} columns of the same matrices among them, so more heads are narrower ones`,
  },
  {
    pattern:
      /\bmax[_\s]?(?:seq(?:uence)?[_\s]?)?len(?:gth)?\b|\b(?:max(?:imum)?\s)?(?:seq(?:uence)?|text|input)[_\s]len(?:gth)?\b/i,
    name: "The length of the texts",
    letter: "",
    reason: ({ P }) => (P ? words`the position table keeps its ${P} rows, whether the texts use them or not` : null),
  },
  {
    pattern: /\bbatch(?:[_\s]size)?\b/i,
    name: "The batch size",
    letter: "",
    reason: () => words`all texts of a batch use the same parameters`,
  },
  {
    pattern: /\bdropout\b/i,
    name: "Dropout",
    letter: "",
    reason: () => words`it sets activations to zero at random, and has no parameters of its own`,
  },
]

/** The account of a question about a setting that does not affect the number of parameters; null for any other text.
 * @param {string} text @returns {Account | null} */
export function accountOfNoEffect(text) {
  if (text.length > MAX_LENGTH || !ASKING.test(text) || !PARAMETERS.test(text)) return null
  if (!CHANGE.test(text) || OTHER_CHANGE.test(text)) return null
  const namedSettings = SETTINGS.filter(({ pattern }) => pattern.test(text))
  if (namedSettings.length !== 1) return null
  const [{ name: setting, letter, reason }] = namedSettings
  const name = nameOfModel(text)
  if (!name) return null
  const { sizes, architecture } = models.get(name)
  const reasonInModel = reason(sizes)
  if (!reasonInModel || classesOf(architecture)[0].rows.some(({ dimensions }) => dimensions.includes(letter)))
    return null
  const { modelClass, total } = classAndTotal(name)
  return accountInSentences(
    words`${setting} does not affect the number of parameters: ${reasonInModel}. ${titleOf(name)} has ${total} as ${code(modelClass)} in any case.`,
    [],
    { kind: "labels", model: { name, modelClass, total } },
  )
}
