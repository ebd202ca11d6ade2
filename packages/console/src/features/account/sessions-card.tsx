import { sessions } from '@fairway/contract'
import type { Session } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { deviceOf } from './device.ts'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'

/** Where this user is signed in. */
export function SessionsCard() {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const list = useRead(sessions.routes.list, {})
  const [asking, setAsking] = useState(false)
  const again = () => void queryClient.invalidateQueries({ queryKey: [sessions.routes.list.path] })
  const remove = useChange(sessions.routes.remove, { onDone: again })
  const others = useChange(sessions.routes.removeOthers, {
    onDone: ({ ended }) => {
      setAsking(false)
      show('sessions', { message: t('sessions.ended', { count: ended }) })
      again()
    },
  })
  const rows = list.data?.data ?? []
  return (
    <Card
      title={t('sessions.title')}
      end={
        rows.length > 1 && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
      flush
    >
      {list.isError && (
        <div className={classes.note}>
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && (
        <div className={classes.note}>
          <Skeleton height={44} />
        </div>
      )}
      <ul className={classes.rows}>
        {rows.map((session) => (
          <SettingRow
            key={session.id}
            name={
              <>
                <Device session={session} />
                {session.isCurrent && <Pill tone="ok">{t('sessions.current')}</Pill>}
                {session.impostor !== null && (
                  <Pill tone="warn">{t('sessions.impostor', { name: session.impostor })}</Pill>
                )}
              </>
            }
            text={session.ip ?? '—'}
            more={
              <>
                {t('sessions.seen')} <Age inside at={session.lastSeenAt} /> · {t('sessions.began')}{' '}
                <Age inside at={session.createdAt} />
              </>
            }
          >
            {!session.isCurrent && (
              <Button
                variant="subtle"
                color="red"
                loading={remove.isPending && remove.variables.id === session.id}
                aria-label={t('sessions.endNamed', { ip: session.ip ?? '—' })}
                onClick={() => remove.mutate({ id: session.id })}
              >
                {t('sessions.end')}
              </Button>
            )}
          </SettingRow>
        ))}
      </ul>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('sessions.endOthersTitle')}
        verb={t('sessions.endOthersVerb')}
        danger
        busy={others.isPending}
        onConfirm={() => others.mutate({})}
      >
        {t('sessions.endOthersText')}
      </Confirm>
    </Card>
  )
}

function Device({ session: { agent } }: { session: Session }) {
  const { t } = useTranslation('account')
  const device = deviceOf(agent)
  return (
    <span {...(agent === null ? {} : { title: agent })}>
      {device ? t('sessions.device', device) : (agent?.split(/[ /]/)[0] ?? t('sessions.unknown'))}
    </span>
  )
}
