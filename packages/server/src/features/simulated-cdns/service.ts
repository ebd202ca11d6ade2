import {
  SimulatedFault,
  simulatedCdns,
  type AttackKind,
  type SimulatedAttack,
  type SimulatedCdn,
} from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { notifyConsole } from '../../http/commit-change.ts'
import { slice } from '../../http/register.ts'
import { IS_THERE } from '../nodes/away.ts'

type Row = {
  slug: string
  name: string
  series: number
  address: string
  fault: unknown
  version: number
  live: boolean
}

export const simulatedCdnsSlice = slice(simulatedCdns, {
  async list({ tx }) {
    const data = (await rows(tx, null)).map(present)
    return { data, meta: { total: data.length, page: 1, pageSize: data.length } }
  },
  async set({ tx, actor, change }, { cdn, fault }) {
    // Faults touch every organisation that tries the simulated CDNs, so only the operator may set them.
    if (!actor.isOperator) throw new Failure(403)
    const before = (await rows(tx, cdn))[0]
    if (!before) throw new Failure(404)
    await tx.query('UPDATE simulated_cdn SET fault = $2, version = version + 1 WHERE slug = $1', [
      before.slug,
      JSON.stringify(fault),
    ])
    change.key = before.slug
    change.title = `${before.name}: ${fault.mode}`
    change.record({
      entity: 'simulated-cdn',
      id: before.slug,
      label: before.name,
      before: { fault: before.fault },
      after: { fault },
    })
    await notifyConsole(tx, { organizationId: actor.organizationId, kind: 'simulated', siteId: null })
    return present({ ...before, fault, version: before.version + 1, live: false })
  },
  async attack({ tx }) {
    return { attack: await attackOf(tx) }
  },
  async setAttack({ tx, actor, change }, { kind, seconds }) {
    if (!actor.isOperator) throw new Failure(403)
    const before = await attackOf(tx)
    await tx.query(
      `UPDATE simulated_attack SET kind = $1, until = CASE WHEN $1::text IS NULL THEN NULL ELSE now() + make_interval(secs => $2) END`,
      [kind, seconds],
    )
    const after = await attackOf(tx)
    change.title = kind === null ? 'Attack ended' : `Attack: ${kind}`
    change.record({ entity: 'simulated-attack', id: 'attack', label: kind ?? before?.kind ?? '', before, after })
    await notifyConsole(tx, { organizationId: actor.organizationId, kind: 'simulated', siteId: null })
    return { attack: after }
  },
})

async function attackOf(tx: Tx): Promise<SimulatedAttack['attack']> {
  const [row] = await tx.query<{ kind: AttackKind; until: Date }>(
    'SELECT kind, until FROM simulated_attack WHERE until > now()',
  )
  return row ? { kind: row.kind, until: row.until.toISOString() } : null
}

/** Live means that every edge node that is there has confirmed the newest version. */
function rows(tx: Tx, slugOrName: string | null): Promise<Row[]> {
  return tx.query<Row>(
    `SELECT s.slug, s.name, s.series, s.address, s.fault, s.version,
       EXISTS (SELECT FROM node WHERE role = 'edge') AND NOT EXISTS (
         SELECT FROM node n LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = 'simulated-cdn' AND v.key = s.slug
         WHERE n.role = 'edge' AND n.${IS_THERE} AND coalesce(v.version, 0) < s.version) AS live
     FROM simulated_cdn s WHERE $1::text IS NULL OR s.slug = lower($1) OR lower(s.name) = lower($1) ORDER BY s.series`,
    [slugOrName],
  )
}

function present(row: Row): SimulatedCdn {
  return {
    cdnId: row.slug,
    name: row.name,
    series: row.series,
    address: row.address,
    fault: SimulatedFault.parse(row.fault),
    version: row.version,
    live: row.live,
  }
}
