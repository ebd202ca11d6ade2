import fs from 'node:fs'
import path from 'node:path'

export type PlayerFile = { plain: Buffer; br: Buffer | null; gz: Buffer | null; isSettled: boolean }

/** What has a hash in its name never holds anything else. */
const HASHED = /^[\w.-]{1,60}-[\w-]{8}\.js$/
const ENTRY = 'v1.js'

/**
 * Files of the player by name. A page that has an entry of before asks for the files that it names, so these are kept
 * in a folder of their own; without a build there are none.
 */
export function loadPlayer(built: string | null, kept: string): ReadonlyMap<string, PlayerFile> {
  const files = new Map<string, PlayerFile>()
  if (built === null || !fs.existsSync(path.join(built, ENTRY))) return files
  fs.mkdirSync(kept, { recursive: true, mode: 0o700 })
  for (const name of fs.readdirSync(built)) {
    if (!HASHED.test(name) || fs.existsSync(path.join(kept, name))) continue
    for (const ending of ['', '.br', '.gz'])
      copy(path.join(built, `${name}${ending}`), path.join(kept, `${name}${ending}`))
  }
  for (const name of fs.readdirSync(kept)) if (HASHED.test(name)) files.set(name, read(kept, name))
  files.set(ENTRY, read(built, ENTRY))
  return files
}

function copy(from: string, to: string): void {
  if (!fs.existsSync(from)) return
  fs.copyFileSync(from, `${to}.new`)
  fs.renameSync(`${to}.new`, to)
}

function read(folder: string, name: string): PlayerFile {
  const file = (ending: string) => {
    const at = path.join(folder, `${name}${ending}`)
    return fs.existsSync(at) ? fs.readFileSync(at) : null
  }
  return { plain: file('') ?? Buffer.alloc(0), br: file('.br'), gz: file('.gz'), isSettled: HASHED.test(name) }
}

/** The smallest form that is accepted; `q=0` says no (RFC 9110 12.4.2). */
export function encodedFor({ plain, br, gz }: PlayerFile, accepted: string): { encoding: string | null; body: Buffer } {
  const takes = (name: string) =>
    accepted
      .toLowerCase()
      .split(',')
      .some((one) => one.split(';')[0]?.trim() === name && !/;\s*q=0(?:\.0*)?\s*$/.test(one))
  if (br && takes('br')) return { encoding: 'br', body: br }
  if (gz && takes('gzip')) return { encoding: 'gzip', body: gz }
  return { encoding: null, body: plain }
}
