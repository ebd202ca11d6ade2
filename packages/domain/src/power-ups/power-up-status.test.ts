import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CdnState, PowerUpStatus } from '@fairway/contract'
import { mostUrgent, powerUpStatus, statesOfStatus } from './power-up-status.ts'

test('every state of a CDN has its status as a power-up, and every status a state', () => {
  for (const state of CdnState.options) assert.ok(statesOfStatus(powerUpStatus(state)).includes(state), state)
  for (const status of PowerUpStatus.options) assert.ok(statesOfStatus(status).length > 0, status)
})

test('of several domains the one that asks for attention is shown', () => {
  assert.equal(mostUrgent([]), null)
  assert.equal(mostUrgent(['installed', 'installing', 'under-review']), 'under-review')
  assert.equal(mostUrgent([...PowerUpStatus.options]), 'action-required')
})
