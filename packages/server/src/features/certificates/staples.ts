import type { Revocation } from '@fairway/drivers'
import type { Config, Database, Log, OutgoingGate, Tx } from '@fairway/platform'
import { systemVersion } from '../../publish/system-version.ts'
import { notify } from '../notifications/notify.ts'
import { revocationOfChain } from './revocation.ts'

const AT_ONCE = 20
const AGAIN_MS = 3_600_000
/** A responder that does not say when it will know more is asked again by then. */
const HOLDS_MS = 12 * 3_600_000

type Row = {
  id: string
  organization_id: string
  site_id: string
  names: string[]
  chain_pem: string
  staple: string | null
  staple_until: Date | null
}

/**
 * Fetches what goes with the handshakes of names that want it, before the one before it ends (RFC 6961 leaves the when
 * to us: half of its time).
 */
export async function keepStaples(
  config: Config,
  gate: OutgoingGate,
  database: Database,
  log: Log,
  now: Date,
): Promise<void> {
  if (config.revocationHosts.length === 0) return
  const due = await database.system((tx) => dueForStaple(tx, now))
  await Promise.all(
    due.map(async (row) => {
      const said = await revocationOfChain({ config, gate, organizationId: row.organization_id }, row.chain_pem, now)
      const { response, until, nextAt } = stapleOf(said, row, now)
      await database.system(async (tx) => {
        if (said.state === 'revoked') await tellRevoked(tx, log, row)
        const changed = await tx.query(
          'UPDATE certificate SET staple = $3, staple_until = $4, staple_next_at = $5 WHERE id = $1 AND chain_pem = $2 RETURNING id',
          [row.id, row.chain_pem, response, until, nextAt],
        )
        if (changed.length === 0 || response === row.staple) return
        const label = row.names[0] ?? ''
        await systemVersion(tx, {
          organizationId: row.organization_id,
          siteId: row.site_id,
          title: `The authority’s word on the certificate of ${label}`,
          kinds: ['edge-certificates'],
          changes: [{ entity: 'certificate', id: row.id, label, before: null, after: { staple: response !== null } }],
        })
      })
    }),
  )
}

/** Heard once of each: what an authority has signed for us is renewed now, who has uploaded it is told. */
async function tellRevoked(tx: Tx, log: Log, row: Row): Promise<void> {
  const [heard] = await tx.query<{ imported_at: Date | null }>(
    'UPDATE certificate SET revoked_at = now(), next_attempt_at = CASE WHEN imported_at IS NULL AND order_key IS NULL THEN least(next_attempt_at, now()) ELSE next_attempt_at END WHERE id = $1 AND chain_pem = $2 AND revoked_at IS NULL RETURNING imported_at',
    [row.id, row.chain_pem],
  )
  if (!heard) return
  log.warn({ event: 'certificate.revoked', certificate: row.id })
  if (heard.imported_at === null) return
  await notify(tx, {
    organizationId: row.organization_id,
    siteId: row.site_id,
    event: 'certificate-revoked',
    fields: { host: row.names[0] ?? '' },
  })
}

/**
 * What is stapled from now on. One that still holds outlives a responder that is away; a revoked certificate is shown
 * with the word that it is.
 */
function stapleOf(
  { response, nextUpdate }: Revocation,
  before: Row,
  now: Date,
): { response: string | null; until: Date | null; nextAt: Date } {
  if (response !== null) {
    const until = nextUpdate ?? now.getTime() + HOLDS_MS
    return {
      response: response.toString('base64'),
      until: new Date(until),
      nextAt: new Date((now.getTime() + until) / 2),
    }
  }
  const holds = before.staple_until !== null && before.staple_until > now
  return {
    response: holds ? before.staple : null,
    until: holds ? before.staple_until : null,
    nextAt: new Date(now.getTime() + AGAIN_MS),
  }
}

async function dueForStaple(tx: Tx, now: Date): Promise<Row[]> {
  return tx.query<Row>(
    `SELECT c.id, c.organization_id, c.site_id, c.names, c.chain_pem, c.staple, c.staple_until FROM certificate c
     WHERE c.removed_at IS NULL AND c.chain_pem IS NOT NULL AND (c.staple_next_at IS NULL OR c.staple_next_at <= $1) AND EXISTS (SELECT FROM domain d WHERE d.site_id = c.site_id AND d.removed_at IS NULL AND d.ocsp_stapling)
     ORDER BY c.staple_next_at NULLS FIRST LIMIT $2`,
    [now, AT_ONCE],
  )
}
