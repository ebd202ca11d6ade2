import { z } from 'zod'
import { Proof } from './account.ts'
import { TEAMMATE_STATUSES } from './lean.ts'
import { ListQuery, del, feature, get, page, post, put } from './route.ts'

/** What a person is given: one level of a resource, or a tier of the API. A resource that is not named is `none`. */
export const ROLE_IDS = [
  'site-viewer',
  'site-editor',
  'site-admin',
  'teammate-viewer',
  'teammate-editor',
  'teammate-admin',
  'dem-viewer',
  'dem-editor',
  'dem-admin',
  'auditLog-viewer',
  'auditLog-editor',
  'auditLog-admin',
  'billing-viewer',
  'billing-editor',
  'billing-admin',
  'api-tier-1',
  'api-tier-2',
  'api-tier-3',
  'api-tier-4',
] as const
export const RoleId = z.enum(ROLE_IDS)
export type RoleId = z.infer<typeof RoleId>

/** At most one level of each resource and one tier. */
export const RoleIds = z
  .array(RoleId)
  .max(6)
  .refine(
    (ids) => new Set(ids.map((id) => id.slice(0, id.lastIndexOf('-')))).size === ids.length,
    'validation.oneLevelEach',
  )

/** Roles put together for the work that people usually have. */
export const READY_ROLE_NAMES = ['viewer', 'dns-editor', 'steering', 'security', 'billing', 'administrator'] as const
export const ReadyRole = z.enum(READY_ROLE_NAMES)
export type ReadyRole = z.infer<typeof ReadyRole>

/** `invited` has a letter with a link; `expired` had one; `declined` has said no to it; `suspended` cannot sign in. */
export const TeammateStatus = z.enum(TEAMMATE_STATUSES)
export type TeammateStatus = z.infer<typeof TeammateStatus>

/** `has-account`: the address has an account in another organisation, and can have one only. */
export const DECLINED_WHY = ['has-account', 'not-wanted'] as const

/** What the caller may do to this person; the server checks it again. */
export const TeammateActions = z.object({
  roles: z.boolean(),
  suspend: z.boolean(),
  reactivate: z.boolean(),
  remove: z.boolean(),
  invite: z.boolean(),
  /** To hand the organisation over to this person. */
  own: z.boolean(),
  /** To leave; only oneself. */
  leave: z.boolean(),
})

export const Teammate = z.object({
  id: z.string(),
  email: z.string(),
  /** Empty until an invited person has chosen it. */
  firstName: z.string(),
  lastName: z.string(),
  isOwner: z.boolean(),
  isSelf: z.boolean(),
  status: TeammateStatus,
  activated: z.boolean(),
  lastLoginAt: z.iso.datetime().nullable(),
  invitedAt: z.iso.datetime().nullable(),
  /** When the link of the invitation stops working. */
  invitationExpiresAt: z.iso.datetime().nullable(),
  /** Why an invitation was declined: the invited person says so, nobody else. */
  declinedWhy: z.enum(DECLINED_WHY).nullable(),
  roleIds: z.array(RoleId),
  apiKeys: z.object({ count: z.int(), lastUsedAt: z.iso.datetime().nullable() }),
  may: TeammateActions,
})
export type Teammate = z.infer<typeof Teammate>

/**
 * A role and whether the caller may give it and take it away: only who administers a resource may, and nobody above
 * their own tier.
 */
export const AssignableRole = z.object({ id: RoleId, assignable: z.boolean() })

/**
 * May this person, of the routes of one feature, call those that read, those that write, those that remove? `some`: not
 * all of them.
 */
export const WhoCanAnswer = z.enum(['all', 'some', 'none'])
export const WhoCanPerson = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  isOwner: z.boolean(),
  isSelf: z.boolean(),
  status: TeammateStatus.extract(['active', 'suspended']),
  view: WhoCanAnswer,
  edit: WhoCanAnswer,
  remove: WhoCanAnswer,
  /** Tier that the person's API keys may have; null for none. */
  apiTier: z.int().nullable(),
})
export type WhoCanPerson = z.infer<typeof WhoCanPerson>
export const WhoCan = z.object({
  /**
   * The permissions that the feature's routes need, by what they do. A list that is empty: the feature has no such
   * routes.
   */
  needs: z.object({ view: z.array(z.string()), edit: z.array(z.string()), remove: z.array(z.string()) }),
  people: z.array(WhoCanPerson),
})
export type WhoCan = z.infer<typeof WhoCan>

