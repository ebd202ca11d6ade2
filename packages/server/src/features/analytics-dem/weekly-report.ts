import type { WeeklyReport, analyticsDem } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Verbs } from '../../http/register.ts'

type Row = { week: string | null; silent: boolean; sent_at: Date | null }

/** Whether the caller is sent the figures of each week; the worker writes the letters. */
export const weeklyVerbs: Pick<Verbs<typeof analyticsDem>, 'weeklyReport' | 'setWeeklyReport'> = {
  async weeklyReport({ tx, actor }) {
    return present(await chosen(tx, actor.userId))
  },

  async setWeeklyReport({ tx, actor }, { on }) {
    if (on)
      await tx.query(
        'INSERT INTO weekly_report (user_id, organization_id) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING',
        [actor.userId, actor.organizationId],
      )
    else await tx.query('DELETE FROM weekly_report WHERE user_id = $1', [actor.userId])
    return present(await chosen(tx, actor.userId))
  },
}

async function chosen(tx: Tx, userId: string): Promise<Row | undefined> {
  const [row] = await tx.query<Row>(
    'SELECT week::text AS week, silent, sent_at FROM weekly_report WHERE user_id = $1',
    [userId],
  )
  return row
}

const present = (row: Row | undefined): WeeklyReport => ({
  on: row !== undefined,
  week: row?.week ?? null,
  silent: row?.silent ?? false,
  sentAt: row?.sent_at?.toISOString() ?? null,
})
