// Answers how many parameters a model has after some of the heads in every layer are pruned: "if half of the heads are
// pruned", or "pruning 4 heads in each layer".

import table from "../../../data/table.js"
import { architectures, Counter, dimensions, models, product, rows, sumBy, whole } from "../../counting/engine.js"
import { asClass, subjectOf } from "../labels/meanings.js"
import { classAndTotal, comparisonOf } from "../labels/totals.js"
import { link, words } from "../words.js"
import { answer, NUMBER_WORDS } from "./question-accounts.js"

/** Words for taking away. */
export const PRUNING = /\bprun\w*|\bremov\w*|\bdrop(?:s|ped|ping)?\b|\bcut(?:ting)?\b|\bdelet\w*|\bthr[eo]w\w*/i
const HEADS = new RegExp(
  `\\b(?<number>half|[0-9]{1,2}|${NUMBER_WORDS.join("|")})\\s(?:of\\s)?(?:the\\s|its\\s|all\\s)*(?:attention\\s)?heads\\b`,
  "i",
)
/** Words for every layer, or for all of them. */
const IN_EVERY_LAYER = /\b(?:per|each|every|all|the)\s(?:\w+\s)?(?:layers?|blocks?)\b/i

/** The account of a question about pruned heads; null for any other text, and for one that does not say how many heads
 * each layer loses. Half of the heads are half of those in every layer.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfPrunedHeads({ text, quantities, classes }, name) {
  const { number = "" } = HEADS.exec(text)?.groups ?? {}
  const { architecture, sizes } = models.get(name)
  const isHalf = /^half$/i.test(number)
  const heads = isHalf ? sizes.A / 2 : NUMBER_WORDS.indexOf(number.toLowerCase()) + 1 || Number(number)
  if (!number || !PRUNING.test(text) || !(isHalf || IN_EVERY_LAYER.test(text))) return null
  if (!Number.isInteger(heads) || heads >= sizes.A || quantities.some((quantity) => quantity.number.low !== heads))
    return null
  const { modelClass, total } = classAndTotal(name, classes[0]?.name)
  const refusal = table.changes.unpruned[architecture]
  if (refusal)
    return answer(
      words`${subjectOf(name)} has ${total} parameters ${asClass(modelClass)}. Its heads are not pruned: ${refusal.split(";")[0]}.`,
      { name, modelClass, total },
    )
  const perHead = parametersPerHead(modelClass, {
    ...sizes,
    D: sizes[architectures.get(architecture).heads_share] / sizes.A,
  })
  const prunedTotal = total - heads * perHead
  if (!total || !perHead) return null
  return answer(
    words`${subjectOf(name)} has ${total} parameters ${asClass(modelClass)}. Without ${whole(heads)} of the ${whole(sizes.A)} heads in every layer, it has ${prunedTotal}${comparisonOf(prunedTotal, total)}.`,
    { name, modelClass, total },
    [
      words`With each head, the query, key and value projections lose rows, and the output projection loses columns: ${perHead} parameters for one head in every layer. ${link("parts/attention-heads.html", "The page on attention heads")} draws them.`,
    ],
  )
}

/** The number of parameters that a class loses with one head in every layer; 0 if heads cannot be pruned.
 * @param {string} modelClass @param {Sizes} sizes  including D, the width of a head */
function parametersPerHead(modelClass, sizes) {
  const { rows: ofClass } = new Counter(modelClass, sizes)
  const prunableRows = [...ofClass.rowsUnder("", "")].filter((row) => table.changes.pruned[rows.indexOf(row)])
  return sumBy(
    prunableRows,
    (row) =>
      product(dimensions(table.changes.pruned[rows.indexOf(row)]), sizes) * product(ofClass.layersOf(row), sizes),
  )
}
