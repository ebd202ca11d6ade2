import fs from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { SandboxProvider } from '@fairway/drivers'
import { Failure } from '../../../http/failure.ts'

const BASE = '/sandbox-pay/'
// The page runs without an origin (sandbox): neither may the console reach into it nor it into the console's session.
const POLICY =
  "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
const FILES: Record<string, string> = {
  'card.html': 'text/html; charset=utf-8',
  'card.js': 'text/javascript; charset=utf-8',
  'card.css': 'text/css; charset=utf-8',
}

/** The secret travels behind the `#`, which no server log sees. */
export const sandboxElementUrl = (clientSecret: string): string => `${BASE}card.html#${clientSecret}`

const Confirmation = z.object({
  clientSecret: z.string().max(200),
  number: z.string().max(40),
  expiryMonth: z.number(),
  expiryYear: z.number(),
  cvc: z.string().max(8),
})

/**
 * The sandbox provider's own pages: the one place that ever sees a card number, apart from the API's verbs, its log and
 * its tables.
 */
export async function registerSandboxPages(server: FastifyInstance, provider: SandboxProvider): Promise<void> {
  for (const [name, type] of Object.entries(FILES)) {
    const body = fs.readFileSync(path.join(import.meta.dirname, 'element', name))
    server.get(BASE + name, async (_request, reply) =>
      reply
        .header('content-security-policy', POLICY)
        .header('cache-control', 'no-store')
        .header('access-control-allow-origin', '*')
        .type(type)
        .send(body),
    )
  }
  server.options(`${BASE}confirm/`, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-headers', 'content-type')
      .header('access-control-max-age', '600')
      .status(204)
      .send(),
  )
  // Whoever knows the client secret may confirm, from a page without an origin as this one; no cookie counts here.
  server.post(
    `${BASE}confirm/`,
    { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } },
    async (request, reply) => {
      reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store')
      const parsed = Confirmation.safeParse(request.body)
      if (!parsed.success) throw new Failure(400)
      const { clientSecret, ...form } = parsed.data
      const state = await provider.confirmCard(clientSecret, form)
      if (!state) throw new Failure(404)
      return state.state === 'failed' ? { state: 'failed', declineCode: state.declineCode } : { state: 'succeeded' }
    },
  )
}
