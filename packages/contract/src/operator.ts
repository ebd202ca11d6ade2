import { z } from 'zod'
import { JOB_KINDS, JOB_STATES, LETTER_STATES } from './lean.ts'
import { AuditEntry, AuditFilter } from './audit-log.ts'
import { NodeDisk } from './node-disk.ts'
import { Maxima } from './maxima.ts'
import { RegionName } from './region-name.ts'
import { PLAN_FEATURES } from './plan-features.ts'
import { ListQuery, feature, get, page, post, put } from './route.ts'

/**
 * `failed`: a document was refused by the node. `behind`: something newer waits to be confirmed. `away`: not heard for
 * 15 s.
 */
export const NodeHealth = z.enum(['up', 'behind', 'failed', 'away'])
export type NodeHealth = z.infer<typeof NodeHealth>

export const NodeRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  software: z.string(),
  health: NodeHealth,
  lastSeenAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** Documents it serves, those that wait, those it has refused. */
  served: z.int(),
  waiting: z.int(),
  refused: z.int(),
  /** Of its home; null while it has not told it. */
  disk: NodeDisk.nullable(),
  /** Of an edge: its shield region, who has said so, and where other nodes fetch through it. */
  shield: z
    .object({
      region: z.string().nullable(),
      by: z.enum(['operator', 'machine']).nullable(),
      address: z.string().nullable(),
    })
    .nullable(),
  /** Of a name server or an edge: where the world reaches it, as it says, and what of it DNS names now. */
  addresses: z
    .object({ told: z.array(z.string()), inDns: z.array(z.string()) })
    .nullable()
    .default(null),
})
export type NodeRow = z.infer<typeof NodeRow>

export const NodeDocument = z.object({
  kind: z.string(),
  key: z.string(),
  /** Site or CDN, when the key is one's. */ label: z.string().nullable(),
  version: z.int(),
  published: z.int().nullable(),
  ok: z.boolean(),
  reason: z.string().nullable(),
  at: z.iso.datetime(),
})
export type NodeDocument = z.infer<typeof NodeDocument>

export const NodeEvent = z.object({
  id: z.string(),
  nodeId: z.string(),
  name: z.string(),
  role: z.string(),
  kind: z.enum(['away', 'back']),
  at: z.iso.datetime(),
})
export type NodeEvent = z.infer<typeof NodeEvent>

/** Backups as the machine that answers sees them; every time is null while there is none. */
export const BackupState = z.object({
  newestAt: z.iso.datetime().nullable(),
  provenAt: z.iso.datetime().nullable(),
  isOld: z.boolean(),
  /** Those that stand on each other, with their log; null where none is carried. */
  log: z
    .object({
      /** Any second in between can be restored. */
      from: z.iso.datetime().nullable(),
      until: z.iso.datetime().nullable(),
      bytes: z.int().nullable(),
      waitingBytes: z.int(),
      trouble: z.enum(['stopped', 'torn']).nullable(),
    })
    .nullable(),
})
export type BackupState = z.infer<typeof BackupState>

/**
 * `behind`: it has not replayed enough. `leads`: it takes writes itself. `foreign`: it is of another database. `forked`:
 * it follows a log that nobody continues. `mute`: it does not say what it has replayed. `new`: not looked at yet.
 */
const ReplicaProblem = z.enum(['new', 'away', 'behind', 'leads', 'foreign', 'forked', 'mute'])

export const OperatorOverview = z.object({
  organizations: z.int(),
  suspended: z.int(),
  users: z.int(),
  sites: z.int(),
  partners: z.int(),
  openTickets: z.int(),
  nodes: z.object({ up: z.int(), away: z.int(), refusing: z.int() }),
  jobs: z.object({ waiting: z.int(), failed: z.int() }),
  letters: z.object({ waiting: z.int(), failed: z.int(), kept: z.int() }),
  backups: BackupState,
  /**
   * Replicas of the database, with why one is not asked now, as the API that answers sees them, and how many reads each
   * has answered since it started;
   * none where the settings name none. `primaryReads` are those that one might have answered.
   */
  replicas: z.array(
    z.object({ name: z.string(), lagMs: z.number().nullable(), problem: ReplicaProblem.nullable(), reads: z.int() }),
  ),
  primaryReads: z.int(),
  maintenanceMode: z.boolean(),
})
export type OperatorOverview = z.infer<typeof OperatorOverview>

