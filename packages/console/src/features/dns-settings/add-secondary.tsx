import { DnsSecondaryInput, dnsSecondaries } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useCheckedForm } from '../../ui/forms/use-zod-form.ts'
import classes from './dns-settings.module.css'

type AddSecondaryProps = {
  opened: boolean
  onClose: () => void
  onCreated: (created: RouteOutput<typeof dnsSecondaries.routes.create>) => void
}
type Fields = { name: string; notify: string }

const inputOf = ({ name, notify }: Fields) => ({ name, notify: notify.trim() === '' ? null : notify })

export function AddSecondary({ opened, onClose, onCreated }: AddSecondaryProps) {
  const { t } = useTranslation(['dns-settings', 'shell'])
  const form = useCheckedForm<Fields>(
    (fields) => {
      const parsed = DnsSecondaryInput.safeParse(inputOf(fields))
      if (parsed.success) return { values: fields, errors: {} }
      return {
        values: {},
        errors: Object.fromEntries(
          parsed.error.issues.map(({ path, message }) => [String(path[0]), { type: 'rule', message }]),
        ),
      }
    },
    { name: '', notify: '' },
  )
  const create = useChange(dnsSecondaries.routes.create, {
    subject: null,
    onDone: (created) => {
      form.reset()
      onCreated(created)
    },
  })
  const submit = form.handleSubmit((fields) =>
    create.mutate(inputOf(fields), { onError: (error) => form.takeFieldErrors(error) }),
  )
  const close = () => {
    create.reset()
    form.reset()
    onClose()
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t('secondaries.addTitle')}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button loading={create.isPending} onClick={() => void submit()}>
            {t('secondaries.add')}
          </Button>
        </>
      }
    >
      <form className={classes.blocks} onSubmit={(event) => void submit(event)}>
        {create.error && !form.formState.errors.notify && (
          <FailureNotice title={t('secondaries.notAdded')} error={create.error} />
        )}
        <TextInput
          label={t('secondaries.name')}
          placeholder={t('secondaries.nameHint')}
          data-autofocus
          error={form.problem('name')}
          {...form.register('name')}
        />
        <TextInput
          label={t('secondaries.notify')}
          description={t('secondaries.notifyHelp')}
          placeholder="192.0.2.53:53"
          spellCheck={false}
          error={form.problem('notify')}
          {...form.register('notify')}
        />
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
