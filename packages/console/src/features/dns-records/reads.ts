import { cdnManagement, dnsRecords } from '@fairway/contract'
import { read } from '../../api/queries.ts'

/** A site holds some dozens to some thousands of records: all of them at once make filter and sort immediate. */
export const recordsRead = (siteId: string) => read(dnsRecords.routes.list, { site: siteId, page_size: -1 })
export const cdnsRead = read(cdnManagement.routes.platforms, { page_size: -1 })
