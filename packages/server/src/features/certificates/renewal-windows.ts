import { AuthorityId } from '@fairway/contract'
import type { RenewalWindow } from '@fairway/drivers'
import type { Config, Database, Log } from '@fairway/platform'
import { openAuthority } from './authorities.ts'

const AT_ONCE = 20
const HOUR_MS = 3_600_000
const AGAIN_MS = 12 * HOUR_MS
/** After nobody has answered. */
const UNHEARD_MS = HOUR_MS

type Row = { id: string; type: string; chain_pem: string }

/**
 * Asks authorities now and then when they would like certificates renewed (RFC 9773 4.3): one that is to be revoked is
 * renewed before that. Never later than was known before; what a person has renewed, and waits, is heard of as well.
 */
export async function askWindows(config: Config, database: Database, log: Log): Promise<void> {
  const due = await database.system((tx) =>
    // They are asked again soon in any case: who asks may die, and an authority may be away.
    tx.query<Row>(
      `UPDATE certificate SET window_next_at = now() + make_interval(secs => $2) WHERE id IN (
         SELECT id FROM certificate WHERE removed_at IS NULL AND chain_pem IS NOT NULL AND imported_at IS NULL AND (order_key IS NULL OR (by_hand AND step = 'order')) AND type = ANY($3) AND (window_next_at IS NULL OR window_next_at <= now())
         ORDER BY window_next_at NULLS FIRST LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, type, chain_pem`,
      [AT_ONCE, UNHEARD_MS / 1000, AuthorityId.options],
    ),
  )
  await Promise.all(
    due.map(async ({ id, type, chain_pem }) => {
      const authority = openAuthority(config, AuthorityId.parse(type))
      const said = authority
        ? await authority.renewalWindow(chain_pem).catch((error: unknown) => {
            log.info({ event: 'certificate.window-unknown', certificate: id, err: error })
            return undefined
          })
        : null
      if (said === undefined) return
      // Null: it has no such windows, which does not change within the hour.
      const { renewAt, askAt } = said
        ? windowTimes(said, Date.now())
        : { renewAt: null, askAt: new Date(Date.now() + AGAIN_MS) }
      await database.system((tx) =>
        tx.query(
          `UPDATE certificate SET next_attempt_at = CASE WHEN order_key IS NULL THEN least(next_attempt_at, $3) ELSE next_attempt_at END, by_hand = by_hand AND coalesce($3 > now(), true), window_next_at = $4
           WHERE id = $1 AND chain_pem = $2 AND (order_key IS NULL OR step = 'order')`,
          [id, chain_pem, renewAt, askAt],
        ),
      )
    }),
  )
}

/** In the middle of the window; asked again when the authority says, from an hour to a day. */
function windowTimes({ start, end, askAgainAt }: RenewalWindow, now: number): { renewAt: Date; askAt: Date } {
  const askAt = Math.min(now + 24 * HOUR_MS, Math.max(now + HOUR_MS, askAgainAt ?? now + AGAIN_MS))
  return { renewAt: new Date((start + end) / 2), askAt: new Date(askAt) }
}
