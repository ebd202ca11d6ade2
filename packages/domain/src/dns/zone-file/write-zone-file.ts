import { compareNames, labelsOf } from '../rdata/name-text.ts'
import { typeCode } from '../rdata/type-codes.ts'

/**
 * A line of a zone file. `remark` becomes a comment after it; with `isRemark` the whole line is one, for what a zone
 * file cannot hold.
 */
export type ZoneFileLine = {
  name: string
  ttlSeconds: number
  type: string
  rdata: string
  remark?: string
  isRemark?: boolean
}

/**
 * The canonical master file of records in the form that `readZoneFile` gives: one a line with everything on it, so that
 * no directive is needed and two
 * files can be compared line by line.
 */
export const writeZoneFile = (lines: readonly ZoneFileLine[]): string =>
  inZoneOrder(lines)
    .map((line) => `${written(line)}\n`)
    .join('')

/** The SOA first, then by name in the order of RFC 4034 6.1, nameservers before other types, those by number. */
export function inZoneOrder<Line extends ZoneFileLine>(lines: readonly Line[]): Line[] {
  const keyed = lines.map((line) => ({ line, labels: labelsOf(line.name) }))
  keyed.sort(
    (a, b) =>
      rank(a.line) - rank(b.line) ||
      compareNames(a.labels, b.labels) ||
      typeOrder(a.line) - typeOrder(b.line) ||
      compareTexts(a.line.rdata, b.line.rdata),
  )
  return keyed.map(({ line }) => line)
}

function written({ name, ttlSeconds, type, rdata, remark, isRemark = false }: ZoneFileLine): string {
  return `${isRemark ? '; ' : ''}${name} ${ttlSeconds} IN ${type} ${rdata}${remark === undefined ? '' : ` ; ${remark}`}`
}

const rank = ({ type }: ZoneFileLine): number => (type === 'SOA' ? 0 : 1)
const typeOrder = ({ type }: ZoneFileLine): number => (type === 'NS' ? 0 : typeCode(type))
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
