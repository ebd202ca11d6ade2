import { MailLevel, analyticsDem, notifications } from '@fairway/contract'
import type { NotificationPreference } from '@fairway/contract'
import { Select, Skeleton, Switch } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { read, useRead } from '../../api/queries.ts'
import { change, useChange } from '../../api/use-change.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import classes from './preferences.module.css'
import { WeeklyReport } from './weekly-report.tsx'

const preferencesRead = read(notifications.routes.preferences, {})

/** Of each type: whether it comes in the console, from which level on by mail, and whether webhooks are called. */
export function Preferences() {
  const { t } = useTranslation('notifications')
  const { email } = useAccount()
  const maySeeFigures = useCanCall(analyticsDem.routes.weeklyReport)
  const { data, error, refetch } = useRead(notifications.routes.preferences, {})
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={360} radius="lg" />
  return (
    <div className={classes.cards}>
      <Card title={t('preferences.title')} flush>
        <p className={classes.meaning}>{t('preferences.meaning', { email })}</p>
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('filter.type')}</th>
                <th scope="col">{t('channel.inApp')}</th>
                <th scope="col">{t('channel.mail')}</th>
                <th scope="col">{t('channel.webhook')}</th>
              </tr>
            </thead>
            <tbody>
              {data.data.map((preference) => (
                <PreferenceRow key={preference.type} preference={preference} />
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      {maySeeFigures && <WeeklyReport />}
    </div>
  )
}

function PreferenceRow({ preference }: { preference: NotificationPreference }) {
  const { t } = useTranslation('notifications')
  const { type, inApp, mail, webhook } = preference
  const name = t(`type.${type}`)
  const set = useSetPreference()
  // What somebody hears of is theirs to choose.
  const looksOn = useAccount().impostor !== null
  const mayHook = useCanCall(notifications.routes.setWebhook)
  const note = useNotePreference()
  const hook = useChange(notifications.routes.setWebhook, { onDone: note })
  return (
    <tr>
      <th scope="row">
        <span className={classes.name}>{name}</span>
        <span className={classes.about}>{t(`about.${type}`)}</span>
      </th>
      <td data-label={t('channel.inApp')}>
        <Switch
          aria-label={t('channelOf', { channel: t('channel.inApp'), type: name })}
          checked={inApp}
          disabled={looksOn}
          onChange={(event) => set({ ...preference, inApp: event.currentTarget.checked })}
        />
      </td>
      <td data-label={t('channel.mail')}>
        <Select
          aria-label={t('channelOf', { channel: t('channel.mail'), type: name })}
          size="xs"
          className={classes.select}
          allowDeselect={false}
          value={mail}
          disabled={looksOn}
          data={MailLevel.options.map((value) => ({ value, label: t(`mail.${value}`) }))}
          onChange={(next) => {
            const chosen = MailLevel.safeParse(next)
            if (chosen.success) set({ ...preference, mail: chosen.data })
          }}
        />
      </td>
      <td data-label={t('channel.webhook')}>
        <Switch
          aria-label={t('channelOf', { channel: t('channel.webhook'), type: name })}
          checked={webhook}
          disabled={!mayHook}
          onChange={(event) => hook.mutate({ type, webhook: event.currentTarget.checked })}
        />
      </td>
    </tr>
  )
}

/** Puts what was answered, or is expected, into the table. */
function useNotePreference(): (preference: NotificationPreference) => void {
  const queryClient = useQueryClient()
  return (preference) =>
    queryClient.setQueryData(
      preferencesRead.queryKey,
      (before) => before && { data: before.data.map((one) => (one.type === preference.type ? preference : one)) },
    )
}

/**
 * A matter of the reader's own, so it is shown at once; when it fails, as in a demonstration, the switch flips back.
 */
function useSetPreference(): (preference: NotificationPreference) => void {
  const queryClient = useQueryClient()
  const note = useNotePreference()
  const reportFailure = useReportFailure()
  const { mutate } = useMutation({
    mutationFn: ({ type, inApp, mail }: NotificationPreference) =>
      change(queryClient, notifications.routes.setPreference, { type, inApp, mail }),
    onMutate: note,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [notifications.routes.unreadCount.path] }),
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: preferencesRead.queryKey })
      reportFailure('preferences', error)
    },
  })
  return mutate
}
