// Explains adapted models: finds the published model, class, number of labels and method that
// lead to the two numbers that PEFT prints, the trainable parameters and all parameters.
//
// The difference between the two numbers is the size of the model itself, less any biases or head
// trained in place, plus the untrained copy of any module that is copied twice. `totals.js` finds
// the models, classes and numbers of labels that lead to this size. The trainable parameters, less
// any trained head and the extras in `extras.js`, are those of the method (`adding.js`). Parameters that
// a method adds but does not train are part of the difference, and depend only on the modules.
//
// Many combinations lead to the same two numbers. Each combination is a way, and has a cost: the
// rarer its choices, the higher the cost. The costs of the model, class and labels (`totals.js`), of the
// extras (`extras.js`), and of the method, its modules and its size (`adding.js`) are added to that of
// the head. Words in the text lower or raise the cost (`Hints`). The cheapest way is the
// answer, unless it costs too much, and ways that cost little more are mentioned. The costs are
// judgements, not measurements. tests/scripts/test_peft_lines.py checks the answers that they lead
// to.

import { METHODS } from "../../counting/changes.js"
import { sumBy } from "../../counting/engine.js"
import { byCost } from "../../explaining/ways.js"
import { additionsOf, areSameSet, moduleSetsOf, waysAlongsideMatrices, waysToAddParameters } from "./adding.js"
import { extrasWithAdaptedBiases, NO_EXTRAS, rareExtrasOf, usualExtrasOf } from "./extras.js"
import {
  copyOf,
  costOfLabels,
  hasHead,
  labelsReaching,
  likelyFits,
  linesNear,
  MAX_PLAUSIBLE_LABELS,
  onceByClass,
  tableSumOf,
  totalOf,
} from "./totals.js"

const ADAPTERS_LIBRARY = "the adapters library"
const MAX_MATRICES = 20 // an upper bound on the matrices in one layer

/** @typedef {import("./totals.js").TotalLine} TotalLine */
/** @typedef {import("./totals.js").Fit} Fit */
/** @typedef {import("./extras.js").Extras} Extras */
/** @typedef {import("./adding.js").MethodWay} MethodWay */

/** The ways in which the two numbers may count the head:
 * - `copied`: PEFT trains a copy and keeps the original frozen.
 * - `frozen`: no task is specified, so PEFT trains only the adapters.
 * - `both`: like `copied`, but early versions of PEFT left the original trainable, too.
 * - `inPlace`: the head itself is trained.
 * - `uncounted`: only the total counts the copy.
 *
 * `trained` is the number of times that the trainable parameters count the head. `rest` is the number of copies that
 * the other parameters count in addition to the original, or -1 if they do not include the original. */
export const HEAD_COUNTS = /** @type {const} */ ([
  { name: "copied", trained: 1, rest: 0, cost: 0 },
  { name: "frozen", trained: 0, rest: 0, cost: 0.5 },
  { name: "both", trained: 2, rest: -1, cost: 1.5 },
  { name: "inPlace", trained: 1, rest: -1, cost: 1 },
  { name: "uncounted", trained: 0, rest: 1, cost: 2 },
])

const [COPIED] = HEAD_COUNTS

/** A way to count the head. @typedef {typeof HEAD_COUNTS[number]} HeadCount */
/** A complete way to two numbers: the model, the labels and the method. `adapters` and `copy` are the parameter counts
 * of the adapters and of the head that may be copied; `methodCost` is what the method adds to the cost.
 * @typedef {Fit & Omit<MethodWay, "cost"> & { head: HeadCount, extras: Extras, adapters: number, copy: number,
 *   methodCost: number }} AdaptedModel */

/** The target of a search: a model with `trained` parameters that are trained and `rest` that are not, and the hints of
 * a text.
 * @typedef {{ trained: number, rest: number, hints: Hints }} PairTarget */

/** The usual ways to two numbers and, in `modelsAlone`, the models whose size is the difference between the numbers,
 * without extras and with a head as current versions of PEFT count it. In both lists, the likeliest come first.
 * @param {PairTarget} target @returns {{ ways: AdaptedModel[], modelsAlone: Beginning[] }} */
