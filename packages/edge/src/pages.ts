import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { EdgePages } from '@fairway/contract'
import type { Keyed, PageDocument } from '@fairway/edge-lua'
import { keyed } from './policy/policy.ts'

/** Texts of pages as files that nginx reads when it shows one; each is named by its content. */
export type PageFiles = {
  /** Writes what is not there yet, and says where each page lies. */
  write(pages: EdgePages): Keyed<PageDocument>[]
  /** Removes the files that none of these documents names. */
  tidy(documents: Iterable<Keyed<PageDocument>>): void
}

export function pageFiles(prefix: string): PageFiles {
  const folder = path.join(prefix, 'pages')
  fs.mkdirSync(folder, { recursive: true })
  // Workers read it under an account of their own.
  fs.chmodSync(folder, 0o755)
  return {
    write: ({ pages, version }) =>
      pages.map(({ key, texts }) =>
        keyed(`page:${key}`, version, {
          files: Object.fromEntries(
            Object.entries(texts).map(([language, text]) => [language, writeOnce(folder, text)]),
          ),
        }),
      ),
    tidy(documents) {
      const named = new Set([...documents].flatMap(({ document }) => Object.values(document.files)))
      for (const name of fs.readdirSync(folder))
        if (!named.has(path.join(folder, name))) fs.rmSync(path.join(folder, name), { force: true })
    },
  }
}

function writeOnce(folder: string, text: string): string {
  const file = path.join(folder, `${crypto.createHash('sha256').update(text).digest('hex')}.html`)
  if (fs.existsSync(file)) return file
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, text, { mode: 0o644 })
  fs.renameSync(draft, file)
  return file
}
