import type { Site } from '@fairway/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { domainsRead } from '../../shell/scope/scope.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { PlaceList } from './place-list.tsx'

type DomainChoiceProps = {
  site: Site
  /** What is done for one domain, in one sentence. */ title?: string
  hrefOf: (domain: string) => string
}

/** Which domain of the site to go on with; without any, how one comes to be. */
export function DomainChoice({ site, title, hrefOf }: DomainChoiceProps) {
  const { t } = useTranslation('guide')
  const domains = useSuspenseQuery(domainsRead(site.id)).data.data
  const isEmpty = domains.length === 0
  return (
    <EmptyTeach
      title={title ?? t('ofDomain')}
      text={t(isEmpty ? 'noDomain' : 'chooseDomain')}
      {...(isEmpty
        ? {
            action: (
              <Link
                className="link"
                to="/$site/{-$domain}/dns/dns-records"
                params={{ site: site.domainName, domain: undefined }}
              >
                {t('openRecords')}
              </Link>
            ),
          }
        : {})}
    >
      {!isEmpty && (
        <PlaceList
          label={t('domains')}
          places={domains.map(({ name, disabled, cdnIds }) => ({
            name,
            hint: t('cdns', { count: cdnIds.length }),
            href: hrefOf(name),
            disabled,
          }))}
        />
      )}
    </EmptyTeach>
  )
}
