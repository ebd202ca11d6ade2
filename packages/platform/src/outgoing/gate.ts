import type http from 'node:http'
import type { Config } from '../config.ts'
import type { HostPort } from '../host-port.ts'
import type { Log } from '../log.ts'
import { namesThrough, type Names } from './names.ts'
import { type Peer, pinned } from './peer.ts'
import { type Reach, reachOf } from './private-networks.ts'
import { Rate } from './rate.ts'
import { RefusalLog } from './refusal-log.ts'
import { exchange, openRequest, type Exchange, type OutgoingAnswer, type OutgoingRequest } from './request.ts'

/** On whose behalf something is opened, and for what; null is the installation itself. */
export type Sender = { organizationId: string | null; purpose: Purpose }
export type Purpose =
  | 'cdn-check'
  | 'live-origin'
  | 'nameserver'
  | 'notify'
  | 'origin'
  | 'origin-check'
  | 'primary'
  | 'probe'
  | 'purge-check'
  | 'revocation'
  | 'webhook'

/** `private-address`: it leads, or has only addresses, where nobody of the internet is. `too-many`: over the rate. */
export type RefusalReason = 'private-address' | 'unresolved' | 'too-many'

const WORDS: Record<RefusalReason, string> = {
  'private-address': 'the name stands for an address of a private network',
  unresolved: 'the name has no address',
  'too-many': 'too many connections for one organisation; later again',
}

/** Nothing was opened. The message is a clause for the organisation's own people. */
export class OutgoingRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(WORDS[reason])
    this.reason = reason
  }
}

export type GateOptions = {
  config: Pick<Config, 'resolver' | 'privateNetworks' | 'outgoingRate'>
  log: Log
  clock?: () => number
  names?: Names
}

/**
 * The only way to open a socket to what a user has named: it resolves, checks every address, counts, and hands out the
 * checked address to be connected to, so that a name cannot change its mind in between (DNS rebinding).
 */
export class OutgoingGate {
  readonly names: Names
  /** Whether an address would be let through; forms ask it before anything is saved. */
  readonly reaches: Reach
  readonly #rate: Rate
  readonly #refusals: RefusalLog

  constructor({ config, log, clock = () => performance.now(), names }: GateOptions) {
    this.names = names ?? namesThrough(config.resolver)
    this.reaches = reachOf(config.privateNetworks)
    this.#rate = new Rate(config.outgoingRate, clock)
    this.#refusals = new RefusalLog(log, clock)
  }

  /**
   * Every address of the host that may be connected to at this port, IPv4 first; `port` null while it is not known.
   * @throws OutgoingRefusal when there is none, Error when the name cannot be asked for
   */
  async addresses(sender: Sender, host: string, port: number | null): Promise<string[]> {
    const found = await this.names.addressesOf(host)
    if (found.length === 0) throw this.#refuse(sender, host, port, 'unresolved')
    const allowed = found.filter((address) => this.reaches(address, port))
    if (allowed.length === 0) throw this.#refuse(sender, host, port, 'private-address')
    return allowed
  }

  /** Those of these addresses that may be connected to; the others are written down. */
  allowed(sender: Sender, addresses: readonly string[], port: number): string[] {
    return addresses.filter(
      (address) => this.reaches(address, port) || !this.#refuse(sender, address, port, 'private-address'),
    )
  }

  /** A checked address of the host, to connect to. @throws OutgoingRefusal, or Error when the name cannot be asked for */
  async admit(sender: Sender, { host, port }: HostPort): Promise<Peer> {
    const owner = sender.organizationId
    if (owner !== null && !this.#rate.take(owner)) throw this.#refuse(sender, host, port, 'too-many')
    const [address] = await this.addresses(sender, host, port).catch((error: unknown) => {
      if (error instanceof OutgoingRefusal) throw error
      throw this.#refuse(sender, host, port, 'unresolved')
    })
    return pinned({ host: address ?? host, port })
  }

  /** A request over HTTP, not sent yet, to a checked address. @throws OutgoingRefusal */
  request(sender: Sender, wanted: OutgoingRequest): Promise<{ request: http.ClientRequest; peer: Peer }> {
    return openRequest(wanted, (at) => (wanted.own ? this.#own(at) : this.admit(sender, at)))
  }

  /** A whole answer; each redirect is checked as the first address was. @throws OutgoingRefusal, or Error as sockets do */
  exchange(sender: Sender, wanted: Exchange): Promise<OutgoingAnswer> {
    return exchange(wanted, (at) => (wanted.own ? this.#own(at) : this.admit(sender, at)))
  }

  async #own({ host, port }: HostPort): Promise<Peer> {
    const [address] = await this.names.addressesOf(host)
    if (address === undefined) throw new OutgoingRefusal('unresolved')
    return pinned({ host: address, port })
  }

  #refuse(sender: Sender, host: string, port: number | null, reason: RefusalReason): OutgoingRefusal {
    this.#refusals.write({ ...sender, host, port, reason })
    return new OutgoingRefusal(reason)
  }
}