const MaintenanceText = z.string().trim().max(500)
export const Maintenance = z.object({
  maintenanceMode: z.boolean(),
  text: z.object({ en: MaintenanceText, zhHant: MaintenanceText, zhHans: MaintenanceText }),
  newVersion: z.boolean(),
})
export type Maintenance = z.infer<typeof Maintenance>

export const Letter = z.object({
  id: z.string(),
  to: z.string(),
  template: z.string(),
  locale: z.string(),
  state: z.enum(LETTER_STATES),
  attempts: z.int(),
  problem: z.string().nullable(),
  partnerName: z.string(),
  organizationName: z.string().nullable(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
})
export type Letter = z.infer<typeof Letter>
export const LetterText = Letter.extend({ from: z.string(), subject: z.string(), html: z.string(), text: z.string() })

/**
 * Work that the worker has: documents to publish, tasks of sites, CDNs that a driver brings up or down; and the role
 * `media`: videos that are uploaded and encoded, live streams that are on.
 */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  what: z.string(),
  about: z.string(),
  organizationName: z.string().nullable(),
  state: z.enum(JOB_STATES),
  attempts: z.int().nullable(),
  problem: z.string().nullable(),
  since: z.iso.datetime(),
  dueAt: z.iso.datetime().nullable(),
  /** `cancel`: it ends for its owner, too, who is told. */
  can: z.array(z.enum(['retry', 'cancel'])),
})
export type Job = z.infer<typeof Job>

export const PlanData = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether customers and partners may choose it. */
  offered: z.boolean().default(true),
  ability: z.array(z.enum(PLAN_FEATURES)),
  siteLimit: z.int(),
  recordLimit: z.int(),
  cdnLimit: z.int(),
  minimumTtlSeconds: z.int(),
  maxima: Maxima,
  organizationCount: z.int(),
})
export type PlanData = z.infer<typeof PlanData>
export const PlanDataInput = z.object({
  name: z.string().trim().min(1).max(60),
  ability: z.array(z.enum(PLAN_FEATURES)).max(PLAN_FEATURES.length),
  siteLimit: z.int().min(1).max(1_000_000),
  recordLimit: z.int().min(1).max(10_000_000),
  cdnLimit: z.int().min(1).max(1000),
  minimumTtlSeconds: z.int().min(30).max(86_400),
  maxima: Maxima,
})

export const OperatorAuditEntry = AuditEntry.extend({
  organizationId: z.string(),
  organizationName: z.string(),
  impostor: z.string().nullable(),
  /** It is large: of its changes only the first few are here, and of those that are large only what they are of. */
  isCut: z.boolean().default(false),
})
export type OperatorAuditEntry = z.infer<typeof OperatorAuditEntry>

/** Why nothing is charged until an operator confirms it, and after a restore no letter of before it is sent. */
export const OperatorHold = z.object({
  id: z.uuid(),
  /** `clock`: it was set, or says that more time has passed than is likely. */
  kind: z.enum(['restored', 'clock']),
  at: z.iso.datetime(),
  /** What the restored state is of; null when it is as late as the log went. */ moment: z.iso.datetime().nullable(),
  /** By which the clock is not believed. */ seconds: z.int().nullable(),
  waiting: z.object({ letters: z.int(), charges: z.int(), months: z.int() }),
  /** That open doors as they did then, removed ones too: whose, and their names. A hundred at most. */
  apiKeys: z.array(z.string()),
})
export type OperatorHold = z.infer<typeof OperatorHold>

const operator = { permission: 'operator', scope: 'installation', errors: [] } as const

