import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delegationRequirements, type DelegationFacts } from './delegation.ts'

const OURS = ['ns1.ours.test', 'ns2.ours.test']
const met = (facts: Partial<DelegationFacts>) =>
  Object.fromEntries(
    delegationRequirements({
      delegation: OURS.map((name) => ({ name, glue: [] })),
      ours: OURS,
      addresses: new Map(),
      serials: OURS.map((name) => ({ name, serial: 7 })),
      foreignKeys: 0,
      ...facts,
    }).map(({ requirement, met: is }) => [requirement, is]),
  )

test('a whole delegation meets everything', () => {
  assert.deepEqual(met({}), { delegated: true, alone: true, two: true, glue: true, answered: true, keys: true })
})

test('without any server of ours the rest is not known yet', () => {
  assert.deepEqual(met({ delegation: [{ name: 'ns.old.test', glue: [] }], serials: [], foreignKeys: null }), {
    delegated: false,
    alone: null,
    two: null,
    glue: null,
    answered: null,
    keys: null,
  })
})

test('each fault is told by itself', () => {
  assert.equal(met({ delegation: [...OURS, 'ns.old.test'].map((name) => ({ name, glue: [] })) })['alone'], false)
  assert.equal(met({ delegation: [{ name: 'ns1.ours.test', glue: [] }] })['two'], false)
  assert.equal(
    met({
      serials: [
        { name: 'ns1.ours.test', serial: 7 },
        { name: 'ns2.ours.test', serial: null },
      ],
    })['answered'],
    false,
  )
  assert.equal(met({ foreignKeys: 1 })['keys'], false)
})

test('addresses at the parent must be those of the server; where ours are not known nothing is claimed', () => {
  const delegation = [
    { name: 'ns1.ours.test', glue: ['192.0.2.1'] },
    { name: 'ns2.ours.test', glue: [] },
  ]
  assert.equal(met({ delegation })['glue'], null)
  assert.equal(met({ delegation, addresses: new Map([['ns1.ours.test', ['192.0.2.1', '2001:db8::1']]]) })['glue'], true)
  assert.equal(met({ delegation, addresses: new Map([['ns1.ours.test', ['192.0.2.2']]]) })['glue'], false)
})
