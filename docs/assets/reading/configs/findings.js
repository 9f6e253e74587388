// Findings on a configuration: for example, on its class, on unknown, missing and repeated
// keys, on other checkpoints with the same sizes, and on numbers in the text around it.

import { note, publishedModels } from "../../counting/configuration.js"
import { architectures, classOfBare, defaultChoices } from "../../counting/engine.js"
import { numberOfDigits } from "../../explaining/read.js"
import { modelsByUse } from "../../explaining/ways.js"
import { code, enumeration, finding, linkTo, words } from "../words.js"
import { maxLengthKeyIn } from "./entries.js"
import { DEFAULTS } from "./keys.js"
import { linesOfClasses, totalIn } from "./model-account.js"
import { cutForQuote, MAX_KEYS } from "./refusals.js"

/** @typedef {import("./text.js").ConfigText} ConfigText */

/** The weight of the finding on defaults. */
export const DEFAULTS_WEIGHT = 40

const MAX_CHECKPOINTS = 4 // the maximum number of checkpoints that a sentence names
const MAX_VALUE_LENGTH = 30 // the maximum number of characters of a value that is quoted
const MAX_REST_LENGTH = 20_000 // characters; a longer text around a configuration is not searched for totals
const MAX_TOTALS = 3 // the maximum number of totals, and of wrong totals, that findings are about

/** A whole number of at least five digits, or one with thousands separators. */
const NUMBER = /\b[0-9]{1,3}(?:[,_. ][0-9]{3}){1,4}\b|\b[0-9]{5,15}\b/g

/** A finding on the class: that it is unknown, that the text names none, or, for a class with a head, the total of the
 * bare model; empty for the bare class, and if that total is too large to be counted exactly.
 * @param {ConfigText} config @param {Configuration} configuration
 * @param {string} modelClass  the class that is counted
 * @param {string} namedClass  the counted class that the text names; "" if it names none
 * @param {string} uncountedClass  a class in the text that is not counted; "" if there is none @returns {Finding[]} */
export function classFindings(config, configuration, modelClass, namedClass, uncountedClass) {
  if (uncountedClass) {
    const className = code(cutForQuote(uncountedClass))
    return [
      finding(
        60,
        words`It names ${className}, a class that we do not know. We count ${code(modelClass)}, and whatever else ${className} has is missing here.`,
      ),
    ]
  }
  const bare = classOfBare(configuration.architecture)
  if (namedClass && namedClass !== bare) {
    const total = totalIn(configuration, bare)
    return total === null
      ? []
      : [
          finding(
            20,
            words`It ${config.builtClass ? "builds" : "names"} ${code(namedClass)}; the bare ${code(bare)} has ${total}.`,
          ),
        ]
  }
  return namedClass ? [] : [finding(20, words`It names no class, so this is the bare model.`)]
}

/** The finding that a text names several classes of the architecture. @param {string[]} names */
export const findingOnClasses = (names) =>
  finding(
    60,
    words`Your text names several classes, ${enumeration(names.slice(0, MAX_KEYS).map((name) => code(name)))}; this is the bare model.`,
  )

/** Findings on the keys, on code that cannot be read, on a config that is cut off, and on further configs.
 * @param {ConfigText} config @param {Map<string, unknown>} entries @param {string[]} defaultKeys
 * @param {string[]} unknownKeys @param {string} type @returns {Finding[]} */
export function keyFindings(config, entries, defaultKeys, unknownKeys, type) {
  const { isCut, repeatedKeys, furtherConfigs, unreadCode = [] } = config
  const findings = []
  const maxLengthKey = maxLengthKeyIn(config.entries)
  if (maxLengthKey && !entries.has(maxLengthKey))
    findings.push(finding(50, words`We take ${code(maxLengthKey)} to be the number of positions.`))
  if (unknownKeys.length) {
    const keys = enumeration(unknownKeys.slice(0, MAX_KEYS).map((key) => code(cutForQuote(key))))
    const moreKeys = unknownKeys.length > MAX_KEYS ? words` and ${unknownKeys.length - MAX_KEYS} more` : []
    const pronoun = unknownKeys.length === 1 ? "it" : "them"
    findings.push(
      finding(
        50,
        words`We do not know ${keys}${moreKeys}; no class of transformers itself takes a size from ${pronoun}.`,
      ),
    )
  }
  if (defaultKeys.length && Object.hasOwn(DEFAULTS, type)) {
    const sizes = enumeration(defaultKeys.map((key) => words`${code(key)} = ${DEFAULTS[type][key]}`))
    findings.push(
      finding(DEFAULTS_WEIGHT, words`It does not give every size, so these are transformers' defaults: ${sizes}.`),
    )
  }
  if (isCut) findings.push(finding(55, words`The text ends before the config does, so keys may be missing.`))
  if (repeatedKeys.length) {
    const keysWithValues = enumeration(
      repeatedKeys
        .slice(0, MAX_KEYS)
        .map((key) => words`${code(cutForQuote(key))} (${String(entries.get(key)).slice(0, MAX_VALUE_LENGTH)})`),
    )
    findings.push(
      finding(
        45,
        words`${repeatedKeys.length === 1 ? "A key occurs" : "Several keys occur"} twice with different values; as in Python, the last value counts: ${keysWithValues}.`,
      ),
    )
  }
  if (unreadCode.length) {
    const pieces = enumeration(unreadCode.slice(0, MAX_KEYS).map((piece) => code(cutForQuote(piece))))
    findings.push(
      finding(
        58,
        words`We cannot tell what ${pieces} ${unreadCode.length === 1 ? "sets" : "set"}, so the usual sizes are counted.`,
      ),
    )
  }
  if (furtherConfigs)
    findings.push(finding(45, words`Only the first of the ${furtherConfigs + 1} configs in this text is counted.`))
  return findings
}

