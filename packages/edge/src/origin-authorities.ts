import fs from 'node:fs'
import { getCACertificates } from 'node:tls'
import { type Config, Problem } from '@fairway/platform'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g

/**
 * Authorities whose certificates are accepted of an origin that is to be checked, as PEM: Mozilla's, the system's, and
 * those of the setting. @throws Problem when its file cannot be read or holds none.
 */
export function originAuthorities({ originCaFile }: Pick<Config, 'originCaFile'>): string[] {
  return [
    ...new Set(
      [
        ...getCACertificates('bundled'),
        ...getCACertificates('system'),
        ...(originCaFile === '' ? [] : ownAuthorities(originCaFile)),
      ].map((pem) => pem.trim()),
    ),
  ]
}

function ownAuthorities(file: string): string[] {
  const found = readOrSay(file).match(CERTIFICATE)
  if (!found) throw new Problem(`${file} holds no certificate in PEM form. Correct FAIRWAY_ORIGIN_CA_FILE.`)
  return found
}

function readOrSay(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}). Correct FAIRWAY_ORIGIN_CA_FILE.`,
    )
  }
}
