import { type Partner, partners } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { Controller, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { useRefreshing } from '../operator/use-refreshing.ts'
import { ColorField } from './color-field.tsx'
import classes from './partners.module.css'
import { ThemePreview } from './theme-preview.tsx'

type Fields = { companyName: string; hostName: string; brandColor: string; contactEmail: string }

/** An empty address is none. Holds because the route declares an object with these fields. */
const schema = partners.routes.create.in.extend({
  contactEmail: z.union([z.literal(''), z.email().max(254)]),
}) as z.ZodType<unknown, Fields>

/** Name, host name and colour: then the partner is live. */
export function AddPartner({
  opened,
  onClose,
  onCreated,
}: {
  opened: boolean
  onClose: () => void
  onCreated: (partner: Partner) => void
}) {
  const { t } = useTranslation('partners')
  const form = useZodForm<Fields>(schema, { companyName: '', hostName: '', brandColor: '#0b6e4f', contactEmail: '' })
  const { companyName = '', brandColor = '' } = useWatch({ control: form.control })
  const create = useRefreshing(
    partners.routes.create,
    '/operator/v2/partners/',
    (partner) => {
      form.reset()
      onCreated(partner)
    },
    { ownError: true },
  )
  const submit = form.handleSubmit(({ contactEmail, ...values }) =>
    create.mutate(
      { ...values, contactEmail: contactEmail || null },
      { onError: (error) => void form.takeFieldErrors(error) },
    ),
  )
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('add')}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('add')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {create.error && <FailureNotice title={t('notAdded')} error={create.error} />}
        <TextInput
          label={t('field.companyName')}
          error={form.problem('companyName')}
          autoComplete="off"
          data-autofocus
          {...form.register('companyName')}
        />
        <TextInput
          label={t('field.hostName')}
          description={t('hostNameHelp')}
          placeholder="console.example.com"
          error={form.problem('hostName')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          classNames={{ input: classes.mono }}
          {...form.register('hostName')}
        />
        <TextInput
          label={t('field.contactEmail')}
          type="email"
          error={form.problem('contactEmail')}
          autoComplete="off"
          {...form.register('contactEmail')}
        />
        <Controller
          control={form.control}
          name="brandColor"
          render={({ field }) => (
            <ColorField
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              problem={form.problem('brandColor')}
            />
          )}
        />
        <ThemePreview name={companyName || t('yourName')} color={brandColor} />
      </div>
    </SideDrawer>
  )
}
