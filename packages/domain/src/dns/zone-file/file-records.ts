import type { ZoneFileError } from '@fairway/contract'

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
  /** Left out where the file says nothing about it. */
  comment?: string
  tags?: string[]
}

export type FileRecords = { records: FileRecord[]; errors: ZoneFileError[] }
