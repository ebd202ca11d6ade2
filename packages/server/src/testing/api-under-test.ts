import fs from 'node:fs'
import type http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import {
  ERRORS,
  PERMISSIONS,
  auth,
  isErrorCode,
  type AnyRoute,
  type ErrorEnvelope,
  type GrantedPermission,
  type RouteInput,
  type RouteOutput,
} from '@fairway/contract'
import {
  copyDatabase,
  loadConfig,
  makeLog,
  nodeToken,
  openDatabase,
  shareGeo,
  startEmbeddedDatabase,
  type Config,
  type Database,
  type Log,
} from '@fairway/platform'
import { startApi } from '../api.ts'
import { hashPassword } from '../features/auth/password.ts'
import { createOrganization } from '../installation.ts'
import { startWorker } from '../worker.ts'

/** An answer other than 2xx. */
export class Refused extends Error {
  readonly status: number
  readonly code: number
  readonly fields: { path: string; message: string }[]
  constructor(status: number, envelope: ErrorEnvelope) {
    super(
      `${status} ${envelope.meta.code} ${isErrorCode(envelope.meta.code) ? ERRORS[envelope.meta.code].name : ''} ${JSON.stringify(envelope.meta.fields ?? [])}`,
    )
    this.status = status
    this.code = envelope.meta.code
    this.fields = envelope.meta.fields ?? []
  }
}

/** Calls the API as one user. */
export type Client = {
  organizationId: string
  email: string
  token: string
  call<R extends { path: string; in: unknown; out: unknown; method: string }>(
    route: R,
    input: RouteInput<R>,
  ): Promise<RouteOutput<R>>
  /** The refusal that the call must end in. */
  refusal<R extends { path: string; in: unknown; out: unknown; method: string }>(
    route: R,
    input: RouteInput<R>,
  ): Promise<Refused>
}

export type ApiUnderTest = AsyncDisposable & {
  config: Config
  log: Log
  url: string
  /** Null without `FAIRWAY_TLS_LISTEN`. */
  tlsPort: number | null
  /** What listens. */
  server: http.Server
  database: Database
  /** A user of a new organisation. */
  newClient(options?: { planId?: string; isOperator?: boolean; permissions?: GrantedPermission[] }): Promise<Client>
  /** Another user of the client's organisation. */
  colleague(client: Client, permissions: GrantedPermission[]): Promise<Client>
}

const PASSWORD = 'Correct-Horse-9'
const EVERY_PERMISSION = PERMISSIONS.filter(
  (name): name is GrantedPermission => !['public', 'signed-in', 'node', 'operator'].includes(name),
)

/**
 * The API and the worker in this process over an embedded database of their own, in a temporary home.
 * @param reach how they reach the database, when not by its socket: starts what stands before it, and answers settings
 */
export async function startApiUnderTest(
  settings: Record<string, string> = {},
  reach?: (embedded: { config: Config; started: AsyncDisposableStack }) => Promise<Record<string, string>>,
): Promise<ApiUnderTest> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-api-'))
  shareGeo(home)
  const environment = {
    FAIRWAY_HOME: home,
    FAIRWAY_LISTEN: '127.0.0.1:0',
    FAIRWAY_COLLECTOR_LISTEN: '127.0.0.1:1',
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_NODE_NAME: 'test',
    FAIRWAY_SETUP_CODE: 'off',
    ...settings,
  }
  const embedded = loadConfig(environment)
  const log = makeLog('test', embedded)
  await using started = new AsyncDisposableStack()
  started.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  await copyDatabase(home)
  started.use(await startEmbeddedDatabase({ config: embedded, log }))
  const settled = reach ? loadConfig({ ...environment, ...(await reach({ config: embedded, started })) }) : embedded
  const api = started.use(await startApi({ config: settled, log, consoleFolder: null }))
  const config = { ...settled, apiUrl: api.url }
  started.use(await startWorker({ config, log }))
  const database = started.use(openDatabase(config, log, { connections: 3 }))
  const stop = started.move()
  return {
    config,
    log,
    database,
    url: api.url,
    tlsPort: api.tlsPort,
    server: api.server.server,
    async newClient({ planId = 'enterprise', isOperator = false, permissions = EVERY_PERMISSION } = {}) {
      const organizationId = await database.system((tx) => createOrganization(tx, { name: 'Example', planId }))
      return signUp(
        api.url,
        database,
        organizationId,
        permissions,
        isOperator,
        permissions.length === EVERY_PERMISSION.length,
      )
    },
    colleague: (client, permissions) => signUp(api.url, database, client.organizationId, permissions, false),
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  }
}

let users = 0

/** The thousands of people of the tests would spend half of their time on passwords. */
const CHEAP = { memory: 8, passes: 1 }

async function signUp(
  url: string,
  database: Database,
  organizationId: string,
  permissions: GrantedPermission[],
  isOperator: boolean,
  isOwner = false,
): Promise<Client> {
  const email = `user-${++users}@example.com`
  const hash = await hashPassword(PASSWORD, CHEAP)
  await database.system((tx) =>
    tx.query(
      'INSERT INTO app_user (organization_id, email, password_hash, first_name, last_name, permissions, is_operator, is_owner, api_tier, email_verified_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())',
      [organizationId, email, hash, 'Ann', 'Example', permissions, isOperator, isOwner, permissions.length ? 4 : null],
    ),
  )
  const anonymous = clientOf(url, '')
  const { jwtToken } = await anonymous.call(auth.routes.login, { email, password: PASSWORD })
  return { organizationId, email, token: jwtToken, ...clientOf(url, jwtToken) }
}

/** The client that a token gives; empty is anonymous. */
export function clientOf(url: string, token: string): Pick<Client, 'call' | 'refusal'> {
  const call: Client['call'] = async (route, input) => {
    const response = await send(url, token, route as unknown as AnyRoute, input as Record<string, unknown>)
    const body: unknown = await response.json()
    if (!response.ok) throw new Refused(response.status, body as ErrorEnvelope)
    return body as RouteOutput<typeof route>
  }
  const refusal: Client['refusal'] = async (route, input) => {
    const answer = await call(route, input).then(
      (value) => JSON.stringify(value),
      (error: unknown) => error,
    )
    if (answer instanceof Refused) return answer
    throw answer instanceof Error ? answer : new Error(`not refused: ${String(answer)}`)
  }
  return { call, refusal }
}

/** One request as the declaration says: path parameters into the path, the rest into query or body. */
export function send(
  url: string,
  token: string,
  route: Pick<AnyRoute, 'method' | 'path'>,
  input: Record<string, unknown>,
): Promise<Response> {
  const rest = { ...input }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const target = new URL(path, url)
  const hasBody = route.method !== 'GET'
  if (!hasBody)
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined) target.searchParams.set(name, String(value))
  return fetch(target, {
    method: route.method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(rest) } : {}),
    signal: AbortSignal.timeout(10_000),
  })
}

export const nodeTokenOf = (api: ApiUnderTest): string => nodeToken(api.config)
