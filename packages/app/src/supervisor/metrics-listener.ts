import http from 'node:http'
import { VERSION } from '@fairway/contract'
import { type Config, hostPortText } from '@fairway/platform'
import { type Heard, machineMetrics } from './machine-metrics.ts'
import { mergeExpositions } from './merge-expositions.ts'
import { isRoleName, type RoleName } from '../roles/role.ts'

export type MetricsListener = {
  config: Config
  hear: () => Promise<Heard>
  /** What a role tells in Prometheus' format. */
  figuresOf: (role: RoleName) => Promise<string>
  say: (line: string) => void
  againMs?: number
}

const AGAIN_MS = 5000
const BOUNDS = { connections: 64, requestMs: 5000, headersBytes: 8192 }

/**
 * One address for whoever watches this machine: `/metrics` of all roles, `/livez` of the supervisor, `/readyz` with
 * what each role says. Everything else goes on without it: an address that cannot be had is told once and tried again.
 */
export function startMetricsListener({
  config,
  hear,
  figuresOf,
  say,
  againMs = AGAIN_MS,
}: MetricsListener): AsyncDisposable {
  const at = config.metricsAddress
  if (at === null) return { async [Symbol.asyncDispose]() {} }
  let [timer, isTold, isOver]: [NodeJS.Timeout | undefined, boolean, boolean] = [undefined, false, false]
  // Who asks at the same time is given the same answer: the roles are asked once.
  const heard = shared(hear)
  const figures = shared(async () => {
    const now = await heard()
    const texts = await Promise.all(
      Object.keys(now.said).map((role) => (isRoleName(role) ? figuresOf(role).catch(() => '') : '')),
    )
    return mergeExpositions([await machineMetrics(config, now), ...texts])
  })
  const server = http.createServer(
    { maxHeaderSize: BOUNDS.headersBytes, requestTimeout: BOUNDS.requestMs, headersTimeout: BOUNDS.requestMs },
    (request, response) => {
      answer(request.method ?? '', request.url ?? '').then(
        ({ status, type = 'application/json', text }) =>
          response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
        () => response.writeHead(500).end(),
      )
    },
  )
  server.maxConnections = BOUNDS.connections
  server.on('error', (error) => {
    if (!isTold)
      say(`no metrics at ${hostPortText(at)} (${error.message}); FAIRWAY_METRICS_ADDRESS names another address`)
    isTold = true
    if (!isOver) timer = setTimeout(listen, againMs).unref()
  })
  const listen = () => void server.listen(at.port, at.host)
  listen()
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function answer(method: string, url: string): Promise<{ status: number; type?: string; text: string }> {
    const json = (status: number, value: unknown) => ({ status, text: `${JSON.stringify(value, null, 2)}\n` })
    if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'only GET' })
    switch (url.split('?')[0]) {
      case '/livez':
        return json(200, { ok: true, version: VERSION, pid: process.pid })
      case '/readyz': {
        const { statuses, said } = await heard()
        const ready = Object.values(said).every((role) => role.ready)
        const roles = Object.entries(said).map(([role, words]) => [
          role,
          { ...words, process: isRoleName(role) ? statuses[role] : undefined },
        ])
        return json(ready ? 200 : 503, { ready, roles: Object.fromEntries(roles) })
      }
      case '/metrics':
        return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text: await figures() }
      default:
        return json(404, { error: 'there are /metrics, /livez and /readyz' })
    }
  }
}

function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= make().finally(() => (running = null)))
}
