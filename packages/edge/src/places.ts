import fs from 'node:fs'
import { type Config, geoNames } from '@fairway/platform'

/** Writes down for nginx where the location data is and what its names mean, once both are there. */
export async function writePlaces(config: Config, file: string): Promise<void> {
  const names = await geoNames(config)
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(names), { mode: 0o644 })
  fs.renameSync(draft, file)
}
