import { LiveStreamInput, liveStreams } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyFrameField, LatencyField, RewindField } from './shape-fields.tsx'
import classes from './live-streams.module.css'

/** A new stream; its key is shown when it is made. */
export function CreateLiveStreamScreen() {
  const { t } = useTranslation(['live-streams', 'shell'])
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: string; key: string } | null>(null)
  const open = (id: string) => void navigate({ to: '/stream/live-streams/detail/$sid/{-$type}', params: { sid: id } })
  const form = useZodForm<z.input<typeof LiveStreamInput>>(LiveStreamInput, {
    name: '',
    protocol: 'rtmp',
    originUrl: null,
    latency: 'normal',
    keyFrameSeconds: 2,
    rewindSeconds: 1_800,
    isRecorded: false,
  })
  const create = useChange(liveStreams.routes.create, {
    subject: null,
    onDone: ({ data, key }) => (key === null ? open(data.id) : setMade({ id: data.id, key })),
  })
  const submit = form.handleSubmit((values) =>
    create.mutate(values, { onError: (error) => form.takeFieldErrors(error) }),
  )
  const { errors } = form.formState
  const isField = errors.name !== undefined || errors.originUrl !== undefined
  const isPulled = form.watch('protocol') === 'hls'
  return (
    <>
      <PageHeader title={t('createTitle')} meaning={t('meaning')} />
      <Gate route={liveStreams.routes.create} meaning={t('meaning')}>
        <Card>
          <form
            className={classes.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              void submit()
            }}
          >
            {create.error && !isField && <FailureNotice title={t('notCreated')} error={create.error} />}
            <TextInput label={t('name')} data-autofocus error={form.problem('name')} {...form.register('name')} />
            <Controller
              control={form.control}
              name="protocol"
              render={({ field }) => (
                <div className={classes.field}>
                  <span className={classes.label}>{t('protocolTitle')}</span>
                  <Segmented
                    label={t('protocolTitle')}
                    value={field.value ?? 'rtmp'}
                    onChange={(protocol) => {
                      field.onChange(protocol)
                      if (protocol === 'rtmp') form.setValue('originUrl', null)
                    }}
                    options={(['rtmp', 'hls'] as const).map((value) => ({ value, label: t(`protocol.${value}`) }))}
                  />
                  <span className={classes.quiet}>{t(`protocolText.${field.value ?? 'rtmp'}`)}</span>
                </div>
              )}
            />
            {isPulled && (
              <Controller
                control={form.control}
                name="originUrl"
                render={({ field }) => (
                  <TextInput
                    label={t('originUrl')}
                    description={t('originText')}
                    placeholder="https://origin.example.com/live/master.m3u8"
                    error={form.problem('originUrl')}
                    value={field.value ?? ''}
                    onBlur={field.onBlur}
                    onChange={({ currentTarget }) =>
                      field.onChange(currentTarget.value === '' ? null : currentTarget.value)
                    }
                  />
                )}
              />
            )}
            <Controller
              control={form.control}
              name="latency"
              render={({ field }) => <LatencyField value={field.value ?? 'normal'} onChange={field.onChange} />}
            />
            <Controller
              control={form.control}
              name="keyFrameSeconds"
              render={({ field }) => (
                <KeyFrameField
                  value={field.value}
                  error={form.problem('keyFrameSeconds')}
                  onBlur={field.onBlur}
                  onChange={field.onChange}
                />
              )}
            />
            <Controller
              control={form.control}
              name="rewindSeconds"
              render={({ field }) => (
                <RewindField
                  value={field.value}
                  error={form.problem('rewindSeconds')}
                  onBlur={field.onBlur}
                  onChange={field.onChange}
                />
              )}
            />
            <Controller
              control={form.control}
              name="isRecorded"
              render={({ field }) => (
                <SwitchRow
                  label={t('recording.switch')}
                  text={t('recording.switchText')}
                  checked={field.value ?? false}
                  onChange={field.onChange}
                />
              )}
            />
            <div className={classes.buttons}>
              <LinkButton to="/stream/live-streams" variant="default">
                {t('shell:cancel')}
              </LinkButton>
              <Button type="submit" loading={create.isPending}>
                {t('create')}
              </Button>
            </div>
          </form>
        </Card>
      </Gate>
      <KeyDialog streamKey={made?.key ?? null} onClose={() => made && open(made.id)} />
    </>
  )
}
