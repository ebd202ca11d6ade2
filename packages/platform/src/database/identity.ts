import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** As whom PostgreSQL runs: it refuses to run as root. */
export type Identity = {
  command(file: string, args: string[]): { file: string; args: string[]; options: { uid?: number; gid?: number } }
  /** Gives the paths, with everything below them, to that user. */
  own(...paths: string[]): void
}

/** The user `nobody` of every Unix; used only where user namespaces are forbidden. */
const NOBODY = 65_534

let known: Identity | undefined

/**
 * Not root: as it is. Root: in a user namespace of its own, where root appears as user 1000, so that files stay root's
 * and no system user is made;
 * where that is forbidden (some containers), as `nobody`, who then owns the files.
 */
export function identity(): Identity {
  known ??= process.getuid?.() !== 0 ? itself : namespacesAllowed() ? inNamespace : asNobody
  return known
}

const itself: Identity = { command: (file, args) => ({ file, args, options: {} }), own() {} }

const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000']
const inNamespace: Identity = {
  command: (file, args) => ({ file: 'unshare', args: [...NAMESPACE, file, ...args], options: {} }),
  own() {},
}

const asNobody: Identity = {
  command: (file, args) => ({ file, args, options: { uid: NOBODY, gid: NOBODY } }),
  own(...paths) {
    for (const top of paths) {
      chown(top)
      // The socket folder lies in a private one: others may pass through it, not read it.
      fs.chmodSync(path.dirname(top), fs.statSync(path.dirname(top)).mode | 0o011)
    }
  },
}

function chown(file: string): void {
  const stat = fs.lstatSync(file)
  if (stat.uid !== NOBODY) fs.lchownSync(file, NOBODY, NOBODY)
  if (stat.isDirectory()) for (const name of fs.readdirSync(file)) chown(path.join(file, name))
}

function namespacesAllowed(): boolean {
  return spawnSync('unshare', [...NAMESPACE, 'true'], { stdio: 'ignore' }).status === 0
}
