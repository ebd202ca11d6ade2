import type { EntityChange } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import { Failure } from './failure.ts'

/** Documents that edges hold in memory. */
const HELD = new Set(['edge-site', 'edge-security', 'edge-certificates', 'edge-challenges', 'edge-purges'])
export const isHeldAtEdge = (kind: string): boolean => HELD.has(kind)
/** Of those, what an organisation sets; purges and certificates it needs also when it has no room. */
export const isBoundAtEdge = (kind: string): boolean => kind === 'edge-site' || kind === 'edge-security'

/** The least that an edge has when its settings say nothing. */
const LEAST_MB = 128

/**
 * Refuses what makes an organisation's documents larger than its share of an edge's memory. Those that are published
 * count, with what this change adds; what makes them smaller always may. Edges measure it again and refuse by
 * themselves.
 * @throws Failure 26905
 */
export async function refuseBeyondEdge(
  tx: Tx,
  config: Pick<Config, 'edgePoliciesMb' | 'edgeCustomerShare'>,
  organizationId: string,
  changes: readonly EntityChange[],
): Promise<void> {
  const more = changes.reduce((sum, { before, after }) => sum + sizeOf(after) - sizeOf(before), 0)
  if (more <= 0) return
  const [row] = await tx.query<{ bytes: number }>(
    'SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM publication WHERE organization_id = $1 AND bytes IS NOT NULL',
    [organizationId],
  )
  const most = ((config.edgePoliciesMb || LEAST_MB) * 2 ** 20 * config.edgeCustomerShare) / 100
  if ((row?.bytes ?? 0) + more > most) throw new Failure(26905)
}

const sizeOf = (row: EntityChange['after']): number => (row === null ? 0 : JSON.stringify(row).length)
