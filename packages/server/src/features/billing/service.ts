import { type Trial, type UsageReport, billing } from '@fairway/contract'
import { addMonths, creditBalance, creditLeft, monthOf, trialState, usageItems } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { couponLimits, takeAttempts } from '../auth/attempts.ts'
import { type AccountRow, accountOf, countedQuotas, numberQuotas, updateAccount } from './account-store.ts'
import { addOnById, installedAddOns, startAddOn } from './addon-store.ts'
import { dropCard, openCardSetup, takeCard } from './card.ts'
import { buy, choosablePlan, quoteAddOn, quotePlan, refuseBuying, sellableAddOn } from './change.ts'
import { couponByCode, redeem, redeemedCoupons } from './coupon-store.ts'
import { asGrant, grantCredit, grantsOf } from './credit-store.ts'
import { estimateOf } from './estimate.ts'
import { explainLine } from './explain-line.ts'
import { failedPayment, retryNow } from './failed-payment.ts'
import { allowancesOf, spentOf } from './fees.ts'
import { invoiceById, linesOf, listInvoices } from './invoice-store.ts'
import { linkMarketplace } from './marketplace.ts'
import { billMonths } from './month-run.ts'
import { renderInvoicePdf } from './pdf/render-invoice.ts'
import { presentCustomer, presentInvoice, presentQuote, presentRow } from './present.ts'
import { choosePlan } from './choose-plan.ts'
import { stopAddOn } from './stop-add-on.ts'
import { findFactsOf } from './usage-meter.ts'
import { maximaOf } from '../plans/maxima.ts'
import { usageOf } from './usage-store.ts'

const INVOICE_ORDER = {
  created_at: 'posted_at',
  date: 'posted_at',
  amount: 'total_minor',
  number: 'sequence',
  status: 'status',
}

