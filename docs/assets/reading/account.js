// The account of any pasted text: what the text is, and whether its numbers are right.
//
// Which reader takes a text
// -------------------------
// Readers of one kind of text each are asked in turn, the most certain kind first: a file
// or configuration is known by its form (configs/), a warning by its words (warnings/),
// the memory of a GPU by its words (gpu.js), an error about a row that a table lacks
// (ranges.js), a call that resizes the vocabulary (vocabulary.js), the numbers of a
// profiler by their form (profiles.js), a SentenceTransformer by its modules
// (sentence-transformer.js), a print-out by its rows (rows/), a sum by its
// terms (sums/), and a line by its labels (labels/). If nothing else is left to explain,
// code that loads a model is read for its name. Each returns null if the text is of
// another kind. A text that none of them takes may be a number, which `explaining/`
// explains. All of them return an `Account`, whose sentences are data (words.js), so that
// a page, the clipboard and a test can use the same ones. tests/scripts/reading.d.ts has
// its fields.
//
// How a print-out is accounted for
// --------------------------------
// No format has a parser of its own, because people paste pieces of formats, mangled.
// 1. clean.js removes whatever holds no number: prompts, quotes, time stamps, colours,
//    entities, and signs of LaTeX.
// 2. rows/rows.js makes a row of each line that states something: a name, a shape, a
//    count, or several of these. rows/modules.js reads nested brackets, as print(model)
//    has them, rows/nested.js JSON and Python literals, rows/summaries.js tables with a
//    column of counts.
// 3. rows/recognising.js finds the model by the names: the architecture has most of
//    them, shapes give the sizes, and the rows of a head the class. Where rows have
//    counts and hardly any names, rows/recognising-counts.js tries models, published
//    ones and those whose sizes rows/solving.js derives.
// 4. The tensors of that class, which the engine lists in the order of its modules, are
//    the ruler (rows/ruler.js). rows/aligning.js lays each row along it: by its name, or
//    as the nearest run of whole modules that adds up to its count. Then each tensor is
//    covered once, twice or not at all, and each row is right, wrong by some amount, not a
//    parameter, added by somebody, or unknown.
// 5. rows/account.js turns the result into an account: rows/facts.js gathers what follows
//    from it, rows/headline.js and rows/findings.js say it, and rows/bridge.js reads it as
//    a sum, so that the bridge from the reader's total to the right one always closes.
// A few rows, by which no model can be recognised, are explained by themselves: rows/few.js
// compares their names and shapes with the tensors of every model, and rows/table-lines.js
// the count of a line of a table with its modules. Rows of layers alone name no model
// either (rows/layers.js), and neither does one shape or layer without a name (rows/unnamed.js).
//
// Doubts and limits
// -----------------
// Rounded counts do not determine the sizes of an unpublished model; such a text is only
// added up. If a text leaves out layers without saying how many, the model may be deeper
// than it shows, and the account says so.
// A tied decoder and an untied one are printed alike by most tools. The tied one is
// meant unless the text's own total says otherwise.
// Names that no framework prints are compared word by word (rows/names.js). A text with
// such names is only called a BERT if it has every part that is typical of one, because a
// CLIP text encoder or a home-made Transformer has nearly the same parts.
// A row that is wrong in the same way in every layer outvotes the right value, unless a
// published model has the other one.

import { plain } from "./clean.js"
import { accountOfConfig } from "./configs/account.js"
import { accountOfCode } from "./configs/name-account.js"
import { accountOfMemory } from "./gpu.js"
import { accountOfLabels } from "./labels/account.js"
import { accountOfParametersByThop, accountOfProfile } from "./profiles.js"
import { accountOfRange } from "./ranges.js"
import { accountOfRows } from "./rows/account.js"
import { accountOfUnnamed } from "./rows/unnamed.js"
import { accountOfSentenceTransformer } from "./sentence-transformer.js"
import { accountOfSum } from "./sums/account.js"
import { accountOfResizing } from "./vocabulary.js"
import { accountOfWarning } from "./warnings/account.js"

/** The account of a row of TensorFlow Hub's layer, whose brackets are no sum; null for any other text.
 * @param {string} text */
const accountOfHubRow = (text) => (/\(KerasLayer\)/.test(text) ? accountOfLabels(text) : null)

/** The readers, the most certain kind first; each takes a text in plain characters. */
const READERS = [
  accountOfConfig,
  accountOfWarning,
  accountOfMemory,
  accountOfRange,
  accountOfResizing,
  accountOfProfile,
  accountOfParametersByThop,
  accountOfSentenceTransformer,
  accountOfUnnamed,
  accountOfRows,
  accountOfHubRow,
  accountOfSum,
  accountOfLabels,
  accountOfCode,
]

/** The account of a text; null if it is a number or nothing that we can read.
 * @param {string} text @returns {Account | null} */
export function account(text) {
  const clean = plain(text)
  for (const reader of READERS) {
    const result = reader(clean)
    if (result) return result
  }
  return null
}
