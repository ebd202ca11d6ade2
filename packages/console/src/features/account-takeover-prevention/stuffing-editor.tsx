import { CredentialStuffingInput, credentialStuffing } from '@fairway/contract'
import type { CredentialStuffingRule } from '@fairway/contract'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from '../firewall-rules/editor.module.css'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { EditorForm, useBack } from './editor-form.tsx'
import { useRuleDraft } from './use-rule-draft.ts'
import { PayloadField, WhereFields } from './where-fields.tsx'

const NEW: CredentialStuffingInput = {
  name: '',
  enabled: true,
  path: '/login',
  payload: 'form',
  accountField: 'username',
  passwordField: 'password',
}
const TEXTS = ['accountField', 'passwordField'] as const

/** Where people sign in, and in which fields the account and the password are sent. */
export function StuffingEditor({ place, rule }: { place: Place; rule: CredentialStuffingRule | null }) {
  const { t } = useTranslation(['account-takeover-prevention', 'validation'])
  const show = useSnackbar()
  const { draft, isDirty, wrong, put, check } = useRuleDraft(CredentialStuffingInput, rule ? inputOf(rule) : NEW)
  const back = useBack('credential-stuffing')
  const onDone = () => {
    show('login-rule', { message: t('saved', { name: draft.name.trim() }) })
    back()
  }
  const create = useChange(credentialStuffing.routes.create, { onDone, subject: null })
  const update = useChange(credentialStuffing.routes.update, { onDone, subject: null })
  const save = () => {
    if (!check()) return
    if (rule) update.mutate({ ...place, id: rule.id, ...draft })
    else create.mutate({ ...place, ...draft })
  }
  return (
    <EditorForm
      title={rule ? rule.name : t('newTitle.credential-stuffing')}
      saveVerb={t(rule ? 'save' : 'add')}
      failure={create.error ?? update.error}
      isBusy={create.isPending || update.isPending}
      isDirty={isDirty}
      wrong={[]}
      onSave={save}
      onBack={back}
    >
      <WhereFields draft={draft} isNew={rule === null} wrong={wrong} put={put} />
      <Card title={t('section.content')}>
        <div className={classes.fields}>
          <PayloadField value={draft.payload} onChange={(payload) => put({ payload })} />
          {TEXTS.map((field) => (
            <TextInput
              key={field}
              label={t(`field.${field}`)}
              description={draft.payload === 'json' ? t('field.fieldText') : undefined}
              value={draft[field]}
              maxLength={64}
              error={wrong(field)}
              onChange={({ currentTarget }) => put({ [field]: currentTarget.value })}
            />
          ))}
        </div>
      </Card>
    </EditorForm>
  )
}

function inputOf({
  id: _id,
  position: _position,
  createdAt: _createdAt,
  ...rule
}: CredentialStuffingRule): CredentialStuffingInput {
  return rule
}