/** Runs the installation. */
export const operatorArea = feature('operator', {
  overview: get('/operator/v2/overview/', { fromReplica: true, ...operator, out: OperatorOverview }),
  nodes: get('/operator/v2/nodes/', {
    fromReplica: true,
    ...operator,
    out: z.object({ data: z.array(NodeRow), events: z.array(NodeEvent) }),
  }),
  nodeDocuments: get('/operator/v2/nodes/{node}/documents/', {
    fromReplica: true,
    ...operator,
    in: ListQuery.extend({ only: z.enum(['refused', 'waiting']).optional() }),
    out: page(NodeDocument),
  }),
  inviteNode: post('/operator/v2/nodes/invitations/', {
    ...operator,
    errors: [7408],
    out: z.object({ url: z.url(), command: z.string(), expiresAt: z.iso.datetime() }),
    audit: 'node.invite',
    changes: [],
    summary: 'An address that another machine joins with, once, within an hour.',
  }),
  forgetNode: post('/operator/v2/nodes/{node}/forget/', {
    ...operator,
    errors: [7409],
    out: z.object({}),
    audit: 'node.forget',
    changes: [],
    summary: 'Forgets a node that is away for good.',
  }),
  setNodeRegion: put('/operator/v2/nodes/{node}/region/', {
    ...operator,
    in: z.object({ region: RegionName.nullable() }),
    errors: [409],
    out: z.object({}),
    audit: 'node.region',
    changes: [],
    summary: 'Puts an edge node into a shield region; null leaves it to what its machine was told.',
  }),
  holds: get('/operator/v2/holds/', { ...operator, out: z.object({ data: z.array(OperatorHold) }) }),
  confirmHold: post('/operator/v2/holds/{hold}/confirm/', {
    ...operator,
    in: z.object({ letters: z.enum(['send', 'drop']) }),
    out: z.object({}),
    audit: 'installation.confirm',
    changes: [],
    summary:
      'Lets charges go on after a restore or a jump of the clock; letters of before a restore are sent or dropped.',
  }),
  maintenance: get('/operator/v2/maintenance/', { ...operator, out: Maintenance }),
  setMaintenance: put('/operator/v2/maintenance/', {
    ...operator,
    in: Maintenance,
    out: Maintenance,
    audit: 'installation.maintenance',
    changes: [],
  }),
  letters: get('/operator/v2/letters/', {
    fromReplica: true,
    ...operator,
    in: ListQuery.extend({ state: Letter.shape.state.optional() }),
    out: page(Letter),
  }),
  letter: get('/operator/v2/letters/{letter}/', { ...operator, out: LetterText }),
  resendLetter: post('/operator/v2/letters/{letter}/resend/', {
    ...operator,
    errors: [7409],
    out: z.object({}),
    audit: 'letter.resend',
    changes: [],
  }),
  jobs: get('/operator/v2/jobs/', {
    fromReplica: true,
    ...operator,
    in: ListQuery.extend({ state: Job.shape.state.optional(), kind: Job.shape.kind.optional() }),
    out: page(Job),
  }),
  retryJob: post('/operator/v2/jobs/retry/', {
    ...operator,
    in: z.object({ kind: Job.shape.kind, job: z.string().min(1).max(200) }),
    out: z.object({}),
    audit: 'job.retry',
    changes: [],
  }),
  cancelJob: post('/operator/v2/jobs/cancel/', {
    ...operator,
    in: z.object({ kind: z.enum(['upload', 'encode', 'live']), job: z.uuid() }),
    out: z.object({}),
    makesRoom: true,
    audit: 'job.cancel',
    changes: [],
    summary: 'Stops an upload or encoding, or switches a live stream off; the owner finds it in the audit log.',
  }),
  /** Also for the people of a partner, who choose among them for their customers. */
  plans: get('/operator/v2/plans/', { ...operator, scope: 'partner', out: z.object({ data: z.array(PlanData) }) }),
  updatePlan: put('/operator/v2/plans/{plan}/', {
    ...operator,
    in: PlanDataInput,
    out: PlanData,
    audit: 'plan.update',
    changes: [],
  }),
  audit: get('/operator/v2/audit/', {
    fromReplica: true,
    permission: 'operator',
    scope: 'partner',
    errors: [],
    in: ListQuery.extend({
      // Entries are large: all of them are had as a file of their organisation.
      page_size: z.coerce.number().int().min(1).max(100).default(50),
      organization: z.uuid().optional(),
      action: z.string().max(80).optional(),
      ...AuditFilter.pick({ from: true, to: true }).shape,
    }),
    out: page(OperatorAuditEntry),
  }),
})
