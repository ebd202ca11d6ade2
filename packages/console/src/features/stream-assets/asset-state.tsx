import type { StreamAsset } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'

const TONE: Record<StreamAsset['state'], Tone> = {
  uploading: 'info',
  queued: 'info',
  processing: 'info',
  ready: 'ok',
  failed: 'bad',
}

/** Where a video stands, how far it is, and why it failed. */
export function AssetState({
  asset,
}: {
  asset: Pick<StreamAsset, 'state' | 'loaded' | 'size' | 'progress' | 'reasonCode' | 'secondsLeft'>
}) {
  const { t } = useTranslation(['stream-assets', 'errors'])
  const format = useFormat()
  const share =
    asset.state === 'uploading' ? asset.loaded / asset.size : asset.state === 'processing' ? asset.progress : null
  const why = asset.reasonCode === null ? undefined : t(`errors:errorMessage.${asset.reasonCode}`)
  return (
    <span title={why}>
      <Pill tone={TONE[asset.state]}>
        {t(`state.${asset.state}`)}
        {share !== null && ` ${format.percent(Math.round(share * 100))}`}
      </Pill>
      {asset.secondsLeft !== null && ` ${t('left', { seconds: asset.secondsLeft })}`}
    </span>
  )
}
