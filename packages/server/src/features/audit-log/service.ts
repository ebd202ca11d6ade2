import { Readable } from 'node:stream'
import { auditLog } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { inTurn } from '../../http/handle.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { csvOf } from './export.ts'
import { presentDetail, presentLine } from './present.ts'
import { findEntry, listEntries, valuesOf } from './store.ts'

const ORDER = { created_at: 'a.at', at: 'a.at', action: 'a.action', user: 'a.user_label' }
const USERS = 200
const ACTIONS = 500

export const auditLogSlice = slice(auditLog, {
  async list({ tx, actor }, { page, page_size, ordering, ...filter }) {
    const { limit, offset, meta } = pageOf({ page, page_size, ordering })
    const { rows, total } = await listEntries(tx, actor.organizationId, {
      filter,
      order: orderBy(ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(presentLine), meta: meta(total) }
  },

  async detail({ tx, actor }, { number }) {
    const row = /^[1-9]\d{0,14}$/.test(number) ? await findEntry(tx, actor.organizationId, Number(number)) : undefined
    if (!row) throw new Failure(404)
    return presentDetail(row)
  },

  async facets({ tx, actor }) {
    return {
      users: await valuesOf(tx, actor.organizationId, 'user_label', USERS),
      actions: await valuesOf(tx, actor.organizationId, 'action', ACTIONS),
    }
  },

  async export({ actor, services, reply, now }, filter) {
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-log-${now.toISOString().slice(0, 10)}.csv"`)
    const read = <T>(work: (tx: Tx) => Promise<T>) =>
      inTurn(actor, () => services.database.read(actor.logPosition, (from) => from.tenant(actor.organizationId, work)))
    return Readable.from(csvOf(read, actor.organizationId, filter))
  },
})
