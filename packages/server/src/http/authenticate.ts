import type { FastifyRequest } from 'fastify'
import type { GrantedPermission, PartnerFeature, PlanFeature } from '@fairway/contract'
import { NOWHERE, nodeToken, sameSecret, secret, type Config, type Database, type Tx } from '@fairway/platform'
import type { Actor, UserActor } from './actor.ts'
import { Failure } from './failure.ts'
import { permissionsOfKey, readKeyText } from '../features/api-keys/key.ts'
import { sessionCookie } from './session-cookies.ts'
import { hashOf, readToken } from './session.ts'

type SessionRow = {
  /** Not seen for a minute: worth writing down. */
  seen_before?: boolean
  session_id: string | null
  secret_hash: string
  user_id: string
  organization_id: string
  email: string
  first_name: string
  last_name: string
  permissions: GrantedPermission[]
  is_operator: boolean
  suspended: boolean
  org_suspended: boolean
  sandbox: boolean
  ability: PlanFeature[]
  impostor: string | null
  partner_id: string
  hide_feature: PartnerFeature[]
  administers_partner_id: string | null
  log_position: string | null
}

/**
 * @param position SQL for the place that the log has reached: what was committed before the call shows to whoever reads
 *   from there on
 */
const userColumns = (position: string): string =>
  `u.id AS user_id, u.organization_id, u.email, u.first_name, u.last_name, u.permissions, u.is_operator, u.suspended, o.suspended AS org_suspended, (o.sandbox OR r.sandbox_mode) AS sandbox, organization_ability(o.id) AS ability, o.partner_id, r.hide_feature, u.administers_partner_id, ${position} AS log_position
  FROM app_user u JOIN organization o ON o.id = u.organization_id JOIN plan p ON p.id = o.plan_id JOIN partner r ON r.id = o.partner_id`

/** Who looks on as somebody may do so still: their rights are asked with each call, as the user's own are. */
const LOOKS_ON_RIGHTLY = `(s.impostor IS NULL OR EXISTS (SELECT FROM app_user i JOIN organization io ON io.id = i.organization_id
  WHERE i.id = s.impostor_id AND NOT i.suspended AND NOT io.suspended AND (i.is_operator OR (i.administers_partner_id = o.partner_id AND NOT EXISTS (SELECT FROM app_user h WHERE h.organization_id = o.id AND h.is_operator)))))`

/**
 * Establishes the actor from the bearer header or the session cookie. No credentials is anonymous; bad ones are 401.
 */
export function authenticator(config: Config, database: Database): (request: FastifyRequest) => Promise<Actor> {
  const node = nodeToken(config)
  const cli = secret(config, 'cli-token')
  const cookie = sessionCookie(config)
  return async (request) => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (bearer && sameSecret(bearer, node)) return { kind: 'node', ip: request.ip }
    if (bearer && sameSecret(bearer, cli))
      return userActor(await database.system((tx) => firstOperator(tx, database.logPosition)), 'api', request.ip)
    const text = bearer ?? request.cookies[cookie]
    if (!text) return { kind: 'anonymous', ip: request.ip }
    const key = bearer ? readKeyText(bearer) : null
    if (key) return keyActor(database, key, request.ip)
    const token = readToken(text)
    if (!token) throw new Failure(401)
    const row = await database.system((tx) => sessionRow(tx, token.sessionId, database.logPosition))
    if (!row || !sameSecret(row.secret_hash, hashOf(token.secret))) throw new Failure(401)
    if (row.seen_before)
      await database.system((tx) =>
        tx.query('UPDATE session SET last_seen_at = now(), ip = CASE WHEN ip IS NOT NULL THEN $2 END WHERE id = $1', [
          row.session_id,
          request.ip,
        ]),
      )
    return userActor(row, bearer ? 'api' : 'console', request.ip)
  }
}

async function sessionRow(tx: Tx, sessionId: string, position: string): Promise<SessionRow | undefined> {
  const rows = await tx.query<SessionRow>(
    `SELECT s.id AS session_id, s.secret_hash, s.impostor, s.last_seen_at < now() - interval '1 minute' AS seen_before, ${userColumns(position)} JOIN session s ON s.user_id = u.id
     WHERE s.id = $1 AND ${LOOKS_ON_RIGHTLY} AND s.revoked_at IS NULL AND s.expires_at > now() AND s.last_seen_at + make_interval(secs => s.idle_seconds) > now()`,
    [sessionId],
  )
  return rows[0]
}

