import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WhyAnswer, WhyManyAnswer, WhyManyQuestion, WhyQuestion } from '@fairway/contract'
import { parseCidr } from '@fairway/domain/lean'
import { ControlError, type Config, type Geo } from '@fairway/platform/lean'
import { Client } from '../answer/client.ts'
import { FOUND, Lookup } from '../answer/lookup.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'
import type { Zones } from '../segment/zones.ts'
import type { Steering } from '../steering/steering.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { nameToWire } from '../wire/name.ts'
import { TYPE } from '../wire/codes.ts'

export type ExplainOptions = { config: Config; zones: Zones; steering: Steering; geo: Geo }

/** Clients looked at between two turns of the event loop: queries go first. */
const CLIENTS_PER_TURN = 500
/** Measurements change every few seconds; when they do so every time, the last try does not pause. */
const PATIENT_TRIES = 3

type ManyAnswers = WhyManyAnswer['answers']

/** Answers what a query would be answered, and why: name, place and decision are found the way a query's are. */
export class Explainer {
  readonly #options: ExplainOptions
  readonly #lookup: Lookup
  readonly #name = new NameCursor()
  readonly #client: Client

  constructor(options: ExplainOptions) {
    this.#options = options
    this.#lookup = new Lookup(options.zones)
    this.#client = new Client(options.geo)
  }

  /** @throws ControlError 400 for what is no address, 404 for a name that is not steered here */
  why({ name, client, prefixLength, policy }: WhyQuestion): WhyAnswer {
    const entry = this.#steered(name)
    this.#take(client, prefixLength)
    const { decision, decidedAt } = this.#options.steering.explain(entry, this.#client, policy)
    const visitor = {
      address: this.#client.address(),
      prefixLength: this.#client.knownBits,
      location: decision.trace.location,
    }
    return { name: entry.name, visitor, decision, decidedAt, node: this.#options.config.nodeName }
  }

  /** When the measurements were taken over that the name is decided by, epoch ms. @throws ControlError 404 */
  measuredAt(name: string): number {
    return this.#options.steering.measuredAt(this.#steered(name))
  }

  /**
   * Clients are addresses or networks, all answered by the measurements of one moment. @throws ControlError like `why`
   */
  async whyMany({ name, clients }: WhyManyQuestion): Promise<WhyManyAnswer> {
    const malformed = clients.find((client) => !parseCidr(client))
    if (malformed !== undefined) throw new ControlError(400, `${malformed} is no address or network`)
    for (let tries = 0; ; tries++) {
      const entry = this.#steered(name)
      const decidedAt = this.#options.steering.measuredAt(entry)
      const answers = await this.#answers(name, clients, tries < PATIENT_TRIES)
      if (decidedAt === this.#options.steering.measuredAt(this.#steered(name)))
        return { name: entry.name, answers, decidedAt, node: this.#options.config.nodeName }
    }
  }

  async #answers(name: string, clients: string[], patient: boolean): Promise<ManyAnswers> {
    const answers: ManyAnswers = []
    for (let from = 0; from < clients.length; from += CLIENTS_PER_TURN) {
      // The zone may have been replaced since the turn before.
      const entry = this.#steered(name)
      for (const client of clients.slice(from, from + CLIENTS_PER_TURN)) answers.push(this.#one(entry, client))
      if (patient) await nextTurn()
    }
    return answers
  }

  #one(entry: SteeredEntry, client: string): ManyAnswers[number] {
    const [address = '', bits] = client.split('/')
    this.#take(address, bits === undefined ? undefined : Number(bits))
    const { shares, strategyId } = this.#options.steering.decide(entry, this.#client).decision
    return { client, cdnId: shares.length === 1 ? (shares[0]?.cdnId ?? null) : null, shares, strategyId }
  }

  #take(address: string, prefixLength: number | undefined): void {
    if (!this.#client.setText(address, prefixLength)) throw new ControlError(400, `${address} is no address`)
  }

  #steered(name: string): SteeredEntry {
    const wire = wireOf(name)
    if (wire && this.#name.read(wire, 0, wire.length) > 0 && this.#lookup.find(this.#name, TYPE.A) === FOUND.node) {
      const { zone, node } = this.#lookup
      const entry = zone?.steered[zone.steeredIndex(node)]
      if (entry) return entry
    }
    throw new ControlError(404, `${name} is not steered here`)
  }
}

function wireOf(name: string): Uint8Array | null {
  try {
    return nameToWire(name)
  } catch {
    return null
  }
}
