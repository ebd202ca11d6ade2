import type { Rrset, ZoneFileFormat } from '@fairway/contract'
import { absoluteName } from '../names.ts'
import { AUTO_TTL_SECONDS, STEERED_TTL_SECONDS, toRdata, type WireRecord } from '../to-rrsets.ts'
import { hexText } from '../rdata/fields.ts'
import { rdataBytes } from '../rdata/rdata.ts'
import { typeCode } from '../rdata/type-codes.ts'
import { writeCsv } from './csv.ts'
import { COLUMNS } from './record-table.ts'
import { inZoneOrder, writeZoneFile, type ZoneFileLine } from './write-zone-file.ts'

type ExportedSite = {
  name: string
  /** SOA and nameservers, which a zone file needs and a table of records does not. */
  apex: readonly Rrset[]
}

const STEERED = 'multi-CDN answers this name, the record is its origin'

/**
 * A site's records as a file that `readFileRecords` reads back: what multi-CDN steers is its origin, with a remark. In
 * a zone file a steered CNAME at the apex is
 * a remark as a whole, since other servers refuse it.
 */
export function exportZone(format: ZoneFileFormat, records: readonly WireRecord[], site: ExportedSite): string {
  return format === 'csv' ? asTable(records, site.name) : asZoneFile(records, site)
}

function asZoneFile(records: readonly WireRecord[], { name, apex }: ExportedSite): string {
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

function lineOf(record: WireRecord, siteName: string): ZoneFileLine {
  const { type, name, ttlSeconds, multiCdn } = record
  if (type === 'ALIAS') return aliasLine(record, siteName)
  return {
    name: `${absoluteName(name, siteName)}.`,
    ttlSeconds: ttlSeconds ?? (multiCdn ? STEERED_TTL_SECONDS : AUTO_TTL_SECONDS),
    type,
    rdata: toRdata(record),
    ...(multiCdn ? { remark: STEERED, isRemark: type === 'CNAME' && name === '@' } : {}),
  }
}

/** Other servers take it by its number only; the remark says what it is. */
function aliasLine(record: WireRecord, siteName: string): ZoneFileLine {
  const rdata = [...(rdataBytes('ALIAS', toRdata(record)) ?? [])]
  return {
    name: `${absoluteName(record.name, siteName)}.`,
    ttlSeconds: record.ttlSeconds ?? AUTO_TTL_SECONDS,
    type: `TYPE${typeCode('ALIAS')}`,
    rdata: `\\# ${rdata.length} ${hexText(rdata)}`,
    remark: `ALIAS ${toRdata(record)}`,
  }
}

/** Texts stay in quotes: as they stand, some of them would be formulas to a spreadsheet. */
function asTable(records: readonly WireRecord[], siteName: string): string {
  const hasWeights = records.some(({ weight }) => (weight ?? null) !== null)
  const keyed = records.map((record) => ({ ...lineOf(record, siteName), record }))
  const rows = inZoneOrder(keyed).map(({ record }) => [
    record.name,
    record.type,
    record.ttlSeconds === null ? 'auto' : String(record.ttlSeconds),
    record.preference === null ? '' : String(record.preference),
    record.type === 'TXT' ? toRdata(record) : record.value,
    String(record.multiCdn),
    ...(hasWeights ? [record.weight?.toString() ?? ''] : []),
  ])
  return writeCsv([COLUMNS.filter((column) => column !== 'weight' || hasWeights), ...rows])
}
