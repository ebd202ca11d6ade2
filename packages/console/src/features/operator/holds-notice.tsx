import { type OperatorHold, operatorArea } from '@fairway/contract'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useRefreshing } from './use-refreshing.ts'

const REFRESH_MS = 30_000
const HOUR_S = 3_600

/** What nobody is charged for until an operator has looked: after a restore, or a jump of the clock. */
export function HoldsNotice() {
  const { t } = useTranslation('operator')
  const [asked, setAsked] = useState<OperatorHold | null>(null)
  const [isDropped, setDropped] = useState(true)
  const { data } = useRead(operatorArea.routes.holds, {}, { everyMs: REFRESH_MS })
  const confirm = useRefreshing(operatorArea.routes.confirmHold, '/operator/v2/', () => setAsked(null))
  return (
    <>
      {data?.data.map((hold) => (
        <Notice
          key={hold.id}
          tone="bad"
          title={t(`holds.${hold.kind}`)}
          action={
            <Button variant="default" size="xs" onClick={() => setAsked(hold)}>
              {t('holds.look')}
            </Button>
          }
        >
          <HoldText hold={hold} />
        </Notice>
      ))}
      <Confirm
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={t('holds.confirm')}
        verb={t('holds.confirm')}
        busy={confirm.isPending}
        onConfirm={() =>
          asked && confirm.mutate({ hold: asked.id, letters: asked.kind === 'restored' && isDropped ? 'drop' : 'send' })
        }
      >
        <p>{t(asked?.kind === 'clock' ? 'holds.beforeClock' : 'holds.beforeRestored')}</p>
        {asked?.kind === 'restored' && (
          <>
            <Checkbox
              label={t('holds.drop', { count: asked.waiting.letters })}
              checked={isDropped}
              onChange={(event) => setDropped(event.currentTarget.checked)}
            />
            {asked.apiKeys.length > 0 && (
              <>
                <p>{t('holds.keys')}</p>
                <ul>
                  {asked.apiKeys.map((label, at) => (
                    <li key={`${at} ${label}`}>{label}</li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Confirm>
    </>
  )
}

function HoldText({ hold }: { hold: OperatorHold }) {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const { letters, charges, months } = hold.waiting
  const counts = { letters: format.number(letters), charges: format.number(charges), months: format.number(months) }
  if (hold.kind === 'clock')
    return t('holds.clockText', { ...counts, hours: format.number(Math.round(Math.abs(hold.seconds ?? 0) / HOUR_S)) })
  return hold.moment === null
    ? t('holds.latestText', counts)
    : t('holds.restoredText', { ...counts, moment: format.dateTime(Date.parse(hold.moment)) })
}
