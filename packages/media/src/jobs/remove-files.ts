import fs from 'node:fs'
import path from 'node:path'
import { type Place, fileOf, folderOf } from './intake.ts'
import { filesRemoved, removed } from './store.ts'

/**
 * Removes what a path names, one file after the other: a window of hours is sixty thousand, and who delivers or sends
 * meanwhile waits for one of them. Nothing where there is nothing.
 */
export async function removeGently(from: string): Promise<void> {
  const { rm, rmdir, readdir } = fs.promises
  const isFolder = (await fs.promises.lstat(from).catch(withoutFile))?.isDirectory() ?? false
  if (!isFolder) return rm(from, { force: true })
  for (const name of await readdir(from)) await removeGently(path.join(from, name))
  await rmdir(from)
}

function withoutFile(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** Removes what nobody wants any more. One that cannot be removed keeps no other; it is told after. */
export async function removeFiles({ config, database }: Place, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const asset of await database.system(removed)) {
    if (signal.aborted) return
    const file = fileOf(config, asset.file_id)
    try {
      for (const gone of [file, `${file}.json`, `${fileOf(config, asset.id)}.json`, folderOf(config, asset)])
        await removeGently(gone)
      await database.system((tx) => filesRemoved(tx, asset.id))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
