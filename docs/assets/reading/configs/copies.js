// Rewrites code that copies a configuration under another name as code that changes the configuration itself:
//
//     small = dataclasses.replace(cfg, num_hidden_layers=6)      cfg.update(num_hidden_layers=6)
//     BertModel(small)                                       →   BertModel(cfg)
//
// If the code goes on to use the original name, too, it is left as it is.

const MAX_LENGTH = 10_000 // characters
const MAX_COPIES = 10

/** A statement that copies a configuration: the new name, and the original one in one of three groups. The last of them
 * is for dataclasses.replace or evolve, whose further arguments change the copy. */
const COPY =
  /^[ \t]*([A-Za-z_]\w{0,60})[ \t]*=[ \t]*(?:(?:copy\.)?(?:deep)?copy\([ \t]*(\w{1,60})[ \t]*\)|(\w{1,60})\.(?:copy|model_copy|clone)\([ \t]*\)|(?:(?:dataclasses|attrs?)\.)?(?:replace|evolve)\([ \t]*(\w{1,60})[ \t]*,)/m

/** The text with one name for a configuration and its copies. @param {string} source */
export function withOneName(source) {
  if (source.length > MAX_LENGTH) return source
  let text = source
  for (let count = 0; count < MAX_COPIES; count += 1) {
    const match = COPY.exec(text)
    if (!match) return text
    const { 0: statement, 1: copy, 2: argumentOfCopy, 3: owner, 4: argumentOfReplace, index } = match
    const original = argumentOfCopy ?? owner ?? argumentOfReplace
    const below = text.slice(index + statement.length)
    if (copy === original || wordPattern(original).test(below)) return text
    const change = argumentOfReplace ? `${original}.update(` : ""
    text = `${text.slice(0, index)}${change}${below.replace(wordPattern(copy), original)}`
  }
  return text
}

/** A pattern for a name as a whole word to which no value is assigned. @param {string} name */
const wordPattern = (name) => new RegExp(String.raw`(?<![\w.])${name}(?!\w|\s*=(?!=))`, "g")
