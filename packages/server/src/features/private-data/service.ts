import { EDGE_PATHS, LIMITS, privateData, type MonitoringCdn, type MonitoringInput } from '@fairway/contract'
import { anyCdnName } from '@fairway/domain'
import { type Config, edgeHost, urlOf, type Tx } from '@fairway/platform'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { tellPulse } from '../pulse/store.ts'
import { lookAtObject } from './look.ts'
import {
  cdnExists,
  countMonitoring,
  insertMonitoring,
  listMonitoring,
  monitoringById,
  nameTaken,
  updateMonitoring,
  type MonitoringRow,
} from './store.ts'

const ORDER = { created_at: 'm.created_at', name: 'lower(m.name)', state: 'm.state' }
/** Where vendors fetch our object from. */
const originOf = (config: Config): string =>
  urlOf({ ...config.edgeHttp, host: edgeHost(config) ?? anyCdnName(config.serviceDomain) })

const HOUSE = { path: EDGE_PATHS.kept, bytes: 40_960 }

export const privateDataSlice = slice(privateData, {
  async list({ tx, services }, query) {
    const page = pageOf(query)
    const { rows, total } = await listMonitoring(tx, {
      search: query.search,
      order: orderBy(query.ordering, ORDER),
      ...page,
    })
    return {
      data: rows.map(present),
      meta: page.meta(total),
      houseObject: { origin: originOf(services.config), ...HOUSE },
      limit: LIMITS.monitoringCdns,
    }
  },

  async get({ tx }, { id }) {
    return present(await found(tx, id))
  },

  async create({ tx, actor, change }, input) {
    // One after the other, so that two at once do not both find room.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4027))', [actor.organizationId])
    if ((await countMonitoring(tx)) >= LIMITS.monitoringCdns) throw new Failure(27045)
    await check(tx, input, null)
    const id = await insertMonitoring(tx, actor.organizationId, input)
    const row = await found(tx, id)
    change.record({ entity: 'monitoring-cdn', id, label: row.name, before: null, after: recorded(row) })
    await wake(tx)
    return present(row)
  },

  async update({ tx, actor, change }, { id, ...input }) {
    const before = await found(tx, id)
    if (before.state === 'deploying') throw new Failure(810010)
    await check(tx, input, id)
    await updateMonitoring(tx, id, input)
    const row = await found(tx, id)
    change.record({ entity: 'monitoring-cdn', id, label: row.name, before: recorded(before), after: recorded(row) })
    await wake(tx)
    await tellPulse(tx, actor.organizationId)
    return present(row)
  },

  async remove({ tx, actor, change }, { id }) {
    const row = await found(tx, id)
    await tx.query('DELETE FROM monitoring_cdn WHERE id = $1', [id])
    change.record({ entity: 'monitoring-cdn', id, label: row.name, before: recorded(row), after: null })
    await tellPulse(tx, actor.organizationId)
    return { id }
  },

  async look({ actor, services }, input) {
    return { findings: await withoutConnection(() => lookAtObject(services.gate, actor.organizationId, input)) }
  },
})

const wake = (tx: Tx) => tx.query(`SELECT pg_notify('monitoring', '')`)

async function found(tx: Tx, id: string): Promise<MonitoringRow> {
  const row = isUuid(id) ? await monitoringById(tx, id) : undefined
  if (!row) throw new Failure(404)
  return row
}

async function check(tx: Tx, input: MonitoringInput, id: string | null): Promise<void> {
  if (input.cdnId !== null && !(await cdnExists(tx, input.cdnId)))
    throw new Failure(400, { fields: [{ path: 'cdnId', message: 'validation.required' }] })
  if (await nameTaken(tx, input.name, id))
    throw new Failure(27034, { fields: [{ path: 'name', message: 'code:27034' }] })
}

const recorded = ({
  findings: _f,
  checked_at: _c,
  state_since: _s,
  looks: _k,
  leased_until: _l,
  cdn_name: _n,
  ...row
}: MonitoringRow) => ({ ...row })

const present = (row: MonitoringRow): MonitoringCdn => ({
  id: row.id,
  name: row.name,
  type: row.type,
  provider: row.provider,
  track: row.track,
  cdnId: row.cdn_id,
  cdnName: row.cdn_name,
  originAddress: row.origin_address,
  cname: row.cname,
  hostname: row.hostname,
  path: row.path,
  secure: row.secure,
  referenceUrl: row.reference_url,
  state: row.state,
  stateSince: row.state_since.toISOString(),
  findings: row.findings,
  checkedAt: row.checked_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})
