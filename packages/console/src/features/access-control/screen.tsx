import { accessControl } from '@fairway/contract'
import type { AccessList } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DeployState } from '../versions/deploy-state.tsx'
import { QuotaLine } from '../web-security/quota.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { AddressCard } from './address-card.tsx'
import { useEntries } from './entries-read.ts'
import { PlaceCard } from './place-card.tsx'
import { Remarks } from './remarks.tsx'
import classes from './access-control.module.css'

const PATH = '/$site/{-$domain}/origin-shield/access-control'
const LISTS: readonly AccessList[] = ['whitelist', 'blacklist']

/** Who is let in before everything else, and who is kept out: by address and by place. */
export function AccessControlScreen() {
  const { t } = useTranslation('access-control')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const { list = 'whitelist' } = useSearch({ from: '/shell/$site/{-$domain}/origin-shield/access-control' })
  const go = (next: string | null) =>
    void navigate({
      to: PATH,
      params: { site: site.domainName, domain: domain?.name },
      search: { list: LISTS.find((one) => one === next) },
    })
  const place = { site: site.id, domain: domain?.id ?? '' }
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={domain && <TryButton place={place} />}
      />
      <Gate route={{ ...accessControl.routes.list, planFeature: 'waf.enable' }} meaning={t('meaning')}>
        {!domain ? (
          <ChooseDomain title={t('guide')} to={PATH} />
        ) : (
          <>
            <ShieldNotice domain={domain} />
            <QuotaLine place={place} part="access-control" />
            <Remarks place={place} />
            <Tabs value={list} onChange={go} keepMounted={false}>
              <Tabs.List>
                {LISTS.map((one) => (
                  <Tabs.Tab key={one} value={one}>
                    {t(`list.${one}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value={list} className={classes.panel}>
                <p className={classes.meaning}>{t(`meaningOf.${list}`)}</p>
                <Cards key={list} place={place} list={list} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Gate>
    </>
  )
}

/** Nobody knows how high the first card becomes: the one below waits for it, and then stays where it is. */
function Cards(at: { place: Place; list: AccessList }) {
  const { data, error } = useEntries(at.place, at.list, 'address')
  return (
    <>
      <AddressCard {...at} />
      {(data || error) && <PlaceCard {...at} />}
    </>
  )
}
