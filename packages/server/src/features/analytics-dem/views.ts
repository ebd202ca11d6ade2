import { LIMITS, type DemView, type analyticsDem } from '@fairway/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Verbs } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { deleteView, insertView, updateView, viewById, viewsOf, type DemViewRow } from './store.ts'

/** Views that a person keeps: theirs alone, whatever else they may see of the organisation. */
export const viewVerbs: Pick<Verbs<typeof analyticsDem>, 'views' | 'createView' | 'updateView' | 'removeView'> = {
  async views({ tx, actor }) {
    return { data: (await viewsOf(tx, actor.userId)).map(present), limit: LIMITS.demViews.perPerson }
  },

  async createView({ tx, actor, change }, input) {
    // One after the other, so that two at once do not both find room.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4105))', [actor.userId])
    const own = await viewsOf(tx, actor.userId)
    refuseTaken(own, input.name, null)
    if (own.length >= LIMITS.demViews.perPerson) throw new Failure(27060)
    const id = await insertView(tx, actor, input)
    const row = await found(tx, actor.userId, id)
    change.record({ entity: 'dem-view', id, label: row.name, before: null, after: recorded(row) })
    return { data: present(row), meta: { version: null } }
  },

  async updateView({ tx, actor, change }, { id, ...input }) {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4105))', [actor.userId])
    const before = await found(tx, actor.userId, id)
    refuseTaken(await viewsOf(tx, actor.userId), input.name, id)
    await updateView(tx, id, input)
    const row = await found(tx, actor.userId, id)
    change.record({ entity: 'dem-view', id, label: row.name, before: recorded(before), after: recorded(row) })
    return { data: present(row), meta: { version: null } }
  },

  async removeView({ tx, actor, change }, { id }) {
    const row = await found(tx, actor.userId, id)
    await deleteView(tx, id)
    change.record({ entity: 'dem-view', id, label: row.name, before: recorded(row), after: null })
    return { data: { id }, meta: { version: null } }
  },
}

async function found(tx: Context['tx'], userId: string, id: string): Promise<DemViewRow> {
  const row = isUuid(id) ? await viewById(tx, userId, id) : undefined
  if (!row) throw new Failure(404)
  return row
}

function refuseTaken(own: readonly DemViewRow[], name: string, butOf: string | null): void {
  if (own.some((row) => row.id !== butOf && row.name.toLowerCase() === name.toLowerCase()))
    throw new Failure(27061, { fields: [{ path: 'name', message: 'code:27061' }] })
}

const recorded = ({ name, page }: DemViewRow) => ({ name, ...page })

const present = ({ id, name, page, created_at }: DemViewRow): DemView => ({
  id,
  name,
  page,
  createdAt: created_at.toISOString(),
})
