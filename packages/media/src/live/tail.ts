import {
  type LiveEdge,
  type LivePlaylist,
  type PlaylistPieces,
  RELOAD_WAIT,
  readDirectives,
  reloadOf,
  lowLatencyPlaylist,
} from '@fairway/domain'

/** Requests that wait for the same moment, of one stream and of all: the edge asks once for all of its viewers. */
const MOST_WAITING_HERE = 300
const MOST_WAITING = 3_000
/** Of those of one stream, so many for files: who makes up names of files keeps nobody from the playlists. */
const MOST_FILES_HERE = 100
/** A file is waited for that lies so many segments ahead; who asks for one further on learns that it is not there. */
const MOST_AHEAD = 2
/** A little longer than it takes until then, and shorter than the edge lets others wait for the first (5 s). */
const FILE_WAIT_MS = 4_000

/** An answer to a request for a playlist; `Location` is one to the plain playlist. */
type TailAnswer = { status: 200 | 302 | 400 | 503; pieces: readonly Buffer[]; cacheControl: string; location?: string }

const PLAIN = 'public, max-age=1'
/** What was waited for is found under its own address and never asked for again by who has it. */
const WAITED = 'public, max-age=6'

type Place = { list: LivePlaylist; edge: LiveEdge }
type Waiter = () => boolean

// A window of hours is megabytes, which all who ask until the next segment share.
const wholes = new WeakMap<PlaylistPieces['whole'], Buffer>()

function bytesOf({ head, whole, end }: PlaylistPieces): Buffer[] {
  const known = wholes.get(whole) ?? Buffer.from(whole.text)
  wholes.set(whole, known)
  return [Buffer.from(head), known, Buffer.from(end)]
}

/** How many wait in all streams of this process. */
const waiting = { count: 0 }

/** The end of one stream's playlists, and those who wait for what comes. */
export class Tail {
  readonly #places = new Map<string, Place>()
  readonly #waiters = new Set<Waiter>()
  /** Those among them that wait for files. */
  #files = 0
  #movedAt = 0

  /** What there is of a quality now. */
  move(rung: string, place: Place): void {
    this.#movedAt = performance.now()
    this.#places.set(rung, place)
    this.#wake()
  }

  /** What is whole of a quality; nothing where only the disk knows. */
  list(rung: string): LivePlaylist | undefined {
    return this.#places.get(rung)?.list
  }

  /** Nothing comes for now: nobody waits any longer. */
  rest(): void {
    for (const [rung, { list, edge }] of this.#places) this.#places.set(rung, { list, edge: { ...edge, hint: null } })
    this.#wake()
  }

  /** It has ended, or is another broadcast: what lies on disk is the answer. */
  forget(): void {
    this.#places.clear()
    this.#wake()
  }

  /** Null for a quality that has no parts. */
  async playlist(rung: string, query: string, gone: AbortSignal): Promise<TailAnswer | null> {
    const place = this.#places.get(rung)
    if (!place) return null
    const asked = readDirectives(query)
    if (asked === null) return { status: 400, pieces: [], cacheControl: PLAIN }
    const plan = () => {
      const { list, edge } = this.#places.get(rung) ?? place
      return this.#places.has(rung) ? reloadOf(asked, list, edge) : 'now'
    }
    const first = plan()
    if (first === 'refused') return { status: 400, pieces: [], cacheControl: PLAIN }
    if (first === 'away') return { status: 302, pieces: [], cacheControl: PLAIN, location: `${rung}.m3u8` }
    if (first === 'later') {
      const waitMs = RELOAD_WAIT * place.list.targetSeconds * 1000
      const came = await this.#until(() => plan() !== 'later', waitMs, gone)
      if (came === 'full') return { status: 503, pieces: [], cacheControl: 'no-store' }
      if (came === 'late') {
        // What comes is only further away than it is waited for.
        if (performance.now() - this.#movedAt < waitMs) return { status: 503, pieces: [], cacheControl: 'no-store' }
        // Whoever sends has stopped, though the line is open. A playlist that cannot be waited for says so.
        this.rest()
      }
    }
    const now = this.#places.get(rung)
    if (!now) return null
    const others = [...this.#places]
      .filter(([name]) => name !== rung)
      .map(([name, { list, edge }]) => ({ uri: `${name}.m3u8`, list, edge }))
    const pieces = bytesOf(lowLatencyPlaylist(now.list, now.edge, { skips: asked.skips, others }))
    return { status: 200, pieces, cacheControl: asked.msn === null || now.edge.hint === null ? PLAIN : WAITED }
  }

  /** Waits until a part or segment may be there, where it is one that comes soon. */
  async file(rung: string, part: string, name: string, gone: AbortSignal): Promise<void> {
    // In the one spelling that files have: each other one would be waited for on its own.
    const found = /^s(\d{7}|[1-9]\d{7,8})(?:p(0|[1-9]\d?))?\.m4s$/.exec(name)
    if (!found) return
    const number = Number(found[1])
    const index = found[2] === undefined ? null : Number(found[2])
    const isAwaited = () => {
      const place = this.#places.get(rung)
      const hint = /^(.+)\/s(\d+)p(\d+)\.m4s$/.exec(place?.edge.hint ?? '')
      if (!place || !hint || hint[1] !== part) return false
      // No segment has more parts, and one that ended early has fewer: what is behind its last is never made.
      if (index !== null && index >= place.edge.partCount) return false
      const ahead = number - Number(hint[2])
      if (ahead !== 0) return ahead > 0 && ahead <= MOST_AHEAD
      return index === null || index >= Number(hint[3])
    }
    if (!isAwaited() || this.#files >= MOST_FILES_HERE) return
    this.#files++
    await this.#until(() => !isAwaited(), FILE_WAIT_MS, gone)
    this.#files--
  }

  #wake(): void {
    for (const waiter of this.#waiters) if (waiter()) this.#waiters.delete(waiter)
  }

  #until(isOver: () => boolean, withinMs: number, gone: AbortSignal): Promise<'there' | 'late' | 'full' | 'gone'> {
    if (gone.aborted) return Promise.resolve('gone')
    if (this.#waiters.size >= MOST_WAITING_HERE || waiting.count >= MOST_WAITING) return Promise.resolve('full')
    return new Promise((resolve) => {
      const end = (how: 'there' | 'late' | 'gone') => {
        waiting.count--
        clearTimeout(timer)
        gone.removeEventListener('abort', leave)
        this.#waiters.delete(waiter)
        resolve(how)
      }
      const waiter: Waiter = () => {
        if (!isOver()) return false
        end('there')
        return true
      }
      const leave = () => end('gone')
      const timer = setTimeout(() => end('late'), withinMs)
      waiting.count++
      this.#waiters.add(waiter)
      gone.addEventListener('abort', leave, { once: true })
    })
  }
}

/** By the folder of the stream. */
export class Tails {
  readonly #byFolder = new Map<string, Tail>()

  of(folder: string): Tail | undefined {
    return this.#byFolder.get(folder)
  }
  open(folder: string): Tail {
    const tail = this.#byFolder.get(folder) ?? new Tail()
    this.#byFolder.set(folder, tail)
    return tail
  }
  close(folder: string): void {
    this.#byFolder.get(folder)?.forget()
    this.#byFolder.delete(folder)
  }
}
