import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locale } from '@fairway/contract'
import { SAMPLE_LETTERS } from '../testing/sample-letters.ts'
import { renderLetter, type LetterPartner } from './render-letter.ts'
import type { MailTemplates } from './templates.ts'

const PARTNER: LetterPartner = {
  id: 'x',
  sender_name: null,
  own_sender_since: '2026-11-01T00:00:00Z',
  dkim: null,
  host_name: 'console.nimbus.test',
  company_name: 'Nimbus CDN',
  contact_email: 'help@nimbus.test',
  sender_address: 'hello@nimbus.test',
  brand_color: '#b4004e',
  terms_link: '/terms',
  privacy_policy_link: null,
}
const CONFIG = {
  home: '/nonexistent',
  publicUrl: 'https://console.fairway.example',
  mailSender: 'no-reply@fairway.example',
  serviceDomain: 'fairway.test',
}

test("no letter of a partner's customer has a trace of the installation's own brand, in any language", () => {
  for (const template of Object.keys(SAMPLE_LETTERS) as (keyof MailTemplates)[]) {
    for (const locale of ['en', 'zhHant', 'zhHans'] satisfies Locale[]) {
      const letter = renderLetter(
        CONFIG,
        { id: '1', to_address: 'ann@example.com', template, locale, fields: SAMPLE_LETTERS[template] },
        PARTNER,
      )
      assert.ok(!/fairway/i.test(JSON.stringify(letter)), `${template} ${locale}`)
      assert.deepEqual(
        [letter.from.name, letter.from.address, letter.replyTo],
        ['Nimbus CDN', 'hello@nimbus.test', 'help@nimbus.test'],
      )
      assert.ok(letter.html.includes('#b4004e') && letter.html.includes('Nimbus CDN'), `${template} ${locale}`)
    }
  }
})
