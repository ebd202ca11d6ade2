import dnsPacket from 'dns-packet'
import { HostileWorld } from '@fairway/dns/testing'
import { seededRandom } from '../workload.ts'

const PACKETS = 10_000_000
const CORPUS = 2000
const MOST_CHANGES = 6
const LABELS = [
  'www',
  'far',
  'steered',
  'wild',
  'cdn',
  'sub',
  'ns',
  'deep',
  'down',
  'big',
  'flat',
  'shared',
  'plain',
  'svc',
  'example',
  'test',
  '*',
  'x',
  'EXAMPLE',
  'a'.repeat(63),
]
const TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SOA',
  'ANY',
  'DS',
  'AXFR',
  'DNSKEY',
  'UNKNOWN_65',
  'UNKNOWN_128',
  'UNKNOWN_251',
]

/**
 * Changed queries against the answering code, poison around every buffer, another library as second opinion. Ends with
 * an error at the first wrong answer, showing its packet.
 */
export async function dnsFuzz(say: (line: string) => void, packets = PACKETS): Promise<void> {
  const seed = 1 + Math.floor(Math.random() * 2 ** 31)
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const world = await HostileWorld.make()
  const corpus = Array.from({ length: CORPUS }, () => query(below))
  const startedAt = performance.now()
  say(`${packets} packets, seed ${seed}`)
  for (let done = 1; done <= packets; done++) {
    const packet = changed(corpus[below(CORPUS)] ?? Buffer.alloc(0), below)
    try {
      world.check(packet, below(8) === 0 ? 'tcp' : 'udp')
    } catch (error) {
      throw new Error(`packet ${done} of seed ${seed}: ${packet.toString('hex')}`, { cause: error })
    }
    if (done % 1_000_000 === 0 || done === packets)
      say(`${done} packets in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, nothing wrong`)
  }
}

type Below = (limit: number) => number

function query(below: Below): Buffer {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const name = [...Array.from({ length: below(4) }, () => pick(LABELS)), 'example.test'].join('.')
  const v6 = below(2) === 1
  const subnet = {
    code: 'CLIENT_SUBNET',
    family: v6 ? 2 : 1,
    ip: v6 ? '2001:db8::' : '203.0.113.0',
    sourcePrefixLength: below(v6 ? 34 : 25),
    scopePrefixLength: 0,
  }
  const cookie = {
    code: 'COOKIE',
    data: Buffer.from(Array.from({ length: pick([8, 16, 24, 40, 7]) }, () => below(256))),
  }
  const options = [...(below(2) ? [subnet] : []), ...(below(3) === 0 ? [cookie] : [])]
  const opt = { type: 'OPT', name: '.', udpPayloadSize: below(65_536), flags: pick([0, 0x8000, 0xc000]), options }
  return dnsPacket.encode({
    type: 'query',
    id: below(65_536),
    flags: below(2) * 256,
    questions: [{ type: pick(TYPES), name }],
    additionals: below(4) ? [opt] : [],
  })
}

/** A few bytes set, put in or cut off; one in a hundred is left as it is. */
function changed(packet: Buffer, below: Below): Buffer {
  let bytes = Buffer.from(packet)
  for (let left = below(100) === 0 ? 0 : 1 + below(MOST_CHANGES); left > 0; left--) {
    const at = below(bytes.length + 1)
    const kind = below(8)
    if (kind === 0) bytes = bytes.subarray(0, at)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at)])
    else if (at < bytes.length) bytes[at] = below(256)
  }
  return bytes
}
