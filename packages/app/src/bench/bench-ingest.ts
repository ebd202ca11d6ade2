import { type ChildProcess, fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { FEATURES } from '@fairway/contract'
import { openStore } from '@fairway/analytics'
import { controlRequest, runDir } from '@fairway/platform'
import { wrk } from './edge/wrk.ts'
import { cpuSeconds } from './process-cpu.ts'
import { type Installation, startInstallation } from '../installation/start-installation.ts'
import { registerOperator, steeredDomain } from './operator.ts'

const WARM_SECONDS = 8
const SECONDS = 20
const CONNECTIONS = 256
/** The CDN that every beacon tells of. */
export const MEASURED = 'swiftlane'

export type IngestLoad = {
  url: string
  key: string
  seconds: number
  connections: number
  /** As many as can be when it is left out. */ perSecond?: number
}
export type IngestCount = { accepted: number; refused: number }

/**
 * Beacons from many networks to the collector as fast as it takes them, then the event store is asked how many it
 * holds.
 */
export async function benchIngest(say: (line: string) => void): Promise<void> {
  await using installation = await startInstallation({
    command: 'up',
    // Nobody can prove the name that is measured here, and an unproven one has no CDN to measure.
    settings: { FAIRWAY_TRUSTED_PROXIES: '127.0.0.1', FAIRWAY_DOMAIN_PROOF: 'off' },
  })
  const account = await registerOperator(installation)
  const { key } = await installation.api(FEATURES.pulse.routes.update, {
    startDelaySeconds: 2,
    repeatDelaySeconds: 30,
    batchNumber: 3,
  })
  await measuredCdn(installation)
  const url = `http://${installation.config.collectorListen.host}:${installation.config.collectorListen.port}`
  const pid = await collectorPid(installation)
  // Samples count only once the collector knows the key and the CDN.
  while (!(await (await fetch(`${url}/b/settings?k=${key}`)).text()).includes(MEASURED)) await sleep(100)
  const post = (seconds: number) => fromManyNetworks(installation, key, seconds)
  const warm = await post(WARM_SECONDS)
  const before = cpuSeconds(pid)
  const { accepted, refused } = await post(SECONDS)
  const cpu = cpuSeconds(pid) - before
  const all = warm.accepted + accepted
  const stored = await storedCount(installation, account.organizationId, all)
  say(
    `\nBeacons: ${Math.round(accepted / SECONDS)} a second accepted over ${SECONDS} s (client on the same machine), ${refused} refused`,
  )
  // What was under way when the client stopped is stored, too, and was not counted by it.
  say(
    `one core of the collector takes ${Math.round(accepted / cpu)} a second; accepted ${all}, in the store ${stored}, lost ${Math.max(0, all - stored)}`,
  )
  const script = path.join(import.meta.dirname, '../../../analytics/src/beacon-script/beacon.js')
  say(
    `beacon script: ${zlib.gzipSync(await (await fetch(`${url}/b.js`)).arrayBuffer()).length} bytes compressed (${fs.statSync(script).size} bytes of source)`,
  )
}

/** As fast as they are taken, each from another /24: the rate limit of one network is not what is measured. */
async function fromManyNetworks(installation: Installation, key: string, seconds: number): Promise<IngestCount> {
  const { requests, failed } = await wrk({
    folder: installation.config.home,
    port: installation.config.collectorListen.port,
    path: '"/b/"',
    seconds,
    connections: CONNECTIONS,
    headers: {
      'Content-Type': '"text/plain"',
      'X-Forwarded-For':
        '(20 + n % 180) .. "." .. math.floor(n / 8) % 256 .. "." .. math.floor(n / 2048) % 256 .. ".7"',
    },
    body: `'{"v":1,"k":"${key}","i":"bench-' .. run .. "-" .. n .. '","s":[{"c":"${MEASURED}","r":' .. (20 + n % 200) .. ',"ok":1}]}'`,
  })
  return { accepted: requests - failed, refused: failed }
}

/** A name with the CDN attached: only CDNs in use are measured. */
export async function measuredCdn(installation: Installation): Promise<void> {
  const { site, domain } = await steeredDomain(installation, 'bench-ingest.com')
  await installation.api(FEATURES.cdnManagement.routes.install, { site, domain, cdnId: MEASURED })
}

async function collectorPid(installation: Installation): Promise<number> {
  const answer = (await controlRequest(
    `unix:${path.join(runDir(installation.config), 'collector.sock')}`,
    'GET',
    '/healthz',
  )) as { pid: number }
  return answer.pid
}

/** Beacons for so long from a process of its own. */
export function beaconLoad(options: IngestLoad): Promise<IngestCount> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'ingest-client.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  child.send(options)
  return new Promise((resolve, reject) => {
    child.once('message', (count) => resolve(count as IngestCount))
    child.once('exit', (code) => reject(new Error(`the beacon client ended with ${code}`)))
  })
}

/** Waits until what was accepted is in the store, or for half a minute. */
async function storedCount(installation: Installation, organization: string, wanted: number): Promise<number> {
  const store = await openStore(installation.config)
  let stored = 0
  for (let tries = 0; tries < 60 && stored < wanted; tries++) {
    const rows = await store.query<{ n: number }>(
      'SELECT count() AS n FROM beacons WHERE organization = {organization:String}',
      { organization },
    )
    stored = rows[0]?.n ?? 0
    if (stored < wanted) await sleep(500)
  }
  await store[Symbol.asyncDispose]()
  return stored
}
