import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type NavEntry, hrefOf, navEntries } from '../../shell/nav/navigation.ts'
import { NoSite } from '../../shell/scope/no-site.tsx'
import { findNamed, sitesRead } from '../../shell/scope/scope.ts'
import { useAccount } from '../../shell/access/session.ts'
import { useNavigation } from '../../shell/nav/use-navigation.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DomainChoice } from './domain-choice.tsx'
import { PlaceList } from './place-list.tsx'

/** Instead of a screen that is about a site or a domain while none is chosen: what it is, and the choice. */
export function GuideScreen() {
  const { t } = useTranslation(['guide', 'shell'])
  const { site, category, childCategory } = useParams({ strict: false })
  const user = useAccount()
  const sites = useSuspenseQuery(sitesRead).data.data.filter(({ zoneStatus }) => zoneStatus !== 0)
  const found = navEntries(useNavigation()).find(({ entry }) => entry.to?.endsWith(`/${category}/${childCategory}`))
  const entry: NavEntry = found?.entry ?? { key: 'home', to: '/$site/{-$domain}/home' }
  const chosen = findNamed(sites, site, ({ domainName }) => domainName)
  if (sites.length === 0) return <NoSite />
  const open = (place: { site: string; domain?: string }) =>
    hrefOf(entry, user, { site: place.site, domain: place.domain })
  return (
    <>
      <PageHeader title={t(`shell:nav.${entry.key}`)} meaning={t(chosen ? 'ofDomain' : 'ofSite')} />
      <Card>
        {chosen ? (
          <DomainChoice site={chosen} hrefOf={(domain) => open({ site: chosen.domainName, domain })} />
        ) : (
          <EmptyTeach title={t('whichSite', { page: t(`shell:nav.${entry.key}`) })} text={t('chooseSite')}>
            <PlaceList
              label={t('sites')}
              places={sites.map(({ domainName, domainCount }) => ({
                name: domainName,
                hint: t('domainCount', { count: domainCount }),
                href: open({ site: domainName }),
              }))}
            />
          </EmptyTeach>
        )}
      </Card>
    </>
  )
}
