import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { NotStored, type Storage, StorageError, type StoredObject, checkKey } from './storage.ts'

/** A folder, with a file for each object. */
export function diskStorage(folder: string): Storage {
  const fileOf = (key: string) => path.join(folder, checkKey(key))
  const stat = async (key: string): Promise<StoredObject | null> => {
    const found = await fs.promises.stat(fileOf(key)).catch(asMissing)
    return found?.isFile() ? { key, bytes: found.size, changedAt: found.mtimeMs } : null
  }
  return {
    address: (key) => (key === undefined ? folder : fileOf(key)),
    async put(key, bytes) {
      const file = fileOf(key)
      // Another process may put the same key at the same time: each whole, and one of them stays.
      const partial = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.partial`)
      await fs.promises.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      try {
        await pipeline(
          Readable.from(bytes, { objectMode: false }),
          fs.createWriteStream(partial, { mode: 0o600, flush: true }),
        )
        await fs.promises.rename(partial, file)
      } catch (error) {
        await fs.promises.rm(partial, { force: true })
        throw error
      }
      const stored = await stat(key)
      if (stored === null) throw new StorageError(`${file} was taken away while it was written.`)
      return stored
    },
    async *get(key, range) {
      if ((await stat(key)) === null) throw new NotStored(`There is no file ${fileOf(key)}.`)
      const { from = 0, to } = range ?? {}
      if (to !== undefined && to <= from) return
      // The last byte that is read is part of it here.
      const stream = fs.createReadStream(fileOf(key), { start: from, ...(to === undefined ? {} : { end: to - 1 }) })
      yield* stream as AsyncIterable<Buffer>
    },
    head: stat,
    async *list(prefix = '') {
      const under = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')))
      const keys = await keysIn(folder, under === '' ? '' : checkKey(under))
      for (const key of keys.filter((one) => one.startsWith(prefix)).sort()) {
        const found = await stat(key)
        if (found) yield found
      }
    },
    async delete(key) {
      await fs.promises.rm(fileOf(key), { force: true })
    },
    async sweep(prefix) {
      const names = await fs.promises.readdir(folder).catch(asMissing)
      for (const name of names ?? [])
        if (name.startsWith(`.${prefix}`) && name.endsWith('.partial'))
          await fs.promises.rm(path.join(folder, name), { force: true })
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function keysIn(folder: string, under: string): Promise<string[]> {
  const entries = (await fs.promises.readdir(path.join(folder, under), { withFileTypes: true }).catch(asMissing)) ?? []
  const shown = entries.filter(({ name }) => !name.startsWith('.') && isKey(name))
  const keys = await Promise.all(
    shown.map((entry) => {
      const key = under === '' ? entry.name : `${under}/${entry.name}`
      return entry.isDirectory() ? keysIn(folder, key) : entry.isFile() ? [key] : []
    }),
  )
  return keys.flat()
}

function isKey(name: string): boolean {
  try {
    return checkKey(name) === name
  } catch {
    return false
  }
}

function asMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
