import { apiProtection } from '@fairway/contract'
import type { ApiRule } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from '../firewall-rules/editor.module.css'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DraftEffect } from '../web-security/draft-effect.tsx'
import { draftOf, problemsOf, type RuleDraft, triedDraft } from './rule-draft.ts'
import { PathFields, TokenFields } from './rule-fields.tsx'

export function EditApiRuleScreen() {
  const { t } = useTranslation('api-protection')
  const { id } = useParams({ from: '/shell/$site/{-$domain}/origin-shield/api-protection/edit/$id' })
  const { site, domain } = useScope()
  const place = { site: site.id, domain: domain?.id ?? '' }
  const { data, error, refetch } = useRead(apiProtection.routes.get, { ...place, id }, { enabled: domain !== null })
  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/api-protection" />
  return (
    <Gate route={apiProtection.routes.update} meaning={t('meaning')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={480} radius="lg" />}
      {data && <Editor key={data.id} place={place} rule={data} />}
    </Gate>
  )
}

function Editor({ place, rule }: { place: Place; rule: ApiRule }) {
  const { t } = useTranslation(['api-protection', 'shell'])
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => draftOf(rule))
  const [isShown, setShown] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const back = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/api-protection/detail/$id',
      params: { site: site.domainName, domain: domain?.name, id: rule.id },
      ignoreBlocker: true,
    })
  const update = useChange(apiProtection.routes.update, { onDone: back, subject: null })
  const problems = problemsOf(draft, false)
  const onChange = (change: Partial<RuleDraft>) => {
    setDraft((before) => ({ ...before, ...change }))
    setDirty(true)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    setShown(true)
    const { key, ...rest } = draft
    if (Object.keys(problems).length === 0)
      update.mutate({ ...place, id: rule.id, ...rest, ...(key === '' ? {} : { key }) })
  }
  const fields = { draft, onChange, problems: isShown ? problems : {}, isNew: false }
  return (
    <>
      <PageHeader title={rule.name} meaning={t('meaning')} />
      <div className={classes.beside}>
        <form className={classes.form} noValidate onSubmit={save}>
          {update.error && <FailureNotice title={t('notSaved')} error={update.error} />}
          <Card title={t('step.path')}>
            <PathFields {...fields} />
          </Card>
          <Card title={t('step.token')}>
            <TokenFields {...fields} />
          </Card>
          <div className={classes.foot}>
            <Button variant="default" onClick={back}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={update.isPending}>
              {t('save')}
            </Button>
          </div>
        </form>
        <DraftEffect place={place} draft={triedDraft(rule.id, draft)} />
      </div>
      <LeaveGuard when={isDirty && !update.isPending} />
    </>
  )
}
