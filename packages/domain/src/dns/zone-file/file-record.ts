import type { ZoneFileError, ZoneFileFormat } from '@fairway/contract'
import { labelsBelow, labelsOf, nameText, type Labels } from '../rdata/name-text.ts'
import { valueOfRdata } from '../record-values.ts'
import { readRecordTable } from './record-table.ts'
import { readZoneFile } from './read-zone-file.ts'

/**
 * A record of an imported file as a site would have it. `name` is relative to the site, or absolute with the last dot
 * when it is outside; the type may be any.
 */
export type FileRecord = {
  line: number
  name: string
  type: string
  ttlSeconds: number | null
  value: string
  preference: number | null
  multiCdn: boolean
  weight?: number | null
}

export type FileRecords = { records: FileRecord[]; errors: ZoneFileError[] }

/** Reads a file in either format for a site. */
export function readFileRecords(format: ZoneFileFormat, text: string, siteName: string): FileRecords {
  if (format === 'csv') return readRecordTable(text, siteName)
  const { records, errors } = readZoneFile(text, siteName)
  const site = labelsOf(`${siteName}.`)
  const names = new Map<string, string>()
  for (const { name } of records) if (!names.has(name)) names.set(name, relativeTo(site, name))
  return {
    records: records.map(({ line, name, ttlSeconds, type, rdata }) => ({
      line,
      name: names.get(name) ?? name,
      type,
      ttlSeconds,
      ...valueOfRdata(type, rdata),
      multiCdn: false,
    })),
    errors,
  }
}

function relativeTo(site: Labels, name: string): string {
  const own = labelsBelow(labelsOf(name), site)
  if (own === null) return name
  return own.length === 0 ? '@' : nameText(own).slice(0, -1)
}
