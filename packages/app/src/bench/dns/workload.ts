import fs from 'node:fs'
import path from 'node:path'
import dnsPacket from 'dns-packet'

export const STATIC_ZONE = 'bench.test'
export const STEERED_ZONE = 'steer.test'
export const STEERED_NAMES = 100
export const CDNS = ['cdn-a', 'cdn-b', 'cdn-c'] as const
/** Shares of the three CDNs by continent; every server under test is told the same. */
export const WEIGHTS: Record<string, readonly [number, number, number]> = {
  AS: [60, 30, 10],
  EU: [10, 60, 30],
  NA: [30, 10, 60],
  SA: [50, 50, 0],
  AF: [0, 50, 50],
  OC: [34, 33, 33],
}
export const DEFAULT_WEIGHTS = [40, 30, 30] as const

export type BenchRecord = { name: string; type: 'A' | 'AAAA' | 'MX' | 'TXT' | 'CNAME'; value: string }

/** Records of the static zone: mostly A, some AAAA, MX, TXT, CNAME. */
export function* staticRecords(count: number): Generator<BenchRecord> {
  for (let i = 0; i < count; i++) {
    const kind = i % 100
    const name = `h${i}`
    if (kind < 80) yield { name, type: 'A', value: `198.18.${(i >> 8) & 255}.${i & 255}` }
    else if (kind < 90)
      yield { name, type: 'AAAA', value: `2001:db8::${(i >> 16).toString(16)}:${(i & 65535).toString(16)}` }
    else if (kind < 94) yield { name, type: 'MX', value: `10 mx.${STATIC_ZONE}.` }
    else if (kind < 98) yield { name, type: 'TXT', value: `"record number ${i}"` }
    else yield { name, type: 'CNAME', value: `h${i - 50}.${STATIC_ZONE}.` }
  }
}

export function staticZoneFile(count: number): string {
  const head = `$ORIGIN ${STATIC_ZONE}.\n$TTL 300\n@ 3600 IN SOA ns1.${STATIC_ZONE}. hostmaster.${STATIC_ZONE}. 1 3600 600 604800 60\n@ 3600 IN NS ns1.${STATIC_ZONE}.\nns1 IN A 127.0.0.1\nmx IN A 127.0.0.1\n`
  return head + [...staticRecords(count)].map((record) => `${record.name} IN ${record.type} ${record.value}\n`).join('')
}

/** A query file for `dnsperf -B`: each message with its length in front. */
export function writeQueries(
  folder: string,
  name: string,
  queries: { name: string; type: string; subnet?: string }[],
): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, Buffer.concat(queries.map(encoded)))
  return file
}

function encoded({ name, type, subnet }: { name: string; type: string; subnet?: string }): Buffer {
  const options = subnet
    ? [{ code: 'CLIENT_SUBNET', family: 1, ip: subnet, sourcePrefixLength: 24, scopePrefixLength: 0 }]
    : []
  const packet = {
    type: 'query',
    id: 0,
    flags: 0,
    questions: [{ type, class: 'IN', name }],
    additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options }],
  }
  const message = dnsPacket.encode(packet)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** 95 % names that exist, 5 % that do not. */
export function staticQueries(count: number, records: number, random: () => number) {
  const types = [...staticRecords(100)].map((record) => (record.type === 'CNAME' ? 'A' : record.type))
  return Array.from({ length: count }, (_, k) => {
    const i = Math.floor(random() * records)
    return k % 20 === 19
      ? { name: `nx${i}.${STATIC_ZONE}`, type: 'A' }
      : { name: `h${i}.${STATIC_ZONE}`, type: types[i % 100] ?? 'A' }
  })
}

/** Every query from another random /24 of the unicast space. */
export function steeredQueries(count: number, random: () => number) {
  return Array.from({ length: count }, (_, k) => ({
    name: `d${k % STEERED_NAMES}.${STEERED_ZONE}`,
    type: 'A',
    subnet: `${1 + Math.floor(random() * 222)}.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.0`,
  }))
}

/** The same numbers in every run, so that two servers see the same queries. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