/** The names of the choices that differ from an architecture's defaults, such as biases, an untied decoder or
 * cross-attention. The tensors then differ from those of a published model with the same sizes.
 * @param {Configuration} configuration */
export function unusualChoices({ architecture, choices }) {
  const defaults = defaultChoices(architecture)
  return Object.keys(choices).filter((name) => {
    const choice = /** @type {keyof Choices} */ (name)
    return choices[choice] !== defaults[choice]
  })
}

/** Findings on the model: a note on unusual sizes, and other checkpoints with the same sizes.
 * @param {Configuration} configuration @param {string} title @param {Map<string, unknown>} entries
 * @returns {Finding[]} */
export function modelFindings(configuration, title, entries) {
  const findings = []
  const remark = note(configuration)
  if (remark) findings.push(finding(30, words`${remark}.`))
  const [first] = publishedModels(configuration)
  if (title && first?.also && !entries.get("_name_or_path") && !unusualChoices(configuration).length) {
    const checkpoints = enumeration(first.also.slice(0, MAX_CHECKPOINTS).map((name) => code(name)))
    findings.push(finding(10, words`Other checkpoints have the same sizes, such as ${checkpoints}.`))
  }
  return findings
}

/** The finding on the most widely used published model that differs in one size, and on how many parameters that size
 * adds or saves; empty if there is none, for the sizes of a published model, and for choices other than the defaults.
 * @param {Configuration} configuration @param {string} modelClass @param {number} total @returns {Finding[]} */
export function changedSizeFindings(configuration, modelClass, total) {
  const { architecture, sizes } = configuration
  if (publishedModels(configuration).length || unusualChoices(configuration).length) return []
  for (const model of modelsByUse) {
    if (model.architecture !== architecture) continue
    const letters = Object.keys(sizes).filter((letter) => letter !== "C" && sizes[letter] !== model.sizes[letter])
    if (letters.length !== 1) continue
    const [letter] = letters
    const key = architectures.get(architecture).keys[letter]
    const otherTotal = totalIn({ ...configuration, sizes: { ...model.sizes, C: sizes.C } }, modelClass)
    if (otherTotal === null || otherTotal === total) continue
    const change = words`${Math.abs(total - otherTotal)} ${total < otherTotal ? "fewer" : "more"}`
    return [
      finding(
        25,
        words`Only ${code(key)} differs from ${linkTo(model)}: with ${model.sizes[letter]}, ${code(modelClass)} has ${otherTotal} parameters, so ${sizes[letter]} gives ${change}.`,
      ),
    ]
  }
  return []
}

/** The finding on how many parameters an untied decoder adds; empty for a tied one.
 * @param {Configuration} configuration @param {string} modelClass @param {number} total @returns {Finding[]} */
export function untiedFindings(configuration, modelClass, total) {
  if (configuration.choices.tied) return []
  const tiedTotal = totalIn({ ...configuration, choices: { ...configuration.choices, tied: true } }, modelClass)
  if (tiedTotal === null || tiedTotal === total) return []
  return [
    finding(
      25,
      words`With a tied decoder, it would have ${tiedTotal} parameters, so untying adds ${total - tiedTotal}.`,
    ),
  ]
}

/** A number of at least seven digits after words for parameters on its line. */
const LABELLED_NUMBER = /(?:param|numel|total)[^0-9\n]{0,40}([0-9]{1,3}(?:[,_. ][0-9]{3}){2,4}\b|[0-9]{7,15}\b)/gi
const ROUND = 10_000 // a number divisible by this is taken for a rounded one
const MAX_DISTANCE = 0.1 // a number that differs more from the right total, as a share of it, may count a part

/** Findings on numbers around the configuration that seem to be meant as its total but are the total of no class.
 * @param {string} rest @param {string} modelClass @param {number} total @param {Set<number | null>} totals
 * @returns {Finding[]} */
function wrongTotalFindings(rest, modelClass, total, totals) {
  const numbers = [...rest.matchAll(LABELLED_NUMBER)].map(([, text]) => numberOfDigits(text))
  const wrongTotals = [...new Set(numbers)].filter(
    (number) => !totals.has(number) && number % ROUND && Math.abs(number - total) <= MAX_DISTANCE * total,
  )
  return wrongTotals.slice(0, MAX_TOTALS).map((number) => {
    const comparison = words`${Math.abs(number - total)} ${number < total ? "fewer" : "more"}`
    return finding(
      58,
      words`The ${number} beside the config is not the total of ${code(modelClass)}, but ${comparison}.`,
      total - number,
    )
  })
}

/** Findings on numbers around the configuration that are totals of its model, or that should be.
 * @param {ConfigText} config @param {Configuration} configuration @param {string} modelClass @param {number} total
 * @returns {Finding[]} */
export function numberFindings({ rest }, configuration, modelClass, total) {
  if (rest.length > MAX_REST_LENGTH) return []
  const numbers = new Set((rest.match(NUMBER) ?? []).map(numberOfDigits))
  const lines = linesOfClasses(configuration)
  const totals = lines.filter(({ right }) => right !== null && numbers.has(right))
  const rightTotalFindings = [...new Set(totals.map(({ right }) => Number(right)))]
    .slice(0, MAX_TOTALS)
    .map((number) => {
      const classNames = totals.filter(({ right }) => right === number).map(({ source }) => code(source))
      return finding(35, words`The ${number} beside the config is the total of ${enumeration(classNames)}.`)
    })
  const rightTotals = new Set(lines.map(({ right }) => right))
  return [...rightTotalFindings, ...wrongTotalFindings(rest, modelClass, total, rightTotals)]
}
