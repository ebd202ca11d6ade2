import { cdnManagement, routingStrategies } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/queries.ts'
import { ChooseDomain } from '../../../shell/scope/choose-domain.tsx'
import { Gate } from '../../../shell/access/gate.tsx'
import { useScope } from '../../../shell/scope/scope.ts'
import { Card } from '../../../ui/page/card.tsx'
import { EmptyTeach } from '../../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { BackLink } from './back-link.tsx'
import { domainCdnsInput, strategiesInput } from '../strategies-read.ts'
import { StrategyEditor } from './strategy-editor.tsx'

export function AddStrategyScreen() {
  return <EditorScreen id={null} />
}

export function EditStrategyScreen() {
  const { id } = useParams({ from: '/shell/$site/{-$domain}/dem/routing-strategies/edit/$id' })
  // Another strategy is another form.
  return <EditorScreen key={id} id={id} />
}

/** Reads what the editor needs, and says what is in its way. */
function EditorScreen({ id }: { id: string | null }) {
  const { t } = useTranslation('routing-strategies')
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const strategies = useRead(routingStrategies.routes.list, strategiesInput(place), { enabled: domain !== null })
  const cdns = useRead(cdnManagement.routes.list, domainCdnsInput(place), { enabled: domain !== null })
  const strategy = strategies.data?.data.find((row) => row.id === id) ?? null
  const error = strategies.error ?? cdns.error

  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/dem/routing-strategies" />
  return (
    <Gate route={routingStrategies.routes.update} meaning={t('meaning')}>
      <BackLink />
      {error && (!strategies.data || !cdns.data) && (
        <>
          <PageHeader title={t('title')} />
          <ErrorState
            error={error}
            onRetry={() => {
              void strategies.refetch()
              void cdns.refetch()
            }}
          />
        </>
      )}
      {!error && (!strategies.data || !cdns.data) && <Skeleton height={480} radius="lg" />}
      {strategies.data &&
        cdns.data &&
        (id !== null && !strategy ? (
          <Card>
            <EmptyTeach title={t('gone')} text={t('goneText')} />
          </Card>
        ) : (
          <StrategyEditor place={place} strategy={strategy} strategies={strategies.data.data} cdns={cdns.data.data} />
        ))}
    </Gate>
  )
}
