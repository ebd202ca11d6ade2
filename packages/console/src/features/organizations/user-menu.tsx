import { type UserRow, organizations } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconCrown, IconDots, IconShield, IconUserCheck, IconUserOff, IconUserShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'

type Question = 'loginAs' | 'suspend' | 'operator' | 'administrator' | 'owner'

/** What may be done to a user; the rest is not offered. */
export function UserMenu({ user }: { user: UserRow }) {
  const { t } = useTranslation('organizations')
  const show = useSnackbar()
  const self = useAccount()
  const [question, setQuestion] = useState<Question | null>(null)
  const done = ({ email }: UserRow) => {
    setQuestion(null)
    show(`user ${user.id}`, { message: t('changed', { name: email }) })
  }
  const suspend = useRefreshing(organizations.routes.suspendUser, '/operator/v2/', done)
  const setRole = useRefreshing(organizations.routes.setRole, '/operator/v2/', done)
  const loginAs = useChange(organizations.routes.loginAs, { onDone: ({ url }) => location.assign(url) })
  const setOwner = useRefreshing(organizations.routes.setOwner, '/operator/v2/', () => done(user))
  const { id, email, suspended, isOwner, isOperator, administersPartner, may } = user
  const canChange = suspended ? may.lift : may.suspend
  if (id === self.customerId || !(self.isOperator || may.lookOn || canChange)) return null
  const role = (change: Partial<Pick<UserRow, 'isOperator' | 'administersPartner'>>) =>
    setRole.mutate({ user: id, isOperator, administersPartner, ...change })
  const confirm = () => {
    if (question === 'loginAs') loginAs.mutate({ user: id })
    if (question === 'suspend') suspend.mutate({ user: id, suspended: true })
    if (question === 'owner') setOwner.mutate({ organization: user.organizationId, user: id })
    if (question === 'operator') role({ isOperator: true })
    if (question === 'administrator') role({ administersPartner: true })
  }
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon aria-label={t('menu', { name: email })}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('menu', { name: email })}>
          {may.lookOn && (
            <Menu.Item leftSection={<IconUserShare size={15} stroke={1.65} />} onClick={() => setQuestion('loginAs')}>
              {t('loginAs.open')}
            </Menu.Item>
          )}
          {self.isOperator && (
            <Menu.Item
              leftSection={<IconShield size={15} stroke={1.65} />}
              onClick={() => (isOperator ? role({ isOperator: false }) : setQuestion('operator'))}
            >
              {t(isOperator ? 'role.operatorOff' : 'role.operatorOn')}
            </Menu.Item>
          )}
          {self.isOperator && (
            <Menu.Item
              leftSection={<IconUserCheck size={15} stroke={1.65} />}
              onClick={() => (administersPartner ? role({ administersPartner: false }) : setQuestion('administrator'))}
            >
              {t(administersPartner ? 'role.administratorOff' : 'role.administratorOn')}
            </Menu.Item>
          )}
          {self.isOperator && !isOwner && !suspended && user.emailVerified && (
            <Menu.Item leftSection={<IconCrown size={15} stroke={1.65} />} onClick={() => setQuestion('owner')}>
              {t('owner.open')}
            </Menu.Item>
          )}
          {canChange && (
            <>
              <Menu.Divider />
              {suspended ? (
                <Menu.Item
                  leftSection={<IconUserCheck size={15} stroke={1.65} />}
                  onClick={() => suspend.mutate({ user: id, suspended: false })}
                >
                  {t('reactivate')}
                </Menu.Item>
              ) : (
                <Menu.Item
                  color="red"
                  leftSection={<IconUserOff size={15} stroke={1.65} />}
                  onClick={() => setQuestion('suspend')}
                >
                  {t('suspendUser.open')}
                </Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={question !== null}
        onClose={() => setQuestion(null)}
        title={question === null ? '' : t(`ask.${question}.title`, { name: email })}
        verb={question === null ? '' : t(`ask.${question}.verb`)}
        danger={question === 'suspend'}
        busy={loginAs.isPending || suspend.isPending || setRole.isPending || setOwner.isPending}
        onConfirm={confirm}
      >
        <p>{question === null ? '' : t(`ask.${question}.text`)}</p>
      </Confirm>
    </>
  )
}
