import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isBogon } from './bogon.ts'
import type { WireRecord } from './to-rrsets.ts'
import { validateZone, zoneProblems } from './validate-zone.ts'

type Line = [type: WireRecord['type'], name: string, value: string, change?: Partial<WireRecord>]
const multiCdn = { multiCdn: true }
const records = (lines: Line[]): WireRecord[] =>
  lines.map(([type, name, value, change]) => ({
    type,
    name,
    value,
    preference: type === 'MX' ? 10 : null,
    ttlSeconds: null,
    multiCdn: false,
    ...change,
  }))
const problem = (...lines: Line[]) => validateZone(records(lines), 'example.com')?.problem ?? null

test('a common zone has no problem', () => {
  assert.equal(
    problem(
      ['A', '@', '8.8.8.8', multiCdn],
      ['MX', '@', 'mail.example.com'],
      ['TXT', '@', 'v=spf1 -all'],
      ['A', 'www', '8.8.8.8', multiCdn],
      ['A', 'www', '8.8.4.4', multiCdn],
      ['CNAME', 'shop', 'origin.example.net', multiCdn],
      ['CNAME', 'blog', 'www.example.com'],
      ['A', 'mail', '192.168.1.1'],
      ['CNAME', '*', 'www.example.com'],
      ['TXT', '_dmarc', 'v=DMARC1'],
      ['NS', 'sub', 'ns.sub.example.com'],
      ['A', 'ns.sub', '8.8.8.8'],
    ),
    null,
  )
})

test('900018: multi-CDN is for A, AAAA and CNAME', () => {
  assert.equal(problem(['TXT', 'a', 'x', multiCdn]), 900018)
  assert.equal(problem(['MX', 'a', 'mail.example.com', multiCdn]), 900018)
})
test('900020: multi-CDN is not on wildcards', () => assert.equal(problem(['A', '*.shop', '8.8.8.8', multiCdn]), 900020))
test('900028: multi-CDN is not on names with an underscore', () =>
  assert.equal(problem(['A', 'my_shop', '8.8.8.8', multiCdn]), 900028))
test('900023: multi-CDN is not on loopback or reserved addresses, plain records may hold them', () => {
  for (const address of ['127.0.0.1', '10.1.2.3', '100.64.0.1', '192.0.2.1', '224.0.0.1', '255.255.255.255'])
    assert.equal(problem(['A', 'a', address, multiCdn]), 900023, address)
  for (const address of ['::1', 'fe80::1', 'fd00::1', '2001:db8::1', '::ffff:10.0.0.1'])
    assert.equal(problem(['AAAA', 'a', address, multiCdn]), 900023, address)
  assert.equal(problem(['A', 'a', '127.0.0.1']), null)
  assert.deepEqual(['8.8.8.8', '2606:4700::1', 'example.com', ''].map(isBogon), [false, false, false, false])
})

test('900115: a null MX beside another mail server, in either order; alone it is right', () => {
  const none = { preference: 0 }
  assert.equal(problem(['MX', 'a', '.', none], ['MX', 'a', 'mail.example.com']), 900115)
  assert.equal(problem(['MX', 'a', 'mail.example.com'], ['MX', 'a', '.', none]), 900115)
  assert.equal(problem(['MX', 'a', '.', none], ['MX', 'b', 'mail.example.com'], ['A', 'a', '8.8.8.8']), null)
})

test('900101: the same record twice, however it is written', () => {
  assert.equal(problem(['A', 'a', '8.8.8.8'], ['A', 'a', '8.8.8.8']), 900101)
  assert.equal(problem(['AAAA', 'a', '2001:db8::1'], ['AAAA', 'a', '2001:DB8:0::1']), 900101)
  assert.equal(problem(['MX', '@', 'Mail.example.com.'], ['MX', '@', 'mail.example.com']), 900101)
  assert.equal(problem(['MX', '@', 'mail.example.com'], ['MX', '@', 'mail.example.com', { preference: 20 }]), null)
})

