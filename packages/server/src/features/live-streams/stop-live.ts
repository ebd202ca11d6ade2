import type { Tx } from '@fairway/platform'
import { writeAudit } from '../../http/write-audit.ts'
import { notify } from '../notifications/notify.ts'

/** Switches off what is on, where the organisation's serving stops: an encoding that nobody may watch would cost on. */
export async function stopLive(tx: Tx, organizationId: string): Promise<void> {
  const stopped = await tx.query<{ id: string; name: string }>(
    `UPDATE stream_live SET is_on = false, revision = revision + 1, test_picture = NULL, test_until = NULL
     WHERE organization_id = $1 AND is_on AND deleted_at IS NULL RETURNING id, name`,
    [organizationId],
  )
  const [first] = stopped
  if (!first) return
  await writeAudit(tx, {
    organizationId,
    action: 'live-stream.stop',
    userId: null,
    userLabel: 'system',
    source: 'system',
    changes: stopped.map(({ id, name }) => ({
      entity: 'live-stream',
      id,
      label: name,
      before: { on: true },
      after: { on: false },
    })),
  })
  await notify(tx, {
    organizationId,
    event: 'live-stopped',
    fields: { stream: first.name, streams: stopped.length },
  })
}
