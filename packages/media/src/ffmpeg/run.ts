import { spawn, spawnSync } from 'node:child_process'
import os from 'node:os'
import { Readable, type Writable } from 'node:stream'

/**
 * A program of ffmpeg's that ended badly; `said` are its last words, without paths of this machine. `isOurs`: by no fault
 * of the file that is known. It was not started, was killed, or had no room; another time it may go well.
 */
export class MediaFailure extends Error {
  readonly said: string
  readonly isOurs: boolean
  constructor(said: string, { isOurs = false, ...options }: ErrorOptions & { isOurs?: boolean } = {}) {
    super(said || 'it ended without a word', options)
    this.said = said
    this.isOurs = isOurs
  }
}

export type Run = {
  program: 'ffmpeg' | 'ffprobe'
  arguments: readonly string[]
  /** The one folder that it works in. */ folder: string
  signal: AbortSignal
  /** Milliseconds on the clock, after which it is ended; null for what goes on as long as its input. */
  withinMs: number | null
  /** It is little work: when it takes longer than that, this machine is slow. */
  isSlowOurs?: boolean
  /** Given its standard input, to write to; without it there is none. */
  input?: (to: Writable) => void
  /** Lines of its standard output as they come; without it they are gathered and answered. */
  line?: (line: string) => void
  /** Takers of what it writes to `pipe:3` and on. One that throws ends it. */
  outputs?: readonly ((chunk: Buffer) => void)[]
}

/** Containers that hold what they show; none that names other files or addresses (playlists, concat, image lists). */
const DEMUXERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,mpegts,mpeg,mpegvideo,asf'
/** In front of every input: nothing but the file is opened, and only as one of these. */
export const HOSTILE_INPUT = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS] as const

/** In front of what comes in by a pipe: the one container that it is in, and nothing that it names. */
export const HOSTILE_PIPE = ['-protocol_whitelist', 'pipe', '-format_whitelist', 'flv', '-f', 'flv'] as const

export const PIPED_MATROSKA = [
  '-protocol_whitelist',
  'pipe',
  '-format_whitelist',
  'matroska,webm',
  '-f',
  'matroska',
] as const
export const PIPED_MP4 = [
  '-protocol_whitelist',
  'pipe',
  '-format_whitelist',
  'mov,mp4,m4a,3gp,3g2,mj2',
  '-f',
  'mp4',
] as const
export const PIPED_TS = ['-protocol_whitelist', 'pipe', '-format_whitelist', 'mpegts', '-f', 'mpegts'] as const

const MOST_PICTURE_PIXELS = 50_000_000
/** In front of a picture that comes in by a pipe: the one format that its first bytes say, and of a size that can be held. */
export const hostilePicture = (format: 'jpeg' | 'png' | 'webp'): readonly string[] =>
  `-protocol_whitelist pipe -format_whitelist ${format}_pipe -max_pixels ${MOST_PICTURE_PIXELS} -f ${format}_pipe`.split(
    ' ',
  )

const MEMORY_BYTES = 6 * 2 ** 30
const FILE_BYTES = 4 * 2 ** 30
const MOST_OUTPUT = 2 ** 20
const KEPT_WORDS = 4_000
/** One of the wrapper could not start what comes after it, or the kernel gave nothing. */
const NOTHING_GIVEN =
  /^(?:nice|prlimit|unshare): |No space left on device|Disk quota exceeded|Cannot allocate memory|Resource temporarily unavailable/m

export const threads = (): number => Math.max(1, Math.min(8, os.availableParallelism()))

/** Whether both programs are there. */
export const hasFfmpeg = (): boolean =>
  (['ffmpeg', 'ffprobe'] as const).every((name) => spawnSync(name, ['-version'], { stdio: 'ignore' }).status === 0)

let wrap: readonly string[] | undefined
/** No network and bounds of the kernel's, as far as this machine lets us; the whitelists hold everywhere. */
function wrapper(): readonly string[] {
  const works = (words: string[]) =>
    spawnSync(words[0] ?? '', [...words.slice(1), 'true'], { stdio: 'ignore' }).status === 0
  const found = [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ].find(works)
  const bounds = ['prlimit', `--as=${MEMORY_BYTES}`, `--fsize=${FILE_BYTES}`, '--nofile=256', '--core=0']
  return (wrap ??= ['nice', '-n', '10', ...(works(bounds) ? bounds : []), ...(found ?? [])])
}

/** @throws MediaFailure when it fails, is ended, or takes too long. */
export function run({
  program,
  arguments: words,
  folder,
  signal,
  withinMs,
  isSlowOurs = false,
  line,
  input,
  outputs = [],
}: Run): Promise<string> {
  const [first = program, ...rest] = [...wrapper(), program, ...words]
  return new Promise((resolve, reject) => {
    const child = spawn(first, rest, {
      cwd: folder,
      // Nothing of ours: neither settings nor secrets.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe', ...outputs.map(() => 'pipe' as const)],
      signal: withinMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(withinMs))]),
      killSignal: 'SIGKILL',
    })
    let output = ''
    let said = ''
    let broken: Error | undefined
    child.once('error', (error) =>
      reject(
        new MediaFailure(signal.aborted ? 'ended' : error.message, {
          cause: error,
          isOurs: !signal.aborted && (error.name !== 'AbortError' || isSlowOurs),
        }),
      ),
    )
    // Where the kernel has no room for another process there may be no pipes either.
    if (child.pid === undefined) return
    for (const [index, take] of outputs.entries()) {
      const from = child.stdio[3 + index]
      if (!(from instanceof Readable)) continue
      from.on('error', () => {})
      from.on('data', (chunk: Buffer) => {
        if (broken !== undefined) return
        try {
          take(chunk)
        } catch (error) {
          broken = error instanceof Error ? error : new Error(String(error))
          child.kill('SIGKILL')
        }
      })
    }
    // It may end before it has read all.
    child.stdin.on('error', () => {})
    if (input) input(child.stdin)
    else child.stdin.end()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (line) {
        const lines = output.split('\n')
        output = lines.pop() ?? ''
        for (const one of lines) line(one)
      } else if (output.length > MOST_OUTPUT) child.kill('SIGKILL')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-KEPT_WORDS)))
    child.once('close', (code, killedBy) => {
      if (broken !== undefined)
        reject(new MediaFailure(lastWords(broken.message, folder), { cause: broken, isOurs: true }))
      else if (output.length > MOST_OUTPUT) reject(new MediaFailure(lastWords(said, folder)))
      else if (code === 0) resolve(output)
      else {
        // Too large a file is its own fault, by whichever signal that is told.
        const isKilled = killedBy !== null && killedBy !== 'SIGXFSZ'
        const isOurs = isKilled || code === 126 || code === 127 || NOTHING_GIVEN.test(said)
        reject(new MediaFailure(lastWords(said, folder) || (killedBy ?? ''), { isOurs }))
      }
    })
  })
}

/** The last lines, without what only tells where things are here, or what they are called. Exported for its test. */
export const lastWords = (said: string, folder: string): string =>
  said
    .replaceAll(folder, '')
    .replaceAll(/^\/[\w.-]+: /gm, '')
    .replaceAll(/(?:\/[\w.-]+){2,}/g, '…')
    .replaceAll(/ @ 0x[0-9a-f]+/g, '')
    .trim()
    .split('\n')
    .slice(-3)
    .join(' · ')
    .slice(0, 300)
