import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedObjects, CachedObjectsQuestion } from '@fairway/contract'
import {
  type CacheKey,
  type PolicyDocument,
  type PurgeDocument,
  purgeStamp,
  readCacheKey,
  tagsOf,
} from '@fairway/edge-lua'
import { LONGEST_HEAD_KB } from '../nginx/configuration.ts'

/** What decides whether a stored object would still be served. */
export type InForce = {
  policyOf(host: string, cdn: string): PolicyDocument | undefined
  purges: PurgeDocument | undefined
  /** Of a CDN that lies nothing is ever purged. */ lies(cdn: string): boolean
}

type Stored = {
  key: CacheKey
  path: string
  args: string
  headers: Map<string, string>
  bytes: number
  /** A part of the object: it may have more. */
  isPiece: boolean
}
type Counted = { objects: number; bytes: number }

const TOP = 10
const SAMPLES = 3
/** nginx puts its own header, the key and the answer's headers at the beginning of the file: together so much at most. */
const HEAD_BYTES = LONGEST_HEAD_KB * 1024
/** Most are shorter, and all of the cache is read. */
const FIRST_BYTES = 8192

type Asked = {
  question: CachedObjectsQuestion
  inForce: InForce
  tell(found: CachedObjects): void
  fail(error: unknown): void
}

/**
 * Looks through the cache for a domain's objects that a purge would be about. Everything on the disk is read for it, so
 * one walk answers all that were asked before it began; what is asked meanwhile waits for the next. `complete` says
 * whether `patienceMs` were enough for a walk.
 */
export function objectFinder(
  cacheDir: string,
  patienceMs: number,
): (question: CachedObjectsQuestion, inForce: InForce) => Promise<CachedObjects> {
  let waiting: Asked[] = []
  let isWalking = false
  async function walkOn(): Promise<void> {
    isWalking = true
    while (waiting.length > 0) {
      const asked = waiting
      waiting = []
      await walk(cacheDir, asked, patienceMs).catch((error: unknown) => {
        for (const { fail } of asked) fail(error)
      })
    }
    isWalking = false
  }
  return (question, inForce) =>
    new Promise((tell, fail) => {
      waiting.push({ question, inForce, tell, fail })
      if (!isWalking) void walkOn()
    })
}

async function walk(cacheDir: string, asked: Asked[], patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs
  const finds = asked.map(({ question, inForce }) => ({ question, inForce, found: new Found() }))
  let complete = true
  for (const folder of foldersOf(cacheDir)) {
    if (performance.now() > until) {
      complete = false
      break
    }
    for (const name of namesIn(folder)) {
      const stored = readStored(path.join(folder, name))
      if (!stored) continue
      for (const { question, inForce, found } of finds)
        if (isOf(question, stored) && isServed(stored, inForce)) found.add(stored)
    }
    await nextTurn()
  }
  for (const [index, { tell }] of asked.entries()) {
    const find = finds[index]
    if (find) tell(find.found.told(complete))
  }
}

class Found {
  readonly #cdns: Record<string, Counted> = {}
  readonly #top = new Map<string, { host: string; target: string; bytes: number; cdns: Set<string> }>()
  readonly #samples: CachedObjects['samples'] = []
  readonly #inPieces = new Set<string>()

