// Answers which tensor of a model is the largest: "What is the largest layer of BERT base?"

import { classOfBare, models } from "../../counting/engine.js"
import { asClass, subjectOf, titleOf } from "../labels/meanings.js"
import { sizeOfEachLayer } from "../labels/named-parts.js"
import { partInWords } from "../rows/parts-in-words.js"
import { rulerOf } from "../rows/ruler.js"
import { words } from "../words.js"
import { answer, MAX_LENGTH } from "./question-accounts.js"

const LARGEST =
  /\b(?:largest|biggest)\s(?:single\s|individual\s)?(?:weight\s|parameter\s)?(?:tensor|matrix|module|(?<layer>layer))\b/i

/** The account of a question about the largest tensor of a model, or about its largest layer, which may mean the
 * largest tensor; null for any other text.
 * @param {LabelledText} labelledText @param {string} name  of the model @returns {Account | null} */
export function accountOfLargestTensor({ text, quantities, parts }, name) {
  const match = LARGEST.exec(text)
  const isOfPart = parts.some(
    ({ start, end }) => !match || end <= match.index || start >= match.index + match[0].length,
  )
  if (!match || quantities.length || isOfPart || text.length > MAX_LENGTH) return null
  const { architecture, sizes } = models.get(name)
  const modelClass = classOfBare(architecture)
  const ruler = rulerOf(modelClass, sizes)
  const [largest, ...others] = ruler.tensors
    .filter(({ tied }) => !tied)
    .sort((one, other) => other.elements - one.elements)
  const isAlone = others.every(({ elements }) => elements < largest.elements)
  const layer = match.groups?.layer ? sizeOfEachLayer(name) : 0
  const onLayers = layer ? words`Each encoder layer of ${subjectOf(name)} has ${layer} parameters. ` : []
  const subject = isAlone ? "The largest tensor" : "One of the largest tensors"
  return answer(
    words`${onLayers}${subject} of ${titleOf(name)}, ${asClass(modelClass)}, is ${partInWords([largest], ruler)}, with ${largest.elements} of ${ruler.total} parameters.`,
    { name, modelClass, total: ruler.total },
  )
}
