import type { Explanation } from '@fairway/contract'
import { IconMapPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { ShareBar } from '../../ui/charts/share-bar.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './why-report.module.css'

/** Who asked, and what DNS answers. */
export function WhyAnswerCard({ explanation: { visitor, decision, decidedAt, node } }: { explanation: Explanation }) {
  const { t } = useTranslation(['why-panel', 'routing-strategies'])
  const format = useFormat()
  const words = usePlaceWords()
  const { lookOf } = useCdnLooks()
  const { location } = visitor
  const index = decision.trace.steps.findIndex(
    ({ strategyId, candidates }) => strategyId === decision.strategyId && candidates.some(({ chosen }) => chosen),
  )
  const step = decision.trace.steps[index]
  const shares = decision.shares.map(({ cdnId, percent }) => ({ ...lookOf(cdnId), key: cdnId, percent }))
  return (
    <section className={classes.answer} aria-label={t('answer')}>
      <p className={classes.visitor}>
        <IconMapPin size={16} stroke={1.7} aria-hidden className={classes.pin} />
        <strong>{words.location(location)}</strong>
        {location.network !== null && (
          <span>
            {words.network(location.network)}
            {location.asn !== null && location.network !== `AS${location.asn}` && ` (AS${location.asn})`}
          </span>
        )}
        <code>
          {visitor.address}/{visitor.prefixLength}
        </code>
      </p>
      {shares.length === 0 ? (
        <p className={classes.chosen}>{t('noAnswer')}</p>
      ) : (
        <ul className={classes.chosen}>
          {shares.map(({ key, name, series, percent }) => (
            <li key={key}>
              <CdnName name={name} series={series} strong />
              {shares.length > 1 && <span className="num">{format.percent(percent)}</span>}
            </li>
          ))}
        </ul>
      )}
      {shares.length > 1 && <ShareBar size="large" label={t('answer')} shares={shares} />}
      <p className={classes.by}>
        {step &&
          (decision.strategyId === null
            ? t('byLastResort')
            : t('byStrategy', {
                number: index + 1,
                name: step.name,
                method: t(`routing-strategies:method.${step.method}.name`),
              }))}
      </p>
      <p className={classes.facts}>
        {[
          t('ttl', { length: format.seconds(decision.ttlSeconds) }),
          t('node', { node }),
          t('measurements', { serial: format.number(decision.trace.scoresSerial) }),
          t('decidedAt', { time: format.time(decidedAt) }),
        ].join(' · ')}
      </p>
    </section>
  )
}
