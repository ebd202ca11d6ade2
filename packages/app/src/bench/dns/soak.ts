import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePorts } from '@fairway/platform'
import { table } from '../figures.ts'
import { cpuSeconds, ownMemoryBytes } from '../process-cpu.ts'
import { dnsperf } from './dnsperf.ts'
import { fairway, prepareGeo, processesIn } from './fairway.ts'
import { startServer } from './server-under-test.ts'
import { STATIC_ZONE, seededRandom, staticQueries, writeQueries } from './workload.ts'

const RECORDS = 60_000
const QUERIES_PER_SECOND = 50_000
const SECONDS = 600
const PART_SECONDS = 30
const PROCESSES = 2

/** Long load on the server as it ships: memory, queries lost and what the watchdog did, part by part. */
export async function dnsSoak(say: (line: string) => void, seconds = SECONDS): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-soak-'))
  try {
    await prepareGeo(folder)
    const queries = writeQueries(folder, 'static.q', staticQueries(50_000, RECORDS, seededRandom(12_345)))
    const [port] = await freePorts(1, ['127.0.0.1'])
    const setting = {
      folder: path.join(folder, 'server'),
      port: port ?? 0,
      zoneFile: '',
      records: RECORDS,
      ranges: [],
      geoDatabase: '',
    }
    await using server = await startServer(fairway('mmsg', PROCESSES), 'static', setting, {
      name: `h1.${STATIC_ZONE}`,
      type: 'A',
    })
    const rows: string[][] = []
    for (let second = 0; second < seconds; second += PART_SECONDS) {
      const before = cpuSeconds(server.pid)
      const { sent, answered, perSecond } = await dnsperf({
        port: server.port,
        queries,
        seconds: Math.min(PART_SECONDS, seconds - second),
        queriesPerSecond: QUERIES_PER_SECOND,
      })
      rows.push([
        String(second),
        Math.round(perSecond).toString(),
        String(sent - answered),
        (((cpuSeconds(server.pid) - before) / answered) * 1e6).toFixed(2),
        (await processesIn(setting.folder)).answering.map((pid) => (ownMemoryBytes(pid) / 1e6).toFixed(0)).join(' '),
      ])
    }
    const ended = fs
      .readFileSync(path.join(setting.folder, 'server.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"udp.batches-')).length
    say(
      `${seconds} s at ${QUERIES_PER_SECOND} queries a second to ${PROCESSES} processes; batches were ended ${ended} times by the watchdog`,
    )
    say(table([['second', 'q/s', 'lost', 'CPU µs/query', 'MB (PSS) of each'], ...rows]))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
