import http from 'node:http'
import https from 'node:https'
import {
  Publication,
  PublicationHead,
  type Acknowledgement,
  type NodeDisk,
  type NodeRole,
  type PublicationKind,
} from '@fairway/contract'
import { trustApiAuthorities } from './api-authorities.ts'
import type { Config } from './config.ts'
import { type DiskGauge, diskGauge } from './disk.ts'
import { type DocumentName, FeedEpoch } from './feed-epoch.ts'
import type { Log } from './log.ts'
import { ownAddresses } from './own-addresses.ts'
import { type RefusedDocument, RefusedDocuments } from './refused-documents.ts'
import { nodeToken } from './secrets.ts'

export type FeedOptions = {
  config: Config
  role: NodeRole
  kinds: readonly PublicationKind[]
  controlUrl?: string
  /** Of an edge: its shield region, and where others fetch through it. */
  shield?: { region: string | null; address: string | null }
  /** Of an edge: where it offers HTTP/3, or null. */
  http3Port?: number | null
  /** Takes patches of large zones; `apply` throws `NeedsWhole` for one that does not fit on what it has. */
  patches?: boolean
  /** Applies one publication; resolving confirms it, throwing refuses it with the message as reason. */
  apply: (publication: Publication) => void | Promise<void>
  /**
   * Those of one kind that came together, each about another key, applied in one go: all of them, or it throws and they
   * are applied one by one.
   */
  applyTogether?: { kind: PublicationKind; apply: (publications: Publication[]) => Promise<void> }
  /**
   * Whether a publication takes so long that others are applied meanwhile; later ones of the same key wait for it. Its
   * `apply` gives others their turn.
   */
  takesLong?: (publication: Publication) => boolean
  /**
   * What this node holds of documents that stay; those that are no more after a restore are applied as withdrawn.
   */
  held?: () => Iterable<DocumentName>
  /** When what was refused is tried again for the first time. */
  firstAgainMs?: number
  /** How often it gives a sign of life; 5 s unless said. */
  beatMs?: number
  log: Log
}

export type Feed = AsyncDisposable & {
  nodeId(): string | null
  connected(): boolean
  cursor(): number
  post(route: string, body: unknown): Promise<unknown>
}

/** A patch came for something that is not there: everything is asked for again. */
export class NeedsWhole extends Error {}

const SILENCE_MS = 15_000
/** What was refused is looked for so often, and one of it is sent within so long. */
const AGAIN_LOOK_MS = 1_000
const AGAIN_MS = 60_000
/** After the whole of another epoch, until what it has not named is taken for gone. */
const SETTLING_MS = 3_000
/**
 * How often the API hears that this node is alive while there is nothing else to say; after 15 s of silence it calls it
 * away.
 */
const BEAT_MS = 5_000

/**
 * Registers this node and follows the API's publications for as long as it lives, reconnecting with back-off from the
 * last revision it saw.
 */
export function followFeed(options: FeedOptions): Feed {
  const state = {
    nodeId: null as string | null,
    told: undefined as string[] | undefined,
    connected: false,
    cursor: 0,
    streams: 0,
    startsAnew: false,
    epoch: new FeedEpoch(options.config, options.role, options.log),
    dropping: null as NodeJS.Timeout | null,
    stopped: false,
    request: null as http.ClientRequest | null,
    wake: () => {},
    refused: new RefusedDocuments(options.firstAgainMs),
    turn: Promise.resolve(),
    beside: new Map(),
  }
  const acknowledgements = acknowledger(options, state)
  const loop = run(options, state, acknowledgements.add)
  const again = tryAgain(options, state, acknowledgements.add)
  return {
    nodeId: () => state.nodeId,
    connected: () => state.connected,
    cursor: () => state.cursor,
    post: (route, body) => call(options.config, 'POST', route, body),
    async [Symbol.asyncDispose]() {
      state.stopped = true
      if (state.dropping) clearTimeout(state.dropping)
      state.request?.destroy()
      state.wake()
      acknowledgements.stop()
      await Promise.all([loop, again[Symbol.asyncDispose]()])
      await Promise.all(state.beside.values().map(({ done }) => done))
    },
  }
}

