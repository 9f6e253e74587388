// The state of the calculator: what a reader chose and typed, as one value;
// what that counts; and how it is written as an address and read from one.
// Texts stay as typed; counting/configuration.js says which of them hold.

import table from "../../data/table.js"
import { count, MODULES, totalOf, whatIfs as whatIfsOf } from "../counting/changes.js"
import { check, ofModel } from "../counting/configuration.js"
import { classesOf, classOfBare, MOST, models, whole as written } from "../counting/engine.js"

const FIRST = table.models[0].name
const LONGEST = 60 // characters of a text from an address
export const MOST_BESIDE = 2
const YES = "yes",
  NO = "no"
/** @type {Record<string, keyof Choices>} */
const CHOICES = { pooler: "pooler", tied: "tied", cross: "cross_attention" }
const ALL_BUT_HEAD = "all-but-head",
  EMBEDDINGS = "embeddings"
const LABELS = "C",
  OTHER_HEADS = "other-heads"
// What else an address holds was appended by a mail program, say, or is read elsewhere. Which what-ifs there are depends on the class.
const PARAMETERS = [
  "class",
  ...table.symbols.map((each) => each.letter),
  "labels",
  ...Object.keys(CHOICES),
  "biases",
  "vocabulary",
  "more",
  "frozen",
  "lora",
]

// --- Starting ---------------------------------------------------------------

/** The state in which a published model is as published. @param {string} model @param {string} [modelClass] @returns {Typed} */
export function stateOf(model, modelClass) {
  const { sizes, architecture } = models.get(model)
  return {
    model,
    modelClass: modelClass ?? classOfBare(architecture),
    sizes: Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, String(size)])),
    choices: { ...table.choices },
    biases: true,
    vocabulary: "",
    more: [],
    frozen: { embeddings: false, layers: "", all_but_head: false },
    lora: null,
    to: "",
    beside: [],
  }
}

/** @param {Typed} typed */
export const architectureOf = ({ model }) => models.get(model).architecture

/** A configuration as a state that starts from the published model with the fewest other sizes.
 * @param {Configuration} found @param {string} modelClass @returns {Typed} */
export function stateOfConfiguration({ architecture, sizes, choices }, modelClass) {
  const others = table.models.filter((each) => each.architecture === architecture)
  /** @param {Model} model */
  const differing = (model) =>
    Object.keys(sizes).filter((letter) => String(sizes[letter]) !== String(model.sizes[letter])).length
  const [nearest] = others.sort((one, other) => differing(one) - differing(other))
  const state = stateOf(nearest.name, modelClass)
  for (const [letter, size] of Object.entries(sizes)) state.sizes[letter] = String(size)
  return { ...state, choices: { ...choices } }
}

// --- Counting ---------------------------------------------------------------

/** @param {Typed} typed @param {Record<string, string>} sizes */
const fieldsOf = (typed, sizes) => ({
  architecture: architectureOf(typed),
  modelClass: typed.modelClass,
  sizes,
  choices: typed.choices,
  // PEFT freezes the whole model, whatever else is frozen.
  ...(typed.lora ? { lora: typed.lora } : { frozen: { ...typed.frozen, layers: typed.frozen.layers.trim() || "0" } }),
})

/** The what-ifs that are another size; the others are choices of the state itself. @param {WhatIf[]} whatIfs */
const sizing = (whatIfs) => whatIfs.filter(({ name }) => name === OTHER_HEADS || name.startsWith("more-"))

/** With a letter of a what-if changed as the what-if changes it.
 * @param {Configuration} here @param {WhatIf} whatIf @param {Configuration} base @returns {Configuration} */
function withMore(here, { to }, base) {
  const sizes = { ...here.sizes }
  for (const letter of Object.keys(sizes)) sizes[letter] += to.sizes[letter] - base.sizes[letter]
  return { ...here, sizes }
}

/**
 * What the reader's texts say: the configuration, and the way to it from the
 * sizes in the fields; or what is wrong, field by field.
 * @param {Typed} typed
 * @returns {Evaluated}
 */
