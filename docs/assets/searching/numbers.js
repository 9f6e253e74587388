// The theme's search worker, whose address stands after the question mark of this
// one's. By itself it loses some words with digits: lunr takes two states for one
// where the letter of an edge and the number of the state behind it read like those
// of another, as 1 and 23 like 12 and 3. Numbers that are all of one length do not.

const worker = /** @type {any} */ (self)
worker.importScripts(worker.location.search.slice(1))
worker.lunr.TokenSet._nextId = 10 ** 9
