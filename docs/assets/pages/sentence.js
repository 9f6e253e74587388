// The section in which a reader can try a sentence. The vocabulary and the script that cuts
// the sentence into tokens are fetched when the section is opened.

import { startWhenOpened } from "./first-opening.js"

const fold = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.bc-sentence"))
if (fold) startWhenOpened(fold, () => import("../trying/sentence.js"))