export function evaluated(typed) {
  const { configuration: whole, errors } = check(fieldsOf(typed, typed.sizes))
  const found = [...errors]
  let resized = whole
  if (typed.vocabulary.trim()) {
    const other = check(fieldsOf(typed, { ...typed.sizes, V: typed.vocabulary }))
    const message = other.errors.find(({ key }) => key === "V")?.message
    if (message) found.push({ key: "vocabulary", message })
    resized = other.configuration
  }
  if (!whole || !resized || found.length)
    return { configuration: null, base: null, hops: [], whatIfs: [], errors: found }

  /** @type {Configuration} */
  const base = { ...whole, biases: true, frozen: { embeddings: false, layers: 0, all_but_head: false }, lora: null }
  const whatIfs = whatIfsOf(base)
  /** @type {Hop[]} */
  const hops = []
  let here = base
  /** @param {string} name @param {Configuration} next */
  const hop = (name, next) => hops.push({ name, from: here, to: (here = next) })
  if (typed.vocabulary.trim()) hop("vocabulary", { ...here, sizes: { ...here.sizes, V: resized.sizes.V } })
  for (const name of typed.more) {
    const whatIf = whatIfs.find((each) => each.name === name)
    if (whatIf) hop(name, withMore(here, whatIf, base))
  }
  if (!typed.biases) hop("biases", { ...here, biases: false })
  const { embeddings, layers, all_but_head } = whole.frozen
  if (embeddings || layers || all_but_head) hop("frozen", { ...here, frozen: whole.frozen })
  if (whole.lora) hop("lora", { ...here, lora: whole.lora })
  const largest = Math.max(...[base, ...hops.map(({ to }) => to)].map(totalOf))
  if (largest > MOST) {
    const message = `These sizes make about ${ROUGHLY.format(largest)} parameters, more than the ${written(MOST)} that are counted here; enter smaller ones`
    return { configuration: null, base: null, hops: [], whatIfs: [], errors: [{ key: "", message }] }
  }
  return { configuration: here, base, hops, whatIfs, errors: [] }
}

const ROUGHLY = new Intl.NumberFormat("en", {
  notation: "compact",
  compactDisplay: "long",
  maximumSignificantDigits: 3,
  useGrouping: true,
})

/** @type {Map<string, Counted>} */
const publishedCounts = new Map()

/** What a published model counts, which is worked out once. @param {string} model @param {string} [modelClass] */
export function published(model, modelClass = "") {
  const key = `${model} ${modelClass}`
  let found = publishedCounts.get(key)
  if (!found) publishedCounts.set(key, (found = count(ofModel(model, modelClass || undefined))))
  return found
}

// --- The address ------------------------------------------------------------

/** What differs from the published model, as names and values. @param {Typed} typed @returns {[string, string][]} */
export function differences(typed) {
  const usual = stateOf(typed.model)
  /** @type {[string, string][]} */
  const found = [["model", typed.model]]
  for (const [letter, text] of Object.entries(typed.sizes)) {
    if (text !== usual.sizes[letter]) found.push([letter === LABELS ? "labels" : letter, plain(text)])
  }
  if (typed.modelClass !== usual.modelClass) found.push(["class", typed.modelClass])
  for (const [name, key] of Object.entries(CHOICES)) {
    if (typed.choices[key] !== usual.choices[key]) found.push([name, typed.choices[key] ? YES : NO])
  }
  if (typed.vocabulary.trim()) found.push(["vocabulary", plain(typed.vocabulary)])
  if (typed.more.length) found.push(["more", typed.more.map((each) => each.replace("more-", "")).join(",")])
  if (!typed.biases) found.push(["biases", NO])
  const { embeddings, layers, all_but_head } = typed.frozen
  const frozen = [
    ...(embeddings ? [EMBEDDINGS] : []),
    ...(layers.trim() ? [plain(layers)] : []),
    ...(all_but_head ? [ALL_BUT_HEAD] : []),
  ]
  if (frozen.length) found.push(["frozen", frozen.join(",")])
  if (typed.lora) found.push(["lora", `${plain(typed.lora.rank)}:${typed.lora.modules.join(",")}`])
  return found
}

/** A typed size without the commas between its thousands. @param {string} text */
const plain = (text) => (/^\s*[0-9]{1,3}(?:,[0-9]{3})+\s*$/.test(text) ? text.replace(/,/g, "") : text).trim()

/** Only what an address cannot hold as it is stands in it otherwise. @param {string} text */
const encoded = (text) => encodeURIComponent(text).replace(/%(?:2C|3A|3B|3D)/g, decodeURIComponent)