/** Worth writing down: a key in use at two addresses in turn does not write with each call, and no call waits to do so. */
const IS_UNSEEN = `coalesce(k.last_used_at < now() - interval '1 minute' OR (k.last_used_ip <> $2 AND k.last_used_at < now() - interval '10 seconds'), true)`

/** The owner as far as the key's tier goes; never the operator, never for what is the user's own. */
async function keyActor(database: Database, key: { id: string; secret: string }, ip: string): Promise<UserActor> {
  const row = await database
    .system((tx) =>
      tx.query<SessionRow & { name: string; tier: number; unseen: boolean }>(
        `SELECT NULL AS session_id, k.secret_hash, NULL AS impostor, k.name, least(k.tier, coalesce(u.api_tier, 0)) AS tier, ${IS_UNSEEN} AS unseen, ${userColumns(database.logPosition)} JOIN api_key k ON k.user_id = u.id WHERE k.id = $1 AND k.deleted_at IS NULL`,
        [key.id, ip],
      ),
    )
    .then((rows) => rows[0])
  if (!row || !sameSecret(row.secret_hash, hashOf(key.secret))) throw new Failure(401)
  const owner = userActor(row, 'api', ip)
  if (row.unseen)
    await database.system((tx) =>
      tx.query(
        `UPDATE api_key SET last_used_at = now(), last_used_ip = $2 WHERE id = (SELECT k.id FROM api_key k WHERE k.id = $1 AND ${IS_UNSEEN} FOR NO KEY UPDATE SKIP LOCKED)`,
        [key.id, ip],
      ),
    )
  return {
    ...owner,
    apiKeyId: key.id,
    keyTier: row.tier,
    label: `${row.email} · ${row.name}`,
    permissions: new Set(permissionsOfKey(row.tier, owner.permissions)),
    isOperator: false,
    administersPartnerId: null,
  }
}

export type Asked = {
  userId: string
  permissions: readonly GrantedPermission[]
  label: string
  impostor: string | null
  source: 'console' | 'api'
  ip: string
  /** The key that asked; null for a session. */
  apiKeyId: string | null
}

/**
 * Who asked for work that is done later: as they are now, with no right that they did not have then. @throws Failure
 * when they may no longer come in
 */
export async function laterActor(
  tx: Tx,
  { userId, permissions, label, impostor, source, ip, apiKeyId }: Asked,
): Promise<UserActor> {
  const rows = await tx.query<SessionRow & { key_tier: number | null }>(
    `SELECT NULL AS session_id, '' AS secret_hash, $2::text AS impostor,
       (SELECT least(k.tier, coalesce(u.api_tier, 0)) FROM api_key k WHERE k.id = $3 AND k.user_id = u.id AND k.deleted_at IS NULL) AS key_tier,
       ${userColumns(NOWHERE)} WHERE u.id = $1`,
    [userId, impostor, apiKeyId],
  )
  const [row] = rows
  // What a key that is gone had asked for ends with it.
  if (apiKeyId !== null && row?.key_tier === null) throw new Failure(401)
  const actor = userActor(row, source, ip)
  return {
    ...actor,
    apiKeyId,
    keyTier: row?.key_tier ?? null,
    label,
    permissions: new Set(permissions.filter((permission) => actor.permissions.has(permission))),
    isOperator: false,
    administersPartnerId: null,
  }
}

/** `fairway sim` and `fairway why` act as the installation's first operator. */
async function firstOperator(tx: Tx, position: string): Promise<SessionRow | undefined> {
  return (
    await tx.query<SessionRow>(
      `SELECT NULL AS session_id, '' AS secret_hash, NULL AS impostor, ${userColumns(position)} WHERE u.is_operator ORDER BY u.suspended OR o.suspended, u.created_at LIMIT 1`,
    )
  )[0]
}

function userActor(row: SessionRow | undefined, source: 'console' | 'api', ip: string): UserActor {
  if (!row) throw new Failure(401)
  if (row.org_suspended) throw new Failure(1451)
  if (row.suspended) throw new Failure(1461)
  return {
    kind: 'user',
    userId: row.user_id,
    sessionId: row.session_id,
    apiKeyId: null,
    keyTier: null,
    organizationId: row.organization_id,
    label: row.email,
    permissions: new Set(row.permissions),
    abilities: new Set(row.ability),
    isOperator: row.is_operator && !row.impostor,
    administersPartnerId: row.impostor ? null : row.administers_partner_id,
    sandbox: row.sandbox,
    source,
    ip,
    impostor: row.impostor,
    partnerId: row.partner_id,
    hiddenFeatures: new Set(row.hide_feature),
    logPosition: row.log_position,
  }
}
