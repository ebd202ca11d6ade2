import crypto from 'node:crypto'
import {
  selfSignedCertificate,
  closeSocket,
  isBound,
  type Config,
  type HeldSockets,
  type HostPort,
  type Log,
  type Pem,
} from '@fairway/platform/lean'
import { CollectorPost } from './collector-post.ts'
import type { Rooms } from './listen/waiting-room.ts'
import { TICKET_KEY_BYTES } from './listen/server-certificate.ts'
import { takeAddresses } from './manager/addresses.ts'
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
 * one keeps them all and passes on what the builder says. Whoever asks is answered first: nothing that servers can do
 * without is loaded before they answer.
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
  // What it brings along takes longer to load than the servers need to answer.
  const { startDesk } = await import('./manager/desk.ts')
  const { builder, control } = stack.use(await startDesk({ config, servers, processes, at, tls, https, log }))
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

function roomsIn(sockets: HeldSockets): Rooms | null {
  const { 'room udp': udp, 'room tcp': tcp } = sockets
  return udp === undefined || tcp === undefined ? null : { udp, tcp }
}

function selfSigned(serviceDomain: string): Pem {
  const { certificatePem, keyPem } = selfSignedCertificate([`ns1.${serviceDomain}`, `ns2.${serviceDomain}`], new Date())
  return { cert: certificatePem, key: keyPem }
}
