import type { Config, HostPort, Log } from '@fairway/platform'
import type { Handler } from './handler.ts'
import { type HttpsListener, listenHttps } from './https.ts'
import { refuseAddress } from './listen.ts'
import { openServerCertificate } from './server-certificate.ts'
import { type TcpListener, listenTcp } from './tcp.ts'

/** What of it the settings ask for; null is not offered. */
export type EncryptedListeners = AsyncDisposable & { tls: TcpListener | null; https: HttpsListener | null }
type Settings = Pick<Config, 'dnsTlsListen' | 'dnsHttpsListen' | 'dnsCertificateFile' | 'dnsCertificateKeyFile' | 'serviceDomain'>

/**
 * DNS over TLS and over HTTPS where the settings name an address for them.
 * @throws ListenError when an address is taken or not ours
 */
export async function listenEncrypted(config: Settings, handler: Handler, log: Log): Promise<EncryptedListeners> {
  const { dnsTlsListen, dnsHttpsListen } = config
  if (!dnsTlsListen && !dnsHttpsListen) return { tls: null, https: null, [Symbol.asyncDispose]: () => Promise.resolve() }
  await using stack = new AsyncDisposableStack()
  const certificate = stack.use(openServerCertificate(config, log))
  const start = <T extends AsyncDisposable>(at: HostPort | null, setting: string, open: (at: HostPort) => Promise<T>) => (at ? open(at).catch((error: unknown) => refuseAddress(at, error, setting)) : null)
  const tls = stack.use(await start(dnsTlsListen, 'FAIRWAY_DNS_TLS_LISTEN', (at) => listenTcp(at, handler, undefined, certificate)))
  const https = stack.use(await start(dnsHttpsListen, 'FAIRWAY_DNS_HTTPS_LISTEN', (at) => listenHttps(at, handler, certificate)))
  const owned = stack.move()
  return { tls, https, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
