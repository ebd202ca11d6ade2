import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { controlRequest, controlText, runDir, type Config, type Reasons } from '@fairway/platform'

/** `/healthz`, `/readyz` with the reasons of every role of this machine, `/metrics` of all of them. */
export function registerStatus(
  server: FastifyInstance,
  config: Config,
  own: () => Promise<Reasons>,
  registry: Registry,
): void {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const roles = { api: await own(), ...(await eachRole(config, readiness)) }
    const ready = Object.values(roles).every((role) => role.ready)
    return reply.status(ready ? 200 : 503).send({ ready, roles })
  })
  server.get('/metrics', async (_request, reply) => {
    const texts = await eachRole(config, (url) => controlText(url, 'GET', '/metrics').catch(() => ''))
    return reply.type('text/plain; version=0.0.4').send([await registry.metrics(), ...Object.values(texts)].join('\n'))
  })
}

// Other sockets stand beside them: the event store's, nginx's.
const ROLE_SOCKETS = new Set(
  ['database', 'store', 'worker', 'collector', 'dns', 'edge', 'media', 'origin', 'visitors'].map(
    (role) => `${role}.sock`,
  ),
)

/** Asks every control socket of this machine, except the API's own. */
async function eachRole<T>(config: Config, ask: (url: string) => Promise<T>): Promise<Record<string, T>> {
  const folder = runDir(config)
  const sockets = (await fs.promises.readdir(folder)).filter((name) => ROLE_SOCKETS.has(name))
  const answers = await Promise.all(
    sockets.map(async (name) => [name.slice(0, -5), await ask(`unix:${path.join(folder, name)}`)] as const),
  )
  return Object.fromEntries(answers)
}

async function readiness(url: string): Promise<Reasons> {
  try {
    const answer = await controlRequest(url, 'GET', '/readyz', undefined, 1_000)
    return answer as Reasons
  } catch (error) {
    return { ready: false, reasons: [`does not answer: ${error instanceof Error ? error.message : String(error)}`] }
  }
}
