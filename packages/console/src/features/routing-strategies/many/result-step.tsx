import type { SteeringEffect } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../../ui/marks/status-pill.tsx'
import { useRefusalText } from '../../bulk-configure/refusal-text.ts'
import classes from './many-dialog.module.css'

export type Done = { changedIds: readonly string[]; version: number | null }

/** How it went with each domain. */
export function ResultStep({ effects, done }: { effects: readonly SteeringEffect[]; done: Done }) {
  const { t } = useTranslation(['routing-strategies', 'bulk-configure'])
  const refusalText = useRefusalText()
  return (
    <>
      <p className={classes.about}>
        {done.version === null ? t('bulk-configure:review.same') : t('many.done', { version: done.version })}
      </p>
      <ul className={classes.list}>
        {effects.map(({ domainId, name, code, fields }) => {
          const isChanged = done.changedIds.includes(domainId)
          return (
            <li key={domainId} className={classes.item}>
              <span className={classes.name}>{name}</span>
              {code !== null && <span className={classes.why}>{refusalText(code, fields)}</span>}
              <Pill tone={isChanged ? 'ok' : code === null ? 'neutral' : 'bad'}>
                {isChanged
                  ? t('bulk-configure:job.state.done')
                  : code === null
                    ? t('bulk-configure:review.same')
                    : t('many.leftOut')}
              </Pill>
            </li>
          )
        })}
      </ul>
    </>
  )
}
