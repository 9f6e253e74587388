// Reads files that are dropped into the input field: returns their text, or refuses them with a
// sentence for the reader. Only the header of a weights file is read, however large the
// file is. A safetensors header is JSON; a GGUF header is converted to one line per tensor.
// Nothing is ever unpickled or executed, because a PyTorch file may run arbitrary code
// when it is opened.

/** The largest header, in bytes. The safetensors library refuses longer ones, too. */
const MAX_HEADER = 100_000_000
/** The largest text, in bytes. The answers page has the same limit, in characters. */
const MAX_TEXT = 50_000_000

/** The number of bytes at the beginning of a file by which its kind is recognised. */
const HEAD_BYTES = 512

/** The number of bytes of a GGUF file that are read at first. Each further read is four times as long, because the
 * vocabulary in the header may take megabytes. */
const FIRST_READ_BYTES = 2 ** 20

/** The maximum numbers of tensors and of metadata entries in a GGUF header, and of bytes in a name. They are large
 * enough for real models, and small enough that a damaged file is refused before it fills the memory. */
const MAX_ENTRIES = 100_000
const MAX_NAME_LENGTH = 2 ** 16
/** The maximum number of dimensions of a tensor. GGUF itself allows four. */
const MAX_DIMENSIONS = 8
/** The largest depth of nested lists in GGUF metadata. None of the format's own keys has a list of lists. */
const MAX_LIST_DEPTH = 4

/** The number of characters that are checked for damage, and of bytes that are examined to recognise an encoding. */
const SAMPLE_LENGTH = 100_000

/** Thrown for a file that is refused. The message is a sentence for the reader. */
export class FileRefused extends Error {
  name = "FileRefused" // lets `answering/field.js` recognise the error without fetching this module
}

