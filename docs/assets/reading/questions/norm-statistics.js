// Answers whether LayerNorm learns a mean and a variance for each feature. It learns a scale and a shift; the
// mean and the variance are computed from the vector of each token, so they are not parameters.

import { models } from "../../counting/engine.js"
import { titleOf } from "../labels/meanings.js"
import { numberOfPart, SHIFTS } from "../labels/named-parts.js"
import { link, words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

const NORM = /\blayer[\s-]?norm\w*|\blayer normali[sz]ation\b/i
const STATISTICS = /\bmeans?\sand\b|\band\s(?:an?\s|the\s)?mean\b|\bvariances?\b|\bstandard deviations?\b/i
const LEARNING = /\bparam\w*|\blearn\w*|\btrain\w*|\bstor(?:e|es|ed|ing)\b/i

/** The LayerNorm of the embeddings, as a stand-in for all: its width is that of the vectors that it normalises. */
const PATH = "bert/embeddings/LayerNorm"

/** Architectures whose LayerNorm computes no mean and no variance. */
const WITHOUT_STATISTICS = ["mobilebert"]

/** The account of a text about the mean and the variance of LayerNorm; null for any other text, for one with numbers,
 * and for a model whose LayerNorms have no shift or compute neither.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfNormStatistics({ text, quantities }, name) {
  if (quantities.length || text.length > MAX_LENGTH) return null
  if (![NORM, STATISTICS, LEARNING].every((pattern) => pattern.test(text))) return null
  const [all, shifts] = ["", SHIFTS].map((tag) => numberOfPart({ path: PATH, tag }, name))
  if (!shifts || all !== 2 * shifts || WITHOUT_STATISTICS.includes(models.get(name).architecture)) return null
  return answer(
    words`${link("parts/layer-norm.html", "LayerNorm")} has two parameters per feature: a scale and a shift. The mean and the variance are not among them: they are computed from the vector of each token. The LayerNorm of the embeddings has 2 × ${shifts} = ${all} parameters in ${titleOf(name)}.`,
  )
}
