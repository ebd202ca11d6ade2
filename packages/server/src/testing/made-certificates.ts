import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export type Made = { certificate: string; privateKey: string }
export type Wanted = {
  subject?: string
  names?: string[]
  key?: 'rsa:1024' | 'rsa:2048' | 'rsa:3072' | 'rsa:4096' | 'ec'
  days?: number
  issuer?: Made
  ca?: boolean
  /** Further extensions, as openssl writes them. */ extensions?: string[]
}

/** A certificate made by openssl, signed by itself or by `issuer`. */
export function makeCertificate({
  subject = '/CN=www.harbour.example',
  names = ['www.harbour.example'],
  key = 'rsa:2048',
  days = 30,
  issuer,
  ca = false,
  extensions = [],
}: Wanted = {}): Made {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'certificate-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  try {
    openssl(
      'req',
      '-new',
      '-nodes',
      '-newkey',
      key,
      ...(key === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:P-256'] : []),
      '-keyout',
      'key.pem',
      '-out',
      'request.pem',
      '-subj',
      subject,
    )
    fs.writeFileSync(
      path.join(folder, 'extensions'),
      `basicConstraints=CA:${ca ? 'TRUE' : 'FALSE'}\n${names.length > 0 ? `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n` : ''}${extensions.map((line) => `${line}\n`).join('')}`,
    )
    if (issuer) {
      fs.writeFileSync(path.join(folder, 'issuer.pem'), issuer.certificate)
      fs.writeFileSync(path.join(folder, 'issuer.key'), issuer.privateKey)
    }
    openssl(
      'x509',
      '-req',
      '-in',
      'request.pem',
      '-out',
      'certificate.pem',
      '-days',
      String(days),
      '-extfile',
      'extensions',
      ...(issuer ? ['-CA', 'issuer.pem', '-CAkey', 'issuer.key', '-CAcreateserial'] : ['-key', 'key.pem']),
    )
    return {
      certificate: fs.readFileSync(path.join(folder, 'certificate.pem'), 'utf8'),
      privateKey: fs.readFileSync(path.join(folder, 'key.pem'), 'utf8'),
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
