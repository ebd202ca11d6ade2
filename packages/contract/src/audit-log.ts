import { z } from 'zod'
import { AUDIT_SOURCES } from './lean.ts'
import { EntityChange } from './versions.ts'
import { ListQuery, feature, get, page } from './route.ts'

/** Number, by which an organisation's entries are counted from 1, as text. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  action: z.string(),
  user: z.string(),
  ip: z.string().nullable(),
  source: z.string(),
  siteId: z.string().nullable(),
  domain: z.string().nullable(),
  version: z.int().nullable(),
  changes: z.array(EntityChange),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** An entry in the list: only the first few of its changes, and how many there are. */
export const AuditLine = AuditEntry.extend({
  /** Who did it while looking on as `user`; null for the user itself. */
  impostor: z.string().nullable(),
  /** Null when the site is gone. */
  siteName: z.string().nullable(),
  changeCount: z.int(),
})
export type AuditLine = z.infer<typeof AuditLine>

export const AuditDetail = AuditLine.extend({
  /** SHA-256 over the entry and `hashBefore`, in hex: a changed or missing entry breaks the chain. */
  hash: z.string(),
  hashBefore: z.string(),
  /** The entry is a version of a site that is still there, made by somebody: it can be written back. */
  revertible: z.boolean(),
})
export type AuditDetail = z.infer<typeof AuditDetail>

const moment = z.iso.datetime({ offset: true })
export const AuditFilter = z.object({
  from: moment.optional(),
  /** Not included. */
  to: moment.optional(),
  /** Name of the user, or of who looked on as one, exactly as in the entries. */
  who: z.string().max(400).optional(),
  action: z.string().max(80).optional(),
  siteId: z.uuid().optional(),
  domainName: z.string().max(253).optional(),
  source: z.enum(AUDIT_SOURCES).optional(),
  /** Part of action, user, domain, address, or of what was changed. */
  search: z.string().max(200).optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const auditLog = feature('audit-log', {
  list: get('/audit/v2/log/', {
    fromReplica: true,
    in: ListQuery.extend(AuditFilter.shape),
    out: page(AuditLine),
    permission: 'ViewAuditLog',
    errors: [],
  }),
  detail: get('/audit/v2/log_detail/{number}/', {
    fromReplica: true,
    out: AuditDetail,
    permission: 'ViewAuditLog',
    errors: [],
  }),
  facets: get('/audit/v2/log_facets/', {
    fromReplica: true,
    out: z.object({ users: z.array(z.string()), actions: z.array(z.string()) }),
    permission: 'ViewAuditLog',
    errors: [],
    summary: 'What there is to filter by: at most 200 users and 500 actions.',
  }),
  export: get('/audit/v2/log_export/', {
    fromReplica: true,
    in: AuditFilter,
    out: z.string(),
    media: 'csv',
    permission: 'ViewAuditLog',
    errors: [],
    summary: 'All entries that match as CSV (RFC 4180), newest first.',
  }),
})
