import { type WhiteLabel, WhiteLabelSettings, whiteLabel } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { Card } from '../../ui/page/card.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './white-label.module.css'

const PATH = '/operator/v2/white-label/'
const FIELDS = ['serviceDomain', 'cnameHost', 'senderAddress', 'senderName'] as const
type Fields = Record<(typeof FIELDS)[number], string>

const fieldsOf = (of: WhiteLabelSettings): Fields => ({
  serviceDomain: of.serviceDomain ?? '',
  cnameHost: of.cnameHost ?? '',
  senderAddress: of.senderAddress ?? '',
  senderName: of.senderName ?? '',
})
const orNull = (text: string): string | null => (text.trim() === '' ? null : text)
const settingsOf = (fields: Fields): WhiteLabelSettings => ({
  serviceDomain: orNull(fields.serviceDomain),
  cnameHost: orNull(fields.cnameHost),
  senderAddress: orNull(fields.senderAddress),
  senderName: orNull(fields.senderName),
})
// Holds because `settingsOf` takes exactly what the form holds.
const schema = z.preprocess((fields) => settingsOf(fields as Fields), WhiteLabelSettings) as z.ZodType<unknown, Fields>

/** The names that a partner takes in place of the installation's. */
export function NamesForm({ of }: { of: WhiteLabel }) {
  const { t } = useTranslation('white-label')
  const show = useSnackbar()
  const form = useZodForm<Fields>(schema, fieldsOf(of))
  const draft = { ...fieldsOf(of), ...useWatch({ control: form.control }) }
  const update = useRefreshing(
    whiteLabel.routes.update,
    PATH,
    (saved) => {
      form.reset(fieldsOf(saved))
      show(`white-label ${saved.partner}`, { message: t('saved', { name: saved.companyName }) })
    },
    { ownError: true },
  )
  const submit = form.handleSubmit((values) =>
    update.mutate(
      { partner: of.partner, ...settingsOf(values) },
      { onError: (error) => void form.takeFieldErrors(error) },
    ),
  )
  const shown = of.isDefault ? (['senderAddress', 'senderName'] as const) : FIELDS
  return (
    <Card title={t('names')} hint={of.isDefault ? t('houseHint') : undefined}>
      <form
        className={classes.fields}
        noValidate
        aria-label={t('names')}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {update.error && <FailureNotice title={t('notSaved')} error={update.error} />}
        {shown.map((name) => (
          <TextInput
            key={name}
            label={t(`field.${name}`)}
            description={t(`help.${name}`)}
            placeholder={name === 'senderName' ? of.companyName : t(`example.${name}`)}
            error={form.problem(name)}
            autoComplete="off"
            spellCheck={false}
            {...form.register(name)}
          />
        ))}
        {of.senderAddress !== null && <NewKey of={of} />}
        {/* Enter saves, as the bar's button does. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      <SaveBar
        changes={diffRows(
          fieldsOf(of),
          draft,
          (_field, value) => String(value ?? ''),
          (field) => t(`field.${field}`),
        )}
        busy={update.isPending}
        onSave={() => void submit()}
        onDiscard={() => form.reset(fieldsOf(of))}
      />
    </Card>
  )
}

function NewKey({ of }: { of: WhiteLabel }) {
  const { t } = useTranslation('white-label')
  const [asking, setAsking] = useState(false)
  const make = useRefreshing(whiteLabel.routes.newKey, PATH, () => setAsking(false))
  return (
    <div className={classes.key}>
      <span className={classes.quiet}>{t('key.meaning')}</span>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {t('key.verb')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('key.ask')}
        verb={t('key.verb')}
        busy={make.isPending}
        onConfirm={() => make.mutate({ partner: of.partner })}
      >
        {t('key.text')}
      </Confirm>
    </div>
  )
}
