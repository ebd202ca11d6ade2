import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { FEATURES } from '@fairway/contract'
import { childrenOf, makeLog, openDatabase } from '@fairway/platform'
import type { Installation } from '../../installation/start-installation.ts'
import type { BadLine } from './bad-line.ts'

export type Scene = {
  installation: Installation
  site: string
  /** Between the nodes and the API. */
  line: BadLine
  /** The clock of every process of ours. */
  clock: Clock
  /** Whether a record that is written now is served within a second. */
  isFollowed(): Promise<boolean>
}

type Clock = {
  set(seconds: number): void
  /** By how many seconds the processes that have noticed are off. */
  off(): number[]
}

/** Something bad that lasts a while. */
export type Disaster = {
  name: string
  /** Answers how it ends. */
  begin(scene: Scene): Promise<() => Promise<void>>
  /** While it lasts: whether it is there at all. Without that, nothing lost says nothing. */
  isThere(scene: Scene): Promise<boolean>
  /** What has to be installed for it. */
  needs?: 'strace'
}

const DAY_SECONDS = 86_400
const SLOW_SYNC_MS = 500
const SLOW_WRITE_MS = 10

export const DISASTERS: readonly Disaster[] = [
  {
    name: 'API and nodes parted',
    begin: ({ line }) => {
      line.become('cut')
      return Promise.resolve(async () => line.become('well'))
    },
    isThere: async ({ isFollowed }) => !(await isFollowed()),
  },
  {
    name: 'every second packet between API and nodes lost',
    begin: ({ line }) => {
      line.become('lossy')
      return Promise.resolve(async () => line.become('well'))
    },
    isThere: ({ line }) => Promise.resolve(line.lost() > 0),
  },
  ...(['ahead', 'behind'] as const).map((way): Disaster => ({
    name: `all clocks a day ${way}`,
    begin: ({ clock }) => {
      clock.set(way === 'ahead' ? DAY_SECONDS : -DAY_SECONDS)
      return Promise.resolve(async () => clock.set(0))
    },
    isThere: ({ clock, installation }) => {
      const off = clock.off().filter((seconds) => (way === 'ahead' ? seconds : -seconds) > DAY_SECONDS / 2)
      return Promise.resolve(off.length >= Object.keys(installation.roles()).length)
    },
  })),
  {
    name: `a disk that takes ${SLOW_SYNC_MS} ms for each sync`,
    needs: 'strace',
    begin: slowDisk,
    isThere: isTraced,
  },
  {
    name: 'documents that nobody can use',
    begin: poisonedDocuments,
    isThere: async ({ installation }) =>
      (await installation.api(FEATURES.operatorArea.routes.nodes, {})).data.some(({ refused }) => refused > 0),
  },
]

/** The kernel holds back what database and event store write. */
async function slowDisk({ installation }: Scene): Promise<() => Promise<void>> {
  const roles = installation.roles()
  const all = ['database', 'store'].flatMap((role) => familyOf(roles[role]?.pid ?? 0))
  const syncs = `inject=fsync,fdatasync:delay_enter=${SLOW_SYNC_MS * 1000}`
  const writes = `inject=pwrite64:delay_enter=${SLOW_WRITE_MS * 1000}`
  const words = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync,pwrite64', '-e', syncs, '-e', writes]
  try {
    execFileSync('strace', ['--version'], { stdio: 'ignore' })
  } catch {
    throw new Error('strace holds back the disk: apt-get install strace')
  }
  const strace = spawn('strace', [...words, ...all.flatMap((pid) => ['-p', String(pid)])], { stdio: 'ignore' })
  const ended = new Promise((resolve) => strace.once('exit', resolve))
  return async () => {
    strace.kill('SIGINT')
    await ended
  }
}

const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap((child) => familyOf(child.pid))]

/** The kernel names who holds a process back. */
function isTraced({ installation }: Scene): Promise<boolean> {
  const postgres = familyOf(installation.roles()['database']?.pid ?? 0)
  const tracers = postgres.map((pid) => /^TracerPid:\t(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return Promise.resolve(tracers.some((tracer) => tracer !== undefined && tracer !== '0'))
}

/** The site's edge gets a document without sense, name servers a zone without sense, and both a kind that nobody knows. */
async function poisonedDocuments({ installation, site }: Scene): Promise<() => Promise<void>> {
  const database = openDatabase(installation.config, makeLog('bench', { logLevel: 'error' }), { connections: 1 })
  const publish = (kind: string, key: string, body: string | null) =>
    database.system(async (tx) => {
      const [counter] = await tx.query<{ revision: number }>(
        'UPDATE publication_counter SET revision = revision + 1 RETURNING revision',
      )
      const revision = counter?.revision ?? 0
      await tx.query(
        `INSERT INTO publication (kind, key, revision, version, body) VALUES ($1, $2, $3, 1, $4)
         ON CONFLICT (kind, key) DO UPDATE SET revision = $3, version = publication.version + 1, body = $4, published_at = now()`,
        [kind, key, revision, body],
      )
      await tx.query(`SELECT pg_notify('publication', $1)`, [String(revision)])
    })
  const good = await database.system((tx) =>
    tx.query<{ kind: string; key: string; body: string }>(
      `SELECT kind, key, body::text AS body FROM publication WHERE kind = 'edge-site' AND key = $1`,
      [site],
    ),
  )
  if (good.length === 0) throw new Error('the edge has no document of the site')
  for (const { kind, key } of good) await publish(kind, key, '{"domains": "all of them", "version": -1}')
  await publish('dns-zone', '00000000-0000-4000-8000-000000000000', '{"name": "..", "sets": [7, null, "x"]}')
  await publish('no-such-kind', 'x', '[]')
  return async () => {
    for (const { kind, key, body } of good) await publish(kind, key, body)
    await publish('dns-zone', '00000000-0000-4000-8000-000000000000', null)
    await database[Symbol.asyncDispose]()
  }
}

/** `file` is what `jumping-clock` reads; what it takes the time for stands in files beside it. */
export function clockOf(file: string): Clock {
  const folder = path.dirname(file)
  return {
    set(seconds) {
      for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name))
      fs.writeFileSync(`${file}.new`, String(seconds))
      fs.renameSync(`${file}.new`, file)
    },
    off: () =>
      fs
        .readdirSync(folder)
        .filter((name) => name !== path.basename(file))
        .map((name) => (Date.parse(fs.readFileSync(path.join(folder, name), 'utf8')) - Date.now()) / 1000),
  }
}