test('900104: a CNAME is alone at its name', () => {
  assert.equal(problem(['CNAME', 'a', 'x.example.net'], ['TXT', 'a', 'x']), 900104)
  assert.equal(problem(['CNAME', 'a', 'x.example.net'], ['CNAME', 'a', 'y.example.net']), 900104)
  assert.equal(problem(['CNAME', 'a', 'x.example.net', multiCdn], ['A', 'a', '8.8.8.8', multiCdn]), 900104)
})
test('900104: a steered name answers a CNAME, so other records beside it are refused', () => {
  assert.equal(problem(['A', 'a', '8.8.8.8', multiCdn], ['TXT', 'a', 'x']), 900104)
  assert.equal(problem(['A', 'a', '8.8.8.8', multiCdn], ['A', 'a', '8.8.4.4']), 900104)
  assert.equal(problem(['A', '@', '8.8.8.8', multiCdn], ['A', '@', '8.8.4.4']), 900104)
  assert.equal(problem(['CNAME', '@', 'x.example.net', multiCdn], ['MX', '@', 'mail.example.com']), null)
})

test('900105: no CNAME at the apex unless multi-CDN flattens it', () => {
  assert.equal(problem(['CNAME', '@', 'x.example.net']), 900105)
  assert.equal(problem(['CNAME', '@', 'x.example.net', multiCdn]), null)
})

test('900106: aliases that lead back', () => {
  assert.equal(problem(['CNAME', 'a', 'a.example.com']), 900106)
  assert.equal(problem(['CNAME', 'a', 'b.example.com'], ['CNAME', 'b', 'A.example.com.']), 900106)
  assert.equal(problem(['CNAME', 'a', 'b.example.com'], ['CNAME', 'b', 'c.example.com'], ['A', 'c', '8.8.8.8']), null)
  assert.equal(problem(['CNAME', 'a', 'b.example.net'], ['CNAME', 'b', 'a.example.com']), null)
})
test('900106: through a wildcard, unless a name of its own hides it', () => {
  assert.equal(problem(['CNAME', '*', 'a.example.com']), 900106)
  assert.equal(problem(['CNAME', '*', 'a.example.com'], ['A', 'a', '8.8.8.8']), null)
  assert.equal(problem(['CNAME', '*', 'a.example.com'], ['CNAME', 'a', 'b.x.example.com']), 900106)
  assert.equal(
    problem(['CNAME', '*', 'a.example.com'], ['CNAME', 'a', 'b.x.example.com'], ['A', 'y.x', '8.8.8.8']),
    null,
  )
})
test('900106: an origin that is itself steered', () => {
  assert.equal(problem(['CNAME', 'a', 'a.example.com', multiCdn]), 900106)
  assert.equal(problem(['CNAME', 'a', 'b.example.com', multiCdn], ['A', 'b', '8.8.8.8', multiCdn]), 900106)
  assert.equal(
    problem(
      ['CNAME', 'a', 'c.example.com', multiCdn],
      ['CNAME', 'c', 'b.example.com'],
      ['A', 'b', '8.8.8.8', multiCdn],
    ),
    900106,
  )
  assert.equal(problem(['CNAME', 'c', 'b.example.com'], ['A', 'b', '8.8.8.8', multiCdn]), null)
})

test('900108: records of one name and type have one TTL, Auto being 300', () => {
  assert.equal(problem(['A', 'a', '8.8.8.8', { ttlSeconds: 60 }], ['A', 'a', '8.8.4.4']), 900108)
  assert.equal(problem(['A', 'a', '8.8.8.8', { ttlSeconds: 300 }], ['A', 'a', '8.8.4.4']), null)
  assert.equal(problem(['A', 'a', '8.8.8.8', { ttlSeconds: 60 }], ['TXT', 'a', 'x']), null)
})

test('900109: what lies at or under a delegated name is never answered, but for glue', () => {
  assert.equal(problem(['NS', 'sub', 'ns.example.net'], ['TXT', 'sub', 'x']), 900109)
  assert.equal(problem(['NS', 'sub', 'ns.example.net'], ['CNAME', 'www.sub', 'x.example.net']), 900109)
  assert.equal(problem(['NS', 'sub', 'ns.example.net'], ['A', 'www.sub', '8.8.8.8', multiCdn]), 900109)
  assert.equal(problem(['NS', 'sub', 'ns.example.net'], ['NS', 'a.sub', 'ns.example.net']), 900109)
  assert.equal(problem(['NS', 'sub', 'ns.example.net'], ['TXT', 'notsub', 'x']), null)
})

