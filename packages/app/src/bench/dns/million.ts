import fs from 'node:fs'
import path from 'node:path'
import { freePorts } from '@fairway/platform'
import { compileZone, dnsFiles, SegmentFiles } from '@fairway/dns'
import { ownMemoryBytes } from '../process-cpu.ts'
import { dnsRole, homeIn, ORGANIZATION, processesIn, soa } from './fairway.ts'
import { startServer, type ServerUnderTest } from './server-under-test.ts'

const ZONES = 1000
const RECORDS = 1000

/**
 * How long a node that starts takes to load a million records from its disk, and what they cost in memory; nothing else
 * is there, no API either.
 */
export async function loadMillion(parent: string, say: (line: string) => void): Promise<void> {
  const folder = path.join(parent, 'million')
  const megabytes = await writeZones(homeIn(folder))
  const [port] = await freePorts(1, ['127.0.0.1'])
  const setting = { folder, port: port ?? 0, zoneFile: '', records: ZONES * RECORDS, ranges: [], geoDatabase: '' }
  await using server = await startServer(fromDisk, 'static', setting, { name: `h7.${origin(ZONES - 1)}`, type: 'A' })
  const restored = fs
    .readFileSync(path.join(folder, 'server.log'), 'utf8')
    .split('\n')
    .find((line) => line.includes('"zones.restored"'))
  const ms = Number(/"ms":(\d+)/.exec(restored ?? '')?.[1] ?? Number.NaN)
  const processes = await processesIn(folder)
  const [answering, builder, manager] = [processes.answering[0] ?? 0, processes.builder, server.pid].map((pid) =>
    Math.round(ownMemoryBytes(pid) / 1e6),
  )
  say(
    `\n${ZONES} zones of ${RECORDS} records (${megabytes} MB on disk): loaded in ${ms} ms; PSS of the process that answers ${answering} MB with its location data, of the builder ${builder} MB, of the role ${manager} MB`,
  )
}

const origin = (zone: number): string => `z${zone}.million.test`

const fromDisk: ServerUnderTest = {
  name: 'Fairway',
  kinds: ['static'],
  program: process.execPath,
  prepare: async (_kind, setting) =>
    dnsRole(setting, { FAIRWAY_API_URL: 'http://127.0.0.1:9', FAIRWAY_DNS_PROCESSES: '1', FAIRWAY_LOG_LEVEL: 'info' }),
}

async function writeZones(home: string): Promise<number> {
  fs.mkdirSync(home, { recursive: true })
  const files = new SegmentFiles(dnsFiles({ home }).zones)
  let bytes = 0
  for (let zone = 0; zone < ZONES; zone++) {
    const start = soa(origin(zone))
    const rrsets = Array.from({ length: RECORDS - start.length }, (_, i) => ({
      name: `h${i}.${origin(zone)}`,
      type: 'A' as const,
      ttlSeconds: 300,
      rdata: [`198.18.${i >> 8}.${i & 255}`],
    }))
    const segment = compileZone(
      {
        zoneId: `zone-${zone}`,
        organizationId: ORGANIZATION,
        origin: origin(zone),
        version: 1,
        rrsets: [...start, ...rrsets],
        steered: [],
        policies: [],
      },
      1,
    )
    bytes += segment.length
    await files.write(`zone-${zone}`, 1, 1, segment)
  }
  return Math.round(bytes / 1e6)
}
