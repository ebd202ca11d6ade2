import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { z } from 'zod'
import { diskGauge, openGeo, OutgoingGate } from '@fairway/platform'
import { openStore } from '@fairway/analytics'
import { FEATURES, type AnyRoute, type Feature } from '@fairway/contract'
import { openPayments } from '../features/billing/payments.ts'
import { authenticator } from '../http/authenticate.ts'
import type { Context } from '../http/context.ts'
import { errorHandler } from '../http/errors.ts'
import { type Slice, registerSlices } from '../http/register.ts'
import type { ApiUnderTest } from './api-under-test.ts'

/** What stands in for every verb: it has been reached, and has recorded what it is told to. */
type Work = (route: AnyRoute, context: Context<never>) => Promise<void>

/**
 * Every declared route behind the real wrapper (who calls, may they, transaction, version, audit entry), with the same
 * simple verb behind all of them and any input let in:
 * so what the wrapper does can be seen on each route without knowing how to call it.
 */
export async function startGate(api: ApiUnderTest, work: Work): Promise<AsyncDisposable & { url: string }> {
  await using started = new AsyncDisposableStack()
  const server = fastify({ logger: false, forceCloseConnections: true })
  started.defer(() => server.close())
  server.setErrorHandler(errorHandler(api.log))
  await server.register(cookie)
  const services = {
    config: api.config,
    database: api.database,
    log: api.log,
    geo: await openGeo(api.config),
    events: started.use(openStore(api.config)),
    payments: openPayments(api.config, api.database),
    gate: new OutgoingGate({ config: api.config, log: api.log }),
    disk: diskGauge(api.config),
  }
  registerSlices(
    server,
    (Object.values(FEATURES) as unknown as Feature<Record<string, AnyRoute>>[]).map((feature) =>
      sliceOf(feature, work),
    ),
    services,
    services.database,
    authenticator(api.config, api.database),
  )
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const stop = started.move()
  return { url, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}

function sliceOf(feature: Feature<Record<string, AnyRoute>>, work: Work): Slice {
  const open = (route: AnyRoute): AnyRoute => ({ ...route, in: z.looseObject({}), out: z.unknown() })
  const routes = Object.fromEntries(Object.entries(feature.routes).map(([name, route]) => [name, open(route)]))
  const verbs = Object.fromEntries(
    Object.entries(feature.routes).map(([name, route]) => [
      name,
      async (context: Context<never>) => {
        if (route.stream === 'events') return undefined
        await work(route, context)
        return route.media ? Readable.from(['reached']) : { reached: true }
      },
    ]),
  )
  return { feature: { name: feature.name, routes }, verbs }
}
