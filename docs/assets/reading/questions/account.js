// Answers questions: short texts that ask for a number instead of stating one.
//
// Most questions are about one model, BERT base if they name none, and suppose something about it: that
// some of its layers are left out, that its hidden size is doubled, that LoRA trains it. The numbers
// of such a text are mostly layers, ranks and labels, not counts of parameters, so each kind of
// question is tried before the numbers of a text are explained. The kinds differ in their words; if a text
// has those of two kinds, the earlier one in `READERS` is meant.
//
// A text without such words may still ask for the size of a model or part (amounts.js). Many people
// type no question mark, so words for amounts make a text a question, but only if it has no number to
// be explained.
//
// Some kinds come before those about one model. Whether a model fits on a GPU (devices.js), whether a total
// includes a part (included.js) and how much memory a number of parameters takes (memory-of-counts.js) are
// asked with a number that must not be explained alone. A choice (choices.js) is between several models.
//
// Two further kinds are tried elsewhere. A text with sizes that its model does not have
// (other-sizes.js) is only a question if nothing in it can be a count. A text with a total may ask for
// the size that leads to it (needed-sizes.js), and must not be taken for a print-out.

import { nameOfOnlyModel } from "../labels/mentions.js"
import { loadingIn } from "../loaded-model.js"
import { accountOfAddition } from "./additions.js"
import { accountOfChoice, accountOfModelWithTotal } from "./choices.js"
import { accountOfComponents } from "./component-counts.js"
import { accountOfCopies } from "./copies.js"
import { accountOfCrossAttention } from "./cross-attention.js"
import { accountOfDevice } from "./devices.js"
import { accountOfFormula } from "./formulas.js"
import { accountOfPartInCount, accountOfPartInTotal } from "./included.js"
import { accountOfLabelCount } from "./label-counts.js"
import { accountOfLargestTensor } from "./largest-tensor.js"
import { accountOfMemoryOfCount } from "./memory-of-counts.js"
import { accountOfBitFit, accountOfMethod } from "./methods.js"
import { accountOfNarrowEmbeddings } from "./narrow-embeddings.js"
import { accountOfNormStatistics } from "./norm-statistics.js"
import { accountOfNumberedLayer } from "./numbered-layers.js"
import { accountOfOperations } from "./operations.js"
import { accountOfMultiple, accountOfSharedLayers } from "./other-sizes.js"
import { accountOfHead, accountOfLetter, accountOfSizes } from "./own-sizes.js"
import { accountOfPrunedHeads } from "./pruned-heads.js"
import { MAX_LENGTH } from "./question-accounts.js"
import { accountOfSomeLayers } from "./some-layers.js"
import { accountOfTableRow } from "./table-rows.js"
import { accountOfSplitMemory, accountOfTrainingMemory } from "./training-memory.js"
import { accountOfTying } from "./tying.js"
import { accountOfOtherVocabulary } from "./vocabularies.js"

/** The readers of questions about one model. Each takes the text and the name of the model.
 * @type {((labelledText: LabelledText, name: string) => Account | null)[]} */
const READERS = [
  accountOfCrossAttention,
  accountOfNarrowEmbeddings,
  accountOfLargestTensor,
  accountOfAddition,
  accountOfFormula,
  accountOfNormStatistics,
  accountOfTying,
  accountOfCopies,
  accountOfSharedLayers,
  accountOfPrunedHeads,
  accountOfSomeLayers,
  accountOfNumberedLayer,
  accountOfOtherVocabulary,
  accountOfTableRow,
  accountOfMultiple,
  accountOfBitFit,
  accountOfMethod,
  accountOfLabelCount,
  accountOfHead,
  accountOfOperations,
  accountOfSplitMemory,
  accountOfTrainingMemory,
  accountOfLetter,
  accountOfComponents,
  accountOfSizes,
]

/** The account of a question; null for any other text.
 * @param {LabelledText} labelledText @returns {Account | null} */
export function accountOfQuestion(labelledText) {
  const { text, mentions } = labelledText
  const firstAccount =
    accountOfDevice(labelledText) ??
    accountOfPartInTotal(labelledText) ??
    accountOfPartInCount(labelledText) ??
    accountOfChoice(labelledText) ??
    accountOfModelWithTotal(labelledText) ??
    accountOfMemoryOfCount(labelledText)
  if (firstAccount) return firstAccount
  // "Does BERT share weights like ALBERT?" is about BERT.
  const name = nameOfOnlyModel(mentions.filter(({ start }) => !/\b(?:un)?like\s$/i.test(text.slice(0, start))))
  if (!name || text.length > MAX_LENGTH || loadingIn(text)) return null // code is read for what it loads
  for (const accountOfKind of READERS) {
    const account = accountOfKind(labelledText, name)
    if (account) return account
  }
  return null
}
