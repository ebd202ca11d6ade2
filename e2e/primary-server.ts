import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

type HostPort = { host: string; port: number }
export const PRIMARY = '/usr/sbin/knotd'

/** A zone of somebody else at Knot: given to who signs with the key, and every change told to `notify`. */
export function startPrimary({
  at,
  folder,
  zone,
  text,
  key,
  notify,
}: {
  at: HostPort
  folder: string
  zone: string
  text: string
  key: { name: string; secret: string }
  notify: HostPort
}): AsyncDisposable & { replace(text: string): void } {
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'text')
  fs.writeFileSync(file, text)
  fs.writeFileSync(
    path.join(folder, 'conf'),
    `server:
  listen: ${at.host}@${at.port}
  rundir: ${folder}
  user: root:root
database:
  storage: ${folder}
key:
  - id: ${key.name}
    algorithm: hmac-sha256
    secret: ${key.secret}
remote:
  - id: fairway
    address: ${notify.host}@${notify.port}
    key: ${key.name}
acl:
  - id: transfer
    key: ${key.name}
    action: transfer
zone:
  - domain: ${zone}
    file: ${file}
    zonefile-load: difference
    zonefile-sync: -1
    journal-content: changes
    acl: transfer
    notify: fairway
`,
  )
  const server = spawn(PRIMARY, ['-c', path.join(folder, 'conf')], { stdio: 'ignore' })
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  return {
    replace(newer) {
      fs.writeFileSync(file, newer)
      server.kill('SIGHUP')
    },
    async [Symbol.asyncDispose]() {
      server.kill()
      await gone
    },
  }
}
