// The account of any pasted text: what the text is, and whether its numbers are right.
//
// Which reader handles a text
// ---------------------------
// A text is first put into plain characters (clean.js). Then a column of shares or of numbers of
// tensors, which look like counts, is removed (share-columns.js, tensor-columns.js), and an expression
// and the value that Python prints below it are put on one line (tensors-in-code.js).
//
// Each reader handles one kind of text, and returns null for any other. They are tried in the order of
// `READERS`, the most certain kind first: code that works out a sum is recognised by its statements
// (programs/), a dump of a GGUF file that is cut off by its metadata (gguf-header.js), a file or
// configuration by its form (configs/), a warning by its wording (warnings/), the memory of a GPU by
// its wording (gpu.js), a SentenceTransformer by its modules (sentence-transformer.js), an error about
// a row that a table lacks (ranges.js), a call that resizes the vocabulary (vocabulary.js), a question
// on a setting without an effect (no-effect.js), on the size that a total needs or on what one more
// unit of a size adds (questions/needed-sizes.js), two totals with a minus between them or a question
// about their difference (two-models.js), two counts of one part (two-counts.js), the numbers of a
// profiler by their form (profiles.js), a shape or a layer without a name (rows/unnamed-parts.js),
// shapes with the numbers of their tensors (shape-counts.js), counts added up by layer
// (layer-counts.js), layers that code builds by their calls (layers-in-code.js, layers-in-keras.js), a
// comparison of models by its columns (model-columns.js), a print-out by its rows (rows/), a list of
// modules by their names (module-paths.js), the index of a model's weights by its number of bytes
// (configs/other-files.js), a sum by its terms (sums/), and a line by its labels (labels/).
//
// Some texts resemble rows, sums or lines with labels and are read before them: layers listed with dots
// in place of some (sums/layers-in-words.js), a row with TensorFlow Hub's layer, code whose sizes or
// sum cannot be read, heads with a whole matrix each (questions/own-sizes.js), a number for a part that
// its model does not have (absent-parts.js), questions about why a part has a shape
// (questions/formulas.js), and the numbers of trained and frozen parameters. If nothing else can be
// explained, rows with rounded counts are listed, and code that loads a model is read for the model's
// name. The usual questions beside a print-out or a sum are answered in addition
// (questions/beside-print-outs.js). A text that no reader handles may be a number, which `explaining/`
// explains.
//
// All readers return an `Account`, whose sentences are data (words.js), so that pages, the clipboard
// and tests can use the same ones. Its fields are documented in tests/scripts/reading.d.ts.
//
// How a print-out is accounted for
// --------------------------------
// Formats do not have parsers of their own, because people paste mangled pieces of output.
// 1. clean.js removes whatever a tool has added around names and numbers: prompts, quote marks,
//    time stamps, colours, entities, and LaTeX commands.
// 2. rows/preparing.js restores names and broken lines, and rows/rows.js finds out how a text is
//    laid out. rows/named-rows.js makes rows of the lines that give a name, a shape or a count;
//    rows/modules.js reads nested brackets, as print(model) has them; rows/nested.js reads JSON
//    and Python literals; rows/summaries.js reads tables with a column of counts;
//    rows/plain-lists.js reads lists without names or headings; and rows/separated.js finds the
//    columns of tables that consist of names and plain numbers.
// 3. rows/recognising.js finds the model by names: the architecture is the one that has most of
//    them, shapes give the sizes (rows/sizes.js), and the rows of a head the class. If rows have
//    counts but hardly any usable names, rows/recognising-counts.js tries published models and
//    sizes that rows/solving.js derives.
// 4. The tensors of that class, in the order of its modules, are the ruler (rows/ruler.js).
//    rows/aligning.js aligns each row with it by its name, or rows/aligning-counts.js with a
//    run of whole modules that adds up to its count. In the end each row has a verdict, such as
//    right, wrong or added, and the tensors that no row covers are listed as missing.
// 5. rows/account.js turns the result into an account: rows/facts.js derives the facts,
//    rows/headline.js and rows/findings.js put them into words, and rows/bridge.js reads the
//    alignment as a sum, so that the bridge from the text's total to the right one always
//    closes.
// A few rows do not identify a model, so they are explained separately: rows/fits.js
// compares their names and shapes with the tensors of every model, and rows/module-matches.js
// compares the count on a line of a table with the modules of every model. Layers alone
// (rows/layers.js) and a single shape or layer without a name (rows/unnamed-parts.js) do not
// identify a model either.
//
// Doubts and limits
// -----------------
// Rounded counts do not determine the sizes of an unpublished model, so the rows are only
// added up. If a text leaves out layers without saying how many, the model may be deeper
// than the text shows, and the account says so.
// Most tools print a tied decoder and an untied one alike. The decoder is taken to be
// tied unless the text's own total says otherwise.
// Names that no framework prints are compared word by word (rows/names.js). A text with
// custom names is called a BERT only if it has every part that is typical of BERT,
// because a CLIP text encoder or a custom Transformer has nearly the same parts.
// A value that is wrong in the same way in every layer may outvote the right one.

