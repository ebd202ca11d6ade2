import type { GrantedPermission, PartnerFeature, PlanFeature } from '@fairway/contract'

/** Who calls, as established by `authenticate`. The tenant always comes from here, never from the input. */
export type UserActor = {
  kind: 'user'
  userId: string
  sessionId: string | null
  /** The API key that calls; null for a session. A key does what its tier says and nothing of the user's own. */
  apiKeyId: string | null
  /** What that key may do by now, 0 to 4; null for a session. */
  keyTier: number | null
  organizationId: string
  label: string
  permissions: ReadonlySet<GrantedPermission>
  abilities: ReadonlySet<PlanFeature>
  isOperator: boolean
  /** The partner whose organisations this person looks after; null for almost everyone. */
  administersPartnerId: string | null
  sandbox: boolean
  source: 'console' | 'api'
  /** E-mail of the person who looks on as this user (login-as); null for the user itself. */
  impostor: string | null
  partnerId: string
  /** What the partner hides from its customers: closed in the menu, the route and the API. */
  hiddenFeatures: ReadonlySet<PartnerFeature>
  ip: string
  /** How far the database's log had come when they were asked about; null where nobody reads from replicas. */
  logPosition: string | null
}
export type Actor = UserActor | { kind: 'node'; ip: string } | { kind: 'anonymous'; ip: string }