type FeedState = {
  nodeId: string | null
  /** Where the world finds this machine, as the API was told. */
  told: string[] | undefined
  connected: boolean
  cursor: number
  /** So many there were: what an earlier one still brings moves the cursor of this one nowhere. */
  streams: number
  /** The next connection asks for everything. */
  startsAnew: boolean
  epoch: FeedEpoch
  dropping: NodeJS.Timeout | null
  stopped: boolean
  request: http.ClientRequest | null
  wake: () => void
  refused: RefusedDocuments
  /** Documents are applied in turn, whichever way they have come. */
  turn: Promise<unknown>
  /** What takes long and is under way, by kind and key, with the first revision of it that is not applied. */
  beside: Map<string, { revision: number; done: Promise<void> }>
}

/** Everything up to here is applied, which is less than has come while something takes long. */
const takenUpTo = ({ cursor, beside }: FeedState): number =>
  beside.values().reduce((least, { revision }) => Math.min(least, revision - 1), cursor)

const whereFound = ({ config, role }: FeedOptions): string[] | undefined =>
  role === 'collector' ? undefined : ownAddresses(config, role)

function inTurn(state: FeedState, work: () => Promise<void>): Promise<void> {
  const done = state.turn.then(work)
  state.turn = done.catch(() => {})
  return done
}

async function run(
  options: FeedOptions,
  state: FeedState,
  acknowledge: (entry: Acknowledgement) => void,
): Promise<void> {
  let failures = 0
  while (!state.stopped) {
    try {
      trustApiAuthorities(options.config)
      state.told = whereFound(options)
      const answer = (await call(options.config, 'POST', '/nodes/v1/register/', {
        name: options.config.nodeName,
        role: options.role,
        version: '1',
        controlUrl: options.controlUrl ?? null,
        ...(options.shield ? { shield: options.shield } : {}),
        ...(state.told === undefined ? {} : { addresses: state.told }),
        ...(options.http3Port === undefined ? {} : { http3Port: options.http3Port }),
        ...(state.epoch.current === null ? {} : { epoch: state.epoch.current, cursor: state.cursor }),
      })) as { nodeId: string; epoch?: string }
      state.nodeId = answer.nodeId
      if (state.epoch.heard(answer.epoch)) {
        state.startsAnew = true
        if (state.dropping) clearTimeout(state.dropping)
        state.dropping = null
        options.log.warn({ event: 'feed.other-epoch', cursor: state.cursor })
      }
      failures = 0
      // Whoever stops it meanwhile had no stream to end.
      if (state.stopped) return
      await stream(options, state, acknowledge)
    } catch (error) {
      if (!state.stopped && failures++ % 20 === 0) options.log.warn({ event: 'feed.away', err: error })
    }
    state.connected = false
    if (state.stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(2000, 100 * 2 ** failures))
      state.wake = () => (clearTimeout(timer), resolve())
    })
  }
}

function stream(options: FeedOptions, state: FeedState, acknowledge: (entry: Acknowledgement) => void): Promise<void> {
  const { config, log } = options
  if (state.startsAnew) Object.assign(state, { startsAnew: false, cursor: 0 })
  const number = ++state.streams
  const url = new URL(
    `/nodes/v1/${state.nodeId}/feed/?cursor=${state.cursor}&kinds=${options.kinds.join(',')}${options.patches ? '&patches=yes' : ''}${state.epoch.current === null ? '' : `&epoch=${state.epoch.current}`}`,
    config.apiUrl,
  )
  return new Promise((resolve, reject) => {
    const request = clientOf(url).get(
      url,
      { headers: { authorization: `Bearer ${nodeToken(config)}`, accept: 'text/event-stream' } },
      (response) => {
        if (response.statusCode !== 200) {
          response.resume()
          return reject(new Error(`the API answered ${response.statusCode} to the feed`))
        }
        state.connected = true
        log.info({ event: 'feed.connected', cursor: state.cursor })
        const handle = (texts: string[]) =>
          inTurn(state, async () => {
            await take(
              options,
              state,
              texts.filter((text) => text !== WHOLE),
              acknowledge,
              (cursor) => void (number === state.streams && (state.cursor = Math.max(state.cursor, cursor))),
            )
            if (texts.includes(WHOLE)) wholeHasCome(options, state)
          })
        consume(response, handle).then(resolve, reject)
      },
    )
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error('the API fell silent')))
    request.on('error', reject)
    state.request = request
  })
}

/** What the database lost with its publication is published again in a moment, where it is not gone itself. */
function wholeHasCome(options: FeedOptions, state: FeedState): void {
  if (state.epoch.isNew()) dropSoon(options, state)
  else state.epoch.settled()
}

function dropSoon(options: FeedOptions, state: FeedState): void {
  state.dropping ??= setTimeout(() => {
    state.dropping = null
    void inTurn(state, () => dropLeft(options, state))
  }, SETTLING_MS)
}

