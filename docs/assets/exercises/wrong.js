// Wrong answers to an exercise, and what each of them means: deviations, those
// of exercises and the known ones, and slips in the sum. The rules are those of macros/teaching/wrong.py.

import exercises from "../../data/exercises.js"
import table from "../../data/table.js"
import { Counter, deviation, deviations, resized, whole } from "../counting/engine.js"
import { countedOnce, withLetter, withoutSummand, withSizes } from "./letter-sums.js"

const { deviations: ofExercises, texts } = exercises
/** A text with what stands in braces filled in. @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

/** @param {string} part */
const isOneLayer = (part) => /\blayer_[0-9]/.test(part)

/** Each known deviation that fits and gives another number, with this number.
 * @param {AskedOf} asked @returns {[Deviation, number][]} */
export function deviatingNumbers({ modelClass, sizes, part, tag }) {
  const counter = new Counter(modelClass, sizes)
  const right = counter.number([], part, tag)
  const wholeModel = !part && !tag
  return table.deviations.flatMap(({ name }) => {
    const each = deviations.get(name)
    if (!wholeModel && (each.adds || each.instead)) return []
    if (isOneLayer(part) && each.factor.includes("L")) return []
    const made = counter.made([name])
    const number = made && counter.number(made, part, tag)
    return number !== null && number > 0 && number !== right
      ? [/** @type {[Deviation, number]} */ ([each, number])]
      : []
  })
}

const own = ofExercises.map(deviation)

/** What only exercises leave room for: all layers where one is meant, and two labels where others are given.
 * @param {AskedOf} asked @returns {[Deviation, number][]} */
function ownNumbers({ modelClass, sizes, part, tag }) {
  const counter = new Counter(modelClass, sizes)
  const right = counter.number([], part, tag)
  return own.flatMap((each) => {
    if (each.above === "L" && !isOneLayer(part)) return []
    const number = counter.rows.touchedBy(each) && counter.number([each], part, tag)
    return number && number !== right ? [/** @type {[Deviation, number]} */ ([each, number])] : []
  })
}

/** What somebody did, with the size that was taken where it is that. @param {Deviation} each @param {Sizes} sizes */
function done(each, sizes) {
  const { letter } = each
  if (!letter) return each.done
  return filled(texts.taken, {
    done: each.done,
    letter,
    taken: whole(resized(sizes, [each])[letter]),
    number: whole(sizes[letter]),
  })
}

/** Of deviations that do the same to what is asked, the one that does least besides.
 * @param {Deviation[]} made @param {AskedOf} asked */
function different(made, { modelClass, sizes, part, tag }) {
  const { rows } = new Counter(modelClass, sizes)
  const chosen = new Set(rows.selected(part, tag))
  /** @type {Map<string, { each: Deviation, reach: number }>} */
  const least = new Map()
  for (const each of made) {
    const touched = rows.touchedBy(each) ?? []
    const taken = each.letter ? [each.letter, resized(sizes, [each])[each.letter]] : []
    const does = JSON.stringify([
      touched.filter((place) => chosen.has(place)),
      each.factor,
      each.adds,
      each.instead,
      taken,
    ])
    const known = least.get(does)
    if (!known || touched.length < known.reach) least.set(does, { each, reach: touched.length })
  }
  return [...least.values()].map(({ each }) => each)
}

/** @param {Deviation[]} made @param {number} number @param {Sizes} sizes */
function feedback(made, number, sizes) {
  const ways = made.map((each) => done(each, sizes))
  if (made.length > 1)
    return filled(texts.either, {
      number: whole(number),
      done: ways.join(", or "),
      undo: made.map(({ undo }) => undo).join(" or "),
    })
  const [{ kind, undo, why }] = made
  return filled(kind === "convention" ? texts.convention : texts.done, {
    number: whole(number),
    done: ways[0],
    undo,
    why,
  })
}

/** @param {string} name @param {number} number @param {string} text @param {Record<string, string | number>} values @returns {WrongAnswer} */
const slip = (name, number, text, values) => ({
  names: [name],
  number,
  titles: [],
  feedback: filled(text, { number: whole(number), ...values }),
})

/** Slips in the sum. @param {Ask} ask @param {Sizes} sizes */
function slips({ lines }, sizes) {
  const last = lines.length - 1
  const results = withSizes(lines, sizes)
  const found = lines
    .slice(0, last)
    .map(({ what }, place) => slip(`stopped:${place}`, results[place].result, texts.stopped, { what }))
  lines.forEach(({ summands }, place) =>
    summands.forEach(([, what, times], at) => {
      if (summands.length > 1)
        found.push(
          slip(
            `lacking:${place}.${at}`,
            withSizes(withoutSummand(lines, place, at), sizes)[last].result,
            texts.lacking,
            { what },
          ),
        )
      if (times)
        found.push(
          slip(`once:${place}.${at}`, withSizes(countedOnce(lines, place, at), sizes)[last].result, texts.once, {
            what,
            times: times === "L" ? whole(sizes.L) : times,
          }),
        )
    }),
  )
  return last ? found : [...found, ...ofOtherLetters(lines, sizes)]
}

const TAKEN = [..."VPSHF"] // the letters that one may be taken for in the shape of a tensor

/** A tensor whose shape has another letter in the place of one. @param {LineInLetters[]} lines @param {Sizes} sizes */
const ofOtherLetters = (lines, sizes) =>
  [...new Set(lines[0].summands[0][0].split(" "))]
    .filter((letter) => TAKEN.includes(letter))
    .flatMap((letter) =>
      TAKEN.filter((other) => other !== letter).map((other) =>
        slip(`letter:${letter}.${other}`, withSizes(withLetter(lines, letter, other), sizes)[0].result, texts.letter, {
          letter,
          other,
        }),
      ),
    )

/** The first wrong answer of each number, without the right one. @param {WrongAnswer[]} listed @param {number} right */
export function distinct(listed, right) {
  /** @type {Map<number, WrongAnswer>} */
  const found = new Map()
  for (const each of listed)
    if (each.number > 0 && each.number !== right && !found.has(each.number)) found.set(each.number, each)
  return [...found.values()]
}

/** Every known way to another number than the right one, deviations first; no two of the same number.
 * @param {AskedOf} asked @param {Ask} ask @param {number} right */
export function wrongAnswers(asked, ask, right) {
  /** @type {Map<number, Deviation[]>} */
  const deviating = new Map()
  for (const [each, number] of [...ownNumbers(asked), ...deviatingNumbers(asked)])
    deviating.set(number, [...(deviating.get(number) ?? []), each])
  const found = [...deviating].map(([number, made]) => ({
    names: made.map(({ name }) => name),
    number,
    titles: made.map(({ title }) => title),
    feedback: feedback(different(made, asked), number, asked.sizes),
  }))
  return distinct([...found, ...slips(ask, asked.sizes)], right)
}