/** A number of bytes as readers see it, in MB or GB. @param {number} bytes */
const fileSizeInWords = (bytes) => (bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`)

/** Advice on PyTorch files, as the end of a sentence about them. */
const PYTORCH_ADVICE =
  "drop the model.safetensors file, or paste what “for name, tensor in torch.load(path, weights_only=True).items(): print(name, tuple(tensor.shape))” prints in Python."
const PYTORCH_MESSAGE = `This is a PyTorch file, which we don't open, because opening one can run arbitrary code. Instead, ${PYTORCH_ADVICE}`

/** The bytes of a string in which each character is one byte. @param {string} text */
const bytesIn = (text) => Array.from(text, (character) => character.charCodeAt(0))

const HDF5_MESSAGE =
  "This is an HDF5 file of weights, which we don't open. Paste what model.summary() prints, or drop a safetensors file."
const PICTURE_MESSAGE = "This is a picture, which we can't read. Paste the text itself."

/** The kinds of files that are refused, by their first bytes, each with its message. Older PyTorch files are pickles,
 * which begin with 0x80 and the protocol version. Newer ones are zip archives; see `ARCHIVES`.
 * @type {[magic: number[], sentence: string][]} */
const REFUSED_KINDS = [
  [[0x80, 0x02], PYTORCH_MESSAGE],
  [[0x80, 0x03], PYTORCH_MESSAGE],
  [[0x80, 0x04], PYTORCH_MESSAGE],
  [[0x80, 0x05], PYTORCH_MESSAGE],
  [bytesIn("\x89HDF"), HDF5_MESSAGE],
  [bytesIn("%PDF-"), "This is a PDF, which we don't open. Copy the text out of it, and paste that."],
  [bytesIn("\x89PNG"), PICTURE_MESSAGE],
  [[0xff, 0xd8, 0xff], PICTURE_MESSAGE], // JPEG
  [bytesIn("GIF87a"), PICTURE_MESSAGE],
  [bytesIn("GIF89a"), PICTURE_MESSAGE],
  [[0x1f, 0x8b], "This is a compressed file. Unpack it first, and drop what is in it."], // gzip
]

const ZIP = bytesIn("PK\x03\x04")
const GGUF = bytesIn("GGUF")

/** The messages for kinds of zip archives, by the ending of the file name. The last pattern matches any name.
 * @type {[nameEnd: RegExp, sentence: string][]} */
const ARCHIVES = [
  [/\.(?:bin|pt|pth|ckpt|model|pkl)$/i, PYTORCH_MESSAGE],
  [/\.(?:xlsx|xlsm|ods)$/i, "This is a spreadsheet. Save it as CSV and drop that, or copy its cells and paste them."],
  [/\.(?:docx|odt|pptx)$/i, "This is an office document. Copy the text out of it, and paste that."],
  [
    /\.keras$/i,
    "This is a Keras file, which we don't open. Paste what model.summary() prints, or drop a safetensors file.",
  ],
  [/\.npz$/i, "This is an archive of NumPy arrays, which we don't open. Paste their names and shapes."],
  [/$/, `This is an archive. If it is a PyTorch file, ${PYTORCH_ADVICE} Otherwise, unpack it, and drop what is in it.`],
]

/** The text of a file: the header of a safetensors file, one line per tensor of a GGUF file, or the contents of a text
 * file.
 * @param {File} file @returns {Promise<string>}
 * @throws {FileRefused} if the file is empty, damaged, too large, or of a kind that is not read */
export async function textOfFile(file) {
  const { name } = file
  if (!file.size) throw new FileRefused("This file is empty.")
  const head = await bytesOf(file, 0, HEAD_BYTES)
  const isNamedSafetensors = /\.safetensors$/i.test(name)
  if (startsWith(head, GGUF)) return linesOfGguf(file)
  refuseByKind(head, name)
  if (isPointer(head))
    throw new FileRefused(
      "This is a Git LFS pointer, not the file itself. Fetch the file with git lfs pull, and drop it here.",
    )
  if (isNamedSafetensors || isSafetensors(head, file.size)) return headerOf(file, head)
  if (file.size > MAX_TEXT)
    throw new FileRefused(
      `This file takes up ${fileSizeInWords(file.size)}, but we read only texts of up to ${fileSizeInWords(MAX_TEXT)}. Drop only the part that you are asking about.`,
    )
  return textOfBytes(await bytesOf(file, 0, file.size))
}

/** The bytes of a file from `start` up to but not including `end`.
 * @param {Blob} file @param {number} start @param {number} end */
const bytesOf = async (file, start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer())

/** Whether bytes begin with the magic bytes of a format. @param {Uint8Array} bytes @param {number[]} magic */
const startsWith = (bytes, magic) => magic.every((byte, index) => bytes[index] === byte)

/** Throws an error with advice if a file is of a kind that is known but not read.
 * @param {Uint8Array} head @param {string} name */
function refuseByKind(head, name) {
  const [, sentence] = REFUSED_KINDS.find(([magic]) => startsWith(head, magic)) ?? []
  if (sentence) throw new FileRefused(sentence)
  if (startsWith(head, ZIP)) throw new FileRefused(ARCHIVES.find(([nameEnd]) => nameEnd.test(name))?.[1])
}

/** Whether a file is a pointer that Git LFS keeps in place of a large file. @param {Uint8Array} head */
const isPointer = (head) => /^version .{0,12}git-lfs/.test(new TextDecoder("latin1").decode(head))

// --- safetensors ------------------------------------------------------------------

const LENGTH_BYTES = 8 // the number of bytes before the header, which give its length
const SHORTEST_HEADER = 2 // the number of bytes in {}

/** The length of the header, which the first eight bytes give in little-endian order; 0 if there are fewer bytes.
 * @param {Uint8Array} head */
function headerLength(head) {
  if (head.length < LENGTH_BYTES) return 0
  // Read in two halves. The result is inexact for large numbers, but those are too large for a header anyway.
  const view = new DataView(head.buffer, head.byteOffset, LENGTH_BYTES)
  return view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32
}

/** Whether a file begins like a safetensors file: with the length of a header that fits into the file, followed by the
 * opening brace of JSON. The two highest bytes of the length must be 0, which rules out texts.
 * @param {Uint8Array} head @param {number} fileSize  the size of the file */
function isSafetensors(head, fileSize) {
  const length = headerLength(head)
  const startsWithBrace = head[LENGTH_BYTES] === "{".charCodeAt(0)
  return (
    startsWithBrace && head[6] === 0 && head[7] === 0 && length >= SHORTEST_HEADER && length <= fileSize - LENGTH_BYTES
  )
}

/** The header of a safetensors file. @param {File} file @param {Uint8Array} head */
async function headerOf(file, head) {
  const length = headerLength(head)
  if (length > MAX_HEADER)
    throw new FileRefused("This is not a safetensors file: its header would be larger than 100 MB.")
  if (length < SHORTEST_HEADER && file.size > LENGTH_BYTES)
    throw new FileRefused("This is not a safetensors file: its header is too short.")
  if (length < SHORTEST_HEADER || length > file.size - LENGTH_BYTES)
    throw new FileRefused("This safetensors file is incomplete: it ends before its header does. Download it again.")
  const text = textIn("utf-8", await bytesOf(file, LENGTH_BYTES, LENGTH_BYTES + length))?.trim() ?? ""
  if (!text.startsWith("{") || !text.endsWith("}"))
    throw new FileRefused("This is not a safetensors file: its header is not JSON.")
  return text
}

// --- GGUF ---------------------------------------------------------------------------

/** The number of bytes of a value in GGUF's metadata, by the number of its type. It is 0 for strings and lists, types 8
 * and 9, which have no fixed width. */
const BYTES_PER_VALUE = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]
const [STRING, LIST] = [8, 9]

