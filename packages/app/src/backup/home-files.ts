import fs from 'node:fs'
import path from 'node:path'
import type { ArchiveFile } from '@fairway/platform'

/**
 * What of a home cannot be made anew, beside the rows of its engines: its secrets, its settings, and what the checks of
 * the audit log remember. Nodes fetch their documents again, and location data, caches and compiled code are made anew.
 * The password of an embedded database belongs to its files; a restored one has another.
 */
const FILES = ['audit-heads.json', 'beacon-tag.html', 'demo.json', 'fairway.conf']
const NOT_KEPT = new Set(['database-password'])

/** To be read before the rows: heads that were noted later would be ahead of them. */
export function notedFiles(home: string): ArchiveFile[] {
  return FILES.filter((name) => fs.existsSync(path.join(home, name))).map((name) => readFile(home, name))
}

/** To be read after the moment of the rows: a key is made when something is first sealed with it. */
export function secretFiles(home: string): ArchiveFile[] {
  const folder = path.join(home, 'secrets')
  if (!fs.existsSync(folder)) return []
  return (
    fs
      .readdirSync(folder)
      // A draft of one that is being made is named by a process.
      .filter((name) => /^[\w-]+$/.test(name) && !NOT_KEPT.has(name))
      .map((name) => readFile(home, `secrets/${name}`))
  )
}

/** Those of copied files of the database, which know its password. */
export function secretsWithPassword(home: string): ArchiveFile[] {
  return [...secretFiles(home), readFile(home, 'secrets/database-password')]
}

function readFile(home: string, name: string): ArchiveFile {
  return { kind: 'file', path: name, data: fs.readFileSync(path.join(home, name)).toString('base64') }
}

export function writeHomeFile(home: string, { path: name, data }: ArchiveFile): void {
  const file = path.join(home, name)
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(file, Buffer.from(data, 'base64'), { mode: 0o600 })
}
