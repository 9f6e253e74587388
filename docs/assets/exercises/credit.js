// Keeps the credit for answers, and finds the reader's place on the path of exercises
// from one cell to the whole model. The best credit for each variant is kept in the
// browser, as a share of the full credit.

import exercises from "../../data/exercises.js"
import { knownWrong } from "./judge.js"
import { load, save } from "./storage.js"

const STORAGE_KEY = "bert-counted: credit" // under which the browser keeps the credit
const HALF = 0.5 // of the full credit, for a wrong answer whose cause is known, and for each further choice

/** Kinds of wrong answers that are explained and earn nothing. */
const WITHOUT_CREDIT = new Set(["size", "other-part"])

/** @typedef {{ set: string, seed: number }} Address  a variant of a set */

/**
 * The credit for a typed answer, and what it is for. An intermediate result earns the share of the lines of the sum that
 * lead to it, where a part of a line is half of it. A known mistake, or the right answer for another model or class, earns
 * half. A size copied from the question and the number of another part earn nothing, and neither does any wrong answer
 * where nothing has to be worked out.
 * @param {string} text
 * @param {Exercise} exercise
 */
export function creditFor(text, exercise) {
  if (isNamed(exercise)) return { credit: 0, reason: "" }
  const { names = [] } = knownWrong(text, exercise) ?? {}
  const kinds = names.map((name) => name.split(":")).filter(([kind]) => !WITHOUT_CREDIT.has(kind))
  // "stopped:2" is the result of the line at index 2, and "part:2" a part of that line.
  const [lineKind, line] = kinds.find(([kind]) => kind === "stopped") ?? kinds.find(([kind]) => kind === "part") ?? []
  const [other] = kinds.find(([kind]) => !["stopped", "part"].includes(kind)) ?? []
  const ofLastLine = lineKind === "stopped" ? 1 : HALF
  const ofLines = lineKind ? (Number(line) + ofLastLine) / exercise.solution.length : 0
  if (!other || HALF < ofLines) return { credit: ofLines, reason: "the lines of the sum up to here" }
  const isOther = other === "model" || other === "class"
  return { credit: HALF, reason: isOther ? `the right number of another ${other}` : "a known mistake" }
}

/** Whether the answer is a size, or 1, so that there is no sum. @param {Exercise} exercise */
const isNamed = ({ solution: [{ text }, ...more] }) => !more.length && !text.includes("=")

/**
 * The credit for the right choice after some wrong ones.
 * @param {number} wrong
 */
export const creditForChoice = (wrong) => HALF ** wrong

/** The key of a variant in the browser's storage. @param {Address} address */
const nameOf = ({ set, seed }) => `${set}:${seed}`

/**
 * The best credit that the reader has had for a variant.
 * @param {Address} address
 */
export function creditOf(address) {
  const credit = Number(load(STORAGE_KEY)[nameOf(address)])
  return credit > 0 && credit <= 1 ? credit : 0
}

/**
 * Keeps the credit for a variant, unless it was better before.
 * @param {Address} address
 * @param {number} credit
 */
export function keepCredit(address, credit) {
  if (credit > creditOf(address)) save(STORAGE_KEY, { ...load(STORAGE_KEY), [nameOf(address)]: credit })
}

/** Forgets all credit. */
export const forgetCredit = () => save(STORAGE_KEY, {})

// --- The path -------------------------------------------------------------------

/** The steps of the path: variants of sets, each with a title. */
export const { path } = exercises

/**
 * The place of a variant on the path; -1 if it is not on it.
 * @param {Address} address
 */
export const placeOnPath = ({ set, seed }) => path.findIndex((step) => step.set === set && step.seed === seed)

/** The first step that has not earned full credit; the last one, if there is none. */
export const openStep = () => path.find((step) => creditOf(step) < 1) ?? path[path.length - 1]

/** The points earned on the path, one for each step. */
export const points = () => path.reduce((sum, step) => sum + creditOf(step), 0)
