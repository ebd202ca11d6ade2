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
  const siteText = nameText(site)
  return {
    records: records.map(({ line, name: absolute, ttlSeconds, type, rdata, comment }) => {
      const { value, preference } = valueOfRdata(type, rdata)
      const name = relativeTo(site, siteText, absolute)
      const record = { line, name, type, ttlSeconds, value, preference, multiCdn: false }
      return comment === undefined || isOwnRemark(type, comment.trim()) ? record : { ...record, ...readNote(comment) }
    }),
    errors,
  }
}

function relativeTo(site: Labels, siteText: string, name: string): string {
  // Where nothing is escaped each dot parts two labels, as in nearly all names of nearly all files.
  if (!name.includes('\\') && !siteText.includes('\\')) {
    if (name === siteText) return '@'
    return name.endsWith(`.${siteText}`) ? name.slice(0, -siteText.length - 1) : name
  }
  const own = labelsBelow(labelsOf(name), site)
  if (own === null) return name
  return own.length === 0 ? '@' : nameText(own).slice(0, -1)
}
