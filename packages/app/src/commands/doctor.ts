import fs from 'node:fs'
import path from 'node:path'
import {
  type Config,
  askCollector,
  backupFolderOf,
  backupOldAfterMs,
  clearWays,
  collectorsOf,
  controlRequest,
  controlText,
  diskLevel,
  diskMarks,
  followsLog,
  diskOf,
  endOf,
  hasSeveralCollectors,
  hostPortText,
  inspectReplicas,
  isDiskLow,
  isMediaLocal,
  loadConfig,
  memoryOfMachine,
  logState,
  logTrouble,
  mediaAddressOf,
  mediaFolders,
  newestBackups,
  proofTrouble,
  readCertificate,
  runDir,
  saidOfClearWays,
} from '@fairway/platform'
import { holderOf } from '../supervisor/home.ts'
import { foundAddresses } from './found-addresses.ts'
import { saidOfTls } from './console-tls.ts'
import { UsageError } from './options.ts'

export type Finding = { level: 'ok' | 'warning' | 'failing'; what: string; said: string }

const GB = 2 ** 30
const DAY_MS = 86_400_000
const LITTLE_MEMORY = 0.1
const CERTIFICATE_WARNING_MS = 14 * DAY_MS
const COLLECTOR_ANSWERS_MS = 2_000
const MUCH_WAITING_BYTES = 256 << 20
/** Of the edge's memory for what customers set; with a tenth left it takes nothing more. */
const LITTLE_EDGE_ROOM = 0.2

/** `doctor`: looks at what runs in this home and at its machine, and says what is wrong and what to do about it. */
export async function doctor(words: string[]): Promise<number> {
  if (words.length) throw new UsageError('doctor takes no further words.')
  const findings = await findingsOf(loadConfig())
  for (const { level, what, said } of findings) process.stdout.write(`${level.padEnd(8)} ${what.padEnd(12)} ${said}\n`)
  return findings.every(({ level }) => level === 'ok') ? 0 : 1
}

/** Everything that is looked at, each with what was seen; nothing is changed. */
export async function findingsOf(config: Config): Promise<Finding[]> {
  if (!fs.existsSync(config.home))
    return [{ level: 'failing', what: 'home', said: `${config.home} does not exist. Start it with: ./fairway up` }]
  const isRunning = holderOf(path.join(config.home, 'supervisor.lock')) !== null
  return [
    diskFinding(config),
    memoryFinding(),
    ...(isRunning
      ? [
          ...(await roleFindings(config)),
          ...(await spoolFindings(config)),
          ...(await edgeRoomFindings(config)),
          ...(await collectorFindings(config)),
          ...(await clearWayFindings(config)),
          ...addressFindings(config),
          ...(await mediaFindings(config)),
        ]
      : [
          {
            level: 'failing',
            what: 'processes',
            said: 'Nothing runs in this home. Start it with: ./fairway up',
          } as const,
        ]),
    ...(await replicaFindings(config)),
    ...(await storeFindings(config)),
    ...(config.tlsAcme === '' ? certificateFindings(config) : isRunning ? [await orderedFinding(config)] : []),
    backupFinding(config),
    ...logFindings(config),
  ]
}

function diskFinding(config: Config): Finding {
  const { home } = config
  const disk = diskOf(home)
  const level = diskLevel(disk.freeBytes, diskMarks(config, disk.totalBytes), 'enough')
  const left = `${(disk.freeBytes / GB).toFixed(1)} GB of ${(disk.totalBytes / GB).toFixed(0)} are left`
  if (level !== 'enough')
    return {
      level: 'failing',
      what: 'disk',
      said: `${left} where ${home} is: ${level === 'full' ? 'changes are refused' : 'uploads, samples and logs of requests have stopped'}. Free some now.`,
    }
  return isDiskLow(disk)
    ? { level: 'warning', what: 'disk', said: `${left} where ${home} is. Free some, or set FAIRWAY_HOME elsewhere.` }
    : { level: 'ok', what: 'disk', said: left }
}

function memoryFinding(): Finding {
  const { availableBytes: free, totalBytes: total } = memoryOfMachine()
  const said = `${(free / GB).toFixed(1)} GB of ${(total / GB).toFixed(1)} are available`
  return free < total * LITTLE_MEMORY
    ? { level: 'warning', what: 'memory', said: `${said}. Processes may be killed by the system.` }
    : { level: 'ok', what: 'memory', said }
}

