import { METERS, type Meter, type MeterAmounts, type PlanPrice, type PlanPricing, plans } from '@fairway/contract'
import { decimalText, minorDigits, parseMoney } from '@fairway/domain'
import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './plans.module.css'
import { usePlansChange } from './use-plans-change.ts'

type StoredPlan = PlanPricing & { id: string; name: string }

/**
 * A plan's price, what it includes and what more costs, one currency at a time. Invoices that are posted keep what they
 * say.
 */
export function PricingDrawer({ plan, onClose }: { plan: StoredPlan | undefined; onClose: () => void }) {
  const kept = useRef(plan)
  if (plan) kept.current = plan
  return kept.current ? (
    <PricingForm key={kept.current.id} plan={kept.current} opened={plan !== undefined} onClose={onClose} />
  ) : null
}

type Draft = {
  monthly: string
  trialCredit: string
  rates: Record<Meter, string>
  allowances: Record<Meter, number | ''>
}

function PricingForm({
  plan: { id, name, ...saved },
  opened,
  onClose,
}: {
  plan: StoredPlan
  opened: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('plans')
  const show = useSnackbar()
  const currencies = Object.keys(saved.prices)
  const [currency, setCurrency] = useState(currencies[0] ?? 'USD')
  const [draft, setDraft] = useState(() => draftOf(saved, currency))
  const [offered, setOffered] = useState(saved.offered)
  const [overUsage, setOverUsage] = useState(saved.overUsage)
  const [wrong, setWrong] = useState(false)
  const save = usePlansChange(plans.routes.setPricing, () => {
    show(`pricing ${id}`, { message: t('saved', { name }) })
    onClose()
  })
  const submit = () => {
    const read = readDraft(draft, saved, currency)
    setWrong(read === null)
    if (read) save.mutate({ plan: id, ...saved, ...read, offered, overUsage })
  }
  const choose = (next: string | null) => {
    if (next === null) return
    setCurrency(next)
    setDraft(draftOf(saved, next))
  }
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      keepOpen="quietly"
      title={t('pricesOf', { name })}
      onSubmit={submit}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
        <Select
          label={t('currency')}
          data={[...new Set([...currencies, 'USD', 'EUR', 'JPY', 'TWD', 'CNY'])]}
          value={currency}
          onChange={choose}
          allowDeselect={false}
        />
        <div className={classes.two}>
          <TextInput
            label={t('monthly', { currency })}
            inputMode="decimal"
            value={draft.monthly}
            onChange={(event) => setDraft({ ...draft, monthly: event.currentTarget.value })}
          />
          {saved.category === 'trial' && (
            <TextInput
              label={t('trialCredit', { currency })}
              inputMode="decimal"
              value={draft.trialCredit}
              onChange={(event) => setDraft({ ...draft, trialCredit: event.currentTarget.value })}
            />
          )}
        </div>
        {METERS.map((meter) => (
          <div key={meter} className={classes.two}>
            <NumberInput
              label={t(`included.${meter}`)}
              min={0}
              allowDecimal={false}
              thousandSeparator=","
              value={draft.allowances[meter]}
              onChange={(value) =>
                setDraft({
                  ...draft,
                  allowances: { ...draft.allowances, [meter]: typeof value === 'number' ? value : '' },
                })
              }
            />
            <TextInput
              label={t(`rate.${meter}`, { currency })}
              inputMode="decimal"
              value={draft.rates[meter]}
              onChange={(event) =>
                setDraft({ ...draft, rates: { ...draft.rates, [meter]: event.currentTarget.value } })
              }
            />
          </div>
        ))}
        {wrong && <FailureNotice title={t('wrong')} error={null} />}
        <Select
          label={t('overUsage')}
          data={[
            { value: 'bill', label: t('over.bill') },
            { value: 'stop', label: t('over.stop') },
          ]}
          value={overUsage}
          onChange={(value) => setOverUsage(value === 'stop' ? 'stop' : 'bill')}
          allowDeselect={false}
        />
        <Switch label={t('offered')} checked={offered} onChange={(event) => setOffered(event.currentTarget.checked)} />
      </div>
    </SideDrawer>
  )
}

/** Prices are given for so many units: a million queries or requests, a gigabyte, a thousand views, an hour, a thousand minutes for 30 days. */
const UNITS: Record<Meter, number> = {
  dnsQuery: 1e6,
  chinaDnsQuery: 1e6,
  cdnRequest: 1e6,
  cdnTraffic: 1e9,
  streamView: 1e3,
  liveMinute: 60,
  encodedMinute: 100,
  storedMinute: 30_000,
}

function draftOf(saved: PlanPricing, currency: string): Draft {
  const price = saved.prices[currency]
  const text = (minor: number | undefined) => (minor === undefined ? '' : decimalText(minor, minorDigits(currency)))
  const each = <T,>(of: (meter: Meter) => T) =>
    Object.fromEntries(METERS.map((meter) => [meter, of(meter)])) as Record<Meter, T>
  return {
    monthly: text(price?.monthlyMinor),
    trialCredit: text(saved.trialCredit[currency]),
    rates: each((meter) => text(price?.rates[meter]?.minor)),
    allowances: each((meter) => saved.allowances[meter] ?? ''),
  }
}

/**
 * Null when an amount is none. An empty monthly price takes the currency away; an empty rate makes what is above the
 * allowance free.
 */
function readDraft(
  { monthly, trialCredit, rates, allowances }: Draft,
  saved: PlanPricing,
  currency: string,
): Pick<PlanPricing, 'prices' | 'allowances' | 'trialCredit'> | null {
  const { [currency]: _old, ...others } = saved.prices
  const { [currency]: _credit, ...otherCredits } = saved.trialCredit
  const monthlyMinor = parseMoney(monthly || '0', currency)
  const creditMinor = parseMoney(trialCredit || '0', currency)
  const read: PlanPrice['rates'] = {}
  for (const meter of METERS) {
    if (rates[meter].trim() === '') continue
    const minor = parseMoney(rates[meter], currency)
    if (minor === null) return null
    read[meter] = { units: saved.prices[currency]?.rates[meter]?.units ?? UNITS[meter], minor }
  }
  if (monthlyMinor === null || creditMinor === null) return null
  const kept: MeterAmounts = Object.fromEntries(
    METERS.flatMap((meter) => (allowances[meter] === '' ? [] : [[meter, allowances[meter]]])),
  )
  return {
    prices: monthly.trim() === '' ? others : { ...others, [currency]: { monthlyMinor, rates: read } },
    allowances: kept,
    trialCredit: creditMinor === 0 ? otherCredits : { ...otherCredits, [currency]: creditMinor },
  }
}
