import fs from 'node:fs'
import path from 'node:path'

/** nginx's request log cut into closed files; together they are the spool that waits for the collector. */
export type Spool = {
  /**
   * Sets the open log aside so that nginx begins a new one; `reopen` tells it to. Files become readable one cut later,
   * when all workers have let go.
   */
  cut(reopen: () => void): void
  /** The oldest readable file from where it was left, or null. */
  next(): { lines: string[]; /** The first so many are no longer wanted. */ done(count: number): void } | null
  /** Deletes the oldest files beyond the bound, or a smaller one. Returns the lines lost. */
  trim(bytes?: number): number
  sizeBytes(): number
}

/** `log` is the file nginx writes to; `batchLines` bounds what `next` returns. */
export function spool(log: string, maxBytes: number, batchLines: number): Spool {
  const folder = path.dirname(log)
  const progressFile = path.join(folder, 'sent.json')
  let sequence = closedFiles(folder).map(numberOf).at(-1) ?? 0
  let resting = closedFiles(folder).length > 0 ? numberOf(closedFiles(folder).at(-1) ?? '') : 0
  let open: { name: string; lines: string[]; at: number } | null = null
  const forget = (name: string) => {
    fs.rmSync(path.join(folder, name), { force: true })
    if (open?.name === name) open = null
  }
  const advance = (count: number) => {
    if (!open) return
    open.at += count
    if (open.at >= open.lines.length) return forget(open.name)
    fs.writeFileSync(progressFile, JSON.stringify({ name: open.name, at: open.at }))
  }
  return {
    cut(reopen) {
      resting = sequence
      if (!fs.existsSync(log) || fs.statSync(log).size === 0) return
      sequence += 1
      fs.renameSync(log, path.join(folder, `requests.${String(sequence).padStart(12, '0')}.closed`))
      reopen()
    },
    next() {
      const name = open?.name ?? closedFiles(folder).find((file) => numberOf(file) <= resting)
      if (!name) return null
      if (!open) {
        const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean)
        open = { name, lines, at: sentOf(progressFile, name) }
        if (open.at >= lines.length) {
          forget(name)
          return null
        }
      }
      const lines = open.lines.slice(open.at, open.at + batchLines)
      return { lines, done: advance }
    },
    trim(bytes = maxBytes) {
      const files = closedFiles(folder).map((name) => ({ name, size: fs.statSync(path.join(folder, name)).size }))
      let total = files.reduce((sum, file) => sum + file.size, 0)
      let lost = 0
      for (const { name, size } of files) {
        if (total <= Math.min(bytes, maxBytes)) break
        lost +=
          fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean).length -
          (open?.name === name ? open.at : 0)
        forget(name)
        total -= size
      }
      return lost
    },
    sizeBytes: () => closedFiles(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0),
  }
}

function closedFiles(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /^requests\.\d+\.closed$/.test(name))
    .sort()
}

function numberOf(name: string): number {
  return Number(/\d+/.exec(name)?.[0] ?? 0)
}

/** Lines of the file already taken by the collector, from a run that was killed in its middle. */
function sentOf(progressFile: string, name: string): number {
  try {
    const progress = JSON.parse(fs.readFileSync(progressFile, 'utf8')) as { name: unknown; at: unknown }
    return progress.name === name && typeof progress.at === 'number' ? progress.at : 0
  } catch {
    return 0
  }
}
