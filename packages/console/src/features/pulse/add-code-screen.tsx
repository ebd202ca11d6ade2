import { pulse } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft, IconCircleCheck, IconLoader2 } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './pulse.module.css'
import { PULSE_TABS } from './search.ts'
import { SnippetCard } from './snippet-card.tsx'
import { useLive } from './use-live.ts'
import { usePlace } from './use-place.ts'

/** Gets the script on a page, and tells the moment its first beacon arrives. */
export function AddCodeScreen() {
  const { t } = useTranslation('pulse')
  const { tab, choose, link } = usePlace()
  const { data, error, refetch } = useRead(pulse.routes.get, {})
  return (
    <Gate route={pulse.routes.get} meaning={t('meaning')}>
      <PageHeader
        title={t('addCode')}
        meaning={t('addMeaning')}
        actions={
          <LinkButton {...link('pulse')} variant="default" leftSection={<IconArrowLeft size={16} stroke={1.65} />}>
            {t('back')}
          </LinkButton>
        }
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={520} radius="lg" />}
      {data && (
        <div className={classes.steps}>
          <Card title={t('step.kind')}>
            <div className={classes.fields}>
              <Segmented
                label={t('step.kind')}
                value={tab}
                onChange={(next) => choose({ tab: next === 'static' ? 'static' : undefined })}
                options={PULSE_TABS.map((value) => ({ value, label: t(`tab.${value}`) }))}
              />
            </div>
          </Card>
          <SnippetCard of={data} tab={tab} />
          <FirstBeacon />
        </div>
      )}
    </Gate>
  )
}

/** Waits for a beacon newer than this page, with the collector's own word. */
function FirstBeacon() {
  const { t } = useTranslation('pulse')
  const format = useFormat()
  const live = useLive()
  const before = useRef<number | null>(null)
  if (live !== null) before.current ??= live.beacons
  const arrived = live !== null && before.current !== null && live.beacons > before.current ? live : null
  const host = arrived?.hosts[0]?.host
  const refused = live?.refused['wrong-host'] ?? 0
  return (
    <Card title={t('step.wait')}>
      <div className={classes.wait} data-arrived={arrived !== null || undefined} role="status">
        {arrived ? (
          <IconCircleCheck size={22} stroke={1.7} aria-hidden />
        ) : (
          <IconLoader2 size={22} stroke={1.7} aria-hidden />
        )}
        <div>
          <p className={classes.strong}>
            {arrived
              ? t('first.arrived', { host: host || t('hostUntold') })
              : t(live === null ? 'first.connecting' : 'first.waiting')}
          </p>
          <p className={classes.quiet}>
            {arrived
              ? t('first.since', { number: format.number(arrived.beacons - (before.current ?? 0)) })
              : t('first.how')}
          </p>
          {refused > 0 && <p className={classes.quiet}>{t('first.refused', { number: format.number(refused) })}</p>}
        </div>
      </div>
    </Card>
  )
}
