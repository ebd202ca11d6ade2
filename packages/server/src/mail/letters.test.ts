import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inkOn, contrast } from '@fairway/domain'
import { SAMPLE_LETTERS } from '../testing/sample-letters.ts'
import { renderLetter, type LetterPartner } from './render-letter.ts'
import { WRITERS } from './writers.ts'

const settings = {
  home: '/nonexistent',
  publicUrl: 'http://127.0.0.1:8080',
  mailSender: '',
  serviceDomain: 'fairway.test',
}
const partner: LetterPartner = {
  id: 'x',
  sender_name: null,
  own_sender_since: '2026-11-01T00:00:00Z',
  dkim: null,
  host_name: 'console.acme.example',
  company_name: 'Acme <CDN> & Söhne',
  contact_email: 'help@acme.example',
  sender_address: 'mail@acme.example',
  brand_color: '#0a7d55',
  terms_link: 'https://acme.example/terms',
  privacy_policy_link: null,
}

test('every letter is there in every language, under the brand of the partner only, with its link under the partner’s own host name', () => {
  assert.deepEqual(Object.keys(SAMPLE_LETTERS).sort(), Object.keys(WRITERS).sort())
  for (const locale of ['en', 'zhHant', 'zhHans'] as const) {
    for (const [template, fields] of Object.entries(SAMPLE_LETTERS)) {
      const letter = renderLetter(
        settings,
        { id: 'x', to_address: 'ann@example.com', template: template as keyof typeof SAMPLE_LETTERS, locale, fields },
        partner,
      )
      for (const form of [letter.html, letter.text, letter.subject])
        assert.doesNotMatch(form, /Fairway|undefined|\[object|NaN/, `${template} ${locale}`)
      assert.match(letter.html, /Acme &lt;CDN&gt; &amp; Söhne/)
      assert.doesNotMatch(letter.html, /<CDN>/)
      assert.match(
        letter.html,
        locale === 'en' ? /<html lang="en"/ : locale === 'zhHant' ? /<html lang="zh-Hant"/ : /<html lang="zh-Hans"/,
      )
      assert.deepEqual(
        [letter.from, letter.replyTo],
        [{ name: 'Acme <CDN> & Söhne', address: 'mail@acme.example' }, 'help@acme.example'],
      )
      if ('link' in fields)
        for (const form of [letter.html, letter.text])
          assert.match(form, /http:\/\/console\.acme\.example:8080\//, `${template} ${locale}`)
      if (locale !== 'en') assert.match(letter.subject, /[\u3400-\u9fff]|Polaris/)
      if (locale !== 'en')
        assert.doesNotMatch(
          letter.text,
          /[\u3400-\u9fff] [A-Za-z]|[A-Za-z0-9] [\u3400-\u9fff]/,
          `${template} ${locale}: a thin space stands between scripts`,
        )
    }
  }
})

test('what people wrote is text in a letter, never markup, and no link leaves the web', () => {
  const fields = {
    inviter: '<script>alert(1)</script>',
    organization: '"><img src=x onerror=y>',
    link: 'javascript:alert(1)',
    days: 7,
  }
  const { html } = renderLetter(
    settings,
    { id: 'x', to_address: 'ann@example.com', template: 'invite', locale: 'en', fields },
    partner,
  )
  assert.doesNotMatch(html, /<script|<img|javascript:/)
})

test('the button is read on any brand colour', () => {
  for (const color of ['#ffffff', '#ffee00', '#000000', '#3a5bff', '#7f7f7f'])
    assert.ok(contrast(color, inkOn(color)) >= 4.5, color)
})

test('an own sender whose records are not good is not used', () => {
  const { from, dkim } = renderLetter(
    settings,
    {
      id: 'x',
      to_address: 'a@b.example',
      template: 'verify-email',
      locale: 'en',
      fields: SAMPLE_LETTERS['verify-email'],
    },
    { ...partner, sender_name: 'Acme Post', own_sender_since: null, dkim: { number: 1, sealed: 'never opened' } },
  )
  assert.deepEqual([from, dkim], [{ name: 'Acme Post', address: 'no-reply@fairway.test' }, null])
})

test('a partner without its own sender or host writes as the installation', () => {
  const { from, html } = renderLetter(
    { ...settings, mailSender: 'hello@fairway.example' },
    {
      id: 'x',
      to_address: 'a@b.example',
      template: 'verify-email',
      locale: 'en',
      fields: SAMPLE_LETTERS['verify-email'],
    },
    { ...partner, host_name: null, sender_address: null, contact_email: null, terms_link: null },
  )
  assert.equal(from.address, 'hello@fairway.example')
  assert.match(html, /http:\/\/127\.0\.0\.1:8080\/verify-email/)
})

test('a letter to an address that nobody has proven says no name: whoever typed it would write to strangers', () => {
  for (const template of ['verify-email', 'email-change'] as const)
    for (const locale of ['en', 'zhHans', 'zhHant'] as const) {
      const fields = { ...SAMPLE_LETTERS[template], firstName: 'https://bait.example' }
      const { subject, html, text } = renderLetter(
        settings,
        { id: 'x', to_address: 'a@b.example', template, locale, fields },
        partner,
      )
      assert.doesNotMatch(subject + html + text, /bait/)
    }
})
