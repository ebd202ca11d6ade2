import { HEADER_TOKENS } from '@fairway/contract'
import type { HeaderOperation, HeaderRuleInput } from '@fairway/contract'
import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from '../firewall-rules/editor.module.css'

export type HeaderChanges = Pick<HeaderRuleInput, 'direction' | 'operations'>

const OPERATIONS = ['set', 'add', 'remove'] as const
const MOST = 20

/** Which headers are set, added or removed, on the way to the origin or back. */
export function OperationFields({
  changes: { direction, operations },
  onChange,
}: {
  changes: HeaderChanges
  onChange: (changes: HeaderChanges) => void
}) {
  const { t } = useTranslation('http-header-rewrite')
  const put = (index: number, change: Partial<HeaderOperation>) =>
    onChange({ direction, operations: operations.map((one, at) => (at === index ? { ...one, ...change } : one)) })
  return (
    <div className={classes.fields}>
      <Segmented
        label={t('directionLabel')}
        value={direction}
        onChange={(next) => onChange({ direction: next, operations })}
        options={(['request', 'response'] as const).map((value) => ({ value, label: t(`direction.${value}`) }))}
      />
      <p className={classes.quiet}>{t(`directionHelp.${direction}`)}</p>
      {operations.map(({ operation, header, value }, index) => (
        <div
          // Rows have no id of their own, and are only added and removed.
          key={String(index)}
          className={classes.condition}
          role="group"
          aria-label={t('change', { number: index + 1 })}
        >
          <Select
            aria-label={t('operationLabel')}
            data={OPERATIONS.map((one) => ({ value: one, label: t(`operation.${one}`) }))}
            value={operation}
            allowDeselect={false}
            onChange={(next) => put(index, { operation: OPERATIONS.find((one) => one === next) ?? operation })}
          />
          <TextInput
            aria-label={t('headerLabel')}
            placeholder="x-example"
            value={header}
            maxLength={64}
            spellCheck={false}
            onChange={({ currentTarget }) => put(index, { header: currentTarget.value.trim().toLowerCase() })}
          />
          {operation !== 'remove' && (
            <TextInput
              aria-label={t('valueLabel')}
              placeholder={t('valueLabel')}
              value={value}
              maxLength={1000}
              spellCheck={false}
              onChange={({ currentTarget }) => put(index, { value: currentTarget.value })}
            />
          )}
          {operations.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('removeChange', { number: index + 1 })}
              onClick={() => onChange({ direction, operations: operations.filter((_, at) => at !== index) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={operations.length >= MOST}
          onClick={() =>
            onChange({ direction, operations: [...operations, { operation: 'set', header: '', value: '' }] })
          }
        >
          {t('addChange')}
        </Button>
      </div>
      <p className={classes.quiet}>
        {t('tokens')}{' '}
        {HEADER_TOKENS.map((token) => (
          <span key={token}>
            <code>{`::${token}::`}</code>{' '}
          </span>
        ))}
      </p>
    </div>
  )
}
