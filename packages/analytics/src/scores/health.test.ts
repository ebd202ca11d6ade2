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

test('of sixty nodes it comes back as of three, and a failure that one of them saw is remembered for 30 s', () => {
  const { health, told, check } = started()
  const nodes = Array.from({ length: 60 }, (_, i) => `n${i}/dns`)
  const round = (second: number, isOk: (index: number) => boolean) => {
    for (const [index, node] of nodes.entries()) check(node, second + index / 100, isOk(index))
  }
  round(0, () => true)
  round(1, () => false)
  // A third of them still cannot reach it.
  for (const second of [2, 3]) round(second, (index) => index % 3 > 0)
  assert.deepEqual(
    told.map((one) => one.hardDown),
    [true, false],
  )
  for (let second = 4; second < 40; second++) round(second, () => true)
  const isAlive = (second: number) => health.of('o1', NOW + second * 1000)[0]?.isAlive
  assert.deepEqual([isAlive(33), isAlive(34)], [false, true])
})

test('nodes that are gone have no say', () => {
  const { told, check } = started()
  for (const node of ['a', 'b', 'c', 'd']) check(node, 0, true)
  for (const second of [8, 9]) check('d', second, true)
  check('d', 10.5, false)
  assert.deepEqual(told, [])
  check('d', 11, false)
  assert.equal(told.length, 1)
})

test('a clock that was an hour ahead during an outage hides nothing that is measured after it was put right', () => {
  const at = folder()
  const { health, check } = started(at)
  const seen = (of: Health, second: number) => {
    const [one] = of.of('o1', NOW + second * 1000)
    const from = one?.outages.map((outage) => [(outage.from - NOW) / 1000, (outage.until - NOW) / 1000])
    return { since: one?.since && (one.since - NOW) / 1000, back: one?.returning && one.returning.since - NOW, from }
  }
  check('dns', 0, false)
  check('dns', 1, false)
  for (const second of [3600, 3601]) check('dns', second, true)
  for (const second of [3602, 3603]) check('dns', second, false)
  for (const second of [3604, 3605]) check('dns', second, true)
  assert.deepEqual(seen(health, 10), { since: null, back: 10_000, from: [[1, 10]] })
  for (const second of [3606, 3607]) check('dns', second, false)
  assert.deepEqual(seen(health, 20), { since: 20, back: null, from: [[1, 10]] })
  assert.deepEqual(seen(health, 30), { since: 20, back: null, from: [[1, 10]] })
  assert.deepEqual(seen(started(at).health, 40), { since: 20, back: null, from: [[1, 10]] })
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
