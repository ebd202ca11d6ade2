import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Method, type Permission, PERMISSIONS, ROLE_IDS, type RoleId, tierFor } from '@fairway/contract'
import { API_TIERS, LEVELS, RESOURCES, permissionsOf, roleOf } from '@fairway/domain'
import { nodeTokenOf, send, startApiUnderTest, type ApiUnderTest } from './testing/api-under-test.ts'
import { everyRoute, isMutating, type NamedRoute } from './testing/every-route.ts'
import { startGate } from './testing/gate-under-test.ts'
import { hashOf, openSession } from './http/session.ts'
import { createOrganization } from './installation.ts'
import { newKeyText } from './features/api-keys/key.ts'
import { writeRoles } from './features/teammates/store.ts'

/**
 * What each role may do by the requirements, written down a second time on purpose: the table in the product is judged
 * by this one.
 */
const BY_REQUIREMENTS: Record<string, Permission[]> = {
  none: [],
  'site-viewer': ['ViewSite'],
  'site-editor': ['ViewSite', 'AddSite', 'EditSite', 'ViewCdnKey'],
  'site-admin': ['ViewSite', 'AddSite', 'EditSite', 'RemoveSite', 'ViewCdnKey', 'EditCdnKey'],
  'teammate-viewer': ['ViewUser'],
  'teammate-editor': ['ViewUser', 'AddUser'],
  'teammate-admin': [
    'ViewUser',
    'AddUser',
    'EditUser',
    'RemoveUser',
    'ViewApiKey',
    'EditApiKey',
    'ViewWebhook',
    'EditWebhook',
  ],
  'dem-viewer': ['ViewPerformancePolicy'],
  'dem-editor': ['ViewPerformancePolicy', 'EditPerformancePolicy'],
  'dem-admin': ['ViewPerformancePolicy', 'EditPerformancePolicy'],
  'auditLog-viewer': ['ViewAuditLog'],
  'auditLog-editor': ['ViewAuditLog'],
  'auditLog-admin': ['ViewAuditLog'],
  'billing-viewer': ['ViewSubscription'],
  'billing-editor': ['ViewSubscription', 'EditSubscription'],
  'billing-admin': ['ViewSubscription', 'EditSubscription'],
  'api-tier-1': ['ViewApiKey', 'EditApiKey'],
  'api-tier-2': ['ViewApiKey', 'EditApiKey'],
  'api-tier-3': ['ViewApiKey', 'EditApiKey'],
  'api-tier-4': ['ViewApiKey', 'EditApiKey'],
  owner: PERMISSIONS.filter((one) => !['public', 'signed-in', 'node', 'operator'].includes(one)),
  operator: ['operator'],
}
const OF_TIER: Record<number, Permission[]> = {
  1: ['ViewSite', 'ViewPerformancePolicy'],
  2: ['ViewSite', 'ViewPerformancePolicy', 'AddSite', 'EditSite', 'EditPerformancePolicy'],
  3: ['ViewSite', 'ViewPerformancePolicy', 'AddSite', 'EditSite', 'EditPerformancePolicy', 'RemoveSite'],
  4: ['ViewSite', 'ViewPerformancePolicy', 'AddSite', 'EditSite', 'EditPerformancePolicy', 'RemoveSite'],
}

/** Beside what the method says: removals by POST, what takes a whole set away, purges and certificates. */
const TIER_OF: Record<string, number> = {
  ...Object.fromEntries(
    [
      'access-control.removeMany',
      'dns-primary.set',
      'dns-records.removeMany',
      'route-map.putOverrides',
      'routing-strategies.cloneAndReplace',
      'routing-strategies.replace',
      'versions.revert',
      'zone-files.apply',
    ].map((name) => [name, 3]),
  ),
  ...Object.fromEntries(
    ['checkUpload', 'issue', 'remove', 'renew', 'upload'].map((name) => [`certificates.${name}`, 4]),
  ),
  'purges.create': 4,
  'purges.undo': 4,
}
const tierOf = ({ name, route }: NamedRoute): number =>
  TIER_OF[name] ??
  (route.method === 'DELETE'
    ? 3
    : route.method === 'GET' || (route.method === 'POST' && route.permission.startsWith('View') && route.audit === null)
      ? 1
      : 2)

