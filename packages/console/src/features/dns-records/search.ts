import { RecordType } from '@fairway/contract'
import { z } from 'zod'
import { WhySearch } from '../why/why-search.ts'

/** State of the screen, kept in the address; what cannot be understood is as if it were not there. */
export const DnsRecordsSearch = WhySearch.extend({
  search: z.string().max(200).optional().catch(undefined),
  type: z.array(RecordType).optional().catch(undefined),
  multiCdn: z.enum(['on', 'off']).optional().catch(undefined),
  tag: z.array(z.string().max(40)).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** Of a zone whose records are shown page by page. */
  page: z.int().min(2).max(100_000).optional().catch(undefined),
  /** The open drawer: a record's id, or `new`. */
  record: z.string().max(80).optional().catch(undefined),
  /** The history of the site is open, or of the record with this id. */
  history: z
    .union([z.boolean(), z.string().max(80)])
    .optional()
    .catch(undefined),
  /** Import or export is open. */
  file: z.enum(['import', 'export']).optional().catch(undefined),
})
export type DnsRecordsSearch = z.infer<typeof DnsRecordsSearch>
