import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A certificate for these names that nobody but itself has signed, and its RSA key; PEM. */
export function selfSigned(names: readonly string[]): { certificate: string; privateKey: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'self-signed-'))
  try {
    const words = `req -x509 -nodes -newkey rsa:2048 -days 30 -keyout key.pem -out made.pem -subj /CN=${names[0]} -addext`
    const extensions = [
      `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ]
    execFileSync('openssl', [...words.split(' '), ...extensions], { cwd: folder, stdio: 'pipe' })
    const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8')
    return { certificate: read('made.pem'), privateKey: read('key.pem') }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
