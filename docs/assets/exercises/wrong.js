// Wrong answers to an exercise, and what each of them means: deviations, those
// of exercises and the known ones, and slips in the sum. The rules are those of macros/teaching/wrong.py.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { Counter, deviation, deviations, isOneLayer, kept, resized, whole } from "../counting/engine.js"
import { withSizes } from "./letter-sums.js"

const { texts } = exercises
/** A text with what stands in braces filled in. @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name) => (typeof values[name] === "number" ? whole(values[name]) : values[name]))

const [known, own] = [table.deviations.map(({ name }) => deviations.get(name)), exercises.deviations.map(deviation)]

/** Each of some deviations that fits and gives another number, with this number.
 * @param {AskedOf} asked @param {Deviation[]} listed @returns {[Deviation, number][]} */
function numbersWith({ modelClass, sizes, part, tag }, listed) {
  const counter = new Counter(modelClass, sizes)
  const right = counter.number([], part, tag)
  return listed.flatMap((each) => {
    const number = counter.rows.touchedBy(each) && counter.number([each], part, tag)
    return number && number > 0 && number !== right ? [/** @type {[Deviation, number]} */ ([each, number])] : []
  })
}

/** The known deviations, but for those that are about the whole where a part is asked for. @param {AskedOf} asked */
export function deviatingNumbers(asked) {
  const { part, tag } = asked
  const fitting = known.filter((each) => !(part || tag) || !(each.adds || each.instead))
  return numbersWith(asked, isOneLayer(part) ? fitting.filter((each) => !each.factor.includes("L")) : fitting)
}

/** What only exercises leave room for: all layers where one is meant, and two labels where others are given. @param {AskedOf} asked */
const ownNumbers = (asked) =>
  numbersWith(
    asked,
    own.filter(({ above }) => above !== "L" || isOneLayer(asked.part)),
  )

/** The size that a deviation takes for a letter. @param {Deviation} each @param {Sizes} sizes */
const takenBy = (each, sizes) => resized(sizes, [each])[each.letter]

/** Of deviations that do the same to what is asked, the one that does least besides.
 * @param {Deviation[]} made @param {AskedOf} asked */
function different(made, { modelClass, sizes, part, tag }) {
  const { rows } = new Counter(modelClass, sizes)
  const chosen = rows.selected(part, tag)
  /** @type {Map<string, { each: Deviation, reach: number }>} */
  const least = new Map()
  for (const each of made) {
    const touched = rows.touchedBy(each) ?? []
    const taken = each.letter && [each.letter, takenBy(each, sizes)]
    const paths = touched.filter((row) => chosen.has(row)).map(({ path }) => path)
    const does = JSON.stringify([paths, each.factor, each.adds, each.instead, taken])
    const reach = touched.length
    if (reach < (least.get(does)?.reach ?? Infinity)) least.set(does, { each, reach })
  }
  return [...least.values()].map(({ each }) => each)
}

/** @param {Deviation[]} made @param {number} number @param {Sizes} sizes */
function feedback(made, number, sizes) {
  /** What somebody did, with the size that was taken where it is that. */
  const ways = made.map((each) => {
    const { letter, done } = each
    return letter ? filled(texts.taken, { done, letter, taken: takenBy(each, sizes), number: sizes[letter] }) : done
  })
  if (made.length > 1)
    return filled(texts.either, { number, done: ways.join(", or "), undo: made.map(({ undo }) => undo).join(" or ") })
  const [{ kind, undo, why }] = made
  return filled(kind === "convention" ? texts.convention : texts.done, { number, done: ways[0], undo, why })
}

/** @param {string} name @param {number} number @param {string} text @param {Record<string, string | number>} values @returns {WrongAnswer} */
export const slip = (name, number, text, values) => ({
  ...{ names: [name], number, titles: [], feedback: filled(text, { number, ...values }) },
})

/** Slips in the sum: stopping early, leaving a summand out, and counting equal things once. @param {Ask} ask @param {Sizes} sizes */
function slips({ lines }, sizes) {
  const last = lines.length - 1
  /** The result where one line has other summands. @param {number} place @param {Summand[]} summands */
  const resultWith = (place, summands) =>
    withSizes(
      lines.map((line, at) => (at === place ? { ...line, summands } : line)),
      sizes,
    )[last].result
  const stopped = withSizes(lines, sizes)
    .slice(0, last)
    .map(({ result }, place) =>
      slip(`stopped:${place}`, result, place ? texts.stopped : texts.first, { what: lines[place].sentence }),
    )
  const others = lines.flatMap(({ summands }, place) =>
    summands.flatMap(([factors, what, many, every], at) => {
      const lacking = () =>
        resultWith(
          place,
          summands.filter((_, other) => other !== at),
        )
      const [, ...rest] = factors.split(" ")
      /** @type {() => Summand[]} */
      const alone = () => summands.map((each, other) => (other === at ? [rest.join(" "), what, "", every] : each))
      const times = many === "L" ? sizes.L : many
      return [
        ...(summands.length > 1 ? [slip(`lacking:${place}.${at}`, lacking(), texts.lacking, { every })] : []),
        ...(many ? [slip(`once:${place}.${at}`, resultWith(place, alone()), texts.once, { what, times })] : []),
      ]
    }),
  )
  return [...stopped, ...others, ...(last ? [] : ofOtherLetters(lines[0], sizes))]
}

const TAKEN = [..."VPSHF"] // the letters that one may be taken for in the shape of a tensor

/** A tensor whose shape has another letter in the place of one. @param {LineInLetters} line @param {Sizes} sizes */
function ofOtherLetters({ summands: [[factors, ...more]], ...line }, sizes) {
  const letters = [...new Set(factors.split(" "))].filter((letter) => TAKEN.includes(letter))
  return letters.flatMap((letter) =>
    TAKEN.filter((other) => other !== letter).map((other) => {
      const [{ result }] = withSizes([{ ...line, summands: [[factors.replaceAll(letter, other), ...more]] }], sizes)
      return slip(`letter:${letter}.${other}`, result, texts.letter, { letter, other })
    }),
  )
}

/** The first wrong answer of each number, without the right one. @param {WrongAnswer[]} listed @param {number} right */
export function distinct(listed, right) {
  /** @type {Map<number, WrongAnswer>} */
  const found = new Map()
  for (const each of listed) if (each.number > 0 && each.number !== right) kept(found, each.number, () => each)
  return [...found.values()]
}

/** Every known way to another number than the right one, deviations first; no two of the same number.
 * @param {AskedOf} asked @param {Ask} ask @param {number} right */
export function wrongAnswers(asked, ask, right) {
  /** @type {Map<number, Deviation[]>} */
  const deviating = new Map()
  for (const [each, number] of [...ownNumbers(asked), ...deviatingNumbers(asked)])
    kept(deviating, number, () => []).push(each)
  const found = [...deviating].map(([number, made]) => ({
    names: made.map(({ name }) => name),
    number,
    titles: made.map(({ title }) => title),
    feedback: feedback(different(made, asked), number, asked.sizes),
  }))
  return distinct([...found, ...slips(ask, asked.sizes)], right)
}
