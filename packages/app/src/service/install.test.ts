import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CHECKOUT } from '../commands/checkout.ts'
import { askedRoles } from '../commands/service.ts'
import { serviceFiles } from './files.ts'
import { installService, removeService, serviceStatus } from './install.ts'

type Context = { after(fn: () => void): void }

/** The root of an image: with accounts, as Debian makes it, and nothing else. */
function image(t: Context) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-root-'))
  t.after(() => fs.rmSync(root, { recursive: true, force: true }))
  fs.mkdirSync(path.join(root, 'etc'))
  fs.writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  fs.writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\n')
  const said: string[] = []
  return { root, said, place: { root, checkout: CHECKOUT, say: (line: string) => void said.push(line) } }
}

const filesIn = (root: string): string[] =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name).slice(root.length))
    .sort()

const ours = (root: string) => filesIn(root).filter((name) => name.includes('fairway'))

test('an image gets the unit, its account and its settings; a second time nothing is touched, and settings stay', (t) => {
  const { root, said, place } = image(t)
  installService(place, ['dns', 'edge'])
  assert.match(
    fs.readFileSync(path.join(root, 'etc/systemd/system/fairway.service'), 'utf8'),
    /fairway up --roles dns,edge\n/,
  )
  assert.equal(
    fs.readlinkSync(path.join(root, 'etc/systemd/system/multi-user.target.wants/fairway.service')),
    '/etc/systemd/system/fairway.service',
  )
  const settings = path.join(root, 'etc/fairway/fairway.conf')
  assert.equal(fs.statSync(settings).mode & 0o777, 0o640)
  fs.writeFileSync(settings, 'FAIRWAY_LISTEN=127.0.0.1:9000\n')
  said.length = 0
  installService(place, ['dns', 'edge'])
  assert.deepEqual(
    said.filter((line) => line.endsWith(': written')),
    [],
  )
  assert.equal(fs.readFileSync(settings, 'utf8'), 'FAIRWAY_LISTEN=127.0.0.1:9000\n')
  assert.equal(serviceStatus(place), true)
})

test('a node that is installed once more, for an upgrade, stays the node that it is', async (t) => {
  const { said, place } = image(t)
  assert.equal(await askedRoles(place, {}), null, 'the first is all of the product')
  installService(place, ['dns', 'edge'])
  assert.deepEqual(await askedRoles(place, {}), ['dns', 'edge'])
  assert.match(said.at(-1) ?? '', /roles as before: dns,edge/)
  assert.deepEqual(await askedRoles(place, { roles: 'edge' }), ['edge'])
  assert.equal(await askedRoles(place, { roles: 'all' }), null)
  installService(place, null)
  assert.equal(await askedRoles(place, {}), null)
})

test('removing takes everything but settings and data, purging takes those too, and doing it again is no failure', (t) => {
  const { root, place } = image(t)
  const before = filesIn(root)
  installService(place, null)
  fs.mkdirSync(path.join(root, 'var/lib/fairway/secrets'), { recursive: true })
  fs.writeFileSync(path.join(root, 'var/lib/fairway/secrets/node-token'), 'x')
  removeService(place, false)
  assert.deepEqual(
    ours(root).filter((name) => !name.startsWith('/var/lib/fairway/')),
    ['/etc/fairway/fairway.conf'],
  )
  assert.ok(fs.existsSync(path.join(root, 'var/lib/fairway/secrets/node-token')))
  removeService(place, true)
  removeService(place, true)
  assert.deepEqual(ours(root), [])
  assert.equal(/^fairway:/m.test(fs.readFileSync(path.join(root, 'etc/passwd'), 'utf8')), false)
  for (const name of before) assert.ok(fs.existsSync(path.join(root, name)), name)
})

test('what is missing or was changed by hand is told, and an install mends it', (t) => {
  const { root, said, place } = image(t)
  installService(place, null)
  fs.appendFileSync(path.join(root, 'etc/systemd/system/fairway.service'), '# mine\n')
  fs.rmSync(path.join(root, 'usr/local/sbin/fairway'))
  assert.equal(serviceStatus(place), false)
  assert.ok(said.includes('/etc/systemd/system/fairway.service: other than would be written now'))
  assert.ok(said.includes('/usr/local/sbin/fairway: missing'))
  installService(place, null)
  assert.equal(serviceStatus(place), true)
})

test('a checkout that a unit or the account could not use is refused with what to do', (t) => {
  const { place } = image(t)
  assert.throws(() => installService({ ...place, checkout: '/opt/fair way' }, null), /letters that units do not take/)
  assert.throws(() => installService({ ...place, checkout: '/opt/%h' }, null), /letters that units do not take/)
  for (const checkout of ['/root/fairway', '/home/me/fairway', '/tmp/fairway', '/var/lib/fairway'])
    assert.throws(() => installService({ ...place, root: '/', checkout }, null), /does not see.*\/opt\/fairway/)
})

test('systemd takes the unit as it is, and finds little that it could do besides', (t) => {
  const { root, place } = image(t)
  installService(place, null)
  const unit = path.join(root, 'etc/systemd/system/fairway.service')
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  assert.deepEqual([verified.status, verified.stderr], [0, ''])
  // 0 is locked up, 100 is open; what stays is the network, and namespaces for the cage of videos.
  const exposed = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=30', unit], {
    encoding: 'utf8',
  })
  assert.equal(exposed.status, 0, exposed.stdout)
})

test('the shell takes the command that stands for the launcher', () => {
  for (const { path: name, text } of serviceFiles({ checkout: '/opt/fairway', roles: null, notifies: true })) {
    if (!text.startsWith('#!/bin/sh')) continue
    const { status, stderr } = spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })
    assert.deepEqual([name, status, stderr], [name, 0, ''])
  }
})
