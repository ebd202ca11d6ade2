import { OriginRuleInput, originRules } from '@fairway/contract'
import type { OriginOverride, OriginRule } from '@fairway/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { RuleForm } from '../firewall-rules/rule-form.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { DraftEffect } from '../web-security/draft-effect.tsx'
import { OriginFields } from './origin-fields.tsx'

const NOWHERE: OriginOverride = { address: null, port: null, protocol: null, hostHeader: null, sni: null }

type OriginRuleEditorProps = {
  place: Place
  /** Null for a new one. */
  rule: OriginRule | null
  all: readonly OriginRule[]
}

/** Writes one origin rule: which requests it is about, and where they are fetched. */
export function OriginRuleEditor({ place, rule }: OriginRuleEditorProps) {
  const { t } = useTranslation(['origin-rules', 'firewall-rules'])
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const [origin, setOrigin] = useState<OriginOverride>(rule?.origin ?? NOWHERE)
  const [isTouched, setTouched] = useState(false)
  const back = () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/origin-rules',
      params: { site: site.domainName, domain: domain?.name },
      ignoreBlocker: true,
    })
  const onDone = ({ data }: { data: OriginRule }) => {
    show('origin-rule', { message: t(rule ? 'firewall-rules:changed' : 'firewall-rules:added', { name: data.name }) })
    back()
  }
  const create = useChange(originRules.routes.create, { onDone, subject: null })
  const update = useChange(originRules.routes.update, { onDone, subject: null })
  if (!domain) return null
  return (
    <RuleForm
      place={place}
      part="origin-rules"
      rule={rule}
      title={t('newTitle')}
      meaning={t('editorMeaning')}
      addVerb={t('add')}
      saveVerb={t('firewall-rules:saveVerb')}
      section={t('section')}
      fields={
        <OriginFields
          origin={origin}
          domain={domain}
          onChange={(next) => {
            setOrigin(next)
            setTouched(true)
          }}
        />
      }
      isTouched={isTouched}
      effect={(head) => {
        const checked = OriginRuleInput.safeParse({ ...head, origin })
        return (
          <DraftEffect
            place={place}
            draft={head && checked.success ? { part: 'origin-rules', id: rule?.id ?? null, rule: checked.data } : null}
          />
        )
      }}
      onSave={(head) => {
        const checked = OriginRuleInput.safeParse({ ...head, origin })
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
