import { BYO_FIELDS, type ByoPlatform } from '@fairway/contract'
import { unseal, type Config } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import type { ByoKeyRow } from './store.ts'

/** Bound into the sealed secrets of a key. */
export const purposeOf = (id: string): string => `byo-cdn-key ${id}`

export function secretsOf(config: Config, row: Pick<ByoKeyRow, 'id' | 'sealed'>): Record<string, string> {
  return JSON.parse(unseal(config, purposeOf(row.id), row.sealed)) as Record<string, string>
}

export type Values = Record<string, string>

export const secretNames = (platform: ByoPlatform): string[] =>
  BYO_FIELDS[platform].filter((field) => field.secret).map((field) => field.name)

/**
 * Every field in its form, secrets that were left out as they are stored. @throws Failure 8491 with the fields that are
 * not
 */
export function checkedValues(platform: ByoPlatform, given: Values, kept: Values): Values {
  const known = BYO_FIELDS[platform]
  const wrong = Object.keys(given).filter((name) => !known.some((field) => field.name === name))
  const values: Values = {}
  for (const { name, form, required, secret: isSecret, many } of known) {
    const text = given[name] || (isSecret ? (kept[name] ?? '') : '')
    const parts = many ? text.split(/[\s,]+/).filter(Boolean) : [text].filter(Boolean)
    if (parts.some((part) => !form.test(part)) || (required && parts.length === 0)) wrong.push(name)
    else if (parts.length) values[name] = parts.join('\n')
  }
  if (wrong.length)
    throw new Failure(8491, { fields: wrong.map((name) => ({ path: `values.${name}`, message: 'code:8491' })) })
  return values
}

/** What may be shown of a key, and what is sealed. */
export function splitValues(platform: ByoPlatform, values: Values): { open: Values; secrets: Values } {
  const names = new Set(secretNames(platform))
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name) === wanted))
  return { open: pick(false), secrets: pick(true) }
}