/** Thrown if the header extends beyond the bytes that have been read. */
class NeedsMoreBytes extends Error {}

/** A parser of the GGUF header at the beginning of a file. The header consists of the version, the numbers of tensors
 * and of metadata entries, the metadata, and the name, shape, type and offset of each tensor. */
class GgufHeader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.offset = GGUF.length
  }

  /** Skips `count` bytes and returns the offset of the first. @param {number} count */
  skip(count) {
    if (this.offset + count > this.bytes.length) throw new NeedsMoreBytes()
    this.offset += count
    return this.offset - count
  }

  /** Reads a 32-bit number. */
  readU32() {
    return this.view.getUint32(this.skip(4), true)
  }

  /** Reads a 64-bit number. @param {number} max  the largest number that is accepted */
  readU64(max) {
    const number = Number(this.view.getBigUint64(this.skip(8), true))
    if (number > max) throw new FileRefused("This GGUF file is damaged: a number in its header is too large.")
    return number
  }

  /** Reads a name, which is stored as its length in bytes and the bytes. */
  readName() {
    const length = this.readU64(MAX_NAME_LENGTH)
    const start = this.skip(length)
    return new TextDecoder().decode(this.bytes.subarray(start, start + length))
  }

  /** Skips a metadata value. @param {number} type @param {number} depth  the number of lists around it */
  skipValue(type, depth = 0) {
    if (type === STRING) this.skip(this.readU64(MAX_HEADER))
    else if (type === LIST && depth < MAX_LIST_DEPTH) {
      const [inner, count] = [this.readU32(), this.readU64(MAX_HEADER)]
      if (BYTES_PER_VALUE[inner]) this.skip(BYTES_PER_VALUE[inner] * count)
      else for (let remaining = count; remaining; remaining--) this.skipValue(inner, depth + 1)
    } else if (BYTES_PER_VALUE[type]) this.skip(BYTES_PER_VALUE[type])
    else throw new FileRefused("This GGUF file is damaged: its header has a value that we cannot read.")
  }

  /** One line per tensor, with its dimensions in PyTorch's order, which is the reverse of
   * GGUF's.
   * @throws {FileRefused} if the header is damaged @throws {NeedsMoreBytes} if the header extends beyond the bytes */
  readLines() {
    const version = this.readU32()
    if (version !== 2 && version !== 3)
      throw new FileRefused(`This is version ${version} of GGUF, but we read only versions 2 and 3.`)
    const [tensorCount, entryCount] = [this.readU64(MAX_ENTRIES), this.readU64(MAX_ENTRIES)]
    for (let remaining = entryCount; remaining; remaining--) {
      this.readName()
      this.skipValue(this.readU32())
    }
    return Array.from({ length: tensorCount }, () => {
      const name = this.readName()
      const dimensionCount = this.readU32()
      if (dimensionCount > MAX_DIMENSIONS)
        throw new FileRefused("This GGUF file is damaged: a tensor has more than eight dimensions.")
      const shape = Array.from({ length: dimensionCount }, () => this.readU64(Number.MAX_SAFE_INTEGER)).reverse()
      this.skip(4 + 8) // the type and the offset of its data
      return `${name}: [${shape.join(", ")}]`
    })
  }
}

