import { FEATURES, type AnyRoute, type Feature, type GrantedPermission, type WhoCan } from '@fairway/contract'
import { mayNotCall } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'
import { Failure } from '../../http/failure.ts'

type Row = {
  id: string
  email: string
  first_name: string
  last_name: string
  is_owner: boolean
  suspended: boolean
  is_operator: boolean
  administers_partner_id: string | null
  permissions: GrantedPermission[]
  api_tier: number | null
}
type Deed = 'view' | 'edit' | 'remove'

/** Holds because every feature is gathered by `feature()`; their routes differ in types only. */
const features = Object.values(FEATURES) as unknown as Feature<Record<string, AnyRoute>>[]

/**
 * Who may read, change and remove what a feature is about: the same question for every person that the API asks for
 * every call.
 */
export async function whoCan(tx: Tx, actor: UserActor, name: string): Promise<WhoCan> {
  const feature = features.find((one) => one.name === name)
  if (!feature) throw new Failure(404)
  const routes = guarded(feature)
  const byDeed: Record<Deed, AnyRoute[]> = { view: [], edit: [], remove: [] }
  for (const route of routes) byDeed[deedOf(route)].push(route)
  const rows = await tx.query<Row>(
    'SELECT id, email, first_name, last_name, is_owner, suspended, is_operator, administers_partner_id, permissions, api_tier FROM app_user ORDER BY is_owner DESC, lower(first_name), lower(last_name), email',
  )
  const needs = (deed: Deed) => [...new Set(byDeed[deed].map(({ permission }) => permission))]
  return {
    needs: { view: needs('view'), edit: needs('edit'), remove: needs('remove') },
    people: rows.map((row) => {
      const may = (deed: Deed) =>
        row.suspended ? 'none' : share(byDeed[deed], (route) => mayNotCall(callerOf(row, actor), route) === null)
      return {
        id: row.id,
        email: row.email,
        firstName: row.first_name,
        lastName: row.last_name,
        isOwner: row.is_owner,
        isSelf: row.id === actor.userId,
        status: row.suspended ? 'suspended' : 'active',
        view: may('view'),
        edit: may('edit'),
        remove: may('remove'),
        apiTier: row.suspended ? null : row.api_tier,
      }
    }),
  }
}

/**
 * The routes that are about what people may do. Those of everybody's own say something only where there are no others.
 */
function guarded({ routes }: Feature<Record<string, AnyRoute>>): AnyRoute[] {
  const forUsers = Object.values(routes).filter(({ permission }) => permission !== 'public' && permission !== 'node')
  const granted = forUsers.filter(({ permission }) => permission !== 'signed-in')
  return granted.length > 0 ? granted : forUsers
}

/** What closes the organisation closes it for each of its people. */
const callerOf = (row: Row, { hiddenFeatures, sandbox }: UserActor) => ({
  permissions: new Set(row.permissions),
  isOperator: row.is_operator,
  administersPartnerId: row.administers_partner_id,
  hiddenFeatures,
  sandbox,
  impostor: null,
  apiKeyId: null,
  keyTier: null,
})

const deedOf = ({ method }: AnyRoute): Deed => (method === 'GET' ? 'view' : method === 'DELETE' ? 'remove' : 'edit')

function share(routes: AnyRoute[], may: (route: AnyRoute) => boolean): 'all' | 'some' | 'none' {
  const count = routes.filter(may).length
  return count === 0 ? 'none' : count === routes.length ? 'all' : 'some'
}
