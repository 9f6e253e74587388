// Reads long texts in a worker, so that the page stays responsive. pages/i-got.js starts a
// worker for each text and stops it when the next text arrives or when it takes too long.

import { account } from "./account.js"

const worker = /** @type {any} */ (self)
worker.onmessage = (/** @type {MessageEvent<string>} */ { data }) => worker.postMessage(account(data))
