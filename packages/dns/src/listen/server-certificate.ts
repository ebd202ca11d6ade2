import fs from 'node:fs'
import tls from 'node:tls'
import { type Config, type Log, Problem } from '@fairway/platform/lean'

const LOOK_EVERY_MS = 60_000

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
export type Pem = { cert: string; key: string }
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
  const files = [config.dnsCertificateFile, config.dnsCertificateKeyFile] as const
  if ((files[0] === '') !== (files[1] === ''))
    throw new Problem(
      'FAIRWAY_DNS_CERTIFICATE_FILE and FAIRWAY_DNS_CERTIFICATE_KEY_FILE belong together: set both, or neither for a self-signed certificate.',
    )
  const listeners: ((shown: Shown) => void)[] = []
  let seen = changedAt(files)
  let shown = { ...(files[0] === '' ? own : read(files)), ticketKeys }
  let context = tls.createSecureContext({ ...TLS_OPTIONS, ...shown })
  const look = () => {
    try {
      const now = changedAt(files)
      if (now === seen) return
      const fresh = { ...read(files), ticketKeys }
      context = tls.createSecureContext({ ...TLS_OPTIONS, ...fresh })
      shown = fresh
      seen = now
      for (const listener of listeners) listener(shown)
      log.info({ event: 'dns.certificate-read' })
    } catch (error) {
      // Half a renewal: the one before stays until the files are whole.
      log.warn({ event: 'dns.certificate-refused', err: error })
    }
  }
  const timer = files[0] === '' ? null : setInterval(look, LOOK_EVERY_MS).unref()
  return {
    context: () => context,
    shown: () => shown,
    onChange: (listener) => void listeners.push(listener),
    [Symbol.dispose]: () => {
      if (timer) clearInterval(timer)
    },
  }
}

function read([certificate, key]: readonly [string, string]): Pem {
  const pem = { cert: textOf(certificate), key: textOf(key) }
  try {
    tls.createSecureContext(pem)
  } catch (error) {
    throw new Problem(
      `${certificate} and ${key} are no certificate with its key (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    )
  }
  return pem
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(
      `${file} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'failed'}). Change FAIRWAY_DNS_CERTIFICATE_FILE or FAIRWAY_DNS_CERTIFICATE_KEY_FILE.`,
      { cause: error },
    )
  }
}

const changedAt = (files: readonly string[]): string =>
  files.map((file) => (file === '' ? '' : (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0))).join(' ')
