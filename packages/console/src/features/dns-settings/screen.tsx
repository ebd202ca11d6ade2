import { useTranslation } from 'react-i18next'
import { useScope } from '../../shell/scope/scope.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { DnssecCard } from './dnssec-card.tsx'
import classes from './dns-settings.module.css'
import { PrimaryCard } from './primary-card.tsx'
import { SecondariesCard } from './secondaries-card.tsx'

/**
 * What a zone does beyond its records: signatures, name servers of others that take it, and one that it is taken from.
 */
export function DnsSettingsScreen() {
  const { t } = useTranslation('dns-settings')
  const { site } = useScope()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning', { site: site.domainName })} />
      <div className={classes.cards}>
        <DnssecCard site={site} />
        <SecondariesCard />
        <PrimaryCard site={site} />
      </div>
    </>
  )
}