/** The pair that the console shows, or refuses to: what is in its files now. */
function certificateFindings({ tlsListen, tlsCert: cert, tlsKey: key }: Config): Finding[] {
  if (tlsListen === null) return []
  try {
    const end = endOf(readCertificate({ cert, key, settings: 'FAIRWAY_TLS_CERT or FAIRWAY_TLS_KEY' }))
    const day = new Date(end).toISOString().slice(0, 10)
    const left = end - Date.now()
    if (left <= 0)
      return [{ level: 'failing', what: 'certificate', said: `${cert} expired on ${day}. Put a new one in its place.` }]
    return left < CERTIFICATE_WARNING_MS
      ? [{ level: 'warning', what: 'certificate', said: `${cert} expires on ${day}. Renew it.` }]
      : [{ level: 'ok', what: 'certificate', said: `The console's is good until ${day}` }]
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return [{ level: 'failing', what: 'certificate', said: `${said} What was there before is still shown, if any.` }]
  }
}

/** The certificate that an authority signs, as the API that shows it tells. */
async function orderedFinding(config: Config): Promise<Finding> {
  const socket = `unix:${path.join(runDir(config), 'api.sock')}`
  const said = await saidOfTls(config).catch(String)
  if (said !== null)
    return { level: said.includes('is not renewed') ? 'warning' : 'failing', what: 'certificate', said }
  const end = /^fairway_api_tls_certificate_expiry_timestamp_seconds(?:\{[^}]*\})? (\S+)$/m.exec(
    await controlText(socket, 'GET', '/metrics').catch(() => ''),
  )
  const day = end ? ` until ${new Date(Number(end[1]) * 1000).toISOString().slice(0, 10)}, and renewed by itself` : ''
  return { level: 'ok', what: 'certificate', said: `The console's is good${day}` }
}

type Ready = { ready: boolean; reasons: string[] }
type Supervised = { roles: Record<string, { state: string }> }

async function roleFindings(config: Config): Promise<Finding[]> {
  const socket = (role: string) => `unix:${path.join(runDir(config), `${role}.sock`)}`
  const supervised = await controlRequest(socket('supervisor'), 'GET', '/roles').catch(() => null)
  if (supervised === null)
    return [
      {
        level: 'failing',
        what: 'supervisor',
        said: 'does not answer; what it started serves on. Start it again with: ./fairway up',
      },
    ]
  return Promise.all(
    Object.entries((supervised as Supervised).roles).map(async ([role, { state }]): Promise<Finding> => {
      if (state !== 'running') return { level: 'failing', what: role, said: state }
      const answer = await controlRequest(socket(role), 'GET', '/readyz').catch(String)
      if (typeof answer === 'string') return { level: 'failing', what: role, said: answer }
      const { ready, reasons } = answer as Ready
      return { level: ready ? 'ok' : 'failing', what: role, said: ready ? 'ready' : reasons.join('; ') || 'not ready' }
    }),
  )
}

/** Measurements that wait on disk for an event store that is away or too slow. */
async function spoolFindings(config: Config): Promise<Finding[]> {
  const socket = path.join(runDir(config), 'collector.sock')
  if (!fs.existsSync(socket)) return []
  const text = await controlText(`unix:${socket}`, 'GET', '/metrics').catch(() => '')
  const waiting = [...text.matchAll(/^fairway_collector_spool_bytes\{[^}]*\} (\S+)$/gm)].reduce(
    (sum, [, bytes]) => sum + Number(bytes),
    0,
  )
  const said = `${(waiting / 2 ** 20).toFixed(1)} MB wait for the event store`
  return [
    waiting > MUCH_WAITING_BYTES
      ? { level: 'warning', what: 'measurements', said: `${said}: it is away or too slow. See the line of store.` }
      : { level: 'ok', what: 'measurements', said },
  ]
}

