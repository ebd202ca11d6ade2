import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { connectionOf, embeddedConnection, runDir, secret } from '@fairway/platform'
import { freePorts } from '../../installation/free-ports.ts'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'

const HOST = '127.0.0.1'

/** An installation with everything, and a second home with another API, worker and collector of it. */
export async function startTwoMachines(stack: AsyncDisposableStack): Promise<[Installation, Installation]> {
  const ports = await freePorts(2, [HOST])
  const collectors = ports.map((port) => `${HOST}:${port}`)
  const shared = { FAIRWAY_COLLECTORS: collectors.join(), FAIRWAY_TRUSTED_PROXIES: HOST }
  const first = stack.use(
    await startInstallation({
      command: 'up',
      settings: { ...shared, FAIRWAY_COLLECTOR_LISTEN: collectors[0] ?? '', FAIRWAY_NODE_NAME: 'first' },
    }),
  )
  const { host, user, password } = connectionOf(first.config)
  const { database } = embeddedConnection(first.config)
  const second = stack.use(
    await startInstallation({
      command: 'up',
      words: ['--roles', 'api,worker,collector'],
      secretsFrom: first.config,
      settings: {
        ...shared,
        FAIRWAY_COLLECTOR_LISTEN: collectors[1] ?? '',
        FAIRWAY_NODE_NAME: 'second',
        FAIRWAY_DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}`,
        FAIRWAY_CLICKHOUSE_URL: await overTcp(first, stack),
      },
    }),
  )
  return [first, second]
}

/** The embedded event store listens on a socket of its home only; another machine would reach one elsewhere by TCP. */
async function overTcp({ config }: Installation, stack: AsyncDisposableStack): Promise<string> {
  const door = net.createServer((here) => {
    const there = net.connect(path.join(runDir(config), 'store-http.sock'))
    here.on('error', () => there.destroy()).pipe(there)
    there.on('error', () => here.destroy()).pipe(here)
  })
  await once(door.listen(0, HOST), 'listening')
  stack.defer(() => void door.close())
  const { port } = door.address() as net.AddressInfo
  return `http://fairway:${secret(config, 'store-password')}@${HOST}:${port}`
}

/** Whom the letters in a home's outbox went to, one for each letter. */
export function deliveredBy({ config }: Installation): string[] {
  const folder = path.join(config.home, 'outbox')
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .flatMap((name) => /^To: (\S+@\S+)/m.exec(fs.readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? [])
}
