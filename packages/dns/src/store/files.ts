import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** What a name server keeps on disk, in `<home>/nodes/dns/`: all that it needs to answer and steer without the API. */
export type DnsFiles = {
  folder: string
  zones: string
  scores: string
  documents: string
  transfers: string
  flattened: string
}

export function dnsFiles(config: { home: string }): DnsFiles {
  const folder = path.join(config.home, 'nodes', 'dns')
  const files = {
    folder,
    zones: path.join(folder, 'zones'),
    scores: path.join(folder, 'scores'),
    documents: path.join(folder, 'documents'),
    transfers: path.join(folder, 'transfers'),
    flattened: path.join(folder, 'flattened.json'),
  }
  fs.mkdirSync(files.zones, { recursive: true })
  fs.mkdirSync(files.scores, { recursive: true })
  fs.mkdirSync(files.documents, { recursive: true })
  fs.mkdirSync(files.transfers, { recursive: true })
  return files
}

/** File name for an identifier that comes from elsewhere: readable when it is harmless, else its hash. */
export function safeFileName(id: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/.test(id)
    ? id
    : `${id.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 40)}_${crypto.createHash('sha256').update(id).digest('hex').slice(0, 16)}`
}

/** Writes a file whole or not at all, whenever the process dies. */
export async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  const draft = `${file}.${process.pid}.new`
  try {
    await fs.promises.writeFile(draft, content)
    await fs.promises.rename(draft, file)
  } catch (error) {
    await fs.promises.rm(draft, { force: true })
    throw error
  }
}

/** Removes drafts that a killed process left behind. */
export function removeDrafts(folder: string): void {
  for (const name of fs.readdirSync(folder))
    if (name.endsWith('.new')) fs.rmSync(path.join(folder, name), { force: true })
}