/** What a key may not even read. */
const SESSION_ONLY = new Set(['sessions.list', 'passkeys.list', 'notifications.preferences'])

let api: ApiUnderTest
let gate: Awaited<ReturnType<typeof startGate>>
let organizationId: string
before(async () => {
  api = await startApiUnderTest()
  gate = await startGate(api, async () => {})
  organizationId = await api.database.system((tx) => createOrganization(tx, { name: 'Matrix', planId: 'enterprise' }))
  // What the plan or a bill closes is another matter: this organisation may use everything.
  await api.database.system((tx) =>
    tx.query(`UPDATE organization SET plan_id = 'enterprise', status = 'active' WHERE id = $1`, [organizationId]),
  )
})
after(async () => {
  await gate[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

/** A session of a user who has just this role. */
async function tokenOf(
  role: string,
  change: { impostor?: { id: string; email: string }; organization?: string } = {},
): Promise<string> {
  return api.database.system(async (tx) => {
    const organization = change.organization ?? organizationId
    const rows = await tx.query<{ id: string }>(
      `INSERT INTO app_user (organization_id, email, first_name, last_name, permissions, is_operator, email_verified_at) VALUES ($1, gen_random_uuid() || '@example.com', 'M', 'X', $2, $3, now()) RETURNING id`,
      [organization, role === 'owner' ? [...permissionsOf({ owner: true })] : [], role === 'operator'],
    )
    const userId = rows[0]?.id ?? ''
    if (isRoleId(role)) await writeRoles(tx, userId, [role])
    return openSession(tx, {
      userId,
      organizationId: organization,
      seconds: 600,
      idleSeconds: 600,
      ip: '127.0.0.1',
      agent: null,
      ...(change.impostor ? { impostor: change.impostor } : {}),
    })
  })
}

/** A key of the user whose session this is, in tier 4 of their own. */
async function keyOf(token: string, tier: number): Promise<string> {
  const id = crypto.randomUUID()
  const { text, secret, prefix } = newKeyText(id)
  await api.database.system(async (tx) => {
    await tx.query(`UPDATE app_user SET api_tier = 4 WHERE id = (SELECT user_id FROM session WHERE id::text = $1)`, [
      token.split('.')[0],
    ])
    await tx.query(
      `INSERT INTO api_key (id, organization_id, user_id, name, tier, prefix, secret_hash) SELECT $1, organization_id, user_id, 'k', $2, $3, $4 FROM session WHERE id::text = $5`,
      [id, tier, prefix, hashOf(secret), token.split('.')[0]],
    )
  })
  return text
}

const isRoleId = (role: string): role is RoleId => (ROLE_IDS as readonly string[]).includes(role)

/** Which routes let this caller through: all others answer 401 or 403. */
async function opened(token: string): Promise<{ open: string[]; answers: Map<string, number> }> {
  const answers = new Map<string, number>()
  for (const { name, route } of everyRoute) {
    const path = route.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const response = await send(gate.url, token, { method: route.method, path }, {})
    await response.body?.cancel()
    answers.set(name, response.status)
  }
  // A site that is not there is looked for after the rights: 404 is through.
  return { open: [...answers].filter(([, status]) => status === 200 || status === 404).map(([name]) => name), answers }
}

const names = (routes: NamedRoute[]) => routes.map(({ name }) => name)
const openTo = (held: readonly Permission[]) =>
  names(
    everyRoute.filter(
      ({ route }) =>
        route.permission === 'public' || route.permission === 'signed-in' || held.includes(route.permission),
    ),
  )

test('every route and every role is in the matrix', () => {
  assert.deepEqual(Object.keys(BY_REQUIREMENTS).toSorted(), ['none', 'owner', 'operator', ...ROLE_IDS].toSorted())
  assert.deepEqual(
    [...ROLE_IDS].toSorted(),
    [
      ...RESOURCES.flatMap((resource) => LEVELS.slice(1).map((level) => `${resource}-${level}`)),
      ...API_TIERS.map((tier) => `api-tier-${tier}`),
    ].toSorted(),
  )
  assert.ok(everyRoute.length > 60, `${everyRoute.length} routes`)
  for (const { name, route } of everyRoute) assert.ok(PERMISSIONS.includes(route.permission), name)
})

for (const [role, held] of Object.entries(BY_REQUIREMENTS)) {
  test(`${role}: every route answers as the requirements say`, async () => {
    const { open, answers } = await opened(await tokenOf(role))
    assert.deepEqual(open, openTo(held))
    assert.deepEqual(
      [...answers].filter(([name, status]) => !open.includes(name) && status !== 403),
      [],
    )
  })
}

test('anonymous callers reach what is public and get 401 everywhere else', async () => {
  const { open, answers } = await opened('')
  assert.deepEqual(
    open,
    openTo([]).filter((name) => everyRoute.some((entry) => entry.name === name && entry.route.permission === 'public')),
  )
  assert.deepEqual(
    [...answers].filter(([name, status]) => !open.includes(name) && status !== 401),
    [],
  )
})

test('suspended people, and those of a suspended organisation, reach what is public only', async () => {
  const [person, member] = [
    await tokenOf('owner'),
    await tokenOf('owner', {
      organization: await api.database.system((tx) => createOrganization(tx, { name: 'Away', planId: 'enterprise' })),
    }),
  ]
  await api.database.system((tx) =>
    tx.query(`UPDATE app_user SET suspended = true WHERE id = (SELECT user_id FROM session WHERE id::text = $1)`, [
      person.split('.')[0],
    ]),
  )
  await api.database.system((tx) =>
    tx.query(
      `UPDATE organization SET suspended = true WHERE id = (SELECT organization_id FROM session WHERE id::text = $1)`,
      [member.split('.')[0]],
    ),
  )
  const open = names(everyRoute.filter(({ route }) => route.permission === 'public'))
  for (const token of [person, member]) assert.deepEqual((await opened(token)).open, open)
})

for (const [tier, held] of Object.entries(OF_TIER)) {
  test(`an API key of tier ${tier} of the owner: every route answers as the requirements say`, async () => {
    const { open, answers } = await opened(await keyOf(await tokenOf('owner'), Number(tier)))
    const notThePerson = names(
      everyRoute.filter(
        ({ name, route }) =>
          route.personal || SESSION_ONLY.has(name) || (route.permission === 'signed-in' && isMutating(route)),
      ),
    )
    const above = names(
      everyRoute.filter((entry) => entry.route.permission !== 'public' && tierOf(entry) > Number(tier)),
    )
    assert.deepEqual(
      open,
      openTo(held).filter((name) => !notThePerson.includes(name) && !above.includes(name)),
    )
    assert.deepEqual(
      [...answers].filter(([name, status]) => !open.includes(name) && status !== 403),
      [],
    )
  })
}

test('no key below the third tier removes anything', () => {
  // What is the person's own is closed to keys of any tier.
  for (const { name, route } of everyRoute.filter(({ route }) => route.permission !== 'signed-in'))
    if (route.method === 'DELETE' || /\.(remove|delete|clear|drop)/i.test(name)) assert.ok(tierFor(route) >= 3, name)
})

test('a key that lacks a tier is told which one is needed', async () => {
  const key = await keyOf(await tokenOf('owner'), 2)
  const refused = async (method: Method, path: string) => {
    const response = await send(gate.url, key, { method, path }, {})
    return ((await response.json()) as { meta: { code: number; fields?: unknown } }).meta
  }
  const id = '00000000-0000-4000-8000-000000000000'
  const { code, fields } = await refused('DELETE', `/mdns/v2/zones/${id}/rrsets/${id}/`)
  assert.deepEqual([code, fields], [403, [{ path: 'tier', message: 'validation.tierNeeded:3' }]])
  // Writes over all overrides at once.
  assert.deepEqual((await refused('PUT', `/decisive/v2/sites/${id}/domains/${id}/route-overrides/`)).fields, [
    { path: 'tier', message: 'validation.tierNeeded:3' },
  ])
  assert.deepEqual((await refused('POST', `/web/v2/sites/${id}/purges/`)).fields, [
    { path: 'tier', message: 'validation.tierNeeded:4' },
  ])
})

test('a key is never more than its user: neither above their tier nor above their levels', async () => {
  const token = await tokenOf('owner')
  const key = await keyOf(token, 4)
  await api.database.system((tx) =>
    tx.query(
      `UPDATE app_user SET api_tier = 2, permissions = '{ViewSite,EditSite}' WHERE id = (SELECT user_id FROM session WHERE id::text = $1)`,
      [token.split('.')[0]],
    ),
  )
  const { open } = await opened(key)
  assert.deepEqual(
    open.filter((name) =>
      everyRoute.some(
        (entry) =>
          entry.name === name && !['public', 'signed-in', 'ViewSite', 'EditSite'].includes(entry.route.permission),
      ),
    ),
    [],
  )
  await api.database.system((tx) =>
    tx.query(`UPDATE app_user SET api_tier = NULL WHERE id = (SELECT user_id FROM session WHERE id::text = $1)`, [
      token.split('.')[0],
    ]),
  )
  assert.deepEqual(
    (await opened(key)).open.filter((name) =>
      everyRoute.some((entry) => entry.name === name && !['public', 'signed-in'].includes(entry.route.permission)),
    ),
    [],
  )
})

test('a node reaches what is for nodes and what is public', async () => {
  assert.deepEqual(
    (await opened(nodeTokenOf(api))).open,
    names(everyRoute.filter(({ route }) => route.permission === 'node' || route.permission === 'public')),
  )
})

test('in the read-only demonstration the owner changes nothing', async () => {
  const sandbox = await api.database.system((tx) =>
    createOrganization(tx, { name: 'Sandbox', planId: 'enterprise', sandbox: true }),
  )
  const { open } = await opened(await tokenOf('owner', { organization: sandbox }))
  const refused = everyRoute.filter(
    ({ route }) =>
      isMutating(route) && route.audit && route.permission !== 'public' && route.permission !== 'signed-in',
  )
  assert.deepEqual(
    open.filter((name) => names(refused).includes(name)),
    [],
  )
  assert.ok(
    names(everyRoute.filter(({ route }) => route.permission === 'ViewSite' && !isMutating(route))).every((name) =>
      open.includes(name),
    ),
  )
})

test("whoever looks on as somebody does not reach what is that person's own", async () => {
  await tokenOf('operator')
  const [operator] = await api.database.system((tx) =>
    tx.query<{ id: string; email: string }>('SELECT id, email FROM app_user WHERE is_operator LIMIT 1'),
  )
  assert.ok(operator)
  const { open } = await opened(await tokenOf('owner', { impostor: operator }))
  assert.deepEqual(
    open,
    openTo(BY_REQUIREMENTS['owner'] ?? []).filter(
      (name) => !everyRoute.some(({ name: own, route }) => own === name && (route.personal || route.lasting)),
    ),
  )
})

test('what a level of one resource gives, levels of several give together', () => {
  const both = permissionsOf(roleOf(['site-editor', 'dem-viewer', 'api-tier-2']))
  assert.deepEqual(
    [...both].toSorted(),
    [
      ...new Set([
        ...(BY_REQUIREMENTS['site-editor'] ?? []),
        ...(BY_REQUIREMENTS['dem-viewer'] ?? []),
        ...(BY_REQUIREMENTS['api-tier-2'] ?? []),
      ]),
    ].toSorted(),
  )
})
