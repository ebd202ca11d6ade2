import { billing } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './billing.module.css'
import { InvoiceTab } from './invoice-tab.tsx'
import { PaymentTab } from './payment-tab.tsx'
import { PlanTab } from './plan-tab.tsx'
import { BILLING_TABS, type BillingSearch, isBillingTab } from './search.ts'

/** What was billed, how it is paid, and what for. */
export function BillingScreen() {
  const { t } = useTranslation('billing')
  const { type } = useParams({ from: '/shell/account/billing/{-$type}' })
  const search = useSearch({ from: '/shell/account/billing/{-$type}' })
  const navigate = useNavigate({ from: '/account/billing/{-$type}' })
  const tab = isBillingTab(type) ? type : 'invoice'
  const set = (change: Partial<BillingSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const open = (next: string | null) =>
    void navigate({
      params: { type: isBillingTab(next ?? undefined) && next !== 'invoice' ? (next ?? undefined) : undefined },
      search: ({ layout, soc }) => ({ layout, soc }),
    })
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={billing.routes.me} meaning={t('meaning')}>
        <Tabs value={tab} onChange={open} keepMounted={false}>
          <Tabs.List>
            {BILLING_TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="invoice" className={classes.panel}>
            <InvoiceTab search={search} onChange={set} />
          </Tabs.Panel>
          <Tabs.Panel value="payment" className={classes.panel}>
            <PaymentTab />
          </Tabs.Panel>
          <Tabs.Panel value="plan" className={classes.panel}>
            <PlanTab
              month={search.month ?? 'current'}
              onMonth={(month) => set({ month: month === 'previous' ? month : undefined })}
            />
          </Tabs.Panel>
        </Tabs>
      </Gate>
    </>
  )
}
