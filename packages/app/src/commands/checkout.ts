import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The checkout that this code belongs to. */
export const CHECKOUT = path.join(import.meta.dirname, '../../../..')

/**
 * Path of a tool's program inside an installed package, as seen from a folder of the checkout. Looked for by hand,
 * because a package may hide its files from `require`.
 */
export function toolOf(packageName: string, program: string, from = '.'): string {
  const folders = createRequire(path.join(CHECKOUT, from, 'package.json')).resolve.paths(packageName) ?? []
  const found = folders.map((folder) => path.join(folder, packageName, program)).find((file) => fs.existsSync(file))
  if (!found) throw new Error(`${packageName} is not installed; run ./fairway check from the checkout`)
  return found
}
