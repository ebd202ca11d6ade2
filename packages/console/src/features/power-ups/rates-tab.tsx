import type { PowerUpDetail } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useMoney } from '../billing/use-money.ts'
import classes from './power-ups.module.css'

/** What it costs with this organisation's plan. */
export function RatesTab({ powerUp: { rates, monthlyMinor, allowances, currency } }: { powerUp: PowerUpDetail }) {
  const { t } = useTranslation('power-ups')
  const format = useFormat()
  const money = useMoney(currency)
  const amount = (meter: string, value: number) => (meter === 'cdnTraffic' ? format.bytes(value) : format.number(value))
  return (
    <div className={classes.stack}>
      {monthlyMinor !== null && <p className={classes.figure}>{t('monthly', { price: money(monthlyMinor) })}</p>}
      {allowances !== null && Object.keys(allowances).length > 0 && (
        <dl className={classes.facts}>
          {Object.entries(allowances).map(([meter, value]) => [
            <dt key={`${meter} name`}>{t(`meter.${meter}`)}</dt>,
            <dd key={meter} className="num">
              {t('eachMonth', { amount: amount(meter, value) })}
            </dd>,
          ])}
        </dl>
      )}
      {rates !== null && (
        <table className={classes.rates}>
          <thead>
            <tr>
              <th scope="col">{t('rates.what')}</th>
              <th scope="col">{t('rates.included')}</th>
              <th scope="col">{t('rates.more')}</th>
            </tr>
          </thead>
          <tbody>
            {rates.map(({ meter, included, rate }) => (
              <tr key={meter}>
                <th scope="row">{t(`meter.${meter}`)}</th>
                <td className="num">{included === null ? t('rates.all') : amount(meter, included)}</td>
                <td className="num">
                  {rate === null
                    ? '—'
                    : t('rates.per', { price: money(rate.minor), amount: amount(meter, rate.units) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={classes.quiet}>{t(rates === null ? 'rates.service' : 'rates.cdn')}</p>
    </div>
  )
}
