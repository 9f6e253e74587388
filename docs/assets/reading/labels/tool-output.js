// Removes what tools print around the numbers of a text, or replaces it with words that other modules
// read: prompts, the listings of ls and du, cells of tables, and the figures of a training run.

import { withLabelledCells } from "./separated-values.js"
import { withoutFigures } from "./trainer.js"

/** A line of `ls -l`: permissions, links and owners, a size, a date, a name, and perhaps a target or a note. */
const FILE_LINE =
  /^[-l][rwxsStT-]{9}[.+@]?\s+(?:\d+\s+\S+\s+\S+\s+)?([\d.,]+[KMGT]?)\s+(?:\w{3}\s+\d+\s+[\d:]+\s+|\d{4}-\d{2}-\d{2}\s[\d:.+ -]+\s+)?(\S+)((?: +(?:->|[(#←]).*)?)$/gm

/** A line of Windows' `dir` or `Get-ChildItem`: a mode, a date and a time, a size and a name. */
const FILE_LINE_OF_WINDOWS =
  /^[ \t]*(?:[-d][-arhsl]{4,5}[ \t]+)?[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{2,4}[ \t]+[0-9]{1,2}:[0-9]{2}(?:[ \t]?[AP]M)?[ \t]+([0-9][0-9.,]*)[ \t]+(\S+)()$/gim
/** The lines of a listing that are not about a file: the total of `ls -l`, and the folders and totals of `dir`. */
const NO_FILE_LINE =
  /^(?:total [\d.,]+[KMGT]?|[ \t]*(?:Directory: .*|(?:Directory|Volume) .*|Mode[ \t]+LastWriteTime.*|[- \t]{9,})|.*<DIR>.*|[ \t]*[0-9]+ (?:File|Dir)\(s\).*)$/gm
/** The endings of the names of files with weights. A vocabulary or config beside them has a different one. */
const WEIGHTS = /\.(?:safetensors|bin|ckpt|pth?|h5|gguf|msgpack|npz|onnx|data)(?:-[0-9]{5}-of-[0-9]{5})?$/
const MIN_BYTES = 1_000_000 // a smaller file holds no model, but the arguments or the state of a training run

/** Whether a file in a listing may hold weights. @param {string} size @param {string} name */
const holdsWeights = (size, name) =>
  WEIGHTS.test(name) && (/[KMGT]$/.test(size) || Number(size.replace(/[.,]/g, "")) >= MIN_BYTES)

/** The text with each line of a listing reduced to the size and the name of the file. If any file holds weights, only
 * such files are left.
 * @param {string} text */
function withFilesInShort(text) {
  const patterns = [FILE_LINE, FILE_LINE_OF_WINDOWS]
  const files = patterns.flatMap((pattern) => [...text.matchAll(pattern)])
  if (!files.length) return text
  const hasWeights = files.some(([, size, name]) => holdsWeights(size, name))
  /** The words for a file. @type {(line: string, size: string, name: string, note: string) => string} */
  const inWords = (_, size, name, note) => {
    if (hasWeights && !holdsWeights(size, name)) return ""
    return /[KMGT]$/.test(size) ? `${size} file ${name}${note}` : `${size} bytes ${name}${note}`
  }
  return patterns.reduce((result, pattern) => result.replace(pattern, inWords), text).replace(NO_FILE_LINE, "")
}

/** The command that prints how much space files take, and a line of its output: an amount in powers of two, and the
 * name of a file or folder. */
const DISK_USAGE = /(?:^|[$>%#;&|]\s*)du(?:\s+-\w+)*\s/m
const LINE_OF_DISK_USAGE = /^[ \t]*([0-9]+(?:\.[0-9]+)?)([KMG])[ \t]+(?=\S+$)/gm

/** The text with the units of `du -h` in full, as binary units on disk. @param {string} text */
const withUnitsOfDiskUsage = (text) =>
  DISK_USAGE.test(text) ? text.replace(LINE_OF_DISK_USAGE, "$1 $2iB on disk for ") : text

/** The output of tools around numbers, and its replacement. @type {[RegExp, string][]} */
const REPLACEMENTS = [
  // The prompt of IPython or of a notebook, whose number counts commands.
  [/^[ \t]*(?:In|Out)[ \t]?\[[ \t]*[0-9]*[ \t]*\]:[ \t]?/gm, ""],
  // The part of the name of a file that counts the pieces in which a checkpoint is stored.
  [/(?:\.data)?-[0-9]{5}-of-[0-9]{5}/g, ""],
  // The output of llama.cpp before a value of a GGUF file: the index of its key, the key, and the type of the value.
  [/^.*- kv\s+[0-9]+:\s+(\S+)\s+\w+\s+=/gm, "$1 ="],
  // DeepSpeed's log line about a model that it has divided, in which "params" are tensors.
  [/\bnum_params = ([0-9]{1,5}), num_elems = /g, "$1 tensors, parameters: "],
  // The pair that a method of PEFT returns.
  [/\bget_nb_trainable_parameters\(\)\s+\(([0-9]+), ([0-9]+)\)/g, "trainable params of which $1, all params $2"],
]

/** The text with what tools print around numbers replaced. @param {string} text */
const withReplacements = (text) =>
  REPLACEMENTS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)

/** The text with what tools print around numbers removed or replaced by words that other modules read.
 * @param {string} text */
export const withoutToolOutput = (text) =>
  [withReplacements, withFilesInShort, withUnitsOfDiskUsage, withLabelledCells, withoutFigures].reduce(
    (result, change) => change(result),
    text,
  )