export const billingSlice = slice(billing, {
  me: async ({ tx, actor, services, now }) =>
    presentCustomer(await accountOf(tx, actor.organizationId), services.payments.gateway.name, now),

  async credit({ tx, actor, now }) {
    const { currency } = await accountOf(tx, actor.organizationId)
    const grants = await grantsOf(tx, actor.organizationId, currency)
    return {
      currency,
      balanceMinor: creditBalance(grants.map(asGrant), now.getTime()),
      grants: grants.map((row) => ({
        id: row.id,
        kind: row.kind,
        amountMinor: row.amount_minor,
        leftMinor: creditLeft(asGrant(row), now.getTime()),
        note: row.note,
        grantedAt: row.granted_at.toISOString(),
        expiresAt: row.expires_at?.toISOString() ?? null,
      })),
    }
  },

  trialInfo: async ({ tx, actor, now }) => trialOf(tx, await accountOf(tx, actor.organizationId), now),

  async quota({ tx, actor }) {
    const account = await accountOf(tx, actor.organizationId)
    const counted = await countedQuotas(tx, actor.organizationId)
    return {
      org_locked: account.status === 'locked' || account.quota_reached_at !== null,
      credit_card: account.payment_method_ref !== null,
      zone_total: account.site_limit,
      zone_used: counted.sites,
      record_total: account.record_limit,
      record_used: counted.mostRecordsOfSite,
      cdn_total: account.cdn_limit,
      cdn_used: counted.mostCdnsOfDomain,
    }
  },

  usage: async ({ tx, actor, now }, { month }) =>
    usageReport(tx, await accountOf(tx, actor.organizationId), month, now),

  async customerFeature({ tx, actor }) {
    const account = await accountOf(tx, actor.organizationId)
    const addOns = new Set((await installedAddOns(tx, actor.organizationId)).map((one) => one.id))
    const { allowances } = account
    const maxima = await maximaOf(tx, actor.organizationId)
    const [fixed, measured] = [
      actor.abilities.has('dns.staticRouting') ? maxima.staticStrategiesPerDomain : 0,
      actor.abilities.has('dns.dynamicRouting') ? maxima.dynamicStrategiesPerDomain : 0,
    ]
    return {
      customerId: actor.userId,
      status: account.status,
      enableChinaDns: addOns.has('china-dns'),
      enableDynamicRouting: actor.abilities.has('dns.dynamicRouting'),
      freeGlobalDnsQueries: allowances.dnsQuery ?? null,
      freeChinaDnsQueries: allowances.chinaDnsQuery ?? null,
      freeTraffic: allowances.cdnTraffic ?? null,
      freeRequests: allowances.cdnRequest ?? null,
      freeDnsRecord: account.record_limit,
      freeMcdnIntegration: account.cdn_limit,
      maxDnsSite: account.site_limit,
      maxDnsRecordPerSite: account.record_limit,
      freeCacheRule: maxima.cacheRulesPerDomain,
      freeStaticRouting: fixed,
      freeDynamicRouting: measured,
      freeSmartLoadbalancing: measured,
      maxCachePerDomain: maxima.cacheRulesPerDomain,
      maxStaticRoutingPerDomain: fixed,
      maxDynamicRoutingPerDomain: measured,
      maxCustomPage: maxima.customPagesPerSite,
      maxFireWallPerDomain: actor.abilities.has('waf.enable') ? maxima.firewallRulesPerDomain : 0,
      maxAclPerDomain: actor.abilities.has('waf.enable') ? maxima.accessEntriesPerDomain : 0,
      maxAPIProtectionPerDomain: actor.abilities.has('waf.enable') ? maxima.apiProtectionRulesPerDomain : 0,
    }
  },

  estimates: async ({ tx, actor, now }) => estimateOf(tx, await accountOf(tx, actor.organizationId), now),

  async setCap({ tx, actor, services, change, now }, { capMinor, action }) {
    const account = await accountOf(tx, actor.organizationId, { lock: true })
    await updateAccount(tx, actor.organizationId, { cap_minor: capMinor, cap_action: action })
    await findFactsOf(tx, services.config, { ...account, cap_minor: capMinor, cap_action: action }, now)
    change.record({
      entity: 'billing',
      id: actor.organizationId,
      label: 'Spending limit',
      before: { capMinor: account.cap_minor, action: account.cap_action },
      after: { capMinor, action },
    })
    return { capMinor, action }
  },

  intentToken: openCardSetup,

  async setPayment(context, { intentId, address }) {
    const account = await takeCard(context, intentId, address)
    context.change.record({
      entity: 'billing',
      id: account.organization_id,
      label: 'Card',
      before: null,
      after: { card: account.card && `${account.card.brand} ${account.card.last4}` },
    })
    return presentCustomer(account, context.services.payments.gateway.name, context.now)
  },

  async setAddress({ tx, actor, services, now }, address) {
    await updateAccount(tx, actor.organizationId, { address })
    return presentCustomer(await accountOf(tx, actor.organizationId), services.payments.gateway.name, now)
  },

  removeCard: async (context, { confirmed }) =>
    presentCustomer(await dropCard(context, confirmed), context.services.payments.gateway.name, context.now),
  paymentFailed: ({ tx, actor }) => failedPayment(tx, actor.organizationId),
  retryPayment: retryNow,

  async upgradeInfo({ tx, actor, now }, { planId }) {
    const account = await accountOf(tx, actor.organizationId)
    const plan = await choosablePlan(tx, account, planId)
    return presentQuote(
      await quotePlan(tx, account, plan, now),
      account,
      plan.prices[account.currency]?.monthlyMinor ?? 0,
    )
  },

  async subscribe(context, { planId }) {
    const { tx, actor, services, now } = context
    const account = await accountOf(tx, actor.organizationId, { lock: true })
    if (account.plan_chosen_at && account.billed) throw new Failure(7705)
    // What the months before cost is settled with the plan that they ran on.
    await billMonths(tx, services.config, account, now)
    return choosePlan(context, account, planId)
  },

  async upgradePlan(context, { planId }) {
    const { tx, actor, services, now } = context
    const account = await accountOf(tx, actor.organizationId, { lock: true })
    const plan = await choosablePlan(tx, account, planId)
    if (plan.plan_id === account.plan_id && account.billed) throw new Failure(7705)
    if (plan.rank < account.rank || (plan.rank === account.rank && account.billed)) throw new Failure(29006)
    // What the months before cost is settled with the plan that they ran on.
    await billMonths(tx, services.config, account, now)
    return choosePlan(context, account, planId)
  },

  async addOnInfo({ tx, actor, now }, { addon }) {
    const account = await accountOf(tx, actor.organizationId)
    const addOn = await addOnById(tx, addon)
    if (!addOn?.offered || !addOn.prices[account.currency]) throw new Failure(29002)
    return presentQuote(
      await quoteAddOn(tx, account, addOn, now),
      account,
      addOn.prices[account.currency]?.monthlyMinor ?? 0,
    )
  },

  async addAddOn(context, { addonId }) {
    const { tx, actor, services, change, now } = context
    const account = await accountOf(tx, actor.organizationId, { lock: true })
    const addOn = await sellableAddOn(tx, account, addonId)
    await billMonths(tx, services.config, account, now)
    const quote = await quoteAddOn(tx, account, addOn, now)
    await refuseBuying(tx, account, quote, now, { choosesPlan: false, endsTrial: false })
    const invoiceId = await buy(context, account, {
      quote,
      fromCredit: account.category === 'contract',
      failure: 29007,
    })
    await startAddOn(tx, actor.organizationId, addonId, now)
    await bill(tx, account, now)
    change.record({ entity: 'addon', id: addonId, label: addOn.name.en, before: null, after: { addon: addonId } })
    return { invoiceId }
  },

  async removeAddOn(context, { addon }) {
    const account = await accountOf(context.tx, context.actor.organizationId, { lock: true })
    return { creditMinor: await stopAddOn(context, account, addon) }
  },

  linkMarketplace,

  async redeemCoupon({ tx, actor, services, change, now }, { code }) {
    await takeAttempts(services.database, couponLimits(actor.organizationId, actor.ip))
    const account = await accountOf(tx, actor.organizationId, { lock: true })
    const coupon = await beyondTenant(tx, () => couponByCode(tx, code.toUpperCase()))
    const usable =
      coupon &&
      coupon.active &&
      (!coupon.expires_at || coupon.expires_at > now) &&
      (coupon.most_redemptions === null || coupon.redemptions < coupon.most_redemptions) &&
      (coupon.currency === null || coupon.currency === account.currency)
    const again = (await redeemedCoupons(tx, actor.organizationId)).some((one) => one.code === code.toUpperCase())
    if (again) throw new Failure(7498)
    if (!usable) throw new Failure(7499)
    if (
      !(await redeem(
        tx,
        actor.organizationId,
        coupon.code,
        now,
        coupon.months === null ? null : new Date(addMonths(now.getTime(), coupon.months)),
      ))
    )
      throw new Failure(7498)
    if (coupon.kind === 'credit' && coupon.amount_minor)
      await grantCredit(tx, {
        organizationId: actor.organizationId,
        kind: 'coupon',
        amountMinor: coupon.amount_minor,
        currency: account.currency,
        note: coupon.code,
        at: now,
      })
    change.record({ entity: 'coupon', id: coupon.code, label: coupon.code, before: null, after: { code: coupon.code } })
    return { code: coupon.code }
  },

  async coupons({ tx, actor }) {
    const rows = await redeemedCoupons(tx, actor.organizationId)
    return {
      data: rows.map((row) => ({
        code: row.code,
        kind: row.kind,
        percent: row.percent,
        amountMinor: row.amount_minor,
        currency: row.currency,
        redeemedAt: row.redeemed_at.toISOString(),
        endsAt: row.ends_at?.toISOString() ?? null,
      })),
    }
  },

  async invoices({ tx }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listInvoices(tx, {
      status: query.status ?? null,
      order: orderBy(query.ordering, INVOICE_ORDER),
      limit,
      offset,
    })
    return { data: rows.map(presentRow), meta: meta(total) }
  },

  async invoice({ tx }, { id }) {
    const row = await ownInvoice(tx, id)
    return presentInvoice(row, await linesOf(tx, id))
  },

  async lineUsage({ tx, services, now }, { id, number }) {
    const row = await ownInvoice(tx, id)
    const line = (await linesOf(tx, id)).find((one) => String(one.number) === number)
    return explainLine(tx, services.events, row, line, now)
  },

  async pdf({ tx, services, reply }, { id, locale }) {
    const row = await ownInvoice(tx, id)
    const body = await renderInvoicePdf(presentInvoice(row, await linesOf(tx, id)), locale, services.config.cjkFont)
    reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${row.number}.pdf"`)
      .header('cache-control', 'private, no-store')
    return body
  },
})

