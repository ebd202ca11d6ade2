import { apiProtection } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Wizard, WizardGap, type WizardStep } from '../../ui/page/wizard.tsx'
import { RuleFailure } from '../web-security/quota.tsx'
import { DraftEffect } from '../web-security/draft-effect.tsx'
import { ShieldNotice } from '../web-security/shield-notice.tsx'
import { draftOf, newKey, problemsOf, type RuleDraft, triedDraft } from './rule-draft.ts'
import { PathFields, TokenFields } from './rule-fields.tsx'
import { Scripts } from './scripts.tsx'

const STEPS = ['path', 'token', 'script'] as const
const FIELDS_OF_PATH: readonly (keyof RuleDraft)[] = ['name', 'path', 'mode', 'enabled']

/** Three steps: which path, how tokens are made, and the script for the customer's server. */
export function CreateApiRuleScreen() {
  const { t } = useTranslation(['api-protection', 'shell'])
  const { site, domain } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/origin-shield/api-protection/create' })
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => ({ ...draftOf(null), key: newKey() }))
  const [isShown, setShown] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const place = { site: site.id, domain: domain?.id ?? '' }
  const made = useRead(
    apiProtection.routes.get,
    { ...place, id: search.rule ?? '' },
    { enabled: search.rule !== undefined },
  )
  // A reload forgets what was typed: then the first step is where it goes on.
  const step = search.rule !== undefined ? 'script' : search.step === 'token' && isDirty ? 'token' : 'path'
  const to = '/$site/{-$domain}/origin-shield/api-protection/create' as const
  const params = { site: site.domainName, domain: domain?.name }
  const create = useChange(apiProtection.routes.create, {
    subject: null,
    onDone: ({ data }) => void navigate({ to, params, search: { rule: data.id }, ignoreBlocker: true, replace: true }),
  })
  if (!domain) return <ChooseDomain title={t('guide')} to="/$site/{-$domain}/origin-shield/api-protection" />
  const problems = problemsOf(draft, true)
  const onChange = (change: Partial<RuleDraft>) => {
    setDraft((before) => ({ ...before, ...change }))
    setDirty(true)
  }
  const fields = { draft, onChange, problems: isShown ? problems : {}, isNew: true }
  const next = () => {
    const isWrong = FIELDS_OF_PATH.some((field) => problems[field] !== undefined)
    setShown(isWrong)
    if (!isWrong) void navigate({ to, params, search: { step: 'token' }, ignoreBlocker: true })
  }
  const save = () => {
    setShown(true)
    if (Object.keys(problems).length === 0) create.mutate({ ...place, ...draft })
  }
  const at = STEPS.indexOf(step)
  const steps: WizardStep[] = STEPS.map((key, index) => ({
    key,
    title: t(`step.${key}`),
    state: index < at ? 'done' : index === at ? 'current' : 'todo',
    ...(key === 'path' && index < at ? { detail: made.data?.path ?? draft.path } : {}),
    ...(key === 'token' && index < at ? { detail: `?${made.data?.parameter ?? draft.parameter}=…` } : {}),
  }))
  return (
    <Gate route={apiProtection.routes.create} meaning={t('meaning')}>
      <PageHeader title={t('newTitle')} meaning={t('meaning')} />
      <ShieldNotice domain={domain} />
      <Wizard
        label={t('steps')}
        steps={steps}
        footer={
          step === 'script' ? (
            <>
              <WizardGap />
              <LinkButton to="/$site/{-$domain}/origin-shield/api-protection" params={params}>
                {t('finish')}
              </LinkButton>
            </>
          ) : (
            <>
              {step === 'token' && (
                <Button
                  variant="default"
                  onClick={() => void navigate({ to, params, search: {}, ignoreBlocker: true })}
                >
                  {t('back')}
                </Button>
              )}
              <WizardGap />
              <Button loading={create.isPending} onClick={step === 'path' ? next : save}>
                {t(step === 'path' ? 'continue' : 'create')}
              </Button>
            </>
          )
        }
      >
        {create.error && <RuleFailure place={place} part="api-protection" title={t('notSaved')} error={create.error} />}
        {step === 'path' && (
          <>
            <Card title={t('step.path')}>
              <PathFields {...fields} />
            </Card>
            <DraftEffect place={place} draft={triedDraft(null, draft)} />
          </>
        )}
        {step === 'token' && (
          <Card title={t('step.token')}>
            <TokenFields {...fields} />
          </Card>
        )}
        {step === 'script' && made.data && <Scripts place={place} rule={made.data} />}
      </Wizard>
      <LeaveGuard when={isDirty && step !== 'script' && !create.isPending} />
    </Gate>
  )
}
