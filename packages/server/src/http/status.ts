import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { controlRequest, runDir, type Config, type Reasons } from '@fairway/platform'

/**
 * `/healthz`; `/readyz`: whether the API can serve, which roles of this machine are not well, and what else is not
 * (`disk`, `tls`). The address may be the internet's: why they are not, and figures, are told at the address for metrics.
 */
export function registerStatus(
  server: FastifyInstance,
  config: Config,
  own: () => Promise<Reasons>,
  notWellBeside: () => string[],
): void {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async (_request, reply) => {
    const [{ ready, reasons }, roles] = await Promise.all([own(), notWell(config)])
    const degraded = [...roles, ...notWellBeside()].sort()
    return reply.status(ready ? 200 : 503).send({ ready, reasons: ready ? [] : reasons, degraded })
  })
}

// Other sockets stand beside them: the event store's, nginx's.
const ROLE_SOCKETS = new Set(
  ['database', 'store', 'worker', 'collector', 'dns', 'edge', 'media', 'origin', 'visitors'].map(
    (role) => `${role}.sock`,
  ),
)

/** The roles of this machine that do not answer or say that they are not ready. */
async function notWell(config: Config): Promise<string[]> {
  const folder = runDir(config)
  const sockets = (await fs.promises.readdir(folder)).filter((name) => ROLE_SOCKETS.has(name))
  const roles = await Promise.all(
    sockets.map(async (name) => ((await isReady(`unix:${path.join(folder, name)}`)) ? [] : [name.slice(0, -5)])),
  )
  return roles.flat().sort()
}

async function isReady(url: string): Promise<boolean> {
  const answer = await controlRequest(url, 'GET', '/readyz', undefined, 1_000).catch(() => null)
  return typeof answer === 'object' && answer !== null && 'ready' in answer && answer.ready === true
}
