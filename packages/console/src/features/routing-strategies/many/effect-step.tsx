import type { SteeringEffect } from '@fairway/contract'
import { IconArrowNarrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { Pill } from '../../../ui/marks/status-pill.tsx'
import { FoldingItem } from '../../../ui/page/folding-item.tsx'
import { usePlaceWords } from '../../../ui/places/place-words.ts'
import { useRefusalText } from '../../bulk-configure/refusal-text.ts'
import { ChangeDiff } from '../../versions/version-item.tsx'
import { EffectShares } from '../editor/effect-shares.tsx'
import look from '../editor/effect-panel.module.css'
import classes from './many-dialog.module.css'

const SHOWN_GROUPS = 5

export const changes = ({ code, changes: found }: SteeringEffect): boolean => code === null && found.length > 0

/** What the change would make of each domain, and whom it would move. */
export function EffectStep({ effects }: { effects: readonly SteeringEffect[] }) {
  const { t } = useTranslation(['routing-strategies', 'bulk-configure'])
  const changing = effects.filter(changes)
  const refused = effects.filter(({ code }) => code !== null).length
  return (
    <>
      <p className={classes.about}>
        {t('bulk-configure:review.summary', {
          count: changing.length,
          same: effects.length - changing.length - refused,
          refused,
        })}
        <br />
        {t('many.tried')}
      </p>
      <ul className={classes.list}>
        {effects.map((effect) => (
          <EffectRow key={effect.domainId} effect={effect} />
        ))}
      </ul>
    </>
  )
}

function EffectRow({ effect }: { effect: SteeringEffect }) {
  const { t } = useTranslation(['routing-strategies', 'bulk-configure', 'vsr-rules'])
  const refusalText = useRefusalText()
  const format = useFormat()
  const words = usePlaceWords()
  const { name, code, fields, changes: found, visitors } = effect
  if (!changes(effect))
    return (
      <li className={classes.item}>
        <span className={classes.name}>{name}</span>
        {code !== null && <span className={classes.why}>{refusalText(code, fields)}</span>}
        <Pill tone={code === null ? 'neutral' : 'bad'}>
          {t(code === null ? 'bulk-configure:review.same' : 'bulk-configure:review.refused')}
        </Pill>
      </li>
    )
  const groups = visitors?.groups.slice(0, SHOWN_GROUPS) ?? []
  return (
    <FoldingItem
      title={name}
      by={t('bulk-configure:review.changes', { count: found.length })}
      end={<MovedPill visitors={visitors} />}
    >
      {() => (
        <>
          {groups.length > 0 && (
            <ul className={look.rows}>
              {groups.map((group) => (
                <li key={JSON.stringify(group)} className={look.row}>
                  <span className={look.country}>
                    {group.country === null ? t('vsr-rules:effect.unknown') : format.country(group.country)}
                    {group.network !== null && <span className={classes.network}>{words.network(group.network)}</span>}
                  </span>
                  <span className={look.before}>
                    <EffectShares shares={group.before} />
                  </span>
                  <IconArrowNarrowRight
                    className={look.arrow}
                    size={18}
                    stroke={1.6}
                    aria-label={t('effect.becomes')}
                  />
                  <span className={look.after}>
                    <EffectShares shares={group.after} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {found.map((change) => (
            <ChangeDiff key={`${change.entity} ${change.id}`} change={change} named />
          ))}
        </>
      )}
    </FoldingItem>
  )
}

/** Part of the last day's visitors that would be moved; not known is said, and is not nobody. */
function MovedPill({ visitors }: Pick<SteeringEffect, 'visitors'>) {
  const { t } = useTranslation(['routing-strategies', 'vsr-rules'])
  const format = useFormat()
  if (visitors === null) return <Pill tone="neutral">{t('many.unknown')}</Pill>
  if (visitors.looked === 0) return <Pill tone="neutral">{t('many.nobody')}</Pill>
  if (visitors.moved === 0) return <Pill tone="neutral">{t('vsr-rules:effect.movesNone')}</Pill>
  const share = Math.round((visitors.moved / visitors.looked) * 10_000) / 100
  return <Pill tone="info">{t('vsr-rules:effect.moves', { share: format.percent(share) })}</Pill>
}
