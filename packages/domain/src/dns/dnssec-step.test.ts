import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnssecStep, type DnssecFacts } from './dnssec-step.ts'

const HOUR = 3_600_000
const NOW = 1_000 * HOUR
const key = (id: string, state: DnssecFacts['keys'][number]['state'], atParent = false, ageHours = 100) => ({
  id,
  state,
  atParent,
  since: NOW - ageHours * HOUR,
})
const step = (facts: Partial<DnssecFacts>) =>
  dnssecStep({
    state: 'secured',
    keys: [key('a', 'active', true)],
    parentHasDs: true,
    wasSecured: true,
    dsTtlSeconds: 3600,
    absentSince: null,
    now: NOW,
    ...facts,
  })
const NOTHING = { do: 'nothing', dueAt: null }

test('a zone is secured when the parent has the DS of a key of its own, also of the next one', () => {
  assert.deepEqual(step({ state: 'waiting', keys: [key('a', 'active')] }), NOTHING)
  assert.deepEqual(step({ state: 'waiting' }), { do: 'secured' })
  // The old DS was taken away before the new one was there.
  const keys = [key('a', 'active'), key('b', 'ready', true)]
  assert.deepEqual(step({ state: 'waiting', keys }), { do: 'secured' })
  assert.deepEqual(step({ keys }), { do: 'takeOver', keyId: 'b' })
})

test('a DS that goes by itself is noticed, one that cannot be asked for is not taken for gone', () => {
  assert.deepEqual(step({ parentHasDs: false }), { do: 'waiting' })
  assert.deepEqual(step({ parentHasDs: null }), NOTHING)
})

test('a zone is unsigned only when the DS is gone and nobody can remember it', () => {
  assert.deepEqual(step({ state: 'withdrawing' }), NOTHING)
  assert.deepEqual(step({ state: 'withdrawing', parentHasDs: null }), NOTHING)
  assert.deepEqual(step({ state: 'withdrawing', parentHasDs: false, absentSince: NOW - HOUR / 2 }), {
    do: 'nothing',
    dueAt: NOW + HOUR / 2,
  })
  assert.deepEqual(step({ state: 'withdrawing', parentHasDs: false, absentSince: NOW - HOUR }), { do: 'unsign' })
  assert.deepEqual(
    step({ state: 'withdrawing', parentHasDs: false, wasSecured: false }),
    { do: 'unsign' },
    'it never had one',
  )
})

test('a new key is announced, takes over and outlives the old one, each when it is safe', () => {
  assert.deepEqual(step({ keys: [key('a', 'active', true), key('b', 'published', false, 1)] }), {
    do: 'nothing',
    dueAt: NOW + HOUR,
  })
  assert.deepEqual(step({ keys: [key('a', 'active', true), key('b', 'published', false, 2)] }), {
    do: 'announce',
    keyId: 'b',
  })
  assert.deepEqual(step({ keys: [key('a', 'active', true), key('b', 'ready')] }), NOTHING, 'the parent has to act')
  assert.deepEqual(step({ keys: [key('a', 'active'), key('b', 'ready', true)] }), { do: 'takeOver', keyId: 'b' })
  assert.deepEqual(
    step({ keys: [key('a', 'retired', true), key('b', 'active', true)] }),
    NOTHING,
    'the parent still names the old one',
  )
  assert.deepEqual(step({ keys: [key('a', 'retired', false, 10), key('b', 'active', true)] }), {
    do: 'nothing',
    dueAt: NOW + 14 * HOUR,
  })
  assert.deepEqual(step({ keys: [key('a', 'retired', false, 24), key('b', 'active', true)] }), {
    do: 'drop',
    keyId: 'a',
  })
})
