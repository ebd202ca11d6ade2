import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { SAMPLE_VISITORS } from './sample-visitors.ts'
import classes from './sample-chips.module.css'

/** Far apart from each other, so that strategies tell them apart. */
const OFFERED = ['US', 'BR', 'DE', 'ZA', 'IN', 'CN', 'JP', 'AU'] as const

type SampleChipsProps = { chosen: string | undefined; onChoose: (address: string) => void; offered?: readonly string[] }

/** A visitor of a country with one click. */
export function SampleChips({ chosen, onChoose, offered = OFFERED }: SampleChipsProps) {
  const { t } = useTranslation('why-panel')
  const format = useFormat()
  return (
    <ul className={classes.chips} aria-label={t('samples')}>
      {offered.map((country) => {
        const address = SAMPLE_VISITORS[country]
        return (
          address !== undefined && (
            <li key={country}>
              <UnstyledButton
                className={classes.chip}
                aria-pressed={address === chosen}
                title={address}
                onClick={() => onChoose(address)}
              >
                {format.country(country)}
              </UnstyledButton>
            </li>
          )
        )
      })}
    </ul>
  )
}
