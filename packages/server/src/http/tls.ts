import https from 'node:https'
import type { Socket } from 'node:net'
import { type SecureContext, type TlsOptions, TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import {
  type Config,
  type ConnectionBounds,
  type HeldSockets,
  type Log,
  type Pem,
  addressList,
  boundConnections,
  boundedServer,
  endOf,
  listenAt,
  readCertificate,
  watchCertificate,
} from '@fairway/platform'
import { Failure } from './failure.ts'

/** RFC 9325 3.1.1: TLS 1.0 and 1.1 must not be negotiated. */
const OPTIONS = { minVersion: 'TLSv1.2', handshakeTimeout: 15_000 } as const
/** RFC 8737 6.2. */
const ACME_TLS = 'acme-tls/1'
const ACME_FILES = '/.well-known/acme-challenge/:token'
/** A year, as browsers that keep it want it to be; other names below ours may be somebody else's. */
const HSTS = 'max-age=31536000'

/** The certificate that the console shows: in the settings' files now, or the newest of an authority. */
export type ConsoleCertificate = {
  pem(): Pem | null
  /** Why there is none, or why the one before is still shown. */
  problem(): string | null
  /** Is called whenever another one is to be shown. */
  onChange(listener: (pem: Pem) => void): void
  /** What an authority is answered that looks whether the name is ours; null where none is asked. */
  proofs: {
    /** What a handshake with `acme-tls/1` for this name shows; null while nothing is to be proven so. */
    inHandshake(name: string): SecureContext | null
    overHttp(token: string): Promise<string | null>
  } | null
}

/** A pair that is bad at the start is no reason for the API to be away: nodes of this machine need it. */
export function openConsoleCertificate(config: Config, log: Log): ConsoleCertificate & Disposable {
  const files = { cert: config.tlsCert, key: config.tlsKey, settings: 'FAIRWAY_TLS_CERT or FAIRWAY_TLS_KEY' }
  const listeners: ((pem: Pem) => void)[] = []
  let [shown, problem]: [Pem | null, string | null] = [null, null]
  const refused = (error: unknown) => {
    problem = error instanceof Error ? error.message : String(error)
    log.warn({ event: 'tls.certificate-refused', err: error })
  }
  try {
    shown = readCertificate(files)
  } catch (error) {
    refused(error)
  }
  const watch = watchCertificate({
    files,
    shown,
    taken: (pem) => {
      ;[shown, problem] = [pem, null]
      for (const listener of listeners) listener(pem)
      log.info({ event: 'tls.certificate-read', until: new Date(endOf(pem)).toISOString() })
    },
    refused,
  })
  return {
    pem: () => shown,
    problem: () => {
      if (problem !== null)
        return shown === null ? `TLS: ${problem}` : `TLS: ${problem} The certificate before it is still shown.`
      return shown !== null && endOf(shown) <= Date.now()
        ? `TLS: the certificate in ${files.cert} has expired. Put a new one in its place.`
        : null
    },
    onChange: (listener) => void listeners.push(listener),
    proofs: null,
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  }
}

/**
 * The same API on the address for TLS. Connections stay when the certificate changes; without one, handshakes fail
 * until it is there.
 */
export async function listenTls(
  server: FastifyInstance,
  certificate: ConsoleCertificate,
  { at, sockets, bounds }: { at: NonNullable<Config['tlsListen']>; sockets: HeldSockets; bounds: ConnectionBounds },
): Promise<AsyncDisposable & { port: number }> {
  const options = { ...boundedServer, ...OPTIONS, ...protocols(certificate), ...certificate.pem() }
  const secure = https.createServer(options, (request, response) => server.routing(request, response))
  // RFC 8737 3: such a connection is for its handshake alone.
  secure.on('secureConnection', (socket: TLSSocket) => void (socket.alpnProtocol === ACME_TLS && socket.destroy()))
  boundConnections(secure, bounds)
  secure.keepAliveTimeout = server.server.keepAliveTimeout
  certificate.onChange((pem) => secure.setSecureContext({ ...OPTIONS, ...pem }))
  await new Promise<void>((resolve, reject) => secure.once('error', reject).listen(listenAt(sockets, at), resolve))
  const bound = secure.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : at.port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => secure.close(resolve))
      secure.closeAllConnections()
      await closed
    },
  }
}

/** HTTP, and what an authority looks at: chosen by protocol, so that nobody else is ever shown its certificate. */
function protocols({ proofs }: ConsoleCertificate): Pick<TlsOptions, 'ALPNProtocols' | 'ALPNCallback'> {
  if (proofs === null) return { ALPNProtocols: ['http/1.1'] }
  return {
    ALPNCallback(this: TLSSocket, { servername, protocols: offered }: { servername: string; protocols: string[] }) {
      if (!offered.includes(ACME_TLS)) return offered.includes('http/1.1') ? 'http/1.1' : undefined
      const context = proofs.inHandshake(servername.toLowerCase())
      if (context === null) return undefined
      this.setKeyCert(context)
      return ACME_TLS
    },
  }
}

/** What an authority looks at over plain HTTP (RFC 8555 8.3). */
export function registerProofs(server: FastifyInstance, { proofs }: ConsoleCertificate): void {
  if (proofs === null) return
  server.get<{ Params: { token: string } }>(ACME_FILES, async (request, reply) => {
    const value = await proofs.overHttp(request.params.token)
    reply.type('application/octet-stream')
    return value === null ? reply.status(404).send('') : value
  })
}

/**
 * Whoever comes by TLS is told to come so for a year (RFC 6797). Plain HTTP answers this machine and trusted proxies;
 * who comes from elsewhere is led to TLS, and what would change something is refused: it may have held a secret.
 */
export function requireTls(server: FastifyInstance, config: Config): void {
  const { tlsListen } = config
  if (tlsListen === null) return
  const isTrusted = addressList(['127.0.0.0/8', '::1', ...config.trustedProxies])
  const isNear = ({ remoteAddress = '', localAddress }: Socket) =>
    isTrusted(remoteAddress) || remoteAddress === localAddress
  const shown = new URL(config.publicUrl)
  const port = shown.protocol === 'https:' ? shown.port : String(tlsListen.port)
  server.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw
    if (socket instanceof TLSSocket) return void reply.header('strict-transport-security', HSTS)
    if (isNear(socket) || request.routeOptions.url === ACME_FILES) return
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new Failure(920904)
    // Partners have host names of their own; one that is none leads to ours.
    const { hostname } = URL.parse(`https://${request.raw.headers.host ?? ''}`) ?? shown
    // What begins like another host's address stays a path.
    const path = request.raw.url?.startsWith('/') ? request.raw.url : '/'
    return reply.redirect(`https://${hostname}${port === '' ? '' : `:${port}`}${path}`, 308)
  })
}
