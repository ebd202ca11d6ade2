import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import {
  auditLog,
  botManagement,
  domains,
  EdgeSecurity,
  firewallRules,
  notifications,
  versions,
} from '@fairway/contract'
import { buildEdgeSecurity } from '../../publish/edge-security.ts'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { watchFriction } from './watch-friction.ts'

const { friction, setFriction, update } = botManagement.routes
const HOUR = 3_600_000
type Owned = Pick<Awaited<ReturnType<typeof newSteeredDomain>>, 'client' | 'site' | 'domain'>
/** A page that a network was given. */
const answered = ({ client: { organizationId }, site, domain }: Owned, at: Date, client: string) => ({
  at: at.toISOString().replace('T', ' ').slice(0, 23),
  organization: organizationId,
  site,
  domain,
  client,
  status: 200,
  weight: 1,
})
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

test('a challenge that people give up becomes easier, is told, and is put back by signs of an attack; no other is touched', async () => {
  const own = await newSteeredDomain(api)
  const other = await newSteeredDomain(api)
  const { client, site, domain } = own
  const place = { site, domain }
  await client.call(domains.routes.update, { ...place, settings: { originShield: 'use' } })
  await client.call(update, { ...place, securityLevel: 'medium' })
  const { data: asks } = await client.call(firewallRules.routes.create, {
    ...place,
    name: 'Logins',
    action: { type: 'challenge', mode: 'browser-standard' },
  })
  const unknown = await client.call(friction, place)
  assert.deepEqual(
    [unknown.softening, unknown.data.map(({ rule, softened, lastDay }) => [rule, softened, lastDay])],
    [
      true,
      [
        ['level', null, null],
        [asks.id, null, null],
      ],
    ],
    'unknown is not zero',
  )
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  let now = Date.now()
  const event = (agoMs: number, address: string, more: object = {}) => ({
    at: new Date(now - agoMs).toISOString().replace('T', ' ').slice(0, 23),
    organization: client.organizationId,
    site,
    domain,
    part: 'firewall-rules',
    action: 'challenge',
    rule: asks.id,
    reason: 'begun',
    address,
    weight: 1,
    ...more,
  })
  /** Answered by the domain two hours ago. */
  const known = (addresses: string[]) =>
    events.insert(
      'edge_requests',
      addresses.map((client) => answered(own, new Date(now - 2 * HOUR), client)),
    )
  const look = () => watchFriction(api.database, events, now, api)
  const modeOf = async () => {
    const built = await api.database.system((tx) => buildEdgeSecurity(tx, site, api.config))
    const [rule] = EdgeSecurity.parse(built?.body).domains[0]?.policy.firewall ?? []
    return rule?.action.type === 'challenge' ? rule.action.mode : rule?.action.type
  }
  // One attacker that reloads, and who may still solve it, are no people that give up.
  await events.insert('security_events', [
    ...Array.from({ length: 200 }, (_, i) => event(1_200_000, `198.51.100.${i}`)),
    ...Array.from({ length: 60 }, (_, i) => event(60_000, `10.9.${i}.1`)),
  ])
  await look()
  assert.equal(await modeOf(), 'browser-standard')
  // Fifty networks, of which fifteen go away: the lone attacker's is one of them.
  await events.insert('security_events', [
    ...Array.from({ length: 49 }, (_, i) => event(1_300_000, `10.1.${i}.${i}`)),
    ...Array.from({ length: 35 }, (_, i) => event(1_290_000, `10.1.${i}.99`, { reason: 'solved' })),
    // What somebody else's log says of this domain is nobody's word.
    ...Array.from({ length: 90 }, (_, i) =>
      event(1_300_000, `10.2.${i}.1`, {
        organization: other.client.organizationId,
        rule: 'level',
        part: 'bot-management',
      }),
    ),
  ])
  await look()
  assert.equal(await modeOf(), 'browser-standard', 'networks that came for the challenge alone are no people')
  await known(['198.51.100.0', ...Array.from({ length: 49 }, (_, i) => `10.1.${i}.0`)])
  await look()
  await look()
  assert.equal(await modeOf(), 'browser-no-delay')
  const shown = async () => (await client.call(friction, place)).data
  const [level, rule] = await shown()
  assert.equal(level?.softened, null)
  assert.deepEqual(
    [rule?.name, rule?.mode, rule?.softened?.mode, rule?.softened?.people, rule?.softened?.gaveUp],
    ['Logins', 'browser-standard', 'browser-no-delay', 50, 15],
  )
  const news = async (of = client) =>
    (await of.call(notifications.routes.list, {})).data.filter((one) => one.event === 'challenge-softened')
  const [told, ...more] = await news()
  assert.deepEqual([more.length, told?.endedAt, told?.fields['rule'], told?.fields['gaveUp']], [0, null, 'Logins', 15])
  const audited = async () =>
    (await client.call(auditLog.routes.list, {})).data.flatMap(({ action }) =>
      action.startsWith('challenge.') ? [action] : [],
    )
  assert.deepEqual(await audited(), ['challenge.soften'])
  const { data: history } = await client.call(versions.routes.list, { site })
  assert.match(history[0]?.title ?? '', /^Soften the challenge of “Logins”/)
  // A surge of challenges puts it back at once, and it rests then.
  await events.insert('security_events', [event(1_000, '203.0.113.7', { reason: 'rule', weight: 5_000 })])
  await look()
  assert.equal(await modeOf(), 'browser-standard')
  assert.ok((await news())[0]?.endedAt)
  assert.deepEqual(await audited(), ['challenge.restore', 'challenge.soften'])
  await look()
  assert.equal(await modeOf(), 'browser-standard')
  // After the rest, when people give it up again; then the owner decides anew.
  now += 2 * HOUR
  await events.insert(
    'security_events',
    Array.from({ length: 50 }, (_, i) => event(1_300_000, `10.3.${i}.1`)),
  )
  await known(Array.from({ length: 50 }, (_, i) => `10.3.${i}.0`))
  await look()
  assert.equal(await modeOf(), 'browser-no-delay')
  await client.call(setFriction, { ...place, softening: false })
  assert.equal(await modeOf(), 'browser-standard')
  await look()
  assert.ok((await news()).every(({ endedAt }) => endedAt !== null))
  await client.call(setFriction, { ...place, softening: true })
  await look()
  await client.call(firewallRules.routes.update, {
    ...place,
    id: asks.id,
    name: 'Logins',
    action: { type: 'challenge', mode: 'human' },
  })
  assert.equal(await modeOf(), 'human', 'what was decided since is not softened')
  assert.deepEqual(await news(other.client), [])
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(setFriction, { ...place, softening: false })).code, 403)
  assert.equal((await other.client.refusal(friction, place)).code, 404)
})

