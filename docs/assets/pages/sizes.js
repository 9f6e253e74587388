// The sections in which a reader can try other sizes for a part. The script that fills them
// is fetched when one of them is opened.

import { startWhenOpened } from "./first-opening.js"

for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.bc-resized"))) {
  startWhenOpened(fold, () => import("../trying/sizes.js"))
}
