import { WhyManyQuestion, WhyQuestion } from '@fairway/contract'
import { ControlError, startControl, type Config, type HostPort, type Log, type Reasons } from '@fairway/platform'
import type { z } from 'zod'
import { BuilderLink } from './builder-link.ts'
import { dnsMetrics } from './dns-metrics.ts'
import type { ProcessFile } from './process-file.ts'
import type { Servers } from './servers.ts'

export type DeskOptions = {
  config: Config
  servers: Servers
  processes: ProcessFile
  at: HostPort
  tls: HostPort | null
  https: HostPort | null
  log: Log
}

export type Desk = AsyncDisposable & { builder: BuilderLink; control: { url: string } }

/**
 * What goes on beside answering: the control routes, the figures, and the builder, whose word it passes on.
 * Control routes: `POST /why` (WhyQuestion → WhyAnswer), `POST /explain-many` (WhyManyQuestion → WhyManyAnswer); 404
 * for names that are not steered.
 */
export async function startDesk({ config, servers, processes, at, tls, https, log }: DeskOptions): Promise<Desk> {
  await using stack = new AsyncDisposableStack()
  const running: { builder: BuilderLink | null; metrics: () => Promise<string> } = {
    builder: null,
    metrics: () => Promise.resolve(''),
  }
  const control = stack.use(
    await startControl({
      config,
      role: 'dns',
      log,
      ready: () => readiness(servers, running.builder, at),
      metrics: () => running.metrics(),
      routes: {
        'POST /why': (body) => servers.explain({ kind: 'why', question: parse(WhyQuestion, body) }),
        'POST /explain-many': (body) =>
          servers.explain({ kind: 'explain-many', question: parse(WhyManyQuestion, body) }),
      },
    }),
  )
  const builder = stack.use(
    new BuilderLink({
      config,
      processes,
      controlUrl: control.url,
      serve: (request) => servers.serve(request),
      notice: (notice) => servers.notice(notice),
      log,
    }),
  )
  running.builder = builder
  running.metrics = dnsMetrics({ servers, builder, isEncrypted: { tls: tls !== null, https: https !== null } })
  const owned = stack.move()
  return { builder, control, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/**
 * Ready means that it answers for somebody and hears of changes; old measurements are named, but steering goes on
 * without them.
 */
async function readiness(servers: Servers, builder: BuilderLink | null, at: HostPort): Promise<Reasons> {
  const { each } = await servers.figures()
  const zones = Math.max(0, ...each.map((figures) => figures.zones))
  const away = servers.all().length - servers.listening().length
  const building = builder?.pid != null
  const stale = servers.staleScores()
  const reasons = [
    ...(zones === 0 ? ['no zone has been published to this node yet'] : []),
    ...(away > 0
      ? [
          `${away} of ${servers.all().length} processes that answer ${away > 1 ? 'are' : 'is'} away and being started again`,
        ]
      : []),
    ...(building ? [] : ['the builder process is away and is being started again; changes wait, queries are answered']),
    ...(building && !builder.state.connected ? ['the API is away; changes wait, queries are answered'] : []),
    ...(stale > 0 ? [`measurements of ${stale} organisation${stale > 1 ? 's' : ''} are too old to steer by`] : []),
  ]
  const processes = servers.all().map(({ number, pid, restarts, isListening, figures }) => ({
    number,
    pid,
    restarts,
    answers: isListening,
    transport: figures?.transport ?? [],
    zones: figures?.zones ?? 0,
    residentBytes: figures?.residentBytes ?? 0,
  }))
  return {
    ready: zones > 0 && building && away < servers.all().length,
    reasons,
    facts: {
      zones,
      at,
      processes,
      apiConnected: builder?.state.connected ?? false,
      builderPid: builder?.pid ?? null,
      builderRestarts: builder?.restarts ?? 0,
    },
  }
}

function parse<T>(form: z.ZodType<T>, body: unknown): T {
  const parsed = form.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ControlError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'wrong form'}`)
}
