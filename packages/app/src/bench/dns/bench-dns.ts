import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '@fairway/platform'
import { median, table } from '../figures.ts'
import { cpuSeconds, memoryBytes } from '../process-cpu.ts'
import { dnsperf } from './dnsperf.ts'
import { fairway, prepareGeo } from './fairway.ts'
import { countryRanges } from './geo-ranges.ts'
import { countryDatabase } from './mmdb.ts'
import { loadMillion } from './million.ts'
import { gdnsd, knot, nsd, powerdns, powerdnsLua } from './peers.ts'
import { type Kind, type RunningServer, type ServerUnderTest, type Setting, startServer } from './server-under-test.ts'
import {
  STATIC_ZONE,
  STEERED_ZONE,
  seededRandom,
  staticQueries,
  staticZoneFile,
  steeredQueries,
  writeQueries,
} from './workload.ts'

const RECORDS = 60_000
const QUERIES = 50_000
const ROUNDS = 5
const SECONDS = 3
const OURS = fairway('mmsg')
const SERVERS: ServerUnderTest[] = [OURS, fairway('dgram'), gdnsd, knot, nsd, powerdns, powerdnsLua]

type Say = (line: string) => void
type Sample = { cpuMicroseconds: number; perSecond: number; lost: number }

/**
 * CPU per query and rate of our DNS beside its peers, interleaved: every round visits every server, medians are
 * compared.
 */
export async function benchDns(say: Say): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-bench-'))
  try {
    const files = await writeFiles(folder)
    for (const kind of ['static', 'steering'] as const) await compare(kind, folder, files, say)
    await loadMillion(folder, say)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

type Files = { zoneFile: string; geoDatabase: string; ranges: Setting['ranges']; queries: Record<Kind, string> }

async function writeFiles(folder: string): Promise<Files> {
  const random = seededRandom(12_345)
  const zoneFile = path.join(folder, `${STATIC_ZONE}.zone`)
  fs.writeFileSync(zoneFile, staticZoneFile(RECORDS))
  const geo = await prepareGeo(folder)
  const ranges = countryRanges(geo)
  const geoDatabase = path.join(folder, 'country.mmdb')
  fs.writeFileSync(geoDatabase, countryDatabase(ranges))
  const queries = {
    static: writeQueries(folder, 'static.q', staticQueries(QUERIES, RECORDS, random)),
    steering: writeQueries(folder, 'steering.q', steeredQueries(QUERIES, random)),
  }
  return { zoneFile, geoDatabase, ranges, queries }
}

async function compare(kind: Kind, folder: string, files: Files, say: Say): Promise<void> {
  const servers = SERVERS.filter((server) => server.kinds.includes(kind))
  for (const server of servers.filter((one) => !fs.existsSync(one.program)))
    say(`${server.name} is not installed (${server.program}) and is left out`)
  const running: RunningServer[] = []
  try {
    for (const server of servers.filter((one) => fs.existsSync(one.program))) {
      const [port] = await freePorts(1, ['127.0.0.1'])
      const setting = {
        ...files,
        records: RECORDS,
        folder: path.join(folder, `${kind}-${server.name.replaceAll(/\W+/g, '-').toLowerCase()}`),
        port: port ?? 0,
      }
      const probe =
        kind === 'static' ? { name: `h1.${STATIC_ZONE}`, type: 'A' } : { name: `d1.${STEERED_ZONE}`, type: 'A' }
      const started = await startServer(server, kind, setting, probe).catch((error: unknown) =>
        say(`${server.name} is left out: ${error instanceof Error ? error.message : String(error)}`),
      )
      if (started) running.push(started)
    }
    const samples = new Map<string, Sample[]>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of running)
        samples.set(server.name, [...(samples.get(server.name) ?? []), await measure(server, files.queries[kind])])
    }
    print(kind, running, samples, say)
  } finally {
    for (const server of running) await server[Symbol.asyncDispose]()
  }
}

async function measure(server: RunningServer, queries: string): Promise<Sample> {
  await dnsperf({ port: server.port, queries, seconds: 1, queriesPerSecond: 5_000 })
  const before = cpuSeconds(server.pid)
  const { sent, answered, perSecond } = await dnsperf({ port: server.port, queries, seconds: SECONDS })
  return { cpuMicroseconds: ((cpuSeconds(server.pid) - before) / answered) * 1e6, perSecond, lost: sent - answered }
}

function print(kind: Kind, running: RunningServer[], samples: Map<string, Sample[]>, say: Say): void {
  const figure = (name: string, of: (sample: Sample) => number) => median((samples.get(name) ?? []).map(of))
  const ours = figure(OURS.name, (sample) => sample.cpuMicroseconds)
  const rows = running.map(({ name, pid }) => {
    const cpu = figure(name, (sample) => sample.cpuMicroseconds)
    return [
      name,
      cpu.toFixed(2),
      `${(cpu / ours).toFixed(2)}x`,
      Math.round(figure(name, (sample) => sample.perSecond) / 1000).toString(),
      String((samples.get(name) ?? []).reduce((sum, sample) => sum + sample.lost, 0)),
      (memoryBytes(pid) / 1e6).toFixed(0),
    ]
  })
  say(
    `\n${kind === 'static' ? `Static zone of ${RECORDS} records, 5 % of names do not exist` : 'Steering by continent, weighted over three CDNs, every query from a random /24 (ECS)'}; server on one core, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians`,
  )
  say(table([['server', 'CPU µs/query', 'of ours', 'thousand q/s', 'lost', 'MB (PSS)'], ...rows]))
}
