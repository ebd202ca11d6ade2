import { pulse } from '@fairway/contract'
import { Skeleton, Tabs } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ArrivalPill, Arrivals } from './arrivals.tsx'
import { HostsCard } from './hosts-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { MeasuredCard } from './measured-card.tsx'
import { PrivacyCard } from './privacy-card.tsx'
import classes from './pulse.module.css'
import { PULSE_TABS } from './search.ts'
import { SettingsForm } from './settings-form.tsx'
import { SnippetCard } from './snippet-card.tsx'
import { useLive } from './use-live.ts'
import { usePlace } from './use-place.ts'

/** What visitors' browsers measure: whether it arrives, how often it is done, whose pages may, and what it costs them. */
export function PulseScreen() {
  const { t } = useTranslation('pulse')
  return (
    <Gate route={pulse.routes.get} meaning={t('meaning')}>
      <Pulse />
    </Gate>
  )
}

function Pulse() {
  const { t } = useTranslation('pulse')
  const { tab, choose, link } = usePlace()
  const live = useLive()
  const { data, error, refetch } = useRead(pulse.routes.get, {})
  const figures = useRead(pulse.routes.figures, {}, { everyMs: 30_000 })
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={<ArrivalPill live={live} figures={figures.data} />}
        actions={
          <LinkButton {...link('add-beacon-code')} leftSection={<IconCode size={16} stroke={1.8} />}>
            {t('addCode')}
          </LinkButton>
        }
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={520} radius="lg" />}
      {data && (
        <div className={classes.page}>
          <Arrivals live={live} figures={figures.data} away={figures.error !== null} />
          <Tabs
            value={tab}
            onChange={(next) => choose({ tab: next === 'static' ? 'static' : undefined })}
            keepMounted={false}
          >
            <Tabs.List>
              {PULSE_TABS.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`tab.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {PULSE_TABS.map((one) => (
              <Tabs.Panel key={one} value={one} className={classes.columns}>
                <SettingsForm of={data} isStatic={one === 'static'} />
                <SnippetCard of={data} tab={one} />
              </Tabs.Panel>
            ))}
          </Tabs>
          <MeasuredCard figures={figures.data} away={figures.error !== null} />
          <div className={classes.columns}>
            <HostsCard of={data} live={live} />
            <KeysCard of={data} live={live} />
          </div>
          <PrivacyCard live={live} />
        </div>
      )}
    </>
  )
}
