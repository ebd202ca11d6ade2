import { apiProtection } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft, IconPencil } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import backClasses from '../routing-strategies/editor/strategy-editor.module.css'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { TryButton } from '../web-security/try-button.tsx'
import classes from './detail.module.css'
import { Scripts } from './scripts.tsx'

/** One rule: what it asks for, and the script that makes its tokens. */
export function ApiRuleScreen() {
  const { t } = useTranslation('api-protection')
  const { id } = useParams({ from: '/shell/$site/{-$domain}/origin-shield/api-protection/detail/$id' })
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const mayEdit = useCanCall(apiProtection.routes.update)
  const {
    data: rule,
    error,
    refetch,
  } = useRead(apiProtection.routes.get, { ...place, id }, { enabled: domain !== null })
  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/api-protection" />
  const params = { site: site.domainName, domain: domain.name }
  return (
    <Gate route={{ ...apiProtection.routes.get, planFeature: 'waf.enable' }} meaning={t('meaning')}>
      <Link className={backClasses.back} to="/$site/{-$domain}/origin-shield/api-protection" params={params}>
        <IconArrowLeft size={15} stroke={1.8} aria-hidden />
        {t('title')}
      </Link>
      <ShieldNotice domain={domain} />
      {error && !rule && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !rule && <Skeleton height={480} radius="lg" />}
      {rule && (
        <>
          <PageHeader
            title={rule.name}
            meaning={t(`modeText.${rule.mode}`)}
            beside={<StatusPill state={rule.enabled ? 'active' : 'disabled'} />}
            actions={
              <>
                <TryButton place={place} />
                {mayEdit && (
                  <LinkButton
                    variant="default"
                    leftSection={<IconPencil size={16} stroke={1.65} />}
                    to="/$site/{-$domain}/origin-shield/api-protection/edit/$id"
                    params={{ ...params, id }}
                  >
                    {t('edit')}
                  </LinkButton>
                )}
              </>
            }
          />
          <Card title={t('facts')}>
            <dl className={classes.facts}>
              <Fact name={t('field.path')} value={rule.path} mono />
              <Fact name={t('field.parameter')} value={`?${rule.parameter}=`} mono />
              <Fact name={t('field.mode')} value={t(`mode.${rule.mode}`)} />
              <Fact name={t('field.tokenSeconds')} value={String(rule.tokenSeconds)} />
              <Fact name={t('field.rateLimitQueries')} value={String(rule.rateLimitQueries)} />
              <Fact name={t('field.rateLimitBlockSeconds')} value={String(rule.rateLimitBlockSeconds)} />
            </dl>
          </Card>
          <Scripts place={place} rule={rule} />
        </>
      )}
    </Gate>
  )
}

function Fact({ name, value, mono = false }: { name: string; value: string; mono?: boolean }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd data-mono={mono || undefined}>{value}</dd>
    </div>
  )
}
