import { Select, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import classes from '../firewall-rules/editor.module.css'

type Where = { name: string; path: string; enabled: boolean }
type WhereFieldsProps = {
  draft: Where
  isNew: boolean
  wrong: (field: string) => string | null | undefined
  put: (change: Partial<Where>) => void
  children?: ReactNode
}

/** What a rule is called, which path it is about, and whether it is in force. */
export function WhereFields({ draft, isNew, wrong, put, children }: WhereFieldsProps) {
  const { t } = useTranslation('account-takeover-prevention')
  return (
    <Card title={t('section.where')}>
      <div className={classes.fields}>
        <TextInput
          label={t('field.name')}
          value={draft.name}
          maxLength={80}
          autoFocus={isNew}
          error={wrong('name')}
          onChange={({ currentTarget }) => put({ name: currentTarget.value })}
        />
        <TextInput
          label={t('field.path')}
          description={t('field.pathText')}
          value={draft.path}
          maxLength={255}
          error={wrong('path')}
          onChange={({ currentTarget }) => put({ path: currentTarget.value })}
        />
        {children}
        <Switch
          label={t('field.enabled')}
          checked={draft.enabled}
          onChange={({ currentTarget }) => put({ enabled: currentTarget.checked })}
        />
      </div>
    </Card>
  )
}

type Payload = 'form' | 'json'

/** How a login is written. */
export function PayloadField({ value, onChange }: { value: Payload; onChange: (next: Payload) => void }) {
  const { t } = useTranslation('account-takeover-prevention')
  return (
    <Select
      label={t('field.payload')}
      data={(['form', 'json'] as const).map((one) => ({ value: one, label: t(`payload.${one}`) }))}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next === 'json' ? 'json' : 'form')}
    />
  )
}
