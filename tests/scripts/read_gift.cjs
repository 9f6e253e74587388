// Prints what gift-pegjs, a grammar of GIFT that is not ours, reads in question banks, as JSON: a list for each file.
const { readFileSync } = require("node:fs")
const { parse } = require("gift-pegjs")

process.stdout.write(JSON.stringify(process.argv.slice(2).map((path) => parse(readFileSync(path, "utf8")))))
