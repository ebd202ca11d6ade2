import { originRules } from '@fairway/contract'
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
import { OriginRuleEditor } from './rule-editor.tsx'
import { rulesInput } from './rules-read.ts'

export function AddOriginRuleScreen() {
  return <EditorScreen id={null} />
}

export function EditOriginRuleScreen() {
  const { id } = useParams({ from: '/shell/$site/{-$domain}/origin-shield/origin-rules/edit/$id' })
  // Another rule is another form.
  return <EditorScreen key={id} id={id} />
}

/** Reads the list, of which the rule is one, and says what is in the way. */
function EditorScreen({ id }: { id: string | null }) {
  const { t } = useTranslation('origin-rules')
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const { data, error, refetch } = useRead(originRules.routes.list, rulesInput(place), { enabled: domain !== null })
  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/origin-rules" />
  const rule = data?.data.find((one) => one.id === id) ?? null
  return (
    <Gate route={originRules.routes.update} meaning={t('meaning')}>
      <Link
        className={backClasses.back}
        to="/$site/{-$domain}/origin-shield/origin-rules"
        params={{ site: site.domainName, domain: domain.name }}
      >
        <IconArrowLeft size={15} stroke={1.8} aria-hidden />
        {t('title')}
      </Link>
      <ShieldNotice domain={domain} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={480} radius="lg" />}
      {data && id !== null && rule === null && <p>{t('gone')}</p>}
      {data && (id === null || rule !== null) && <OriginRuleEditor place={place} rule={rule} all={data.data} />}
    </Gate>
  )
}
