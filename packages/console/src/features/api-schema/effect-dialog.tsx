import { apiSchema } from '@fairway/contract'
import type { ApiSchemaEffect } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './api-schema.module.css'

type Props = { place: Place; onClose: () => void; actions: ReactNode }

/** What the schema would have stopped of the last day's samples, before it is turned on. */
export function EffectDialog({ place, onClose, actions }: Props) {
  const { t } = useTranslation(['api-schema', 'shell'])
  const { data, error, refetch } = useRead(apiSchema.routes.effect, place)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('effect.title')}
      size={560}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          {actions}
        </>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Effect effect={data} />
      ) : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}

function Effect({ effect: { requests, misfits, reasons, examples } }: { effect: ApiSchemaEffect }) {
  const { t } = useTranslation(['api-schema', 'web-security'])
  const format = useFormat()
  if (requests === 0) return <p>{t('effect.unknown')}</p>
  return (
    <div className={classes.stack}>
      <p>
        {misfits === 0
          ? t('effect.none', { count: requests, requests: format.number(requests) })
          : t('effect.some', {
              count: misfits,
              misfits: format.number(misfits),
              requests: format.number(requests),
            })}
      </p>
      {reasons.length > 0 && (
        <ul className={classes.reasons}>
          {reasons.map((one) => (
            <li key={one.reason} className={classes.reason}>
              <span>{t(`web-security:reason.${one.reason}`, { defaultValue: one.reason })}</span>
              <span className="num">{format.number(one.requests)}</span>
            </li>
          ))}
        </ul>
      )}
      {examples.length > 0 && (
        <ul className={classes.reasons} aria-label={t('effect.examples')}>
          {examples.slice(0, 8).map((one) => (
            <li key={`${one.method} ${one.path} ${one.reason} ${one.name}`} className={classes.reason}>
              <span className={classes.mono}>
                {one.method} {one.path} {one.name !== '' && `· ${one.name}`}
              </span>
              <span className={classes.quiet}>
                {t(`web-security:reason.${one.reason}`, { defaultValue: one.reason })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
