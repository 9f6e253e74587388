// Reads files that are dropped into the field: returns their text, or a sentence about
// what to drop instead. Of a file of weights, only the header is read, however large
// the file is: that of safetensors is JSON, and that of GGUF becomes one line for each
// tensor. Nothing is ever unpickled or executed, because a PyTorch file may run any
// code when it is opened.

/** The most bytes that are read of a header, and of a whole text. */
const MOST_HEADER = 100_000_000
const MOST_TEXT = 50_000_000

/** Bytes of a GGUF file that are read at first; each further read is four times as long. */
const FIRST_READ = 1 << 20

/** The most entries in the header of a GGUF file, and the most bytes of a name. */
const MOST_ENTRIES = 100_000
const LONGEST_NAME = 1 << 16

/** A file that is not read. The message is a sentence for the reader. */
export class FileRefused extends Error {
  name = "FileRefused" // by which `answering/field.js` recognises it without fetching this module
}

/** A number of bytes for readers. @param {number} bytes */
const size = (bytes) => (bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`)

const HEADER_INSTEAD =
  "Drop the model.safetensors file instead, or paste what this prints in Python: for name, tensor in torch.load(path, weights_only=True).items(): print(name, tuple(tensor.shape))."
const PYTORCH = `This is a PyTorch file, which we don't open, because opening one can run any code. ${HEADER_INSTEAD}`

/** Kinds of files that are not read, by their first bytes, with the sentence about each. Older PyTorch files are pickles:
 * they begin with 0x80 and the version of the protocol. Newer ones are zip archives; see `ARCHIVES`.
 * @type {[number[], string][]} */
const KINDS = [
  [[0x80, 0x02], PYTORCH],
  [[0x80, 0x03], PYTORCH],
  [[0x80, 0x04], PYTORCH],
  [[0x80, 0x05], PYTORCH],
  [
    [0x89, 0x48, 0x44, 0x46],
    "This is an HDF5 file of weights, which we don't open. Paste what model.summary() prints, or drop a safetensors file.",
  ],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], "This is a PDF, which we don't open. Copy the text out of it, and paste that."],
  [[0x89, 0x50, 0x4e, 0x47], "This is a picture, which we can't read. Paste the text itself."],
  [[0xff, 0xd8, 0xff], "This is a picture, which we can't read. Paste the text itself."],
  [[0x47, 0x49, 0x46, 0x38, 0x37, 0x61], "This is a picture, which we can't read. Paste the text itself."],
  [[0x47, 0x49, 0x46, 0x38, 0x39, 0x61], "This is a picture, which we can't read. Paste the text itself."],
  [[0x1f, 0x8b], "This is a compressed file. Unpack it first, and drop what is in it."],
]

const ZIP = [0x50, 0x4b, 0x03, 0x04]

/** The sentences about kinds of zip archives, by the end of the name.
 * @type {[RegExp, string][]} */
const ARCHIVES = [
  [/\.(?:bin|pt|pth|ckpt|model|pkl)$/i, PYTORCH],
  [/\.(?:xlsx|xlsm|ods)$/i, "This is a spreadsheet. Save it as CSV and drop that, or copy its cells and paste them."],
  [/\.(?:docx|odt|pptx)$/i, "This is a document of an office program. Copy the text out of it, and paste that."],
  [
    /\.keras$/i,
    "This is a Keras file, which we don't open. Paste what model.summary() prints, or drop a safetensors file.",
  ],
  [/\.npz$/i, "This is an archive of NumPy arrays, which we don't open. Paste their names and shapes."],
  [/./, `This is an archive. If it is a PyTorch file: ${HEADER_INSTEAD} Otherwise, unpack it, and drop what is in it.`],
]

/** The text of a file: the header of a safetensors file, one line per tensor of a GGUF file, or the text itself.
 * @param {File} file @returns {Promise<string>}
 * @throws {FileRefused} if it holds no text that we read */
