import { LIMITS } from '@fairway/contract'
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import classes from '../firewall-rules/editor.module.css'
import { NumberFields } from '../firewall-rules/number-fields.tsx'
import { newKey, type RuleDraft } from './rule-draft.ts'

type FieldsProps = {
  draft: RuleDraft
  onChange: (change: Partial<RuleDraft>) => void
  /** By field, once they are to be shown. */ problems: Partial<Record<keyof RuleDraft, string>>
  isNew: boolean
}

/** Which path, and what becomes of requests without a token. */
export function PathFields({ draft, onChange, problems, isNew }: FieldsProps) {
  const { t } = useTranslation(['api-protection', 'validation'])
  const wrong = (field: keyof RuleDraft) => validationText(t, problems[field])
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('field.name')}
        value={draft.name}
        maxLength={80}
        autoFocus={isNew}
        error={wrong('name')}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextInput
        label={t('field.path')}
        description={t('field.pathText')}
        value={draft.path}
        maxLength={255}
        error={wrong('path')}
        onChange={({ currentTarget }) => onChange({ path: currentTarget.value })}
      />
      <Select
        label={t('field.mode')}
        description={t(`modeText.${draft.mode}`)}
        data={(['block', 'simulate'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
        value={draft.mode}
        allowDeselect={false}
        onChange={(next) => onChange({ mode: next === 'simulate' ? 'simulate' : 'block' })}
      />
      <Switch
        label={t('field.enabled')}
        checked={draft.enabled}
        onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })}
      />
    </div>
  )
}

const { tokenSeconds, queries, blockSeconds } = LIMITS.apiProtection
const FIGURES = [
  ['tokenSeconds', tokenSeconds],
  ['rateLimitQueries', queries],
  ['rateLimitBlockSeconds', blockSeconds],
] as const

/** How tokens are made, how long they hold, and how often one may be used. */
export function TokenFields({ draft, onChange, problems, isNew }: FieldsProps) {
  const { t } = useTranslation(['api-protection', 'validation'])
  const wrong = (field: keyof RuleDraft) => validationText(t, problems[field])
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('field.key')}
        description={t(isNew ? 'field.keyText' : 'field.keyKept')}
        value={draft.key}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        error={wrong('key')}
        rightSection={draft.key === '' ? null : <Copy value={draft.key} name={t('field.key')} />}
        onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
      />
      <div className={classes.buttons}>
        <Button variant="default" size="xs" onClick={() => onChange({ key: newKey() })}>
          {t('generate')}
        </Button>
      </div>
      <TextInput
        label={t('field.parameter')}
        description={t('field.parameterText', { parameter: draft.parameter })}
        value={draft.parameter}
        maxLength={8}
        error={wrong('parameter')}
        onChange={({ currentTarget }) => onChange({ parameter: currentTarget.value })}
      />
      <NumberFields
        fields={FIGURES}
        values={draft}
        label={(field) => t(`field.${field}`)}
        wrong={wrong}
        onChange={onChange}
      />
    </div>
  )
}
