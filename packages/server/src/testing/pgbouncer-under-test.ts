import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { freePort, socketFolder, systemEnvironment, type Config } from '@fairway/platform'

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => fs.existsSync(file))

/** Why tests with a pooler cannot run here, or false. */
export const pgbouncerMissing: string | false = PGBOUNCER
  ? false
  : 'PgBouncer is not installed: apt-get install pgbouncer'

export type PgbouncerUnderTest = AsyncDisposable & {
  /** Where clients find it. */
  urlOf(database: string): string
}

/**
 * PgBouncer in transaction mode before the embedded database of a home, with so few connections of its own that
 * transactions of different clients follow each other on each of them.
 */
export async function startPgbouncer(
  config: Config,
  { user, password, connections = 8 }: { user: string; password: string; connections?: number },
): Promise<PgbouncerUnderTest> {
  const folder = path.join(config.home, 'pgbouncer')
  const port = await freePort()
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'users.txt'), `"${user}" "${password}"\n`)
  fs.writeFileSync(
    path.join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${socketFolder(config)} port=5432`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = scram-sha-256\nauth_file = ${folder}/users.txt`,
      `pool_mode = transaction\ndefault_pool_size = ${connections}\nmax_client_conn = 500`,
      '',
    ].join('\n'),
  )
  // It refuses to be root: then it runs in a namespace of its own, where root has another name.
  const namespace = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []
  const [file = '', ...words] = [...namespace, PGBOUNCER ?? 'pgbouncer', path.join(folder, 'pgbouncer.ini')]
  const child = spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe'], env: systemEnvironment() })
  let said = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4000)
      if (/process up/.test(said)) resolve()
    })
    child.once('error', reject)
    void ended.then(() => reject(new Error(`PgBouncer did not start: ${said}`)))
  })
  return {
    urlOf: (database) => `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
