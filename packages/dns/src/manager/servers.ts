import { setTimeout as delay } from 'node:timers/promises'
import type { WhyAnswer, WhyManyAnswer } from '@fairway/contract'
import { isStale } from '@fairway/domain/lean'
import { ControlError, Problem, livesStill, type Log } from '@fairway/platform/lean'
import type { Notice, Request } from '../builder/messages.ts'
import type { Room, Rooms } from '../listen/waiting-room.ts'
import { added, type Figures } from '../serving/figures.ts'
import type { Question, Start } from '../serving/messages.ts'
import type { ProcessFile } from './process-file.ts'
import { ServerGone, ServerProcess } from './server-process.ts'
import type { LastWords } from './told.ts'

export type ServersOptions = {
  start: Omit<Start, 'transport' | 'number' | 'room' | 'takes' | 'sharers' | 'processes'>
  /** Processes that take datagrams; those for streams come beside. */
  processesForDatagrams: number
  /** Sockets in which questions may be waiting: a process of each kind empties one. */
  rooms: Rooms | null
  processes: ProcessFile
  lastWords: LastWords
  /** A zone that is kept elsewhere has changed there. */
  noticed: (zoneId: string) => void
  clock: () => number
  log: Log
}

/** Deaths before the first has ever answered, after which the start has failed. */
const FIRST_STARTS = 3
const TICK_MS = 1000
/** The first one has the machine to itself for so long at most. */
const ALONE_MS = 1000
/** What is asked for people and figures. */
const PATIENCE_MS = 1500
/** Servers hear of new measurements at nearly the same moment; so often is waited for them to agree. */
const AGREE = { tries: 20, everyMs: 25 }
/** Servers of the manager before are given so long to leave. */
const LEAVE_MS = 4000

/** The processes that answer. Each is told everything that the builder says, and started again whenever it dies. */
export class Servers implements AsyncDisposable {
  readonly #options: ServersOptions
  readonly #all: ServerProcess[]
  readonly #tick: NodeJS.Timeout
  readonly #first = Promise.withResolvers<void>()
  /** One of them has got so far that it answers, or will not. */
  readonly #oneIsThere = Promise.withResolvers<void>()
  #deaths = 0
  /** What those have counted that are gone. */
  #gone: Pick<Figures, 'answers' | 'counts'> | null = null

