import { AUDIT_SOURCES } from '@fairway/contract/lean'
import { z } from 'zod'
import { AuditRangeSearch } from './range.ts'

const text = (length: number) => z.string().max(length).optional().catch(undefined)

export const AuditLogSearch = z.object({
  range: AuditRangeSearch,
  search: text(200),
  who: text(400),
  action: text(80),
  site: z.uuid().optional().catch(undefined),
  domain: text(253),
  source: z.enum(AUDIT_SOURCES).optional().catch(undefined),
  sort: text(40),
  page: z.int().min(2).optional().catch(undefined),
  /** Number of the entry that is open. */
  entry: z.int().min(1).optional().catch(undefined),
})
export type AuditLogSearch = z.infer<typeof AuditLogSearch>
