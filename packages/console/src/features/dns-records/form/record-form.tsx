import { dnsRecords } from '@fairway/contract'
import type { DnsRecord, Site } from '@fairway/contract'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../ui/page/notice.tsx'
import { SideDrawer } from '../../../ui/layers/side-drawer.tsx'
import { TypeTag } from '../../../ui/marks/type-tag.tsx'
import { DraftHint } from './draft-hint.tsx'
import { NoteFields } from './note-fields.tsx'
import { RecordFields } from './record-fields.tsx'
import classes from './record-form.module.css'
import { RecordTypePicker } from './record-type-picker.tsx'
import { SteerCard } from './steer-card.tsx'
import { TtlField } from './ttl-field.tsx'
import { WeightField } from './weight-field.tsx'
import { tagsOf } from '../filter-records.ts'
import { useCanEdit } from '../use-can-edit.ts'
import { useRecordForm } from './use-record-form.ts'
import { ZoneLine } from './zone-line.tsx'

type RecordFormProps = {
  site: Site
  record: DnsRecord | null
  others: readonly DnsRecord[]
  opened: boolean
  onClose: () => void
}

/** Type first, then what that type needs, then what steering does, then the real line it makes. */
export function RecordForm({ site, record, others, opened, onClose }: RecordFormProps) {
  const { t } = useTranslation('dns-records')
  const [another, setAnother] = useState(false)
  const { form, save, busy, failure } = useRecordForm({
    site,
    record,
    others,
    onSaved: () => {
      if (!another || record) onClose()
    },
  })
  const isNew = record === null
  const canSave = useCanEdit(site.id, isNew ? dnsRecords.routes.create : dnsRecords.routes.update)
  const hasErrors = form.formState.isSubmitted && Object.keys(form.formState.errors).length > 0
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      keepOpen={form.formState.isDirty}
      title={
        isNew ? (
          t('add')
        ) : (
          <span className={classes.title}>
            {t(canSave ? 'editTitle' : 'viewTitle')} <TypeTag type={record.type} />
          </span>
        )
      }
      onSubmit={save}
      beside={
        isNew && (
          <Checkbox
            label={t('another')}
            checked={another}
            onChange={(event) => setAnother(event.currentTarget.checked)}
          />
        )
      }
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t(canSave ? 'shell:cancel' : 'shell:close')}
          </Button>
          {canSave && (
            <Button type="submit" loading={busy}>
              {isNew ? t('add') : t('save')}
            </Button>
          )}
        </>
      }
    >
      <FormProvider {...form}>
        <fieldset className={classes.fields} disabled={!canSave}>
          {failure !== null && <Notice tone="bad">{failure}</Notice>}
          {isNew && <RecordTypePicker />}
          <RecordFields siteName={site.domainName} isNew={isNew} problem={form.problem} />
          <TtlField problem={form.problem('ttlSeconds')} siteName={site.domainName} />
          <WeightField others={others} siteName={site.domainName} problem={form.problem('weight')} />
          <SteerCard siteName={site.domainName} problem={form.problem('multiCdn')} />
          <ZoneLine siteName={site.domainName} />
          <NoteFields known={tagsOf(others)} problem={form.problem} />
          <DraftHint siteName={site.domainName} others={others} />
          <p className={classes.summary} role="alert">
            {hasErrors ? t('validation:form') : ''}
          </p>
        </fieldset>
      </FormProvider>
    </SideDrawer>
  )
}
