import { dataFeeds, outsideFeeds, type OutsideFeed } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Moves } from './moves-drawer.tsx'
import { useRefreshFeeds } from './use-refresh-feeds.ts'

type OutsideSwitchProps = { place: { site: string; domain: string }; feed: OutsideFeed; onClose: () => void }

/** An outside feed switched off, or on again: who would go elsewhere is shown first, for the domain at hand. */
export function OutsideSwitch({ place, feed, onClose }: OutsideSwitchProps) {
  const { t } = useTranslation(['outside-feeds', 'data-feeds', 'shell'])
  const { id, name, weightPercent, enabled } = feed
  const { data, error, refetch } = useRead(dataFeeds.routes.without, { ...place, feed: 'outside-feeds', outside: id })
  const refresh = useRefreshFeeds()
  const show = useSnackbar()
  const update = useChange(outsideFeeds.routes.update, {
    subject: null,
    onDone: (saved) => {
      refresh()
      show('outside-feed', { message: t(saved.enabled ? 'data-feeds:done.on' : 'data-feeds:done.off', { feed: name }) })
      onClose()
    },
  })
  return (
    <SideDrawer
      opened
      onClose={onClose}
      size={720}
      title={t(enabled ? 'data-feeds:moves.title' : 'data-feeds:moves.titleOn', { feed: name })}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            color={enabled ? 'red' : undefined}
            disabled={!data}
            loading={update.isPending}
            onClick={() => update.mutate({ id, name, weightPercent, enabled: !enabled })}
          >
            {t(enabled ? 'data-feeds:switchOff.verb' : 'data-feeds:switchOn.verb')}
          </Button>
        </>
      }
    >
      {update.error && <FailureNotice title={t('data-feeds:notSwitched')} error={update.error} />}
      <Notice tone="info">{t('allDomains')}</Notice>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Moves moves={data} />
      ) : (
        <Skeleton height={320} />
      )}
    </SideDrawer>
  )
}
