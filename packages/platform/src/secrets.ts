import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'
import { Problem } from './problem.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A secret of the installation by name, made on first use, in `<home>/secrets/`, readable by the owner only. */
export function secret(config: { home: string }, name: string, bytes = 32): string {
  const folder = path.join(config.home, 'secrets')
  const file = path.join(folder, name)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!fs.existsSync(file)) {
    // Several roles may start at once: the link makes exactly one of them win.
    const draft = `${file}.${process.pid}`
    fs.writeFileSync(draft, crypto.randomBytes(bytes).toString('base64url'), { mode: 0o600, flush: true })
    try {
      fs.linkSync(draft, file)
      // What is sealed by it may be on the disk a moment later: so has the name to be.
      for (const place of [folder, config.home]) syncFolder(place)
    } catch (error) {
      if (!fs.existsSync(file)) throw error
    } finally {
      fs.unlinkSync(draft)
    }
  }
  const found = fs.readFileSync(file, 'utf8').trim()
  // Another one made in its place would open nothing that was sealed, and no node would know it.
  if (found === '')
    throw new Problem(
      `${file} is empty, as a power cut may leave it. Put it back from a backup, or from a machine that shares it; only where nothing was ever served may it be removed, and is made anew.`,
    )
  return found
}

function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** What nodes show to the API and the collector. */
export function nodeToken(config: Config): string {
  return config.nodeToken || secret(config, 'node-token')
}

/**
 * Twelve letters and digits that whoever makes the first account has to show: it reads what the start printed. The same
 * on every machine whose API may be asked.
 */
export function setupCode(config: Config): string {
  const digest = crypto.createHmac('sha256', nodeToken(config)).update('the first account').digest()
  return Array.from(digest.subarray(0, 12), (byte) => BASE32[byte & 31]).join('')
}

/** Compares two secrets in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => crypto.createHash('sha256').update(text).digest()
  return crypto.timingSafeEqual(digest(a), digest(b))
}
