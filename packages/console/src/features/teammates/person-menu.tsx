import { type Teammate, teammates } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconCrown,
  IconDoorExit,
  IconDots,
  IconMailForward,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconUserShield,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { LeaveDialog, OwnerDialog } from './own-dialogs.tsx'
import { nameOf } from './person-name.ts'

/** What can be done about somebody; only what this caller may do is there. */
export function PersonMenu({ person, onRoles }: { person: Teammate; onRoles: () => void }) {
  const { t } = useTranslation('teammates')
  const [asked, setAsked] = useState<'invite' | 'suspend' | 'remove' | 'own' | 'leave' | null>(null)
  const show = useSnackbar()
  const { id, may } = person
  const name = nameOf(person)
  const reactivate = useChange(teammates.routes.reactivate, {
    onDone: () => show(`person ${id}`, { message: t('reactivate.done', { name }) }),
  })
  if (!Object.values(may).some(Boolean)) return null
  const isPending = person.status === 'invited' || person.status === 'expired' || person.status === 'declined'
  const close = () => setAsked(null)
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={t('menu', { name })}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('menu', { name })}>
          {may.roles && (
            <Menu.Item leftSection={<IconUserShield size={15} stroke={1.65} />} onClick={onRoles}>
              {t('roles.open')}
            </Menu.Item>
          )}
          {may.invite && (
            <Menu.Item leftSection={<IconMailForward size={15} stroke={1.65} />} onClick={() => setAsked('invite')}>
              {t('reinvite.open')}
            </Menu.Item>
          )}
          {may.reactivate && (
            <Menu.Item
              leftSection={<IconPlayerPlay size={15} stroke={1.65} />}
              onClick={() => reactivate.mutate({ id })}
            >
              {t('reactivate.verb')}
            </Menu.Item>
          )}
          {may.own && (
            <Menu.Item leftSection={<IconCrown size={15} stroke={1.65} />} onClick={() => setAsked('own')}>
              {t('own.open')}
            </Menu.Item>
          )}
          {may.suspend && (
            <Menu.Item leftSection={<IconPlayerPause size={15} stroke={1.65} />} onClick={() => setAsked('suspend')}>
              {t('suspend.open')}
            </Menu.Item>
          )}
          {may.leave && (
            <Menu.Item
              color="red"
              leftSection={<IconDoorExit size={15} stroke={1.65} />}
              onClick={() => setAsked('leave')}
            >
              {t('leave.open')}
            </Menu.Item>
          )}
          {may.remove && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} stroke={1.65} />}
                onClick={() => setAsked('remove')}
              >
                {t(isPending ? 'withdraw.open' : 'remove.open')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Reinvite person={person} opened={asked === 'invite'} onClose={close} />
      <Suspend person={person} opened={asked === 'suspend'} onClose={close} onUndo={() => reactivate.mutate({ id })} />
      <Remove person={person} opened={asked === 'remove'} onClose={close} isPending={isPending} />
      {asked === 'own' && <OwnerDialog person={person} onClose={close} />}
      {asked === 'leave' && <LeaveDialog email={person.email} onClose={close} />}
    </>
  )
}

type AskProps = { person: Teammate; opened: boolean; onClose: () => void }

function Reinvite({ person, opened, onClose }: AskProps) {
  const { t } = useTranslation('teammates')
  const format = useFormat()
  const show = useSnackbar()
  const { id, email, invitedAt } = person
  const reinvite = useChange(teammates.routes.reinvite, {
    onDone: () => show(`person ${id}`, { message: t('invite.done', { email }) }),
  })
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('reinvite.title', { email })}
      verb={t('reinvite.verb')}
      onConfirm={() => {
        onClose()
        reinvite.mutate({ id })
      }}
    >
      <p>{t('reinvite.text', { time: invitedAt === null ? '—' : format.ago(Date.parse(invitedAt), Date.now()) })}</p>
    </Confirm>
  )
}

function Suspend({ person, opened, onClose, onUndo }: AskProps & { onUndo: () => void }) {
  const { t } = useTranslation('teammates')
  const show = useSnackbar()
  const canUndo = useCanCall(teammates.routes.reactivate)
  // Whoever looks on lets nobody in again.
  const looksOn = useAccount().impostor !== null
  const { id, apiKeys } = person
  const name = nameOf(person)
  const suspend = useChange(teammates.routes.deactivate, {
    onDone: () =>
      show(`person ${id}`, {
        message: t('suspend.done', { name }),
        ...(canUndo && !looksOn ? { undo: onUndo } : {}),
      }),
  })
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('suspend.title', { name })}
      verb={t('suspend.verb')}
      danger
      onConfirm={() => {
        onClose()
        suspend.mutate({ id })
      }}
    >
      <p>
        {t('suspend.text')} {apiKeys.count > 0 && t('suspend.keys', { count: apiKeys.count })}
      </p>
    </Confirm>
  )
}

/** An invitation is withdrawn with a click; somebody's account is gone for good, so its address has to be typed. */
function Remove({ person, opened, onClose, isPending }: AskProps & { isPending: boolean }) {
  const { t } = useTranslation('teammates')
  const show = useSnackbar()
  const { id, email } = person
  const name = nameOf(person)
  const remove = useChange(teammates.routes.remove, {
    onDone: () => show(`person ${id}`, { message: t(isPending ? 'withdraw.done' : 'remove.done', { name }) }),
  })
  const confirm = () => {
    onClose()
    remove.mutate({ id })
  }
  if (isPending)
    return (
      <Confirm
        opened={opened}
        onClose={onClose}
        title={t('withdraw.title', { email })}
        verb={t('withdraw.verb')}
        danger
        onConfirm={confirm}
      >
        <p>{t('withdraw.text')}</p>
      </Confirm>
    )
  return (
    <ConfirmByName
      opened={opened}
      onClose={onClose}
      title={t('remove.title', { name })}
      name={email}
      verb={t('remove.verb')}
      onConfirm={confirm}
    >
      <p>{t('remove.text')}</p>
    </ConfirmByName>
  )
}
