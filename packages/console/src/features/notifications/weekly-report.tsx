import { type WeeklyReport as Chosen, analyticsDem } from '@fairway/contract'
import { Skeleton, Switch } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { read, useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'
import classes from './weekly-report.module.css'

const chosenRead = read(analyticsDem.routes.weeklyReport, {})

/** Whether one is sent the figures of each week; a matter of one's own, saved at once. */
export function WeeklyReport() {
  const { t } = useTranslation('notifications')
  const { email } = useAccount()
  const format = useFormat()
  const { data, error, refetch } = useRead(analyticsDem.routes.weeklyReport, {})
  const set = useSetReport()
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={96} radius="lg" />
  return (
    <Card title={t('weekly.title')}>
      <div className={classes.choice}>
        <Switch
          label={t('weekly.label', { email })}
          description={t('weekly.meaning')}
          checked={data.on}
          onChange={(event) => set({ ...data, on: event.currentTarget.checked })}
        />
        {data.on && (
          <p className={classes.state}>
            {data.silent
              ? t('weekly.silent')
              : data.sentAt === null
                ? t('weekly.first')
                : t('weekly.sent', { at: format.dateTime(Date.parse(data.sentAt)) })}
          </p>
        )}
      </div>
    </Card>
  )
}

function useSetReport(): (chosen: Chosen) => void {
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  const note = (chosen: Chosen) => queryClient.setQueryData(chosenRead.queryKey, chosen)
  const { mutate } = useMutation({
    mutationFn: ({ on }: Chosen) => api(analyticsDem.routes.setWeeklyReport, { on }),
    onMutate: note,
    onSuccess: note,
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: chosenRead.queryKey })
      reportFailure('weekly-report', error)
    },
  })
  return mutate
}
