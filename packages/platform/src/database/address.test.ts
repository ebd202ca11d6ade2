import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ConfigError, loadConfig } from '../config.ts'
import { connectionsTo, readDatabaseUrl } from './address.ts'

const read = (text: string) => {
  const address = readDatabaseUrl(text)
  if (typeof address === 'string') throw new Error(address)
  return connectionsTo(address)
}

test('a URL names one host or several, with ports, user, password and database as they were escaped', () => {
  assert.deepEqual(
    read('postgres://ann:p%40ss@db1:6432,db2,[2001:db8::7]:5433/fair%20way?target_session_attrs=read-write'),
    [
      { host: 'db1', port: 6432, user: 'ann', password: 'p@ss', database: 'fair way', ssl: false },
      { host: 'db2', port: 5432, user: 'ann', password: 'p@ss', database: 'fair way', ssl: false },
      { host: '2001:db8::7', port: 5433, user: 'ann', password: 'p@ss', database: 'fair way', ssl: false },
    ],
  )
  assert.deepEqual(read('postgresql://ann@/fairway?host=/run/postgresql'), [
    { host: '/run/postgresql', port: 5432, user: 'ann', database: 'fairway', ssl: false },
  ])
})

test('a certificate is checked with its name unless less is asked for', () => {
  const tls = (mode: string) => read(`postgres://db/x?sslmode=${mode}`)[0]?.ssl
  assert.deepEqual(tls('verify-full'), { rejectUnauthorized: true })
  assert.deepEqual(tls('require'), { rejectUnauthorized: true })
  assert.equal(Object.keys(tls('verify-ca') as object).join(), 'rejectUnauthorized,checkServerIdentity')
  assert.equal((tls('no-verify') as { rejectUnauthorized: boolean }).rejectUnauthorized, false)
  assert.equal(tls('disable'), false)
})

const WRONG: [string, RegExp][] = [
  ['mysql://db/x', /must be like postgres/],
  ['postgres://db:0/x', /a port that cannot be/],
  ['postgres://db:65536/x', /a port that cannot be/],
  ['postgres://a,,b/x', /an empty host/],
  ['postgres://db/x?sslmode=prefer', /sslmode other than/],
  ['postgres://db/x?sslmode=constructor', /sslmode other than/],
  ['postgres://db/x?sslrootcert=/etc/ca.pem', /no sslmode that uses them/],
  ['postgres://db/x?sslmode=verify-full&sslcert=/etc/a.pem', /sslcert and sslkey together/],
  ['postgres://a,b/x?target_session_attrs=any', /Fairway writes/],
  ['postgres://db/x?target_session_attrs=standby', /Fairway writes/],
  ['postgres://db/x?options=-c%20role%3Dpostgres', /not known: options/],
  ['postgres://db/x?host=/run/postgresql', /no host before it/],
  ['postgres://u:%zz@db/x', /escaped character/],
  [`postgres://${Array.from({ length: 17 }, (_, at) => `db${at}`).join()}/x`, /more than 16 hosts/],
]
for (const [url, why] of WRONG)
  test(`${url.slice(0, 60)} is refused with the reason`, () => {
    assert.match(String(readDatabaseUrl(url)), why)
  })

test('whatever is typed is read or refused, and a refusal does not hold the password', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('postgres://', 'postgres://u:', ''), (text, before) => {
      const address = readDatabaseUrl(before + text)
      if (typeof address !== 'string')
        for (const { port } of connectionsTo({ ...address, tls: null })) assert.ok((port ?? 0) > 0)
    }),
  )
  const refused = (FAIRWAY_DATABASE_URL: string) => {
    try {
      loadConfig({ FAIRWAY_DATABASE_URL })
    } catch (error) {
      return error instanceof ConfigError ? error.message : ''
    }
    return ''
  }
  const said = refused('postgres://ann:Tell-Nobody@db/x?sslmode=maybe')
  assert.match(said, /^FAIRWAY_DATABASE_URL: has an sslmode/)
  assert.doesNotMatch(said, /Tell-Nobody/)
})

test("a replica's URL names servers that are read from, each of its hosts one", () => {
  const replica = (text: string) => readDatabaseUrl(text, { isReplica: true })
  for (const wanted of ['any', 'standby', 'read-only', 'prefer-standby'])
    assert.equal(typeof replica(`postgres://r1,r2/x?target_session_attrs=${wanted}`), 'object')
  assert.match(String(replica('postgres://r1/x?target_session_attrs=primary')), /replicas are read from/)
  assert.match(String(readDatabaseUrl('postgres://r1,r2/x?target_session_attrs=standby')), /Fairway writes/)
  const settings = (replicas: string, database = 'postgres://db/x') =>
    loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_DATABASE_URL: database, FAIRWAY_DATABASE_REPLICA_URLS: replicas })
  assert.deepEqual(settings(' ').databaseReplicaUrls, [])
  assert.deepEqual(settings('postgres://r1,r2/x, postgresql://:p%2Cw@r3/x').databaseReplicaUrls, [
    'postgres://r1,r2/x',
    'postgresql://:p%2Cw@r3/x',
  ])
  assert.throws(
    () => settings('postgres://user:hidden@r1/x?sslmode=perhaps'),
    (error: Error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /FAIRWAY_DATABASE_REPLICA_URLS.*sslmode/)
      assert.doesNotMatch(error.message, /hidden/)
      return true
    },
  )
  assert.throws(() => settings('postgres://r1/x', ''), /FAIRWAY_DATABASE_URL has to name/)
})
