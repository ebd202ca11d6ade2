import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PulseSeen } from '@fairway/contract'
import { addUpSeen } from './add-up-seen.ts'

const seen = (more: Partial<PulseSeen>): PulseSeen => ({
  since: 1,
  beacons: 0,
  lastAt: null,
  refused: { 'wrong-host': 0, repeated: 0, 'old-key': 0 },
  keys: [],
  hosts: [],
  faults: [],
  plays: { posts: 0, refused: 0, lastAt: null },
  latest: null,
  ...more,
})

test('what one collector saw is said as it is', () => {
  const one = seen({ beacons: 3, lastAt: 7 })
  assert.equal(addUpSeen([one]), one)
})

test('what several saw is added up by name, with the latest of each', () => {
  const one = seen({
    since: 5,
    beacons: 3,
    lastAt: 10,
    refused: { 'wrong-host': 1, repeated: 2, 'old-key': 0 },
    keys: [{ key: 'k', beacons: 3, lastAt: 10 }],
    hosts: [{ host: 'a.example', beacons: 3, refused: 1, lastAt: 10 }],
    faults: [{ cdnId: 'c', cors: 1, http: 0, lastAt: 4 }],
    latest: { at: 10, sent: 'one', stored: [] },
  })
  const two = seen({
    since: 4,
    beacons: 4,
    lastAt: 9,
    refused: { 'wrong-host': 0, repeated: 1, 'old-key': 1 },
    keys: [
      { key: 'k', beacons: 2, lastAt: 9 },
      { key: 'old', beacons: 2, lastAt: 8 },
    ],
    hosts: [
      { host: 'b.example', beacons: 1, refused: 0, lastAt: 12 },
      { host: 'a.example', beacons: 3, refused: 0, lastAt: 9 },
    ],
    faults: [{ cdnId: 'c', cors: 1, http: 2, lastAt: 6 }],
    plays: { posts: 2, refused: 1, lastAt: 3 },
    latest: { at: 9, sent: 'two', stored: [] },
  })
  assert.deepEqual(PulseSeen.parse(addUpSeen([one, two, seen({ since: 6 })])), {
    since: 4,
    beacons: 7,
    lastAt: 10,
    refused: { 'wrong-host': 1, repeated: 3, 'old-key': 1 },
    keys: [
      { key: 'k', beacons: 5, lastAt: 10 },
      { key: 'old', beacons: 2, lastAt: 8 },
    ],
    hosts: [
      { host: 'b.example', beacons: 1, refused: 0, lastAt: 12 },
      { host: 'a.example', beacons: 6, refused: 1, lastAt: 10 },
    ],
    faults: [{ cdnId: 'c', cors: 2, http: 2, lastAt: 6 }],
    plays: { posts: 2, refused: 1, lastAt: 3 },
    latest: { at: 10, sent: 'one', stored: [] },
  })
})
