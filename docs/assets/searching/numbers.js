// The theme's search worker, whose address follows the question mark in the address of
// this one. On its own it loses some words with digits. lunr tells states apart by a
// text that joins the letter of an edge and the number of the state behind it, so 1 and
// 23 read like 12 and 3. Here all numbers have the same length, so no two texts agree.

const worker = /** @type {any} */ (self)
worker.importScripts(worker.location.search.slice(1))
worker.lunr.TokenSet._nextId = 10 ** 9
