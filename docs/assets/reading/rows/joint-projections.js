// Splits joint projections. Torch's MultiheadAttention and many custom models keep the matrices of
// query, key and value in one, which has the rows of all three. Only names that no counted
// architecture has are split, because some of those, such as ModernBERT, join the matrices as well.

import { printedRows } from "./names.js"
import { textRow } from "./text-row.js"

/** The name of a joint projection's weight or bias: the module that holds it, and the kind of tensor. */
const JOINT =
  /^(.*?)(?:in_proj_|(?:w?qkv|[ct]_attn|query_key_value|in_proj|to_qkv|attn_qkv)(?:_proj)?\.)(weight|bias)$/i
const PARTS = ["query", "key", "value"]

/** The rows of the three parts, if a row is a joint projection whose size is three times that of a part; the row itself
 * otherwise.
 * @param {TextRow} row */
function partsOf(row) {
  const { name, shape, low, high, stated } = row
  const [, module, tensor] = JOINT.exec(name) ?? []
  if (!tensor || low === null || low !== high || low % PARTS.length || printedRows(name)) return [row]
  // PyTorch puts the outputs first, and OpenAI's code the inputs.
  const place =
    shape?.findIndex((size, index) => size === PARTS.length * (shape[1 - index] ?? size / PARTS.length)) ?? 0
  if (shape && (place < 0 || (stated !== null && stated !== low))) return [row]
  const size = low / PARTS.length
  return PARTS.map((part) =>
    textRow(row.line, {
      ...row,
      name: `${module}${part}.${tensor}`,
      shape: shape?.map((length, index) => (index === place ? length / PARTS.length : length)) ?? null,
      low: size,
      high: size,
      stated: stated === null ? null : size,
    }),
  )
}

/** The rows, with joint projections of query, key and value split into their parts. @param {TextRow[]} rows */
export const withSplitProjections = (rows) => rows.flatMap(partsOf)
