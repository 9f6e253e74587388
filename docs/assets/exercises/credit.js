// Records the credit for answers, and finds the reader's place on the path of exercises
// from one cell to the whole model. The browser stores the best credit for each variant, as
// a share of full credit.

import exercises from "../../data/exercises.js"
import { knownWrongAnswer } from "./judge.js"
import { load, save } from "./storage.js"

const STORAGE_KEY = "bert-counted: credit" // the key under which the browser stores the credit
const MISTAKE_CREDIT = 0.5 // for a wrong answer with a known cause
const PART_OF_LINE = 0.5 // the share of a line that a part of it counts as
const CHOICE_FACTOR = 0.5 // the factor by which each wrong choice multiplies the credit

/** Kinds of wrong answers that are explained but earn nothing. */
const WITHOUT_CREDIT = new Set(["size", "other-part"])

/** @typedef {{ set: string, seed: number }} Address  a variant of a set */

/**
 * The credit for a typed wrong answer, and the reason for it, which has no meaning if the credit is 0. An intermediate
 * result earns the share of the sum's lines that lead to it; a part of a line counts as half a line. A known mistake,
 * or the right answer for another model or class, earns half. If a number is both, it earns the larger share. A size
 * copied from the question earns nothing, nor does the number of another part, nor any wrong answer to a question in
 * which nothing has to be worked out.
 * @param {string} text
 * @param {Exercise} exercise
 */
export function creditFor(text, exercise) {
  if (needsNoSum(exercise)) return { credit: 0, reason: "" }
  const { names = [] } = knownWrongAnswer(text, exercise) ?? {}
  const kinds = names.map((name) => name.split(":")).filter(([kind]) => !WITHOUT_CREDIT.has(kind))
  // "stopped:2" is the result of the line at index 2; "part:2" is part of a line that builds on the first two lines.
  const [lineKind, line] = kinds.find(([kind]) => kind === "stopped") ?? kinds.find(([kind]) => kind === "part") ?? []
  const [otherKind] = kinds.find(([kind]) => !["stopped", "part"].includes(kind)) ?? []
  const lastLineShare = lineKind === "stopped" ? 1 : PART_OF_LINE
  const lineCredit = lineKind ? (Number(line) + lastLineShare) / exercise.solution.length : 0
  if (!otherKind || MISTAKE_CREDIT < lineCredit)
    return { credit: lineCredit, reason: "the lines of the sum up to here" }
  const isOtherModelOrClass = otherKind === "model" || otherKind === "class"
  const reason = isOtherModelOrClass ? `the right number of another ${otherKind}` : "a known mistake"
  return { credit: MISTAKE_CREDIT, reason }
}

/** Whether the answer is a size or 1, so that there is no sum to work out. @param {Exercise} exercise */
const needsNoSum = ({ solution: [{ text }, ...furtherSteps] }) => !furtherSteps.length && !text.includes("=")

/**
 * The credit for the right choice after wrong ones.
 * @param {number} wrongCount  the number of wrong choices
 */
export const creditForChoice = (wrongCount) => CHOICE_FACTOR ** wrongCount

/** The key under which the credit of a variant is kept. @param {Address} address */
const keyOf = ({ set, seed }) => `${set}:${seed}`

/**
 * The best credit that the reader has earned for a variant.
 * @param {Address} address
 */
export function creditOf(address) {
  const credit = Number(load(STORAGE_KEY)[keyOf(address)])
  return credit > 0 && credit <= 1 ? credit : 0
}

/**
 * Stores the credit for a variant if it is the best so far.
 * @param {Address} address
 * @param {number} credit
 */
export function keepCredit(address, credit) {
  if (credit > creditOf(address)) save(STORAGE_KEY, { ...load(STORAGE_KEY), [keyOf(address)]: credit })
}

/** Deletes all credit. */
export const forgetCredit = () => save(STORAGE_KEY, {})

// --- The path -------------------------------------------------------------------

/** The steps of the path: variants of sets, each with a title. */
export const { path } = exercises

/**
 * The index of a variant on the path; -1 if the path does not contain it.
 * @param {Address} address
 */
export const placeOnPath = ({ set, seed }) => path.findIndex((step) => step.set === set && step.seed === seed)

/** The first step without full credit; the last step if all have it. */
export const openStep = () => path.find((step) => creditOf(step) < 1) ?? path[path.length - 1]

/** The points earned on the path, at most one for each step. */
export const points = () => path.reduce((sum, step) => sum + creditOf(step), 0)
