import { webhooks } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { TableSkeleton } from '../../ui/data-table/table-skeleton.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { NewsList } from './news-list.tsx'
import { INFORMATION_TABS, type InformationSearch } from './search.ts'
import classes from './screen.module.css'

// What is told comes with the page, how it is told when that tab is chosen.
const Preferences = lazy(async () => ({ default: (await import('./preferences.tsx')).Preferences }))
const WebhooksTab = lazy(async () => ({ default: (await import('../webhooks/webhooks-tab.tsx')).WebhooksTab }))

/** What has happened, how one hears of it, and the systems that are called. */
export function InformationCenter() {
  const { t } = useTranslation('notifications')
  const search = useSearch({ from: '/shell/account/information-center' })
  const navigate = useNavigate({ from: '/account/information-center' })
  const set = (change: Partial<InformationSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Tabs
        value={search.tab ?? 'notifications'}
        onChange={(next) =>
          void navigate({
            search: { tab: INFORMATION_TABS.find((known) => known === next && known !== 'notifications') },
          })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {INFORMATION_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="notifications" className={classes.panel}>
          <NewsList search={search} onChange={set} />
        </Tabs.Panel>
        <Tabs.Panel value="preferences" className={classes.panel}>
          <Suspense fallback={<TableSkeleton columns={4} />}>
            <Preferences />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="webhooks" className={classes.panel}>
          <Gate route={webhooks.routes.list} meaning={t('webhooks:meaning')}>
            <Suspense fallback={<TableSkeleton columns={4} />}>
              <WebhooksTab opened={search.webhook} onOpen={(webhook) => set({ webhook })} />
            </Suspense>
          </Gate>
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
