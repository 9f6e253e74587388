// Finds the models, classes, parts and purposes that a text names. The name of a model may be the
// one on the hub, that of a checkpoint of the same sizes, or a common one, such as "BERT large". An
// unknown name on the hub is taken for the model whose name it begins with, but only if the rest
// says what that model was trained for: dbmdz/bert-base-german-cased is not BERT base.

import exported from "../../../data/reading.js"
import table from "../../../data/table.js"
import { classes, getOrMake, lazily } from "../../counting/engine.js"
import { modelsByUse } from "../../explaining/ways.js"
import { phraseFinder, withoutSeparators } from "./phrases.js"

const { models: nicknames, others: otherNicknames, foreign, totals, parts, purposes } = exported.labels

/** The meaning of a name: models that we count, the likeliest first; models whose totals are all that we know
 * (`others`); or neither, if the model is unknown or `isForeign`, a known model that is no relative of BERT.
 * @typedef {Pick<Mention, "models" | "others" | "isForeign">} MeaningOfName */

/** @type {MeaningOfName} */
const UNKNOWN = { models: [], others: [], isForeign: false }

/** A mention of these models that does not come from words in the text. @param {string[]} names @returns {Mention} */
export const mentionOf = (names) => ({ ...UNKNOWN, models: names, start: 0, end: 0, text: "" })

/** A title as our pages show it, and without its commas, as people write it in a sentence. @param {string} title */
const spellingsOf = (title) => [...new Set([title, title.replace(/,/g, "")])]

/** The names with their meanings. If a name has several, the first counts.
 * @returns {[name: string, meaning: Partial<MeaningOfName>][]} */
const meaningsOfNames = () => [
  ...Object.entries(nicknames).map(([name, models]) => pairOf(name, { models })),
  ...table.models.map(({ name }) => pairOf(name, { models: [name] })),
  ...Object.entries(otherNicknames).map(([name, others]) => pairOf(name, { others })),
  ...Object.entries(totals).flatMap(([name, { title }]) =>
    [name, ...spellingsOf(title)].map((text) => pairOf(text, { others: [name] })),
  ),
  ...foreign.map((name) => pairOf(name, { isForeign: true })),
  // Many models have the title "BERT miniature".
  ...table.models.flatMap(({ name, title, also = [] }) =>
    title === "BERT miniature" ? [] : [...spellingsOf(title), ...also].map((text) => pairOf(text, { models: [name] })),
  ),
]

/** A name with its meaning. @param {string} name @param {Partial<MeaningOfName>} meaning
 * @returns {[name: string, meaning: Partial<MeaningOfName>]} */
const pairOf = (name, meaning) => [name, meaning]

/** The meaning of each name, by the name without separators. */
const meanings = lazily(() => {
  /** @type {Map<string, MeaningOfName>} */
  const meaningsByName = new Map()
  for (const [name, meaning] of meaningsOfNames())
    getOrMake(meaningsByName, withoutSeparators(name), () => ({ ...UNKNOWN, ...meaning }))
  return meaningsByName
})

/** A function that finds the names of models in a text. */
const findModels = lazily(() =>
  phraseFinder(
    meaningsOfNames().map(([name]) => [name, "model"]),
    true,
  ),
)
/** The end of the words for a part that every layer has. */
export const IN_LAYERS = / in (?:one layer|all layers)$/

/** The phrases with which our pages name parts, without an article and the number of layers, each with the site's full
 * words for the part.
 * @returns {[phrase: string, words: string][]} */
const ownWordsForParts = () =>
  table.explanations.parts.flatMap(({ words, share }) => {
    const part = words.replace(IN_LAYERS, "")
    const phrase = part.replace(/^the /, "")
    return share ? [] : [phrase, phrase.replace(/ in the model$/, "")].map((text) => [text, part])
  })

/** A function that finds the names of parts in a text, with the site's words for them as roles. */
const findParts = lazily(() => phraseFinder([...Object.entries(parts), ...ownWordsForParts()]))
/** A function that finds the words for purposes in a text, with the endings of their classes as roles. */
const findPurposes = lazily(() => phraseFinder(Object.entries(purposes)))

