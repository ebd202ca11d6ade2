import type { LiveStream, TranscoderStatus } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'

const TONE: Record<TranscoderStatus, Tone> = {
  [-1]: 'bad',
  0: 'info',
  1: 'neutral',
  2: 'warn',
  3: 'ok',
  4: 'info',
  5: 'info',
}

/** What the transcoder does. */
export function TranscoderPill({ status }: { status: TranscoderStatus }) {
  const { t } = useTranslation('live-streams')
  return <Pill tone={TONE[status]}>{t(`transcoder.${status}`)}</Pill>
}

const INPUT_TONE = { live: 'ok', lost: 'bad', ended: 'neutral', waiting: 'info' } as const

/** What arrives from the encoder; nothing is said while nothing is taken. */
export function InputPill({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live-streams')
  const isOn = stream.transcoderStatus === 3
  const state = stream.input?.state ?? 'waiting'
  if (!isOn) return <>—</>
  const shown = state === 'ended' ? 'waiting' : state
  const words = shown === 'waiting' && stream.protocol === 'hls' ? 'waitingForOrigin' : shown
  return <Pill tone={INPUT_TONE[shown]}>{t(`input.${words}`)}</Pill>
}
