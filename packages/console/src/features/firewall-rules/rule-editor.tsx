import { FirewallRuleInput, firewallRules } from '@fairway/contract'
import type { FirewallAction, FirewallRule } from '@fairway/contract'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DraftEffect } from '../web-security/draft-effect.tsx'
import { ActionFields } from './action-fields.tsx'
import { RuleForm } from './rule-form.tsx'

const BackTestPanel = lazy(async () => ({
  default: (await import('../web-security/back-test-panel.tsx')).BackTestPanel,
}))

/** What an ordinary visitor notices. */
const STOPS: ReadonlySet<FirewallAction['type']> = new Set(['block', 'redirect', 'challenge'])

/** Writes one firewall rule: which requests it is about, and what becomes of them. */
export function RuleEditor({ place, rule }: { place: Place; /** Null for a new one. */ rule: FirewallRule | null }) {
  const { t } = useTranslation('firewall-rules')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  // A new rule is about every request until somebody says otherwise: it begins by only writing down.
  const [action, setAction] = useState<FirewallAction>(rule?.action ?? { type: 'simulate' })
  const [isTouched, setTouched] = useState(false)
  const back = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/firewall-rules',
      params: { site: site.domainName, domain: domain?.name },
      ignoreBlocker: true,
    })
  const onDone = ({ data }: { data: FirewallRule }) => {
    show('firewall-rule', { message: t(rule ? 'changed' : 'added', { name: data.name }) })
    back()
  }
  const create = useChange(firewallRules.routes.create, { onDone, subject: null })
  const update = useChange(firewallRules.routes.update, { onDone, subject: null })
  return (
    <RuleForm
      place={place}
      part="firewall-rules"
      rule={rule}
      title={t('newTitle')}
      meaning={t('editorMeaning')}
      addVerb={t('add')}
      saveVerb={t('saveVerb')}
      section={t('section.does')}
      fields={
        <ActionFields
          action={action}
          onChange={(next) => {
            setAction(next)
            setTouched(true)
          }}
        />
      }
      isTouched={isTouched}
      effect={(head) => {
        const checked = FirewallRuleInput.safeParse({ ...head, action })
        const written = head && checked.success ? checked.data : null
        const changed = written && {
          firewall: [{ id: rule?.id ?? null, rule: { ...written, enabled: true }, first: false }],
        }
        const stopsAll = written !== null && written.enabled && written.expression === null && STOPS.has(action.type)
        return (
          <>
            {stopsAll && (
              <Notice tone="warn" title={t('stopsAll.title')}>
                {t('stopsAll.text')}
              </Notice>
            )}
            <DraftEffect
              place={place}
              draft={written && { part: 'firewall-rules', id: rule?.id ?? null, rule: written }}
            />
            <Suspense fallback={null}>
              <BackTestPanel place={place} change={changed} />
            </Suspense>
          </>
        )
      }}
      onSave={(head) => {
        const checked = FirewallRuleInput.safeParse({ ...head, action })
        if (!checked.success) return [...new Set(checked.error.issues.map(({ message }) => message))]
        if (rule) update.mutate({ ...place, id: rule.id, ...checked.data })
        else create.mutate({ ...place, ...checked.data })
        return []
      }}
      failure={create.error ?? update.error}
      isBusy={create.isPending || update.isPending}
      onCancel={back}
    />
  )
}
