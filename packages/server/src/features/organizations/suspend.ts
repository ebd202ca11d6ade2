import { closesAt } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'

/** Who may suspend somebody, each above those before. */
const RANKS = ['organization', 'partner', 'house'] as const
export type SuspendedBy = (typeof RANKS)[number]

type Held = { suspended: boolean; suspended_by: SuspendedBy | null }

/**
 * Suspends a person, or lifts it. Who is suspended by several is so by the highest of them.
 * @throws Failure 1461 when somebody above has suspended them
 */
export async function suspendPerson(
  tx: Tx,
  { user, suspended, by }: { user: string; suspended: boolean; by: SuspendedBy },
): Promise<void> {
  const [held] = await tx.query<Held>('SELECT suspended, suspended_by FROM app_user WHERE id = $1 FOR UPDATE', [user])
  if (!suspended) refuseLower(held, by, 1461)
  await tx.query('UPDATE app_user SET suspended = $2, suspended_by = $3 WHERE id = $1', [
    user,
    suspended,
    suspended ? highest(held, by) : null,
  ])
}

/**
 * The same of an organisation; whoever changes it holds its account.
 * @throws Failure 1451 when somebody above has suspended it, 7409 when its owner has closed it
 */
export async function suspendOrganization(
  tx: Tx,
  { organization, suspended, by }: { organization: string; suspended: boolean; by: SuspendedBy },
): Promise<void> {
  const [held] = await tx.query<Held & { closed: boolean }>(
    'SELECT suspended, suspended_by, closed_at IS NOT NULL AS closed FROM organization WHERE id = $1',
    [organization],
  )
  if (held?.closed) throw new Failure(7409, { internal: 'the organisation is closed' })
  if (!suspended) refuseLower(held, by, 1451)
  await tx.query('UPDATE organization SET suspended = $2, suspended_by = $3 WHERE id = $1', [
    organization,
    suspended,
    suspended ? highest(held, by) : null,
  ])
  // Nobody could keep it open meanwhile: its owner has the days again.
  if (!suspended && held?.suspended)
    await tx.query(
      'UPDATE organization SET closing_at = greatest(closing_at, $2) WHERE id = $1 AND closing_at IS NOT NULL',
      [organization, closesAt(new Date())],
    )
}

const rank = (by: SuspendedBy | null) => (by === null ? -1 : RANKS.indexOf(by))

export const isAbove = (held: Held | undefined, by: SuspendedBy): boolean =>
  held?.suspended === true && rank(held.suspended_by) > rank(by)

function refuseLower(held: Held | undefined, by: SuspendedBy, code: 1451 | 1461): void {
  if (isAbove(held, by)) throw new Failure(code, { internal: `suspended by ${held?.suspended_by}` })
}

const highest = (held: Held | undefined, by: SuspendedBy): SuspendedBy =>
  isAbove(held, by) ? (held?.suspended_by ?? by) : by
