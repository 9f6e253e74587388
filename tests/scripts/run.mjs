// Calls functions.mjs for Python, line by line. A line that comes in is JSON: the name of a function, and what it is
// given. A line that goes out is JSON, too: what the function returned, or what it threw.

import { createInterface } from "node:readline"
import * as exported from "./functions.mjs"

const functions = new Map(Object.entries(exported))

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const [name, given] = JSON.parse(line)
  let answer
  try {
    answer = { returned: functions.get(name)(...given) ?? null }
  } catch (error) {
    answer = { thrown: String(error?.stack ?? error) }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
