import { credentialStuffing, failedLogin } from '@fairway/contract'
import { Button, Skeleton, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DeployState } from '../versions/deploy-state.tsx'
import { QuotaLine } from '../web-security/quota.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import { FailedLoginRules, StuffingRules, all } from './lists.tsx'
import classes from './screen.module.css'

const LoginsCard = lazy(async () => ({ default: (await import('./logins-card.tsx')).LoginsCard }))

/** Logins of a domain: who guesses is kept out, and leaked passwords are told. */
export function AccountTakeoverScreen() {
  const { t } = useTranslation('account-takeover-prevention')
  const { site, domain } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/origin-shield/account-takeover-prevention' })
  const navigate = useNavigate()
  const tab = search.tab ?? 'failed-login'
  const params = { site: site.domainName, domain: domain?.name }
  const mayAdd = useCanCall(failedLogin.routes.create) && domain !== null
  const add = () =>
    void navigate({ to: `/$site/{-$domain}/origin-shield/account-takeover-prevention/${tab}/add`, params })
  useShortcut('c', t('add'), add, mayAdd)
  const button = mayAdd && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={add}>
      {t('add')}
    </Button>
  )
  const place = { site: site.id, domain: domain?.id ?? '' }
  const { routes } = tab === 'failed-login' ? failedLogin : credentialStuffing
  const { isPending } = useRead(routes.list, all(place), { enabled: domain !== null })
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={
          domain && (
            <>
              <TryButton place={place} />
              {button}
            </>
          )
        }
      />
      <Gate route={{ ...failedLogin.routes.list, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/account-takeover-prevention" />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <Tabs
              value={tab}
              onChange={(next) =>
                void navigate({
                  to: '/$site/{-$domain}/origin-shield/account-takeover-prevention',
                  params,
                  search: { ...(next === 'credential-stuffing' ? { tab: next } : {}), range: search.range },
                  replace: true,
                })
              }
              keepMounted={false}
            >
              <Tabs.List>
                <Tabs.Tab value="failed-login">{t('tab.failed-login')}</Tabs.Tab>
                <Tabs.Tab value="credential-stuffing">{t('tab.credential-stuffing')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="failed-login" className={classes.panel}>
                <div className={classes.fields}>
                  <QuotaLine place={place} part="failed-login" />
                  <FailedLoginRules place={place} action={button} />
                </div>
              </Tabs.Panel>
              <Tabs.Panel value="credential-stuffing" className={classes.panel}>
                <div className={classes.fields}>
                  <QuotaLine place={place} part="credential-stuffing" />
                  <StuffingRules place={place} action={button} />
                </div>
              </Tabs.Panel>
            </Tabs>
            {/* How high the list above is cannot be guessed. */}
            {!isPending && (
              <Suspense fallback={<Skeleton height={420} radius="lg" />}>
                <LoginsCard key={domain.id} place={place} />
              </Suspense>
            )}
          </>
        )}
      </Gate>
    </>
  )
}
