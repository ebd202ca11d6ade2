import type { Tx } from '@fairway/platform'
import { KNOWN_DAYS } from './known-places.ts'

/** What strangers may have had made by the million, and what letters and lists may still be asked about. */
const KEPT = {
  ceremonies: '1 hour',
  links: '30 days',
  sessions: '30 days',
  attempts: '1 day',
  unverified: '7 days',
} as const

/** An hour's worth of sign-ups by strangers; more go with the next look. */
const UNVERIFIED_AT_ONCE = 5_000

/**
 * What can no longer matter to anybody, each in a transaction of its own. Who signed in, when and from where stays in
 * the audit log.
 */
export const forgetSignIns: readonly ((tx: Tx) => Promise<unknown>)[] = [
  (tx) =>
    tx.query(
      `DELETE FROM app_token WHERE expires_at < now() - CASE WHEN purpose IN ('captcha', 'passkey', 'openid', 'second-step') THEN interval '${KEPT.ceremonies}' ELSE interval '${KEPT.links}' END`,
    ),
  (tx) =>
    tx.query(
      `DELETE FROM session WHERE least(expires_at, revoked_at, last_seen_at + make_interval(secs => idle_seconds)) < now() - interval '${KEPT.sessions}'`,
    ),
  (tx) =>
    tx.query(
      `DELETE FROM login_attempt WHERE counted_since < now() - interval '${KEPT.attempts}' AND (blocked_until IS NULL OR blocked_until < now())`,
    ),
  (tx) => tx.query(`DELETE FROM sign_in_place WHERE seen_at < now() - make_interval(days => $1)`, [KNOWN_DAYS]),
  forgetUnverified,
]

/**
 * Whoever has never shown that an address is his keeps nobody else from it. His organisation stays without anybody;
 * one in which something was set up for him keeps him. Whoever proves it in this very moment stays.
 */
async function forgetUnverified(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM app_user WHERE id IN (SELECT u.id FROM app_user u WHERE u.email_verified_at IS NULL AND u.created_at < now() - interval '${KEPT.unverified}' AND u.login_at IS NULL AND NOT u.is_operator
       AND NOT EXISTS (SELECT FROM app_user o WHERE o.organization_id = u.organization_id AND o.id <> u.id)
       AND NOT EXISTS (SELECT FROM site s WHERE s.organization_id = u.organization_id)
       AND NOT EXISTS (SELECT FROM stream_asset a WHERE a.organization_id = u.organization_id) AND NOT EXISTS (SELECT FROM stream_live l WHERE l.organization_id = u.organization_id)
       LIMIT ${UNVERIFIED_AT_ONCE}) AND email_verified_at IS NULL AND login_at IS NULL AND NOT is_operator`,
  )
}
