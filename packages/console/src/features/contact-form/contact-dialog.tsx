import { Enquiry, contactForm } from '@fairway/contract'
import { Button, TextInput, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../api/client.ts'
import { currentLocale } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './contact-form.module.css'

const Fields = Enquiry.pick({ email: true, firstName: true, lastName: true, company: true, message: true })

/** A question to those who sell, from anybody. */
export function ContactDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['contact-form', 'auth', 'errors', 'shell'])
  const page = useLocation({ select: ({ pathname }) => pathname })
  const form = useZodForm<z.input<typeof Fields>>(Fields, {
    email: '',
    firstName: '',
    lastName: '',
    company: '',
    message: '',
  })
  const send = useMutation({
    mutationFn: (input: z.input<typeof Fields>) =>
      api(contactForm.routes.send, { ...input, page, locale: currentLocale() }),
    onError: (error) => void form.takeFieldErrors(error),
  })
  const submit = form.handleSubmit((input) => send.mutate(input))
  const footer = send.isSuccess ? (
    <Button onClick={onClose} data-autofocus>
      {t('close')}
    </Button>
  ) : (
    <>
      <Button variant="default" onClick={onClose}>
        {t('shell:cancel')}
      </Button>
      <Button loading={send.isPending} onClick={() => void submit()}>
        {t('send')}
      </Button>
    </>
  )
  return (
    <Dialog opened={opened} onClose={onClose} title={t(send.isSuccess ? 'sent' : 'title')} footer={footer}>
      {send.isSuccess ? (
        <p>{t('sentText', { email: send.variables.email })}</p>
      ) : (
        <form className={classes.form} noValidate onSubmit={submit}>
          {send.isError && <Notice tone="bad">{failureText(t, send.error)}</Notice>}
          <div className={classes.pair}>
            <TextInput
              label={t('auth:firstName')}
              autoComplete="given-name"
              data-autofocus
              error={form.problem('firstName')}
              {...form.register('firstName')}
            />
            <TextInput
              label={t('auth:lastName')}
              autoComplete="family-name"
              error={form.problem('lastName')}
              {...form.register('lastName')}
            />
          </div>
          <TextInput
            label={t('auth:email')}
            type="email"
            autoComplete="email"
            error={form.problem('email')}
            {...form.register('email')}
          />
          <TextInput
            label={t('company')}
            autoComplete="organization"
            error={form.problem('company')}
            {...form.register('company')}
          />
          <Textarea
            label={t('message')}
            autosize
            minRows={4}
            maxRows={10}
            error={form.problem('message')}
            {...form.register('message')}
          />
        </form>
      )}
    </Dialog>
  )
}
