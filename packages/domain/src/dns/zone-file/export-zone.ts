import type { Rrset, ZoneFileFormat } from '@fairway/contract'
import { absoluteName } from '../names.ts'
import { AUTO_TTL_SECONDS, STEERED_TTL_SECONDS, toRdata, type WireRecord } from '../to-rrsets.ts'
import { hexText } from '../rdata/fields.ts'
import { rdataBytes } from '../rdata/rdata.ts'
import { typeCode } from '../rdata/type-codes.ts'
import { writeCsv } from './csv.ts'
import { STEERED_REMARK, aliasRemark } from './own-remarks.ts'
import { type RecordNote, writeNote } from './record-note.ts'
import { COLUMNS, tamed } from './record-table.ts'
import { inZoneOrder, writeZoneFile, type ZoneFileLine } from './write-zone-file.ts'

type ExportedSite = {
  name: string
  /** SOA and nameservers, which a zone file needs and a table of records does not. */
  apex: readonly Rrset[]
}

/** A record with what its owner notes beside it. */
type NotedRecord = WireRecord & Partial<RecordNote>

/**
 * A site's records as a file that `readFileRecords` reads back: what multi-CDN steers is its origin, with a remark. In
 * a zone file a steered CNAME at the apex is
 * a remark as a whole, since other servers refuse it.
 */
export function exportZone(format: ZoneFileFormat, records: readonly NotedRecord[], site: ExportedSite): string {
  return format === 'csv' ? asTable(records, site.name) : asZoneFile(records, site)
}

function asZoneFile(records: readonly NotedRecord[], { name, apex }: ExportedSite): string {
  const own = apex.flatMap((set) =>
    set.rdata.map((rdata): ZoneFileLine => ({
      name: `${set.name}.`,
      ttlSeconds: set.ttlSeconds,
      type: set.type,
      rdata,
    })),
  )
  return writeZoneFile([...own, ...records.map((record) => lineOf(record, name))])
}

function lineOf(record: NotedRecord, siteName: string): ZoneFileLine {
  const { type, name, ttlSeconds, multiCdn } = record
  if (type === 'ALIAS') return aliasLine(record, siteName)
  return {
    name: `${absoluteName(name, siteName)}.`,
    ttlSeconds: ttlSeconds ?? (multiCdn ? STEERED_TTL_SECONDS : AUTO_TTL_SECONDS),
    type,
    rdata: toRdata(record),
    ...remarkOf(record, multiCdn ? STEERED_REMARK : null),
    ...(multiCdn ? { isRemark: type === 'CNAME' && name === '@' } : {}),
  }
}

/** The owner's note goes before what is said by itself. */
function remarkOf(record: NotedRecord, usual: string | null): { remark?: string } {
  const remark = writeNote(record) ?? usual
  return remark === null ? {} : { remark }
}

/** Other servers take it by its number only; the remark says what it is. */
function aliasLine(record: NotedRecord, siteName: string): ZoneFileLine {
  const rdata = [...(rdataBytes('ALIAS', toRdata(record)) ?? [])]
  return {
    name: `${absoluteName(record.name, siteName)}.`,
    ttlSeconds: record.ttlSeconds ?? AUTO_TTL_SECONDS,
    type: `TYPE${typeCode('ALIAS')}`,
    rdata: `\\# ${rdata.length} ${hexText(rdata)}`,
    ...remarkOf(record, aliasRemark(toRdata(record))),
  }
}

/** Texts stay in quotes: as they stand, some of them would be formulas to a spreadsheet. */
function asTable(records: readonly NotedRecord[], siteName: string): string {
  const hasWeights = records.some(({ weight }) => (weight ?? null) !== null)
  const hasNotes = records.some((record) => writeNote(record) !== null)
  const keyed = records.map((record) => ({ ...lineOf(record, siteName), record }))
  const rows = inZoneOrder(keyed).map(({ record }) => [
    record.name,
    record.type,
    record.ttlSeconds === null ? 'auto' : String(record.ttlSeconds),
    record.preference === null ? '' : String(record.preference),
    record.type === 'TXT' ? toRdata(record) : record.value,
    String(record.multiCdn),
    ...(hasWeights ? [record.weight?.toString() ?? ''] : []),
    ...(hasNotes ? [tamed(record.comment ?? ''), (record.tags ?? []).join(', ')] : []),
  ])
  const isLeftOut = { weight: !hasWeights, comment: !hasNotes, tags: !hasNotes } as Record<string, boolean>
  return writeCsv([COLUMNS.filter((column) => isLeftOut[column] !== true), ...rows])
}
