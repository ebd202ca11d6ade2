import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { configExample, selfSignedCertificate } from '@fairway/platform'
import { CHECKOUT } from '../commands/checkout.ts'

const read = (file: string) => fs.readFileSync(path.join(CHECKOUT, 'docs', file), 'utf8')
const guide = read('operate.md')

test('every alert has a section of its own in the guide that it leads to, and no section is left over', () => {
  const alerts = [...read('operate/alerts.yaml').matchAll(/- alert: (\w+)\n(?: {8}.*\n)+?\s+runbook: (\S+)/g)]
  const names = alerts.map(([, name = '']) => name)
  for (const [, name = '', runbook] of alerts) assert.equal(runbook, `docs/operate.md#${name.toLowerCase()}`)
  assert.equal(read('operate/alerts.yaml').match(/- alert:/g)?.length, names.length)
  const sections = [...guide.matchAll(/^### (Fairway\w+)\n\n\S/gm)].map(([, name]) => name)
  assert.deepEqual(sections.sort(), names.sort())
})

test('the dashboard is what Grafana imports: every panel has a question, a place and a number of its own', () => {
  const { panels } = JSON.parse(read('operate/grafana.json')) as {
    panels: { id: number; type: string; gridPos: { x: number; y: number }; targets?: { expr: string }[] }[]
  }
  const asking = panels.filter(({ type }) => type !== 'row')
  for (const { targets = [] } of asking)
    assert.ok(targets.length > 0 && targets.every(({ expr }) => expr.includes('fairway_')))
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  assert.deepEqual([new Set(panels.map(({ id }) => id)).size, new Set(places).size], [panels.length, panels.length])
})

test('the guide names settings that there are', () => {
  const named = new Set(guide.match(/FAIRWAY_[A-Z_]+/g))
  const known = new Set(configExample().match(/FAIRWAY_[A-Z_]+/g))
  assert.deepEqual(
    [...named].filter((name) => !known.has(name)),
    [],
  )
})

test('nginx takes the example of the guide', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-proxy-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const example = /```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail('there is none')
  const { certificatePem, keyPem } = selfSignedCertificate(['console.example.com'], new Date())
  fs.writeFileSync(path.join(folder, 'console.pem'), certificatePem)
  fs.writeFileSync(path.join(folder, 'console.key'), keyPem)
  const here = example.replaceAll('/etc/ssl/', `${folder}/`).replace('198.51.100.20:443', `unix:${folder}/socket`)
  const file = path.join(folder, 'nginx.conf')
  fs.writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\nerror_log stderr;\n${here}}\n`)
  const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', file], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  })
  assert.equal(status, 0, stderr)
})
