// Joins the parts of names, such as those of tensors, models and settings, into one word, as
// the search index has them, so that a name finds the page about it rather than pages on
// which its parts occur. `macros/publish/search.py` does the same for the index.

// The beginning of a name: the encoder, and the modules around the model, which depend on class and library.
const OUTER_MODULES =
  /^(?:(?:params|module|model|base_model|bert|encoder)[./])+(?=(?:embeddings|encoder|layer(?:_[\d*]+)?|pooler)[./])/
/** A name of several parts, with dots, slashes, hyphens or underscores between them. */
const COMPOUND = /^[\p{L}\p{N}_*]+(?:[./-]+[\p{L}\p{N}_*]+|_[\p{L}\p{N}]+)+$/u
const LETTER = /\p{L}/u
/** A number or a star between separators, such as that of a layer. */
const NUMBERED_PART = /(?<![\p{L}\p{N}])[\d*]+(?![\p{L}\p{N}])/gu

/** The parts of a name joined into one word, with 0 for numbers, because the names of all layers lead to the same
 * page; "" for a text with only one part. Dots stay different from other separators, since only PyTorch has them.
 * @param {string} text  in lower case */
export function compound(text) {
  if (!COMPOUND.test(text) || !LETTER.test(text)) return ""
  const name = text.replace(OUTER_MODULES, "").replace(NUMBERED_PART, "0")
  return `_${name.replace(/[_/-]+/g, "_").replaceAll(".", "·")}`
}
