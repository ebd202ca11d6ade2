import { sessions } from '@fairway/contract'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { endSessions } from '../auth/sign-in.ts'

type Row = {
  id: string
  agent: string | null
  ip: string | null
  impostor: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

/** Sessions that would be let in now. */
const OPEN = `revoked_at IS NULL AND expires_at > now() AND last_seen_at + make_interval(secs => idle_seconds) > now()`

/** Where one user is everybody who looks around, the others' are nobody's to see. */
const OWN = `(id = $2 OR NOT EXISTS (SELECT FROM organization o WHERE o.id = session.organization_id AND o.public_sandbox))`

export const sessionsSlice = slice(sessions, {
  async list({ tx, actor }) {
    const rows = await tx.query<Row>(
      `SELECT id, agent, ip, impostor, created_at, last_seen_at, least(expires_at, last_seen_at + make_interval(secs => idle_seconds)) AS expires_at FROM session WHERE user_id = $1 AND ${OPEN} AND ${OWN} ORDER BY id = $2 DESC, last_seen_at DESC LIMIT 200`,
      [actor.userId, actor.sessionId],
    )
    return {
      data: rows.map((row) => ({
        id: row.id,
        isCurrent: row.id === actor.sessionId,
        agent: row.agent,
        ip: row.ip,
        impostor: row.impostor,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      })),
    }
  },
  async remove({ tx, actor, change }, { id }) {
    const rows = await tx.query<{ agent: string | null; ip: string | null }>(
      'UPDATE session SET revoked_at = now() WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL RETURNING agent, ip',
      [id, actor.userId],
    )
    if (!rows[0]) throw new Failure(404)
    change.record({ entity: 'session', id, label: rows[0].ip ?? actor.label, before: rows[0], after: null })
    return { id }
  },
  async removeOthers({ tx, actor }) {
    return { ended: await endSessions(tx, actor.userId, actor.sessionId) }
  },
})
