import { z } from 'zod'
import { ListQuery, del, feature, get, page, patch, post } from './route.ts'

export const OrganizationStatus = z.enum(['active', 'payment_failed', 'locked'])
export type OrganizationStatus = z.infer<typeof OrganizationStatus>

/** What the caller may do about an organisation; the server checks it again. */
export const OrganizationActions = z.object({
  plan: z.boolean(),
  /** To begin to bill the plan that it is on, by setting it once more. */
  bill: z.boolean(),
  suspend: z.boolean(),
  /** False also where somebody above has suspended it. */
  lift: z.boolean(),
  /** To take back that its owner closes it. */
  keepOpen: z.boolean().default(false),
})

/** The same about a user. */
export const UserActions = z.object({ lookOn: z.boolean(), suspend: z.boolean(), lift: z.boolean() })

/** An organisation as the operator, or the people of its partner, see it. */
export const OrganizationRow = z.object({
  id: z.string(),
  name: z.string(),
  planId: z.string(),
  planName: z.string(),
  partnerId: z.string(),
  partnerName: z.string(),
  status: OrganizationStatus,
  suspended: z.boolean(),
  sandbox: z.boolean(),
  /** When its owner has it closed, and since when it is; `closingProblem`: what could not be removed yet. */
  closesAt: z.iso.datetime().nullable().default(null),
  closedAt: z.iso.datetime().nullable().default(null),
  closingProblem: z.string().nullable().default(null),
  /** Whether months are billed; not before a plan was chosen or set. */
  billed: z.boolean(),
  siteCount: z.int(),
  userCount: z.int(),
  createdAt: z.iso.datetime(),
  may: OrganizationActions,
})
export type OrganizationRow = z.infer<typeof OrganizationRow>

export const UserRow = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  isOwner: z.boolean(),
  isOperator: z.boolean(),
  administersPartner: z.boolean(),
  suspended: z.boolean(),
  emailVerified: z.boolean(),
  hasMfa: z.boolean(),
  loginAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  may: UserActions,
})
export type UserRow = z.infer<typeof UserRow>

const OrganizationQuery = ListQuery.extend({
  plan: z.string().max(60).optional(),
  partner: z.uuid().optional(),
  state: z.enum(['active', 'payment_failed', 'locked', 'suspended']).optional(),
})

/** A link that opens a session as somebody else: for one use, within a minute. */
export const LoginAsLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() })

/**
 * A purchase that the operator has made by hand, without a marketplace: who opens the link brings it to their
 * organisation.
 */
const Sale = z.object({
  /** Number of the contract; the organisation is known by it as the marketplace's customer. */ customerId: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,80}$/, 'validation.alpha_dash_custom'),
})

/** Organisations and their people across the installation; the people of a partner reach their own only. */
export const organizations = feature('organizations', {
  list: get('/operator/v2/organizations/', {
    fromReplica: true,
    in: OrganizationQuery,
    out: page(OrganizationRow),
    permission: 'operator',
    scope: 'partner',
    errors: [],
  }),
  get: get('/operator/v2/organizations/{organization}/', {
    out: OrganizationRow,
    permission: 'operator',
    scope: 'partner',
    errors: [],
  }),
  update: patch('/operator/v2/organizations/{organization}/', {
    in: z.object({ suspended: z.boolean().optional(), planId: z.string().max(60).optional() }),
    out: OrganizationRow,
    permission: 'operator',
    scope: 'partner',
    errors: [1451, 7409, 7499],
    audit: 'organization.update',
    changes: [],
  }),
  /** What only the operator decides. */
  manage: patch('/operator/v2/organizations/{organization}/management/', {
    in: z.object({
      status: OrganizationStatus.optional(),
      partnerId: z.uuid().optional(),
      sandbox: z.boolean().optional(),
    }),
    out: OrganizationRow,
    permission: 'operator',
    scope: 'installation',
    errors: [7409, 7499],
    audit: 'organization.manage',
    changes: [],
  }),
  keepOpen: del('/operator/v2/organizations/{organization}/closing/', {
    out: OrganizationRow,
    permission: 'operator',
    scope: 'installation',
    makesRoom: true,
    errors: [7409],
    audit: 'organization.keepOpen',
    changes: [],
    summary: 'Takes back that its owner closes an organisation, which is not closed yet.',
  }),
  /** For when the owner is gone, or has lost the way in. */
  setOwner: post('/operator/v2/organizations/{organization}/owner/', {
    in: z.object({ user: z.uuid() }),
    out: OrganizationRow,
    permission: 'operator',
    scope: 'installation',
    errors: [1484],
    audit: 'organization.owner',
    changes: [],
    summary: 'Makes a person of the organisation its owner; who was it before becomes an administrator.',
  }),
  users: get('/operator/v2/users/', {
    in: ListQuery.extend({ organization: z.uuid().optional(), role: z.enum(['operator', 'partner']).optional() }),
    out: page(UserRow),
    permission: 'operator',
    scope: 'partner',
    errors: [],
  }),
  suspendUser: patch('/operator/v2/users/{user}/', {
    in: z.object({ suspended: z.boolean() }),
    out: UserRow,
    permission: 'operator',
    scope: 'partner',
    errors: [1461, 7409],
    audit: 'user.suspend',
    changes: [],
  }),
  setRole: patch('/operator/v2/users/{user}/role/', {
    in: z.object({ isOperator: z.boolean(), administersPartner: z.boolean() }),
    out: UserRow,
    permission: 'operator',
    scope: 'installation',
    errors: [7409],
    audit: 'user.role',
    changes: [],
  }),
  sell: post('/operator/v2/marketplace/', {
    in: Sale,
    out: z.object({ url: z.string(), expiresAt: z.iso.datetime() }),
    permission: 'operator',
    scope: 'installation',
    errors: [],
    audit: 'marketplace.sell',
    changes: [],
    summary:
      'A link, good for a week, that registers a purchase the operator has made by hand with the organisation of whoever opens it.',
  }),
  loginAs: post('/operator/v2/users/{user}/login-as/', {
    out: LoginAsLink,
    permission: 'operator',
    scope: 'partner',
    errors: [1451, 1461],
    audit: 'user.loginAs',
    changes: [],
    summary:
      'A link for one use that opens a session as this user; everything done in it is told as done by the caller for the user.',
  }),
})
