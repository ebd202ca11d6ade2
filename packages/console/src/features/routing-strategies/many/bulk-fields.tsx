import { Otherwise } from '@fairway/contract'
import { NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../../i18n/validation.ts'
import type { Draft } from '../../bulk-configure/draft.ts'
import { Choice, Switched } from '../../bulk-configure/fields.tsx'
import { FIELDS, NONE, nameOf } from './bulk-draft.ts'
import classes from './many-dialog.module.css'

/** Chosen and not yet written. */
const EMPTY = ' '

type BulkFieldsProps = {
  draft: Draft
  problems: Readonly<Record<string, string>> | null
  onDraft: (field: string, value: string) => void
}

/** What all strategies of the chosen domains, and the domains themselves, are to have. */
export function BulkFields(props: BulkFieldsProps) {
  const { t } = useTranslation(['routing-strategies', 'bulk-configure'])
  return (['strategy', 'setting'] as const).map((of) => (
    <fieldset key={of} className={classes.group}>
      <legend className={classes.legend}>{t(`many.of.${of}`)}</legend>
      <div className={classes.fields}>
        {FIELDS.filter((field) => field.of === of).map((field) => {
          const shared = { ...props, field: nameOf(field), label: t(`many.field.${field.of}.${field.key}`) }
          if (field.kind === 'switch') return <Switched key={shared.field} {...shared} />
          if (field.kind === 'choice')
            return (
              <Choice
                key={shared.field}
                {...shared}
                options={Otherwise.options.map((value) => ({ value, label: t(`fallback.choice.${value}`) }))}
              />
            )
          return <Limit key={shared.field} {...shared} mayBeNone={'mayBeNone' in field} />
        })}
      </div>
    </fieldset>
  ))
}

/** A number, none, or to leave it to each domain. */
function Limit({ mayBeNone, ...shared }: BulkFieldsProps & { field: string; label: string; mayBeNone: boolean }) {
  const { t } = useTranslation(['routing-strategies', 'validation'])
  const { draft, problems, onDraft, field, label } = shared
  const written = draft[field] ?? ''
  const isNumber = written !== '' && written !== NONE
  return (
    <div className={classes.limit}>
      <Choice
        {...shared}
        draft={{ [field]: isNumber ? EMPTY : written }}
        options={[
          { value: EMPTY, label: t('many.set') },
          ...(mayBeNone ? [{ value: NONE, label: t('many.none') }] : []),
        ]}
      />
      {isNumber && (
        <NumberInput
          aria-label={label}
          value={written.trim()}
          hideControls
          error={validationText(t, problems?.[field])}
          onChange={(value) => onDraft(field, value === '' ? EMPTY : String(value))}
        />
      )}
    </div>
  )
}
