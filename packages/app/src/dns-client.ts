import dgram from 'node:dgram'
import type { HostPort } from '@fairway/platform'
import dnsPacket, { type Answer } from 'dns-packet'

export type Question = { name: string; type: 'A' | 'AAAA' | 'TXT' | 'CNAME' | 'SOA'; subnet?: string }
export type Reply = { rcode: string; answers: Answer[] }

/** A UDP client that keeps many questions in flight on one socket. */
export class DnsClient implements Disposable {
  #socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 8 << 20 })
  #waiting = new Map<number, { resolve(reply: Reply | null): void; timer: NodeJS.Timeout }>()
  #nextId = 1
  #at: HostPort

  constructor(at: HostPort) {
    this.#at = at
    this.#socket.on('message', (message) => {
      const packet = dnsPacket.decode(message)
      const waiter = this.#waiting.get(packet.id)
      if (!waiter) return
      this.#waiting.delete(packet.id)
      clearTimeout(waiter.timer)
      waiter.resolve({ rcode: packet.rcode, answers: packet.answers })
    })
    this.#socket.on('error', () => {})
  }

  /** The answer, or null when none came in time. */
  ask({ name, type, subnet }: Question, timeoutMs = 2_000): Promise<Reply | null> {
    const id = this.#nextId
    this.#nextId = (this.#nextId % 65_535) + 1
    const [ip, bits] = subnet?.split('/') ?? []
    const options = ip
      ? [
          {
            code: 'CLIENT_SUBNET',
            family: ip.includes(':') ? 2 : 1,
            ip,
            sourcePrefixLength: Number(bits),
            scopePrefixLength: 0,
          },
        ]
      : []
    const packet = {
      type: 'query',
      id,
      flags: 0,
      questions: [{ type, class: 'IN', name }],
      additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options }],
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        resolve(null)
      }, timeoutMs)
      this.#waiting.set(id, { resolve, timer })
      this.#socket.send(dnsPacket.encode(packet), this.#at.port, this.#at.host)
    })
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }
}

/** The name a CNAME of the answer points to, lower case, or null. */
export function cnameOf(reply: Reply | null): string | null {
  const answer = reply?.answers.find((one) => one.type === 'CNAME')
  return typeof answer?.data === 'string' ? answer.data.toLowerCase() : null
}

/** The first text of a TXT answer, or null. */
export function textOf(reply: Reply | null): string | null {
  const answer = reply?.answers.find((one) => one.type === 'TXT')
  const first: unknown = Array.isArray(answer?.data) ? answer.data[0] : answer?.data
  return first === undefined || first === null ? null : String(first)
}
