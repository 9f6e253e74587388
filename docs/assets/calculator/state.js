// The state of the calculator: what a reader chose and typed, by the names of
// the fields; what that counts; and how it is written as an address and read
// from one. Texts stay as typed; counting/configuration.js says which of them hold.

import table from "../../data/table.js"
import { CHOICES, LORA, METHODS, totalOf, usualModules, whatIfs as whatIfsOf } from "../counting/changes.js"
import { check, FREE, isMade, listed, ofModel, typed as wholeNumber } from "../counting/configuration.js"
import { classesOf, classOfBare, MOST, models, usualChoices, whole } from "../counting/engine.js"
import { longest } from "../counting/operations.js"
import { cut } from "../counting/short.js"

const FIRST = table.models[0].name
const LONGEST = 60 // characters of a text from an address
export const MOST_BESIDE = 2
const FROZEN = ["embeddings", "all-but-head"]
/** What an address calls a field otherwise, and what its words are in one. @type {Record<string, string>} */
const NAMES = { C: "labels", cross_attention: "cross", B: "texts", T: "tokens" }
/** What is said of no method. */
export const NONE = { rank: "", width: "", modules: "", feedforward: "" }
/** The batch whose operations are counted. */
const BATCH = { B: "1", T: "128" }
const WORDS = { yes: "yes", no: "" }
/** @type {Record<string, Record<string, string>>} */
const BOXES = { pooler: WORDS, tied: WORDS, cross_attention: WORDS, biases: { yes: "", no: "no" } }

// --- Starting ---------------------------------------------------------------

/** Sizes as they are typed. @param {Sizes} sizes */
const asTyped = (sizes) => Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, String(size)]))

/** The fields in which a published model is as published. @param {string} model @param {string} [modelClass] @returns {Fields} */
export function stateOf(model, modelClass) {
  const { sizes, architecture } = models.get(model)
  return {
    ...{ model, ...asTyped(sizes), class: modelClass ?? classOfBare(architecture) },
    ...asFields(usualChoices(architecture)),
    ...{ vocabulary: "", pruned: "", more: "", biases: "", frozen: "", layers: "", from: "" },
    ...{ method: LORA, ...NONE, ...BATCH },
  }
}

/** @param {Choices} choices */
const asFields = (choices) => Object.fromEntries(CHOICES.map((each) => [each, choices[each] ? "yes" : ""]))

/** A configuration as fields, beginning with the published model with the fewest other sizes.
 * @param {Configuration} found @param {string} modelClass */
export function stateOfConfiguration({ architecture, sizes, choices }, modelClass) {
  /** @param {Model} model */
  const differing = (model) => Object.keys(sizes).filter((letter) => sizes[letter] !== model.sizes[letter]).length
  const [nearest] = table.models
    .filter((each) => each.architecture === architecture)
    .sort((one, other) => differing(one) - differing(other))
  return { ...stateOf(nearest.name, modelClass), ...asTyped(sizes), ...asFields(choices) }
}

// --- Counting ---------------------------------------------------------------

/** What a what-if is called in the fields and in an address. @param {{ name: string }} whatIf */
export const nameOf = ({ name }) => name.replace("more-", "")

/** With the sizes of a what-if changed as the what-if changes them.
 * @param {Sizes} sizes @param {Sizes} from @param {Sizes} to */
const moved = (sizes, from, to) =>
  Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, size + to[letter] - from[letter]]))

/** What the fields say: a configuration, and the way to it from the sizes in the fields, change by change; or what is
 * wrong, field by field. @param {Fields} fields @returns {Evaluated} */
