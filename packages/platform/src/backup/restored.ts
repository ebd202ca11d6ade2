import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { Problem } from '../problem.ts'

/** `moment`: what the restored database is of; null is as late as its log went. */
const Restoration = z.object({ id: z.uuid(), moment: z.iso.datetime().nullable() })
export type Restoration = z.infer<typeof Restoration>

const fileOf = (home: string): string => path.join(home, 'restored.json')

/** Tells the first start of a restored home that the world has gone on since. */
export function writeRestored(home: string, moment: string | null): void {
  const restoration: Restoration = { id: crypto.randomUUID(), moment }
  fs.writeFileSync(fileOf(home), `${JSON.stringify(restoration)}\n`, { mode: 0o600 })
}

/** What this home was restored to the last time; null when it never was. @throws Problem when the file is damaged */
export function readRestored(home: string): Restoration | null {
  const file = fileOf(home)
  if (!fs.existsSync(file)) return null
  try {
    return Restoration.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Problem(`${file} is damaged. Restore again, or remove it if nothing was restored here.`, { cause })
  }
}