export function usualWaysTo(target) {
  const lines = linesNear(target.rest)
  const plainBeginnings = lines.flatMap((line) => beginningsOf(line, target))
  /** Whether a beginning has no extras and counts its head as current versions of PEFT do. */
  const isAlone = (/** @type {Beginning} */ { head, extras }) => extras === NO_EXTRAS && isCurrent(head)
  const modelsAlone = plainBeginnings.filter(isAlone).sort(byCost)
  const untrainedBeginnings = lines.flatMap((line) => beginningsWithUntrained(line, target, usualExtrasOf))
  return { ways: waysFrom([...plainBeginnings, ...untrainedBeginnings], target), modelsAlone }
}

/** The ways to two numbers in which biases are trained or modules are copied twice, the likeliest first.
 * @param {PairTarget} target @returns {AdaptedModel[]} */
export function rareWaysTo(target) {
  const lines = linesNear(target.rest, true).filter((line) => mayBeFrozenPart(line, target.rest))
  const beginnings = lines.flatMap((line) => [
    ...rareBeginningsOf(line, target),
    ...beginningsWithUntrained(line, target, rareExtrasOf),
  ])
  const biasWays = lines.flatMap((line) => waysWithAdaptedBiases(line, target))
  return [...waysFrom(beginnings, target), ...biasWays].sort(byCost)
}

/** Whether the frozen part may be that of a model whose biases are trained or whose tables are copied twice. With one
 * label, such a model exceeds `rest` by at most its biases; with `MAX_PLAUSIBLE_LABELS`, it is at least as large.
 * @param {TotalLine} line @param {number} rest */
function mayBeFrozenPart({ model, base, perLabel }, rest) {
  const { L, H, F = 0, V } = model.sizes
  const maxBiases = L * (12 * H + 2 * F) + 2 * V + 6 * H
  return [0, tableSumOf(model)].some((copiedTables) => {
    const difference = base + copiedTables - rest
    return difference + perLabel <= maxBiases && difference + MAX_PLAUSIBLE_LABELS * perLabel >= 0
  })
}

/** The ways that continue these beginnings, the likeliest first. Beginnings that cost too much are not continued.
 * @param {Beginning[]} beginnings @param {PairTarget} target */
function waysFrom(beginnings, target) {
  /** @type {AdaptedModel[]} */
  const ways = []
  for (const beginning of beginnings.sort(byCost)) {
    if (beginning.cost > Math.min(MAX_COST, (ways[0]?.cost ?? Infinity) + MENTIONED_WITHIN)) break
    // The adapters library trains the head in place; PEFT trains a copy, if anything.
    const isPossible = (/** @type {AdaptedModel} */ { method, untrainedCount, head, copy }) =>
      untrainedCount === beginning.untrainedCount &&
      (!copy || METHODS.get(method)?.library !== ADAPTERS_LIBRARY || head.name === "inPlace")
    ways.push(...waysOf(beginning, target).filter(isPossible))
    ways.sort(byCost)
  }
  return ways
}

/** The first half of a way: what follows from the frozen part of the model, without the method.
 * @typedef {Fit & { head: HeadCount, extras: Extras, untrainedCount: number }} Beginning */

/** The beginnings with which the frozen part of a model has `rest` parameters.
 * @param {TotalLine} line @param {PairTarget} target @returns {Beginning[]} */
const beginningsOf = (line, target) =>
  HEAD_COUNTS.flatMap((head) => {
    if (head.name !== "copied" && !hasHead(line)) return []
    const beginnings = beginningsWith(line, head, NO_EXTRAS, target)
    if (!beginnings.length || !isCurrent(head)) return beginnings
    const allExtras = usualExtrasOf(line).filter((extras) => extras.trained < target.trained)
    return allExtras.flatMap((extras) =>
      beginnings.map((beginning) => ({ ...beginning, extras, cost: beginning.cost + extras.cost })),
    )
  })

/** The beginnings for methods that add parameters without training them. The frozen part includes these parameters.
 * @param {TotalLine} line @param {PairTarget} target
 * @param {(line: TotalLine, isHeadCopied: boolean) => Extras[]} listExtras  lists the extras to try
 * @returns {Beginning[]} */
