import type { Locale } from '@fairway/contract'
import type { OutgoingLetter } from '@fairway/drivers'
import type { Config } from '@fairway/platform'
import { type DkimRow, dkimOf } from '../features/white-label/dkim.ts'
import { houseSender } from '../features/white-label/facts.ts'
import type { PartnerRow } from '../http/partner-of.ts'
import { FRAME, LANGUAGE } from './frame-words.ts'
import type { Brand, LetterText } from './letter-text.ts'
import { renderHtml, type Sheet } from './render-html.ts'
import { openFields, withoutSecret } from './sealed-letters.ts'
import type { MailTemplates } from './templates.ts'
import { WRITERS } from './writers.ts'

/** A row of `mail_message`, as far as a letter is made from it. */
export type MailRow = {
  id: string
  to_address: string
  template: keyof MailTemplates
  locale: Locale
  /** As stored: see `openFields`. */
  fields: MailTemplates[keyof MailTemplates] | { sealed: string }
}
export type LetterPartner = Pick<
  PartnerRow,
  | 'host_name'
  | 'company_name'
  | 'contact_email'
  | 'sender_address'
  | 'brand_color'
  | 'terms_link'
  | 'privacy_policy_link'
> & {
  id: string
  sender_name: string | null
  /** Null while the DNS records of its own sender are not good. */
  own_sender_since: unknown
  dkim: DkimRow | null
}

/** `LetterPartner` of a partner `p`, as one value. */
export const LETTER_PARTNER = `to_jsonb(p) || jsonb_build_object('dkim', (SELECT jsonb_build_object('number', k.number, 'sealed', k.sealed) FROM partner_dkim k WHERE k.partner_id = p.id))`

export type RenderedLetter = Pick<OutgoingLetter, 'dkim'> & {
  from: { name: string; address: string }
  replyTo: string | null
  to: string
  subject: string
  html: string
  text: string
  language: string
  preferencesUrl: string | null
}

/** The letter as its receiver sees it, under the partner's brand. Links lead to the partner's own host name. */
export function renderLetter(
  config: Pick<Config, 'home' | 'publicUrl' | 'mailSender' | 'serviceDomain'>,
  row: MailRow,
  partner: LetterPartner,
  { hidesSecret = false } = {},
): RenderedLetter {
  const opened = openFields(config, row)
  const fields = hidesSecret ? withoutSecret(row.template, opened) : opened
  // The template's own fields were checked when the letter was written; the union of all writers cannot follow that.
  const write = (WRITERS[row.template] as Record<Locale, (fields: object, brand: Brand) => LetterText>)[row.locale]
  const text = write(fields, { companyName: partner.company_name })
  const link = 'link' in fields ? absolute(config, partner, fields.link) : null
  const more = text.more ? { ...text.more, link: absolute(config, partner, text.more.link) } : null
  const words = FRAME[row.locale]
  const links = [
    ...(partner.contact_email
      ? [{ label: `${words.help}: ${partner.contact_email}`, href: `mailto:${partner.contact_email}` }]
      : []),
    ...(partner.terms_link ? [{ label: words.terms, href: absolute(config, partner, partner.terms_link) }] : []),
    ...(partner.privacy_policy_link
      ? [{ label: words.privacy, href: absolute(config, partner, partner.privacy_policy_link) }]
      : []),
  ]
  const sheet: Sheet = {
    text,
    language: LANGUAGE[row.locale],
    companyName: partner.company_name,
    brandColor: partner.brand_color,
    link,
    more,
    cannotOpen: words.cannotOpen,
    footer: { line: words.sentBy(partner.company_name, row.to_address), links },
  }
  // The partner's own address is used only while receivers can see that it allows us to.
  const own = partner.own_sender_since ? partner.sender_address : null
  return {
    from: { name: partner.sender_name ?? partner.company_name, address: own ?? houseSender(config) },
    dkim: own !== null && partner.dkim ? dkimOf(config, partner.id, own, partner.dkim) : null,
    replyTo: partner.contact_email,
    to: row.to_address,
    subject: text.subject.replaceAll(/\s+/g, ' ').slice(0, 200),
    html: renderHtml(sheet),
    text: renderText(sheet),
    language: sheet.language,
    preferencesUrl:
      row.template === 'notification' || row.template === 'weekly-report'
        ? absolute(config, partner, '/account/information-center?tab=preferences')
        : null,
  }
}

function absolute(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { host_name: hostName }: LetterPartner,
  link: string,
): string {
  const base = new URL(publicUrl)
  if (hostName) base.hostname = hostName
  const url = URL.canParse(link, base) ? new URL(link, base) : base
  // Nothing but the web: a link that was written wrongly leads home.
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : base.href
}

function renderText({ text, link, more, footer }: Sheet): string {
  const blocks = [
    text.level ? `[${text.level.label}] ${text.heading}` : text.heading,
    ...text.lines,
    (text.facts ?? []).map(({ label, value }) => `${label}: ${value}`).join('\n'),
    text.button && link ? `${text.button}:\n${link}` : '',
    more ? `${more.label}:\n${more.link}` : '',
    (text.notes ?? []).join('\n'),
    [
      '-- ',
      footer.line,
      ...footer.links.map(({ label, href }) => (href.startsWith('mailto:') ? label : `${label}: ${href}`)),
    ].join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
