// Sentences: what an explanation says, in the words of a good teacher.
// In all that follows, `each` is an explanation, and `chosen` the name of the
// model that the reader chose, or "".

import table from "../../data/table.js"
import { inOrder } from "../counting/bridge.js"
import { classes, classOfBare, deviations, models, noun, resized, whole } from "../counting/engine.js"
import { code, link, listed, number } from "./elements.js"

const { pages } = table.explanations

/** @param {Explanation} each @param {string} chosen */
const modelOf = (each, chosen) => models.get(each.models.includes(chosen) ? chosen : each.models[0])
/** @param {Explanation} each */
const classOf = (each) => each.classes[0] ?? "BertModel"
/** @param {Explanation} each @param {string} chosen */
const modelLink = (each, chosen) => link(modelOf(each, chosen).page, modelOf(each, chosen).title)
/** @param {Explanation} each @param {string} chosen */
const where = (each, chosen) => [modelLink(each, chosen), ...forPurpose(classOf(each))]
/** A class by its name, and what it is for where it has a head. @param {string} name @returns {Content[]} */
function forPurpose(name) {
  const { purpose, architecture } = classes.get(name)
  return [" (", code(name), name === classOfBare(architecture) ? ")" : `, ${purpose})`]
}
/** @param {Explanation} each @param {string} chosen */
const isBert = (each, chosen) => modelOf(each, chosen).architecture === table.models[0].architecture

/** What was done, as the end of "if you". @param {string[]} mistakes @param {Sizes} sizes */
const done = (mistakes, sizes) =>
  listed(
    inOrder(mistakes)
      .map((name) => deviations.get(name))
      .map((each) => each.done + taken(each, sizes)),
  ).join("")

/** The size that is taken and the one that it stands for. @param {Deviation} each @param {Sizes} sizes */
const taken = (each, sizes) =>
  each.letter
    ? ` (${each.letter} = ${whole(resized(sizes, [each])[each.letter])} instead of ${whole(sizes[each.letter])})`
    : ""

/** The clause with what was done, and the same done otherwise where that gives the same number.
 * @param {Explanation} each @param {string} chosen @param {Explanation[]} alike */
function condition(each, chosen, alike = []) {
  if (!each.mistakes.length) return ""
  const ways = [each, ...alike].map(({ mistakes }) => done(mistakes, modelOf(each, chosen).sizes))
  return ` if you ${ways.length > 1 ? `either ${ways.join(", or ")}` : ways[0]}`
}

/** @type {Record<string, [one: string, many: string]>} */
const NOUNS = {
  L: ["layer", "layers"],
  V: ["token in the vocabulary", "tokens in the vocabulary"],
  P: ["position", "positions"],
  S: ["segment", "segments"],
  F: ["inner unit in the feed-forward network", "inner units in the feed-forward network"],
}

/** @param {Explanation} each @param {string} chosen */
function otherSize(each, chosen) {
  const [letter, value] = Object.entries(each.sizes)[0]
  return ` with ${whole(value)} ${noun(value, ...NOUNS[letter])} instead of ${whole(modelOf(each, chosen).sizes[letter])}`
}

/** What comes before an explanation that may be chance. @param {Explanation} each */
const perhaps = ({ confidence }) => (confidence === "possible" ? "This may be a coincidence, but " : "")
/** @param {Explanation} each */
const would = (each) => (perhaps(each) ? `${perhaps(each)}you would get ` : "You would get ")

/** @param {Part} part @param {number} layers  how many of them are meant, or 0 */
const wordsOf = ({ words }, layers) =>
  layers
    ? words
        .replace("in one layer", `in ${layers} layers`)
        .replace(/one encoder layer without its/, `${layers} layers without their`)
        .replace("one encoder layer", `${layers} layers`)
    : words

/** @param {Explanation} each */
const partLinks = ({ parts, layers }) => parts.map((part) => link(part.page, wordsOf(part, layers)))

/** @param {Explanation} each @param {string} chosen */
const partsOf = (each, chosen) => [
  ...(each.parts.length > 1 ? ["either ", ...listed(partLinks(each), "or")] : partLinks(each)),
  " of ",
  modelLink(each, chosen),
]

/** What a right number counts. @param {Explanation} each @param {string} chosen */
const counted = (each, chosen) =>
  each.parts.length
    ? ["the size of ", ...partsOf(each, chosen)]
    : ["the number of parameters in ", ...where(each, chosen)]

const SLIPS = {
  swapped: "with two digits swapped",
  wrong: "with one digit wrong",
  missing: "with a digit missing",
  doubled: "with a digit doubled",
  extra: "with a digit too many",
  one: "off by one",
  "": "",
}

/** @param {Explanation} each */
function bytesOf({ dtype, width }) {
  if (dtype === "float32 with buffers")
    return [
      "4 bytes each (",
      code("float32"),
      "), and the two buffers of ",
      code("int64"),
      " numbers, as accelerate counts",
    ]
  if (dtype === "dynamic int8")
    return [
      "with the matrices of dense layers at 1 byte and everything else at 4 (dynamic ",
      code("int8"),
      " quantisation)",
    ]
  const kept = width / table.dtypes[dtype]
  const what = kept === 3 ? ", with Adam's moments" : kept === 4 ? ", with gradients and Adam's moments" : ""
  return [`${whole(width)} ${noun(width, "byte")} each (`, code(dtype), what, ")"]
}