const beginningsWithUntrained = (line, target, listExtras) =>
  currentHeads(line).flatMap((head) =>
    listExtras(line, head.name === "copied")
      .filter((extras) => extras.trained < target.trained && mayHaveUntrained(line, extras, target.rest))
      .flatMap((extras) =>
        untrainedCountsOf(line, extras.saved, head.name === "copied").flatMap((untrainedCount) =>
          beginningsWith(line, head, extras, { ...target, rest: target.rest - untrainedCount }).map((beginning) => ({
            ...beginning,
            untrainedCount,
          })),
        ),
      ),
  )

/** Whether the frozen part exceeds a model by so little that the difference may be an untrained element for each
 * matrix. Only then are all sets of modules counted, because that takes a while.
 * @param {TotalLine} line @param {Extras} extras @param {number} rest */
function mayHaveUntrained({ model, base, perLabel }, extras, rest) {
  const difference = rest - base - extras.rest
  const perLabelOfRest = perLabel - extras.perLabel
  return difference > 0 && (perLabelOfRest ? difference % perLabelOfRest : difference) <= model.sizes.L * MAX_MATRICES
}

/** The numbers of parameters that a method may add to a model without training them. */
const untrainedCountsOf = onceByClass(
  (/** @type {TotalLine} */ line, /** @type {string} */ savedModule, /** @type {boolean} */ isHeadCopied) => {
    // A single element for each matrix does not depend on the number of labels.
    const additions = Object.values(additionsOf(line, savedModule, isHeadCopied ? null : 0))
    const numbers = moduleSetsOf(line, isHeadCopied).flatMap(([modules]) =>
      additions.map((addition) => sumBy(modules, (name) => addition[name].untrainedCount)),
    )
    return [...new Set(numbers)].filter(Boolean)
  },
)

/** The beginnings with extras that change the size of the frozen part.
 * @param {TotalLine} line @param {PairTarget} target @returns {Beginning[]} */
const rareBeginningsOf = (line, target) =>
  currentHeads(line).flatMap((head) =>
    rareExtrasOf(line, head.name === "copied")
      .filter((extras) => extras.trained < target.trained)
      .flatMap((extras) => beginningsWith(line, head, extras, target)),
  )

/** Whether current versions of PEFT count a head in this way. @param {HeadCount} head */
export const isCurrent = ({ name }) => name === "copied" || name === "frozen"

/** The ways in which current versions of PEFT count the head of a class; only `copied` for a class without a head.
 * @param {TotalLine} line */
export const currentHeads = (line) =>
  HEAD_COUNTS.filter((head) => isCurrent(head) && (head.name === "copied" || hasHead(line)))

/** The beginnings with one way to count the head and one choice of extras; empty if no number of labels fits.
 * @param {TotalLine} line @param {HeadCount} head @param {Extras} extras @param {PairTarget} target
 * @returns {Beginning[]} */
function beginningsWith(line, head, extras, { rest, hints }) {
  const perLabel = line.perLabel + head.rest * line.copyPerLabel - extras.perLabel
  const labels = labelsReaching(rest - extras.rest, line.base + head.rest * line.copyBase, perLabel)
  if (Number.isNaN(labels)) return []
  // If the labels cancel out here, they follow only from the trainable parameters.
  const areLabelsOpen = line.perLabel && !perLabel
  return (areLabelsOpen ? LIKELY_LABELS : [labels]).map((C) => ({
    line,
    labels: line.perLabel ? C : 0,
    cost: line.cost + costOfLabels(C, line) + head.cost + extras.cost + hints.costOf(line, C),
    head,
    extras,
    untrainedCount: 0,
  }))
}

/** The number of trained parameters that a beginning leaves to the method.
 * @param {Beginning} beginning @param {number} trainedCount */
const adaptersOf = ({ line, labels, head, extras }, trainedCount) =>
  trainedCount - head.trained * copyOf({ line, labels }) - extras.trained - extras.perLabel * labels

/** A beginning with the method that continues it.
 * @param {Beginning} beginning @param {number} trainedCount @param {MethodWay} way
 * @returns {AdaptedModel} */
