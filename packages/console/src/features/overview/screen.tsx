import { Button } from '@mantine/core'
import { useFullscreenElement } from '@mantine/hooks'
import { IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../shell/scope/scope.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { SAMPLE_VISITORS } from '../why/sample-visitors.ts'
import { WhyPanel } from '../why/why-panel.tsx'
import { EventFeed } from './event-feed.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { HealthCards } from './health-cards.tsx'
import { LiveFigures } from './live-figures.tsx'
import { LiveMap } from './live-map.tsx'
import { LivePill } from './live-pill.tsx'
import { NodeList } from './node-list.tsx'
import { NothingSteered } from './nothing-steered.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'
import classes from './overview.module.css'
import { useLiveOverview } from './use-live-overview.ts'

/** Home of a site: where its visitors go right now, and whether all is well. Made to hang on a wall. */
export function OverviewScreen() {
  const { t } = useTranslation('overview')
  const { site, domain, domains } = useScope()
  const navigate = useNavigate()
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const {
    data: live,
    error,
    refetch,
    isRefetchError,
  } = useLiveOverview({ site: site.id, ...(domain ? { domain: domain.id } : {}) })
  // So much is drawn that it is done in pieces, and left and begun anew when newer figures come meanwhile.
  const data = useDeferredValue(live ?? null, null)
  useShortcut('f', t('wall'), () => void toggle())

  const steered = domain ?? domains.find(({ cdnIds, disabled }) => !disabled && cdnIds.length > 0)
  const hasFirstSteps = useFirstSteps()
  const ask = (country: string) =>
    void navigate({ to: '.', search: (before) => ({ ...before, why: SAMPLE_VISITORS[country] ?? '' }) })

  return (
    <div ref={ref} className={classes.page} data-wall={fullscreen || undefined}>
      <PageHeader
        title={t('title')}
        meaning={t('meaning', { site: domain?.name ?? site.domainName })}
        beside={data && <LivePill at={data.at} stale={isRefetchError} />}
        actions={
          <Button
            variant="default"
            leftSection={
              fullscreen ? <IconMinimize size={15} stroke={1.65} /> : <IconMaximize size={15} stroke={1.65} />
            }
            onClick={() => void toggle()}
          >
            {t(fullscreen ? 'leaveWall' : 'wall')}
          </Button>
        }
      />
      {hasFirstSteps && !fullscreen && <FirstSteps />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <OverviewSkeleton />}
      {data && !data.analyticsAvailable && (
        <Notice tone="warn" title={t('analyticsAway')}>
          {t('analyticsAwayText')}
        </Notice>
      )}
      {data && data.cdns.length === 0 && !hasFirstSteps && <NothingSteered />}
      {data && data.cdns.length > 0 && (
        <>
          <LiveFigures data={data} />
          <div className={classes.columns}>
            <div className={classes.column}>
              <LiveMap data={data} onCountry={steered && ask} />
              <div className={classes.feed}>
                <EventFeed events={data.events} cdns={data.cdns} />
              </div>
            </div>
            <div className={classes.column}>
              <HealthCards
                cdns={data.cdns}
                minimumSamples={steered?.minimumSamples ?? 20}
                counted={data.analyticsAvailable}
              />
              <div className={classes.nodes}>
                <NodeList nodes={data.nodes} />
              </div>
            </div>
          </div>
        </>
      )}
      {steered && (
        <WhyPanel
          host={steered.name}
          hosts={domains.filter(({ cdnIds }) => cdnIds.length > 0).map(({ name }) => name)}
        />
      )}
    </div>
  )
}
