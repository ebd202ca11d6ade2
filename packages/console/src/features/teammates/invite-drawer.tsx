import { type RoleId, teammates } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { ReadyRoles } from './ready-roles.tsx'
import { RolesField } from './roles-field.tsx'
import classes from './roles-field.module.css'

const Fields = z.object({ email: z.email().max(254) })

/** Asks somebody to join: an address, and what they will be able to do. */
export function InviteDrawer({
  opened,
  onClose,
  taken,
}: {
  opened: boolean
  onClose: () => void
  taken: ReadonlySet<string>
}) {
  const { t } = useTranslation('teammates')
  return opened ? (
    <OpenInvite onClose={onClose} taken={taken} />
  ) : (
    <SideDrawer opened={false} onClose={onClose} title={t('invite.title')}>
      {null}
    </SideDrawer>
  )
}

function OpenInvite({ onClose, taken }: { onClose: () => void; taken: ReadonlySet<string> }) {
  const { t } = useTranslation('teammates')
  const show = useSnackbar()
  const form = useZodForm(Fields, { email: '' })
  const [roleIds, setRoleIds] = useState<RoleId[]>([])
  const [again, setAgain] = useState(false)
  const invite = useChange(teammates.routes.invite, {
    subject: null,
    onDone: ({ email }) => {
      show('invite', { message: t('invite.done', { email }) })
      if (!again) return onClose()
      form.reset()
      form.setFocus('email')
    },
  })
  const submit = (more: boolean) => {
    setAgain(more)
    void form.handleSubmit(({ email }) => {
      if (taken.has(email.toLowerCase()))
        return form.setError('email', { message: 'validation.teammateExists' }, { shouldFocus: true })
      invite.mutate({ email, roleIds }, { onError: (error) => void form.takeFieldErrors(error) })
    })()
  }
  const isFields = Object.keys(form.formState.errors).length > 0
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={t('invite.title')}
      keepOpen={form.formState.isDirty || roleIds.length > 0}
      onSubmit={() => submit(false)}
      beside={
        <Button variant="subtle" onClick={() => submit(true)} disabled={invite.isPending}>
          {t('invite.another')}
        </Button>
      }
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t('invite.verb')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {invite.error && !isFields && <FailureNotice title={t('invite.failed')} error={invite.error} />}
        <TextInput
          label={t('column.email')}
          type="email"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          description={t('invite.hint')}
          {...form.register('email')}
          error={form.problem('email')}
        />
        <ReadyRoles value={roleIds} onChange={setRoleIds} />
        <RolesField value={roleIds} onChange={setRoleIds} />
      </div>
    </SideDrawer>
  )
}