/** What is of an epoch before and was not published in this one is withdrawn; what could not be is tried again. */
async function dropLeft(options: FeedOptions, state: FeedState): Promise<void> {
  const { epoch, cursor: revision } = state
  const began = epoch.current
  let failed = 0
  for (const { kind, key } of epoch.left(options.held?.() ?? [])) {
    options.log.warn({ event: 'feed.not-published-any-more', kind, key })
    const word = await applied(options, { revision, kind, key, version: 0, body: null }, state)
    // The API has nothing under that name that could be asked for again.
    state.refused.drop({ kind, key })
    if (word?.ok !== true) failed++
    if (epoch.current !== began || state.stopped) return
  }
  if (failed > 0) dropSoon(options, state)
  else epoch.settled()
}

async function take(
  options: FeedOptions,
  state: FeedState,
  texts: readonly string[],
  acknowledge: (entry: Acknowledgement) => void,
  arrivedAt: (cursor: number) => void,
): Promise<void> {
  const { publications, refused, problem } = readable(texts)
  for (const publication of publications) state.epoch.named(publication)
  for (const { head, reason } of refused) {
    const { kind, key, version } = head
    state.epoch.named(head)
    options.log.error({ event: 'feed.unreadable', kind, key, version, reason })
    state.refused.drop(head)
    acknowledge({ kind, key, version, ok: false, reason })
  }
  const isLong = (one: Publication) => options.takesLong?.(one) === true
  const isBeside = (one: Publication) => state.beside.has(idOf(one)) || isLong(one)
  for (const group of inGroups(publications, options.applyTogether?.kind, isBeside)) {
    const [first] = group
    // A withdrawal is waited for: the name may be another document's by the next one.
    if (first?.body === null && !('patch' in first)) await state.beside.get(idOf(first))?.done
    if (first && isBeside(first)) {
      // One at a time: each takes memory, and a node that starts has all of them to take.
      while (isLong(first) && state.beside.size > 0) await Promise.all(state.beside.values().map(({ done }) => done))
      applyBeside(options, state, first, acknowledge)
    } else if (await appliedTogether(options, group))
      for (const { kind, key, version } of group) {
        state.refused.drop({ kind, key })
        acknowledge({ kind, key, version, ok: true, reason: null })
      }
    else
      for (const publication of group) {
        const word = await applied(options, publication, state)
        if (word) acknowledge(word)
      }
    arrivedAt(Math.max(...group.map(({ revision }) => revision)))
  }
  for (const { head } of refused) arrivedAt(head.revision)
  if (state.startsAnew) throw new NeedsWhole('something is to be sent whole')
  if (problem) throw problem.error
}

/** Asks for what was refused once more, one document after the other, until it is applied or a newer one has come. */
function tryAgain(
  options: FeedOptions,
  state: FeedState,
  acknowledge: (entry: Acknowledgement) => void,
): AsyncDisposable {
  const stop = new AbortController()
  const round = async () => {
    for (const about of state.refused.due(performance.now())) {
      if (!state.connected || stop.signal.aborted) return
      if (!state.refused.isCurrent(about)) continue
      const text = await sentAgain(options, state, about, stop.signal).catch((error: unknown) => {
        options.log.debug({ event: 'feed.not-again', kind: about.kind, key: about.key, err: error })
        return undefined
      })
      if (stop.signal.aborted) return
      await inTurn(state, async () => {
        if (!state.refused.isCurrent(about)) return
        if (text === undefined) return state.refused.refused(about, performance.now())
        const publication = text === null ? null : (readable([text]).publications[0] ?? null)
        // One that was replaced comes with the stream.
        if (publication?.kind !== about.kind || publication.key !== about.key) return state.refused.drop(about)
        const word = await applied(options, publication, state)
        if (word) acknowledge(word)
        if (state.startsAnew) state.request?.destroy(new NeedsWhole('something is to be sent whole'))
      })
    }
  }
  let running: Promise<void> | null = null
  const timer = setInterval(
    () => {
      const nextAt = state.refused.nextAt()
      if (running || nextAt === null || nextAt > performance.now()) return
      running = round().finally(() => (running = null))
    },
    Math.min(AGAIN_LOOK_MS, options.firstAgainMs ?? AGAIN_LOOK_MS),
  )
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stop.abort()
      await running
    },
  }
}

