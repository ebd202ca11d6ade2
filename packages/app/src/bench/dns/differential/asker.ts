import dgram from 'node:dgram'
import dnsPacket, { type Answer } from 'dns-packet'

/**
 * What an answer says, in one order; what stands beside it in the additional section is each server's own idea of being
 * helpful.
 */
export type Told = { rcode: string; authoritative: boolean; truncated: boolean; answers: string[]; authority: string[] }

const AGAIN_MS = 2_000
const PATIENCE_MS = 10_000

/** Asks one server over UDP with many questions in flight, again where an answer was lost. */
export class Asker implements AsyncDisposable {
  readonly #socket = dgram.createSocket('udp4')
  readonly #waiting = new Map<number, (message: Buffer) => void>()
  readonly #port: number
  #last = 0

  constructor(port: number) {
    this.#port = port
    this.#socket.on('message', (message) => this.#waiting.get(message.readUInt16BE(0))?.(message))
  }

  /** Null when no answer came at all. */
  ask({ name, type }: { name: string; type: string }): Promise<Told | null> {
    const id = (this.#last = (this.#last + 1) & 0xffff)
    const packet = dnsPacket.encode({
      type: 'query',
      id,
      flags: 0,
      questions: [{ type, class: 'IN', name }],
      additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] }],
    })
    const send = () => this.#socket.send(packet, this.#port, '127.0.0.1')
    return new Promise((resolve) => {
      const again = setInterval(send, AGAIN_MS)
      const settle = (told: Told | null) => {
        clearInterval(again)
        clearTimeout(end)
        this.#waiting.delete(id)
        resolve(told)
      }
      const end = setTimeout(() => settle(null), PATIENCE_MS)
      this.#waiting.set(id, (message) => settle(toldBy(message)))
      send()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()))
  }
}

function toldBy(message: Buffer): Told {
  const { rcode, flag_aa, flag_tc, answers, authorities } = dnsPacket.decode(message)
  return { rcode, authoritative: flag_aa, truncated: flag_tc, answers: lines(answers), authority: lines(authorities) }
}

const lines = (records: readonly Answer[]): string[] =>
  records
    .map(({ name, type, ttl, data }) => `${name.toLowerCase()} ${type} ${ttl} ${JSON.stringify(data).toLowerCase()}`)
    .sort()
