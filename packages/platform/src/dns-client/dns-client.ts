import crypto from 'node:crypto'
import dgram from 'node:dgram'
import net from 'node:net'
import type { Peer } from '../outgoing/peer.ts'
import { type DnsReply, decodeReply, encodeQuery } from './dns-message.ts'
import { askOverTcp } from './dns-stream.ts'

export type DnsClientOptions = { timeoutMs?: number; tries?: number }

type Waiting = { name: string; type: string; resolve: (reply: DnsReply | null) => void; timer: NodeJS.Timeout }

/**
 * Asks one authoritative server, with many questions in flight on a connected socket of its own: answers from
 * elsewhere, to other questions or with
 * another id are dropped. A cut answer is asked for again over TCP.
 */
export class DnsClient implements AsyncDisposable {
  #socket: dgram.Socket
  #ready: Promise<void>
  #waiting = new Map<number, Waiting>()
  #at: Peer
  #timeoutMs: number
  #tries: number
  #closed = false

  constructor(at: Peer, { timeoutMs = 1_500, tries = 2 }: DnsClientOptions = {}) {
    this.#at = at
    this.#timeoutMs = timeoutMs
    this.#tries = tries
    this.#socket = dgram.createSocket({ type: net.isIPv6(at.host) ? 'udp6' : 'udp4', recvBufferSize: 1 << 20 })
    this.#socket.on('message', (bytes) => this.#heard(bytes))
    // A server that is not there says so by ICMP; the time-out tells the asker.
    this.#socket.on('error', () => {})
    this.#ready = new Promise((resolve) => {
      // A machine without this family never connects.
      this.#socket.once('error', () => resolve())
      this.#socket.connect(at.port, at.host, () => resolve())
    })
  }

  /** The answer, or null when none came. */
  async ask(name: string, type: string): Promise<DnsReply | null> {
    await this.#ready
    for (let attempt = 0; attempt < this.#tries && !this.#closed; attempt++) {
      const reply = await this.#once(name, type)
      if (reply?.truncated) return askOverTcp(this.#at, name, type, this.#timeoutMs * 2)
      if (reply) return reply
    }
    return null
  }

  #once(name: string, type: string): Promise<DnsReply | null> {
    let id = crypto.randomInt(65_536)
    while (this.#waiting.has(id)) id = (id + 1) % 65_536
    return new Promise((resolve) => {
      const settle = (reply: DnsReply | null) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(reply)
      }
      const timer = setTimeout(() => settle(null), this.#timeoutMs)
      this.#waiting.set(id, { name: name.toLowerCase(), type, resolve: settle, timer })
      try {
        this.#socket.send(encodeQuery(id, name, type), (error) => error && this.#closed && settle(null))
      } catch {
        // It could not be connected: there is no way to such an address.
        settle(null)
      }
    })
  }

  #heard(bytes: Buffer): void {
    const reply = decodeReply(bytes)
    const waiting = reply ? this.#waiting.get(reply.id) : undefined
    if (!reply || !waiting) return
    const { question } = reply
    // A refusal may come without the question (RFC 1035 4.1.2 has no rule); anything else must repeat it.
    if (question ? question.name !== waiting.name || question.type !== waiting.type : reply.answers.length > 0) return
    waiting.resolve(reply)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    // Settling one takes it out of the map, which iterating allows.
    for (const waiting of this.#waiting.values()) waiting.resolve(null)
    await this.#ready
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()))
  }
}
