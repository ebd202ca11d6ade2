import type { LiveInput, LiveLatency, LiveProtocol } from '@fairway/contract'
import type { Rung } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { TestPicture } from './test-encoder.ts'

export type LiveRow = {
  id: string
  organization_id: string
  protocol: LiveProtocol
  origin_url: string | null
  latency: LiveLatency
  key_frame_seconds: number
  rewind_seconds: number
  is_recorded: boolean
  key_hash: string | null
  is_on: boolean
  revision: number
  applied_revision: number | null
  runner: string | null
  input: LiveInput | null
  renditions: Rung[]
  test_picture: TestPicture | null
  test_until: Date | null
}

const COLUMNS =
  'id, organization_id, protocol, origin_url, latency, key_frame_seconds, rewind_seconds, is_recorded, key_hash, is_on, revision, applied_revision, runner, input, renditions, test_picture, test_until'

/** What is on, or is to be taken in by this process. */
export const liveRows = (tx: Tx, runner: string): Promise<LiveRow[]> =>
  tx.query(
    `SELECT ${COLUMNS} FROM stream_live WHERE deleted_at IS NULL AND (is_on OR applied_revision IS DISTINCT FROM revision OR runner IS DISTINCT FROM $1)`,
    [runner],
  )

export const applied = (tx: Tx, row: LiveRow, runner: string): Promise<unknown> =>
  tx.query(
    'UPDATE stream_live SET applied_revision = $2, runner = $3, running_since = CASE WHEN is_on THEN coalesce(running_since, now()) END WHERE id = $1 AND revision = $2',
    [row.id, row.revision, runner],
  )

/** A process that was not heard of for so long did not run, whatever it says after. */
const UNSEEN_SECONDS = 30

/**
 * Writes down that the streams of this process run, which is what is billed: from when it took them in to when they are
 * switched off, or to when it was last heard of.
 */
export async function noteRunning(tx: Tx, runner: string): Promise<void> {
  const running = `l.is_on AND l.deleted_at IS NULL AND l.applied_revision = l.revision`
  await tx.query(
    `UPDATE stream_run r SET seen_at = CASE WHEN r.runner = $1 AND r.seen_at > now() - make_interval(secs => $2) THEN now() ELSE r.seen_at END,
       ended_at = CASE WHEN ${running} AND l.runner = r.runner AND r.seen_at > now() - make_interval(secs => $2) THEN NULL ELSE now() END
     FROM stream_live l WHERE l.id = r.live_id AND r.ended_at IS NULL AND (r.runner = $1 OR l.runner = $1)`,
    [runner, UNSEEN_SECONDS],
  )
  await tx.query(
    `INSERT INTO stream_run (organization_id, live_id, runner, started_at, seen_at) SELECT l.organization_id, l.id, $1, now(), now() FROM stream_live l
     WHERE l.runner = $1 AND ${running} ON CONFLICT DO NOTHING`,
    [runner],
  )
}

/** The stream of a key, whether it is on or not. */
export const streamOfKey = async (tx: Tx, keyHash: string): Promise<LiveRow | undefined> =>
  (
    await tx.query<LiveRow>(`SELECT ${COLUMNS} FROM stream_live WHERE key_hash = $1 AND deleted_at IS NULL`, [keyHash])
  )[0]

/** The stream of a token that stands for its key. */
export const streamOfToken = async (
  tx: Tx,
  { id, keyHash }: { id: string; keyHash: string },
): Promise<LiveRow | undefined> =>
  (
    await tx.query<LiveRow>(
      `SELECT ${COLUMNS} FROM stream_live WHERE id = $1 AND key_hash = $2 AND deleted_at IS NULL`,
      [id, keyHash],
    )
  )[0]

/** Numbers the times that an encoder begins to send; undefined where the stream was switched off, or got another key, meanwhile. */
export const nextSession = async (tx: Tx, id: string, keyHash: string | null): Promise<number | undefined> =>
  (
    await tx.query<{ session: number }>(
      'UPDATE stream_live SET session = session + 1 WHERE id = $1 AND is_on AND deleted_at IS NULL AND key_hash IS NOT DISTINCT FROM $2 RETURNING session',
      [id, keyHash],
    )
  )[0]?.session

export const noteLive = (
  tx: Tx,
  id: string,
  facts: { input: LiveInput | null; renditions: readonly Rung[]; isPlayable: boolean },
): Promise<unknown> =>
  tx.query('UPDATE stream_live SET input = $2, renditions = $3, is_playable = $4 WHERE id = $1', [
    id,
    facts.input && JSON.stringify(facts.input),
    JSON.stringify(facts.renditions),
    facts.isPlayable,
  ])

/** Once a minute is enough to know whether anybody watches. */
export const noteAsked = (tx: Tx, ids: readonly string[]): Promise<unknown> =>
  tx.query(
    `UPDATE stream_live SET asked_at = now() WHERE id = ANY ($1) AND (asked_at IS NULL OR asked_at < now() - interval '1 minute')`,
    [ids],
  )

export const clearTest = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('UPDATE stream_live SET test_picture = NULL, test_until = NULL WHERE id = $1 AND test_until IS NOT NULL', [
    id,
  ])

export const removedLive = (tx: Tx): Promise<{ id: string; organization_id: string }[]> =>
  tx.query('SELECT id, organization_id FROM stream_live WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL')

export const liveFilesRemoved = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('UPDATE stream_live SET files_removed_at = now() WHERE id = $1', [id])

/** A broadcast that ended may be gone back in for its window; so long after that nothing of it is kept. */
const KEPT_AFTER_END_HOURS = 24
export const LONG_ENDED = `stream_live WHERE deleted_at IS NULL AND input->>'state' = 'ended'
  AND coalesce(emptied_at < (input->>'since')::timestamptz, true) AND (input->>'since')::timestamptz < now() - make_interval(secs => rewind_seconds, hours => ${KEPT_AFTER_END_HOURS})`
export const longEnded = (tx: Tx): Promise<{ id: string; organization_id: string }[]> =>
  tx.query(`SELECT id, organization_id FROM ${LONG_ENDED}`)

/** Also for viewers; nothing where another broadcast has begun meanwhile. */
export const liveEmptied = (tx: Tx, id: string): Promise<unknown> =>
  tx.query(
    `UPDATE stream_live SET emptied_at = now(), is_playable = is_playable AND input->>'state' IS DISTINCT FROM 'ended' WHERE id = $1`,
    [id],
  )
