// Explains the log of fairseq, with which RoBERTa was made. Its model has no segments, whereas that of
// transformers has a table with one row for the only segment. RoBERTa has 514 positions, and BERT 512
// and two segments, so fairseq's number is also that of a BERT with RoBERTa's vocabulary.

import { models } from "../../counting/engine.js"
import { numberOfDigits } from "../../explaining/read.js"
import { modelsByUse } from "../../explaining/ways.js"
import { accountWith, code, finding, words } from "../words.js"
import { titleOf } from "./meanings.js"
import { classesIn } from "./mentions.js"
import { classAndTotal } from "./totals.js"

/** The line of fairseq's log with the parameters of the model, and with those that are trained. */
const LINE = /\bnum\. (?:shared )?model params: ([0-9][0-9,]*)(?: \(num\. trained: ([0-9][0-9,]*)\))?/

/** The classes with an LM head of models that were made with fairseq, by architecture.
 * @type {Record<string, string>} */
const CLASSES = { roberta: "RobertaForMaskedLM", "xlm-roberta": "XLMRobertaForMaskedLM" }

/** The model that has exactly `number` parameters with its LM head in fairseq; undefined if there is none.
 * @param {number} number */
function modelWith(number) {
  return modelsByUse
    .filter(({ architecture }) => architecture in CLASSES)
    .map(({ name, architecture, sizes }) => ({
      name,
      segments: sizes.S * sizes.H,
      ...classAndTotal(name, CLASSES[architecture]),
    }))
    .find(({ total, segments }) => total - segments === number)
}

/** The account of fairseq's log for a model that we know; null for any other text. If the text names a class, its
 * number is compared with those of that class elsewhere.
 * @param {string} text @returns {Account | null} */
export function accountOfFairseq(text) {
  const [source, ...numbers] = LINE.exec(text) ?? []
  if (!source || classesIn(text).length) return null
  const [all, trained = all] = numbers.filter(Boolean).map(numberOfDigits)
  const model = modelWith(all)
  if (!model) return null
  const { name, modelClass, total, segments } = model
  const trainedWords = trained === all ? ", all of them trained" : words`, of which ${trained} are trained`
  return accountWith({
    kind: "labels",
    headline: words`This is ${titleOf(name)} with its LM head, as fairseq builds it: ${all} parameters${trainedWords}. In transformers, ${code(modelClass)} has ${total}.`,
    findings: [
      finding(
        5,
        words`The other ${segments} are the row for the only segment: transformers keeps a table for it, and fairseq does not.`,
        segments,
      ),
    ],
    lines: [
      {
        source,
        part: words`${models.get(name).title} in fairseq`,
        stated: all,
        right: all,
        verdict: "right",
        times: 1,
      },
    ],
    model: { name, modelClass, total },
  })
}
