import { FailedLoginInput, failedLogin, LIMITS } from '@fairway/contract'
import type { FailedLoginRule, LoginFailure } from '@fairway/contract'
import { Checkbox, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from '../firewall-rules/editor.module.css'
import { NumberFields } from '../firewall-rules/number-fields.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { EditorForm, useBack } from './editor-form.tsx'
import { FailureFields } from './failure-fields.tsx'
import { useRuleDraft } from './use-rule-draft.ts'
import { PayloadField, WhereFields } from './where-fields.tsx'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH'] as const
const FIGURES = [
  ['maxAttempts', LIMITS.takeover.attempts],
  ['maxFailed', { min: 1, max: LIMITS.takeover.attempts.max - 1 }],
  ['seconds', LIMITS.takeover.seconds],
] as const
const NEW: FailedLoginInput = {
  name: '',
  enabled: true,
  path: '/login',
  methods: ['POST'],
  // An office behind one address signs in more often than a person.
  maxAttempts: 100,
  maxFailed: 10,
  seconds: 600,
  failure: { by: 'status', status: 401 },
  account: { payload: 'form', field: 'username' },
}

/** Where people sign in, how a failure is told, and how many are borne. */
export function FailedLoginEditor({ place, rule }: { place: Place; rule: FailedLoginRule | null }) {
  const { t } = useTranslation(['account-takeover-prevention', 'validation'])
  const show = useSnackbar()
  const { draft, isDirty, problems, wrong, put, check } = useRuleDraft(FailedLoginInput, rule ? inputOf(rule) : NEW)
  const back = useBack('failed-login')
  const onDone = () => {
    show('login-rule', { message: t('saved', { name: draft.name.trim() }) })
    back()
  }
  const create = useChange(failedLogin.routes.create, { onDone, subject: null })
  const update = useChange(failedLogin.routes.update, { onDone, subject: null })
  const save = () => {
    if (!check()) return
    if (rule) update.mutate({ ...place, id: rule.id, ...draft })
    else create.mutate({ ...place, ...draft })
  }
  const { account, failure } = draft
  return (
    <EditorForm
      title={rule ? rule.name : t('newTitle.failed-login')}
      saveVerb={t(rule ? 'save' : 'add')}
      failure={create.error ?? update.error}
      isBusy={create.isPending || update.isPending}
      isDirty={isDirty}
      wrong={problems['failure'] ? [problems['failure']] : []}
      onSave={save}
      onBack={back}
    >
      <WhereFields draft={draft} isNew={rule === null} wrong={wrong} put={put}>
        <Checkbox.Group
          label={t('field.methods')}
          value={draft.methods}
          error={wrong('methods')}
          onChange={(next) => put({ methods: METHODS.filter((method) => next.includes(method)) })}
        >
          <div className={classes.figures}>
            {METHODS.map((method) => (
              <Checkbox key={method} value={method} label={method} />
            ))}
          </div>
        </Checkbox.Group>
      </WhereFields>
      <Card title={t('section.failure')}>
        <FailureFields failure={failure} onChange={(next: LoginFailure) => put({ failure: next })} />
      </Card>
      <Card title={t('section.limit')}>
        <div className={classes.fields}>
          <NumberFields
            fields={FIGURES}
            values={draft}
            label={(field) => t(`field.${field}`)}
            wrong={wrong}
            onChange={put}
          />
          <p className={classes.quiet}>{t('section.limitText')}</p>
        </div>
      </Card>
      <Card title={t('section.account')}>
        <div className={classes.fields}>
          <Switch
            label={t('field.byAccount')}
            description={t('field.byAccountText')}
            checked={account !== null}
            onChange={({ currentTarget }) =>
              put({ account: currentTarget.checked ? { payload: 'form', field: 'username' } : null })
            }
          />
          {account && (
            <>
              <PayloadField value={account.payload} onChange={(payload) => put({ account: { ...account, payload } })} />
              <TextInput
                label={t('field.accountField')}
                description={t('field.fieldText')}
                value={account.field}
                maxLength={64}
                error={wrong('account')}
                onChange={({ currentTarget }) => put({ account: { ...account, field: currentTarget.value } })}
              />
            </>
          )}
        </div>
      </Card>
    </EditorForm>
  )
}

function inputOf({ id: _id, position: _position, createdAt: _createdAt, ...rule }: FailedLoginRule): FailedLoginInput {
  return rule
}
