import { type LiveStream, liveStreams } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { KeyFrameField, LatencyField, RewindField } from './shape-fields.tsx'
import classes from './live-streams.module.css'

type Props = { opened: boolean; stream: LiveStream; onClose: () => void; onDone: () => void }

/** What is of a whole broadcast changes while nothing runs. */
const mayReshape = ({ transcoderStatus: status }: LiveStream): boolean => status <= 1

/** Name and window at any time; the rest while the transcoder is off. */
export function EditDrawer({ opened, stream, onClose, onDone }: Props) {
  const { t } = useTranslation(['live-streams', 'shell'])
  const show = useSnackbar()
  const isOff = mayReshape(stream)
  const { name, latency, keyFrameSeconds, rewindSeconds } = stream
  const originUrl = stream.originUrl ?? undefined
  const form = useZodForm(liveStreams.routes.update.in, { name, latency, keyFrameSeconds, rewindSeconds, originUrl })
  const save = useChange(liveStreams.routes.update, {
    subject: null,
    onDone: () => {
      show('live-streams', { message: t('edit.saved', { name: form.getValues('name') }) })
      onDone()
      onClose()
    },
  })
  const submit = form.handleSubmit(({ originUrl: url, ...values }) =>
    save.mutate(
      // What is not shown of the address (behind its question mark) stays, unless another is typed in.
      { id: stream.id, ...values, ...(url === originUrl ? {} : { originUrl: url }) },
      { onError: (error) => form.takeFieldErrors(error) },
    ),
  )
  const { errors } = form.formState
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('edit.title', { name })}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('edit.save')}
          </Button>
        </>
      }
    >
      <div className={classes.page}>
        {save.error && errors.name === undefined && errors.originUrl === undefined && (
          <FailureNotice title={t('edit.notSaved')} error={save.error} />
        )}
        <TextInput label={t('name')} maxLength={100} required error={form.problem('name')} {...form.register('name')} />
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
        {!isOff && <Notice tone="info">{t('edit.running')}</Notice>}
        <Controller
          control={form.control}
          name="latency"
          render={({ field }) => (
            <LatencyField value={field.value ?? latency} disabled={!isOff} onChange={field.onChange} />
          )}
        />
        <Controller
          control={form.control}
          name="keyFrameSeconds"
          render={({ field }) => (
            <KeyFrameField
              value={field.value}
              error={form.problem('keyFrameSeconds')}
              disabled={!isOff}
              onBlur={field.onBlur}
              onChange={field.onChange}
            />
          )}
        />
        {stream.protocol === 'hls' && (
          <TextInput
            label={t('originUrl')}
            description={t('edit.originText')}
            disabled={!isOff}
            error={form.problem('originUrl')}
            {...form.register('originUrl')}
          />
        )}
        <div className={classes.field}>
          <span className={classes.label}>{t('edit.cdns')}</span>
          <span className={classes.quiet}>{t('edit.cdnsText')}</span>
          <LinkButton
            size="xs"
            variant="default"
            to="/stream/live-streams/detail/$sid/{-$type}"
            params={{ sid: stream.id, type: 'balancer' }}
            onClick={onClose}
          >
            {t('tab.balancer')}
          </LinkButton>
        </div>
      </div>
    </SideDrawer>
  )
}
