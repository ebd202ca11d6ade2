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

export function homeFiles(home: string): ArchiveFile[] {
  const folder = path.join(home, 'secrets')
  const secrets = fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        // A draft of one that is being made is named by a process.
        .filter((name) => /^[\w-]+$/.test(name) && !NOT_KEPT.has(name))
        .map((name) => `secrets/${name}`)
    : []
  return [...FILES.filter((name) => fs.existsSync(path.join(home, name))), ...secrets].map((name) => ({
    kind: 'file',
    path: name,
    data: fs.readFileSync(path.join(home, name)).toString('base64'),
  }))
}

export function writeHomeFile(home: string, { path: name, data }: ArchiveFile): void {
  const file = path.join(home, name)
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(file, Buffer.from(data, 'base64'), { mode: 0o600 })
}
