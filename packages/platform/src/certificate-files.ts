import crypto from 'node:crypto'
import fs from 'node:fs'
import { createSecureContext } from 'node:tls'
import { Problem } from './problem.ts'

export type Pem = { cert: string; key: string }
/** Where a certificate with its chain and its key are, and how the settings that say so are called. */
export type CertificateFiles = { cert: string; key: string; settings: string }

const LOOK_EVERY_MS = 5_000

/**
 * @throws Problem when the files cannot be read or do not belong together
 */
export function readCertificate({ cert, key, settings }: CertificateFiles): Pem {
  const pem = { cert: textOf(cert, settings), key: textOf(key, settings) }
  try {
    createSecureContext(pem)
    endOf(pem)
  } catch (error) {
    throw new Problem(
      `${cert} and ${key} are no certificate with its key (${error instanceof Error ? error.message : String(error)}).`,
      { cause: error },
    )
  }
  return pem
}

/** Last moment of a certificate, in milliseconds since 1970. */
export function endOf({ cert }: Pick<Pem, 'cert'>): number {
  return Date.parse(new crypto.X509Certificate(cert).validTo)
}

export type Watched = {
  files: CertificateFiles
  /** What is shown until then; null is nothing. */
  shown: Pem | null
  taken: (pem: Pem) => void
  /** Is called once for each reason; what was shown stays. */
  refused: (error: Error) => void
  everyMs?: number
}

/**
 * Reads the files again when they have changed. Half a renewal, a key of another certificate, and one that has expired
 * while the one before has not, are refused until the files are well.
 */
export function watchCertificate({ files, shown, taken, refused, everyMs = LOOK_EVERY_MS }: Watched): Disposable {
  let current = shown
  let seen = ''
  let said = ''
  const look = () => {
    const now = changedAt(files)
    if (now === seen) return
    try {
      const fresh = readCertificate(files)
      if (current !== null && endOf(fresh) <= Date.now() && endOf(current) > Date.now())
        throw new Problem(`The certificate in ${files.cert} has expired.`)
      seen = now
      said = ''
      if (fresh.cert === current?.cert && fresh.key === current.key) return
      current = fresh
      taken(fresh)
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      if (reason.message === said) return
      said = reason.message
      refused(reason)
    }
  }
  const timer = setInterval(look, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function textOf(file: string, settings: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(
      `${file} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'failed'}). Change ${settings}.`,
      { cause: error },
    )
  }
}

/** Also another file in its place and other rights count as a change. */
const changedAt = ({ cert, key }: CertificateFiles): string =>
  [cert, key]
    .map((file) => {
      const found = fs.statSync(file, { throwIfNoEntry: false })
      return found ? `${found.ino} ${found.ctimeMs} ${found.size}` : ''
    })
    .join(' ')
