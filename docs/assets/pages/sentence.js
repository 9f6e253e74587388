// The fold in which a reader tries a sentence. The vocabulary and the script that cuts the
// sentence into tokens are fetched when it is opened.

import { startWhenOpened } from "./first-opening.js"

const fold = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.bc-sentence"))
if (fold) startWhenOpened(fold, () => import("../trying/sentence.js"))
