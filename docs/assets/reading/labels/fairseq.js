// Explains the log of fairseq, the library that RoBERTa was trained with. In fairseq, RoBERTa has no
// segments; in transformers, it has a table with one row for its only segment. A BERT with RoBERTa's
// vocabulary has the same total as RoBERTa in fairseq, because 512 positions and 2 segments are as
// many rows as RoBERTa's 514 positions.

import { models } from "../../counting/engine.js"
import { numberOfDigits } from "../../explaining/read.js"
import { modelsByUse } from "../../explaining/ways.js"
import { accountWith, code, finding, words } from "../words.js"
import { titleOf } from "./meanings.js"
import { classesIn } from "./mentions.js"
import { classAndTotal } from "./totals.js"

/** The line of fairseq's log with the number of the model's parameters, and of those that are trained. */
const LINE = /\bnum\. (?:shared )?model params: ([0-9][0-9,]*)(?: \(num\. trained: ([0-9][0-9,]*)\))?/

/** A line of fairseq's log, which may name its own class: fairseq_cli.train | model: RobertaModel. */
const LOG_LINE = /^.*\bfairseq(?:_cli)?\..*$/gm

/** The class with an LM head for each architecture whose models were trained with fairseq.
 * @type {Record<string, string>} */
const LM_CLASSES = { roberta: "RobertaForMaskedLM", "xlm-roberta": "XLMRobertaForMaskedLM" }

/** The model that has exactly `number` parameters with its LM head in fairseq; undefined if there is none.
 * @param {number} number */
function modelWith(number) {
  return modelsByUse
    .filter(({ architecture }) => architecture in LM_CLASSES)
    .map(({ name, architecture, sizes }) => ({
      name,
      segmentParameters: sizes.S * sizes.H,
      ...classAndTotal(name, LM_CLASSES[architecture]),
    }))
    .find(({ total, segmentParameters }) => total - segmentParameters === number)
}

/** The account of fairseq's log for a model that we know; null for any other text, and for one that names a class
 * outside of the log, because other modules then compare the number with the total of this class.
 * @param {string} text @returns {Account | null} */
export function accountOfFairseq(text) {
  const [source, ...numbers] = LINE.exec(text) ?? []
  if (!source || classesIn(text.replace(LOG_LINE, "")).length) return null
  const [statedTotal, trainableTotal = statedTotal] = numbers.filter(Boolean).map(numberOfDigits)
  const model = modelWith(statedTotal)
  if (!model) return null
  const { name, modelClass, total, segmentParameters } = model
  const trainedWords =
    trainableTotal === statedTotal ? ", all of them trained" : words`, of which ${trainableTotal} are trained`
  return accountWith({
    kind: "labels",
    headline: words`This is ${titleOf(name)} with its LM head, as fairseq builds it: ${statedTotal} parameters${trainedWords}. In transformers, ${code(modelClass)} has ${total}.`,
    findings: [
      finding(
        5,
        words`The other ${segmentParameters} are the row for the only segment: transformers keeps a table for it, and fairseq does not.`,
        segmentParameters,
      ),
    ],
    lines: [
      {
        source,
        part: words`${models.get(name).title} in fairseq`,
        stated: statedTotal,
        right: statedTotal,
        verdict: "right",
        times: 1,
      },
    ],
    model: { name, modelClass, total },
  })
}
