import { apiKeys } from '@fairway/contract'
import { Button, Radio, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './screen.module.css'

const TIERS = [1, 2, 3, 4] as const

/** Makes an API key and shows it once. */
export function ApiKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'errors', 'shell'])
  const queryClient = useQueryClient()
  const form = useZodForm(apiKeys.routes.create.in, { name: '', tier: 1 })
  const make = useChange(apiKeys.routes.create, {
    subject: null,
    onDone: () => queryClient.invalidateQueries({ queryKey: [apiKeys.routes.list.path] }),
  })
  const submit = form.handleSubmit((input) => make.mutate(input))
  const tier = form.watch('tier')
  if (make.data) {
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('apiKeys.madeTitle')}
        size={560}
        footer={<Button onClick={onClose}>{t('apiKeys.close')}</Button>}
      >
        <div className={classes.form}>
          <Notice tone="warn">{t('apiKeys.once')}</Notice>
          <div className={classes.key}>
            <code>{make.data.key}</code>
            <Copy value={make.data.key} name={t('apiKeys.key')} />
          </div>
          <p>{t('apiKeys.how')}</p>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('apiKeys.makeTitle')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={make.isPending} onClick={() => void submit()}>
            {t('apiKeys.verb')}
          </Button>
        </>
      }
    >
      <form className={classes.form} noValidate onSubmit={submit}>
        {make.isError && <Notice tone="bad">{failureText(t, make.error)}</Notice>}
        <TextInput
          label={t('apiKeys.nameLabel')}
          description={t('apiKeys.nameHelp')}
          error={form.problem('name')}
          {...form.register('name')}
          data-autofocus
        />
        <Radio.Group
          label={t('apiKeys.tierLabel')}
          value={String(tier)}
          onChange={(value) => form.setValue('tier', Number(value))}
        >
          <div className={classes.tiers}>
            {TIERS.map((one) => (
              <Radio
                key={one}
                value={String(one)}
                size="xs"
                label={
                  <>
                    <span className={classes.tier}>{t('apiKeys.tier', { tier: one })}</span>{' '}
                    {t(`apiKeys.tierText.${one}`)}
                  </>
                }
              />
            ))}
          </div>
        </Radio.Group>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
