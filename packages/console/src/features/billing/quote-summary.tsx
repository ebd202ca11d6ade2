import type { ChangeQuote } from '@fairway/contract'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './billing.module.css'
import { useLocalText, useMoney } from './use-money.ts'

/** What a change costs now, line by line, and each month from then on. */
export function QuoteSummary({ quote }: { quote: ChangeQuote }) {
  const { t } = useTranslation('billing')
  const text = useLocalText()
  const money = useMoney(quote.currency)
  const rows: [string, string, boolean][] = [
    ...quote.lines.map((line): [string, string, boolean] => [
      line.kind === 'unused' ? text(line.name) : t('quote.rest', { name: text(line.name) }),
      money(line.amountMinor),
      false,
    ]),
    ...(quote.discountMinor > 0
      ? [[t('total.discount'), money(-quote.discountMinor), false] as [string, string, boolean]]
      : []),
    ...(quote.taxMinor > 0
      ? [[quote.taxName ?? t('total.tax'), money(quote.taxMinor), false] as [string, string, boolean]]
      : []),
    ...(quote.creditMinor > 0
      ? [[t('total.credit'), money(-quote.creditMinor), false] as [string, string, boolean]]
      : []),
    [t('quote.now'), money(quote.dueMinor), true],
    ...(quote.toCreditMinor > 0
      ? [[t('quote.toCredit'), money(quote.toCreditMinor), false] as [string, string, boolean]]
      : []),
    ...(quote.monthlyMinor > 0
      ? [[t('quote.monthly'), money(quote.monthlyMinor), false] as [string, string, boolean]]
      : []),
  ]
  return (
    <dl className={classes.total}>
      {rows.map(([name, value, strong]) => (
        <Fragment key={name}>
          <dt className={strong ? classes.strong : classes.quiet}>{name}</dt>
          <dd className={strong ? classes.strong : undefined}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
