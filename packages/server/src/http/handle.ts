import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AnyRoute, isSpending, needsRoom, unknownFields, validationMessage } from '@fairway/contract'
import { canUse, mayNotCall } from '@fairway/domain'
import { type Tx, type Views, placeOf } from '@fairway/platform'
import type { Actor, UserActor } from './actor.ts'
import { type OpenTransaction, inCallTransaction } from './call-transaction.ts'
import { commitChange } from './commit-change.ts'
import { ChangeRecorder, type Context, type Services } from './context.ts'
import { Failure } from './failure.ts'
import { refuseSpending } from './spending.ts'
import { readTenant } from './tenant.ts'
import { turnsOf } from './turns.ts'

/** Of fields that nobody knows, so many are named. */
const MOST_FIELDS = 20

/** Of the API's connections one organisation, or one place without an account, has so many at once. */
const MOST_CONNECTIONS = 4
const TURN_WITHIN_MS = 5_000
const STREAM_TURN_WITHIN_MS = 60_000
const takeTurn = turnsOf(MOST_CONNECTIONS, TURN_WITHIN_MS)

export type AnyVerb = (context: Context<never>, input: never) => Promise<unknown>

/**
 * The one wrapper around every verb: authenticate → permission → plan feature → parse → transaction and tenant → verb →
 * version → audit → outbox → commit → answer.
 * A verb cannot forget any of it.
 */
export async function handle(
  route: AnyRoute,
  verb: AnyVerb,
  services: Services,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  allow(route, actor, request)
  if (needsRoom(route) && services.disk.level() === 'full') throw new Failure(920903, { retryAfterSeconds: 60 })
  const input = parseInput(route, request)
  const spends = isSpending(route, input)
  if (spends && actor.kind === 'user') refusePlan(route, actor)
  const work = async (tx: Tx) => {
    const change = new ChangeRecorder(tx)
    const { site, domain } = await readTenant(tx, input, (route.changes?.length ?? 0) > 0 && !route.holdsLate)
    change.siteId = site?.id ?? null
    if (spends && actor.kind === 'user') await refuseSpending(tx, actor.organizationId)
    const context = {
      tx,
      actor,
      services,
      now: new Date(),
      requestId: request.id,
      reply,
      userAgent: request.headers['user-agent'] ?? null,
      change,
      site,
      domain,
    }
    const answer = await verb(context as unknown as Context<never>, input as never)
    if (route.method !== 'GET' && actor.kind === 'user')
      await commitChange(tx, services.config, route, actor, change, change.domain ?? domain?.name ?? null)
    return answer
  }
  const answer = await services.database.read(route.fromReplica ? positionOf(actor) : null, (from) =>
    inCallTransaction(fairly(actor, transactionOf(route, actor, from)), work),
  )
  return reply.sent || answer instanceof Readable ? answer : route.out.parse(answer)
}

/**
 * What the call may see: its own organisation; a partner's for that partner's people; everything for the operator where
 * the route says so, and for nodes and anonymous callers.
 */
function transactionOf(route: AnyRoute, actor: Actor, from: Views): OpenTransaction {
  if (actor.kind !== 'user') return (work) => from.system(work)
  if (!route.scope) return (work) => from.tenant(actor.organizationId, work)
  if (actor.isOperator) return (work) => from.system(work)
  const { administersPartnerId } = actor
  if (route.scope === 'partner' && administersPartnerId) return (work) => from.partner(administersPartnerId, work)
  throw new Failure(403)
}

/** What is read may be as old as the question who asks, which the primary has answered, and no older. */
const positionOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.logPosition : null)

const turnOf = (actor: Exclude<Actor, { kind: 'node' }>): string =>
  actor.kind === 'user' ? actor.organizationId : placeOf(actor.ip)

/**
 * One of the transactions of an answer that is sent while it is read. It waits longer than a call would: what has begun
 * is not broken off.
 */