export async function textOfFile(file) {
  const name = file.name ?? ""
  if (!file.size) throw new FileRefused("This file is empty.")
  const head = await bytesOf(file, 0, 512)
  const isNamedSafetensors = /\.safetensors$/i.test(name)
  if (startsWith(head, [0x47, 0x47, 0x55, 0x46])) return linesOfGguf(file)
  refuseKnown(head, name)
  if (isPointer(head))
    throw new FileRefused(
      "This is a pointer of Git LFS, not the file itself. Fetch the file with git lfs pull, and drop that.",
    )
  if (isNamedSafetensors || isHeader(head, file.size)) return headerOf(file, head)
  if (file.size > MOST_TEXT)
    throw new FileRefused(
      `This file has ${size(file.size)}, and we read texts of up to ${size(MOST_TEXT)}. Drop the part that you ask about.`,
    )
  return decoded(await bytesOf(file, 0, file.size))
}

/** The bytes of a file from one place to another. @param {Blob} file @param {number} start @param {number} end */
const bytesOf = async (file, start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer())

/** Whether bytes begin with those of a format. @param {Uint8Array} bytes @param {number[]} magic */
const startsWith = (bytes, magic) => magic.every((byte, index) => bytes[index] === byte)

/** Refuses a file of a kind that is known and not read.
 * @param {Uint8Array} head @param {string} name */
function refuseKnown(head, name) {
  const [, sentence] = KINDS.find(([magic]) => startsWith(head, magic)) ?? []
  if (sentence) throw new FileRefused(sentence)
  if (startsWith(head, ZIP)) throw new FileRefused(ARCHIVES.find(([end]) => end.test(name || "."))?.[1])
}

/** Whether a file is only the pointer that Git LFS keeps in place of a large file. @param {Uint8Array} head */
const isPointer = (head) => /^version .{0,12}git-lfs/.test(new TextDecoder("latin1").decode(head))

// --- safetensors ------------------------------------------------------------------

/** The length of the header that the first eight bytes give, in little-endian order. @param {Uint8Array} head */
function headerLength(head) {
  if (head.length < 8) return 0
  const view = new DataView(head.buffer, head.byteOffset, 8)
  return view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32
}

/** Whether a file begins as a safetensors file does. @param {Uint8Array} head @param {number} bytes */
function isHeader(head, bytes) {
  const length = headerLength(head)
  return head[8] === 0x7b && head[6] === 0 && head[7] === 0 && length >= 2 && length <= bytes - 8
}

/** The header of a safetensors file. @param {File} file @param {Uint8Array} head */
async function headerOf(file, head) {
  const length = headerLength(head)
  if (length > MOST_HEADER)
    throw new FileRefused("This is not a safetensors file: its header would have more than 100 MB.")
  if (length < 2 || length > file.size - 8)
    throw new FileRefused("This is no whole safetensors file: it ends before its header does. Fetch it again.")
  const text = utf8(await bytesOf(file, 8, 8 + length))?.trim() ?? ""
  if (!text.startsWith("{") || !text.endsWith("}"))
    throw new FileRefused("This is not a safetensors file: its header is not JSON.")
  return text
}

// --- GGUF ---------------------------------------------------------------------------

/** The bytes that a value of each type of GGUF's metadata has; 8 is a text and 9 a list. */
const WIDTHS = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]
const [TEXT, LIST] = [8, 9]

/** More of the file is needed. */
class NeedsMore extends Error {}

