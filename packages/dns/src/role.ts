import crypto from 'node:crypto'
import { WhyManyQuestion, WhyQuestion } from '@fairway/contract'
import {
  ControlError,
  selfSignedCertificate,
  closeSocket,
  isBound,
  startControl,
  type Config,
  type HeldSockets,
  type HostPort,
  type Log,
  type Pem,
  type Reasons,
} from '@fairway/platform'
import type { z } from 'zod'
import { CollectorPost } from './collector-post.ts'
import type { Rooms } from './listen/waiting-room.ts'
import { TICKET_KEY_BYTES } from './listen/server-certificate.ts'
import { takeAddresses } from './manager/addresses.ts'
import { BuilderLink } from './manager/builder-link.ts'
import { dnsMetrics } from './manager/dns-metrics.ts'
import { ProcessFile } from './manager/process-file.ts'
import { endBuilder, relieve, Servers } from './manager/servers.ts'
import { LastWords } from './manager/told.ts'
import { dnsFiles } from './store/files.ts'

/** Where it answers, and the processes that run now. */
export type DnsRole = AsyncDisposable & {
  at: HostPort
  tls: HostPort | null
  https: HostPort | null
  controlUrl: string
  builderPid(): number | null
  serverPids(): number[]
}

/** Several notices of one change come at once. */
const NOTICES_WITHIN_MS = 20

/**
 * The name server: some processes answer from memory side by side on one address, a builder follows the API, and this
 * one keeps them all and passes on what the builder says.
 * Control routes: `POST /why` (WhyQuestion → WhyAnswer), `POST /explain-many` (WhyManyQuestion → WhyManyAnswer); 404
 * for names that are not steered.
 * @throws ListenError when its address cannot be had
 */
export async function startDns({
  config,
  log,
  sockets = {},
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
}): Promise<DnsRole> {
  await using stack = new AsyncDisposableStack()
  const files = dnsFiles(config)
  const rooms = roomsIn(sockets)
  const processes = new ProcessFile(files.folder, log)
  const { at, tls, https, shared } = stack.use(
    await takeAddresses(config, processes, () => rooms !== null && isBound(rooms.udp)),
  )
  endBuilder(processes)
  const notices = new CollectorPost<string>({
    config,
    at: config.apiUrl,
    route: '/nodes/v1/notices/',
    body: (siteIds) => ({ siteIds: [...new Set(siteIds)] }),
    rowsPerPost: 1000,
    waitingMost: 1000,
    repeats: true,
    log,
  })
  stack.defer(() => notices.stop())
  const servers = stack.use(
    new Servers({
      start: {
        kind: 'start',
        config,
        at,
        tls,
        https,
        shared,
        own: tls || https ? selfSigned(config.serviceDomain) : null,
        ticketKeys: crypto.randomBytes(TICKET_KEY_BYTES).toString('base64'),
      },
      processesForDatagrams: shared ? config.dnsProcesses : 1,
      rooms,
      processes,
      lastWords: new LastWords(files, Date.now(), log),
      noticed: (zoneId) => notices.add([zoneId], NOTICES_WITHIN_MS),
      clock: Date.now,
      log,
    }),
  )
  await servers.started()
  // They have them now, and with its last copy a socket goes.
  if (rooms) for (const fd of [rooms.udp, rooms.tcp]) closeSocket(fd)
  void relieve(processes, log)
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
  return {
    at,
    tls,
    https,
    controlUrl: control.url,
    builderPid: () => builder.pid,
    serverPids: () => servers.all().flatMap(({ pid }) => pid ?? []),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
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

function roomsIn(sockets: HeldSockets): Rooms | null {
  const { 'room udp': udp, 'room tcp': tcp } = sockets
  return udp === undefined || tcp === undefined ? null : { udp, tcp }
}

function selfSigned(serviceDomain: string): Pem {
  const { certificatePem, keyPem } = selfSignedCertificate([`ns1.${serviceDomain}`, `ns2.${serviceDomain}`], new Date())
  return { cert: certificatePem, key: keyPem }
}

function parse<T>(form: z.ZodType<T>, body: unknown): T {
  const parsed = form.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ControlError(400, `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'wrong form'}`)
}
