import { type UsageItem, UsageType, billing } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from './billing.module.css'
import { useMoney } from './use-money.ts'

type Month = 'current' | 'previous'

/** Used of quota, this month or the one before; above a quota the bar turns and says what it costs. */
export function UsageCard({ month, onMonth }: { month: Month; onMonth: (month: Month) => void }) {
  const { t } = useTranslation('billing')
  const { data, error, refetch } = useRead(billing.routes.usage, { month })
  return (
    <Card
      title={t('usage.title')}
      hint={
        data?.countedAt ? (
          <>
            {t('usage.counted')} <Age inside at={data.countedAt} />
          </>
        ) : data ? (
          t('usage.notCounted')
        ) : (
          <Skeleton className={classes.counted} />
        )
      }
      end={
        <Segmented
          label={t('usage.month')}
          value={month}
          onChange={onMonth}
          options={[
            { value: 'current', label: t('usage.current') },
            { value: 'previous', label: t('usage.previous') },
          ]}
        />
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {(data || !error) && (
        <div className={classes.meters} aria-busy={!data || undefined}>
          {data
            ? data.items.map((item) => <MeterRow key={item.type} item={item} currency={data.currency} />)
            : UsageType.options.map((type) => <MeterAwaited key={type} type={type} />)}
        </div>
      )}
    </Card>
  )
}

function MeterRow({ item, currency }: { item: UsageItem; currency: string }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const money = useMoney(currency)
  const amount = item.unit === 'bytes' ? format.bytes : format.number
  const name = t(`usage.type.${item.type}`)
  return (
    <div className={classes.meter} data-over={item.overUsage || undefined}>
      <div className={classes.meterLine}>
        <span>{name}</span>
        <span className={classes.number}>
          {item.quota === null
            ? amount(item.used)
            : t('quota.of', { used: amount(item.used), total: amount(item.quota) })}
        </span>
      </div>
      {item.quota === null ? (
        <div className={classes.noBar} />
      ) : (
        <div
          className={classes.bar}
          role="progressbar"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.min(100, item.progress)}
          aria-valuetext={format.percent(item.progress)}
        >
          <span className={classes.fill} style={{ width: `${Math.min(100, item.progress)}%` }} />
        </div>
      )}
      {item.overUsage && (
        <span className={classes.over}>
          {t('usage.over', { percent: format.percent(item.progress - 100) })}
          {item.overMinor !== null && <> · {money(item.overMinor)}</>}
        </span>
      )}
    </div>
  )
}

/** A row whose figures are on their way, as high as it will be. */
function MeterAwaited({ type }: { type: UsageItem['type'] }) {
  const { t } = useTranslation('billing')
  return (
    <div className={classes.meter}>
      <div className={classes.meterLine}>
        <span>{t(`usage.type.${type}`)}</span>
        <Skeleton className={classes.amount} />
      </div>
      <div className={classes.bar} />
    </div>
  )
}