export async function inTurn<T>(actor: UserActor, work: () => Promise<T>): Promise<T> {
  const giveBack = await takeTurn(turnOf(actor), STREAM_TURN_WITHIN_MS)
  try {
    return await work()
  } finally {
    giveBack()
  }
}

/** Nobody takes the connections of all; nodes have some of their own. */
function fairly(actor: Actor, open: OpenTransaction): OpenTransaction {
  if (actor.kind === 'node') return open
  const key = turnOf(actor)
  return async (work) => {
    const giveBack = await takeTurn(key)
    try {
      await open(work)
    } finally {
      giveBack()
    }
  }
}

/**
 * Permission and plan, from the route's declaration. Missing rights and missing things look the same where a person
 * could probe.
 */
export function allow(route: AnyRoute, actor: Actor, request: FastifyRequest): void {
  if (route.permission === 'public') return
  if (route.permission === 'node') {
    if (actor.kind !== 'node') throw new Failure(actor.kind === 'anonymous' ? 401 : 403)
    return
  }
  if (actor.kind !== 'user') throw new Failure(401)
  if (route.method !== 'GET') refuseForgery(actor, request)
  refuseCall(route, actor)
  // Where it depends on what is asked, that is read before.
  if (typeof route.spends !== 'function') refusePlan(route, actor)
}

/** @throws Failure 403; a key that lacks nothing but a tier is told which */
export function refuseCall(route: AnyRoute, actor: UserActor): void {
  const refusal = mayNotCall(actor, route)
  if (refusal === null) return
  const { why, tier } = refusal
  throw new Failure(403, {
    internal: why,
    ...(tier === null ? {} : { fields: [{ path: 'tier', message: `validation.tierNeeded:${tier}` }] }),
  })
}

function refusePlan(route: AnyRoute, actor: UserActor): void {
  const missing = route.planFeature ? canUse([...actor.abilities], route.planFeature) : null
  if (missing) throw new Failure(missing)
}

/** A cookie alone does not change anything: a header that another origin cannot set must come with it. */
function refuseForgery(actor: UserActor, request: FastifyRequest): void {
  if (actor.source === 'console' && request.headers['x-fairway-client'] === undefined)
    throw new Failure(403, { internal: 'cookie without the client header' })
}

/** Path parameters, query (GET, DELETE) and body in one object, parsed by the contract. */
export function parseInput(route: AnyRoute, request: FastifyRequest): Record<string, unknown> {
  const params = request.params as Record<string, string>
  // Nothing that could be stored has such a name.
  if (unstorable(params) !== null) throw new Failure(404)
  const sent =
    route.method === 'GET'
      ? request.query
      : route.method === 'DELETE'
        ? { ...(request.query as object), ...(request.body as object | null) }
        : (request.body ?? {})
  const parsed = route.in.safeParse(sent, { reportInput: true })
  const bad = parsed.success ? unstorable(parsed.data) : null
  if (bad !== null) throw new Failure(400, { fields: [{ path: bad, message: 'validation.invalid' }] })
  if (parsed.success) {
    refuseUnknown(route, sent)
    return { ...(parsed.data as object), ...params }
  }
  throw new Failure(400, {
    fields: parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: validationMessage(issue) })),
  })
}

/** Nodes of a later version may tell more than is understood here; everybody else has mistyped something. */
function refuseUnknown(route: AnyRoute, sent: unknown): void {
  if (route.permission === 'node') return
  const unknown = unknownFields(route.in, sent)
  if (unknown.length > 0)
    throw new Failure(400, {
      fields: unknown.slice(0, MOST_FIELDS).map((path) => ({ path, message: 'validation.unknownField' })),
    })
}

/**
 * Where a text stands that PostgreSQL cannot hold: one with NUL, or with half of a surrogate pair; null when there is
 * none.
 */
function unstorable(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorable(key, path) ?? unstorable(inner, path ? `${path}.${key}` : key)
    if (found !== null) return found
  }
  return null
}
