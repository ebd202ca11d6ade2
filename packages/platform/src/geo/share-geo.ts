import fs from 'node:fs'
import path from 'node:path'

const SHARED = path.join(import.meta.dirname, '../../../../node_modules/.cache/fairway-geo')

/**
 * Gives a home of a test or benchmark the location data that all of this checkout share: it takes seconds to make and
 * is the same for everyone.
 */
export function shareGeo(home: string): void {
  fs.mkdirSync(SHARED, { recursive: true })
  fs.symlinkSync(SHARED, path.join(home, 'geo'))
}
