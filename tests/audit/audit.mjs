// Lighthouse on every page of a built site, phone profile, served locally.
//
//     node audit.mjs SITE [PAGE ...]
//
// Prints a table and exits with 1 where a page is below the goal. Performance
// is measured in time, so it is the median of three runs; the other scores
// do not vary, and one of those runs is looked at.

import { createServer } from "node:http"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { extname, join, relative } from "node:path"
import { gzipSync } from "node:zlib"
import { launch } from "chrome-launcher"
import lighthouse from "lighthouse"

const GOAL = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 }
const RUNS = 3
// Addresses that ask something, which their pages answer at once.
const ASKED = ["disagreements/i-got.html?n=75641856"]
const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json", ".xml": "application/xml" }
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]

const [site, ...asked] = process.argv.slice(2)
const all = readdirSync(site, { recursive: true }).map((path) => relative(site, join(site, path)))
// Pages for frames ask not to be found, which lowers a score; what they show is seen on the pages that it is cut from.
const isAudited = (path) => path.endsWith(".html") && path !== "404.html" && !path.startsWith("embed/")
const pages = asked.length ? asked : [...all.filter(isAudited).sort(), ...ASKED]

// Files as GitHub Pages sends them: text compressed by gzip and by nothing better, see
// https://github.com/orgs/community/discussions/21655, and kept by browsers for ten minutes, so that a worker gets the
// script that the page has fetched. The types above are those of text; a font is compressed already.
let sent = 0
const server = createServer((request, response) => {
  const path = join(site, decodeURIComponent(new URL(request.url, "http://localhost").pathname))
  if (!existsSync(path) || path.endsWith("/")) return response.writeHead(404).end()
  const type = TYPES[extname(path)]
  const body = type ? gzipSync(readFileSync(path)) : readFileSync(path)
  sent += body.length
  response.writeHead(200, { "content-type": type ?? "application/octet-stream", ...(type && { "content-encoding": "gzip", vary: "accept-encoding" }), "content-length": body.length, "cache-control": "max-age=600" }).end(body)
})
await new Promise((ready) => server.listen(0, "127.0.0.1", ready))
const chrome = await launch({ chromeFlags: FLAGS })

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

async function audit(page) {
  const runs = []
  for (let run = 0; run < RUNS; run++) {
    sent = 0
    const url = `http://127.0.0.1:${server.address().port}/${page}`
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: Object.keys(GOAL), logLevel: "error" })
    if (lhr.runtimeError) throw new Error(`${page}: ${lhr.runtimeError.message}`)
    runs.push({ lhr, sent })
  }
  const score = (category) => median(runs.map(({ lhr }) => Math.round(100 * lhr.categories[category].score)))
  const failed = Object.values(runs[0].lhr.audits).filter((each) => each.score === 0 && each.scoreDisplayMode === "binary")
  return { page, ...Object.fromEntries(Object.keys(GOAL).map((name) => [name, score(name)])), KiB: Math.round(runs[0].sent / 1024), failed: failed.map(({ id }) => id).join(" ") }
}

let low = 0
try {
  const rows = []
  for (const page of pages) {
    const row = await audit(page)
    rows.push(row)
    low += Object.entries(GOAL).filter(([name, goal]) => row[name] < goal).length
    process.stderr.write(`${page}\n`)
  }
  console.table(rows)
} finally {
  await chrome.kill()
  server.close()
}
if (low) console.error(`${low} scores are below the goal of ${JSON.stringify(GOAL)}`)
process.exit(low ? 1 : 0)
