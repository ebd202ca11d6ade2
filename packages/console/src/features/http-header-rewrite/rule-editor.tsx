import { HeaderRuleInput, httpHeaderRewrite } from '@fairway/contract'
import type { HeaderRule } from '@fairway/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { RuleForm } from '../firewall-rules/rule-form.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DraftEffect } from '../web-security/draft-effect.tsx'
import { Conflicts } from './conflicts.tsx'
import { type HeaderChanges, OperationFields } from './operation-fields.tsx'

const NEW: HeaderChanges = { direction: 'response', operations: [{ operation: 'set', header: '', value: '' }] }

type HeaderRuleEditorProps = {
  place: Place
  /** Null for a new one. */
  rule: HeaderRule | null
  all: readonly HeaderRule[]
}

/** Writes one header rule: which requests it is about, and what becomes of their headers. */
export function HeaderRuleEditor({ place, rule, all }: HeaderRuleEditorProps) {
  const { t } = useTranslation(['http-header-rewrite', 'firewall-rules'])
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const [changes, setChanges] = useState<HeaderChanges>(
    rule ? { direction: rule.direction, operations: rule.operations } : NEW,
  )
  const [isTouched, setTouched] = useState(false)
  const back = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/http-header-rewrite',
      params: { site: site.domainName, domain: domain?.name },
      ignoreBlocker: true,
    })
  const onDone = ({ data }: { data: HeaderRule }) => {
    show('header-rule', { message: t(rule ? 'firewall-rules:changed' : 'firewall-rules:added', { name: data.name }) })
    back()
  }
  const create = useChange(httpHeaderRewrite.routes.create, { onDone, subject: null })
  const update = useChange(httpHeaderRewrite.routes.update, { onDone, subject: null })
  return (
    <RuleForm
      place={place}
      part="http-header-rewrite"
      rule={rule}
      title={t('newTitle')}
      meaning={t('editorMeaning')}
      addVerb={t('add')}
      saveVerb={t('firewall-rules:saveVerb')}
      section={t('section')}
      fields={
        <>
          <OperationFields
            changes={changes}
            onChange={(next) => {
              setChanges(next)
              setTouched(true)
            }}
          />
          <Conflicts changes={changes} others={all.filter(({ id }) => id !== rule?.id)} />
        </>
      }
      isTouched={isTouched}
      effect={(head) => {
        const checked = HeaderRuleInput.safeParse({ ...head, ...changes })
        return (
          <DraftEffect
            place={place}
            draft={
              head && checked.success ? { part: 'http-header-rewrite', id: rule?.id ?? null, rule: checked.data } : null
            }
          />
        )
      }}
      onSave={(head) => {
        const checked = HeaderRuleInput.safeParse({ ...head, ...changes })
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
