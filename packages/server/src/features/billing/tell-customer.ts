import type { Locale } from '@fairway/contract'
import { formatMoney } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { consoleLink } from '../../http/console-link.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { endIncident, notify } from '../notifications/notify.ts'
import type { AccountRow } from './account-store.ts'
import { openInvoices } from './invoice-store.ts'
import { servingStopsAt } from './serving-stops-at.ts'

type Person = { email: string; first_name: string; locale: Locale }
/** A letter about money goes to those who can do something about it; of a closed organisation to whoever closed it. */
const peopleOf = (tx: Tx, organizationId: string): Promise<Person[]> =>
  tx.query<Person>(
    `SELECT email, first_name, locale FROM (
       SELECT email, first_name, locale, created_at FROM app_user WHERE organization_id = $1 AND 'EditSubscription' = ANY(permissions) AND NOT suspended
       UNION ALL SELECT closing_by, '', 'en', created_at FROM organization WHERE id = $1 AND closed_at IS NOT NULL AND closing_by IS NOT NULL
     ) AS person ORDER BY created_at LIMIT 20`,
    [organizationId],
  )

const moneyIn = (account: AccountRow, locale: string) => (minor: number) => formatMoney(minor, account.currency, locale)
const dateIn = (at: Date, locale: Locale): string =>
  new Intl.DateTimeFormat({ en: 'en-US', zhHant: 'zh-Hant-TW', zhHans: 'zh-Hans-CN' }[locale], {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(at)

export async function tellPosted(
  tx: Tx,
  config: Config,
  account: AccountRow,
  invoice: { number: string; dueMinor: number; dueAt: Date },
): Promise<void> {
  const link = await consoleLink(tx, config, account.partner_id, '/account/billing/invoice')
  for (const { email, first_name, locale } of await peopleOf(tx, account.organization_id)) {
    const fields = {
      firstName: first_name,
      number: invoice.number,
      amount: moneyIn(account, locale)(invoice.dueMinor),
      dueOn: dateIn(invoice.dueAt, locale),
      link,
    }
    await enqueueMail(tx, {
      to: email,
      template: 'invoice',
      fields,
      locale,
      organizationId: account.organization_id,
      partnerId: account.partner_id,
    })
  }
  await notify(tx, {
    organizationId: account.organization_id,
    event: 'invoice-posted',
    fields: {
      number: invoice.number,
      amount: moneyIn(account, 'en')(invoice.dueMinor),
      dueOn: dateIn(invoice.dueAt, 'en'),
    },
  })
}

/**
 * @param reason the provider's word, or `card` when there is none to charge
 * @param stopsAt when the edge stops, of an account that this has locked
 */
export async function tellFailed(
  tx: Tx,
  config: Config,
  account: AccountRow,
  { dueMinor, reason, stopsAt }: { dueMinor: number; reason: string; stopsAt: Date | null },
): Promise<void> {
  const link = await consoleLink(tx, config, account.partner_id, '/account/billing/payment')
  for (const { email, first_name, locale } of await peopleOf(tx, account.organization_id)) {
    await enqueueMail(tx, {
      to: email,
      template: 'payment-failed',
      fields: {
        firstName: first_name,
        amount: moneyIn(account, locale)(dueMinor),
        reason,
        stopsOn: stopsAt && dateIn(stopsAt, locale),
        link,
      },
      locale,
      organizationId: account.organization_id,
      partnerId: account.partner_id,
    })
  }
  await notify(tx, {
    organizationId: account.organization_id,
    event: 'payment-failed',
    fields: { amount: moneyIn(account, 'en')(dueMinor), reason },
    incident: 'payment-failed',
  })
}

/** Of an account that was found locked: what is open, and until when it is served. */
export async function tellLocked(tx: Tx, config: Config, account: AccountRow): Promise<void> {
  const open = await openInvoices(tx, account.organization_id)
  const stopsAt = servingStopsAt(account)
  if (!open.length || !stopsAt) return
  await tellFailed(tx, config, account, {
    dueMinor: open.reduce((sum, invoice) => sum + invoice.due_minor, 0),
    reason: open.at(-1)?.decline_code ?? 'card',
    stopsAt,
  })
}

export const tellPaid = (tx: Tx, organizationId: string): Promise<boolean> =>
  endIncident(tx, organizationId, 'payment-failed')

export async function tellCapped(tx: Tx, config: Config, account: AccountRow, spentMinor: number): Promise<void> {
  const link = await consoleLink(tx, config, account.partner_id, '/account/billing/plan')
  for (const { email, first_name, locale } of await peopleOf(tx, account.organization_id)) {
    const money = moneyIn(account, locale)
    await enqueueMail(tx, {
      to: email,
      template: 'spending-cap',
      fields: { firstName: first_name, cap: money(account.cap_minor ?? 0), spent: money(spentMinor), link },
      locale,
      organizationId: account.organization_id,
      partnerId: account.partner_id,
    })
  }
  const money = moneyIn(account, 'en')
  await notify(tx, {
    organizationId: account.organization_id,
    event: 'spending-capped',
    fields: { cap: money(account.cap_minor ?? 0), spent: money(spentMinor) },
    incident: 'spending-capped',
  })
}

export async function tellNearCap(tx: Tx, account: AccountRow, spentMinor: number): Promise<void> {
  const money = moneyIn(account, 'en')
  await notify(tx, {
    organizationId: account.organization_id,
    event: 'spending-near',
    fields: { cap: money(account.cap_minor ?? 0), spent: money(spentMinor) },
  })
}

export const tellUncapped = (tx: Tx, organizationId: string): Promise<boolean> =>
  endIncident(tx, organizationId, 'spending-capped')
