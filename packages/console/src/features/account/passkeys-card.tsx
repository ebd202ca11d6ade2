import { passkeys } from '@fairway/contract'
import type { Passkey } from '@fairway/contract'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { passkeysWorkHere } from '../auth/webauthn.ts'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useOpenDialog } from './use-open-dialog.ts'

/** Passkeys of the user: they sign in alone, or as the second step. */
export function PasskeysCard() {
  const { t } = useTranslation('account')
  const { open } = useOpenDialog()
  const keys = useRead(passkeys.routes.list, {})
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const canAdd = passkeysWorkHere()
  return (
    <Card
      title={t('passkeys.title')}
      hint={t('passkeys.hint')}
      end={
        canAdd && (
          <Button variant="default" onClick={() => open('passkey')}>
            {t('passkeys.add')}
          </Button>
        )
      }
      flush
    >
      {!canAdd && (
        <div className={classes.note}>
          <Notice tone="info">{t('passkeys.notHere')}</Notice>
        </div>
      )}
      {keys.isError && (
        <div className={classes.note}>
          <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
        </div>
      )}
      {keys.isPending && (
        <div className={classes.note}>
          <Skeleton height={44} />
        </div>
      )}
      {keys.data?.data.length === 0 && <p className={classes.empty}>{t('passkeys.none')}</p>}
      <ul className={classes.rows}>
        {keys.data?.data.map((key) => (
          <SettingRow
            key={key.id}
            name={key.name}
            text={t(key.backedUp ? 'passkeys.synced' : 'passkeys.onDevice', { host: key.relyingParty })}
            more={
              <>
                {t('passkeys.made')} <Age inside at={key.createdAt} />
                {key.lastUsedAt !== null && (
                  <>
                    {' '}
                    · {t('passkeys.used')} <Age inside at={key.lastUsedAt} />
                  </>
                )}
              </>
            }
          >
            <Button
              variant="subtle"
              aria-label={t('passkeys.renameNamed', { name: key.name })}
              onClick={() => setRenamed(key)}
            >
              {t('passkeys.rename')}
            </Button>
            <Button
              variant="subtle"
              color="red"
              aria-label={t('passkeys.removeNamed', { name: key.name })}
              onClick={() => setRemoved(key)}
            >
              {t('passkeys.remove')}
            </Button>
          </SettingRow>
        ))}
      </ul>
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
      {removed && <RemoveDialog passkey={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

type LayerProps = { passkey: Passkey; onClose: () => void }

function RenameDialog({ passkey, onClose }: LayerProps) {
  const { t } = useTranslation(['account', 'shell'])
  const again = useReadAgain(onClose)
  const form = useZodForm(passkeys.routes.rename.in, { name: passkey.name })
  const rename = useChange(passkeys.routes.rename, { onDone: again })
  const submit = form.handleSubmit(({ name }) => rename.mutate({ id: passkey.id, name }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('passkeys.renameTitle')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={rename.isPending} onClick={() => void submit()}>
            {t('passkeys.renameVerb')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('passkeys.nameLabel')}
          data-autofocus
          error={form.problem('name')}
          {...form.register('name')}
        />
      </form>
    </Dialog>
  )
}

function RemoveDialog({ passkey, onClose }: LayerProps) {
  const { t } = useTranslation('account')
  const again = useReadAgain(onClose)
  const remove = useChange(passkeys.routes.remove, { onDone: again })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={t('passkeys.removeTitle', { name: passkey.name })}
      verb={t('passkeys.removeVerb')}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ id: passkey.id })}
    >
      {t('passkeys.removeText')}
    </Confirm>
  )
}

function useReadAgain(onClose: () => void): () => void {
  const queryClient = useQueryClient()
  return () => {
    void queryClient.invalidateQueries({ queryKey: [passkeys.routes.list.path] })
    onClose()
  }
}
