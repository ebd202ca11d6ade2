import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import net from 'node:net'
import { freePorts } from '@fairway/platform'
import { HOST, type PatroniCluster, ended, run } from './patroni-cluster.ts'

const READY_MS = 30_000

/**
 * PgBouncer in transaction mode, and HAProxy between it and the servers, which asks Patroni who leads: as Patroni's own
 * documentation has it.
 */
export async function startPoolerBefore(
  cluster: PatroniCluster,
  folder: string,
  { user, password }: { user: string; password: string },
): Promise<AsyncDisposable & { host: string }> {
  const [leaderPort = 0, poolerPort = 0] = await freePorts(2, [HOST])
  const proxy = path.join(folder, 'haproxy.cfg')
  fs.writeFileSync(
    proxy,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen leader
  bind ${HOST}:${leaderPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${cluster.members.map(({ name, port, restPort }) => `  server ${name} ${HOST}:${port} check port ${restPort}\n`).join('')}`,
  )
  const users = path.join(folder, 'users.txt')
  fs.writeFileSync(users, `"${user}" "${password}"\n`, { mode: 0o600 })
  const settings = path.join(folder, 'pgbouncer.ini')
  fs.writeFileSync(
    settings,
    `[databases]
* = host=${HOST} port=${leaderPort}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${poolerPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 25
max_client_conn = 500
server_login_retry = 1
`,
  )
  const children = [
    run(folder, 'haproxy', ['/usr/sbin/haproxy', '-db', '-f', proxy]),
    run(folder, 'pgbouncer', ['/usr/sbin/pgbouncer', settings]),
  ]
  const pooler = {
    host: `${HOST}:${poolerPort}`,
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map((child) => ended(child, 'SIGKILL')))
    },
  }
  for (const giveUpAt = performance.now() + READY_MS; !(await isOpen(poolerPort)); await sleep(50)) {
    if (performance.now() < giveUpAt) continue
    await pooler[Symbol.asyncDispose]()
    throw new Error(`PgBouncer did not start; its log is in ${folder}`)
  }
  return pooler
}

function isOpen(port: number): Promise<boolean> {
  const socket = net.connect(port, HOST)
  return new Promise((resolve) => {
    socket.once('connect', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
}