export function evaluated(fields) {
  const { configuration: last, vocabulary, errors } = check(fields)
  if (!last) return { configuration: null, stages: [], whatIfs: [], errors }
  /** @type {Configuration} */
  const base = { ...last, biases: true, frozen: FREE, lora: null, pruned: 0 }
  const whatIfs = whatIfsOf(base)
  const stages = [{ name: "", configuration: base }]
  let configuration = base
  /** @param {string} name @param {Partial<Configuration>} changed */
  const add = (name, changed) =>
    stages.push({ name, configuration: (configuration = { ...configuration, ...changed }) })
  if (fields.vocabulary.trim()) add("vocabulary", { sizes: { ...base.sizes, V: vocabulary } })
  for (const name of listed(fields.more)) {
    const found = whatIfs.find((each) => nameOf(each) === name)
    if (found) add(found.name, { sizes: moved(configuration.sizes, base.sizes, found.to.sizes) })
  }
  const { biases, frozen, lora, pruned } = last
  if (pruned) add("pruned", { pruned })
  if (!biases) add("biases-off", { biases })
  if (Object.values(frozen).some(Boolean)) add("frozen", { frozen })
  if (lora) add(lora.method, { lora })
  const largest = Math.max(...stages.map((each) => totalOf(each.configuration)))
  if (largest <= MOST) return { configuration, stages, whatIfs, errors: wrongIn(fields, configuration) }
  const many = `These sizes make about ${largest.toLocaleString("en", ROUGHLY)} parameters`
  const message = `${many}, more than the ${whole(MOST)} that are counted here; enter smaller ones`
  return { configuration: null, stages: [], whatIfs, errors: [{ key: "", message }] }
}

/** What is wrong with the texts and tokens of a batch. @param {Fields} fields @param {Configuration} configuration */
const wrongIn = (fields, { architecture, sizes }) =>
  Object.entries({ B: MOST, T: longest(architecture, sizes) }).flatMap(([key, most]) => {
    const number = wholeNumber(fields[key]) ?? 0
    return number && number <= most ? [] : [{ key, message: `enter a whole number from 1 to ${whole(most)}` }]
  })

/** @type {Intl.NumberFormatOptions} */
const ROUGHLY = { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3, useGrouping: true }

/** The parts of one, and those that only another has, each with what it holds more than there. @param {Counted} counted @param {Counted} other */
export function partsBeside(counted, other) {
  const gone = other.parts.filter((each) => !counted.parts.some(({ title }) => title === each.title))
  const all = [...counted.parts, ...gone.map((each) => ({ ...each, number: 0, trainable: 0, share: 0 }))]
  const there = new Map(other.parts.map((each) => [each.title, each.number]))
  return all.map((each) => ({ ...each, more: each.number - (there.get(each.title) ?? 0) }))
}

// --- The address ------------------------------------------------------------

/** What differs from the published model, as names and values of an address. @param {Fields} fields @returns {string[][]} */
export function differences({ frozen, layers, method, rank, width, modules, feedforward, from: _, ...fields }) {
  const usual = stateOf(fields.model)
  const still = [...listed(frozen), plain(layers)].filter(Boolean).join()
  /** @type {Fields} */
  const given = { rank, width, modules, feedforward }
  // As on the command line; a width may be left out.
  const put = Object.keys(METHODS.get(method).takes).filter((each) => each !== "width" || width)
  const made = isMade({ method, rank, modules }) && { [method]: put.map((each) => plain(given[each])).join(":") }
  return Object.entries({ ...fields, frozen: still, ...made })
    .filter(([name, value]) => value !== usual[name])
    .map(([name, value]) => [NAMES[name] ?? name, written(name, value)])
}

/** What an address says of a field. @param {string} name @param {string} value */
const written = (name, value) =>
  Object.entries(BOXES[name] ?? {}).find(([, each]) => each === value)?.[0] ?? plain(value)

/** A typed size without the commas between its thousands. @param {string} text */
const plain = (text) => (/^\s*[0-9]{1,3}(?:,[0-9]{3})+\s*$/.test(text) ? text.replace(/,/g, "") : text).trim()

/** Only what an address cannot hold as it is stands in it otherwise. @param {string} text */
const encoded = (text) => encodeURIComponent(text).replace(/%(?:2C|3A|3B|3D)/g, decodeURIComponent)

