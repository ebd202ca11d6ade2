import { type LiveStream, plainPlaylistUrl } from '@fairway/contract'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import { TranscoderPill } from './live-state.tsx'
import classes from './live-streams.module.css'

const Player = lazy(async () => ({ default: (await import('../stream-assets/player.tsx')).Player }))

/** The picture as viewers get it. */
export function PreviewCard({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live-streams')
  const { previewUrl, name, protocol, transcoderStatus } = stream
  return (
    <Card title={t('tab.preview')} end={<TranscoderPill status={transcoderStatus} />}>
      {previewUrl === null ? (
        <p className={classes.quiet}>{t(protocol === 'hls' ? 'notFetched' : 'notPlayable')}</p>
      ) : (
        <Suspense fallback={<div className={classes.screen} />}>
          <Player src={plainPlaylistUrl(previewUrl)} poster={undefined} label={name} isLive />
        </Suspense>
      )}
    </Card>
  )
}
