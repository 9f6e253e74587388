// Splits joint projections. Torch's MultiheadAttention and many custom models keep the matrices of
// query, key and value in one, which has the rows of all three. Only names that no counted
// architecture has are split, because some counted ones, such as ModernBERT, have joint matrices
// themselves.

import { asPrintedName } from "./names.js"
import { textRow } from "./text-row.js"

/** The name of a joint projection's weight or bias: the module that holds it, and the kind of tensor. */
const JOINT =
  /^(.*?)(?:in_proj_|(?:w?qkv|[ct]_attn|query_key_value|in_proj|to_qkv|attn_qkv)(?:_proj)?\.)(weight|bias)$/i
const PARTS = ["query", "key", "value"]

/** The rows of query, key and value if a row is their joint projection; otherwise the row itself.
 * @param {TextRow} row */
function partsOf(row) {
  const { name, shape, low, high, stated } = row
  const [, module, tensor] = JOINT.exec(name) ?? []
  if (!tensor || low === null || low !== high || low % PARTS.length || asPrintedName(name)) return [row]
  // PyTorch puts the outputs first, and OpenAI's code the inputs.
  const jointIndex =
    shape?.findIndex((size, index) => size === PARTS.length * (shape[1 - index] ?? size / PARTS.length)) ?? 0
  if (shape && (jointIndex < 0 || (stated !== null && stated !== low))) return [row]
  const count = low / PARTS.length
  return PARTS.map((part) =>
    textRow(row.line, {
      ...row,
      name: `${module}${part}.${tensor}`,
      shape: shape?.map((length, index) => (index === jointIndex ? length / PARTS.length : length)) ?? null,
      low: count,
      high: count,
      stated: stated === null ? null : count,
    }),
  )
}

/** The rows, with joint projections of query, key and value split into their parts. @param {TextRow[]} rows */
export const withSplitProjections = (rows) => rows.flatMap(partsOf)