  add(stored: Stored): void {
    const { key, bytes } = stored
    const counted = (this.#cdns[key.cdn] ??= { objects: 0, bytes: 0 })
    const object = `${key.cdn} ${key.scheme} ${key.host}${key.target}`
    if (!stored.isPiece || !this.#inPieces.has(object)) counted.objects += 1
    if (stored.isPiece) this.#inPieces.add(object)
    counted.bytes += bytes
    keepTop(this.#top, stored)
    if (this.#samples.filter(({ cdn }) => cdn === key.cdn).length < SAMPLES)
      this.#samples.push({
        cdn: key.cdn,
        scheme: key.scheme === 'https' ? 'https' : 'http',
        host: key.host,
        target: key.target,
        date: stored.headers.get('date') ?? '',
      })
  }

  told(complete: boolean): CachedObjects {
    const each = Object.values(this.#cdns)
    return {
      objects: each.reduce((sum, one) => sum + one.objects, 0),
      bytes: each.reduce((sum, one) => sum + one.bytes, 0),
      cdns: this.#cdns,
      samples: this.#samples,
      complete,
      top: [...this.#top.values()].map((one) => ({ ...one, cdns: [...one.cdns] })),
    }
  }
}

function keepTop(
  top: Map<string, { host: string; target: string; bytes: number; cdns: Set<string> }>,
  { key, bytes }: Stored,
): void {
  const name = `${key.host}${key.target}`
  const known = top.get(name)
  if (known) {
    known.cdns.add(key.cdn)
    known.bytes = Math.max(known.bytes, bytes)
    return
  }
  top.set(name, { host: key.host, target: key.target, bytes, cdns: new Set([key.cdn]) })
  if (top.size <= TOP) return
  const least = [...top].reduce((a, b) => (b[1].bytes < a[1].bytes ? b : a))
  top.delete(least[0])
}

function isOf({ host, kind, values }: CachedObjectsQuestion, { key, path: decoded, args, headers }: Stored): boolean {
  const wildcard = host.startsWith('*.')
  if (key.cdn === 'tier' || (wildcard ? !key.host.endsWith(host.slice(1)) : key.host !== host)) return false
  if (kind === 'all') return true
  if (kind === 'tag') {
    const tags = tagsOf(headers.get('cache-tag') ?? headers.get('surrogate-key') ?? '')
    return values.some((tag) => tags.includes(tag))
  }
  const place = wildcard ? `${key.host}${decoded}` : decoded
  if (kind === 'directory') return values.some((value) => place.startsWith(value))
  return values.some((value) => (value.includes('?') ? value === `${place}?${args}` : value === place))
}

/** Objects of an older generation, or from before a purge, lie there until they are replaced; nobody gets them. */
function isServed({ key, path: decoded, args, headers }: Stored, { policyOf, purges, lies }: InForce): boolean {
  const policy = policyOf(key.host, key.cdn)
  if (!policy || policy.cache.generation !== key.generation) return false
  if (!purges || lies(key.cdn)) return true
  const place = policy.host.startsWith('*.') ? `${key.host}${decoded}` : decoded
  if (key.purgedAt < purgeStamp(purges.marks, place, args, key.cdn)) return false
  const storedAt = (Number(headers.get('x-fairway-at')) + 1) * 1000
  return !tagsOf(headers.get('cache-tag') ?? headers.get('surrogate-key') ?? '').some(
    (tag) => (purges.marks.tags[tag] ?? 0) > storedAt,
  )
}

function readStart(descriptor: number, bytes: number): Buffer {
  const room = Buffer.alloc(bytes)
  return room.subarray(0, fs.readSync(descriptor, room, 0, bytes, 0))
}

function readStored(file: string): Stored | null {
  let head: Buffer
  let size: number
  try {
    const descriptor = fs.openSync(file, 'r')
    try {
      head = readStart(descriptor, FIRST_BYTES)
      if (head.length === FIRST_BYTES && !head.includes('\r\n\r\n')) head = readStart(descriptor, HEAD_BYTES)
      size = fs.fstatSync(descriptor).size
    } finally {
      fs.closeSync(descriptor)
    }
  } catch {
    return null // replaced while we looked
  }
  const at = head.indexOf('\nKEY: ')
  const end = at < 0 ? -1 : head.indexOf('\n', at + 6)
  const blank = end < 0 ? -1 : head.indexOf('\r\n\r\n', end)
  if (blank < 0) return null
  const key = readCacheKey(head.toString('latin1', at + 6, end))
  if (!key) return null
  const headers = new Map(
    head
      .toString('latin1', end + 1, blank)
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
  )
  // Pieces are named by what no target holds.
  const hash = key.target.indexOf('#')
  const target = hash < 0 ? key.target : key.target.slice(0, hash)
  return {
    key: { ...key, target },
    ...splitTarget(target),
    headers,
    bytes: size - blank - 4,
    isPiece: hash >= 0,
  }
}

function splitTarget(target: string): { path: string; args: string } {
  const mark = target.indexOf('?')
  const raw = mark < 0 ? target : target.slice(0, mark)
  const args = mark < 0 ? '' : target.slice(mark + 1)
  try {
    return { path: decodeURIComponent(raw), args }
  } catch {
    return { path: raw, args }
  }
}

function* foldersOf(cacheDir: string): Generator<string> {
  for (const first of namesIn(cacheDir))
    for (const second of namesIn(path.join(cacheDir, first))) yield path.join(cacheDir, first, second)
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
