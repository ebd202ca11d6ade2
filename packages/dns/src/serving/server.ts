import crypto from 'node:crypto'
import { VERSION } from '@fairway/contract/lean'
import { ControlError, nodeSecret, openGeo, unsealForNodes, type Geo, type Log } from '@fairway/platform/lean'
import { Answerer } from '../answer/answerer.ts'
import { Cookies } from '../answer/cookies.ts'
import { SigningBudget } from '../dnssec/online-signer.ts'
import { ZONE_KEYS } from '../dnssec/zone-signer.ts'
import { chooseTransport } from '../listen/choose-transport.ts'
import { type EncryptedListeners, NOTHING_ENCRYPTED, listenEncrypted } from '../listen/encrypted.ts'
import { Handler } from '../listen/handler.ts'
import { listen, type Listeners } from '../listen/listen.ts'
import { shareOf } from '../listen/places.ts'
import { RateLimit } from '../listen/rate-limit.ts'
import { openServerCertificate } from '../listen/server-certificate.ts'
import { TCP_LIMITS, type TcpLimits } from '../listen/tcp-limits.ts'
import { emptyRoom } from '../listen/waiting-room.ts'
import { Zones } from '../segment/zones.ts'
import { Xorshift } from '../steering/random.ts'
import { Steering } from '../steering/steering.ts'
import { dnsFiles } from '../store/files.ts'
import { TRANSFER_KEYS } from '../transfer/peers.ts'
import { Transfers } from '../transfer/transfers.ts'
import { AnswerCounts } from './answer-counts.ts'
import { Choices } from './choices.ts'
import { Explainer } from './explain.ts'
import { figuresOf, type Measured } from './figures.ts'
import type { Question, Start, Tell, ToServer } from './messages.ts'
import { QueryLog } from './query-log.ts'
import { RequestLog } from './request-log.ts'
import { ServedZones } from './served-zones.ts'
import { Signers } from './signers.ts'

const TICK_MS = 1000
/** About a fifth of a core. */
const SIGNATURES_PER_SECOND = 6000

const seed = () => new Xorshift(crypto.randomInt(1, 2 ** 31))

/**
 * One of the processes that answer: from memory, starting with what is on disk, and following what the manager passes
 * on of the builder.
 * Without the manager it goes on with what it has.
 */
export class Server implements AsyncDisposable {
  readonly #start: Start
  readonly #tell: Tell
  readonly #log: Log
  readonly #stack = new AsyncDisposableStack()
  /** When the manager heard what is taken over; our own clock when there is none. */
  readonly #clock = { now: Date.now(), isOwn: false }
  readonly #zones = new Zones()
  readonly #steering: Steering
  readonly #budget = new SigningBudget(SIGNATURES_PER_SECOND)
  readonly #limit: RateLimit
  readonly #transfers: Transfers
  readonly #served: ServedZones
  readonly #explainer: Explainer
  readonly #handler: Handler
  readonly #logs: Pick<Measured, 'counts' | 'queryLog' | 'requestLog'>
  #listening: { listeners: Listeners; encrypted: EncryptedListeners } | null = null
  /** Requests are done one after the other, in the order in which they came. */
  #turn: Promise<void> = Promise.resolve()

  /** Serves nothing yet, but has what is on disk. */
  static async restore(start: Start, tell: Tell, log: Log): Promise<Server> {
    return new Server(start, tell, log, await openGeo(start.config))
  }