/** The address of a state, from its question mark on; "" where nothing was changed. @param {Typed} typed */
export function addressOf(typed) {
  const found = differences(typed)
  if (typed.to && typed.to !== typed.model) found.push(["from", typed.to])
  for (const each of typed.beside) {
    const [[, model], ...rest] = differences(each)
    found.push(["beside", [model, ...rest.map(([name, value]) => `${name}=${value}`)].join(";")])
  }
  if (found.length === 1 && typed.model === FIRST) return ""
  return `?${found.map(([name, value]) => `${name}=${encoded(value)}`).join("&")}`
}

/** @param {string} text */
const cut = (text) => ([...text].length > LONGEST ? `${[...text].slice(0, LONGEST).join("")}…` : text)

/** Put what an address says under one name into a state; what is wrong with it, in words, or "".
 * @param {Typed} state @param {string} name @param {string} value */
function take(state, name, value) {
  const architecture = architectureOf(state)
  const text = cut(value)
  const letter = name === "labels" ? LABELS : name
  if (Object.hasOwn(state.sizes, letter)) state.sizes[letter] = text
  else if (name === "class") {
    if (!classesOf(architecture).some((each) => each.name === value))
      return `no class “${text}” of ${models.get(state.model).title}`
    state.modelClass = value
  } else if (Object.hasOwn(CHOICES, name) || name === "biases") {
    if (value !== YES && value !== NO) return `${name} is “${text}”, and can be “yes” or “no”`
    if (name === "biases") state.biases = value === YES
    else state.choices[CHOICES[name]] = value === YES
  } else if (name === "vocabulary") state.vocabulary = text
  else if (name === "more") {
    const known = sizing(whatIfsOf(ofModel(state.model, state.modelClass))).map((each) => each.name)
    const asked = value.split(",").map((each) => (each === OTHER_HEADS ? each : `more-${each}`))
    const wrong = asked.find((each) => !known.includes(each))
    state.more = known.filter((each) => asked.includes(each))
    if (wrong !== undefined) return `no what-if “${cut(wrong.replace("more-", ""))}”`
  } else if (name === "frozen") {
    for (const each of value.split(",")) {
      if (each === EMBEDDINGS) state.frozen.embeddings = true
      else if (each === ALL_BUT_HEAD) state.frozen.all_but_head = true
      else state.frozen.layers = cut(each)
    }
  } else if (name === "lora") {
    const [, rank, modules = ""] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? []
    const asked = modules.split(",").filter(Boolean)
    const wrong = asked.find((each) => !MODULES.includes(each))
    state.lora = { rank: cut(rank ?? ""), modules: MODULES.filter((each) => asked.includes(each)) }
    if (wrong !== undefined) return `no module “${cut(wrong)}” for LoRA`
  } else return `no size ${name} in ${models.get(state.model).title}`
  return ""
}

/** @param {string} model @param {URLSearchParams} query @param {string[]} complaints @returns {Typed} */
function read(model, query, complaints) {
  const known = models.has(model)
  if (!known) complaints.push(`no model “${cut(model)}”`)
  const state = stateOf(known ? model : FIRST)
  for (const name of PARAMETERS) {
    const value = query.get(name)
    const complaint = value === null ? "" : take(state, name, value)
    if (complaint) complaints.push(complaint)
  }
  return state
}

/** The state that an address asks for, and what in it makes no sense, in words.
 * @param {string} address  from its question mark on @returns {{ state: Typed, complaints: string[] }} */
export function stateAt(address) {
  /** @type {string[]} */
  const complaints = []
  const query = new URLSearchParams(address)
  const state = read(query.get("model") ?? FIRST, query, complaints)
  const from = query.get("from") ?? ""
  if (models.has(from)) state.to = from
  else if (from) complaints.push(`no model “${cut(from)}”`)
  for (const value of query.getAll("beside").slice(0, MOST_BESIDE)) {
    const [model, ...rest] = value.split(";")
    const beside = read(
      model,
      new URLSearchParams(
        rest.map((each) => {
          const [name, ...values] = each.split("=")
          return [name, values.join("=")]
        }),
      ),
      complaints,
    )
    if (evaluated(beside).configuration) state.beside.push(beside)
    else complaints.push(`what is to stand beside it cannot be counted: “${cut(value)}”`)
  }
  return { state, complaints }
}