/** @param {Explanation} each */
const parametersOf = ({ number: bytes, frame, width }) => (bytes - frame) / width

const NOT_BERT = ", which is not BERT."

/** @type {Record<ExplanationKind, (each: Explanation, chosen: string, alike: Explanation[], is: string) => Content[]>} */
const SENTENCES = {
  total(each, chosen, alike, is) {
    if (each.mistakes.length) {
      const not = isBert(each, chosen) ? "" : ", which is not BERT,"
      return [
        would(each),
        number(each.number),
        " for ",
        ...where(each, chosen),
        not,
        condition(each, chosen, alike),
        ".",
      ]
    }
    return [
      number(each.number),
      is,
      "the number of parameters in ",
      ...where(each, chosen),
      isBert(each, chosen) ? "." : NOT_BERT,
    ]
  },
  size: (each, chosen) =>
    [
      would(each),
      number(each.number),
      " for ",
      ...where(each, chosen),
      otherSize(each, chosen),
      each.mistakes.length ? [",", condition(each, chosen).replace(" if you", " if you also")] : "",
      ".",
    ].flat(),
  labels: (each, chosen, _, is) => [
    ...(each.mistakes.length
      ? [would(each), number(each.number), " for "]
      : [number(each.number), is, "the number of parameters in "]),
    ...where(each, chosen),
    ` with ${whole(each.labels)} ${noun(each.labels, "label")}`,
    condition(each, chosen),
    ".",
  ],
  part: (each, chosen, _, is) =>
    each.mistakes.length
      ? [would(each), number(each.number), " for ", ...partsOf(each, chosen), condition(each, chosen), "."]
      : [number(each.number), is, "the size of ", ...partsOf(each, chosen), "."],
  tensors: (each, chosen) => [
    number(each.number),
    " counts the ",
    link(pages.tensors, "tensors"),
    " of ",
    ...where(each, chosen),
    ", not its parameters.",
  ],
  memory(each, chosen) {
    const parameters = each.width
      ? [number(parametersOf(each)), ` ${noun(parametersOf(each), "parameter")} of `]
      : ["the parameters of "]
    const file = each.frame
      ? [", and ", number(each.frame), ` ${noun(each.frame, "byte")} of a file's names and frame`]
      : []
    const unit = each.unit > 1 ? [", ", link(pages.memory, "divided"), ` by ${whole(each.unit)}`] : []
    return [
      perhaps(each),
      number(each.number),
      ` ${noun(each.number, "byte is", "bytes are")} `,
      ...parameters,
      ...where(each, chosen),
      ", ",
      ...bytesOf(each),
      ...file,
      ...unit,
      each.mistakes.length ? `,${condition(each, chosen)}` : "",
      ".",
    ]
  },
  other: (each, _, __, is) => [
    number(each.number),
    is,
    "the number of parameters in ",
    each.terms[0].words,
    " (",
    code(each.classes[0]),
    ")",
    NOT_BERT,
  ],
  difference(each, _, __, is) {
    const [one, two] = each.terms
    if (!two)
      return [
        number(each.number),
        `${is}${whole(one.times)} times the number of parameters in `,
        link(one.page, one.words),
        ".",
      ]
    return two.times < 0
      ? [
          number(each.number),
          is,
          "the difference between ",
          link(one.page, one.words),
          " and ",
          link(two.page, two.words),
          ".",
        ]
      : [number(each.number), is, "the sum of ", link(one.page, one.words), " and ", link(two.page, two.words), "."]
  },
  training: (each, _, __, is) => [perhaps(each), number(each.number), `${is}${each.words}.`],
  share: ({ terms: [part, total] }) =>
    part.number > total.number
      ? [
          number(part.number),
          " / ",
          number(total.number),
          ` = ${(part.number / total.number).toFixed(2)}: `,
          link(part.page, part.words),
          " has that many times the parameters of ",
          link(total.page, total.words),
          ".",
        ]
      : [
          number(part.number),
          " / ",
          number(total.number),
          " gives this share: ",
          link(part.page, part.words.replace(` in ${total.words}`, "")),
          " in ",
          link(total.page, total.words),
          ".",
        ],
  near(each, chosen) {
    const away = whole(Math.abs(each.rest))
    if (each.slip) {
      const typed = number(each.number + each.rest)
      return [
        typed,
        " looks like ",
        number(each.number),
        ` ${SLIPS[each.slip]}: that is `,
        ...counted(each, chosen),
        `, ${away} away.`,
      ]
    }
    return [
      each.nearest ? "The nearest right number is " : "Near it is ",
      number(each.number),
      `, ${away} away: `,
      ...counted(each, chosen),
      ".",
    ]
  },
}

/** @param {Explanation} each @param {string} chosen @param {Explanation[]} alike  ways that are about as likely and give the same
 * @param {boolean} also  whether something else has been said of the number before */
const sentence = (each, chosen, alike = [], also = false) =>
  SENTENCES[each.kind](each, chosen, alike, also ? " is also " : " is ")

export { classOf, modelOf, parametersOf, sentence, wordsOf }
