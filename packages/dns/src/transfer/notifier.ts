import crypto from 'node:crypto'
import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { signRequest, type Log } from '@fairway/platform/lean'
import { OutgoingRefusal, type OutgoingGate, type Peer as Address } from '@fairway/platform'
import { CLASS_IN, HEADER_BYTES, TYPE } from '../wire/codes.ts'
import type { Peer } from './peers.ts'

/** What a notice says of a zone: its name on the wire, and its SOA from the type on. */
export type Announced = { zoneId: string; origin: Uint8Array; soa: Uint8Array }

/** Waits before another try; a secondary that hears none of them looks by itself when its refresh is due. */
const TRIES_MS = [500, 2_000, 8_000]
const OPCODE_NOTIFY = 4
const AUTHORITATIVE = 0x0400

/** Those beyond the organisation's rate go on after so long. */
const ROOM_MS = 200

type Waiting = { timer: NodeJS.Timeout }
type HostPort = { host: string; port: number }
type Queued = { zone: Announced; peer: Peer; at: HostPort }

/** Tells secondaries that a zone has changed (RFC 1996), over and over until they have heard it. */
export class Notifier implements AsyncDisposable {
  sent = 0
  readonly #gate: Pick<OutgoingGate, 'admit'>
  readonly #log: Log
  readonly #clock: () => number
  readonly #sockets = new Map<4 | 6, dgram.Socket>()
  #closed = false
  readonly #waiting = new Map<string, Waiting>()
  /** By organisation: what may not be sent yet, and by whose turn it comes. */
  readonly #queues = new Map<string, Map<string, Queued>>()
  readonly #ended = new AbortController()

  constructor(gate: Pick<OutgoingGate, 'admit'>, log: Log, clock: () => number) {
    this.#gate = gate
    this.#log = log
    this.#clock = clock
  }

  /** A newer notice of the same zone to the same secondary takes the place of one on its way. */
  notify(zone: Announced, peer: Peer): void {
    const at = addressOf(peer.notify)
    if (!at || this.#closed) return
    const key = `${peer.name} ${zone.zoneId}`
    this.#forget(key)
    const queue = this.#queues.get(peer.organizationId)
    if (queue) return void queue.set(key, { zone, peer, at })
    this.#queues.set(peer.organizationId, new Map([[key, { zone, peer, at }]]))
    void this.#sendAll(peer.organizationId)
  }

  /** One after the other, as fast as the gate lets them through. */
  async #sendAll(organizationId: string): Promise<void> {
    const queue = this.#queues.get(organizationId)
    for (let next = first(queue); next && !this.#closed; next = first(queue)) {
      const [key, { zone, peer, at }] = next
      const address = await this.#gate.admit({ organizationId, purpose: 'notify' }, at).catch((error: unknown) => {
        // Any other refusal is in the log by then; the secondary looks by itself when its refresh is due.
        return error instanceof OutgoingRefusal && error.reason === 'too-many' ? 'later' : null
      })
      if (address === 'later') {
        await delay(ROOM_MS, null, { ref: false, signal: this.#ended.signal }).catch(() => null)
        continue
      }
      // A newer one has come meanwhile, perhaps to another address.
      if (queue?.get(key) !== next[1]) continue
      queue.delete(key)
      if (address) this.#try(key, signRequest(notice(zone, crypto.randomInt(65_536)), peer, this.#clock()), address, 0)
    }
    this.#queues.delete(organizationId)
  }

  #try(key: string, message: Buffer, at: Address, tries: number): void {
    if (this.#closed) return
    const waitMs = TRIES_MS[tries]
    if (waitMs === undefined) {
      this.#log.warn({ event: 'notify.unheard', secondary: key.split(' ', 1)[0], at: `${at.host}:${at.port}` })
      return this.#forget(key)
    }
    this.sent++
    const socket = this.#socket(isIPv6(at.host) ? 6 : 4)
    socket.send(message, at.port, at.host)
    this.#waiting.set(key, { timer: setTimeout(() => this.#try(key, message, at, tries + 1), waitMs) })
    const listener = (answer: Buffer) => {
      if (
        answer.length < HEADER_BYTES ||
        answer.readUInt16BE(0) !== message.readUInt16BE(0) ||
        (answer.readUInt8(2) & 0x80) === 0
      )
        return
      socket.off('message', listener)
      this.#forget(key)
    }
    socket.on('message', listener)
    setTimeout(() => socket.off('message', listener), waitMs).unref()
  }

  #forget(key: string): void {
    clearTimeout(this.#waiting.get(key)?.timer)
    this.#waiting.delete(key)
  }

  #socket(family: 4 | 6): dgram.Socket {
    const known = this.#sockets.get(family)
    if (known) return known
    const socket = dgram.createSocket(family === 4 ? 'udp4' : 'udp6').setMaxListeners(0)
    // A secondary that is not there says so by ICMP, and is tried again.
    socket.on('error', () => {})
    this.#sockets.set(family, socket)
    return socket
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#ended.abort()
    for (const key of this.#waiting.keys()) this.#forget(key)
    await Promise.all(
      [...this.#sockets.values()].map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))),
    )
  }
}

const first = (queue: Map<string, Queued> | undefined): [string, Queued] | undefined => queue?.entries().next().value

function notice({ origin, soa }: Announced, id: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE((OPCODE_NOTIFY << 11) | AUTHORITATIVE, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(1, 6)
  return Buffer.concat([
    header,
    origin,
    Buffer.from([0, TYPE.SOA, 0, CLASS_IN]),
    Buffer.from([0xc0, HEADER_BYTES]),
    soa,
  ])
}

function addressOf(text: string | null): HostPort | null {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text ?? '')
  return match ? { host: match[1] ?? match[2] ?? '', port: Number(match[3]) } : null
}
