import { passkeys } from '@fairway/contract'
import type { Profile } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../api/use-change.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { isDeclined, makePasskey } from '../auth/webauthn.ts'
import { ConfirmIdentity, type Proof } from './confirm-identity.tsx'
import { deviceOf } from './device.ts'
import classes from './screen.module.css'

const Named = passkeys.routes.rename.in

/** Adds a passkey: a name, it is still you, then the browser asks. */
export function PasskeyDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const { t } = useTranslation(['account', 'shell'])
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const [proof, setProof] = useState<Proof>({})
  const device = deviceOf(navigator.userAgent)
  const form = useZodForm(Named, { name: device === null ? '' : t('sessions.device', device) })
  const add = useMutation({
    mutationFn: async (name: string) => {
      const { ceremony, options } = await change(queryClient, passkeys.routes.options, proof)
      return change(queryClient, passkeys.routes.create, { ceremony, name, response: await makePasskey(options) })
    },
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: [passkeys.routes.list.path] })
      show('passkey', { message: t('passkeys.added', { name }) })
      onClose()
    },
  })
  const submit = form.handleSubmit(({ name }) => add.mutate(name))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('passkeys.addTitle')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={add.isPending} onClick={() => void submit()}>
            {t('passkeys.addVerb')}
          </Button>
        </>
      }
    >
      <form className={classes.form} noValidate onSubmit={submit}>
        <p>{t('passkeys.addText')}</p>
        <TextInput label={t('passkeys.nameLabel')} error={form.problem('name')} {...form.register('name')} />
        <ConfirmIdentity
          profile={profile}
          value={proof}
          onChange={setProof}
          error={isDeclined(add.error) ? null : add.error}
        />
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
