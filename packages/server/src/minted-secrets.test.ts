import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { TOKEN_FORMS } from '@fairway/contract'
import { redact } from '@fairway/domain'
import { mint } from '@fairway/platform'

const PACKAGES = path.join(import.meta.dirname, '../..')
/** Randomness that becomes no secret of anybody outside, and why. */
const OTHER_CHANCE: Record<string, string> = {
  'analytics/src/collector/read-beacon.ts': 'number of a post',
  'edge/src/captchas.ts': 'name of a set of pictures',
  'analytics/src/collector/stream-steering.ts': 'names of sessions and decisions, which open nothing',
  'analytics/src/collector/stream-peers.ts': 'names of sessions and members, which open nothing without our MAC',
  'analytics/src/collector/segment-writer.ts': 'name of a file',
  'console/src/features/api-protection/rule-draft.ts': 'key proposed to who writes the rule, who may type another',
  'dns/src/listen/heartbeat.ts': 'question to itself',
  'dns/src/serving/server.ts': 'seed of the chance that weights use',
  'dns/src/transfer/notifier.ts': 'number of a DNS message',
  'app/src/simulator/watch-film.ts': 'name of a view, which is no proof',
  'dns/src/role.ts': 'key between processes, never shown',
  'drivers/src/captcha/work.ts': 'nonce and salt of a puzzle, which are public',
  'drivers/src/payments/sandbox/sandbox.ts': 'names of setups and cards, which are no proof',
  'platform/src/backup/sealed-archive.ts': 'key, salt and nonce of one backup, in no form that people see',
  'platform/src/backup/chain/chain.ts': 'name and key of a chain of backups, and nonces, in no form that people see',
  'platform/src/free-ports.ts': 'which ports a test takes',
  'platform/src/disk-reserve.ts': 'bytes of a file that nobody reads',
  'platform/src/dns-client/dns-client.ts': 'number of a DNS message',
  'platform/src/dns-client/dns-stream.ts': 'number of a DNS message',
  'platform/src/dns-client/fetch-zone.ts': 'number of a DNS message',
  'platform/src/mint.ts': 'the mint',
  'platform/src/sealing.ts': 'nonce',
  'platform/src/secrets.ts': 'secrets of the installation in the form of a bearer; they stay in its home',
  'platform/src/self-signed.ts': 'serial number',
  'server/src/api.ts': 'request id',
  'server/src/features/account/email-change.ts': 'six digits that are good for minutes',
  'server/src/features/add-site/parity/compare-servers.ts': 'name that nobody has',
  'server/src/features/add-site/scan/guess-names.ts': 'name that nobody has',
  'server/src/features/auth/password.ts': 'salt',
  'server/src/features/dns-secondaries/service.ts': 'name of a key',
  'server/src/features/pulse/service.ts': 'beacon key, which stands in every page',
  'server/src/features/nodes/service.ts': 'end of the name of a machine',
  'server/src/installation.ts': 'beacon key, which stands in every page',
}

test('whatever the mint makes is cut out of texts, wherever it stands in a sentence', () => {
  const id = () => crypto.randomUUID()
  const ids: Partial<Record<keyof typeof TOKEN_FORMS, () => string>> = {
    purchase: () => `${Date.now()}.${Buffer.from('customer-1').toString('base64url')}`,
    cardSetup: () => crypto.randomBytes(12).toString('hex'),
  }
  for (const kind of Object.keys(TOKEN_FORMS) as (keyof typeof TOKEN_FORMS)[]) {
    for (let round = 0; round < 300; round++) {
      const { text, secret } = mint(kind, (ids[kind] ?? id)())
      for (const said of [
        `it says ${text}.`,
        `https://console.example/x?token=${text}&y=1`,
        `{"key":"${text}"}`,
        `(${text})`,
        `curl -H 'x: ${text}' https://x`,
        `line\n${text}\nline`,
      ]) {
        const left = redact(said)
        for (const part of [text, secret, secret.slice(0, 10), secret.slice(-10)])
          assert.ok(!left.includes(part), `${kind}: ${said} became ${left}`)
      }
    }
  }
})

test('secrets are made in the mint only', () => {
  const found = fs
    .readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => /^[a-z]+\/src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|\/bench\/|conformance/.test(file),
    )
    .filter((file) =>
      /\b(?:randomBytes|randomFill(?:Sync)?|getRandomValues|randomInt|generateSecret|generateKeySync)\(/.test(
        fs.readFileSync(path.join(PACKAGES, file), 'utf8'),
      ),
    )
  assert.deepEqual(found.sort(), Object.keys(OTHER_CHANCE).sort())
})