/** Reads a GGUF header from the first bytes of a file. */
class Gguf {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.offset = 4
  }

  /** Skips some bytes, and returns the offset of the first. @param {number} count */
  skip(count) {
    if (this.offset + count > this.bytes.length) throw new NeedsMore()
    this.offset += count
    return this.offset - count
  }

  u32() {
    return this.view.getUint32(this.skip(4), true)
  }

  /** Reads a number of 64 bits. @param {number} most  the largest that is accepted here */
  u64(most) {
    const number = Number(this.view.getBigUint64(this.skip(8), true))
    if (number > most) throw new FileRefused("This GGUF file is damaged: a number in its header is too large.")
    return number
  }

  name() {
    const length = this.u64(LONGEST_NAME)
    const start = this.skip(length)
    return new TextDecoder().decode(this.bytes.subarray(start, start + length))
  }

  /** Skips a value of the metadata. @param {number} type @param {number} depth */
  skipValue(type, depth = 0) {
    if (type === TEXT) this.skip(this.u64(MOST_HEADER))
    else if (type === LIST && depth < 4) {
      const [inner, count] = [this.u32(), this.u64(MOST_HEADER)]
      if (WIDTHS[inner]) this.skip(WIDTHS[inner] * count)
      else for (let remaining = count; remaining; remaining--) this.skipValue(inner, depth + 1)
    } else if (WIDTHS[type]) this.skip(WIDTHS[type])
    else throw new FileRefused("This GGUF file is damaged: its header has a value of an unknown type.")
  }

  /** One line for each tensor, with its dimensions in PyTorch's order, which is the reverse of GGUF's. */
  lines() {
    const version = this.u32()
    if (version !== 2 && version !== 3)
      throw new FileRefused(`This is GGUF of version ${version}, and we read versions 2 and 3.`)
    const [tensors, values] = [this.u64(MOST_ENTRIES), this.u64(MOST_ENTRIES)]
    for (let remaining = values; remaining; remaining--) {
      this.name()
      this.skipValue(this.u32())
    }
    return Array.from({ length: tensors }, () => {
      const name = this.name()
      const count = this.u32()
      if (count > 8) throw new FileRefused("This GGUF file is damaged: a tensor has more than eight dimensions.")
      const shape = Array.from({ length: count }, () => this.u64(Number.MAX_SAFE_INTEGER)).reverse()
      this.skip(12) // the type and the place of its data
      return `${name}: [${shape.join(", ")}]`
    })
  }
}

/** A line for each tensor in a GGUF file. The header is read in longer and longer pieces until it is whole.
 * @param {File} file */
async function linesOfGguf(file) {
  for (let length = FIRST_READ; ; length *= 4) {
    const bytes = await bytesOf(file, 0, Math.min(length, file.size, MOST_HEADER))
    try {
      return new Gguf(bytes).lines().join("\n")
    } catch (error) {
      if (!(error instanceof NeedsMore)) throw error
      if (length >= file.size) throw new FileRefused("This GGUF file is not whole: it ends before its header does.")
      if (length >= MOST_HEADER) throw new FileRefused("This GGUF file has a header of more than 100 MB.")
    }
  }
}

// --- Texts ----------------------------------------------------------------------------

const NO_TEXT =
  "This file holds no text. We read safetensors and GGUF files, configs, print-outs, tables and notebooks."

/** The text of bytes in UTF-8; null if they are not UTF-8. @param {Uint8Array} bytes */
function utf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The text of bytes, in the encoding that they seem to have: UTF-16 or UTF-8 as its mark says, UTF-8, GB18030 as on
 * Chinese computers, or Windows' for Western languages.
 * @param {Uint8Array} bytes */
function decoded(bytes) {
  const text = textIn(bytes)
  let control = 0
  for (let index = 0; index < Math.min(text.length, 100_000); index++) {
    const code = text.charCodeAt(index)
    // Escapes colour the output of terminals; a NUL is in no text.
    if (code === 0) throw new FileRefused(NO_TEXT)
    if (code < 9 || (code > 13 && code < 32 && code !== 27) || code === 0xfffd || code === 127) control++
  }
  // Texts may hold a few damaged characters; binary data that happens to have no NUL holds many.
  if (control > 2 + Math.min(text.length, 100_000) / 200) throw new FileRefused(NO_TEXT)
  return text
}

/** Whether bytes above 127 come one by one rather than in pairs, as Chinese characters do. @param {Uint8Array} bytes */
function isWestern(bytes) {
  let [runs, odd, length] = [0, 0, 0]
  for (let index = 0; index <= Math.min(bytes.length, 100_000); index++) {
    if (bytes[index] > 127) length++
    else if (length) {
      runs++
      odd += length % 2
      length = 0
    }
  }
  // Both bytes of a common Chinese character are above 127, so most runs are even; accented letters mostly come alone.
  return odd * 3 > runs
}

/** The text that bytes encode, in UTF-16 if they begin with its mark, else in UTF-8. @param {Uint8Array} bytes */
function textIn(bytes) {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes)
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes)
  const text = utf8(bytes)
  if (text !== null) return text
  for (const encoding of isWestern(bytes) ? ["windows-1252"] : ["gb18030", "windows-1252"])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {}
  throw new FileRefused(NO_TEXT)
}
