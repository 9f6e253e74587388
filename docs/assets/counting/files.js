// Locates each tensor of the map, and each of its elements, in the safetensors file of the
// model. The rules are those of macros/counting/frameworks/files.py, and
// tests/scripts/test_drawing.py compares the results. A file consists of a JSON header, which
// states the position of each tensor, and the data of all tensors without gaps.

const FLOAT32_BYTES = 4
const LENGTH_BYTES = 8 // the bytes of the header's stated length; the header is padded to a multiple of this number

/**
 * The file that transformers writes for a bare model in float32: the size of its header, including the stated length,
 * and the position of each tensor relative to the end of the header.
 * @param {Tensor[]} tensors  all tensors of the map
 * @param {Sizes} sizes
 * @returns {TensorFile}
 */
export function fileOf(tensors, sizes) {
  const entries = tensors.flatMap(({ shape, kernel, copies }) => {
    const dimensions = shape.map((axis) => sizes[axis] ?? Number(axis))
    // PyTorch stores the weights of a dense layer as (out, in).
    const fileShape = kernel ? [...dimensions].reverse() : dimensions
    return copies.flatMap(({ file }) => namesOf(file, sizes).map((name) => ({ name, shape: fileShape })))
  })
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  /** @type {Record<string, object>} */
  const header = { __metadata__: { format: "pt" } }
  /** @type {Map<string, number>} */
  const starts = new Map()
  let end = 0
  for (const { name, shape } of entries) {
    const start = end
    end += FLOAT32_BYTES * shape.reduce((product, size) => product * size, 1)
    starts.set(name, start)
    header[name] = { dtype: "F32", shape, data_offsets: [start, end] }
  }
  const paddedLength = LENGTH_BYTES * Math.ceil(JSON.stringify(header).length / LENGTH_BYTES)
  return { headerBytes: LENGTH_BYTES + paddedLength, starts }
}

/**
 * The names of a tensor in the file: a single name, or one per layer.
 * @param {string} file
 * @param {Sizes} sizes
 */
const namesOf = (file, sizes) =>
  file.includes("*") ? Array.from({ length: sizes.L }, (_, layer) => file.replace("*", String(layer))) : [file]

/**
 * The name of a parameter in PyTorch, and the position of its first byte in its tensor and in the file.
 * @param {Tensor} tensor
 * @param {number[]} shape  the shape of the tensor on the map
 * @param {number[]} cell  its row and column on the map, or its position in a vector
 * @param {string} name  the name of the tensor in the file
 * @param {TensorFile} file
 */
export function placeOf({ kernel }, shape, cell, name, { headerBytes, starts }) {
  const [indices, dimensions] = kernel ? [[...cell].reverse(), [...shape].reverse()] : [cell, shape]
  // The elements are stored row by row.
  const inTensor = FLOAT32_BYTES * indices.reduce((before, index, axis) => before * dimensions[axis] + index, 0)
  const start = /** @type {number} */ (starts.get(name))
  return { name: `${name}[${indices.join(", ")}]`, inTensor, inFile: headerBytes + start + inTensor }
}
