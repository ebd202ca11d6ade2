import { LIVE_PROBLEMS, type LiveStream } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { InputPill } from './live-state.tsx'
import classes from './live-streams.module.css'

/** What arrives, and what to change in the encoder. */
export function HealthCard({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live-streams')
  const format = useFormat()
  const { input, advice } = stream
  const problem = LIVE_PROBLEMS.find((one) => one === input?.problem)
  const known = <T,>(value: T | null | undefined, text: (value: T) => string) =>
    value === null || value === undefined ? '—' : text(value)
  const facts: [string, string][] = [
    [t('health.bitrate'), known(input?.bitrate, (bits) => `${format.number(Math.round(bits / 1000))} kbit/s`)],
    [t('health.fps'), known(input?.fps, (fps) => format.number(fps))],
    [t('health.size'), known(input?.width, (width) => `${width} × ${input?.height ?? '—'}`)],
    [t('health.keyFrames'), known(input?.keyFrameSeconds, (seconds) => `${format.number(seconds)} s`)],
    [t('health.audio'), known(input?.hasAudio, (has) => t(has ? 'health.yes' : 'health.no'))],
    [t('health.dropped'), known(input?.droppedPercent, (percent) => format.percent(percent))],
    [t('health.drift'), known(input?.audioDriftMs, (ms) => `${format.number(ms)} ms`)],
    [t('health.speed'), known(input?.speed, (speed) => `${format.number(speed)}×`)],
  ]
  return (
    <Card title={t('health.title')} end={<InputPill stream={stream} />}>
      <div className={classes.page}>
        {input !== null && input.problem !== '' && (
          <Notice tone="bad">{problem === undefined ? input.problem : t(`problem.${problem}`)}</Notice>
        )}
        {input?.state === 'live' && input.isTest && <Notice tone="info">{t('health.isTest')}</Notice>}
        {advice.map((one) => (
          <Notice key={one} tone="warn" title={t(`advice.${one}.title`)}>
            {t(`advice.${one}.text`)}
          </Notice>
        ))}
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  )
}