/** Room for what customers set, where this machine has an edge. */
async function edgeRoomFindings(config: Config): Promise<Finding[]> {
  const socket = path.join(runDir(config), 'edge.sock')
  if (!fs.existsSync(socket)) return []
  const text = await controlText(`unix:${socket}`, 'GET', '/metrics').catch(() => '')
  const figure = (name: string) =>
    Number(new RegExp(`^fairway_edge_policies_${name}_bytes(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])
  const [free, size] = [figure('free'), figure('size')]
  // While nginx does not answer there is nothing to say; the line of the role says that.
  if (!(size > 0)) return []
  const said = `${(free / 2 ** 20).toFixed(0)} of ${(size / 2 ** 20).toFixed(0)} MB for what customers set are left`
  return [
    free < size * LITTLE_EDGE_ROOM
      ? {
          level: 'warning',
          what: 'edge room',
          said: `${said}; without room changes are refused. Set FAIRWAY_EDGE_POLICIES_MB higher.`,
        }
      : { level: 'ok', what: 'edge room', said },
  ]
}

/** Every replica of a PostgreSQL that the settings name. */
async function replicaFindings(config: Config): Promise<Finding[]> {
  if (config.databaseReplicaUrls.length === 0) return []
  const what = 'replicas'
  try {
    const found = await inspectReplicas(config)
    const wrong = found.flatMap(({ name, problem }) => (problem === null ? [] : [`${name} ${problem}`]))
    // Reads go on at the primary.
    if (wrong.length > 0)
      return [{ level: 'warning', what, said: `${wrong.join('; ')}. Others are asked in its place.` }]
    return [{ level: 'ok', what, said: found.length === 1 ? 'It follows' : `All ${found.length} follow` }]
  } catch (error) {
    return [{ level: 'failing', what, said: error instanceof Error ? error.message : String(error) }]
  }
}

/** Every server of a ClickHouse that the settings name; none for the embedded engine. */
async function storeFindings(config: Config): Promise<Finding[]> {
  if (config.clickhouseUrl === '') return []
  // The client of the store is large, and few need it here.
  const { inspectServers } = await import('@fairway/analytics')
  const what = 'clickhouse'
  try {
    const found = await inspectServers(config)
    const wrong = found.flatMap(({ server, problem }) => (problem === null ? [] : [`${server}: ${problem}`]))
    if (wrong.length > 0)
      return [{ level: wrong.length === found.length ? 'failing' : 'warning', what, said: wrong.join(' ') }]
    const where = config.clickhouseCluster === '' ? '' : ` of ${config.clickhouseCluster}`
    return [{ level: 'ok', what, said: `${found.length === 1 ? 'It answers' : `All ${found.length} answer`}${where}` }]
  } catch (error) {
    return [{ level: 'failing', what, said: error instanceof Error ? error.message : String(error) }]
  }
}

/** Roles that cannot do without a collector. */
const POSTING = ['api', 'worker', 'dns', 'edge', 'media']

/** Every collector that the settings name, or the one of another machine, asked as nodes ask them. */
async function collectorFindings(config: Config): Promise<Finding[]> {
  const runs = (role: string) => fs.existsSync(path.join(runDir(config), `${role}.sock`))
  if (!hasSeveralCollectors(config) && (runs('collector') || !POSTING.some(runs))) return []
  const problems = await Promise.all(
    collectorsOf(config).map(async (at) => {
      const status = await askCollector(config, `${at}/feeds/?organization=`, {
        signal: AbortSignal.timeout(COLLECTOR_ANSWERS_MS),
      }).then((answer) => answer.status, String)
      if (status === 200) return null
      return status === 401
        ? `${at} has another node token, or is of the release before: give its machine the same secrets and release`
        : `${at} does not answer (${status}): is it running, and named rightly by FAIRWAY_COLLECTORS or FAIRWAY_COLLECTOR_LISTEN?`
    }),
  )
  const found = problems.filter((one) => one !== null)
  return [
    found.length > 0
      ? { level: found.length === problems.length ? 'failing' : 'warning', what: 'collectors', said: found.join('; ') }
      : {
          level: 'ok',
          what: 'collectors',
          said: problems.length === 1 ? 'It answers' : `all ${problems.length} answer`,
        },
  ]
}

/** Tokens that cross the internet unencrypted. */
async function clearWayFindings(config: Config): Promise<Finding[]> {
  const ways = await clearWays(config)
  return ways.length === 0 ? [] : [{ level: 'warning', what: 'encryption', said: `${saidOfClearWays(ways)}.` }]
}

/** Names that lead nowhere, of what runs here. */
function addressFindings(config: Config): Finding[] {
  const roles = ['dns', 'edge'].filter((role) => fs.existsSync(path.join(runDir(config), `${role}.sock`)))
  return foundAddresses(config, roles).map(({ what, said }) => ({ level: 'warning', what, said: `${said}.` }))
}

/** Videos that edges of other machines would fetch from themselves. */
async function mediaFindings(config: Config): Promise<Finding[]> {
  const socket = path.join(runDir(config), 'worker.sock')
  if (!isMediaLocal(config) || !fs.existsSync(socket) || !holdsVideos(config)) return []
  const text = await controlText(`unix:${socket}`, 'GET', '/metrics').catch(() => '')
  const edges = [...text.matchAll(/^fairway_worker_nodes\{(?=[^}]*role="edge")[^}]*\} (\d+)$/gm)]
  const many = edges.reduce((sum, [, count]) => sum + Number(count), 0)
  return many > 1
    ? [
        {
          level: 'warning',
          what: 'videos',
          said: `${many} edges are to fetch videos from ${hostPortText(mediaAddressOf(config))}, which those of other machines cannot reach. FAIRWAY_MEDIA_LISTEN needs an address of a network of your own; FAIRWAY_MEDIA_ADDRESS says another one.`,
        },
      ]
    : []
}

/** Whether this home has a video or a live stream: segments of each have a folder of their own. */
function holdsVideos(config: Config): boolean {
  const { assets } = mediaFolders(config)
  return fs.existsSync(assets) && fs.readdirSync(assets).length > 0
}

/** None where no log is carried away. */
function logFindings(config: Config): Finding[] {
  if (!followsLog(config)) return []
  const place = backupFolderOf(config)
  const [state, trouble] = [logState(config.home, place), logTrouble(config)]
  const since = trouble ? new Date(trouble.sinceMs).toISOString() : ''
  const why = trouble?.problem ? `: ${trouble.problem}` : ''
  if (trouble?.kind === 'torn')
    return [
      {
        level: 'warning',
        what: 'backup log',
        said: `It was torn at ${since}${why}; seconds since then come back with the next backup: ./fairway backup --incremental`,
      },
    ]
  if (trouble)
    return [{ level: 'warning', what: 'backup log', said: `Nothing has reached ${place} since ${since}${why}` }]
  if (typeof state?.until !== 'number')
    return [{ level: 'warning', what: 'backup log', said: `It was not carried to ${place} yet` }]
  return [{ level: 'ok', what: 'backup log', said: `In ${place} up to ${new Date(state.until).toISOString()}` }]
}

function backupFinding(config: Config): Finding {
  const { newest, proven, problem } = newestBackups(config)
  if (problem !== null)
    return {
      level: 'warning',
      what: 'backup',
      said: `${backupFolderOf(config)} cannot be read (${problem}). Give it to the account that Fairway runs as.`,
    }
  if (newest === null)
    return {
      level: 'warning',
      what: 'backup',
      said: `There is none in ${backupFolderOf(config)}. Take one with: ./fairway backup`,
    }
  const ageMs = Date.now() - newest.writtenAt
  const days = Math.floor(ageMs / DAY_MS)
  const age = days === 0 ? 'The newest is of today' : `The newest is ${days} ${days === 1 ? 'day' : 'days'} old`
  if (ageMs >= backupOldAfterMs(config))
    return { level: 'warning', what: 'backup', said: `${age}. Take one: ./fairway backup` }
  const trouble = proofTrouble(config)
  if (trouble) {
    const last = trouble.provenAt === null ? 'none' : `that of ${new Date(trouble.provenAt).toISOString()}`
    const why = trouble.failed
      ? `the proof of ${trouble.failed.file} failed: ${trouble.failed.problem}`
      : 'no later one'
    return { level: 'warning', what: 'backup', said: `${age}; the newest proven is ${last}, ${why}` }
  }
  return proven === null
    ? { level: 'warning', what: 'backup', said: `${age}; none was ever proven: ./fairway backup verify ${newest.file}` }
    : { level: 'ok', what: 'backup', said: `${age}; ${proven === newest ? 'proven' : 'an older one is proven'}` }
}
