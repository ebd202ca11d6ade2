import { type FoundRecord, LIMITS, RECORD_TYPES, type Site, addSite } from '@fairway/contract'
import { Button, NumberInput, Select, TextInput, Textarea } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './add-site.module.css'

type FoundFormProps = { site: Site; records: readonly FoundRecord[]; open: string | undefined; onClose: () => void }

/** One record of the review: `open` is its id, or `new`. */
export function FoundForm({ site, records, open, onClose }: FoundFormProps) {
  const record = records.find(({ id }) => id === open) ?? null
  if (open === undefined || (open !== 'new' && record === null)) return null
  return <OpenForm key={open} site={site} record={record} onClose={onClose} />
}

const DEFAULT_PREFERENCE = 10

const Draft = z.object({
  type: z.string(),
  name: addSite.routes.addFound.in.shape.name,
  value: addSite.routes.addFound.in.shape.value,
  preference: z.union([z.literal(''), z.int().min(0).max(65_535)]),
  ttlSeconds: z.union([z.literal(''), z.int().min(LIMITS.ttlSeconds.min).max(LIMITS.ttlSeconds.max)]),
})

function OpenForm({ site, record, onClose }: { site: Site; record: FoundRecord | null; onClose: () => void }) {
  const { t } = useTranslation(['add-site', 'dns-records', 'shell'])
  const form = useZodForm(Draft, {
    type: record?.type ?? 'A',
    name: record?.name ?? '',
    value: record?.value ?? '',
    preference: record?.preference ?? DEFAULT_PREFERENCE,
    ttlSeconds: record?.ttlSeconds ?? '',
  })
  const type = form.watch('type')
  const add = useChange(addSite.routes.addFound, { subject: null, onDone: onClose })
  const edit = useChange(addSite.routes.editFound, { subject: null, onDone: onClose })
  const remove = useChange(addSite.routes.removeFound, { onDone: onClose })
  const save = form.handleSubmit(({ type, name, value, preference, ttlSeconds }) => {
    const fields = {
      name,
      value,
      preference: type === 'MX' && preference !== '' ? preference : null,
      ttlSeconds: ttlSeconds === '' ? null : ttlSeconds,
    }
    const onError = (error: unknown) => void form.takeFieldErrors(error)
    if (record) edit.mutate({ site: site.id, id: record.id, ...fields }, { onError })
    else add.mutate({ site: site.id, type, ...fields }, { onError })
  })
  const failed = add.error ?? edit.error
  const numberOf = (next: string | number) => (typeof next === 'number' ? next : '')
  return (
    <SideDrawer
      opened
      onClose={onClose}
      keepOpen={form.formState.isDirty}
      title={record ? t('records.editTitle') : t('records.add')}
      onSubmit={() => void save()}
      beside={
        record && (
          <Button
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ site: site.id, id: record.id })}
          >
            {t('records.remove')}
          </Button>
        )
      }
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={add.isPending || edit.isPending}>
            {record ? t('records.save') : t('records.add')}
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        {failed && <FailureNotice title={t('records.notSaved')} error={failed} />}
        {record === null && (
          <Controller
            control={form.control}
            name="type"
            render={({ field }) => (
              <Select
                label={t('column.type')}
                data={[...RECORD_TYPES]}
                allowDeselect={false}
                {...field}
                onChange={(next) => field.onChange(next ?? 'A')}
              />
            )}
          />
        )}
        <TextInput
          label={t('dns-records:name')}
          description={t('dns-records:nameHelp')}
          error={form.problem('name')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.register('name')}
        />
        {type === 'MX' && (
          <Controller
            control={form.control}
            name="preference"
            render={({ field }) => (
              <NumberInput
                label={t('dns-records:preference')}
                min={0}
                max={65_535}
                allowDecimal={false}
                error={form.problem('preference')}
                {...field}
                onChange={(next) => field.onChange(numberOf(next))}
              />
            )}
          />
        )}
        <Textarea
          label={t('column.value')}
          autosize
          minRows={1}
          maxRows={8}
          error={form.problem('value')}
          spellCheck={false}
          {...form.register('value')}
        />
        <Controller
          control={form.control}
          name="ttlSeconds"
          render={({ field }) => (
            <NumberInput
              label={t('records.ttl')}
              description={t('records.ttlHelp')}
              min={LIMITS.ttlSeconds.min}
              max={LIMITS.ttlSeconds.max}
              clampBehavior="none"
              allowDecimal={false}
              error={form.problem('ttlSeconds')}
              {...field}
              onChange={(next) => field.onChange(numberOf(next))}
            />
          )}
        />
      </div>
    </SideDrawer>
  )
}
