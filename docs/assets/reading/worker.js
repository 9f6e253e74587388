// Reads long texts in a worker, so that the page stays responsive.

import { account } from "./account.js"

const worker = /** @type {any} */ (self)
worker.onmessage = (/** @type {MessageEvent<string>} */ { data }) => worker.postMessage(account(data))
