import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * One line that changes when any of the files or folders does: names, sizes and times of change of all files in them.
 */
export function stampOf(sources: readonly string[]): string {
  const hash = crypto.createHash('sha256')
  for (const file of sources.flatMap(filesIn).sort()) {
    const { size, mtimeMs } = fs.statSync(file)
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function filesIn(source: string): string[] {
  if (!fs.existsSync(source)) return []
  if (!fs.statSync(source).isDirectory()) return [source]
  return fs
    .readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'dist')
    .flatMap((entry) => filesIn(path.join(source, entry.name)))
}

/** Whether a result was made from just these sources. */
export function builtFrom(resultFolder: string, stamp: string): boolean {
  const file = path.join(resultFolder, '.built-from')
  return fs.existsSync(file) && fs.readFileSync(file, 'utf8') === stamp
}

export function markBuilt(resultFolder: string, stamp: string): void {
  fs.writeFileSync(path.join(resultFolder, '.built-from'), stamp)
}
