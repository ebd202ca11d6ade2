import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Problem, runDir } from '@fairway/platform'

/** Where the edge keeps what nginx reads and writes. */
export type EdgeLayout = {
  prefix: string
  configurations: string
  requestLog: string
  adminSocket: string
  innerSocket: string
  tierSocket: string
  sliceSocket: string
  /** Of the process that speaks HTTP/3, and where it asks nginx. */
  frontFolder: string
  visitorsSocket: string
  certificatesSocket: string
  hintsSocket: string
  /** Folder of the process that has the rule set, and the beginning of its sockets' names. */
  inspection: string
  inspectorSockets: string
  certificate: string
  certificateKey: string
  /** Of this installation's machines among themselves. */
  relayCertificate: string
  relayKey: string
  originAuthorities: string
  /** Says where the location data is, once it is there. */
  places: string
  captchas: string
  /** There while the disk is nearly full. */
  scarce: string
}

/** Makes the folders and names the files. */
export function edgeLayout(config: { home: string }): EdgeLayout {
  const prefix = path.join(config.home, 'edge')
  for (const folder of ['cache', 'temp', 'log', 'conf']) fs.mkdirSync(path.join(prefix, folder), { recursive: true })
  // nginx makes its log folder's files for its workers' account, which may not be ours.
  fs.chmodSync(prefix, 0o711)
  fs.chmodSync(path.join(prefix, 'log'), 0o755)
  // Names of sockets in it are short: an address holds 107 bytes.
  const frontFolder = path.join(workerSocketDir(config.home, prefix), 'h3')
  return {
    prefix,
    configurations: path.join(prefix, 'conf'),
    requestLog: path.join(prefix, 'log', 'requests.log'),
    // Opened by the master and passed on, so the folder may be closed to the workers' account.
    adminSocket: path.join(runDir(config), 'edge-admin.sock'),
    innerSocket: path.join(workerSocketDir(config.home, prefix), 'inner.sock'),
    tierSocket: path.join(workerSocketDir(config.home, prefix), 'tier.sock'),
    sliceSocket: path.join(workerSocketDir(config.home, prefix), 'slice.sock'),
    frontFolder,
    visitorsSocket: path.join(frontFolder, 'v.sock'),
    certificatesSocket: path.join(frontFolder, 'c.sock'),
    hintsSocket: path.join(frontFolder, 'h.sock'),
    inspection: path.join(prefix, 'inspection'),
    inspectorSockets: path.join(workerSocketDir(config.home, prefix), 'waf'),
    certificate: path.join(prefix, 'conf', 'default.crt'),
    certificateKey: path.join(prefix, 'conf', 'default.key'),
    relayCertificate: path.join(prefix, 'conf', 'relay.crt'),
    relayKey: path.join(prefix, 'conf', 'relay.key'),
    originAuthorities: path.join(prefix, 'conf', 'origin-authorities.pem'),
    places: path.join(prefix, 'places.json'),
    captchas: path.join(prefix, 'captchas.json'),
    scarce: path.join(prefix, 'scarce'),
  }
}

/** What each nginx has to itself, so that two can run side by side while one takes over from the other. */
export type GenerationFiles = {
  adminSocket: string
  innerSocket: string
  tierSocket: string
  sliceSocket: string
  visitorsSocket: string
  certificatesSocket: string
  hintsSocket: string
  configuration: string
  pidFile: string
}

export function ofGeneration(layout: EdgeLayout, number: number): GenerationFiles {
  const numbered = (file: string) => file.replace(/(\.\w+)$/, `.${number}$1`)
  return {
    adminSocket: numbered(layout.adminSocket),
    innerSocket: numbered(layout.innerSocket),
    tierSocket: numbered(layout.tierSocket),
    sliceSocket: numbered(layout.sliceSocket),
    visitorsSocket: numbered(layout.visitorsSocket),
    certificatesSocket: numbered(layout.certificatesSocket),
    hintsSocket: numbered(layout.hintsSocket),
    configuration: path.join(layout.configurations, `nginx.${number}.conf`),
    pidFile: path.join(layout.prefix, `nginx.${number}.pid`),
  }
}

/**
 * The account for workers when the master is root: an unprivileged one if it can reach the folders below the home, else
 * root,
 * because a home in /root is closed to everyone else. Null when we are not root: workers are what the master is.
 */
export function workerAccount(prefix: string, accounts = fs.readFileSync('/etc/passwd', 'utf8')): string | null {
  if (process.getuid?.() !== 0) return null
  const account = ['www-data', 'nobody'].find((name) => accounts.includes(`\n${name}:`))
  return account && reachableByOthers(prefix) ? account : 'root'
}

function reachableByOthers(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/** A socket address holds 107 bytes; a home too deep for that gets a folder under the system's temporary one. */
function workerSocketDir(home: string, prefix: string): string {
  const inPrefix = path.join(prefix, 'run')
  const id = crypto.createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 10)
  const folder = Buffer.byteLength(inPrefix) <= 90 ? inPrefix : path.join(os.tmpdir(), `fairway-edge-${id}`)
  fs.mkdirSync(folder, { recursive: true, mode: 0o711 })
  const found = fs.lstatSync(folder)
  // In a folder that everyone may write to, somebody else may have been first.
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid()))
    throw new Problem(`${folder} belongs to another user. Remove it.`)
  return folder
}
