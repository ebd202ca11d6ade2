import fs from 'node:fs'
import type { Log } from '@fairway/platform'

const LINES_PER_SECOND = 20
const MOST_BYTES = 4 << 20

export type Said = Disposable & {
  /** To be given to nginx as where it writes. */
  fd: number
  /** What nginx has written since a mark. */
  since(mark: number): string
  mark(): number
}

/**
 * nginx's own words: a file, which it goes on writing to when we are gone. Each line is logged, at most
 * `LINES_PER_SECOND`: visitors can make it complain as often as they like.
 */
export function openSaid(file: string, log: Log): Said {
  const fd = fs.openSync(file, 'a+', 0o600)
  const meter = { second: 0, lines: 0, dropped: 0 }
  let [at, rest] = [fs.fstatSync(fd).size, '']
  const tell = (line: string) => {
    const second = Math.floor(Date.now() / 1000)
    if (second !== meter.second) {
      if (meter.dropped) log.warn({ event: 'nginx.lines.dropped', count: meter.dropped })
      Object.assign(meter, { second, lines: 0, dropped: 0 })
    }
    if (meter.lines++ < LINES_PER_SECOND) log.warn({ event: 'nginx.said', line: withoutTokens(line.slice(0, 1000)) })
    else meter.dropped += 1
  }
  let isOpen = true
  const read = () => {
    if (!isOpen) return
    const { size } = fs.fstatSync(fd)
    if (size < at) at = 0
    const lines = (rest + textFrom(fd, at, size)).split('\n')
    at = size
    rest = (lines.pop() ?? '').slice(0, 4096)
    for (const line of lines) tell(line)
    if (size < MOST_BYTES) return
    fs.ftruncateSync(fd)
    at = 0
  }
  const watcher = fs.watch(file, read)
  watcher.on('error', () => {})
  return {
    fd,
    mark: () => fs.fstatSync(fd).size,
    since: (mark) => textFrom(fd, mark, Math.min(fs.fstatSync(fd).size, mark + 8192)),
    [Symbol.dispose]() {
      watcher.close()
      read()
      isOpen = false
      fs.closeSync(fd)
    },
  }
}

/** nginx says which request it is about, as the visitor wrote it. */
const withoutTokens = (line: string): string =>
  line.replaceAll(/(\/t\/)[^/\s"]+/g, '$1…').replaceAll(/([?&]token=)[^&\s"]+/g, '$1…')

const LONGEST_READ = 256 << 10

/** The rest of more than is of use to anybody is left out. */
function textFrom(fd: number, from: number, to: number): string {
  const bytes = Buffer.alloc(Math.max(0, Math.min(to - from, LONGEST_READ)))
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, from))
}