/** The first document from this revision on, which is this one unless it was replaced; null when there is none. */
function sentAgain(
  { config }: FeedOptions,
  { nodeId }: FeedState,
  { kind, revision }: RefusedDocument,
  stopped: AbortSignal,
): Promise<string | null> {
  const url = new URL(`/nodes/v1/${nodeId}/feed/?cursor=${revision - 1}&kinds=${kind}`, config.apiUrl)
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(AGAIN_MS)])
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${nodeToken(config)}`, accept: 'text/event-stream' }
    const request = clientOf(url).get(url, { headers, signal }, (response) => {
      if (response.statusCode !== 200) {
        response.resume()
        return reject(new Error(`the API answered ${response.statusCode} to the feed`))
      }
      consume(response, async ([first]) => {
        resolve(first || null)
        request.destroy()
      }).then(() => resolve(null), reject)
    })
    request.on('error', reject)
  })
}

type Read = {
  publications: Publication[]
  refused: { head: PublicationHead; reason: string }[]
  problem: { error: unknown } | null
}

/**
 * The publications, those whose body is none that this version knows, and what is wrong where not even the head can be
 * read, which ends them. A body of another version stands in nobody else's way: all others go on.
 */
function readable(texts: readonly string[]): Read {
  const read: Read = { publications: [], refused: [], problem: null }
  for (const text of texts) {
    try {
      const told: unknown = JSON.parse(text)
      const parsed = Publication.safeParse(told)
      if (parsed.success) read.publications.push(parsed.data)
      else read.refused.push({ head: PublicationHead.parse(told), reason: reasonOf(parsed.error.issues) })
    } catch (error) {
      return { ...read, problem: { error } }
    }
  }
  return read
}

/** Where the first thing is that is not as this version has it. */
function reasonOf(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [first] = issues
  return `this version cannot read it: ${first?.path.map(String).join('.')}: ${first?.message}`.slice(0, 500)
}

/**
 * Neighbours of the kind that may be applied together; every other publication is a group of its own. `isAlone` is asked
 * of each when those before it have been taken.
 */
function* inGroups(
  publications: readonly Publication[],
  kind: PublicationKind | undefined,
  isAlone: (publication: Publication) => boolean,
): Generator<Publication[]> {
  let group: Publication[] = []
  for (const publication of publications) {
    const alone = publication.kind !== kind || isAlone(publication)
    if (group.length > 0 && (alone || group.some(({ key }) => key === publication.key))) {
      yield group
      group = []
    }
    if (alone) yield [publication]
    else group.push(publication)
  }
  if (group.length > 0) yield group
}

const idOf = ({ kind, key }: Pick<Publication, 'kind' | 'key'>): string => `${kind} ${key}`

/** Applies what takes long, or follows such a one, while others go on. */
function applyBeside(
  options: FeedOptions,
  state: FeedState,
  publication: Publication,
  acknowledge: (entry: Acknowledgement) => void,
): void {
  const id = idOf(publication)
  const before = state.beside.get(id)
  // An older one that was refused is not asked for again while this one is on its way.
  state.refused.drop(publication)
  const done = (before?.done ?? Promise.resolve()).then(async () => {
    const word = state.stopped ? null : await applied(options, publication, state)
    if (state.beside.get(id)?.done === done) state.beside.delete(id)
    if (word) acknowledge(word)
    // In turn, so that nothing of this stream is under way when the next one begins from the start.
    if (state.startsAnew)
      void inTurn(state, async () => {
        if (state.startsAnew) state.request?.destroy(new NeedsWhole('something is to be sent whole'))
      })
  })
  state.beside.set(id, { revision: before?.revision ?? publication.revision, done })
}

async function appliedTogether({ applyTogether, log }: FeedOptions, group: Publication[]): Promise<boolean> {
  if (!applyTogether || group.length < 2) return false
  try {
    await applyTogether.apply(group)
    return true
  } catch (error) {
    log.warn({ event: 'feed.one-by-one', publications: group.length, err: error })
    return false
  }
}

async function applied(
  options: FeedOptions,
  publication: Publication,
  state: FeedState,
): Promise<Acknowledgement | null> {
  const { kind, key, version } = publication
  try {
    await options.apply(publication)
    state.refused.drop(publication)
    return { kind, key, version, ok: true, reason: null }
  } catch (error) {
    // Nothing is wrong with it: the whole is on its way.
    if (error instanceof NeedsWhole) {
      state.refused.drop(publication)
      state.startsAnew = true
      options.log.info({ event: 'feed.needs-whole', kind, key, version })
      return null
    }
    const reason = error instanceof Error ? error.message : String(error)
    options.log.error({ event: 'feed.refused', kind, key, version, err: error })
    state.refused.refused(publication, performance.now())
    return { kind, key, version, ok: false, reason: reason.slice(0, 500) }
  }
}

/** How a handler hears of the comment by which the API says that everything up to here has come. */
const WHOLE = ''

/** Reads server-sent events: those that came together are handled together, and the next not before they are done. */
async function consume(response: http.IncomingMessage, handle: (data: string[]) => Promise<void>): Promise<void> {
  // In pieces: a zone of a million records is one event of thousands of chunks, and is put together once.
  let pieces: string[] = []
  response.setEncoding('utf8')
  for await (const chunk of response as AsyncIterable<string>) {
    const events: string[] = []
    let text = chunk
    const last = pieces.at(-1)
    if (last?.endsWith('\n')) {
      // The two ends of line that end an event may come in two chunks.
      pieces[pieces.length - 1] = last.slice(0, -1)
      text = `\n${chunk}`
    }
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      pieces.push(text.slice(0, at))
      const event = pieces.join('')
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice(6))
        .join('\n')
      pieces = []
      text = text.slice(at + 2)
      if (data) events.push(data)
      else if (event === ': whole') events.push(WHOLE)
    }
    if (text !== '') pieces.push(text)
    if (events.length > 0) await handle(events)
  }
}

/**
 * Gathers acknowledgements for a few milliseconds and posts them; the newest per key wins, none is dropped while the
 * API is away. Posts none at all now and then, as a sign of life.
 */
function acknowledger(options: FeedOptions, state: FeedState) {
  const waiting = new Map<string, Acknowledgement>()
  const gauge = diskGauge(options.config)
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  let onItsWay = false
  const schedule = (ms: number) => {
    if (!timer && !stopped && !onItsWay) timer = setTimeout(flush, ms)
  }
  const flush = () => {
    timer = null
    if (waiting.size) post()
  }
  const post = () => {
    const batch = [...waiting].slice(0, 1000)
    if (!state.nodeId || onItsWay) return
    onItsWay = true
    call(options.config, 'POST', `/nodes/v1/${state.nodeId}/acknowledgements/`, {
      acknowledgements: batch.map(([, entry]) => entry),
      cursor: takenUpTo(state),
      ...(state.epoch.current === null ? {} : { epoch: state.epoch.current }),
      ...toldDisk(gauge),
    }).then(
      () => {
        onItsWay = false
        for (const [id, entry] of batch) if (waiting.get(id) === entry) waiting.delete(id)
        if (waiting.size) schedule(5)
      },
      () => {
        onItsWay = false
        schedule(500)
      },
    )
  }
  // The open stream is no sign: it outlives a process that hangs.
  const beat = setInterval(() => {
    if (!state.connected) return
    // An interface may get its address after the start: whoever connects again tells it.
    if (String(whereFound(options)) !== String(state.told))
      state.request?.destroy(new Error("the machine's addresses have changed"))
    else post()
  }, options.beatMs ?? BEAT_MS)
  return {
    add(entry: Acknowledgement) {
      // Scores come every two seconds and nobody waits for their confirmation.
      if (entry.kind === 'scores' && entry.ok) return
      waiting.set(`${entry.kind} ${entry.key}`, entry)
      schedule(5)
    },
    stop() {
      stopped = true
      clearInterval(beat)
      if (timer) clearTimeout(timer)
    },
  }
}

function toldDisk(gauge: DiskGauge): { disk?: NodeDisk } {
  const [level, disk] = [gauge.level(), gauge.disk()]
  return disk === null ? {} : { disk: { ...disk, level } }
}

/** The API has answered, and not with 2xx. */
export class ApiRefusal extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** One JSON call to the API with the node token. @throws ApiRefusal when it does not answer 2xx. */
export async function call(config: Config, method: string, route: string, body?: unknown): Promise<unknown> {
  const response = await fetch(new URL(route, config.apiUrl), {
    method,
    headers: {
      authorization: `Bearer ${nodeToken(config)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok)
    throw new ApiRefusal(
      `${method} ${route}: the API answered ${response.status} ${(await response.text()).slice(0, 200)}`,
      response.status,
    )
  const text = await response.text()
  return text ? (JSON.parse(text) as unknown) : undefined
}

function clientOf(url: URL) {
  return url.protocol === 'https:' ? https : http
}
