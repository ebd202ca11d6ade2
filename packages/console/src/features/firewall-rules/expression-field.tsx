import { webSecurity } from '@fairway/contract'
import type { ExpressionProblem, SecurityExpression } from '@fairway/contract'
import { Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { read, useRead } from '../../api/queries.ts'
import { validationText } from '../../i18n/validation.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { type Group, expressionOf, groupOf } from './expression-tree.ts'
import { GroupFields } from './group-fields.tsx'
import classes from './editor.module.css'

/** Which requests a rule is about, while it is written: in fields, or as text that may still be wrong. */
export type ExpressionDraft = { way: 'form'; group: Group } | { way: 'text'; text: string }

const TYPING_MS = 300

type ExpressionFieldProps = { place: Place; value: ExpressionDraft; onChange: (value: ExpressionDraft) => void }

/** The expression both ways; each way it says at once what is wrong and at which character. */
export function ExpressionField({ place, value, onChange }: ExpressionFieldProps) {
  const { t } = useTranslation(['firewall-rules', 'validation'])
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  const [settled] = useDebouncedValue(value, TYPING_MS)
  const asked = questionOf(settled)
  const { data } = useRead(
    webSecurity.routes.expression,
    { ...place, ...(asked ?? { text: '' }) },
    { enabled: asked !== null },
  )
  const problems = asked === null || settled !== value ? [] : (data?.problems ?? [])
  const turn = async (way: 'form' | 'text') => {
    if (way === value.way) return
    const question = questionOf(value)
    if (question === null) return onChange(way === 'form' ? { way, group: groupOf(null) } : { way, text: '' })
    try {
      const found = await queryClient.fetchQuery(read(webSecurity.routes.expression, { ...place, ...question }))
      if (way === 'text') onChange({ way, text: found.text })
      // A text that is not understood stays a text: its problems are below it.
      else if (found.expression !== null) onChange({ way, group: groupOf(found.expression) })
    } catch (error) {
      reportFailure('expression', error)
    }
  }
  return (
    <div className={classes.fields}>
      <Segmented
        label={t('way.label')}
        value={value.way}
        onChange={(way) => void turn(way)}
        options={[
          { value: 'form', label: t('way.form') },
          { value: 'text', label: t('way.text') },
        ]}
      />
      {value.way === 'form' ? (
        <>
          <GroupFields group={value.group} onChange={(group) => onChange({ way: 'form', group })} />
          {asked !== null && data && data.text !== '' && <code className={classes.text}>{data.text}</code>}
        </>
      ) : (
        <Textarea
          label={t('way.text')}
          description={t('textHelp')}
          value={value.text}
          autosize
          minRows={3}
          maxRows={14}
          maxLength={20_000}
          spellCheck={false}
          onChange={({ currentTarget }) => onChange({ way: 'text', text: currentTarget.value })}
        />
      )}
      {problems.length > 0 && (
        <ul className={classes.wrong} role="alert">
          {problems.map((problem) => (
            <li key={`${problem.path} ${problem.message} ${problem.column}`}>{say(problem)}</li>
          ))}
        </ul>
      )}
    </div>
  )

  function say({ path, message, column }: ExpressionProblem): string {
    const words = validationText(t, message.includes(':') ? message : `${message}:${column}`) ?? message
    const [, number] = /\.(\d+)(?:\.\D[^.]*)*$/.exec(path.replace(/\.values\.\d+$/, '')) ?? []
    if (value.way === 'text') return column > 0 ? t('problemAt', { column, words }) : words
    return number === undefined ? words : t('problemIn', { number: Number(number) + 1, words })
  }
}

/** What the API is asked about a draft; null where there is nothing to ask: every request. */
export function questionOf(draft: ExpressionDraft): { text: string } | { expression: SecurityExpression } | null {
  if (draft.way === 'text') return draft.text.trim() === '' ? null : { text: draft.text }
  const expression = expressionOf(draft.group)
  return expression === null ? null : { expression }
}