test('the problem names the record that shows it', () => {
  assert.deepEqual(
    validateZone(
      records([
        ['A', 'b', '8.8.8.8'],
        ['A', 'a', '8.8.8.8'],
        ['A', 'a', '8.8.8.8'],
      ]),
      'example.com',
    ),
    { problem: 900101, index: 2 },
  )
})

test('all problems are found at once, each with the records it comes from; the first record in the list is right', () => {
  const all = (...lines: Line[]) =>
    [...zoneProblems(records(lines), 'example.com')].map(({ problem, index, others }) => [problem, index, ...others])
  assert.deepEqual(all(['A', 'a', '8.8.8.8'], ['A', 'a', '8.8.8.8'], ['A', 'a', '8.8.8.8']), [
    [900101, 1, 0],
    [900101, 2, 0],
  ])
  assert.deepEqual(all(['A', 'a', '8.8.8.8'], ['TXT', 'a', 'x'], ['CNAME', 'a', 'x.example.net']), [[900104, 2, 0]])
  assert.deepEqual(all(['CNAME', 'a', 'x.example.net'], ['A', 'a', '8.8.8.8'], ['TXT', 'a', 'x']), [
    [900104, 1, 0],
    [900104, 2, 0],
  ])
  assert.deepEqual(all(['A', 'a', '8.8.8.8', multiCdn], ['A', 'a', '8.8.4.4']), [[900104, 1, 0]])
  assert.deepEqual(
    all(['CNAME', 'a', 'b.example.com'], ['CNAME', 'b', 'a.example.com']).map(([problem, index]) => [problem, index]),
    [
      [900106, 0],
      [900106, 1],
    ],
  )
  assert.deepEqual(all(['CNAME', 'a', 'b.example.com', multiCdn], ['CNAME', 'b', 'a.example.com']), [[900106, 0, 1]])
  assert.deepEqual(all(['TXT', 'x.sub', 'x'], ['NS', 'sub', 'ns.example.net']), [[900109, 0, 1]])
})

test('a large zone is judged to its end, whatever it holds', () => {
  const many = (line: (index: number) => Line) => Array.from({ length: 20_000 }, (_, index) => line(index))
  const zones = [
    many((index) => ['CNAME', `c${index}`, `c${index + 1}.example.com`]),
    many((index) => ['CNAME', `c${index}`, `c${(index + 1) % 20_000}.example.com`]),
    many((index) => ['NS', `sub${index}`, 'ns.example.net']),
    many(() => ['A', 'a', '8.8.8.8']),
    many((index) => ['CNAME', `c${index}`, 'c0.example.com', multiCdn]),
    many((index) => ['TXT', `${'a.'.repeat(60)}x${index}`, 'x']),
  ]
  const counts = zones.map((zone) => [...zoneProblems(records(zone), 'example.com')].length)
  assert.deepEqual(
    counts.map((count) => count > 0),
    [false, true, false, true, true, false],
  )
})

test('any zone of aliases is judged without end or exception, and found looping exactly when following it never ends', () => {
  const names = ['a', 'b', 'c', 'x.b', '*', '*.b', '*.x.b']
  const lines = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('a', 'b', 'c', 'x.b', 'y.x.b', 'z')),
    { selector: ([name]) => name, maxLength: 7 },
  )
  fc.assert(
    fc.property(lines, (some) => {
      const zone = some.map(([name, target]): Line => ['CNAME', name, `${target}.example.com`])
      const owners = new Map(some)
      const follow = (name: string): string | undefined => {
        if (owners.has(name)) return owners.get(name)
        for (let labels = name.split('.'); labels.length > 0; labels = labels.slice(1)) {
          const parent = labels.slice(1).join('.')
          const exists = [...owners.keys()].some((owner) => owner === parent || owner.endsWith(`.${parent}`))
          if ([...owners.keys()].some((owner) => owner.endsWith(`.${name}`)) && labels.join('.') === name)
            return undefined
          if (parent === '' || exists) return owners.get(parent === '' ? '*' : `*.${parent}`)
        }
        return undefined
      }
      const endless = some.some(([name]) => {
        let at: string | undefined = name
        for (let hops = 0; hops < 20 && at !== undefined; hops++) at = follow(at)
        return at !== undefined
      })
      assert.equal(problem(...zone) === 900106, endless)
    }),
    { numRuns: 2000 },
  )
})