/** A name on the hub: words joined by hyphens or underscores, perhaps after an organisation. */
const HUB_NAME = /(?<![\w./-])(?:[A-Za-z0-9][\w.-]*\/)?[A-Za-z][A-Za-z0-9.]*(?:[-_][A-Za-z0-9.]+)+(?![\w/-])/g
/** The ending of the name of a file with weights. */
const FILE_ENDING = /\.(?:ckpt|bin|pth?|safetensors|h5|onnx|tflite|gguf|msgpack|npz|zip|tar|tgz)(?![A-Za-z]).*$/i
/** The names of model families, as parts of longer names. */
const FAMILY = /bert|gpt|roberta|electra|llama|t5|minilm|mpnet|xlm|deberta|e5|bge/i
/** A class in transformers. */
const CLASS =
  /(?<![A-Za-z])(?:TF|Flax|Peft|Auto)?(?:[A-Z][A-Za-z0-9]*)?(?:Model(?:For[A-Z][A-Za-z]+)?|For[A-Z][A-Za-z]+|LMHeadModel)(?![A-Za-z])/g

/** An ending that shows that a model was trained further, and so has the sizes of its base. */
const FINE_TUNED =
  /^[-_](?:finetun|fine-tun|squad|sst|mnli|snli|nli|ner|conll|emotion|sentiment|mrpc|qqp|cola|imdb|qa|agnews|classif|toxic|distilled|msmarco)/i

/** The meaning of the name with which a name on the hub begins, if the rest only says what the model was trained for;
 * otherwise undefined.
 * @param {string} name */
function baseOf(name) {
  const end = [...name.matchAll(/[-_]/g)].map(({ index }) => index).find((index) => FINE_TUNED.test(name.slice(index)))
  return end === undefined ? undefined : meanings().get(withoutSeparators(name.slice(0, end)))
}

