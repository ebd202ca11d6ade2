import crypto from 'node:crypto'
import { type Tx, mint } from '@fairway/platform'

/**
 * The session token: `<session id>.<256-bit secret>`. Only the secret's hash is stored; the row can be revoked at any
 * time.
 */
export function readToken(text: string): { sessionId: string; secret: string } | null {
  const match = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/.exec(text)
  return match?.[1] && match[2] ? { sessionId: match[1], secret: match[2] } : null
}

export function hashOf(secret: string): string {
  return crypto.createHash('sha256').update(secret).digest('base64url')
}

export type NewSession = {
  userId: string
  organizationId: string
  seconds: number
  /** Ends earlier when nobody uses it for so long. */ idleSeconds?: number
  /** Null is not kept, neither later. */ ip: string | null
  agent: string | null
  /** Who looks on as the user. */ impostor?: { id: string; email: string }
}

/** Opens a session and answers its token, which is never seen again. */
export async function openSession(tx: Tx, session: NewSession): Promise<string> {
  const id = crypto.randomUUID()
  const { text, secret } = mint('session', id)
  await tx.query(
    `INSERT INTO session (id, organization_id, user_id, secret_hash, ip, agent, impostor, idle_seconds, impostor_id, expires_at) VALUES ($9, $1, $2, $3, $4, $5, $6, $8, $10, now() + make_interval(secs => $7))`,
    [
      session.organizationId,
      session.userId,
      hashOf(secret),
      session.ip,
      session.agent,
      session.impostor?.email ?? null,
      session.seconds,
      session.idleSeconds ?? session.seconds,
      id,
      session.impostor?.id ?? null,
    ],
  )
  return text
}
