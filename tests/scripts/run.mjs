// Calls the functions of functions.mjs for Python. Each line of input is JSON with the name of a function and its
// arguments, and each line of output is JSON with the value that the function returned or the error that it threw.

import { createInterface } from "node:readline"
import * as definitions from "./functions.mjs"

const functions = new Map(Object.entries(definitions))

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [name, args] = JSON.parse(line)
  let answer
  try {
    answer = { returned: (await functions.get(name)(...args)) ?? null }
  } catch (error) {
    answer = { thrown: String(error?.stack ?? error) }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
