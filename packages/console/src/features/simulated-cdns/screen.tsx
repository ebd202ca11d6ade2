import { simulatedCdns } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconHeartbeat } from '@tabler/icons-react'
import { Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { FaultCard } from './fault-card.tsx'
import classes from './screen.module.css'
import { useFaultTimes } from './use-fault-times.ts'
import { useObservations } from './use-observations.ts'
import { useWatchedDomain } from './use-watched-domain.ts'
import { WatchedSelect } from './watched-select.tsx'

const REFRESH_MS = 2000

// Stands below what one came for, in one file.
const below = () => import('./below.ts')
const LiveEffect = lazy(async () => ({ default: (await below()).LiveEffect }))
const AttackCard = lazy(async () => ({ default: (await below()).AttackCard }))

/** A change is followed closely for so long. */
const RACE_MS = 60_000

/** Breaks the simulated CDNs on purpose and shows what visitors get meanwhile. */
export function GameDayScreen() {
  const { t } = useTranslation('simulated-cdns')
  const user = useAccount()
  const canSet = useCanCall(simulatedCdns.routes.set) && user.isOperator
  const { data, error, refetch } = useRead(
    simulatedCdns.routes.list,
    {},
    { enabled: user.gameDay, everyMs: REFRESH_MS },
  )
  const watched = useWatchedDomain()
  const faultTimes = useFaultTimes()
  const newest = Math.max(0, ...Object.values(faultTimes).map((fault) => fault?.at ?? 0))
  const { observations, answers, error: watchError } = useObservations(watched.place, Date.now() - newest < RACE_MS)
  const guarded = watched.domains.find(({ settings }) => settings.originShield === 'use')
  const heal = useChange(simulatedCdns.routes.set)
  const broken = data?.data.filter(({ fault }) => fault.mode !== 'up') ?? []

  if (!user.gameDay)
    return (
      <>
        <PageHeader title={t('title')} meaning={t('meaning')} />
        <Card>
          <EmptyTeach title={t('notHere')} text={t('notHereText')} />
        </Card>
      </>
    )
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <>
            <WatchedSelect watched={watched} />
            {canSet && (
              <Button
                variant="default"
                leftSection={<IconHeartbeat size={16} stroke={1.65} />}
                disabled={broken.length === 0}
                onClick={() => {
                  for (const { cdnId } of broken) heal.mutate({ cdn: cdnId, fault: { mode: 'up' } })
                }}
              >
                {t('allUp')}
              </Button>
            )}
          </>
        }
      />
      {!canSet && <Notice tone="info">{t('operatorOnly')}</Notice>}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={230} radius="lg" />}
      {data && (
        <div className={classes.cards}>
          {data.data.map((cdn) => (
            <FaultCard
              key={cdn.cdnId}
              cdn={cdn}
              canSet={canSet}
              changed={faultTimes[cdn.cdnId] ?? null}
              observations={observations}
              place={watched.place}
            />
          ))}
        </div>
      )}
      {watched.site && guarded && (
        <Suspense fallback={null}>
          <AttackCard site={watched.site} domain={guarded} canSet={canSet} />
        </Suspense>
      )}
      {watched.place && (
        <Suspense fallback={null}>
          <LiveEffect place={watched.place} answers={answers} error={watchError} />
        </Suspense>
      )}
    </>
  )
}
