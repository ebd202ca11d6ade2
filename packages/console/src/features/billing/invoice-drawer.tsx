import { type Invoice, type InvoiceLine, billing } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { LANGUAGE_NAME, LOCALES } from '../../i18n/locale.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './billing.module.css'
import { LineUsageView } from './line-usage-view.tsx'
import { useLocalText, useMoney } from './use-money.ts'

/** One invoice: its lines, each with the usage behind it, and the PDF in every language. */
export function InvoiceDrawer({
  opened,
  id,
  onClose,
}: {
  opened: boolean
  id: string | undefined
  onClose: () => void
}) {
  const { t } = useTranslation('billing')
  const { data, error, refetch } = useRead(
    billing.routes.invoice,
    { id: id ?? '' },
    { enabled: opened && id !== undefined },
  )
  const invoice = data?.id === id ? data : undefined
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      size={720}
      title={invoice ? t('invoice.title', { number: invoice.number }) : t('tab.invoice')}
      footer={
        invoice && (
          <div className={classes.buttons}>
            {LOCALES.map((locale) => (
              <Button
                key={locale}
                component="a"
                href={pdfPath(invoice.id, locale)}
                download
                variant="default"
                leftSection={<IconDownload size={15} stroke={1.7} aria-hidden />}
              >
                {t('invoice.pdf', { language: LANGUAGE_NAME[locale] })}
              </Button>
            ))}
          </div>
        )
      }
    >
      {error && !invoice && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !invoice && <Skeleton height={320} radius="lg" />}
      {invoice && <InvoiceView invoice={invoice} />}
    </SideDrawer>
  )
}

const pdfPath = (id: string, locale: string): string =>
  `${billing.routes.pdf.path.replace('{id}', id)}?locale=${locale}`

function InvoiceView({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const money = useMoney(invoice.currency)
  const totals: [string, number, boolean][] = [
    [t('total.subtotal'), invoice.subtotalMinor, false],
    ...(invoice.discountMinor > 0
      ? [[t('total.discount'), -invoice.discountMinor, false] as [string, number, boolean]]
      : []),
    ...(invoice.taxRatePpm > 0
      ? [
          [
            `${invoice.taxName ?? t('total.tax')} ${format.percent(invoice.taxRatePpm / 10_000)}`,
            invoice.taxMinor,
            false,
          ] as [string, number, boolean],
        ]
      : []),
    [t('total.total'), invoice.totalMinor, true],
    ...(invoice.creditMinor > 0 ? [[t('total.credit'), -invoice.creditMinor, false] as [string, number, boolean]] : []),
    [invoice.status === 'paid' ? t('total.paid') : t('total.due'), invoice.dueMinor, true],
  ]
  return (
    <div className={classes.stack}>
      <dl className={classes.facts}>
        <dt>{t('column.status')}</dt>
        <dd>
          <StatusPill state={invoice.status} />
        </dd>
        <dt>{t('column.date')}</dt>
        <dd>{format.date(Date.parse(invoice.date))}</dd>
        <dt>{t('invoice.to')}</dt>
        <dd>{invoice.buyer.organizationName}</dd>
        {invoice.status !== 'paid' && (
          <>
            <dt>{t('invoice.due')}</dt>
            <dd>{format.date(Date.parse(invoice.dueAt))}</dd>
          </>
        )}
      </dl>
      <div className={classes.lines}>
        {invoice.lines.map((line) => (
          <Line key={line.number} line={line} invoice={invoice} />
        ))}
      </div>
      <dl className={classes.total}>
        {totals.map(([name, amount, strong]) => (
          <Total key={name} name={name} value={money(amount)} strong={strong} />
        ))}
      </dl>
    </div>
  )
}

function Total({ name, value, strong }: { name: string; value: string; strong: boolean }) {
  return (
    <>
      <dt className={strong ? classes.strong : classes.quiet}>{name}</dt>
      <dd className={strong ? classes.strong : undefined}>{value}</dd>
    </>
  )
}

function Line({ line, invoice }: { line: InvoiceLine; invoice: Invoice }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const money = useMoney(invoice.currency)
  const text = useLocalText()
  const [shown, setShown] = useState(false)
  const amount = line.itemId === 'cdnTraffic' ? format.bytes : format.number
  return (
    <div className={classes.item}>
      <span className={classes.name}>{text(line.name)}</span>
      <span className={classes.number}>{money(line.amountMinor)}</span>
      <span className={classes.detail}>
        {line.rate
          ? t('line.usage', {
              used: amount(line.used ?? 0),
              included: amount(line.included ?? 0),
              price: money(line.rate.minor),
              units: amount(line.rate.units),
            })
          : t('line.span', {
              from: format.date(Date.parse(line.from)),
              until: format.date(Date.parse(line.until) - 1),
            })}
        {line.discountMinor > 0 && <> · {t('line.discount', { amount: money(line.discountMinor) })}</>}
      </span>
      {line.kind === 'usage' && (
        <Button
          className={classes.why}
          variant="subtle"
          size="compact-xs"
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          {t(shown ? 'line.hide' : 'line.explain')}
        </Button>
      )}
      {shown && <LineUsageView id={invoice.id} number={line.number} />}
    </div>
  )
}