async function ownInvoice(tx: Tx, id: string) {
  const row = await invoiceById(tx, id)
  if (!row) throw new Failure(404)
  return row
}

async function trialOf(tx: Tx, account: AccountRow, now: Date): Promise<Trial> {
  const grants = await grantsOf(tx, account.organization_id, account.currency)
  const { usageMinor } = await spentOf(tx, account, monthOf(now.getTime()))
  const state = trialState(
    {
      startedAt: account.trial_started_at?.getTime() ?? null,
      days: account.trial_days,
      creditLeftMinor: creditBalance(grants.map(asGrant), now.getTime()),
      openMinor: account.category === 'trial' ? usageMinor : 0,
    },
    now.getTime(),
  )
  const active = account.category === 'trial'
  return {
    active,
    over: active ? state.over : null,
    endsAt: active && state.endsAt !== null ? new Date(state.endsAt).toISOString() : null,
    daysLeft: active ? state.daysLeft : 0,
    days: account.trial_days,
    creditMinor: account.trial_credit[account.currency] ?? 0,
    creditLeftMinor: state.creditLeftMinor,
    currency: account.currency,
  }
}

async function usageReport(
  tx: Tx,
  account: AccountRow,
  month: 'current' | 'previous',
  now: Date,
): Promise<UsageReport> {
  const span = monthOf(now.getTime(), month === 'current' ? 0 : -1)
  const counted = await countedQuotas(tx, account.organization_id)
  const at = (await tx.query<{ usage_counted_at: Date | null }>('SELECT usage_counted_at FROM installation'))[0]
    ?.usage_counted_at
  return {
    month,
    from: new Date(span.from).toISOString(),
    until: new Date(span.until).toISOString(),
    currency: account.currency,
    countedAt: at?.toISOString() ?? null,
    items: usageItems({
      used: {
        ...(await usageOf(tx, account.organization_id, span)),
        mcdn: counted.mostCdnsOfDomain,
        dns: counted.mostRecordsOfSite,
      },
      quotas: { ...(await allowancesOf(tx, account, span)), ...numberQuotas(account) },
      rates: account.prices[account.currency]?.rates ?? {},
      billed: account.billed && account.over_usage === 'bill',
    }),
  }
}

/** From the first thing that costs on, an account is billed. */
async function bill(tx: Tx, account: AccountRow, now: Date): Promise<void> {
  if (!account.billed)
    await updateAccount(tx, account.organization_id, {
      billed: true,
      billed_until: new Date(monthOf(now.getTime()).from),
    })
}
