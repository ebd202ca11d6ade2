import tls from 'node:tls'
import { type Config, type Log, type Pem, Problem, readCertificate, watchCertificate } from '@fairway/platform/lean'

/** What the name server shows to who comes by TLS. */
export type ServerCertificate = Disposable & {
  /** As it is now. */
  context(): tls.SecureContext
  /** Is called whenever it has changed. */
  onChange(listener: (shown: Shown) => void): void
  shown(): Shown
}
/**
 * PEM texts, and the keys that all processes of a node seal sessions with, so that each takes up what another began.
 */
type Shown = Pem & { ticketKeys: Buffer }
export type CertificateOptions = {
  files: Pick<Config, 'dnsCertificateFile' | 'dnsCertificateKeyFile'>
  /** What is shown without files. */
  own: Pem
  ticketKeys: Buffer
  log: Log
}
export const TICKET_KEY_BYTES = 48

/** TLS 1.2 is the least that RFC 8310 and RFC 9113 take. */
export const TLS_OPTIONS = { minVersion: 'TLSv1.2' } as const

/**
 * The certificate of the settings' files, read again when they change; without files the one that the node made for
 * itself.
 * @throws Problem when the files cannot be read or do not belong together
 */
export function openServerCertificate({ files: config, own, ticketKeys, log }: CertificateOptions): ServerCertificate {
  const files = {
    cert: config.dnsCertificateFile,
    key: config.dnsCertificateKeyFile,
    settings: 'FAIRWAY_DNS_CERTIFICATE_FILE or FAIRWAY_DNS_CERTIFICATE_KEY_FILE',
  }
  if ((files.cert === '') !== (files.key === ''))
    throw new Problem(
      'FAIRWAY_DNS_CERTIFICATE_FILE and FAIRWAY_DNS_CERTIFICATE_KEY_FILE belong together: set both, or neither for a self-signed certificate.',
    )
  const listeners: ((shown: Shown) => void)[] = []
  const hasFiles = files.cert !== ''
  let shown = { ...(hasFiles ? readCertificate(files) : own), ticketKeys }
  let context = tls.createSecureContext({ ...TLS_OPTIONS, ...shown })
  const watch = hasFiles
    ? watchCertificate({
        files,
        shown,
        taken: (pem) => {
          shown = { ...pem, ticketKeys }
          context = tls.createSecureContext({ ...TLS_OPTIONS, ...shown })
          for (const listener of listeners) listener(shown)
          log.info({ event: 'dns.certificate-read' })
        },
        refused: (error) => log.warn({ event: 'dns.certificate-refused', err: error }),
      })
    : null
  return {
    context: () => context,
    shown: () => shown,
    onChange: (listener) => void listeners.push(listener),
    [Symbol.dispose]: () => watch?.[Symbol.dispose](),
  }
}
