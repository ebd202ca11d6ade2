/**
 * A place in the primary's log: what was committed before it was asked for is shown by every server that has replayed
 * the same timeline up to there.
 */
export type LogPosition = { timeline: string; lsn: bigint }

/**
 * SQL for the place that the log has reached, as text, at a server that takes writes; NULL at any other. A commit is
 * acknowledged when it is on disk, or, where nobody waits for the disk, when it is written down at all.
 */
export const LOG_POSITION = `(CASE WHEN NOT pg_is_in_recovery() THEN
  (SELECT substr(pg_walfile_name(lsn), 1, 8) || ' ' || lsn FROM (SELECT CASE current_setting('synchronous_commit')
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) AS log) END)`

/** SQL for no place: who asks from there asks the primary. */
export const NOWHERE = 'NULL::text'

/** Reads what `LOG_POSITION` answers; null for anything else. */
export function readLogPosition(text: string | null): LogPosition | null {
  const parts = /^([0-9A-F]{8}) ([0-9A-F]{1,8}\/[0-9A-F]{1,8})$/.exec(text ?? '')
  return parts?.[1] && parts[2] ? { timeline: parts[1], lsn: readLsn(parts[2]) } : null
}

/** PostgreSQL's `16/B374D848`, in bytes. */
export function readLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