/** The models that a text names, in order. @param {string} text @returns {Mention[]} */
export function modelsIn(text) {
  const phrases = findModels()(text)
  // "DeBERTa-v3" in "DeBERTa-v3 xsmall" only begins a longer name.
  const isInPhrase = (/** @type {number} */ start, /** @type {number} */ end) =>
    phrases.some((phrase) => phrase.start <= start && phrase.end >= end && phrase.end - phrase.start > end - start)
  /** @type {Mention[]} */
  const hubMentions = [...text.matchAll(HUB_NAME)].flatMap(({ index, 0: match }) => {
    if (isInPhrase(index, index + match.length)) return []
    const name = match.replace(/^.*\//, "").replace(FILE_ENDING, "").replace(/\.$/, "")
    const meaning = meanings().get(withoutSeparators(name)) ?? meanings().get(withoutSeparators(match))
    const span = { start: index, end: index + match.length, text: match }
    if (meaning) return [{ ...meaning, ...span }]
    const base = baseOf(name)
    if (base) return [{ ...base, ...span }]
    // Files and the functions and variables of programs also have such names.
    if (/^tf_|_for_|_model$/i.test(name) || FILE_ENDING.test(match)) return []
    const isId = match.includes("/") || (name.match(/-/g) ?? []).length > 1
    return isId && FAMILY.test(name) && !/param|layer|head|hidden|train/i.test(name) ? [{ ...UNKNOWN, ...span }] : []
  })
  const isInHubName = (/** @type {{ start: number, end: number }} */ span) =>
    hubMentions.some(({ start, end }) => span.start < end && span.end > start)
  const otherMatches = phrases
    .filter((span) => !isInHubName(span) && (!namesNoModel(text, span) || hasVersion(text, span)))
    .map(({ start, end, text: words }) => {
      const meaning = meanings().get(withoutSeparators(words)) ?? UNKNOWN
      // A size after a name, such as 7B, belongs to the name.
      const [size = ""] = SIZE_IN_NAME.exec(text.slice(end)) ?? []
      return { ...meaning, start, end: end + size.length, text: words + size }
    })
  const namedMentions = [...hubMentions, ...otherMatches].sort((one, other) => one.start - other.start)
  return withSizesAlone(text, namedMentions)
}

/** A word for the size of a model, or for its casing, without the name of its family. */
const SIZE_ALONE = /(?<![\w./-])(?:tiny|mini|small|medium|base|large|xlarge|xxlarge|uncased|cased)(?![\w/-]|\.\w)/gi
/** A number before a size, and the words between them. */
const NUMBER_BEFORE_SIZE = /[0-9]\s?(?:[MB]|million|billion)?\s(?:param(?:eter)?s\s)?(?:for|in|with|as)\s(?:the\s)?$/i
/** The text between a size and the number after it, with the first digit of that number. */
const BETWEEN_SIZE_AND_NUMBER =
  /^(?:\s*(?:discriminator|generator|version|variant|model|one|is|has|have|with|about|around|approximately|approx\.?|roughly|hat|etwa|tiene|a|environ|は|が|有|为|為|是|约|約)(?![a-z])){0,4}[\s:=~≈(–—-]{0,4}[0-9]/i
/** The size in the name of a model. */
const SIZE_OF_NAME = /(?:base|large)/i
/** The name of a model up to its size. */
const FAMILY_BEFORE_SIZE = /^.*?(?=[\s_-]?(?:tiny|mini|small|medium|base|x*large)(?![a-z]))/i
/** The words after which a size only describes a model: "BERT is a large model". */
const DESCRIBING = /\b(?:an?|is|are|very|so|too|as|how|quite|more|ein|eine|un|une|uno?)\s+$/i
const MAX_GAP = 60 // characters between a size and its number

/** The mentions, and sizes alone as mentions of another model in the family that was named last: in "BERT-base has 110M
 * parameters, large 340M", the second is BERT large.
 * @param {string} text @param {Mention[]} mentions  in order @returns {Mention[]} */
function withSizesAlone(text, mentions) {
  const sizeMentions = [...text.matchAll(SIZE_ALONE)].flatMap(({ index: start, 0: size }) => {
    const end = start + size.length
    if (mentions.some((mention) => mention.start < end && mention.end > start)) return []
    if (DESCRIBING.test(text.slice(Math.max(0, start - MAX_GAP), start))) return []
    const isBesideNumber =
      BETWEEN_SIZE_AND_NUMBER.test(text.slice(end, end + MAX_GAP)) ||
      NUMBER_BEFORE_SIZE.test(text.slice(Math.max(0, start - MAX_GAP), start))
    if (!isBesideNumber) return []
    const previousMention = mentions.filter((mention) => mention.end <= start).at(-1)
    const [family] = FAMILY_BEFORE_SIZE.exec(previousMention?.text ?? "") ?? []
    const [sameSize = ""] = /cased$/i.test(size) ? (SIZE_OF_NAME.exec(previousMention?.text ?? "") ?? []) : []
    const meaning = family && meanings().get(withoutSeparators(`${family.replace(/^.*\//, "")} ${sameSize} ${size}`))
    return meaning ? [{ ...meaning, start, end, text: `${family} ${size}` }] : []
  })
  return [...mentions, ...sizeMentions].sort((one, other) => one.start - other.start)
}

/** A version and a size that follow the name of a model, as in Qwen2.5-0.5B. */
const SIZE_IN_NAME =
  /^(?:[0-9](?:\.[0-9]+)?(?![0-9,.]*[0-9]{2}))?(?:[\s-]?[0-9]+(?:\.[0-9]+)?[bB](?!\w))?(?:-[A-Za-z]+)*(?!\w)/

/** Whether the name of a model that is not counted is followed by a version. @param {string} text
 * @param {{ start: number, end: number, text: string }} span */
const hasVersion = (text, { start, end, text: words }) =>
  meanings().get(withoutSeparators(words))?.isForeign === true &&
  !/[A-Za-z0-9_]$/.test(text.slice(0, start)) &&
  /^[0-9]/.test(text.slice(end))

/** Names of models that are also ordinary words, or parts of such words, in lower case. */
const COMMON_WORDS = new Set([
  "opt",
  "sam",
  "yi",
  "flux",
  "bart",
  "vit",
  "dino",
  "palm",
  "bloom",
  "beto",
  "clip",
  "whisper",
])

/** Whether words that look like the name of a model are something else: an ordinary word, part of a longer name or of a
 * class, such as BERT in BertModel, or a library with a function that is called, such as Flux.params(model).
 * @param {string} text @param {{ start: number, end: number, text: string }} span */
const namesNoModel = (text, { start, end, text: words }) =>
  /[A-Za-z0-9_]$/.test(text.slice(0, start)) ||
  /^(?:[A-Za-z0-9]|_[a-z]|\.\w+\()/.test(text.slice(end)) ||
  COMMON_WORDS.has(words)

/** The name of the model that a text mentions first, or of the usual one if it mentions none; "" if the first one is
 * not counted.
 * @param {string} text */
export function nameOfModel(text) {
  const [mention] = modelsIn(text)
  return (mention ? mention.models[0] : modelsByUse[0].name) ?? ""
}

/** The name of the only model that a text mentions, or of the usual one if it mentions none; "" if it mentions several,
 * or one that is not counted.
 * @param {Mention[]} mentions */
export function nameOfOnlyModel(mentions) {
  const [mention, ...others] = mentions
  if (!mention) return modelsByUse[0].name
  return others.length ? "" : (mention.models[0] ?? "")
}

/** The classes in transformers that a text names. `modelClass` is null for a class that we do not count, and `ending`
 * is the ending of its name, such as ForTokenClassification. @param {string} text */
export const classesIn = (text) =>
  [...text.matchAll(CLASS)].map(({ index, 0: match }) => {
    const name = match
      .replace(/^(?:TF|Flax|Peft)/, "")
      .replace(/^ModelFor/, "For")
      .replace(/^AutoModelFor/, "For")
    const modelClass = /** @type {Map<string, ModelClass>} */ (classes).get(name)
    return {
      name,
      modelClass: modelClass ?? null,
      ending: /For[A-Z][A-Za-z]*$/.exec(name)?.[0] ?? "",
      start: index,
      end: index + match.length,
    }
  })

const BERT = table.architectures[0].name

/** The mentions of models by classes such as RobertaModel: the most used model of each class's architecture. None if
 * all these classes are BERT's, because BERT is meant without any mention.
 * @param {ReturnType<typeof classesIn>} classesInText @returns {Mention[]} */
export function mentionsByClass(classesInText) {
  const mentions = classesInText.flatMap(({ modelClass, start, end, name }) => {
    const model = modelsByUse.find(({ architecture }) => architecture === modelClass?.architecture)
    return model ? [{ ...mentionOf([model.name]), start, end, text: name, architecture: model.architecture }] : []
  })
  const isOfBertAlone = mentions.every(({ architecture }) => architecture === BERT)
  return isOfBertAlone ? [] : mentions.map(({ architecture: _, ...mention }) => mention)
}

/** The name of a function before its brackets, whose words name no part: from_encoder_decoder_pretrained(...). */
const CALL = /(?<![A-Za-z0-9_])[A-Za-z]+_\w{1,80}(?=\()/g

/** A word that, before "embeddings" or "table", names an embedding table. */
const TABLE = String.raw`(?:words?|tokens?(?:[\s-]types?)?|positions?|positional|segments?)`
/** Tables that share their noun: the first two of "token, position and segment embeddings". */
const TABLES_WITH_ONE_NOUN = new RegExp(
  String.raw`\b(?<tables>(?:${TABLE}(?:,\s(?:and\s)?|\s(?:and|or|&|\+|plus)\s))+)(?=${TABLE}\s(?:embeddings?|tables?)\b)`,
  "gi",
)

/** The names of tables whose noun is that of a later one. @param {string} text */
const tablesBeforeNoun = (text) =>
  [...text.matchAll(TABLES_WITH_ONE_NOUN)].flatMap(({ index, 0: tables }) =>
    [...tables.matchAll(new RegExp(TABLE, "gi"))].flatMap((table) => {
      const [start, name] = [index + table.index, table[0].replace(/(?<=token|word|segment|position|type)s$/i, "")]
      const [part] = findParts()(`${name} embeddings`)
      return part ? [{ start, end: start + table[0].length, text: table[0], words: part.role }] : []
    }),
  )

/** The parts that a text names, with their places and the site's words for them. @param {string} text */
export const partsIn = (text) =>
  [
    ...tablesBeforeNoun(text),
    ...findParts()(text.replace(CALL, (name) => " ".repeat(name.length))).map(({ start, end, text: words, role }) => ({
      start,
      end,
      text: words,
      words: role,
    })),
  ].sort((one, other) => one.start - other.start)

/** The endings of the classes for the purposes that a text names, such as ForTokenClassification.
 * @param {string} text */
export const purposesIn = (text) => findPurposes()(text).map(({ role, start, end }) => ({ ending: role, start, end }))

/** Whether a mention is just "BERT", without a size. @param {Mention} mention */
export const isGeneric = ({ text }) => /^bert$/i.test(text)
