import fs from 'node:fs'
import tls from 'node:tls'
import { type Config, type Log, Problem, selfSignedCertificate } from '@fairway/platform'

const LOOK_EVERY_MS = 60_000

/** What the name server shows to who comes by TLS. */
export type ServerCertificate = Disposable & {
  /** As it is now. */
  context(): tls.SecureContext
  /** Is called whenever it has changed. */
  onChange(listener: (pem: Pem) => void): void
  pem(): Pem
}
type Pem = { cert: string; key: string }

/** TLS 1.2 is the least that RFC 8310 and RFC 9113 take. */
export const TLS_OPTIONS = { minVersion: 'TLSv1.2' } as const

/**
 * The certificate of the settings' files, read again when they change; without files a self-signed one, which lasts as long as the process.
 * @throws Problem when the files cannot be read or do not belong together
 */
export function openServerCertificate(config: Pick<Config, 'dnsCertificateFile' | 'dnsCertificateKeyFile' | 'serviceDomain'>, log: Log): ServerCertificate {
  const files = [config.dnsCertificateFile, config.dnsCertificateKeyFile] as const
  if ((files[0] === '') !== (files[1] === '')) throw new Problem('FAIRWAY_DNS_CERTIFICATE_FILE and FAIRWAY_DNS_CERTIFICATE_KEY_FILE belong together: set both, or neither for a self-signed certificate.')
  const listeners: ((pem: Pem) => void)[] = []
  let seen = changedAt(files)
  let pem = files[0] === '' ? selfSigned(config.serviceDomain) : read(files)
  let context = tls.createSecureContext({ ...TLS_OPTIONS, ...pem })
  const look = () => {
    try {
      const now = changedAt(files)
      if (now === seen) return
      const fresh = read(files)
      context = tls.createSecureContext({ ...TLS_OPTIONS, ...fresh })
      pem = fresh
      seen = now
      for (const listener of listeners) listener(pem)
      log.info({ event: 'dns.certificate-read' })
    } catch (error) {
      // Half a renewal: the one before stays until the files are whole.
      log.warn({ event: 'dns.certificate-refused', err: error })
    }
  }
  const timer = files[0] === '' ? null : setInterval(look, LOOK_EVERY_MS).unref()
  return { context: () => context, pem: () => pem, onChange: (listener) => void listeners.push(listener), [Symbol.dispose]: () => { if (timer) clearInterval(timer) } }
}

function selfSigned(serviceDomain: string): Pem {
  const { certificatePem, keyPem } = selfSignedCertificate([`ns1.${serviceDomain}`, `ns2.${serviceDomain}`], new Date())
  return { cert: certificatePem, key: keyPem }
}

function read([certificate, key]: readonly [string, string]): Pem {
  const pem = { cert: textOf(certificate), key: textOf(key) }
  try {
    tls.createSecureContext(pem)
  } catch (error) {
    throw new Problem(`${certificate} and ${key} are no certificate with its key (${error instanceof Error ? error.message : String(error)}).`, { cause: error })
  }
  return pem
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(`${file} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'failed'}). Change FAIRWAY_DNS_CERTIFICATE_FILE or FAIRWAY_DNS_CERTIFICATE_KEY_FILE.`, { cause: error })
  }
}

const changedAt = (files: readonly string[]): string => files.map((file) => (file === '' ? '' : (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0))).join(' ')
