// Puts an expression for the shape or the size of a tensor and its value, which Python prints below it,
// on one line, as a list of tensors has them. Otherwise the value would be read alone.

/** An expression for a shape or a size, perhaps after a prompt or within print(), and its value on the next line. */
const EXPRESSION_AND_VALUE =
  /^[ \t]*(?:>>> ?|In ?\[[0-9]{0,4}\]: ?)?(?:print\()?(?:model\.)?([A-Za-z_]\w*(?:\.\w+|\[[0-9]{1,3}\]){1,12})\.(?:shape|(?:size|numel|nelement)\(\))\)?[ \t]*\n(?:Out ?\[[0-9]{0,4}\]: ?)?[ \t]*((?:torch\.Size|TensorShape)\(\[[^\]\n]{0,80}\]\)|[0-9][0-9,_]*)[ \t]*$/gm

/** The text with the name of each tensor in such an expression and the value on one line, and with a dot before the
 * number of a layer. An empty line replaces that of the value, so that all other lines keep their numbers.
 * @param {string} text */
export const withTensorsOnLines = (text) =>
  text.replace(EXPRESSION_AND_VALUE, (_, path, value) => `${path.replace(/\[([0-9]+)\]/g, ".$1")} ${value}\n`)
