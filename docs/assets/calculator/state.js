// The state of the calculator: what a reader chose and typed, as one value;
// what that counts; and how it is written as an address and read from one.
// Texts stay as typed; counting/configuration.js says which of them hold.

import table from "../../data/table.js"
import { count, MODULES, totalOf, whatIfs as whatIfsOf } from "../counting/changes.js"
import { check, FREE, ofModel } from "../counting/configuration.js"
import { classesOf, classOfBare, kept, MOST, models, whole as written } from "../counting/engine.js"

const FIRST = table.models[0].name
const LONGEST = 60 // characters of a text from an address
export const MOST_BESIDE = 2
const [YES, NO, LABELS, OTHER_HEADS] = ["yes", "no", "C", "other-heads"]
/** @type {Record<string, keyof Choices>} */
const CHOICES = { pooler: "pooler", tied: "tied", cross: "cross_attention" }
const [EMBEDDINGS, ALL_BUT_HEAD] = ["embeddings", "all-but-head"]
const LETTERS = table.symbols.map((each) => each.letter)
const OTHERS = ["biases", "vocabulary", "more", "frozen", "lora"]
// What else an address holds was appended by a mail program, say, or is read elsewhere. Which what-ifs there are depends on the class.
const PARAMETERS = ["class", ...LETTERS, "labels", ...Object.keys(CHOICES), ...OTHERS]

// --- Starting ---------------------------------------------------------------

/** Sizes as they are typed. @param {Sizes} sizes */
const asTyped = (sizes) => Object.fromEntries(Object.entries(sizes).map(([letter, size]) => [letter, String(size)]))