/** One line per tensor of a GGUF file. The length of the header is unknown until it has been parsed, so it is parsed
 * again from more and more bytes until it is complete.
 * @param {File} file */
async function linesOfGguf(file) {
  for (let length = FIRST_READ_BYTES; ; length *= 4) {
    const bytes = await bytesOf(file, 0, Math.min(length, file.size, MAX_HEADER))
    try {
      return new GgufHeader(bytes).readLines().join("\n")
    } catch (error) {
      if (!(error instanceof NeedsMoreBytes)) throw error
      if (length >= file.size)
        throw new FileRefused("This GGUF file is incomplete: it ends before its header does. Download it again.")
      if (length >= MAX_HEADER) throw new FileRefused("The header of this GGUF file is larger than 100 MB.")
    }
  }
}

// --- Texts ----------------------------------------------------------------------------

const NO_TEXT_MESSAGE =
  "This file holds no text. We read safetensors and GGUF files, configs, print-outs, tables and notebooks."

/** The text of bytes in an encoding; null if they are not valid in it.
 * @param {string} encoding @param {Uint8Array} bytes */
function textIn(encoding, bytes) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The text of a file's bytes, in the encoding that they seem to have; refuses bytes that are not text.
 * @param {Uint8Array} bytes */
function textOfBytes(bytes) {
  const text = decode(bytes)
  const sample = text.slice(0, SAMPLE_LENGTH)
  if (sample.includes("\0")) throw new FileRefused(NO_TEXT_MESSAGE)
  const damagedCount = sample.match(NON_TEXT_CHARACTERS)?.length ?? 0
  // A text may have a few damaged characters; binary data that happens to have no NUL has many. The limit of two
  // characters plus half a per cent is far from both.
  if (damagedCount > 2 + sample.length / 200) throw new FileRefused(NO_TEXT_MESSAGE)
  return text
}

/** Characters that do not occur in texts: the replacement for a byte that cannot be decoded, and control characters
 * other than white space (9 to 13) and the escape (27) of terminal colours. */
const NON_TEXT_CHARACTERS = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g

/** Whether bytes above 127 often occur singly, as in Western languages, rather than in pairs, as in Chinese.
 * @param {Uint8Array} bytes */
function isWestern(bytes) {
  let [runs, oddRuns, length] = [0, 0, 0]
  // The loop goes one step beyond the last byte, which ends the last run.
  for (let index = 0; index <= Math.min(bytes.length, SAMPLE_LENGTH); index++) {
    if (bytes[index] > 127) length++
    else if (length) {
      runs++
      oddRuns += length % 2
      length = 0
    }
  }
  // Both bytes of a common Chinese character are above 127, so most runs are even. Accented letters mostly occur
  // singly. The second byte of a rarer character may be below 128, so up to a third of the runs may be odd.
  return oddRuns * 3 > runs
}

/** Decodes bytes as UTF-16 if they begin with its byte order mark, otherwise as UTF-8 if they are valid, and otherwise
 * as Windows-1252 or GB18030, the usual encoding on Chinese computers.
 * @param {Uint8Array} bytes */
function decode(bytes) {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes)
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes)
  const text = textIn("utf-8", bytes)
  if (text !== null) return text
  return (isWestern(bytes) ? null : textIn("gb18030", bytes)) ?? new TextDecoder("windows-1252").decode(bytes)
}
