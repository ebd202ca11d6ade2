import fs from 'node:fs'

/**
 * Loaded before a process's program: its calendar is off by the seconds that a file says, as after somebody has set the
 * machine's clock. Spans (`performance`, timers) are the kernel's own, which no clock that is set changes. The file's
 * name stands behind the `?` of this module's address.
 */
const file = decodeURIComponent(new URL(import.meta.url).search.slice(1))
const LOOK_MS = 250

const TrueDate = Date
const trueNow = Date.now
let offMs = 0
const now = () => trueNow() + offMs

/** What this process takes the time for is written down beside the file, so that nobody has to believe it. */
function look(): void {
  try {
    const wanted = Number(fs.readFileSync(file, 'utf8')) * 1000
    if (wanted === offMs) return
    offMs = wanted
    fs.writeFileSync(`${file}.${process.pid}`, new Date().toISOString())
  } catch {
    // As it was.
  }
}
setInterval(look, LOOK_MS).unref()

TrueDate.now = now
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, words: unknown[], made) => Reflect.construct(target, words.length === 0 ? [now()] : words, made),
  apply: () => new TrueDate(now()).toString(),
})
look()
