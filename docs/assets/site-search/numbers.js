// Loads the theme's search worker, whose address follows the question mark in the
// address of this one, and corrects a fault in it: it misses some words with digits.
// lunr identifies a state by a text that joins the letter of an edge and the number of
// the state after it, so letter 1 and state 23 look the same as letter 12 and state 3.
// With numbers of equal length, no two of these texts are the same.

const worker = /** @type {any} */ (self)
worker.importScripts(worker.location.search.slice(1))
worker.lunr.TokenSet._nextId = 10 ** 9 // a billion states later, the numbers would have another digit
