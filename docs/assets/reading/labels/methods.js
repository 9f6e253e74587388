// Finds hints about a method of fine-tuning and its model in the words of a text, and describes
// methods in words. A hint decides nothing by itself, but makes the ways that agree with it
// likelier (`Hints.costOf`).

import table from "../../../data/table.js"
import { METHODS, usualModules } from "../../counting/changes.js"
import { noun, whole } from "../../counting/engine.js"
import { asPlainText, enumeration, verbFor, words } from "../words.js"
import { LINEAR_METHODS } from "./matrices.js"
import { asClass, titleOf } from "./meanings.js"
import { costByNames } from "./totals.js"

/** Patterns for the names of modules, with the kind of each. @type {[RegExp, string][]} */
const MODULE_WORDS = [
  [/\bquery\b|\bq_?lin\b|\bq_?proj\b|\bquery_proj\b|\bq\b(?=[,"' ]*(?:and |& ?)?[kv]\b)/i, "query"],
  [/\bkey\b|\bk_?lin\b|\bk_?proj\b|\bkey_proj\b/i, "key"],
  [/\bvalue\b|\bv_?lin\b|\bv_?proj\b|\bvalue_proj\b|\bv\b(?=["'\]) ])/i, "value"],
  [/\bout_?lin\b|\bo_?proj\b|attention\.output|output projection/i, "attention-output"],
  [/\bintermediate\b|\blin1\b/i, "intermediate"],
  [/(?<!attention\.)\boutput\.dense\b|\blin2\b/i, "output"],
  [/all[- ]linear/i, "all-linear"],
  [/["']dense["']|(?:query|key|value|,|\band)\s*dense\b(?!\s(?:layers?|matri|heads?))/i, "dense"],
]

/** The letters of projections in a list, such as "q, k, v and o", and the letter of each module. */
const LISTED_LETTERS = /\bq(?:(?:[\s,;&/+]|and)*[kvo])+\b/i
/** @type {Record<string, string>} */
const LETTERS_OF_MODULES = { query: "q", key: "k", value: "v", "attention-output": "o" }

/** Patterns for the names of methods. @type {[RegExp, string][]} */
const METHOD_WORDS = [
  // QLoRA trains the same tensors beside packed weights.
  [/\bq?lora\b|lora_/i, "lora"],
  [/\bdora\b/i, "dora"],
  // rsLoRA adds the same tensors as LoRA.
  ...Object.keys(LINEAR_METHODS)
    .filter((name) => !["lora", "rslora", "dora"].includes(name))
    .map((name) => /** @type {[RegExp, string]} */ ([new RegExp(`\\b${name}\\b`, "i"), name])),
  [/\bia3\b|\(ia\)/i, "ia3"],
  [/prefix/i, "prefix"],
  [/prompt[- ]tun/i, "prompt"],
  [/p-?tuning/i, "p-tuning"],
  [/houlsby|\badapters?\b/i, "houlsby"],
  [/pfeiffer|\badapters?\b/i, "pfeiffer"],
]

/** The hints about the model and the method in the words of a text.
 * @param {LabelledText} labelledText @returns {Hints} */
export function hintsOf({ text, numbers, mentions, classes, purposes, labels }) {
  const sizeQuantity = numbers.find(({ role }) => role === "rank" || role === "virtual" || role === "bottleneck")
  const [listedLetters = ""] = LISTED_LETTERS.exec(text.toLowerCase()) ?? []
  return {
    rank: sizeQuantity?.number.low ?? 0,
    labels,
    modules: MODULE_WORDS.filter(
      ([word, name]) =>
        word.test(text) || (name in LETTERS_OF_MODULES && listedLetters.includes(LETTERS_OF_MODULES[name])),
    ).map(([, name]) => name),
    methods: METHOD_WORDS.filter(([word]) => word.test(text)).map(([, name]) => name),
    costOf: costByNames({
      mentions,
      classes: classes.filter(({ modelClass }) => modelClass).map(({ name }) => name),
      endings: purposes.map(({ ending }) => ending),
      labels,
    }),
  }
}

/** The words for a module that every layer has. @param {string} path */
const wordsForModule = (path) =>
  table.explanations.parts
    .find((part) => part.path === `bert/encoder/layer_0/${path}` && !part.tag && !part.share)
    ?.words.replace(" in one layer", "") ?? path

/** A set of modules in words. @param {string[]} modules */
export function modulesInWords(modules) {
  const key = modules.join()
  /** @type {Record<string, string>} */
  const sets = {
    "query,key,value,attention-output": "the four projections of attention",
    "query,key,value,attention-output,intermediate,output": "all dense layers of the encoder",
    "query-key-value,attention-output,intermediate,output": "all dense layers of the encoder",
    "all-linear": "all linear layers (all-linear)",
  }
  /** @type {Record<string, string>} */
  const names = {
    "attention-output": wordsForModule("attention/output/dense"),
    intermediate: wordsForModule("intermediate"),
    output: wordsForModule("output/dense"),
    "query-key-value": "the joint projection of query, key and value",
    dense: "all modules called dense",
  }
  const moduleNames = modules.map((name) => names[name] ?? name)
  return sets[key] ?? asPlainText(enumeration(moduleNames))
}

/** A method with its size, modules and options, such as "LoRA of rank 8 on query and value (bias=all)".
 * @param {Tuning & { extras: { bias: string, saved: string }, line: { model: Model } }} way */
export function methodInWords({ method, rank, modules, width, extras, line }) {
  const { title, takes = null } = METHODS.get(method) ?? LINEAR_METHODS[method]
  const letter = takes ? takes.rank : LINEAR_METHODS[method].letter
  const defaultModules = usualModules("ia3", line.model.architecture).modules
  const isNamed = modules.length > 0 && !(method === "ia3" && modules.join() === defaultModules)
  const onModules = isNamed ? ` on ${modulesInWords(modules)}` : ""
  const name = /^(?:Prompt|Prefix|P-)/.test(title) ? title[0].toLowerCase() + title.slice(1) : title
  const size = letter ? ` of ${SIZE_WORDS[letter]?.(rank) ?? `width ${rank}`}` : ""
  const withProjection = width ? ` with a projection of width ${whole(width)}` : ""
  const options = [extras.bias && `bias=${extras.bias}`, extras.saved && `modules_to_save=${extras.saved}`]
  const optionText = options.filter(Boolean).join(", ")
  // After modules that end with brackets, as in "all linear layers (all-linear)", the options go into
  // the same brackets.
  return `${name}${size}${onModules}${withProjection}${optionText && ` (${optionText})`}`.replace(") (", ", ")
}

/** The words for the parameters that a method trains, as in "what Houlsby adapters of width 64 train".
 * @param {Parameters<typeof methodInWords>[0]} way */
export function whatMethodTrains(way) {
  const method = methodInWords(way)
  // The modules after "on" may be several; the verb belongs to the method.
  const [name] = method.split(" on ")
  return `what ${method} ${verbFor([name], "trains", "train")}`
}

/** A size in words, by its letter. @type {Record<string, (size: number) => string>} */
const SIZE_WORDS = {
  r: (size) => `rank ${size}`,
  t: (size) => `${size} ${noun(size, "token")}`,
  b: (size) => `block size ${size}`,
  f: (size) => `${whole(size)} ${noun(size, "frequency", "frequencies")}`,
}

/** A part as a percentage of all, with as many decimals as tools print unless `decimals` is given.
 * @param {number} part @param {number} all @param {number} [decimals] */
export const percentage = (part, all, decimals = 4) => `${((100 * part) / all).toFixed(decimals)}%`

/** The words for a model in its class. @param {{ line: { model: Model, modelClass: string }, labels: number }} fit */
export const modelWords = ({ line, labels }) => words`${titleOf(line.model.name)}, ${asClass(line.modelClass, labels)}`
