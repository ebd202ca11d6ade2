import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type NavEntry, hrefOf, navEntries } from '../../shell/nav/navigation.ts'
import { NoSite } from '../../shell/scope/no-site.tsx'
import { setUpSitesRead, useSiteOfAddress } from '../../shell/scope/scope.ts'
import { useFoundSites } from '../../shell/scope/use-found-sites.ts'
import { useAccount } from '../../shell/access/session.ts'
import { useNavigation } from '../../shell/nav/use-navigation.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DomainChoice } from './domain-choice.tsx'
import { PlaceList } from './place-list.tsx'

/** Instead of a screen that is about a site or a domain while none is chosen: what it is, and the choice. */
export function GuideScreen() {
  const chosen = useSiteOfAddress()
  const hasNone = useSuspenseQuery(setUpSitesRead).data.data.length === 0
  return !chosen && hasNone ? <NoSite /> : <Guide />
}

function Guide() {
  const { t } = useTranslation(['guide', 'shell'])
  const { category, childCategory } = useParams({ strict: false })
  const user = useAccount()
  const found = navEntries(useNavigation()).find(({ entry }) => entry.to?.endsWith(`/${category}/${childCategory}`))
  const entry: NavEntry = found?.entry ?? { key: 'home', to: '/$site/{-$domain}/home' }
  const chosen = useSiteOfAddress()
  const open = (place: { site: string; domain?: string }) =>
    hrefOf(entry, user, { site: place.site, domain: place.domain })
  return (
    <>
      <PageHeader title={t(`shell:nav.${entry.key}`)} meaning={t(chosen ? 'ofDomain' : 'ofSite')} />
      <Card>
        {chosen ? (
          <DomainChoice site={chosen} hrefOf={(domain) => open({ site: chosen.domainName, domain })} />
        ) : (
          <SiteChoice page={t(`shell:nav.${entry.key}`)} hrefOf={(site) => open({ site })} />
        )}
      </Card>
    </>
  )
}

function SiteChoice({ page, hrefOf }: { page: string; hrefOf: (site: string) => string }) {
  const { t } = useTranslation('guide')
  const [text, setText] = useState('')
  const { rows, more, isBusy } = useFoundSites(text, { onlySetUp: true })
  return (
    <EmptyTeach title={t('whichSite', { page })} text={t('chooseSite')}>
      <PlaceList
        label={t('sites')}
        places={rows.map(({ domainName, domainCount }) => ({
          name: domainName,
          hint: t('domainCount', { count: domainCount }),
          href: hrefOf(domainName),
        }))}
        more={more}
        isBusy={isBusy}
        onType={setText}
      />
    </EmptyTeach>
  )
}
