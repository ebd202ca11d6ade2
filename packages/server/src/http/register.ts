import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { AnyRoute, Feature, RouteOutput, RouteParsed } from '@fairway/contract'
import type { Database } from '@fairway/platform'
import type { Actor, UserActor } from './actor.ts'
import { allow, handle, parseInput, type AnyVerb } from './handle.ts'
import type { Context, Services } from './context.ts'
import type { FastifyRequest } from 'fastify'
import { openStreams } from './open-streams.ts'
import { openStream, type EventStream } from './streams.ts'

type ActorOf<R> = R extends { permission: 'public' }
  ? Actor
  : R extends { permission: 'node' }
    ? Extract<Actor, { kind: 'node' }>
    : UserActor

/**
 * A verb answers a route's `out`, or a file as a stream; one that streams events gets the stream instead and runs until
 * it closes.
 */
export type VerbOf<R> = R extends { stream: 'events' }
  ? (services: Services, actor: ActorOf<R>, input: RouteParsed<R>, stream: EventStream) => Promise<void>
  : (
      context: Context<ActorOf<R>>,
      input: RouteParsed<R>,
    ) => Promise<R extends { media: 'csv' | 'ndjson' } ? Readable : RouteOutput<R>>

export type Verbs<F extends Feature<Record<string, unknown>>> = { [K in keyof F['routes']]: VerbOf<F['routes'][K]> }

/** Every route of a feature with its verb; a missing verb does not compile. */
export type Slice = { feature: Feature<Record<string, AnyRoute>>; verbs: Record<string, AnyVerb> }
export function slice<F extends Feature<Record<string, unknown>>>(feature: F, verbs: Verbs<F>): Slice {
  return { feature, verbs } as unknown as Slice
}

/** @param nodeDatabase connections of its own for what nodes call: steering goes on however busy the console is */
export function registerSlices(
  server: FastifyInstance,
  slices: Slice[],
  services: Services,
  nodeDatabase: Database,
  authenticate: (request: FastifyRequest) => Promise<Actor>,
): void {
  const streams = openStreams(services.database)
  const ofNodes = { ...services, database: nodeDatabase }
  for (const { feature, verbs } of slices) {
    for (const [name, route] of Object.entries(feature.routes)) {
      const verb = verbs[name]
      if (!verb) throw new Error(`${feature.name}.${name} has no verb`)
      const given = route.permission === 'node' ? ofNodes : services
      server.route({
        method: route.method,
        url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: async (request, reply) => {
          // A public call is the same for everyone: an old cookie must not keep anybody from signing in.
          const actor: Actor =
            route.permission === 'public' ? { kind: 'anonymous', ip: request.ip } : await authenticate(request)
          if (route.stream !== 'events') return handle(route, verb, given, actor, request, reply)
          allow(route, actor, request)
          const input = parseInput(route, request)
          const run = verb as unknown as (
            services: Services,
            actor: Actor,
            input: unknown,
            stream: EventStream,
          ) => Promise<void>
          if (actor.kind === 'user') streams.refuseMore(actor)
          const stream = openStream(reply)
          if (actor.kind === 'user') streams.add(actor.userId, reply.raw)
          await run(given, actor, input, stream).catch((error: unknown) =>
            services.log.error({ event: 'stream.failed', url: route.path, err: error }),
          )
          reply.raw.end()
          return reply
        },
      })
    }
  }
}
