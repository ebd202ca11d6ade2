import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Tone, type PillState, TONE_OF_STATE, isBusy } from './states.ts'
import classes from './status-pill.module.css'

type PillProps = { tone: Tone; busy?: boolean; children: ReactNode; title?: string }

/** A dot and words in one of six tones. Prefer `StatusPill`, which knows the tone and the words of a state. */
export function Pill({ tone, busy = false, children, title }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone} data-busy={busy || undefined} title={title}>
      {children}
    </span>
  )
}

type StatusPillProps = {
  state: PillState
  /** When the state began, epoch ms: busy states then say since when. */
  since?: number
  /** `{{value}}` of the state's text, for example a percentage. */
  value?: string | number
}

/** The one pill of the product: tone and words by state. */
export function StatusPill({ state, since, value }: StatusPillProps) {
  const { t } = useTranslation('states')
  const format = useFormat()
  const usual = t(`usual.${state}`, { defaultValue: '' })
  const words = [t(`state.${state}`, { value })]
  if (isBusy(state) && since !== undefined) words.push(t('started', { time: format.time(since) }))
  if (isBusy(state) && since !== undefined && usual !== '') words.push(usual)
  return (
    <Pill
      tone={TONE_OF_STATE[state]}
      busy={isBusy(state)}
      {...(since === undefined ? {} : { title: format.exact(since) })}
    >
      {words.join(' · ')}
    </Pill>
  )
}
