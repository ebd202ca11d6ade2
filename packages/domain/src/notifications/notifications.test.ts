import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTIFICATION_LEVELS } from '@fairway/contract'
import { EVENTS, type NotificationEvent, type NotificationEvents } from './events.ts'
import { notificationWords } from './notification-words.ts'
import { placeOf } from './place-of.ts'
import { DEFAULT_PREFERENCE, allPreferences, comesByMail } from './preferences.ts'
import { MAIL_RETRY_SECONDS, WEBHOOK_RETRY_SECONDS, retryAfter } from './retry.ts'

const SAMPLES: NotificationEvents = {
  'api-key-created': { by: 'Ann', tier: 2 },
  attack: { domain: 'www.a.example', stopped: 5000, peak: 900, sources: 40, countries: 3, category: 'firewall-rules' },
  'beacons-disagree': { cdn: 'Polaris', place: 'country:GB|AS2856', heard: 400, subnets: 1, said: 0, others: 99.5 },
  'backup-old': { days: 9 },
  'backup-unproven': { days: 9, problem: 'part-1 is damaged' },
  'backup-log-stopped': { minutes: 12, torn: false, problem: 'the disk is full' },
  'charges-held': { kind: 'clock', hours: 960 },
  'feed-left-out': { feed: 'Own monitoring', state: 'contradicts', cdn: 'Polaris', place: 'country:GB' },
  'cdn-approved': { cdn: 'Polaris', host: 'www.a.example' },
  'cdn-refused': { cdn: 'Polaris', host: 'www.a.example', reason: 'expired' },
  'review-waiting': { cdn: 'Polaris', host: 'www.a.example', organization: 'Example' },
  'cdn-down': { cdn: 'Polaris', evidence: '2 of 3 nodes' },
  'cdn-behind': { cdn: 'Polaris', host: 'www.a.example', reason: 'refused' },
  'cdn-failed': { cdn: 'Polaris', host: 'www.a.example', reason: 'refused' },
  'challenge-softened': {
    domain: 'www.a.example',
    rule: '',
    mode: 'human',
    softer: 'browser-standard',
    people: 80,
    gaveUp: 40,
  },
  'certificate-expiring': { host: 'www.a.example', days: 1 },
  'certificate-failed': { host: 'www.a.example', reason: 'no answer' },
  'certificate-issued': { host: 'www.a.example' },
  'certificate-revoked': { host: 'www.a.example' },
  'console-certificate-failed': { host: 'console.example', until: '2026-01-31', reason: 'no answer' },
  'stream-certificate-failed': { host: 'stream.edge.a.example', until: '2026-01-31', reason: 'no answer' },
  'deployment-refused': { site: 'a.example', node: 'n1', version: 3, reason: 'full' },
  'disk-full': { machine: 'one', free: '90 MB' },
  'disk-low': { machine: 'one', free: '1.9 GB', percent: 14 },
  'disk-scarce': { machine: 'one', free: '800 MB' },
  'invite-accepted': { name: 'Ann', email: 'ann@a.example' },
  'invite-declined': { email: 'ann@a.example', why: 'has-account' },
  'invoice-posted': { number: '7', amount: 'USD 1', dueOn: '2026-01-01' },
  'live-idle': { stream: 'Harbour', hours: 3 },
  'live-input-lost': { stream: 'Harbour' },
  'live-not-recorded': { stream: 'Harbour', reason: 'no-source' },
  'live-problem': { stream: 'Harbour', problem: 'video-codec' },
  'live-recorded': { stream: 'Harbour', video: 'Harbour 2026-03-04 05.06.mp4' },
  'live-recording-cut': { stream: 'Harbour', video: 'Harbour 2026-03-04 05.06.mp4' },
  'live-stopped': { stream: 'Harbour', streams: 2 },
  'live-unwatched': { stream: 'Harbour', minutes: 30 },
  'looked-on': { by: 'support@a.example' },
  'mail-failing': { problem: 'refused' },
  'mfa-changed': { on: false, ip: '192.0.2.1' },
  'sign-in-added': { way: 'google', name: 'ann@example.com', ip: '192.0.2.1' },
  'address-changed': { from: 'ann@example.com', to: 'ann@example.net', ip: '192.0.2.1' },
  'name-parked': { site: 'a.example', reason: 'no-proof' },
  'name-proven': { site: 'a.example', by: 'txt' },
  'name-removed': { site: 'a.example' },
  'nameservers-failed': { site: 'a.example', reason: 'otherNameservers' },
  'nameservers-lost': { site: 'a.example', reason: 'mixedNameservers' },
  'nameservers-verified': { site: 'a.example' },
  'node-away': { node: 'n1', role: 'dns', seconds: 31 },
  'origin-down': { host: 'www.a.example', origin: '192.0.2.1', failed: 118, asked: 120, isSilent: false },
  'organization-closing': { organization: 'Example', on: '2026-12-05', by: 'ann@a.example' },
  'organization-exported': { organization: 'Example', ip: '192.0.2.1' },
  'owner-changed': { from: 'ann@a.example', to: 'bo@a.example' },
  'password-changed': { ip: '192.0.2.1' },
  'payment-failed': { amount: 'USD 1', reason: 'lost card' },
  'peers-stopped': { stream: 'Harbour', withPeers: '2.1', without: '0.4' },
  'plan-set': { plan: 'Enterprise', before: 'Business' },
  'purge-failed': { site: 'a.example', cdn: 'Polaris', code: 'refused', reason: 'busy' },
  'quota-near': { what: 'records', of: 'a.example', used: 1450, limit: 1500 },
  'spending-capped': { cap: 'USD 2', spent: 'USD 2' },
  'spending-near': { cap: 'USD 2', spent: 'USD 1' },
  'ticket-answered': { ticket: 'T-1', subject: 'Help' },
  'ticket-opened': { ticket: 'T-1', subject: 'Help', organization: 'Example' },
  'video-failed': { video: 'pier.mp4', code: 30010, reason: 'moov atom not found' },
  'webhook-disabled': { url: 'https://a.example/', reason: 'gone' },
  'white-label-leaks': { partner: 'Nimbus', names: 'ns1.house.example' },
  'white-label-lost': { partner: 'Nimbus', name: 'nimbus.example NS', seen: '' },
}

