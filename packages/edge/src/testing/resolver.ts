import dgram from 'node:dgram'
import net from 'node:net'

type Kind = 'A' | 'AAAA' | 'PTR'
const KINDS: Record<number, Kind | undefined> = { 1: 'A', 12: 'PTR', 28: 'AAAA' }

export type TestResolver = Disposable & {
  at: string
  /** By name and kind (`1.2.0.192.in-addr.arpa PTR`): what is answered; `away` is SERVFAIL, what is not here is no name. */
  answers: Record<string, string[] | 'away'>
  /** Everything that was asked. */ asked: string[]
}

/** A name server that answers what it is told to, for tests. */
export async function startResolver(): Promise<TestResolver> {
  const [answers, asked]: [TestResolver['answers'], string[]] = [{}, []]
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, from) => {
    const [labels, end] = labelsAt(query, 12)
    const kind = KINDS[query.readUInt16BE(end)]
    const key = `${labels.join('.').toLowerCase()} ${kind}`
    asked.push(key)
    const found = answers[key]
    const records = found === undefined || found === 'away' || kind === undefined ? [] : found
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (found === 'away' ? 2 : found === undefined ? 3 : 0), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    const written = records.map((text) => recordOf(kind ?? 'A', text))
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...written]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { at: `127.0.0.1:${socket.address().port}`, answers, asked, [Symbol.dispose]: () => socket.close() }
}

/** The question that asks for the names of an address. */
export const pointer = (address: string) => `${address.split('.').toReversed().join('.')}.in-addr.arpa PTR`

function labelsAt(message: Buffer, start: number): [string[], number] {
  const labels: string[] = []
  let at = start
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return [labels, at + 1]
}

function recordOf(kind: Kind, text: string): Buffer {
  const type = kind === 'A' ? 1 : kind === 'PTR' ? 12 : 28
  const data = kind === 'PTR' ? nameBytes(text) : addressBytes(text)
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
}

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ])

function addressBytes(text: string): Buffer {
  if (net.isIPv4(text)) return Buffer.from(text.split('.').map(Number))
  const [head = '', tail = ''] = text.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  const all = [...groups(head), ...zeros, ...groups(tail)].map((group) => Number.parseInt(group, 16))
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}
