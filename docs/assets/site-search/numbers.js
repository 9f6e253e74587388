// Loads the theme's search worker, whose address follows the question mark in the address
// of this one, and fixes a bug in lunr, which does not find some words with digits. lunr
// identifies a state by a string that joins the letter of each edge and the number of the
// state after it, so letter 1 and state 23 look like letter 12 and state 3. If all state
// numbers have the same length, different states have different strings.

const worker = /** @type {any} */ (self)
worker.importScripts(worker.location.search.slice(1))
worker.lunr.TokenSet._nextId = 10 ** 9 // the numbers would only get another digit after nine billion states