test('every event has its words in every language, with nothing left out and thin spaces between scripts', () => {
  for (const event of Object.keys(EVENTS) as NotificationEvent[]) {
    for (const locale of ['en', 'zhHant', 'zhHans'] as const) {
      const words = Object.values(notificationWords(locale, event, SAMPLES[event])).join(' | ')
      assert.ok(words.length > 5)
      assert.doesNotMatch(words, /undefined|null|NaN|\$\{/, `${event} ${locale}`)
      if (locale === 'en') assert.doesNotMatch(words, /[\u3400-\u9fff]/)
      else
        assert.doesNotMatch(
          words,
          /[\u3400-\u9fff] ?[A-Za-z]|[A-Za-z] ?[\u3400-\u9fff]/,
          `${event} ${locale}: ${words}`,
        )
    }
  }
})

test('an event that this release does not know is called by its name', () =>
  assert.deepEqual(notificationWords('en', 'moon-full', {}), { title: 'moon-full', text: '' }))

test('a place to look at is one of the site when there is one', () => {
  assert.equal(placeOf('cdn-failed', 'a.example'), '/a.example/multi-cdn/cdn-management')
  assert.equal(placeOf('password-changed', null), '/account/user-profile')
  assert.equal(placeOf('mail-failing', null), null)
  assert.equal(placeOf('moon-full', 'a.example'), null)
})

test('who answers tickets gets a letter of a new one unless they said otherwise', () =>
  assert.ok(comesByMail(EVENTS['ticket-opened'].level, DEFAULT_PREFERENCE.mail)))

test('mail takes its least urgent level and all above, or nothing', () => {
  assert.deepEqual(
    NOTIFICATION_LEVELS.filter((level) => comesByMail(level, 'warning')),
    ['critical', 'warning'],
  )
  assert.deepEqual(
    NOTIFICATION_LEVELS.filter((level) => comesByMail(level, 'info')),
    [...NOTIFICATION_LEVELS],
  )
  assert.deepEqual(
    NOTIFICATION_LEVELS.filter((level) => comesByMail(level, 'off')),
    [],
  )
  assert.deepEqual(
    allPreferences(new Map([['dns', { inApp: false, mail: 'off' }]]), new Set(['ssl']))
      .filter(({ inApp, webhook }) => !inApp || !webhook)
      .map(({ type }) => type),
    ['dns', 'ssl'],
  )
})

test('tries follow each other ever more slowly, spread a little, and end', () => {
  for (const schedule of [WEBHOOK_RETRY_SECONDS, MAIL_RETRY_SECONDS]) {
    assert.deepEqual(
      [...schedule].sort((a, b) => a - b),
      [...schedule],
    )
    assert.equal(retryAfter(schedule, schedule.length + 1, 0), null)
    assert.equal(retryAfter(schedule, 1, 0), schedule[0])
    assert.ok((retryAfter(schedule, 1, 1) ?? 0) <= (schedule[0] ?? 0) * 1.1)
  }
})
