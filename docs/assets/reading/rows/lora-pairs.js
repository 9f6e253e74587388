// Finds the LoRA matrices that a text lacks. LoRA gives each module that it adapts a matrix A and a matrix B. If
// only one of them has a row, the other is missing, and its size is that of the same matrix in another layer.

import { withoutLayerNumbers } from "./names.js"

/** A matrix of LoRA that a text lacks, and its number of elements.
 * @typedef {{ name: string, elements: number }} MissingMatrix */

/** The part of a name that says which of LoRA's matrices it is. */
const MATRIX = /\.lora_(?:embedding_)?([AB])(?=\.|$)/
/** The other matrix of a pair. @type {Record<string, string>} */
const PARTNERS = { A: "B", B: "A" }

/** The name of the other matrix of a pair. @param {string} name */
const partnerOf = (name) => name.replace(MATRIX, (part, letter) => part.slice(0, -1) + PARTNERS[letter])

/** The matrices that a text lacks although it has their partners and the same matrices in another layer.
 * @param {AlignedRow[]} rows @returns {MissingMatrix[]} */
export function missingMatricesOf(rows) {
  const matrices = rows.map(({ text }) => text).filter(({ name, low, high }) => MATRIX.test(name) && low === high)
  const names = new Set(matrices.map(({ name }) => name))
  const elementsByName = new Map(matrices.map(({ name, low }) => [withoutLayerNumbers(name), low ?? 0]))
  return matrices.flatMap(({ name }) => {
    const partner = partnerOf(name)
    const elements = elementsByName.get(withoutLayerNumbers(partner))
    return names.has(partner) || !elements ? [] : [{ name: partner, elements }]
  })
}
