import type { Counterfactual } from '@fairway/contract'
import { Trans, useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './why-report.module.css'

/** What would have to be otherwise for another CDN to be chosen, where the figures say it. */
export function WhyOtherwise({ list }: { list: readonly Counterfactual[] }) {
  const { t } = useTranslation('why-panel')
  if (list.length === 0) return null
  return (
    <section aria-labelledby="why-otherwise">
      <h3 className={classes.heading} id="why-otherwise">
        {t('otherwise.title')}
      </h3>
      <ul className={classes.otherwise}>
        {list.map((item) => (
          <li key={item.cdnId}>
            <Sentence item={item} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Sentence({ item }: { item: Counterfactual }) {
  const { t } = useTranslation('why-panel')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const name = lookOf(item.cdnId).name
  return (
    <Trans
      t={t}
      i18nKey={`otherwise.${item.kind}`}
      values={{ name, ...valuesOf() }}
      components={[<strong key="0" />, <span key="1" className="num" />]}
    />
  )

  function valuesOf(): Record<string, string> {
    switch (item.kind) {
      case 'faster':
      case 'faster-by-margin':
        return {
          limit: format.milliseconds(Math.round(item.belowMs * 10) / 10),
          now: format.milliseconds(Math.round(item.nowMs * 10) / 10),
        }
      case 'more-available':
        return { limit: format.percent(item.above), now: format.percent(item.now) }
      case 'reaches-threshold':
        return { limit: format.percent(item.from), now: format.percent(item.now) }
      case 'measured':
        return { count: format.number(item.minimumSamples) }
      case 'next-in-order':
        return { before: lookOf(item.beforeCdnId).name }
      default:
        return {}
    }
  }
}