test('Under attack is never softened, and a level asks for the shortest task at least', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  const place = { site, domain }
  await client.call(domains.routes.update, { ...place, settings: { originShield: 'use' } })
  await client.call(update, { ...place, securityLevel: 'high', challengeMode: 'browser-standard' })
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const now = Date.now()
  const people = Array.from({ length: 60 }, (_, i) => ({
    at: new Date(now - 1_200_000).toISOString().replace('T', ' ').slice(0, 23),
    organization: client.organizationId,
    site,
    domain,
    part: 'bot-management',
    action: 'challenge',
    rule: 'level',
    reason: 'begun',
    address: `2001:db8:${i.toString(16)}::1`,
    weight: 1,
  }))
  await events.insert('security_events', people)
  await events.insert(
    'edge_requests',
    people.map((_, i) => answered({ client, site, domain }, new Date(now - 2 * HOUR), `2001:db8:${i.toString(16)}::`)),
  )
  await client.call(update, { ...place, securityLevel: 'under-attack' })
  await watchFriction(api.database, events, now, api)
  const levelOf = async () => {
    const built = await api.database.system((tx) => buildEdgeSecurity(tx, site, api.config))
    const bots = EdgeSecurity.parse(built?.body).domains[0]?.policy.bots
    return `${bots?.securityLevel} ${bots?.challengeMode}`
  }
  assert.equal(await levelOf(), 'under-attack browser-standard')
  await client.call(update, { ...place, securityLevel: 'high' })
  await watchFriction(api.database, events, now, api)
  assert.equal(await levelOf(), 'high browser-no-delay')
  assert.equal((await client.call(friction, place)).data[0]?.softened?.mode, 'browser-no-delay')
  assert.equal((await client.call(botManagement.routes.get, place)).challengeMode, 'browser-standard')
  await client.call(update, { ...place, challengeMode: 'browser-no-delay' })
  await watchFriction(api.database, events, now, api)
  await watchFriction(api.database, events, now, api)
  assert.equal(await levelOf(), 'high browser-no-delay')
  assert.equal((await client.call(friction, place)).data[0]?.softened, null)
})
