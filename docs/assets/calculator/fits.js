// Whether a training step fits on a card, in the calculator: the form of the page on
// training memory, for the configuration at hand. What steps keep is exported for some
// architectures and choices of what is trained; for any other configuration, readers are
// sent to the command line. All of it is fetched when the reader unfolds it.

import { LORA } from "../counting/changes.js"
import { FREE } from "../counting/configuration.js"
import { byId } from "./live.js"

const fold = /** @type {HTMLDetailsElement} */ (byId("fits"))
const form = /** @type {HTMLFormElement} */ (byId("batch-form"))

/** The LoRA that the form offers to save memory: `TRAINED` in macros/rendering/components/training_steps.py. */
const USUAL_LORA = { method: LORA, rank: 8, width: 0, modules: ["query", "value"], feedforward: [] }

/** @type {Configuration} */
let configuration

/** Set the form to the configuration, or show the command in its place. */
async function set() {
  if (!fold.open) return
  const [{ choose }, { trainedModel }] = await Promise.all([
    import("../pages/fits.js"),
    import("../counting/trained.js"),
  ])
  const withLora = configuration.lora ? null : { ...configuration, frozen: FREE, lora: USUAL_LORA }
  form.hidden = !choose(trainedModel(configuration), withLora && trainedModel(withLora))
  byId("fits-otherwise").hidden = !form.hidden
}

/** @param {View} view */
export function show(view) {
  configuration = view.configuration
  set()
}

fold.addEventListener("toggle", set)