/** The state in which a published model is as published. @param {string} model @param {string} [modelClass] @returns {Typed} */
export function stateOf(model, modelClass) {
  const { sizes, architecture } = models.get(model)
  return {
    model,
    modelClass: modelClass ?? classOfBare(architecture),
    sizes: asTyped(sizes),
    choices: { ...table.choices },
    biases: true,
    vocabulary: "",
    more: [],
    frozen: { ...FREE, layers: "" },
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
  /** @param {Model} model */
  const differing = (model) => Object.keys(sizes).filter((letter) => sizes[letter] !== model.sizes[letter]).length
  const [nearest] = table.models
    .filter((each) => each.architecture === architecture)
    .sort((one, other) => differing(one) - differing(other))
  const state = stateOf(nearest.name, modelClass)
  return { ...state, sizes: { ...state.sizes, ...asTyped(sizes) }, choices: { ...choices } }
}

// --- Counting ---------------------------------------------------------------

/** @param {Typed} typed @param {Record<string, string>} [other]  sizes in the place of those in the fields */
const checked = (typed, other = {}) =>
  check({
    architecture: architectureOf(typed),
    modelClass: typed.modelClass,
    sizes: { ...typed.sizes, ...other },
    choices: typed.choices,
    // PEFT freezes the whole model, whatever else is frozen.
    ...(typed.lora ? { lora: typed.lora } : { frozen: typed.frozen }),
  })

/** With a letter of a what-if changed as the what-if changes it.
 * @param {Configuration} here @param {WhatIf} whatIf @param {Configuration} base @returns {Configuration} */
function withMore(here, { to }, base) {
  const sizes = { ...here.sizes }
  for (const letter of Object.keys(sizes)) sizes[letter] += to.sizes[letter] - base.sizes[letter]
  return { ...here, sizes }
}

/** @param {WrongField[]} errors @returns {Evaluated} */
const wrong = (errors) => ({ configuration: null, base: null, hops: [], whatIfs: [], errors })

/** What the reader's texts say: the configuration, and the way to it from the sizes in the fields; or what is wrong, field
 * by field. @param {Typed} typed @returns {Evaluated} */
export function evaluated(typed) {
  const { configuration: whole, errors } = checked(typed)
  const isResized = Boolean(typed.vocabulary.trim())
  const resized = isResized ? checked(typed, { V: typed.vocabulary }) : { configuration: whole, errors: [] }
  const message = resized.errors.find(({ key }) => key === "V")?.message
  if (message) return wrong([...errors, { key: "vocabulary", message }])
  if (!whole || !resized.configuration) return wrong(errors)

  /** @type {Configuration} */
  const base = { ...whole, biases: true, frozen: FREE, lora: null }
  const whatIfs = whatIfsOf(base)
  /** @type {Hop[]} */
  const hops = []
  let here = base
  /** @param {string} name @param {Partial<Configuration>} fields */
  const hop = (name, fields) => hops.push({ name, from: here, to: (here = { ...here, ...fields }) })
  if (isResized) hop("vocabulary", { sizes: { ...here.sizes, V: resized.configuration.sizes.V } })
  for (const name of typed.more) {
    const whatIf = whatIfs.find((each) => each.name === name)
    if (whatIf) hop(name, withMore(here, whatIf, base))
  }
  if (!typed.biases) hop("biases", { biases: false })
  if (Object.values(whole.frozen).some(Boolean)) hop("frozen", { frozen: whole.frozen })
  if (whole.lora) hop("lora", { lora: whole.lora })
  const largest = Math.max(...[base, ...hops.map(({ to }) => to)].map(totalOf))
  if (largest <= MOST) return { configuration: here, base, hops, whatIfs, errors: [] }
  const many = `These sizes make about ${ROUGHLY.format(largest)} parameters`
  return wrong([
    { key: "", message: `${many}, more than the ${written(MOST)} that are counted here; enter smaller ones` },
  ])
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
export const published = (model, modelClass) =>
  kept(publishedCounts, `${model} ${modelClass}`, () => count(ofModel(model, modelClass)))

// --- The address ------------------------------------------------------------

/** What differs from the published model, as names and values. @param {Typed} typed @returns {[string, string][]} */
export function differences(typed) {
  const usual = stateOf(typed.model)
  const { embeddings, layers, all_but_head } = typed.frozen
  const frozen = [embeddings && EMBEDDINGS, plain(layers), all_but_head && ALL_BUT_HEAD]
  /** Names, and values where they differ. @type {[string, string | false | null][]} */
  const found = [["model", typed.model]]
  for (const [letter, text] of Object.entries(typed.sizes))
    found.push([letter === LABELS ? "labels" : letter, text !== usual.sizes[letter] && plain(text)])
  found.push(["class", typed.modelClass !== usual.modelClass && typed.modelClass])
  for (const [name, key] of Object.entries(CHOICES))
    found.push([name, typed.choices[key] !== usual.choices[key] && (typed.choices[key] ? YES : NO)])
  found.push(
    ["vocabulary", plain(typed.vocabulary) || null],
    ["more", typed.more.map((each) => each.replace("more-", "")).join() || null],
    ["biases", !typed.biases && NO],
    ["frozen", frozen.filter(Boolean).join() || null],
    ["lora", typed.lora && `${plain(typed.lora.rank)}:${typed.lora.modules}`],
  )
  return found.filter(/** @returns {each is [string, string]} */ (each) => typeof each[1] === "string")
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
    found.push(["beside", [model, ...rest.map((pair) => pair.join("="))].join(";")])
  }
  if (found.length === 1 && typed.model === FIRST) return ""
  return `?${found.map(([name, value]) => `${name}=${encoded(value)}`).join("&")}`
}

/** @param {string} text */
const cut = (text) => ([...text].length > LONGEST ? `${[...text].slice(0, LONGEST).join("")}…` : text)

/** Put what an address says under one name into a state; what is wrong with it, in words, or "".
 * @param {Typed} state @param {string} name @param {string} value */
function take(state, name, value) {
  const { title, architecture } = models.get(state.model)
  const text = cut(value)
  const letter = name === "labels" ? LABELS : name
  const listed = value.split(",")
  if (Object.hasOwn(state.sizes, letter)) state.sizes[letter] = text
  else if (name === "class") {
    if (!classesOf(architecture).some((each) => each.name === value)) return `no class “${text}” of ${title}`
    state.modelClass = value
  } else if (Object.hasOwn(CHOICES, name) || name === "biases") {
    if (value !== YES && value !== NO) return `${name} is “${text}”, and can be “yes” or “no”`
    if (name === "biases") state.biases = value === YES
    else state.choices[CHOICES[name]] = value === YES
  } else if (name === "vocabulary") state.vocabulary = text
  else if (name === "more") {
    // Whether there are biases is said elsewhere.
    const all = whatIfsOf(ofModel(state.model, state.modelClass))
    const known = all.filter(({ to }) => to.biases).map((each) => each.name)
    const asked = listed.map((each) => (each === OTHER_HEADS ? each : `more-${each}`))
    const unknown = asked.find((each) => !known.includes(each))
    state.more = known.filter((each) => asked.includes(each))
    if (unknown !== undefined) return `no what-if “${cut(unknown.replace("more-", ""))}”`
  } else if (name === "frozen") {
    const [layers = ""] = listed.filter((each) => each !== EMBEDDINGS && each !== ALL_BUT_HEAD).slice(-1)
    const [embeddings, all_but_head] = [EMBEDDINGS, ALL_BUT_HEAD].map((each) => listed.includes(each))
    state.frozen = { embeddings, layers: cut(layers), all_but_head }
  } else if (name === "lora") {
    const [, rank = "", modules = ""] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? []
    const asked = modules.split(",").filter(Boolean)
    const unknown = asked.find((each) => !MODULES.includes(each))
    state.lora = { rank: cut(rank), modules: MODULES.filter((each) => asked.includes(each)) }
    if (unknown !== undefined) return `no module “${cut(unknown)}” for LoRA`
  } else return `no size ${name} in ${title}`
  return ""
}

/** @param {string} model @param {URLSearchParams} query @param {string[]} complaints @returns {Typed} */
function read(model, query, complaints) {
  const known = models.has(model)
  if (!known) complaints.push(`no model “${cut(model)}”`)
  const state = stateOf(known ? model : FIRST)
  const said = PARAMETERS.filter((name) => query.has(name)).map((name) => take(state, name, query.get(name) ?? ""))
  complaints.push(...said.filter(Boolean))
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
    const fields = rest.map((each) => encodeURIComponent(each).replace("%3D", "="))
    const beside = read(model, new URLSearchParams(fields.join("&")), complaints)
    if (evaluated(beside).configuration) state.beside.push(beside)
    else complaints.push(`what is to stand beside it cannot be counted: “${cut(value)}”`)
  }
  return { state, complaints }
}
