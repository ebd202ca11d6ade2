import { configEnvironment } from '@fairway/platform/config'
import type { Config, Log } from '@fairway/platform/lean'
import type { BuilderState, FromBuilder, Notice, Request, ToBuilder } from '../builder/messages.ts'
import { KeptProcess } from './kept-process.ts'
import type { ProcessFile } from './process-file.ts'

export type BuilderLinkOptions = {
  config: Config
  processes: ProcessFile
  controlUrl: string
  /** Does what the builder asks; rejecting tells it why not. */
  serve: (request: Request) => Promise<void>
  notice: (notice: Notice) => void
  log: Log
}

const PROGRAM = new URL('../builder/main.ts', import.meta.url)

/** The builder process, started again when it dies; queries are answered all the while. */
export class BuilderLink implements AsyncDisposable {
  /** What it said of itself last; whether it has the API's ear is not known while it is away. */
  state: Omit<BuilderState, 'kind'> = { connected: false, notifies: 0 }
  readonly #options: BuilderLinkOptions
  readonly #kept: KeptProcess
  /** Notices sent by builders before this one. */
  #notifiesBefore = 0
  /** Requests are done one after the other, in the order in which they came. */
  #turn: Promise<void> = Promise.resolve()

  constructor(options: BuilderLinkOptions) {
    this.#options = options
    const { config, processes, controlUrl, log } = options
    this.#kept = new KeptProcess({
      name: 'builder',
      program: PROGRAM,
      words: [controlUrl],
      environment: configEnvironment(config),
      processes,
      log,
      started() {},
      heard: (message) => this.#hear(message as FromBuilder),
      ended: () => {
        this.#notifiesBefore += this.state.notifies
        this.state = { connected: false, notifies: 0 }
      },
      stop: (child) => {
        if (child.connected) child.disconnect()
      },
    })
  }

  get pid(): number | null {
    return this.#kept.pid
  }

  get restarts(): number {
    return this.#kept.restarts
  }

  /** Notices of changes sent to secondaries. */
  get notifies(): number {
    return this.#notifiesBefore + this.state.notifies
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept[Symbol.asyncDispose]()
  }

  #hear(message: FromBuilder): void {
    const { serve, notice } = this.#options
    if (message.kind === 'builder') this.state = message
    else if (!('id' in message)) notice(message)
    else {
      const { id, ...request } = message
      this.#turn = this.#turn
        .then(() => serve(request))
        .then(
          () => this.#reply({ id, problem: null }),
          (error: unknown) => this.#reply({ id, problem: error instanceof Error ? error.message : String(error) }),
        )
    }
  }

  #reply(message: ToBuilder): void {
    this.#kept.send(message)
  }
}
