import path from 'node:path'
import { connectionOf, embeddedConnection, freePorts, hostPortText, runDir, secret } from '@fairway/platform'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { registerOperator } from '../operator.ts'
import { type Door, openDoor } from './door.ts'

/** Two machines of one installation, before them a balancer: both have API, worker and collector, one the rest. */
export type Pair = AsyncDisposable & {
  machines: readonly [Installation, Installation]
  url: string
  organizationId: string
}

export async function startPair(): Promise<Pair> {
  await using stack = new AsyncDisposableStack()
  const [balancerPort = 0, storePort = 0, ...ports] = await freePorts(6, ['127.0.0.1'])
  const [apis, collectors] = [ports.slice(0, 2), ports.slice(2)]
  const doorOf = (door: Door) => void stack.use(door)
  doorOf(
    await openDoor(
      balancerPort,
      apis.map((port) => ({ host: '127.0.0.1', port })),
      '/readyz',
    ),
  )
  const common = {
    FAIRWAY_API_URL: `http://127.0.0.1:${balancerPort}`,
    FAIRWAY_COLLECTORS: collectors.map((port) => `127.0.0.1:${port}`).join(),
    FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
    FAIRWAY_DOMAIN_PROOF: 'off',
  }
  const settings = (at: number) => ({
    ...common,
    FAIRWAY_LISTEN: `127.0.0.1:${apis[at]}`,
    FAIRWAY_NODE_NAME: `machine-${at + 1}`,
    FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${collectors[at]}`,
  })
  const first = stack.use(
    await startInstallation({
      command: 'up',
      words: ['--roles', 'database,store,api,worker,collector,dns,edge'],
      settings: settings(0),
    }),
  )
  const { organizationId } = await registerOperator(first)
  // As an event store elsewhere is reached: the embedded one listens on a socket of its home only.
  doorOf(await openDoor(storePort, [{ path: path.join(runDir(first.config), 'store-http.sock') }]))
  const { host, user, password } = connectionOf(first.config)
  const { database } = embeddedConnection(first.config)
  const second = stack.use(
    await startInstallation({
      command: 'up',
      words: ['--roles', 'api,worker,collector'],
      secondOf: first,
      settings: {
        ...settings(1),
        // Both say the same of where edge and name server are.
        FAIRWAY_EDGE_HTTP: hostPortText(first.config.edgeHttp),
        FAIRWAY_EDGE_HTTPS: hostPortText(first.config.edgeHttps),
        FAIRWAY_DNS_LISTEN: hostPortText(first.config.dnsListen),
        FAIRWAY_CLICKHOUSE_URL: `http://fairway:${secret(first.config, 'store-password')}@127.0.0.1:${storePort}`,
        FAIRWAY_DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}`,
      },
    }),
  )
  const owned = stack.move()
  return {
    machines: [first, second],
    url: common.FAIRWAY_API_URL,
    organizationId,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
