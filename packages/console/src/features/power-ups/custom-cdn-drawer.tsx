import { CustomCdn, type PowerUpDetail, cdnManagement, powerUps } from '@fairway/contract'
import { Button, Skeleton, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { type Logo, LogoField } from './logo-field.tsx'
import classes from './power-ups.module.css'

type Fields = {
  name: string
  cname: string
  category: 'custom-cdn' | 'origin-server'
  referenceUrl: string
  introduction: string
}

/** An empty link is none. Holds because the contract's schema has these fields. */
const schema = CustomCdn.pick({ name: true, cname: true, category: true }).extend({
  referenceUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'validation.url' }).max(500)]),
  introduction: z.string().max(1000),
}) as z.ZodType<unknown, Fields>

type DrawerProps = {
  opened: boolean
  /** `new`, or the id of the one that is changed. */ id: string | undefined
  onClose: () => void
  onCreated: (id: string) => void
}

/** Any CDN by its host name, with how it shows itself in the marketplace. */
export function CustomCdnDrawer({ opened, id, onClose, onCreated }: DrawerProps) {
  const { t } = useTranslation('power-ups')
  const isNew = id === 'new'
  const { data } = useRead(
    powerUps.routes.get,
    { powerUp: id ?? '' },
    { enabled: opened && !isNew && id !== undefined },
  )
  if (isNew || data)
    return (
      <CustomForm key={id} opened={opened} saved={isNew ? null : (data ?? null)} onClose={onClose} onDone={onCreated} />
    )
  return (
    <SideDrawer opened={opened} onClose={onClose} title={t('custom.edit')}>
      <Skeleton height={300} />
    </SideDrawer>
  )
}

function CustomForm({
  opened,
  saved,
  onClose,
  onDone,
}: {
  opened: boolean
  saved: PowerUpDetail | null
  onClose: () => void
  onDone: (id: string) => void
}) {
  const { t } = useTranslation(['power-ups', 'validation', 'errors', 'shell'])
  const show = useSnackbar()
  const [logo, setLogo] = useState<Logo>(undefined)
  const [logoProblem, setLogoProblem] = useState<string | null>(null)
  const form = useZodForm<Fields>(schema, {
    name: saved?.name.en ?? '',
    cname: saved?.cname ?? '',
    category: saved?.category === 'origin-server' ? 'origin-server' : 'custom-cdn',
    referenceUrl: saved?.referenceUrl ?? '',
    introduction: saved?.introduction?.en ?? '',
  })
  const done = ({ data }: { data: { id: string; name: string } }) => {
    show('custom', { message: t('power-ups:custom.saved', { name: data.name }) })
    form.reset()
    setLogo(undefined)
    onDone(data.id)
  }
  const create = useChange(cdnManagement.routes.createPlatform, { subject: null, onDone: done })
  const update = useChange(cdnManagement.routes.updatePlatform, { subject: null, onDone: done })
  const takeErrors = (error: unknown) => {
    form.takeFieldErrors(error)
    const wrong = error instanceof ApiError ? error.fields.find(({ path }) => path === 'logo') : undefined
    if (wrong) setLogoProblem(validationText(t, wrong.message))
  }
  const submit = form.handleSubmit(({ name, cname, category, referenceUrl, introduction }) => {
    const shown = {
      name,
      category,
      referenceUrl: referenceUrl || null,
      introduction: introduction.trim() || null,
      ...(logo === undefined ? {} : { logo: logo?.base64 ?? null }),
    }
    if (saved) update.mutate({ platform: saved.id, ...shown }, { onError: takeErrors })
    else create.mutate({ cname, ...shown }, { onError: takeErrors })
  })
  const error = create.error ?? update.error
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t(saved ? 'power-ups:custom.edit' : 'power-ups:custom.add')}
      keepOpen={form.formState.isDirty || logo !== undefined}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {t(saved ? 'power-ups:custom.save' : 'power-ups:custom.addVerb')}
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        {error && <FailureNotice title={t('power-ups:custom.notSaved')} error={error} />}
        <TextInput
          label={t('power-ups:custom.name')}
          maxLength={60}
          error={form.problem('name')}
          data-autofocus
          {...form.register('name')}
        />
        <TextInput
          label={t('power-ups:custom.cname')}
          description={t(saved ? 'power-ups:custom.cnameStays' : 'power-ups:custom.cnameHelp')}
          placeholder="customer.cdn.example"
          spellCheck={false}
          disabled={saved !== null}
          error={form.problem('cname')}
          {...form.register('cname')}
        />
        <Controller
          control={form.control}
          name="category"
          render={({ field }) => (
            <div className={classes.logoField}>
              <span className={classes.label}>{t('power-ups:custom.kind')}</span>
              <Segmented
                label={t('power-ups:custom.kind')}
                value={field.value}
                onChange={field.onChange}
                options={(['custom-cdn', 'origin-server'] as const).map((value) => ({
                  value,
                  label: t(`power-ups:category.${value}`),
                }))}
              />
            </div>
          )}
        />
        <LogoField
          shown={logo === undefined ? (saved?.logo ?? null) : (logo?.url ?? null)}
          problem={logoProblem}
          onChange={(next) => {
            setLogo(next)
            setLogoProblem(null)
          }}
          onProblem={setLogoProblem}
        />
        <TextInput
          label={t('power-ups:custom.referenceUrl')}
          description={t('power-ups:custom.referenceUrlHelp')}
          placeholder="https://"
          type="url"
          error={form.problem('referenceUrl')}
          {...form.register('referenceUrl')}
        />
        <Textarea
          label={t('power-ups:custom.introduction')}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={1000}
          error={form.problem('introduction')}
          {...form.register('introduction')}
        />
      </div>
    </SideDrawer>
  )
}
