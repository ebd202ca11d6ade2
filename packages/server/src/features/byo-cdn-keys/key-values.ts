import { unseal, type Config } from '@fairway/platform'
import type { ByoKeyRow } from './store.ts'

/** Bound into the sealed secrets of a key. */
export const purposeOf = (id: string): string => `byo-cdn-key ${id}`

export function secretsOf(config: Config, row: Pick<ByoKeyRow, 'id' | 'sealed'>): Record<string, string> {
  return JSON.parse(unseal(config, purposeOf(row.id), row.sealed)) as Record<string, string>
}
