import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { describe, it } from 'node:test'
import type { MailDriver, OutgoingLetter } from './mail.ts'

export const letter = (more: Partial<OutgoingLetter> = {}): OutgoingLetter => ({
  id: '7d3f',
  from: { name: '航道 Fairway', address: 'no-reply@fairway.test' },
  to: 'ann@example.com',
  replyTo: 'help@fairway.test',
  subject: '確認您的電子郵件 – Größe ✓',
  html: '<p lang="zh-Hant">您好 <b>Ann</b></p>',
  text: '您好 Ann\n',
  language: 'zh-Hant',
  preferencesUrl: 'https://fairway.test/account/information-center?tab=preferences',
  dkim: null,
  ...more,
})

/** What every driver promises. `arrived` gives the letters as they left, newest last. */
export function mailConformance(
  name: string,
  open: () => Promise<{ driver: MailDriver; arrived: () => Promise<string[]>; stop: () => Promise<void> }>,
): void {
  describe(`the mail driver ${name}`, () => {
    it('takes a letter whole: subject and names in any script, both forms, and how not to get such letters', async () => {
      const { driver, arrived, stop } = await open()
      try {
        const { outcome } = await driver.deliver(letter())
        assert.equal(outcome, driver.id === 'smtp' ? 'sent' : 'kept')
        const raw = (await arrived()).at(-1) ?? ''
        assert.equal(decoded(headerOf(raw, 'Subject')), '確認您的電子郵件 – Größe ✓')
        assert.match(decoded(headerOf(raw, 'From')), /航道 Fairway"? <no-reply@fairway\.test>/)
        assert.match(headerOf(raw, 'To'), /ann@example\.com/)
        assert.equal(headerOf(raw, 'Reply-To'), 'help@fairway.test')
        assert.equal(
          headerOf(raw, 'List-Unsubscribe'),
          '<https://fairway.test/account/information-center?tab=preferences>',
        )
        assert.equal(headerOf(raw, 'Auto-Submitted'), 'auto-generated')
        assert.equal(headerOf(raw, 'Message-ID'), '<7d3f@fairway.test>')
        assert.match(raw, /multipart\/alternative/)
        for (const part of ['您好 Ann\n', '<p lang="zh-Hant">您好 <b>Ann</b></p>'])
          assert.ok(
            bodiesOf(raw).some((body) => body.trim() === part.trim()),
            part,
          )
      } finally {
        await stop()
      }
    })

    it('signs for the sender’s domain what receivers can check with the public key alone', async () => {
      const { driver, arrived, stop } = await open()
      try {
        const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
        await driver.deliver(
          letter({
            dkim: {
              domainName: 'fairway.test',
              keySelector: 'k7',
              privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
            },
          }),
        )
        const raw = ((await arrived()).at(-1) ?? '').replaceAll(/\r?\n/g, '\r\n')
        assert.ok(isSigned(raw, publicKey))
        assert.ok(!isSigned(raw.replace(/^To: .*$/m, 'To: eve@example.com'), publicKey))
      } finally {
        await stop()
      }
    })

    it('does not let a field of the letter become another header or receiver', async () => {
      const { driver, arrived, stop } = await open()
      try {
        await driver.deliver(
          letter({
            subject: 'One\r\nBcc: eve@example.com',
            replyTo: null,
            from: { name: 'A\r\nX-Evil: 1', address: 'no-reply@fairway.test' },
          }),
        )
        const raw = (await arrived()).at(-1) ?? ''
        assert.deepEqual([headerOf(raw, 'Bcc'), headerOf(raw, 'X-Evil')], ['', ''])
      } finally {
        await stop()
      }
    })

    it('refuses for good what is no address', async () => {
      const { driver, arrived, stop } = await open()
      try {
        const answer = await driver.deliver(letter({ to: 'nobody' }))
        assert.ok(answer.outcome === 'refused' && answer.isFinal, JSON.stringify(answer))
        assert.deepEqual(await arrived(), [])
      } finally {
        await stop()
      }
    })
  })
}

function headerOf(raw: string, name: string): string {
  const head = (raw.replaceAll('\r\n', '\n').split('\n\n')[0] ?? '').replaceAll(/\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? ''
}

/** Encoded words of RFC 2047; space between two of them is none. */
function decoded(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, form: string, body: string) =>
      form.toUpperCase() === 'B' ? Buffer.from(body, 'base64').toString('latin1') : unquoted(body.replaceAll('_', ' ')),
    )
    .replaceAll(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'))
}

const unquoted = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function bodiesOf(raw: string): string[] {
  return raw
    .replaceAll('\r\n', '\n')
    .split(/^--.*$/m)
    .map((part) => {
      const body = part.trim().split('\n\n').slice(1).join('\n\n')
      if (/transfer-encoding: base64/i.test(part)) return Buffer.from(body, 'base64').toString('utf8')
      return /transfer-encoding: quoted-printable/i.test(part)
        ? Buffer.from(unquoted(body), 'latin1').toString('utf8')
        : body
    })
}

/** Checks a DKIM signature as a receiver does (RFC 6376, relaxed in head and body). */
function isSigned(raw: string, key: crypto.KeyObject): boolean {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const named = (name: string) => fields.findLast((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  const relaxed = (field: string) => {
    const [name = '', ...value] = field.split(':')
    return `${name.toLowerCase().trim()}:${value
      .join(':')
      .replaceAll(/[ \t]+/g, ' ')
      .trim()}`
  }
  const signature = named('DKIM-Signature') ?? ''
  const tag = (name: string) => new RegExp(`[;:\\s]${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? ''
  const lines = rest.join('\r\n\r\n').split('\r\n')
  const body = `${lines
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)*$/, '')}\r\n`
  const hashed = crypto.createHash('sha256').update(body).digest('base64')
  const covered = tag('h')
    .split(':')
    .flatMap((name) => named(name) ?? [])
    .map((field) => `${relaxed(field)}\r\n`)
  const own = relaxed(signature).replace(/([;\s])b=[^;]*/, '$1b=')
  return (
    tag('d') === 'fairway.test' &&
    tag('s') === 'k7' &&
    tag('h')
      .split(':')
      .some((name) => name.toLowerCase() === 'from') &&
    hashed === tag('bh') &&
    crypto.verify('sha256', Buffer.from(covered.join('') + own), key, Buffer.from(tag('b'), 'base64'))
  )
}