  private constructor(start: Start, tell: Tell, log: Log, geo: Geo) {
    const { config, processes, sharers } = start
    this.#start = start
    this.#tell = tell
    this.#log = log
    const choices = this.#stack.use(new Choices((told) => tell({ kind: 'chosen', choices: told })))
    this.#steering = new Steering({
      locationOf: geo.location,
      clock: () => this.#clock.now,
      random: seed(),
      ...(processes > 1 ? { chose: (choice) => choices.add(choice) } : {}),
    })
    this.#limit = new RateLimit(Math.ceil(config.dnsRateLimit / sharers))
    this.#transfers = new Transfers({
      zones: this.#zones,
      openKey: (sealed) => unsealForNodes(config, TRANSFER_KEYS, sealed),
      clock: Date.now,
      noticed: (zoneId) => tell({ kind: 'noticed', zoneId }),
    })
    const signers = new Signers((sealed) => unsealForNodes(config, ZONE_KEYS, sealed), this.#budget, Date.now)
    this.#served = new ServedZones({
      zones: this.#zones,
      steering: this.#steering,
      signers,
      transfers: this.#transfers,
      log,
    })
    this.#explainer = new Explainer({ config, zones: this.#zones, steering: this.#steering, geo })
    const counts = new AnswerCounts()
    const queryLog = this.#stack.use(new QueryLog({ config, geo, log, clock: Date.now }))
    const requestLog = this.#stack.use(
      new RequestLog({ config, geo, log, clock: Date.now, random: seed(), processes: sharers }),
    )
    this.#logs = { counts, queryLog, requestLog }
    const cookies = new Cookies(nodeSecret(config, 'dns cookies', 16), Date.now)
    const answerer = new Answerer(this.#zones, this.#steering, geo, cookies)
    answerer.identify(
      config.dnsIdentity === 'none' ? null : config.nodeName,
      config.dnsIdentity === 'full' ? `Fairway ${VERSION}` : null,
    )
    this.#handler = new Handler(
      answerer,
      this.#limit,
      this.#transfers,
      (outcome, client, query, transport) => {
        counts.count(outcome, transport)
        queryLog.count(outcome, client)
        requestLog.count(outcome, client, query, transport)
      },
      log,
    )
    this.#served.restore(dnsFiles(config))
  }

  /** Begins to answer. @throws ListenError when an address cannot be had */
  async listen(): Promise<void> {
    const { takes, sharers, at, shared } = this.#start
    const [handler, log] = [this.#handler, this.#log]
    const transport = takes === 'datagrams' ? await chooseTransport(this.#start.transport, log) : undefined
    const tcpLimits = shareOf(TCP_LIMITS, sharers)
    const listeners = this.#stack.use(
      await listen({ addresses: [at], handler, log, transport, takes, sharers: shared ? sharers : 0, tcpLimits }),
    )
    const encrypted = takes === 'streams' ? await this.#listenEncrypted(tcpLimits) : NOTHING_ENCRYPTED
    this.#listening = { listeners, encrypted }
    const { room } = this.#start
    if (room) this.#stack.use(emptyRoom({ room, at, handler, takeStream: listeners.tcp[0]?.take ?? null, log }))
    const tick = setInterval(() => this.#tick(), TICK_MS)
    this.#stack.defer(() => clearInterval(tick))
    log.info({
      event: 'dns.listening',
      at: listeners.at,
      takes,
      transport: listeners.udp.map((one) => one.transport()),
      tls: encrypted.tls?.port ?? null,
      https: encrypted.https?.port ?? null,
      zones: this.#zones.size,
      ms: Math.round(performance.now()),
    })
  }

  async #listenEncrypted(limits: TcpLimits): Promise<EncryptedListeners> {
    const { config, tls, https, shared, own, ticketKeys } = this.#start
    const log = this.#log
    const certificate =
      own &&
      this.#stack.use(openServerCertificate({ files: config, own, ticketKeys: Buffer.from(ticketKeys, 'base64'), log }))
    return this.#stack.use(
      await listenEncrypted({ tls, https, certificate, handler: this.#handler, limits, reusePort: shared }),
    )
  }

  /** Does what the manager says; `stop` is not its business. */
  take(message: Exclude<ToServer, Start | { kind: 'stop' }>): void {
    if (message.kind === 'chosen') return this.#steering.hear(message.choices, this.#start.number < message.by)
    if (message.kind === 'notice') {
      this.#clock.now = message.now
      return this.#served.notice(message.notice)
    }
    if (message.kind === 'tick') {
      this.#clock.now = message.now
      this.#steering.tick()
      return this.#tell({ kind: 'beat', figures: this.#figures() })
    }
    if (message.kind === 'request') this.#turn = this.#turn.then(() => this.#answer(message))
    else void this.#answer(message)
  }

  /** The manager is gone: measurements age by our own clock. */
  goOnAlone(): void {
    this.#clock.isOwn = true
  }

  /** Lets what was asked be answered, and takes nothing new. */
  async leave(): Promise<void> {
    await Promise.all([this.#listening?.listeners.leave(), this.#listening?.encrypted.leave()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  async #answer(message: Question & { id: number }): Promise<void> {
    const { id } = message
    try {
      this.#tell({ kind: 'reply', id, value: await this.#valueOf(message) })
    } catch (error) {
      this.#tell({
        kind: 'refusal',
        id,
        status: error instanceof ControlError ? error.status : 500,
        message: error instanceof Error ? error.message : String(error),
      })
    }
  }

  #valueOf(question: Question): unknown {
    if (question.kind === 'request') return this.#served.serve(question.request)
    if (question.kind === 'why') return this.#explainer.why(question.question)
    if (question.kind === 'explain-many') return this.#explainer.whyMany(question.question)
    return question.kind === 'measured-at' ? this.#explainer.measuredAt(question.name) : this.#figures()
  }

  #figures() {
    const { listeners = NOTHING, encrypted = NOTHING_ENCRYPTED } = this.#listening ?? {}
    return figuresOf({
      ...this.#logs,
      handler: this.#handler,
      limit: this.#limit,
      transfers: this.#transfers,
      zones: this.#zones,
      served: this.#served,
      steering: this.#steering,
      listeners,
      encrypted,
    })
  }

  #tick(): void {
    this.#budget.tick()
    this.#limit.tick()
    if (!this.#clock.isOwn) return
    this.#clock.now = Date.now()
    this.#steering.tick()
  }
}

const NOTHING: Listeners = {
  at: [],
  udp: [],
  tcp: [],
  leave: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}
