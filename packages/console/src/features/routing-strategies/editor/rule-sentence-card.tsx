import { IconQuote } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { ruleSentence } from '../rule-sentence.ts'
import { useTargetLook } from '../target-look.ts'
import classes from './strategy-editor.module.css'
import type { StrategyDraft } from './strategy-draft.ts'
import { useVisitorWords } from '../visitor-words.ts'

/** The strategy read aloud, while it is written. */
export function RuleSentence({ draft }: { draft: StrategyDraft }) {
  const { t, i18n } = useTranslation('routing-strategies')
  const format = useFormat()
  const words = useVisitorWords()
  const lookOf = useTargetLook()
  const { places = [], networks = [], cidrs = [] } = draft.filter ?? {}
  const sentence = ruleSentence(
    {
      method: draft.method,
      targets: draft.targets.map(({ cdnId, weight = 1 }) => ({ cdnId, weight: Number.isFinite(weight) ? weight : 0 })),
      availabilityThreshold: draft.availabilityThreshold ?? null,
      omitRum: draft.omitRum ?? false,
      omitSum: draft.omitSum ?? false,
      requireAllData: draft.requireAllData ?? false,
      minimumMbps: draft.minimumMbps ?? null,
      visitorPercent: draft.visitorPercent ?? null,
      whenNoData: draft.whenNoData ?? 'pass',
      whenBelow: draft.whenBelow ?? 'pass',
    },
    {
      t,
      language: i18n.language,
      who: words.sentence({ places, networks, cidrs }),
      nameOf: (cdnId) => lookOf(cdnId).name,
      percent: format.percent,
    },
  )
  return (
    <section className={classes.sentence} aria-label={t('inWords')}>
      <IconQuote size={18} stroke={1.5} aria-hidden className={classes.quote} />
      <p>{sentence === '' ? t('inWordsEmpty') : sentence}</p>
    </section>
  )
}
