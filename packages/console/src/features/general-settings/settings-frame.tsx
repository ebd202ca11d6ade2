import { domains } from '@fairway/contract'
import type { Domain } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DeployState } from '../versions/deploy-state.tsx'
import classes from './screen.module.css'

const PATHS = { delivery: '/$site/{-$domain}/general-settings', origin: '/$site/{-$domain}/origin-protocol' } as const

type SettingsFrameProps = { tab: keyof typeof PATHS; children: (domain: Domain) => ReactNode }

/** Head and tabs of a domain's two pages of settings. */
export function SettingsFrame({ tab, children }: SettingsFrameProps) {
  const { t } = useTranslation('general-settings')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} beside={domain && <DeployState site={site} />} />
      <Gate route={domains.routes.get} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to={PATHS[tab]} />
        ) : (
          <Tabs
            value={tab}
            onChange={(next) =>
              void navigate({
                to: PATHS[next === 'origin' ? 'origin' : 'delivery'],
                params: { site: site.domainName, domain: domain.name },
              })
            }
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="delivery">{t('tab.delivery')}</Tabs.Tab>
              <Tabs.Tab value="origin">{t('tab.origin')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value={tab} className={classes.panel}>
              {children(domain)}
            </Tabs.Panel>
          </Tabs>
        )}
      </Gate>
    </>
  )
}
