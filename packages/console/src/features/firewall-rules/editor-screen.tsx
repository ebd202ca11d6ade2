import { firewallRules } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import backClasses from '../routing-strategies/editor/strategy-editor.module.css'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { RuleEditor } from './rule-editor.tsx'

export function AddFirewallRuleScreen() {
  return <EditorScreen id={null} />
}

export function EditFirewallRuleScreen() {
  const { id } = useParams({ from: '/shell/$site/{-$domain}/origin-shield/firewall-rules/edit/$id' })
  // Another rule is another form.
  return <EditorScreen key={id} id={id} />
}

/** Reads the rule, and says what is in the way. */
function EditorScreen({ id }: { id: string | null }) {
  const { t } = useTranslation('firewall-rules')
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const { data, error, refetch } = useRead(
    firewallRules.routes.get,
    { ...place, id: id ?? '' },
    { enabled: domain !== null && id !== null },
  )
  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/firewall-rules" />
  return (
    <Gate route={firewallRules.routes.update} meaning={t('meaning')}>
      <Link
        className={backClasses.back}
        to="/$site/{-$domain}/origin-shield/firewall-rules"
        params={{ site: site.domainName, domain: domain.name }}
      >
        <IconArrowLeft size={15} stroke={1.8} aria-hidden />
        {t('title')}
      </Link>
      <ShieldNotice domain={domain} />
      {id !== null && error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {id !== null && !error && !data && <Skeleton height={480} radius="lg" />}
      {(id === null || data) && <RuleEditor place={place} rule={id === null ? null : (data ?? null)} />}
    </Gate>
  )
}
