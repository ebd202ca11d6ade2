import { organizations } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from '../operator/operator.module.css'

/** A purchase made by hand: its link, like those from a marketplace, is given to the buyer. */
export function SellDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['organizations', 'errors', 'shell'])
  const format = useFormat()
  const form = useZodForm(organizations.routes.sell.in, { customerId: '' })
  const sell = useChange(organizations.routes.sell, { subject: null })
  const submit = form.handleSubmit((input) => sell.mutate(input))
  const close = () => {
    onClose()
    sell.reset()
    form.reset()
  }
  const footer = sell.data ? (
    <Button onClick={close}>{t('sell.done')}</Button>
  ) : (
    <>
      <Button variant="default" onClick={close}>
        {t('shell:cancel')}
      </Button>
      <Button loading={sell.isPending} onClick={() => void submit()}>
        {t('sell.verb')}
      </Button>
    </>
  )
  return (
    <Dialog opened={opened} onClose={close} title={t('sell.title')} size={560} footer={footer}>
      {sell.data ? (
        <div className={classes.stack}>
          <p>{t('sell.give', { time: format.dateTime(Date.parse(sell.data.expiresAt)) })}</p>
          <CodeSnippet label={t('sell.link')} code={sell.data.url} />
        </div>
      ) : (
        <form className={classes.stack} noValidate onSubmit={submit}>
          {sell.isError && <Notice tone="bad">{failureText(t, sell.error)}</Notice>}
          <p>{t('sell.text')}</p>
          <TextInput
            label={t('sell.customerId')}
            description={t('sell.customerIdHelp')}
            data-autofocus
            error={form.problem('customerId')}
            {...form.register('customerId')}
          />
        </form>
      )}
    </Dialog>
  )
}
