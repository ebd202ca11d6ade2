import { IpAddress, routingStrategies } from '@fairway/contract'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { SampleChips } from '../why/sample-chips.tsx'
import classes from './mimicked-field.module.css'

type MimickedFieldProps = { place: Place; value: string; onChange: (address: string) => void; error: string | null }

/** The address that visitors are taken to have, and where that is, as the location data knows it. */
export function MimickedField({ place, value, onChange, error }: MimickedFieldProps) {
  const { t } = useTranslation('vsr-rules')
  const words = usePlaceWords()
  const [settled] = useDebouncedValue(value.trim(), 300)
  const isAddress = IpAddress.safeParse(settled).success
  const { data } = useRead(routingStrategies.routes.simulate, { ...place, client: settled }, { enabled: isAddress })
  const found = isAddress && data?.visitor.address === settled ? data.visitor.location : null
  return (
    <div className={classes.root}>
      <TextInput
        label={t('mimicked')}
        description={t('mimickedHelp')}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        classNames={{ input: classes.mono }}
        spellCheck={false}
        autoComplete="off"
      />
      <p className={classes.where} role="status">
        {found
          ? [words.location(found), found.network !== null ? words.network(found.network) : null]
              .filter((part) => part !== null)
              .join(' · ')
          : ''}
      </p>
      <SampleChips chosen={value} onChoose={onChange} />
    </div>
  )
}
