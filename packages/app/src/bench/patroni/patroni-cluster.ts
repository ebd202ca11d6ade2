import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { systemEnvironment, freePorts } from '@fairway/platform'

export const HOST = '127.0.0.1'
const SUPERUSER = { user: 'postgres', password: 'of-the-cluster' }
const REPLICATION = { username: 'replicator', password: 'of-the-cluster' }
const MEMBERS = 3
/** The first server is made from empty, the others are copies of it. */
const READY_MS = 180_000
/** Long enough that nothing is missed, short enough that what is told of a new leader is told in time. */
const LOOK_MS = 50

type Member = {
  name: string
  port: number
  restPort: number
  folder: string
  config: string
  child: ChildProcess | null
}

export type PatroniCluster = AsyncDisposable & {
  /** Of all servers, as a URL has them. */
  hosts: string
  /** Where each server and its Patroni listen. */
  members: readonly { name: string; port: number; restPort: number }[]
  /** A client of a superuser at the leader. */
  atLeader(database: string): Promise<pg.Client>
  /** Ends the leader with its Patroni as a machine that loses its power does; answers its name. */
  killLeader(): Promise<string>
  /** When there is another leader than the one named: performance.now() then. */
  successorOf(name: string): Promise<number>
  /** Starts what was ended, and waits until all follow again and one is in step. */
  restart(name: string): Promise<void>
}

/** Three PostgreSQL servers of Debian under Patroni with etcd, in synchronous mode: an acknowledged write is on two. */
export async function startPatroni(folder: string): Promise<PatroniCluster> {
  const [etcdPort = 0, peerPort = 0, ...ports] = await freePorts(2 + 2 * MEMBERS, [HOST])
  const stack = new AsyncDisposableStack()
  const [forClients, forPeers] = [`http://${HOST}:${etcdPort}`, `http://${HOST}:${peerPort}`]
  const etcd = run(folder, 'etcd', [
    'etcd',
    `--data-dir=${path.join(folder, 'etcd')}`,
    `--listen-client-urls=${forClients}`,
    `--advertise-client-urls=${forClients}`,
    `--listen-peer-urls=${forPeers}`,
    `--initial-advertise-peer-urls=${forPeers}`,
    `--initial-cluster=default=${forPeers}`,
  ])
  stack.defer(() => ended(etcd, 'SIGKILL'))
  const members = Array.from({ length: MEMBERS }, (_, at): Member => {
    const name = `db${at + 1}`
    const [port = 0, restPort = 0] = ports.slice(2 * at)
    const member = {
      name,
      port,
      restPort,
      folder: path.join(folder, name),
      config: path.join(folder, `${name}.json`),
      child: null,
    }
    fs.writeFileSync(member.config, JSON.stringify(settingsOf(member, etcdPort, folder)))
    return member
  })
  stack.defer(async () => {
    for (const member of members) await kill(member)
  })
  const start = (member: Member) => {
    member.child = run(folder, member.name, ['patroni', member.config])
  }
  for (const member of members) start(member)
  const leader = async (): Promise<Member | null> => {
    for (const member of members) {
      if (member.child === null) continue
      const [row] = await ask<{ follows: boolean }>(member, 'SELECT pg_is_in_recovery() AS follows').catch(() => [])
      if (row?.follows === false) return member
    }
    return null
  }
  const isWhole = async () => {
    const first = await leader()
    if (!first) return false
    const followers = await ask<{ sync_state: string }>(first, 'SELECT sync_state FROM pg_stat_replication').catch(
      () => [],
    )
    return followers.length === MEMBERS - 1 && followers.some(({ sync_state }) => sync_state === 'sync')
  }
  await until(isWhole, folder)
  return {
    members,
    hosts: members.map(({ port }) => `${HOST}:${port}`).join(','),
    async atLeader(database) {
      const client = new pg.Client({ ...SUPERUSER, host: HOST, port: (await leader())?.port ?? 0, database })
      client.on('error', () => {})
      await client.connect()
      return client
    },
    async killLeader() {
      const member = await leader()
      if (!member) throw new Error('there is no leader')
      await kill(member)
      return member.name
    },
    async successorOf(name) {
      for (;;) {
        const next = await leader()
        if (next && next.name !== name) return performance.now()
        await sleep(LOOK_MS)
      }
    },
    async restart(name) {
      const member = members.find((one) => one.name === name)
      if (member) start(member)
      await until(isWhole, folder)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function settingsOf({ name, port, restPort, folder }: Member, etcdPort: number, place: string): object {
  return {
    scope: 'fairway',
    name,
    restapi: { listen: `${HOST}:${restPort}`, connect_address: `${HOST}:${restPort}` },
    etcd3: { host: `${HOST}:${etcdPort}` },
    bootstrap: {
      // The shortest times that Patroni takes.
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, shared_buffers: '32MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: [
        `host all all ${HOST}/32 scram-sha-256`,
        `host replication ${REPLICATION.username} ${HOST}/32 scram-sha-256`,
      ],
    },
    postgresql: {
      listen: `${HOST}:${port}`,
      connect_address: `${HOST}:${port}`,
      data_dir: folder,
      bin_dir: binaries(),
      pgpass: path.join(place, `${name}.pgpass`),
      authentication: {
        superuser: { username: SUPERUSER.user, password: SUPERUSER.password },
        replication: REPLICATION,
      },
      parameters: { unix_socket_directories: '' },
    },
  }
}

function binaries(): string {
  const all = '/usr/lib/postgresql'
  const newest = fs.existsSync(all)
    ? fs
        .readdirSync(all)
        .toSorted((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined
  if (newest === undefined) throw new Error('PostgreSQL of Debian is not installed: apt-get install postgresql')
  return path.join(all, newest, 'bin')
}

/** PostgreSQL refuses to be root: in a namespace of its own root has another name. */
export function run(folder: string, name: string, words: string[]): ChildProcess {
  const log = fs.openSync(path.join(folder, `${name}.log`), 'a')
  const namespace = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []
  const [file = '', ...rest] = [...namespace, ...words]
  const child = spawn(file, rest, { stdio: ['ignore', log, log], env: systemEnvironment() })
  fs.closeSync(log)
  child.on('error', () => {})
  return child
}

async function kill(member: Member): Promise<void> {
  await ended(member.child, 'SIGKILL')
  member.child = null
  const file = path.join(member.folder, 'postmaster.pid')
  const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : 0
  if (!pid) return
  const children = `/proc/${pid}/task/${pid}/children`
  const all = fs.existsSync(children)
    ? fs.readFileSync(children, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    : []
  for (const one of [pid, ...all])
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended with the others.
    }
}

export async function ended(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await end
}

async function ask<Row extends object>({ port }: Member, sql: string): Promise<Row[]> {
  const client = new pg.Client({ ...SUPERUSER, host: HOST, port, database: 'postgres', connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function until(is: () => Promise<boolean>, folder: string): Promise<void> {
  const giveUpAt = performance.now() + READY_MS
  while (!(await is())) {
    if (performance.now() > giveUpAt) throw new Error(`the servers did not come together; their logs are in ${folder}`)
    await sleep(200)
  }
}