/** The address of a state, from its question mark on; "" where nothing was changed. @param {Typed} typed */
export function addressOf({ fields, beside }) {
  const found = [["model", fields.model], ...differences(fields)]
  if (fields.from && fields.from !== fields.model) found.push(["from", fields.from])
  for (const each of beside)
    found.push(["beside", [each.model, ...differences(each).map((pair) => pair.join("="))].join(";")])
  if (found.length === 1 && fields.model === FIRST) return ""
  return `?${found.map(([name, value]) => `${name}=${encoded(value)}`).join("&")}`
}

/** @param {string} text */
const short = (text) => cut(text, LONGEST)

/** The fields that an address asks for; what it may not say goes to the complaints. @param {URLSearchParams} query @param {string[]} complaints */
function read(query, complaints) {
  /** What an address says under a name, if it is one of some words. @param {string} name @param {string[]} words @param {string[]} given */
  const among = (name, words, given = listed(query.get(name) ?? "")) => {
    for (const each of given) if (!words.includes(each)) complaints.push(`${name}=${short(each)}`)
    return words.filter((each) => given.includes(each))
  }
  const [model = FIRST] = among("model", [...models.keys()])
  const state = stateOf(model)
  const classes = classesOf(models.get(model).architecture).map((each) => each.name)
  const [modelClass = state.class] = among("class", classes)
  const whatIfs = whatIfsOf(ofModel(model, modelClass)).filter((each) => each.to.biases) // that is said elsewhere
  const frozen = (query.get("frozen") ?? "").split(",")
  const method = [...METHODS.keys()].find((each) => query.has(each)) ?? LORA
  const told = query.get(method)
  const { takes } = METHODS.get(method)
  const texts = (told ?? "").split(":")
  const given = { ...NONE, ...Object.fromEntries(Object.keys(takes).map((each, place) => [each, texts[place] ?? ""])) }
  for (const each of /** @type {const} */ (["modules", "feedforward"]))
    given[each] = among(method, table.changes.modules, listed(given[each])).join()
  // Of a method that is only named its usual modules are meant.
  if (told === "" && !takes.rank) Object.assign(given, usualModules(method, models.get(model).architecture))
  Object.assign(state, {
    class: modelClass,
    more: among("more", whatIfs.map(nameOf)).join(),
    frozen: FROZEN.filter((each) => frozen.includes(each)).join(),
    layers: short(frozen.filter((each) => !FROZEN.includes(each)).pop() ?? ""),
    ...{ method, ...given, rank: short(given.rank), width: short(given.width) },
    vocabulary: short(query.get("vocabulary") ?? ""),
    pruned: short(query.get("pruned") ?? ""),
    from: among("from", [...models.keys()])[0] ?? "",
  })
  for (const [name, words] of Object.entries(BOXES)) {
    const [word] = among(NAMES[name] ?? name, ["yes", "no"])
    if (word) state[name] = words[word]
  }
  for (const letter of [...table.symbols.map((each) => each.letter), ...Object.keys(BATCH)]) {
    const text = query.get(NAMES[letter] ?? letter)
    if (text !== null && letter in state) state[letter] = short(text)
    else if (text !== null) complaints.push(`${letter}=${short(text)}`)
  }
  return state
}

/** The state that an address asks for, and what in it makes no sense.
 * @param {string} address  from its question mark on @returns {{ state: Typed, complaints: string[] }} */
export function stateAt(address) {
  /** @type {string[]} */
  const complaints = []
  const query = new URLSearchParams(address)
  const fields = read(query, complaints)
  /** @type {Fields[]} */
  const beside = []
  for (const value of query.getAll("beside").slice(0, MOST_BESIDE)) {
    const pairs = `model=${value}`.split(";").map((each) => encodeURIComponent(each).replace("%3D", "="))
    const found = read(new URLSearchParams(pairs.join("&")), complaints)
    if (evaluated(found).configuration) beside.push(found)
    else complaints.push(`beside=${short(value)}`)
  }
  return { state: { fields, beside }, complaints }
}