export const InviteInput = z.object({
  email: z
    .email()
    .max(254)
    .transform((text) => text.toLowerCase()),
  roleIds: RoleIds,
})

/** Taking rights away is not among it: a plan that ends must not leave anybody inside. */
const ofPlan = { planFeature: 'teammate.enable' } as const

/**
 * The people of an organisation, what each of them may do, and who is asked to join. What gives somebody a way in that lasts is closed to
 * whoever looks on for an hour.
 */
export const teammates = feature('teammates', {
  list: get('/account/v2/customers/', {
    ...ofPlan,
    in: ListQuery.extend({ ordering: z.string().max(64).default('name'), status: TeammateStatus.optional() }),
    out: page(Teammate),
    permission: 'ViewUser',
    errors: [],
  }),
  invite: post('/account/v2/customers/', {
    ...ofPlan,
    personal: true,
    in: InviteInput,
    out: Teammate,
    permission: 'AddUser',
    errors: [429, 1482, 1485, 1570, 7491],
    audit: 'teammate.invite',
    changes: [],
    summary:
      'Sends an invitation. The answer is the same whether or not the address has an account in another organisation.',
  }),
  get: get('/account/v2/customers/{id}/', { ...ofPlan, out: Teammate, permission: 'ViewUser', errors: [] }),
  remove: del('/account/v2/{id}/', {
    out: z.object({ id: z.string() }),
    permission: 'RemoveUser',
    errors: [1461, 1480, 1481, 1482, 1483],
    audit: 'teammate.remove',
    changes: [],
    summary: 'Removes a person, or withdraws an invitation.',
  }),
  reinvite: post('/account/v2/{id}/invite/', {
    ...ofPlan,
    personal: true,
    out: Teammate,
    permission: 'AddUser',
    errors: [429, 1482, 1484, 1570],
    audit: 'teammate.reinvite',
    changes: [],
    summary: 'Sends the letter of a pending invitation again; the link before stops working.',
  }),
  deactivate: post('/account/v2/{id}/deactivate/', {
    out: Teammate,
    permission: 'EditUser',
    errors: [1480, 1481, 1482, 1483, 1484],
    audit: 'teammate.suspend',
    changes: [],
    summary: 'Suspends a person: their sessions and API keys end at once.',
  }),
  reactivate: post('/account/v2/{id}/reactivate/', {
    ...ofPlan,
    personal: true,
    out: Teammate,
    permission: 'EditUser',
    errors: [1461, 1480, 1482, 1483, 1484],
    audit: 'teammate.reactivate',
    changes: [],
  }),
  transferOwnership: post('/account/v2/{id}/owner/', {
    in: z.object(Proof),
    out: Teammate,
    personal: true,
    permission: 'EditUser',
    errors: [1482, 1484, 2523],
    audit: 'teammate.owner',
    changes: [],
    summary: 'Makes another person the owner; who was it before becomes an administrator. For the owner alone.',
  }),
  leave: post('/account/v2/leave/', {
    /** One's own address, so that nobody leaves by a click. */
    in: z.object({ email: z.string().max(254), ...Proof }),
    out: z.object({}),
    personal: true,
    permission: 'signed-in',
    errors: [1481, 1488, 2523],
    audit: 'teammate.leave',
    changes: [],
    summary: "Deletes the caller's own account. The owner hands the organisation over before, or closes it.",
  }),
  rolesOf: get('/account/v2/{id}/roles/', {
    ...ofPlan,
    out: z.object({ roleIds: z.array(RoleId), isOwner: z.boolean() }),
    permission: 'ViewUser',
    errors: [],
  }),
  setRoles: put('/account/v2/{id}/roles/', {
    ...ofPlan,
    personal: true,
    in: z.object({ roleIds: RoleIds }),
    out: Teammate,
    permission: 'EditUser',
    errors: [1480, 1481, 1482],
    audit: 'teammate.roles',
    changes: [],
  }),
  roles: get('/account/v2/roles/', {
    out: z.object({
      data: z.array(AssignableRole),
      /** A start for usual work; `assignable` when the caller may give all that is in it. */
      ready: z.array(z.object({ id: ReadyRole, roleIds: z.array(RoleId), assignable: z.boolean() })),
    }),
    permission: 'signed-in',
    errors: [],
    summary: 'Every role there is, and whether the caller may give it.',
  }),
  whoCan: get('/account/v2/who-can/', {
    ...ofPlan,
    in: z.object({ feature: z.string().max(60) }),
    out: WhoCan,
    permission: 'ViewUser',
    errors: [404],
    summary: 'Who may read, change and remove what a feature is about.',
  }),
})
