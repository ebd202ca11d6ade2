import { ControlError, type Log } from '@fairway/platform/lean'
import type { Room } from '../listen/waiting-room.ts'
import type { Figures } from '../serving/figures.ts'
import type { FromServer, Question, Start, ToServer } from '../serving/messages.ts'
import { BatchStarts } from './batch-starts.ts'
import { KeptProcess } from './kept-process.ts'
import type { ProcessFile } from './process-file.ts'
import type { Told } from './told.ts'

export type ServerProcessOptions = {
  /** But for the transport, which this decides. */
  start: Omit<Start, 'transport' | 'room'>
  /** A socket of this process in which questions may be waiting. */
  room: Room | null
  processes: ProcessFile
  /** It is started when this has settled. */
  after?: Promise<unknown>
  /** What a new process has to know beside the disk. */
  lastWords: () => Iterable<Told>
  /** Messages that are no answers. */
  heard: (message: Exclude<FromServer, { id: number } | { kind: 'beat' | 'logged' }>, by: ServerProcess) => void
  /** It died, and had counted so much. */
  ended: (last: Figures | null) => void
  log: Log
}

const PROGRAM = new URL('../serving/main.ts', import.meta.url)
/**
 * Next to nothing that a query makes outlives it: a small nursery does, and a process under load takes half the memory.
 */
const NODE_OPTIONS = ['--max-semi-space-size=4']
/** Ticks without a beat after which a server hangs: it keeps its part of the datagrams to itself. */
const MOST_SILENT_TICKS = 5

type Waiting = { done: (value: unknown) => void; failed: (error: Error) => void }

/** The process that was asked is gone. */
export class ServerGone extends Error {}

/** One answering process as the manager sees it, the same through all its restarts. */
export class ServerProcess implements AsyncDisposable {
  isListening = false
  /** What it said last. */
  figures: Figures | null = null
  readonly #options: ServerProcessOptions
  readonly #kept: KeptProcess
  readonly #batches: BatchStarts
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #silentTicks = 0
  #isFirst = true

  constructor(options: ServerProcessOptions) {
    this.#options = options
    const { start, processes, after, lastWords, log } = options
    this.#batches = new BatchStarts(start.config.dnsTransport)
    this.#kept = new KeptProcess({
      name: 'server',
      program: PROGRAM,
      nodeOptions: NODE_OPTIONS,
      sockets: options.room ? [options.room.fd] : [],
      processes,
      ...(after ? { after } : {}),
      log: log.child({ server: start.number }),
      started: (child) => {
        // What waited is answered by the first; the next ones come when nothing waits.
        const room = this.#isFirst && options.room ? { ...options.room, fd: 4 } : null
        this.#isFirst = false
        const first: ToServer[] = [
          { ...start, transport: this.#batches.next(), room },
          ...[...lastWords()].map((told) => ({ kind: 'notice', ...told }) as const),
          { kind: 'tick', now: Date.now() },
        ]
        for (const message of first) child.send(message, () => {})
      },
      heard: (message) => this.#hear(message as FromServer),
      ended: (livedMs) => this.#ended(livedMs),
      stop: (child) => {
        if (child.connected) child.send({ kind: 'stop' } satisfies ToServer, () => {})
      },
    })
  }

  get number(): number {
    return this.#options.start.number
  }

  get pid(): number | null {
    return this.#kept.pid
  }

  get restarts(): number {
    return this.#kept.restarts
  }

  tell(message: ToServer): void {
    this.#kept.send(message)
  }

  /** @throws ControlError with what it says no with; ServerGone when it ends before it has answered, or does not run */
  ask(question: Question): Promise<unknown> {
    if (this.pid === null) return Promise.reject(new ServerGone())
    const id = ++this.#lastId
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed })
      this.tell({ ...question, id })
    })
  }

  /**
   * Once a second; one that hangs is ended. Counts our own turns: a machine that stands still is not taken for a server
   * that does.
   */
  tick(now: number): void {
    if (!this.isListening) return
    if (++this.#silentTicks > MOST_SILENT_TICKS) {
      this.#options.log.error({ event: 'server.hangs', server: this.number, pid: this.pid })
      this.#silentTicks = 0
      this.#kept.kill()
    } else this.tell({ kind: 'tick', now })
  }

  /** Ends it as it is; another one takes its place. */
  replace(): void {
    this.#kept.kill()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept[Symbol.asyncDispose]()
  }

  #hear(message: FromServer): void {
    const { log, heard } = this.#options
    if (message.kind === 'beat') {
      this.#silentTicks = 0
      this.figures = message.figures
    } else if (message.kind === 'logged') {
      log.error({
        ...message.fields,
        ...(message.error ? { err: Object.assign(new Error(message.error.message), message.error) } : {}),
      })
    } else if (message.kind === 'reply' || message.kind === 'refusal') {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.kind === 'reply') waiting?.done(message.value)
      else waiting?.failed(new ControlError(message.status, message.message))
    } else {
      if (message.kind === 'listening') this.isListening = true
      heard(message, this)
    }
  }

  #ended(livedMs: number): void {
    this.#batches.ended(livedMs)
    this.isListening = false
    this.#silentTicks = 0
    for (const { failed } of this.#waiting.values()) failed(new ServerGone())
    this.#waiting.clear()
    const last = this.figures
    this.figures = null
    this.#options.ended(last)
  }
}
