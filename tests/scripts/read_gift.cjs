// Prints as JSON what gift-pegjs, an independent parser of GIFT, reads in question banks: a list for every file.
const { readFileSync } = require("node:fs")
const { parse } = require("gift-pegjs")

process.stdout.write(JSON.stringify(process.argv.slice(2).map((path) => parse(readFileSync(path, "utf8")))))
