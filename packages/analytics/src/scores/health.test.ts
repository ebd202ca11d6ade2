import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { HealthTransition } from '@fairway/contract'
import { makeLog } from '@fairway/platform'
import { Health } from './health.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'health-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const folder = () => fs.mkdtempSync(path.join(home, 'f-'))
const NOW = 1_800_000_000_000

function started(at = folder()) {
  const told: HealthTransition[] = []
  const health = new Health(at, makeLog('test', { logLevel: 'fatal' }), (transition) => told.push(transition))
  const check = (node: string, seconds: number, ok: boolean, cdnId = 'a') =>
    health.take(
      {
        node,
        results: [
          {
            organizationId: 'o1',
            cdnId,
            at: NOW + seconds * 1000,
            ok,
            rttMs: ok ? 5 : null,
            error: ok ? null : 'ECONNREFUSED',
          },
        ],
      },
      NOW + seconds * 1000,
    )
  return { health, told, check, down: () => health.of('o1', NOW).find((one) => one.cdnId === 'a')?.down }
}

test('two of three nodes see it dead: it is, at once and with the evidence; one alone is not believed', () => {
  const { told, check, down } = started()
  for (const node of ['dns', 'edge', 'collector']) check(node, 0, true)
  check('dns', 1, false)
  assert.equal(down(), false)
  check('edge', 1.2, false)
  assert.equal(down(), true)
  assert.deepEqual(
    told.map((one) => [one.hardDown, one.at]),
    [[true, NOW + 1200]],
  )
  assert.match(told[0]?.evidence ?? '', /dns: 1 failed \(ECONNREFUSED\); edge: 1 failed \(ECONNREFUSED\)/)
})

test('it comes back after good checks in a row by most nodes, and does not flap when every other check fails', () => {
  const { told, check, down } = started()
  for (const node of ['dns', 'edge', 'collector']) for (let i = 0; i < 3; i++) check(node, i, false)
  for (let i = 3; i < 9; i++) for (const node of ['dns', 'edge', 'collector']) check(node, i, i % 2 === 0)
  assert.equal(down(), true)
  for (let i = 10; i < 16; i++) for (const node of ['dns', 'edge', 'collector']) check(node, i, true)
  assert.equal(down(), false)
  assert.deepEqual(
    told.map((one) => one.hardDown),
    [true, false],
  )
})

test('a collector that starts during an outage still knows of it', () => {
  const at = folder()
  const before = started(at)
  for (const node of ['dns', 'edge']) before.check(node, 0, false)
  const again = started(at)
  assert.equal(again.down(), true)
  assert.deepEqual(again.told, [])
  fs.writeFileSync(path.join(at, 'health.json'), '{damaged')
  assert.equal(started(at).down(), undefined)
})

test('a CDN that is no longer probed is no longer down', () => {
  const { health, told, check, down } = started()
  for (const node of ['dns', 'edge']) check(node, 0, false)
  health.keepOnly({ organizationId: 'o2', version: 1, targets: [] }, NOW)
  assert.equal(down(), true)
  health.keepOnly({ organizationId: 'o1', version: 2, targets: [] }, NOW + 5)
  assert.equal(down(), undefined)
  assert.deepEqual(told.map((one) => [one.hardDown, one.evidence]).at(-1), [false, 'no longer probed'])
})
