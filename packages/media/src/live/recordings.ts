import { LIMITS } from '@fairway/contract'
import type { Rung } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { type Place, folderOf } from '../jobs/intake.ts'
import type { Broadcast } from './broadcast.ts'
import { Recording, type Sealed } from './recording.ts'

type Row = { id: string; organization_id: string; live_id: string; facts: { renditions: readonly Rung[] } }

/**
 * What is kept of broadcasts: begins and ends recordings as streams want it, and hands whole ones on. What the database
 * calls running is the truth: a process that comes after this one goes on with it.
 */
export class Recordings {
  readonly #place: Place
  readonly #open = new Map<string, Recording>()
  /** Streams whose broadcast of now is not to be begun again. */
  readonly #refused = new Set<string>()

  constructor(place: Place) {
    this.#place = place
  }

  async look(streams: ReadonlyMap<string, Broadcast>): Promise<void> {
    const { database } = this.#place
    const running = await database.system((tx) =>
      tx.query<Row>(`SELECT id, organization_id, live_id, facts FROM stream_recording WHERE state = 'running'`),
    )
    const isRunning = new Set(running.map(({ live_id: live }) => live))
    for (const row of running)
      await this.#goOn(row, streams.get(row.live_id)).then(
        (goesOn) => !goesOn && isRunning.delete(row.live_id),
        // One whose folder cannot be written keeps no other waiting; it is tried again.
        (error: unknown) => this.#tell(row.id, error),
      )
    for (const [id, stream] of streams) {
      if (!stream.isToBeRecorded) this.#refused.delete(id)
      else if (!isRunning.has(id) && !this.#refused.has(id))
        await this.#begin(id, stream).catch((error: unknown) => this.#tell(id, error))
    }
  }

  readonly #told = new Map<string, string>()
  #tell(id: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    if (this.#told.get(id) !== why) this.#place.log.error({ event: 'live.recording-failed', recording: id, err: error })
    this.#told.set(id, why)
  }

  /** False when it is over. */
  async #goOn(row: Row, stream: Broadcast | undefined): Promise<boolean> {
    const known = this.#open.get(row.live_id)
    const isKnown = known?.id === row.id
    const one = isKnown ? known : new Recording(row.id, folderOf(this.#place.config, row))
    const isSameBroadcast = !isKnown || stream?.recording === one
    if (stream?.isToBeRecorded === true && isSameBroadcast && one.end === '') {
      this.#open.set(row.live_id, one)
      stream.record(one)
      await this.#place.database.system((tx) => noteSize(tx, row.id, one.size))
      return true
    }
    stream?.record(null)
    this.#open.delete(row.live_id)
    // Only what is too long goes on in another; a full disk is not tried over and over.
    if (one.end === 'disk-full') this.#refused.add(row.live_id)
    const sealed = one.seal(row.facts.renditions)
    if (sealed === null) one.discard()
    await this.#place.database.system((tx) => noteSealed(tx, row.id, sealed, one.end))
    this.#place.log.info({ event: 'live.recorded', stream: row.live_id, recording: row.id, why: one.end })
    this.#told.delete(row.id)
    return false
  }

  async #begin(id: string, stream: Broadcast): Promise<void> {
    const { database, config } = this.#place
    const { organizationId } = stream
    const begun = await database.system(async (tx) => {
      // As the API counts them: one after the other, so that two at once do not both find room.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4060))', [organizationId])
      const hasRoom = (await countSources(tx, organizationId)) < LIMITS.streamSources
      return { id: await insertRecording(tx, { organizationId, liveId: id, hasRoom, ladder: stream.ladder }), hasRoom }
    })
    if (!begun.hasRoom) {
      this.#refused.add(id)
      return
    }
    const one = new Recording(begun.id, folderOf(config, { id: begun.id, organization_id: organizationId }))
    this.#open.set(id, one)
    stream.record(one)
  }
}

const countSources = async (tx: Tx, organizationId: string): Promise<number> =>
  (
    await tx.query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM stream_asset WHERE organization_id = $1 AND deleted_at IS NULL)
             + (SELECT count(*) FROM stream_live WHERE organization_id = $1 AND deleted_at IS NULL)
             + (SELECT count(*) FROM stream_recording WHERE organization_id = $1 AND state IN ('running', 'sealed')))::int AS n`,
      [organizationId],
    )
  )[0]?.n ?? 0

type Begun = { organizationId: string; liveId: string; hasRoom: boolean; ladder: readonly Rung[] }
const insertRecording = async (tx: Tx, { organizationId, liveId, hasRoom, ladder }: Begun): Promise<string> =>
  (
    await tx.query<{ id: string }>(
      `INSERT INTO stream_recording (organization_id, live_id, state, reason, facts, ended_at) VALUES ($1, $2, $3, $4, $5, CASE WHEN $4 <> '' THEN now() END) RETURNING id`,
      [
        organizationId,
        liveId,
        hasRoom ? 'running' : 'refused',
        hasRoom ? '' : 'no-source',
        JSON.stringify({ renditions: ladder }),
      ],
    )
  )[0]?.id ?? ''

const noteSize = (tx: Tx, id: string, { seconds, bytes }: { seconds: number; bytes: number }): Promise<unknown> =>
  tx.query(`UPDATE stream_recording SET seconds = $2, bytes = $3 WHERE id = $1 AND bytes <> $3`, [id, seconds, bytes])

/**
 * Where nothing was kept there was no recording, unless there is a reason to tell. One that was sealed meanwhile, as its
 * organisation closed, may be a video by now.
 */
export const noteSealed = (tx: Tx, id: string, sealed: Sealed | null, reason: string): Promise<unknown> =>
  sealed === null
    ? reason === ''
      ? tx.query(`DELETE FROM stream_recording WHERE id = $1 AND state = 'running'`, [id])
      : tx.query(
          `UPDATE stream_recording SET state = 'refused', reason = $2, seconds = 0, bytes = 0, ended_at = now() WHERE id = $1 AND state = 'running'`,
          [id, reason],
        )
    : tx.query(
        `UPDATE stream_recording SET state = 'sealed', reason = $2, seconds = $3, bytes = $4, facts = $5, ended_at = now() WHERE id = $1 AND state = 'running'`,
        [
          id,
          reason,
          sealed.seconds,
          sealed.bytes,
          JSON.stringify({ renditions: sealed.renditions, hasAudio: sealed.hasAudio }),
        ],
      )
