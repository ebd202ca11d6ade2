import { type PulseSeen, type PulseSettings, pulse } from '@fairway/contract'
import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './pulse.module.css'

const KEPT_HOURS = [0, 24, 168, 720] as const

/** The public keys that pages carry: which is in use, and which ends when. */
export function KeysCard({ of, live }: { of: PulseSettings; live: PulseSeen | null }) {
  const { t } = useTranslation('pulse')
  const format = useFormat()
  const mayEdit = useCanCall(pulse.routes.rotate)
  const [asking, setAsking] = useState<'rotate' | { end: string } | null>(null)
  const [hours, setHours] = useState<number>(168)
  const done = { onDone: () => setAsking(null) }
  const rotate = useChange(pulse.routes.rotate, done)
  const end = useChange(pulse.routes.endKey, done)
  const ending = asking !== null && asking !== 'rotate' ? asking.end : null
  return (
    <Card
      title={t('keys')}
      end={
        mayEdit && (
          <Button variant="default" size="xs" onClick={() => setAsking('rotate')}>
            {t('rotate')}
          </Button>
        )
      }
    >
      <ul className={classes.list} aria-label={t('keys')}>
        {of.keys.map(({ key, createdAt, until }) => {
          const use = live?.keys.find((one) => one.key === key)
          return (
            <li key={key} className={classes.item}>
              <div className={classes.line}>
                <code className={classes.name}>{key}</code>
                <Copy value={key} />
                <span className={classes.end}>
                  {until === null ? (
                    <Pill tone="ok">{t('keyState.current')}</Pill>
                  ) : (
                    <Pill tone="warn">{t('keyState.old')}</Pill>
                  )}
                </span>
              </div>
              <p className={classes.quiet}>
                {until === null ? (
                  <>
                    {t('keyMade')} <Age inside at={createdAt} />
                  </>
                ) : (
                  t('keyEnds', { at: format.exact(Date.parse(until)) })
                )}
                {' · '}
                {live === null ? '—' : t('keyUse', { number: format.number(use?.beacons ?? 0) })}
              </p>
              {until !== null && mayEdit && (
                <Button variant="subtle" size="compact-xs" color="red" onClick={() => setAsking({ end: key })}>
                  {t('endKey')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Confirm
        opened={asking === 'rotate'}
        onClose={() => setAsking(null)}
        title={t('rotateAsk')}
        verb={t('rotateVerb')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate({ keepOldHours: hours })}
      >
        <p>{t('rotateText')}</p>
        <Select
          label={t('keepOld.label')}
          value={String(hours)}
          allowDeselect={false}
          data={KEPT_HOURS.map((value) => ({ value: String(value), label: t(`keepOld.${value}`) }))}
          onChange={(value) => setHours(Number(value))}
        />
      </Confirm>
      <Confirm
        opened={ending !== null}
        onClose={() => setAsking(null)}
        title={t('endAsk')}
        verb={t('endKey')}
        danger
        busy={end.isPending}
        onConfirm={() => ending !== null && end.mutate({ key: ending })}
      >
        {t('endText')}
      </Confirm>
    </Card>
  )
}
