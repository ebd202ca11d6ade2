import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  FeedPost,
  LIMITS,
  OutsideFeedKeys,
  SeenPost,
  type EntryVerdict,
  type FeedRefusal,
  type FeedSaid,
  type LeftOutFeed,
  type OutsideState,
  type ScoresSnapshot,
  type SeenFeed,
} from '@fairway/contract'
import {
  OUTSIDE_SHARE,
  agreesWithOthers,
  contradictsItself,
  isContradicting,
  keptName,
  outsideEntry,
  takeEntry,
  type KeptEntry,
} from '@fairway/domain'
import type { Log } from '@fairway/platform'
import { z } from 'zod'
import { LateFile } from '../collector/late-file.ts'
import { RateLimit } from '../collector/rate-limit.ts'

/** What keys of outside feeds are sealed for, at rest and for the nodes. */
export const FEED_KEYS = 'outside feed key'

/** What the outside feeds of an organisation say, by CDN and place, and which of them are left out. */
export type OutsideSaid = { cdns: ReadonlyMap<string, ReadonlyMap<string, FeedSaid[]>>; leftOut: LeftOutFeed[] }

export type PostAnswer = {
  refused: FeedRefusal | null
  problem: string | null
  taken: number
  /** Entries that were not taken, by their place in the post. */
  left: { entry: number; reason: Exclude<EntryVerdict, 'taken'> }[]
}

type Registered = Omit<OutsideFeedKeys['feeds'][number], 'keys'> & {
  organizationId: string
  cdnIds: ReadonlySet<string>
  keys: { key: string; until: number | null }[]
}
type Judged = Pick<SeenFeed, 'since' | 'cdnId' | 'place' | 'compared' | 'agreeing'> & {
  state: Exclude<OutsideState, 'off'>
  contradictedAt: number | null
}
type Known = { entries: Map<string, KeptEntry>; posts: SeenPost[]; signatures: Map<string, number>; judged: Judged }

const POSTS_PER_FEED = { perSecond: 1, burst: 10 }
const POSTS_KEPT = 20
/** A feed that contradicted is heard again when it has not for so long. */
const CONTRADICTION_LASTS_MS = 60_000
/** Of all feeds of one organisation, each with an equal share; one post of each always has room. */
const ENTRIES_KEPT = LIMITS.outsideFeeds.perOrganization * LIMITS.outsideFeeds.entries
const UNJUDGED: Judged = {
  state: 'silent',
  since: null,
  cdnId: null,
  place: null,
  compared: 0,
  agreeing: 0,
  contradictedAt: null,
}

/**
 * What outside feeds have posted. Who may post comes as a document and is kept on disk, as is what each feed said: a
 * collector that starts without the API knows both, and refuses what was posted before it stopped.
 */
export class OutsideFeeds implements Disposable {
  readonly #documents = new Map<string, OutsideFeedKeys>()
  readonly #feeds = new Map<string, Registered>()
  readonly #known = new Map<string, Known>()
  readonly #limit = new RateLimit(POSTS_PER_FEED)
  readonly #folder: string
  readonly #documentsFile: LateFile
  readonly #windowMs: number
  readonly #openKey: (sealed: string) => string
  readonly #log: Log

