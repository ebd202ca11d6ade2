import { cdnManagement } from '@fairway/contract'
import type { Cdn } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './install-dialog.module.css'

/** Holds because the route declares an object; its fields are what the form asks for. */
const fields = cdnManagement.routes.createPlatform.in as z.ZodType<
  { name: string; cname: string },
  { name: string; cname: string }
>

/** Any host name that DNS may answer with becomes a CDN. */
export function CustomCdnForm({ onCreated }: { onCreated: (cdn: Cdn) => void }) {
  const { t } = useTranslation('cdn-management')
  const form = useZodForm(fields, { name: '', cname: '' })
  const create = useChange(cdnManagement.routes.createPlatform, {
    subject: null,
    onDone: ({ data }) => {
      form.reset()
      onCreated(data)
    },
  })
  const submit = form.handleSubmit((values) =>
    create.mutate(values, { onError: (error) => void form.takeFieldErrors(error) }),
  )
  return (
    <form
      className={classes.custom}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      aria-label={t('custom.title')}
    >
      <div>
        <p className={classes.customTitle}>{t('custom.title')}</p>
        <p className={classes.meaning}>{t('custom.text')}</p>
      </div>
      {create.error && <FailureNotice title={t('custom.notCreated')} error={create.error} />}
      <TextInput label={t('custom.name')} maxLength={60} {...form.register('name')} error={form.problem('name')} />
      <TextInput
        label={t('custom.cname')}
        placeholder="customer.cdn.example"
        spellCheck={false}
        {...form.register('cname')}
        error={form.problem('cname')}
      />
      <Button className={classes.customButton} type="submit" variant="default" loading={create.isPending}>
        {t('custom.verb')}
      </Button>
    </form>
  )
}