import { accountOfAbsentPart } from "./absent-parts.js"
import { inPlainCharacters } from "./clean.js"
import { accountOfConfig } from "./configs/account.js"
import { accountOfCode } from "./configs/name-account.js"
import { accountOfIndex } from "./configs/other-files.js"
import { accountOfGgufHeader } from "./gguf-header.js"
import { accountOfMemory } from "./gpu.js"
import { accountOfLabels } from "./labels/account.js"
import { partsIn } from "./labels/mentions.js"
import { accountOfLayerCounts } from "./layer-counts.js"
import {
  accountOfLayersInCode,
  accountOfUncountedModule,
  hasOnlyLayerCalls,
  withoutLayerCalls,
} from "./layers-in-code.js"
import { accountOfModelColumns } from "./model-columns.js"
import { accountOfModulePaths } from "./module-paths.js"
import { accountOfNoEffect } from "./no-effect.js"
import { accountOfParametersByThop, accountOfProfile } from "./profiles.js"
import { accountOfProgram, accountOfUnreadProgram } from "./programs/account.js"
import { withAnswers, withoutQuestions } from "./questions/beside-print-outs.js"
import { WHY_SHAPE } from "./questions/formulas.js"
import { accountOfNeededSize, accountOfOneMore } from "./questions/needed-sizes.js"
import { accountOfFullHeads } from "./questions/own-sizes.js"
import { MAX_LENGTH } from "./questions/question-accounts.js"
import { accountOfRange } from "./ranges.js"
import { accountOfRoundedRows, accountOfRows } from "./rows/account.js"
import { accountOfUnnamed } from "./rows/unnamed-parts.js"
import { accountOfSentenceTransformer } from "./sentence-transformer.js"
import { accountOfShapeCounts } from "./shape-counts.js"
import { withoutShareColumn } from "./share-columns.js"
import { accountOfSum } from "./sums/account.js"
import { withoutDots } from "./sums/layers-in-words.js"
import { withoutTensorCounts } from "./tensor-columns.js"
import { withTensorsOnLines } from "./tensors-in-code.js"
import { accountOfTwoCounts } from "./two-counts.js"
import { accountOfTwoModels } from "./two-models.js"
import { accountOfResizing } from "./vocabulary.js"
import { accountOfWarning } from "./warnings/account.js"
import { finding, words } from "./words.js"

/** The account of a row with TensorFlow Hub's layer, whose brackets must not be taken for those of a sum; null for any
 * other text.
 * @param {string} text */
const accountOfHubRow = (text) => (/\(KerasLayer\)/.test(text) ? accountOfLabels(text) : null)

/** The account of a question about why a part has a shape, whose numbers must not be taken for a sum; null for any
 * other text.
 * @param {string} text */
const accountOfWhyShape = (text) =>
  text.length <= MAX_LENGTH && WHY_SHAPE.test(text) && partsIn(text).length ? accountOfLabels(text) : null

/** The account of a sum over layers that the text lists with dots in place of some, which must not be taken for rows;
 * null for any other text.
 * @param {string} text */
const accountOfListedLayers = (text) => (withoutDots(text) === text ? null : accountOfSum(text))

/** The account of a configuration, of a model's name, or of another file of a model; null for any other text, including
 * layers in code, some arguments of which have the names of sizes in a config.
 * @param {string} text */
const accountOfConfigOutsideCode = (text) => (hasOnlyLayerCalls(text) ? null : accountOfConfig(text))

/** The account of two counts of one part, neither of which is a size in the call of a layer; null for any other text.
 * @param {string} text */
const accountOfCountsOutsideCode = (text) =>
  (withoutLayerCalls(text).match(/[0-9][0-9,.]*/g) ?? []).length > 1 ? accountOfTwoCounts(text) : null