  constructor(options: { folder: string; windowMs: number; openKey: (sealed: string) => string; log: Log }) {
    this.#folder = path.join(options.folder, 'outside-feeds')
    this.#windowMs = options.windowMs
    this.#openKey = options.openKey
    this.#log = options.log
    fs.mkdirSync(this.#folder, { recursive: true })
    const file = path.join(this.#folder, 'feeds.json')
    this.#documentsFile = new LateFile(file, () => [...this.#documents.values()], options.log)
    if (!fs.existsSync(file)) return
    try {
      const kept = OutsideFeedKeys.array().parse(JSON.parse(fs.readFileSync(file, 'utf8')))
      for (const one of kept) this.#register(one.organizationId, one)
    } catch (error) {
      this.#log.error({ event: 'outside-feeds.damaged', file, err: error })
    }
  }

  /** What an organisation has now replaces all that it had. */
  set(organizationId: string, document: OutsideFeedKeys | null): void {
    if (isDeepStrictEqual(this.#documents.get(organizationId) ?? null, document)) return
    const before = [...this.#feeds.values()].filter((one) => one.organizationId === organizationId)
    this.#register(organizationId, document)
    this.#documentsFile.changed()
    for (const { id } of before)
      if (!this.#feeds.has(id)) {
        this.#known.delete(id)
        fs.rmSync(this.#fileOf(id), { force: true })
      }
  }

  organizations(): Iterable<string> {
    return this.#documents.keys()
  }

  /** Takes one post. A feed that is not known answers as a wrong signature does. */
  take(id: string, signed: { timestamp: string; signature: string }, body: Buffer, now: number): PostAnswer {
    const feed = this.#feeds.get(id)
    if (!feed || !isSigned(feed.keys, signed, body, now)) {
      if (feed) this.#note(id, { at: now, bytes: body.length, refused: 'bad-signature' })
      return refusal('bad-signature')
    }
    const refuse = (refused: FeedRefusal, problem: string | null = null): PostAnswer => {
      this.#note(id, { at: now, bytes: body.length, refused, problem })
      return refusal(refused, problem)
    }
    const signedAt = Number(signed.timestamp) * 1000
    const windowMs = LIMITS.outsideFeeds.windowSeconds * 1000
    if (Math.abs(now - signedAt) > windowMs) return refuse('outside-window')
    const known = this.#of(id)
    for (const [signature, until] of known.signatures) if (until < now) known.signatures.delete(signature)
    if (known.signatures.has(signed.signature)) return refuse('repeated')
    if (!this.#limit.take(id, performance.now())) return refuse('too-many-requests')
    const read = readPost(body)
    if (read.problem !== null) return refuse('wrong-form', read.problem)
    const entries = read.post.entries.map(outsideEntry)
    if (contradictsItself(entries)) return refuse('contradicts-itself')
    const left: PostAnswer['left'] = []
    const verdicts: SeenPost['verdicts'] = {}
    for (const [entry, said] of entries.entries()) {
      const verdict = this.#takeOne(feed, known, said, now)
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
      if (verdict !== 'taken') left.push({ entry, reason: verdict })
    }
    known.signatures.set(signed.signature, signedAt + windowMs)
    this.#note(id, { at: now, bytes: body.length, entries: entries.length, verdicts })
    // Before it is answered: what was taken is not taken again after a restart.
    this.#keep(id, known)
    return { refused: null, problem: null, taken: entries.length - left.length, left }
  }

  /** Judges every feed of an organisation by what the others say (`scores`), and tells what counts now. */
  round(organizationId: string, scores: ScoresSnapshot | null, now: number): OutsideSaid {
    const cdns = new Map<string, Map<string, FeedSaid[]>>()
    const leftOut: LeftOutFeed[] = []
    for (const feed of this.#feeds.values()) {
      if (feed.organizationId !== organizationId) continue
      const known = this.#of(feed.id)
      const { state } = this.#judge(feed.id, known, scores, now)
      if (state === 'stopped' || state === 'contradicts' || state === 'jumped') {
        const { since, cdnId, place } = known.judged
        if (feed.enabled) leftOut.push({ feed: feed.id, name: feed.name, state, since: since ?? now, cdnId, place })
        continue
      }
      for (const said of this.#counting(known, now)) {
        if (!feed.cdnIds.has(said.cdnId) || feed.weightPercent === 0) continue
        const places = cdns.get(said.cdnId) ?? new Map<string, FeedSaid[]>()
        cdns.set(said.cdnId, places)
        places.set(said.place, [
          ...(places.get(said.place) ?? []),
          {
            feed: feed.id,
            name: feed.name,
            samples: (said.samples * feed.weightPercent) / 100,
            share: (OUTSIDE_SHARE * feed.weightPercent) / 100,
            availability: said.availability,
            latencyMs: said.latencyMs,
            newestAt: said.measuredAt,
            ...(feed.enabled ? {} : { off: true as const }),
          },
        ])
      }
    }
    return { cdns, leftOut }
  }

  seen(organizationId: string, now: number): SeenFeed[] {
    return [...this.#feeds.values()]
      .filter((feed) => feed.organizationId === organizationId)
      .map(({ id, enabled }) => {
        const known = this.#of(id)
        const fresh = this.#fresh(known, now)
        const { contradictedAt: _, state, ...judged } = known.judged
        return {
          ...judged,
          feed: id,
          state: enabled ? state : 'off',
          entries: fresh.length,
          samples: fresh.reduce((sum, one) => sum + one.samples, 0),
          newestAt: newestOf(known),
          posts: known.posts,
        }
      })
  }

  #takeOne(feed: Registered, known: Known, said: ReturnType<typeof outsideEntry>, now: number): EntryVerdict {
    if (!feed.cdnIds.has(said.cdnId)) return 'unknown-cdn'
    const name = keptName(said)
    const most = this.#entriesOf(feed)
    if (!known.entries.has(name) && known.entries.size >= most)
      for (const [other, { measuredAt }] of known.entries)
        if (measuredAt < now - this.#windowMs || known.entries.size >= most) known.entries.delete(other)
    const { kept, verdict } = takeEntry(known.entries.get(name), said, { now, windowMs: this.#windowMs })
    if (kept) known.entries.set(name, kept)
    return verdict
  }

  #entriesOf({ organizationId }: Registered): number {
    const feeds = this.#documents.get(organizationId)?.feeds.length ?? 1
    return Math.floor(ENTRIES_KEPT / Math.max(1, feeds))
  }

  #judge(id: string, known: Known, scores: ScoresSnapshot | null, now: number): Judged {
    const fresh = this.#fresh(known, now)
    const held = fresh.filter((one) => one.held !== null)
    let [compared, agreeing] = [0, 0]
    let worst: KeptEntry | undefined
    for (const one of fresh) {
      const agrees = one.held === null ? agreesWithOthers(one, scores) : null
      if (agrees === null) continue
      compared++
      if (agrees) agreeing++
      else if (worst === undefined || one.samples > worst.samples) worst = one
    }
    const before = known.judged
    const isApart = isContradicting(compared, agreeing)
    const contradictedAt = isApart ? now : before.contradictedAt
    const isLeftOut = contradictedAt !== null && now - contradictedAt < CONTRADICTION_LASTS_MS
    const state =
      known.entries.size === 0
        ? 'silent'
        : fresh.length === 0
          ? 'stopped'
          : isLeftOut
            ? 'contradicts'
            : held.length * 2 > fresh.length
              ? 'jumped'
              : 'feeding'
    const about = state === 'contradicts' ? (worst ?? before) : state === 'jumped' ? held[0] : undefined
    known.judged = {
      state,
      since: state === before.state ? before.since : now,
      cdnId: about?.cdnId ?? null,
      place: about?.place ?? null,
      compared,
      agreeing,
      contradictedAt: isLeftOut ? contradictedAt : null,
    }
    if (state !== before.state) this.#keep(id, known)
    return known.judged
  }

  #fresh(known: Known, now: number): KeptEntry[] {
    return [...known.entries.values()].filter((one) => now - one.measuredAt <= this.#windowMs)
  }

  #counting(known: Known, now: number): KeptEntry[] {
    return this.#fresh(known, now).filter((one) => one.held === null)
  }

  /** A post with a wrong signature may come from anybody: one of them is kept, so that they push out no other. */
  #note(id: string, post: Pick<SeenPost, 'at' | 'bytes'> & Partial<SeenPost>): void {
    const known = this.#of(id)
    const whole: SeenPost = { refused: null, problem: null, entries: 0, verdicts: {}, ...post }
    const others = known.posts.filter((one) => post.refused !== 'bad-signature' || one.refused !== 'bad-signature')
    known.posts = [whole, ...others].slice(0, POSTS_KEPT)
  }

  #register(organizationId: string, document: OutsideFeedKeys | null): void {
    const cdnIds = new Set(document?.cdnIds)
    // Opened first: of a document whose keys cannot be read nothing is applied.
    const feeds = (document?.feeds ?? []).map((feed) => ({
      ...feed,
      organizationId,
      cdnIds,
      keys: feed.keys.map(({ sealed, until }) => ({ key: this.#openKey(sealed), until })),
    }))
    for (const [id, feed] of this.#feeds) if (feed.organizationId === organizationId) this.#feeds.delete(id)
    for (const feed of feeds) this.#feeds.set(feed.id, feed)
    if (document === null) this.#documents.delete(organizationId)
    else this.#documents.set(organizationId, document)
  }

  #of(id: string): Known {
    const known = this.#known.get(id) ?? readKnown(this.#fileOf(id), this.#log)
    this.#known.set(id, known)
    return known
  }

  #keep(id: string, { entries, posts, signatures, judged }: Known): void {
    this.#write(this.#fileOf(id), { entries: [...entries.values()], posts, signatures: [...signatures], judged })
  }

  #write(file: string, content: unknown): void {
    fs.writeFileSync(`${file}.new`, JSON.stringify(content))
    fs.renameSync(`${file}.new`, file)
  }

  [Symbol.dispose](): void {
    this.#documentsFile[Symbol.dispose]()
  }

  // Ids come from documents only, never from an address that was posted to.
  #fileOf(id: string): string {
    return path.join(this.#folder, `said-${id}.json`)
  }
}

const refusal = (refused: FeedRefusal, problem: string | null = null): PostAnswer => ({
  refused,
  problem,
  taken: 0,
  left: [],
})

const newestOf = ({ entries }: Known): number | null =>
  entries.size === 0 ? null : Math.max(...[...entries.values()].map((one) => one.measuredAt))

/** `v1=` and the HMAC-SHA256 of the timestamp, a full stop and the body, in hex. */
function isSigned(
  keys: Registered['keys'],
  { timestamp, signature }: { timestamp: string; signature: string },
  body: Buffer,
  now: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || !/^v1=[0-9a-f]{64}$/.test(signature)) return false
  const said = Buffer.from(signature.slice('v1='.length), 'hex')
  return keys.some(
    ({ key, until }) =>
      (until === null || until > now) &&
      crypto.timingSafeEqual(crypto.createHmac('sha256', key).update(`${timestamp}.`).update(body).digest(), said),
  )
}

function readPost(body: Buffer): { problem: null; post: FeedPost } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return { problem: 'the body is not JSON' }
  }
  const parsed = FeedPost.safeParse(value)
  if (parsed.success) return { problem: null, post: parsed.data }
  const [issue] = parsed.error.issues
  return { problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'wrong form'}`.slice(0, 200) }
}

const Said = z.object({
  cdnId: z.string(),
  place: z.string(),
  availability: z.number().nullable(),
  latencyMs: z.number().nullable(),
  samples: z.number(),
  measuredAt: z.number(),
})
const Kept = z.object({
  entries: z.array(Said.extend({ held: Said.nullable() })),
  posts: z.array(SeenPost),
  signatures: z.array(z.tuple([z.string(), z.number()])),
  judged: z.object({
    state: z.enum(['silent', 'stopped', 'contradicts', 'jumped', 'feeding']),
    since: z.number().nullable(),
    cdnId: z.string().nullable(),
    place: z.string().nullable(),
    compared: z.number(),
    agreeing: z.number(),
    contradictedAt: z.number().nullable(),
  }),
})

function readKnown(file: string, log: Log): Known {
  const none = (): Known => ({ entries: new Map(), posts: [], signatures: new Map(), judged: UNJUDGED })
  if (!fs.existsSync(file)) return none()
  try {
    const { entries, posts, signatures, judged } = Kept.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
    return {
      entries: new Map(entries.map((one) => [keptName(one), one])),
      posts,
      signatures: new Map(signatures),
      judged,
    }
  } catch (error) {
    // It says everything again with its next post.
    log.error({ event: 'outside-feeds.damaged', file, err: error })
    return none()
  }
}
