import type { RoutingStrategy } from '@fairway/contract'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type PositionFieldProps = {
  strategies: readonly RoutingStrategy[]
  /** From 0. */ value: number
  onChange: (position: number) => void
}

/** Where a new strategy stands among the others: the first that matches decides, so it matters. */
export function PositionField({ strategies, value, onChange }: PositionFieldProps) {
  const { t } = useTranslation('routing-strategies')
  const before = strategies.map(({ name }, index) => ({
    value: String(index),
    label: t('place.before', { number: index + 1, name }),
  }))
  return (
    <Select
      label={t('place.label')}
      description={t('positionHelp')}
      value={String(value)}
      onChange={(next) => onChange(Number(next))}
      data={[
        ...before,
        { value: String(strategies.length), label: t('place.last', { number: strategies.length + 1 }) },
      ]}
    />
  )
}
