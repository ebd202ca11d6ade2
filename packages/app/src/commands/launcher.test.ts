import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CHECKOUT } from './checkout.ts'

const LAUNCHER = path.join(CHECKOUT, 'fairway')

function run(words: string[], options: { file?: string; cwd?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(options.file ?? LAUNCHER, words, {
    cwd: options.cwd ?? os.tmpdir(),
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: os.homedir(), ...options.env },
  })
  return { status, stdout, stderr }
}

function folder(t: { after(fn: () => void): void }): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-launcher-'))
  t.after(() => fs.rmSync(made, { recursive: true, force: true }))
  return made
}

test('without words it tells the commands, and an unknown one gets a sentence', () => {
  assert.deepEqual([run([]).status, run(['help']).status], [0, 0])
  assert.match(run([]).stdout, /demo .*\n[\s\S]*why <name>/)
  const unknown = run(['dmeo'])
  assert.deepEqual([unknown.status, unknown.stdout], [2, ''])
  assert.match(
    unknown.stderr,
    /no command "dmeo".*demo, up, upgrade, reload, sim, why, audit, unsuspend, service, doctor, backup, backups, restore, build, leaked-passwords, test, check, capacity, bench/,
  )
})

test('an unknown option, role, bench or setting is refused by name with what there is', () => {
  const table: [string[], Record<string, string>, RegExp][] = [
    [['why', 'www.example.test', '--clinet', '192.0.2.1'], {}, /--clinet.*Options here: --client, --json/],
    [['why', 'www.example.test', '--client', 'nobody'], {}, /not an IP address/],
    [['audit', 'verfy'], {}, /audit verify/],
    [['unsuspend'], {}, /unsuspend <e-mail address>/],
    [['capacity', '--zones', 'many'], {}, /--zones takes a number.*"many"/],
    [['up', '--roles', 'api,wroker'], {}, /no role "wroker".*worker/],
    [
      ['bench', 'nothing'],
      {},
      /edge, failover, flood, ingest, nodes, outages, page, poisoning, propagation, purge, records, start/,
    ],
    [['sim', 'polaris', 'sideways'], {}, /States: up, down/],
    [['sim', 'polaris', 'up'], { FAIRWAY_LISTEM: '1' }, /FAIRWAY_LISTEM is not a setting.*FAIRWAY_LISTEN/],
    [['sim', 'polaris', 'up'], { FAIRWAY_LISTEN: '8080' }, /FAIRWAY_LISTEN="8080".*host:port/],
  ]
  for (const [words, env, expected] of table) {
    const { status, stderr } = run(words, { env })
    assert.equal(status, 2, words.join(' '))
    assert.match(stderr, expected)
  }
})

test('it finds the checkout from anywhere, through links, and resolves a relative home where the person stands', (t) => {
  const here = folder(t)
  fs.symlinkSync(LAUNCHER, path.join(here, 'first'))
  fs.symlinkSync('first', path.join(here, 'second'))
  const settings = run(['help', 'settings'], { file: path.join(here, 'second'), cwd: here })
  assert.equal(settings.status, 0, settings.stderr)
  assert.match(settings.stdout, /FAIRWAY_HOME=/)
  const why = run(['why', 'www.example.test', '--client', '192.0.2.1'], { cwd: here, env: { FAIRWAY_HOME: 'my-home' } })
  assert.equal(why.status, 1)
  assert.match(
    why.stderr,
    new RegExp(`no installation in ${path.join(fs.realpathSync(here), 'my-home')} yet.*fairway demo`),
  )
})

test('what speaks HTTP/3 is installed where the settings of a serving node want it, and missed by nothing else', (t) => {
  const here = folder(t)
  // Everything is installed but Caddy, and nobody may install.
  const script = (name: string, text: string) =>
    fs.writeFileSync(path.join(here, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  script('dpkg-query', 'case "$*" in *caddy*) exit 1 ;; *) printf installed ;; esac')
  script('id', 'echo 1000')
  script('sudo', 'exit 1')
  const home = path.join(here, 'home')
  fs.mkdirSync(home)
  const missed = (words: string[], env: Record<string, string> = {}, conf = '') => {
    fs.writeFileSync(path.join(home, 'fairway.conf'), conf)
    const PATH = `${here}:/usr/sbin:/usr/bin:/sbin:/bin`
    // An option that there is not, so that nothing starts.
    const { status, stderr } = run([...words, '--nothing'], { env: { PATH, FAIRWAY_HOME: home, ...env } })
    assert.equal(status, 2, stderr)
    return /apt-get install -y --no-install-recommends caddy\n.*going on without caddy/.test(stderr)
  }
  const wanted = 'FAIRWAY_EDGE_HTTP3=127.0.0.1:8444\n'
  assert.equal(missed(['up'], {}, wanted), true)
  assert.equal(missed(['up'], { FAIRWAY_EDGE_HTTP3: '127.0.0.1:8444' }), true)
  assert.equal(missed(['up', '--roles', 'api'], {}, wanted), false)
  assert.equal(missed(['up'], {}, `# ${wanted}FAIRWAY_EDGE_HTTP3=\n`), false)
})
