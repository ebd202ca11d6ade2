import { webSecurity } from '@fairway/contract'
import type { SecurityExpression } from '@fairway/contract'
import { Button, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { read, useRead } from '../../api/queries.ts'
import { validationText } from '../../i18n/validation.ts'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import type { QuotaPart } from '../web-security/quota.tsx'
import { type ExpressionDraft, ExpressionField, questionOf } from './expression-field.tsx'
import { groupOf } from './expression-tree.ts'
import type { ListedRule } from './listed-rule.ts'
import classes from './editor.module.css'

const RuleFailure = lazy(async () => ({ default: (await import('../web-security/quota.tsx')).RuleFailure }))

/** What every rule says besides what it does. */
export type RuleHead = { name: string; enabled: boolean; expression: SecurityExpression | null }

type RuleFormProps = {
  place: Place
  part: QuotaPart
  /** Null for a new one. */
  rule: ListedRule | null
  title: string
  meaning: string
  addVerb: string
  saveVerb: string
  /** What it does: title and fields. */
  section: string
  fields: ReactNode
  /** Those fields were touched. */
  isTouched: boolean
  /** Beside the form: what the rule would do, for what is in it now; null while its conditions are wrong. */
  effect?: (head: RuleHead | null) => ReactNode
  /** What is wrong with the whole rule, as words of the validation catalogue; none when it was taken. */
  onSave: (head: RuleHead) => string[]
  failure: unknown
  isBusy: boolean
  onCancel: () => void
}

const TYPING_MS = 300

/** Writes a rule: its name, which requests it is about, what it does. */
export function RuleForm(props: RuleFormProps) {
  const { place, part, rule, title, meaning, addVerb, saveVerb, section, fields, isTouched, effect, onSave, failure } =
    props
  const { t } = useTranslation(['firewall-rules', 'shell', 'validation'])
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  const [name, setName] = useState(rule?.name ?? '')
  const [enabled, setEnabled] = useState(rule?.enabled ?? true)
  const [draft, setDraft] = useState<ExpressionDraft>({ way: 'form', group: groupOf(rule?.expression ?? null) })
  const [isDirty, setDirty] = useState(false)
  const [wrong, setWrong] = useState<string[]>([])
  const head = useSettledHead(place, draft, name, enabled)
  const refused = failure instanceof ApiError ? failure.fields : []
  const touch =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      setDirty(true)
      setWrong([])
    }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const question = questionOf(draft)
    try {
      const found =
        question && (await queryClient.fetchQuery(read(webSecurity.routes.expression, { ...place, ...question })))
      // What is wrong stands below the expression.
      if (found && (found.problems.length > 0 || found.expression === null)) return setWrong(['validation.form'])
      setWrong(onSave({ name, enabled, expression: found?.expression ?? null }))
    } catch (error) {
      reportFailure('security-rule', error)
    }
  }
  return (
    <>
      <PageHeader title={rule ? rule.name : title} meaning={meaning} />
      <div className={effect ? classes.beside : undefined}>
        <form className={classes.form} noValidate onSubmit={(event) => void save(event)}>
          {failure !== null && (
            <Suspense fallback={null}>
              <RuleFailure place={place} part={part} title={t('notSaved')} error={failure} />
            </Suspense>
          )}
          <Card>
            <div className={classes.fields}>
              <TextInput
                label={t('name')}
                value={name}
                maxLength={80}
                autoFocus={rule === null}
                error={wrong.length > 0 && name.trim() === '' ? validationText(t, 'validation.required') : null}
                onChange={({ currentTarget }) => touch(setName)(currentTarget.value)}
              />
              <Switch
                label={t('enabled')}
                checked={enabled}
                onChange={({ currentTarget }) => touch(setEnabled)(currentTarget.checked)}
              />
            </div>
          </Card>
          <Card title={t('section.which')}>
            <ExpressionField place={place} value={draft} onChange={touch(setDraft)} />
          </Card>
          <Card title={section}>{fields}</Card>
          {(wrong.length > 0 || refused.length > 0) && (
            <ul className={classes.wrong} role="alert">
              {[...new Set([...wrong, ...refused.map(({ message }) => message)])].map((message) => (
                <li key={message}>{validationText(t, message)}</li>
              ))}
            </ul>
          )}
          <div className={classes.foot}>
            <Button variant="default" onClick={props.onCancel}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={props.isBusy}>
              {rule ? saveVerb : addVerb}
            </Button>
          </div>
        </form>
        {effect?.(head)}
      </div>
      <LeaveGuard when={(isDirty || isTouched) && !props.isBusy} />
    </>
  )
}

/** The head once typing has stopped; null while its conditions are wrong. */
function useSettledHead(place: Place, draft: ExpressionDraft, name: string, enabled: boolean): RuleHead | null {
  const { t } = useTranslation('firewall-rules')
  const [settled] = useDebouncedValue(draft, TYPING_MS)
  const asked = questionOf(settled)
  const { data } = useRead(
    webSecurity.routes.expression,
    { ...place, ...(asked ?? { text: '' }) },
    { enabled: asked !== null },
  )
  // A draft may have no name yet.
  const common = { name: name.trim() === '' ? t('newTitle') : name, enabled }
  if (asked === null) return { ...common, expression: null }
  return data && data.problems.length === 0 && data.expression !== null
    ? { ...common, expression: data.expression }
    : null
}
