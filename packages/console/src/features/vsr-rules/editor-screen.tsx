import { cdnManagement, vsrRules } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { BackLink } from '../routing-strategies/editor/back-link.tsx'
import { domainCdnsInput, vsrInput } from '../routing-strategies/strategies-read.ts'
import { VsrEditor } from './vsr-editor.tsx'

export function AddVsrRuleScreen() {
  return <EditorScreen id={null} />
}

export function EditVsrRuleScreen() {
  const { id } = useParams({ from: '/shell/$site/{-$domain}/dem/routing-strategies/vsrRule/edit/$id' })
  return <EditorScreen key={id} id={id} />
}

function EditorScreen({ id }: { id: string | null }) {
  const { t } = useTranslation('vsr-rules')
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const rules = useRead(vsrRules.routes.list, vsrInput(place), { enabled: domain !== null })
  const cdns = useRead(cdnManagement.routes.list, domainCdnsInput(place), { enabled: domain !== null })
  const rule = rules.data?.data.find((row) => row.id === id) ?? null
  const error = rules.error ?? cdns.error
  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/dem/routing-strategies" />
  return (
    <Gate route={vsrRules.routes.update} meaning={t('meaning')}>
      <BackLink tab="vsr" />
      {error && (!rules.data || !cdns.data) && (
        <>
          <PageHeader title={t('title')} />
          <ErrorState
            error={error}
            onRetry={() => {
              void rules.refetch()
              void cdns.refetch()
            }}
          />
        </>
      )}
      {!error && (!rules.data || !cdns.data) && <Skeleton height={420} radius="lg" />}
      {rules.data &&
        cdns.data &&
        (id !== null && !rule ? (
          <Card>
            <EmptyTeach title={t('gone')} text={t('goneText')} />
          </Card>
        ) : (
          <VsrEditor place={place} rule={rule} cdns={cdns.data.data} />
        ))}
    </Gate>
  )
}
