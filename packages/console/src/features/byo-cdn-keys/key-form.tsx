import { BYO_FIELDS, type ByoCdnKey, type ByoField, ByoPlatform, byoCdnKeys } from '@fairway/contract'
import { Button, PasswordInput, Select, TextInput, Textarea } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { validationText } from '../../i18n/validation.ts'
import { Card } from '../../ui/card.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { useSnackbar } from '../../ui/snackbar.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './byo-cdn-keys.module.css'
import { TestNotice } from './test-result.tsx'

const PATH = '/account/v2/byo-cdn-keys/'
const LIST = '/account/bring-my-cdn-account'

/** The fields of one platform. Each is checked by the vendor's form here already; secrets that are stored are never shown, only replaced. */
export function KeyForm({ saved }: { saved: ByoCdnKey | null }) {
  const { t } = useTranslation(['byo-cdn-keys', 'validation', 'errors'])
  const show = useSnackbar()
  const navigate = useNavigate()
  const { platform: asked } = useSearch({ strict: false })
  const [platform, setPlatform] = useState<ByoPlatform>(saved?.platform ?? ByoPlatform.catch('cloudfront').parse(asked))
  const [name, setName] = useState(saved?.name ?? '')
  const [values, setValues] = useState<Record<string, string>>(saved?.fields ?? {})
  const [tried, setTried] = useState(false)
  const done = (key: ByoCdnKey) => {
    show(`key ${key.id}`, { message: t('saved', { name: key.name }) })
    void navigate({ to: LIST, ignoreBlocker: true })
  }
  const create = useRefreshing(byoCdnKeys.routes.create, PATH, done, { ownError: true })
  const update = useRefreshing(byoCdnKeys.routes.update, PATH, done, { ownError: true })
  const test = useRefreshing(byoCdnKeys.routes.test, PATH)
  const save = saved ? update : create
  const fields = BYO_FIELDS[platform]
  const isStored = (field: ByoField) => field.secret && (saved?.secretsSet.includes(field.name) ?? false)
  const problems = new Map(fields.flatMap((field) => problemOf(field, values[field.name] ?? '', isStored(field)).map((message): [string, string] => [field.name, message])))
  const refused = save.error instanceof ApiError ? save.error.fields : []
  const problem = (field: ByoField) => {
    const message = (tried ? problems.get(field.name) : undefined) ?? refused.find(({ path }) => path === `values.${field.name}`)?.message
    return message === undefined ? null : validationText(t, message)
  }
  const isDirty = name !== (saved?.name ?? '') || fields.some((field) => (values[field.name] ?? '') !== (saved?.fields[field.name] ?? ''))
  const submit = () => {
    setTried(true)
    if (name.trim() === '' || problems.size > 0) return
    const given = Object.fromEntries(fields.flatMap((field) => (values[field.name] ? [[field.name, values[field.name] ?? '']] : [])))
    if (saved) update.mutate({ id: saved.id, name, values: given })
    else create.mutate({ platform, name, values: given })
  }
  return (
    <Card>
      <form className={classes.form} noValidate onSubmit={(event) => { event.preventDefault(); submit() }} aria-label={saved?.name ?? t('add')}>
        {save.error && refused.length === 0 && <FailureNotice title={t('notSaved')} error={save.error} />}
        {test.data && <TestNotice problem={test.data.problem} detail={test.data.detail} />}
        <Select label={t('platform')} allowDeselect={false} disabled={saved !== null} data={ByoPlatform.options.map((value) => ({ value, label: t(`platforms.${value}`) }))} value={platform} onChange={(value) => { setPlatform(ByoPlatform.catch(platform).parse(value)); setValues({}); setTried(false) }} />
        <TextInput label={t('name')} description={t('nameHelp')} maxLength={60} value={name} error={tried && name.trim() === '' ? t('validation:required') : null} onChange={(event) => setName(event.currentTarget.value)} />
        {fields.map((field) => <Field key={`${platform} ${field.name}`} field={field} stored={isStored(field)} value={values[field.name] ?? ''} problem={problem(field)} onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))} />)}
        <div className={classes.buttons}>
          <Button type="submit" loading={save.isPending}>{t(saved ? 'save' : 'add')}</Button>
          {saved && <Button variant="default" leftSection={<IconPlugConnected size={16} stroke={1.65} />} loading={test.isPending} disabled={isDirty} title={isDirty ? t('saveFirst') : undefined} onClick={() => test.mutate({ id: saved.id })}>{t('test')}</Button>}
          <LinkButton to={LIST} variant="default">{t('shell:cancel')}</LinkButton>
        </div>
      </form>
      <LeaveGuard when={isDirty && !save.isPending && !save.isSuccess} />
    </Card>
  )
}

function Field({ field, stored, value, problem, onChange }: { field: ByoField; stored: boolean; value: string; problem: string | null; onChange: (value: string) => void }) {
  const { t } = useTranslation('byo-cdn-keys')
  const label = t(`field.${field.name}`)
  const shared = { label: field.required ? label : t('optional', { label }), error: problem, value, className: classes.code, spellCheck: false, onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value) }
  // A browser must not offer to keep a vendor's secret, nor fill in somebody's password.
  if (field.secret) return <PasswordInput {...shared} autoComplete="new-password" placeholder={stored ? t('keep') : ''} description={stored ? t('storedHelp') : undefined} visibilityToggleButtonProps={{ 'aria-label': t('showTyped') }} />
  return field.many ? <Textarea {...shared} autosize minRows={2} maxRows={6} placeholder={field.example} description={t('onePerLine')} /> : <TextInput {...shared} autoComplete="off" placeholder={field.example} />
}

/** Message of what is wrong with a field, none or one. */
function problemOf({ form, required, many }: ByoField, text: string, stored: boolean): string[] {
  const parts = many ? text.split(/[\s,]+/).filter(Boolean) : [text.trim()].filter(Boolean)
  if (parts.length === 0) return required && !stored ? ['validation.required'] : []
  return parts.every((part) => form.test(part)) ? [] : ['code:8491']
}