  constructor(options: ServersOptions) {
    this.#options = options
    const { start, processesForDatagrams: datagrams, processes, lastWords, log } = options
    const streams = processesForStreams(datagrams)
    // Only who waits for it is told of a start that failed.
    this.#first.promise.catch(() => {})
    const oneIsThere = Promise.race([this.#oneIsThere.promise, delay(ALONE_MS, null, { ref: false })])
    this.#all = Array.from(
      { length: datagrams + streams },
      (_, number) =>
        new ServerProcess({
          start: {
            ...start,
            number,
            processes: datagrams + streams,
            ...(number < datagrams
              ? ({ takes: 'datagrams', sharers: datagrams } as const)
              : ({ takes: 'streams', sharers: streams } as const)),
          },
          room: roomOf(number, datagrams, options.rooms),
          processes,
          // Where cores are short, one that answers soon is worth more than all of them later.
          ...(number > 0 ? { after: oneIsThere } : {}),
          log,
          lastWords: () => lastWords.all(),
          heard: (message, by) => {
            if (message.kind === 'chosen')
              for (const other of this.#others(by)) other.tell({ ...message, by: by.number })
            else if (message.kind === 'noticed') options.noticed(message.zoneId)
            else if (message.kind === 'failed') this.#fail(message.reason, message.sentence)
            else {
              this.#oneIsThere.resolve()
              if (this.listening().length === this.#all.length) this.#first.resolve()
            }
          },
          ended: (last) => this.#ended(last),
        }),
    )
    this.#tick = setInterval(() => {
      const now = options.clock()
      for (const server of this.#all) server.tick(now)
    }, TICK_MS)
  }

  /** Resolves when all answer. @throws Problem with what the person who started it can mend */
  started(): Promise<void> {
    return this.#first.promise
  }

  all(): readonly ServerProcess[] {
    return this.#all
  }

  listening(): ServerProcess[] {
    return this.#all.filter((server) => server.isListening)
  }

  /**
   * Done when every one that runs has done it; those that do not find it on disk. @throws Error why not; then none
   * serves it
   */
  async serve(request: Request): Promise<void> {
    const outcomes = await Promise.all(
      this.#all.map(async (server) => ({
        server,
        error: await server.ask({ kind: 'request', request }).then(
          () => null,
          (error: Error) => error,
        ),
      })),
    )
    const asked = outcomes.filter(({ error }) => !(error instanceof ServerGone))
    const refused = asked.filter(({ error }) => error !== null)
    const [first] = refused
    if (!first?.error) return
    if (refused.length === asked.length || request.kind === 'serves') throw first.error
    // What others do, one cannot: it is started anew, from the disk, where the builder has put it.
    for (const { server, error } of refused) {
      this.#options.log.error({ event: 'server.differs', server: server.number, request: request.kind, err: error })
      server.replace()
    }
  }

  notice(notice: Notice): void {
    const now = this.#options.clock()
    this.#options.lastWords.remember(notice, now)
    for (const server of this.#all) server.tell({ kind: 'notice', notice, now })
  }

  /** Organisations whose measurements are too old to steer by. */
  staleScores(): number {
    const now = this.#options.clock()
    return [...this.#options.lastWords.all()].filter(
      ({ notice }) => notice.kind === 'scores' && isStale(notice.scores, now),
    ).length
  }

  /** What a visitor gets and why, as of measurements that all servers go by. @throws ControlError */
  async explain(question: Extract<Question, { kind: 'why' | 'explain-many' }>): Promise<WhyAnswer | WhyManyAnswer> {
    for (let tries = 1; ; tries++) {
      const [server, ...others] = this.listening()
      if (!server) throw new ControlError(503, 'no process answers just now; they are being started again')
      try {
        const answer = (await server.ask(question)) as WhyAnswer | WhyManyAnswer
        const moments = await Promise.all(
          others.map((other) => other.ask({ kind: 'measured-at', name: question.question.name }).catch(() => null)),
        )
        if (tries === AGREE.tries || moments.every((moment) => moment === answer.decidedAt)) return answer
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error
      }
      await delay(AGREE.everyMs)
    }
  }

  /** What all have counted since the node started, those that are gone too, and the state of those that run. */
  async figures(): Promise<{ together: Pick<Figures, 'answers' | 'counts'> | null; each: Figures[] }> {
    await Promise.all(
      this.#all.map(async (server) => {
        const figures = server.ask({ kind: 'figures' }).catch(() => null)
        const fresh = (await Promise.race([figures, delay(PATIENCE_MS, null, { ref: false })])) as Figures | null
        if (fresh) server.figures = fresh
      }),
    )
    const each = this.#all.flatMap(({ figures }) => figures ?? [])
    return { together: each.reduce<Pick<Figures, 'answers' | 'counts'> | null>(added, this.#gone), each }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#tick)
    await Promise.all(this.#all.map((server) => server[Symbol.asyncDispose]()))
  }

  #others(one: ServerProcess): ServerProcess[] {
    return this.#all.filter((server) => server !== one)
  }

  #ended(last: Figures | null): void {
    this.#oneIsThere.resolve()
    if (last) this.#gone = added(this.#gone, last)
    if (++this.#deaths >= FIRST_STARTS) this.#first.reject(new Error('the processes that answer die as they start'))
  }

  #fail(reason: string, sentence: string | null): void {
    if (sentence !== null) this.#first.reject(new Problem(sentence))
    else this.#options.log.error({ event: 'server.not-started', reason })
  }
}

/** The first of each kind empties what has waited. */
function roomOf(number: number, datagrams: number, rooms: Rooms | null): Room | null {
  if (!rooms) return null
  if (number === 0) return { kind: 'udp', fd: rooms.udp }
  return number === datagrams ? { kind: 'tcp', fd: rooms.tcp } : null
}

/**
 * Streams ask for much less than datagrams do, but the end of one process must be no silence for them either. Where
 * datagrams have one process alone, so have streams.
 */
const processesForStreams = (datagrams: number): number => (datagrams === 1 ? 1 : Math.max(2, Math.ceil(datagrams / 4)))

/** Tells servers of the manager before, which was killed, that others are there now. */
export async function relieve({ former }: ProcessFile, log: Log): Promise<void> {
  const servers = former.filter(({ name }) => name === 'server')
  for (const server of servers) send(server.pid, 'SIGTERM')
  for (const end = performance.now() + LEAVE_MS; servers.some(livesStill) && performance.now() < end;) await delay(50)
  for (const server of servers.filter(livesStill)) send(server.pid, 'SIGKILL')
  if (servers.length > 0) log.info({ event: 'servers.relieved', pids: servers.map(({ pid }) => pid) })
}

/** The builder of the manager before must be gone before another one writes into the same folder. */
export function endBuilder({ former }: ProcessFile): void {
  for (const { pid, name } of former) if (name === 'builder') send(pid, 'SIGKILL')
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}