/** The account of a table that compares models; null for any other text. Each column may be rows, a sum or labels.
 * @param {string} text @returns {Account | null} */
const accountOfColumns = (text) =>
  accountOfModelColumns(text, (column) => accountOfRows(column) ?? accountOfSum(column) ?? accountOfLabels(column))

/** A line with the number of parameters that are trained, and one with the number of those that are not. */
const TRAINED_LINE = /^[^\w\n]*trainable[^\n0-9]*[0-9][0-9,._]{3,}/im
const FROZEN_LINE = /^[^\w\n]*(?:frozen|non-?trainable|untrained)[^\n0-9]*[0-9][0-9,._]{3,}/im

/** The account of what is trained and what is frozen, which must not be taken for the terms of a sum; null for any
 * other text.
 * @param {string} text */
const accountOfFreezing = (text) => (TRAINED_LINE.test(text) && FROZEN_LINE.test(text) ? accountOfLabels(text) : null)

/** A line of the warnings that transformers prints when it loads a model. */
const LINE_OF_WARNING =
  /^.*(?:\bweights of\b.*\b(?:not used|not initialized|newly initialized)\b|You should probably TRAIN|- This IS (?:NOT )?expected).*$/gim

/** A large number after a word for parameters, on the same line or the next, or right before such a word. */
const COUNT_OF_PARAMETERS = /param[^\n0-9]{0,40}\n?[^\n0-9]{0,40}[0-9][0-9,._]{6,}|[0-9][0-9,._]{6,}[ \w]{0,20}param/i

/** The account of a warning that transformers prints when it loads a model; null for any other text. If a print-out of
 * the model or its number of parameters is in the same text, the account is about that, and its last finding is about
 * the warning.
 * @param {string} text @returns {Account | null} */
function accountOfLoadingWarning(text) {
  const warning = accountOfWarning(text)
  const rest = text.replace(LINE_OF_WARNING, "")
  if (!warning || rest === text) return warning
  const rows = accountOfRows(rest)
  const labels = COUNT_OF_PARAMETERS.test(rest) ? accountOfLabels(rest) : null
  const account = rows?.model ? rows : labels
  if (!account || account.confidence === "possible") return warning
  return { ...account, findings: [...account.findings, finding(1, words`About the warning: ${warning.headline}`)] }
}

/** The given account of a text or, if that is the doubtful account of a sum, which may include the number of a
 * question, the account of the text without its questions, provided that this one is certain and about a model.
 * @param {string} text @param {Account} result @returns {Account} */
function besideQuestions(text, result) {
  const rest = withoutQuestions(text)
  if (result.kind !== "sum" || result.confidence === "certain" || rest === text) return result
  const ofRest = accountOfRows(rest) ?? accountOfSum(rest)
  return ofRest?.model && ofRest.confidence === "certain" ? ofRest : result
}

/** The readers, the most certain kind first. Each takes a text in plain characters. */
const READERS = [
  accountOfProgram,
  accountOfGgufHeader,
  accountOfConfigOutsideCode,
  accountOfLoadingWarning,
  accountOfMemory,
  accountOfSentenceTransformer,
  accountOfRange,
  accountOfResizing,
  accountOfNoEffect,
  accountOfNeededSize,
  accountOfOneMore,
  accountOfTwoModels,
  accountOfCountsOutsideCode,
  accountOfProfile,
  accountOfParametersByThop,
  accountOfUnnamed,
  accountOfShapeCounts,
  accountOfLayerCounts,
  accountOfLayersInCode,
  accountOfListedLayers,
  accountOfColumns,
  accountOfRows,
  accountOfModulePaths,
  accountOfIndex,
  accountOfHubRow,
  accountOfUncountedModule,
  accountOfUnreadProgram,
  accountOfFullHeads,
  accountOfAbsentPart,
  accountOfWhyShape,
  accountOfFreezing,
  accountOfSum,
  accountOfLabels,
  accountOfRoundedRows,
  accountOfCode,
]

/** The account of a text; null if no reader can handle it, as with a number alone.
 * @param {string} text @returns {Account | null} */
export function account(text) {
  const clean = withTensorsOnLines(withoutTensorCounts(withoutShareColumn(inPlainCharacters(text))))
  for (const reader of READERS) {
    const result = reader(clean)
    if (result) return withAnswers(clean, besideQuestions(clean, result))
  }
  return null
}
