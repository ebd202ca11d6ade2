import type { HostPort } from '@fairway/platform'
import type { Handler } from './handler.ts'
import type { HttpsListener } from './https.ts'
import { refuseAddress } from './listen.ts'
import type { ServerCertificate } from './server-certificate.ts'
import { TCP_LIMITS, type TcpLimits } from './tcp-limits.ts'
import { type TcpListener, listenTcp } from './tcp.ts'

/** What of it the settings ask for; null is not offered. `leave` and disposing are as those of `Listeners`. */
export type EncryptedListeners = AsyncDisposable & {
  tls: TcpListener | null
  https: HttpsListener | null
  leave(): Promise<void>
}
export const NOTHING_ENCRYPTED: EncryptedListeners = {
  tls: null,
  https: null,
  leave: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}
export type EncryptedOptions = {
  tls: HostPort | null
  https: HostPort | null
  certificate: ServerCertificate | null
  handler: Handler
  limits?: TcpLimits
  reusePort?: boolean
}

/**
 * DNS over TLS and over HTTPS where the settings name an address for them.
 * @throws ListenError when an address is taken or not ours
 */
export async function listenEncrypted({
  certificate,
  handler,
  limits = TCP_LIMITS,
  reusePort = false,
  ...wanted
}: EncryptedOptions): Promise<EncryptedListeners> {
  if (!certificate) return NOTHING_ENCRYPTED
  await using stack = new AsyncDisposableStack()
  const start = <T extends AsyncDisposable>(at: HostPort | null, setting: string, open: (at: HostPort) => Promise<T>) =>
    at ? open(at).catch((error: unknown) => refuseAddress(at, error, setting)) : null
  const tls = stack.use(
    await start(wanted.tls, 'FAIRWAY_DNS_TLS_LISTEN', (at) =>
      listenTcp({ at, handler, limits, certificate, reusePort }),
    ),
  )
  // Loaded only where it is offered: it takes some megabytes.
  const https = stack.use(
    await start(wanted.https, 'FAIRWAY_DNS_HTTPS_LISTEN', async (at) =>
      (await import('./https.ts')).listenHttps({ at, handler, limits, certificate, reusePort }),
    ),
  )
  const owned = stack.move()
  return {
    tls,
    https,
    leave: async () => void (await Promise.all([tls?.leave(), https?.leave()])),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
