import fs from 'node:fs'
import { BYO_FIELDS, ByoPlatform } from '@fairway/contract'
import { type Config, ConfigError } from '@fairway/platform'
import { z } from 'zod'

const KeysFile = z.partialRecord(ByoPlatform, z.record(z.string(), z.string()))
export type ManagedKeys = z.infer<typeof KeysFile>

/**
 * The operator's own keys at vendors, by vendor, from the file that a setting names.
 * @throws ConfigError with what is wrong, and without anything of what stands in the file
 */
export function managedKeys({ cdnKeysFile }: Pick<Config, 'cdnKeysFile'>): ManagedKeys {
  if (cdnKeysFile === '') return {}
  const keys = KeysFile.safeParse(readJson(cdnKeysFile))
  if (!keys.success)
    throw wrong(
      cdnKeysFile,
      `it must be like {"fastly": {"token": "…"}}, with any of ${ByoPlatform.options.join(', ')}`,
    )
  for (const [platform, values] of Object.entries(keys.data) as [ByoPlatform, Record<string, string>][]) {
    for (const { name, form, required, many } of BYO_FIELDS[platform]) {
      const parts = many ? (values[name] ?? '').split(/[\s,]+/).filter(Boolean) : [values[name] ?? ''].filter(Boolean)
      if ((required && parts.length === 0) || parts.some((part) => !form.test(part)))
        throw wrong(cdnKeysFile, `"${name}" of ${platform} is missing or has another form`)
    }
  }
  return keys.data
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    throw wrong(file, 'it cannot be read, or is no JSON')
  }
}

const wrong = (file: string, why: string): ConfigError => new ConfigError(`FAIRWAY_CDN_KEYS_FILE=${file}: ${why}.`)
