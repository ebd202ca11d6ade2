import crypto from 'node:crypto'
import { type ApiKey, type GrantedPermission, apiKeys } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { hashOf } from '../../http/session.ts'
import { notify } from '../notifications/notify.ts'
import { newKeyText, permissionsOfKey } from './key.ts'

const WAIT_SECONDS = 60

type Row = {
  id: string
  name: string
  tier: number
  /** What is left of it when the owner may less by now. */ tier_now?: number
  prefix: string
  created_at: Date
  deleted_at: Date | null
  last_used_at: Date | null
  last_used_ip: string | null
}

export const apiKeysSlice = slice(apiKeys, {
  async list({ tx, actor, now }) {
    const rows = await tx.query<Row>(
      'SELECT k.*, least(k.tier, coalesce(u.api_tier, 0)) AS tier_now FROM api_key k JOIN app_user u ON u.id = k.user_id WHERE k.user_id = $1 ORDER BY k.deleted_at IS NOT NULL, k.created_at DESC LIMIT 200',
      [actor.userId],
    )
    const wait = await waitSeconds(tx, actor.userId)
    return {
      data: rows.map((row) => present(row, actor.permissions)),
      nextAt: wait > 0 ? new Date(now.getTime() + wait * 1000).toISOString() : null,
    }
  },
  async create({ tx, actor, change }, { name, tier }) {
    // One after the other, so that two at once do not both find the minute over.
    const owner = await tx.query<{ api_tier: number | null }>(
      'SELECT api_tier FROM app_user WHERE id = $1 FOR NO KEY UPDATE',
      [actor.userId],
    )
    const highest = owner[0]?.api_tier ?? 0
    if (tier > highest)
      throw new Failure(403, {
        fields: [{ path: 'tier', message: 'validation.tier' }],
        internal: "a tier above the owner's",
      })
    const wait = await waitSeconds(tx, actor.userId)
    if (wait > 0) throw new Failure(429, { retryAfterSeconds: wait })
    const id = crypto.randomUUID()
    const { text, secret, prefix } = newKeyText(id)
    const rows = await tx.query<Row>(
      'INSERT INTO api_key (id, organization_id, user_id, name, tier, prefix, secret_hash) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *',
      [id, actor.organizationId, actor.userId, name, tier, prefix, hashOf(secret)],
    )
    if (!rows[0]) throw new Error('the API key that was just made is not there')
    change.title = name
    change.record({ entity: 'api-key', id, label: name, before: null, after: { name, tier, prefix } })
    await notify(tx, {
      organizationId: actor.organizationId,
      event: 'api-key-created',
      fields: { by: actor.label, tier },
    })
    return { data: present(rows[0], actor.permissions), key: text }
  },
  async remove({ tx, actor, change }, { id }) {
    const rows = await tx.query<{ name: string; tier: number; prefix: string }>(
      'UPDATE api_key SET deleted_at = now() WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING name, tier, prefix',
      [id, actor.userId],
    )
    if (!rows[0]) throw new Failure(404)
    change.record({ entity: 'api-key', id, label: rows[0].name, before: rows[0], after: null })
    return { id }
  },
})

/** Seconds until the next key may be made; deleted ones count too. */
async function waitSeconds(tx: Tx, userId: string): Promise<number> {
  const rows = await tx.query<{ seconds: number | null }>(
    'SELECT extract(epoch FROM max(created_at) + make_interval(secs => $2) - now())::float8 AS seconds FROM api_key WHERE user_id = $1',
    [userId, WAIT_SECONDS],
  )
  return Math.max(0, rows[0]?.seconds ?? 0)
}

const present = (row: Row, owners: ReadonlySet<GrantedPermission>): ApiKey => ({
  id: row.id,
  name: row.name,
  tier: row.tier,
  prefix: row.prefix,
  permissions: row.deleted_at ? [] : permissionsOfKey(row.tier_now ?? row.tier, owners),
  createdAt: row.created_at.toISOString(),
  deletedAt: row.deleted_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedIp: row.last_used_ip,
})
