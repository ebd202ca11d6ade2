import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import type { Config } from './config.ts'
import { Problem } from './problem.ts'

const FILE = 'leaked-passwords.sha1'
const WRITE_BYTES = 1 << 20

/** SHA-1 digests of passwords known from breaches, 20 bytes each, in order. Read by the edge of this machine. */
export const leakedPasswordsFile = (config: Pick<Config, 'home'>): string => path.join(config.home, 'edge', FILE)

/**
 * Brings in a list of digests: one a line, 40 hexadecimal digits and whatever follows a colon, in order, as lists of
 * breached passwords are handed out. Replaces the one before, at once and whole. Returns how many there are.
 * @throws Problem with the line that is none, or out of order; then the one before stays
 */
export async function importLeakedPasswords(config: Pick<Config, 'home'>, source: string): Promise<number> {
  const target = leakedPasswordsFile(config)
  const draft = `${target}.${process.pid}`
  fs.mkdirSync(path.dirname(target), { recursive: true })
  const out = fs.openSync(draft, 'w', 0o644)
  try {
    const count = await written(source, out)
    fs.closeSync(out)
    fs.renameSync(draft, target)
    // Tells the edge that it is another.
    fs.writeFileSync(`${draft}.mark`, `${Date.now()} ${count}`, { mode: 0o644 })
    fs.renameSync(`${draft}.mark`, `${target}.mark`)
    return count
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}

async function written(source: string, out: number): Promise<number> {
  const lines = readline.createInterface({ input: fs.createReadStream(source), crlfDelay: Infinity })
  let [count, number, last] = [0, 0, '']
  let waiting: Buffer[] = []
  const flush = () => {
    fs.writeSync(out, Buffer.concat(waiting))
    waiting = []
  }
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    const digest = /^([0-9A-Fa-f]{40})(?::.*)?$/.exec(line.trim())?.[1]?.toLowerCase()
    if (digest === undefined) throw new Problem(`line ${number} of ${source} is no SHA-1 digest`)
    if (digest < last) throw new Problem(`line ${number} of ${source} is out of order; bring the list sorted by digest`)
    if (digest === last) continue
    last = digest
    count += 1
    waiting.push(Buffer.from(digest, 'hex'))
    if (waiting.length * 20 >= WRITE_BYTES) flush()
  }
  flush()
  return count
}
