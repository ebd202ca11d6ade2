import type { ZoneFileFormat } from '@fairway/contract'
import { labelsBelow, labelsOf, nameText, type Labels } from '../rdata/name-text.ts'
import { valueOfRdata } from '../record-values.ts'
import { isOwnRemark } from './own-remarks.ts'
import { readNote } from './record-note.ts'
import { readRecordTable } from './record-table.ts'
import { readZoneFile } from './read-zone-file.ts'
import type { FileRecords } from './file-records.ts'

/** Reads a file in either format for a site. */
export function readFileRecords(format: ZoneFileFormat, text: string, siteName: string): FileRecords {
  if (format === 'csv') return readRecordTable(text, siteName)
  const { records, errors } = readZoneFile(text, siteName)
  const site = labelsOf(`${siteName}.`)
  const names = new Map<string, string>()
  for (const { name } of records) if (!names.has(name)) names.set(name, relativeTo(site, name))
  return {
    records: records.map(({ line, name, ttlSeconds, type, rdata, comment }) => ({
      line,
      name: names.get(name) ?? name,
      type,
      ttlSeconds,
      ...valueOfRdata(type, rdata),
      multiCdn: false,
      ...(comment === undefined || isOwnRemark(type, comment.trim()) ? {} : (readNote(comment) ?? {})),
    })),
    errors,
  }
}

function relativeTo(site: Labels, name: string): string {
  const own = labelsBelow(labelsOf(name), site)
  if (own === null) return name
  return own.length === 0 ? '@' : nameText(own).slice(0, -1)
}