const withMethod = (beginning, trainedCount, way) => ({
  ...beginning,
  ...way,
  adapters: adaptersOf(beginning, trainedCount),
  copy: copyOf(beginning),
  methodCost: way.cost,
  cost: beginning.cost + way.cost,
})

/** The ways from a beginning to the trainable parameters, the likeliest first.
 * @param {Beginning} beginning @param {Omit<PairTarget, "rest">} target
 * @param {boolean} [isLimitedToNamed]  as in `Search` (adding.js) */
export function waysOf(beginning, { trained, hints }, isLimitedToNamed = false) {
  const { line, head, labels, extras } = beginning
  const labelsOfAdaptedHead = head.trained || !hasHead(line) ? null : labels
  const search = { line, adapters: adaptersOf(beginning, trained), hints, isLimitedToNamed }
  const ways = waysToAddParameters(search, extras, labelsOfAdaptedHead)
  return ways.map((way) => withMethod(beginning, trained, way))
}

/** The ways in which LoRA, DoRA or a method that the text names also trains the biases of the matrices that it adapts.
 * @param {TotalLine} line @param {PairTarget} target @returns {AdaptedModel[]} */
function waysWithAdaptedBiases(line, target) {
  const { trained, hints } = target
  return currentHeads(line).flatMap((head) =>
    moduleSetsOf(line, head.name === "copied").flatMap(([modules, cost]) =>
      extrasWithAdaptedBiases(line, modules).flatMap((extras) =>
        beginningsWith(line, head, extras, target).flatMap((beginning) => {
          const additions = additionsOf(line, extras.saved, null)
          const search = { adapters: adaptersOf(beginning, trained), hints, isLimitedToNamed: true }
          return waysAlongsideMatrices(search, modules, cost, additions)
            .filter(({ untrainedCount }) => !untrainedCount)
            .map((way) => withMethod(beginning, trained, way))
        }),
      ),
    ),
  )
}

export const MAX_COST = 10 // the largest cost of a way to two numbers
export const SURE_COST = 5 // the largest cost of a way that is stated without reservation
export const MENTIONED_WITHIN = 4 // another way is mentioned if it costs at most this much more than the likeliest

/** Usual numbers of labels, 2 first. Some emotion data sets have 28, and Banking77 has 77. */
const LIKELY_LABELS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 12, 13, 14, 15, 16, 17, 18, 19, 20, 28, 77]

/** The ways to train this many parameters on top of a model with this total, for a pair whose total leaves out what is
 * added. @param {number} trainedCount @param {number} total @param {Hints} hints
 * @param {boolean} [isLimitedToNamed]  as in `Search` (adding.js) */
export const waysOnTopOf = (trainedCount, total, hints, isLimitedToNamed = false) =>
  likelyFits(total, hints.costOf)
    .flatMap((fit) =>
      currentHeads(fit.line).flatMap((head) => {
        const beginning = { ...fit, head, extras: NO_EXTRAS, untrainedCount: 0, cost: fit.cost + head.cost }
        return waysOf(beginning, { trained: trainedCount, hints }, isLimitedToNamed)
      }),
    )
    .sort(byCost)

/** The other ways to add the same number of parameters to the same model.
 * @param {AdaptedModel} way @param {Hints} hints */
export const otherWays = ({ line, adapters, method, rank, modules, extras }, hints) =>
  waysToAddParameters({ line, adapters, hints, isLimitedToNamed: false }, extras).filter(
    (way) => way.method !== method || way.rank !== rank || !areSameSet(way.modules, modules),
  )

/** The trainable parameters and all parameters that PEFT prints for a way without extras whose head is copied or
 * frozen.
 * @param {AdaptedModel} way */
export function numbersAsPrinted({ line, labels, head, adapters, copy, untrainedCount }) {
  const copies = head.trained * copy
  return { trained: adapters + copies, all: totalOf({ line, labels }) + adapters + copies + untrainedCount }
}

/** The numbers that PEFT prints for a way without extras if the user specifies the task, so that the head is copied.
 * @param {AdaptedModel} way */
export const numbersWithTask = (way) => numbersAsPrinted({ ...way, head: COPIED })
