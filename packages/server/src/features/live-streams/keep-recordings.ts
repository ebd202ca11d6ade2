import { type Rung, costOf, recordingName } from '@fairway/domain'
import type { Database, Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { mustAnswer } from '../../loops/must-answer.ts'
import { streamSiteKey } from '../../publish/stream-site.ts'
import { notify } from '../notifications/notify.ts'

type Sealed = {
  id: string
  organization_id: string
  live_id: string
  stream: string
  started_at: Date
  seconds: number
  bytes: number
  reason: '' | 'disk-full' | 'no-source' | 'long'
  facts: { renditions: (Rung & { made: unknown })[]; hasAudio: boolean }
}

/** One is whole, or could not be begun and nobody was told. */
export const RECORDINGS_DUE = `SELECT FROM stream_recording WHERE state = 'sealed' OR (state = 'refused' AND told_at IS NULL)`

/** Each by itself: turns recordings that are whole into videos, and tells of those that could not be begun. */
export async function keepRecordings(database: Database): Promise<void> {
  const failures: unknown[] = []
  const each = async (ids: string, work: (tx: Tx, id: string) => Promise<void>) => {
    for (const { id } of await database.system((tx) => tx.query<{ id: string }>(ids)))
      await database
        .system((tx) => work(tx, id))
        .catch(async (error: unknown) => {
          await mustAnswer(database, error)
          failures.push(error)
        })
  }
  await each(`SELECT id FROM stream_recording WHERE state = 'sealed' ORDER BY started_at`, keep)
  await each(`SELECT id FROM stream_recording WHERE state = 'refused' AND told_at IS NULL ORDER BY started_at`, tell)
  if (failures.length > 0) throw failures[0]
}

async function tell(tx: Tx, id: string): Promise<void> {
  const [refused] = await tx.query<Pick<Sealed, 'organization_id' | 'stream' | 'reason'>>(
    `UPDATE stream_recording r SET told_at = now() FROM stream_live l WHERE l.id = r.live_id AND r.id = $1 AND r.state = 'refused' AND r.told_at IS NULL RETURNING r.organization_id, l.name AS stream, r.reason`,
    [id],
  )
  if (!refused) return
  const { organization_id: organizationId, stream, reason } = refused
  await notify(tx, { organizationId, event: 'live-not-recorded', fields: { stream, reason } })
}

async function keep(tx: Tx, id: string): Promise<void> {
  // One worker at a time, so that none becomes a video twice.
  await tx.query('SELECT pg_advisory_xact_lock(4718)')
  const [one] = await tx.query<Sealed>(
    `SELECT r.id, r.organization_id, r.live_id, l.name AS stream, r.started_at, r.seconds, r.bytes::float8 AS bytes, r.reason, r.facts
     FROM stream_recording r JOIN stream_live l ON l.id = r.live_id WHERE r.id = $1 AND r.state = 'sealed' FOR UPDATE OF r`,
    [id],
  )
  if (!one) return
  const { organization_id: organizationId, stream, reason, facts } = one
  const name = await freeName(tx, one)
  const best = facts.renditions.at(-1)
  await tx.query(
    `INSERT INTO stream_asset (id, organization_id, name, category, size, state, source, created_by, started_at) VALUES ($1, $2, $3, $4, $5, 'processing', $6, $7, now())`,
    [
      id,
      organizationId,
      name,
      '',
      Math.round(one.bytes),
      JSON.stringify({
        width: best?.width ?? 0,
        height: best?.height ?? 0,
        fps: best?.fps ?? null,
        seconds: one.seconds,
        videoCodec: 'h264',
        audioCodec: facts.hasAudio ? 'aac' : null,
      }),
      stream,
    ],
  )
  const jobs = [
    { kind: 'recording', name: 'recording', spec: {}, cost: 1, state: 'waiting', attempt: 0, made: null },
    ...facts.renditions.map(({ made, ...spec }) => ({
      kind: 'video',
      name: spec.name,
      spec,
      cost: costOf(spec) / 1e9,
      state: 'done',
      attempt: 1,
      made,
    })),
  ]
  for (const [seq, job] of jobs.entries())
    await tx.query(
      'INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, spec, cost, state, attempt, made) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        organizationId,
        id,
        seq,
        job.kind,
        job.name,
        JSON.stringify(job.spec),
        job.cost,
        job.state,
        job.attempt,
        job.made && JSON.stringify(job.made),
      ],
    )
  await tx.query(`UPDATE stream_recording SET state = 'kept', told_at = now() WHERE id = $1`, [id])
  // The stream may be gone, and with it the host at the edge.
  await enqueue(tx, organizationId, ['edge-site'], streamSiteKey(organizationId))
  await writeAudit(tx, {
    organizationId,
    action: 'live-stream.record',
    userId: null,
    userLabel: 'system',
    source: 'system',
    changes: [{ entity: 'stream-asset', id, label: name, before: null, after: { name, stream, reason } }],
  })
  await notify(tx, {
    organizationId,
    event: reason === 'disk-full' ? 'live-recording-cut' : 'live-recorded',
    fields: { stream, video: name },
  })
}

/** Two broadcasts may begin in one minute. */
async function freeName(tx: Tx, { organization_id: organizationId, stream, started_at: at }: Sealed): Promise<string> {
  for (let copy = 1; ; copy++) {
    const name = recordingName(stream, at, copy)
    const taken = await tx.query(
      'SELECT FROM stream_asset WHERE organization_id = $1 AND deleted_at IS NULL AND replaces IS NULL AND lower(name) = lower($2)',
      [organizationId, name],
    )
    if (taken.length === 0) return name
  }
}
