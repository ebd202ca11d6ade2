import { ChallengeType } from '@fairway/contract'
import { isWildcard } from '@fairway/domain'
import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'

export type ChallengeChoice = ChallengeType | 'automatic'
type ChallengeFieldProps = {
  value: ChallengeChoice
  names: readonly string[]
  onChange: (value: ChallengeChoice) => void
}

/** What is wrong with proving these names so, as a message key. */
export const challengeProblem = (choice: ChallengeChoice, names: readonly string[]): string | undefined =>
  choice === 'http-01' && names.some(isWildcard) ? 'validation.wildcardNeedsDns' : undefined

/** How the authority sees that the names are ours. */
export function ChallengeField({ value, names, onChange }: ChallengeFieldProps) {
  const { t } = useTranslation(['certificates', 'validation'])
  const choices = ['automatic', ...ChallengeType.options] as const
  return (
    <Select
      label={t('challenge')}
      description={t(`challengeHint.${value}`)}
      data={choices.map((choice) => ({ value: choice, label: t(`challengeChoice.${choice}`) }))}
      value={value}
      allowDeselect={false}
      error={validationText(t, challengeProblem(value, names))}
      onChange={(next) => onChange(choices.find((choice) => choice === next) ?? 'automatic')}
    />
  )
}
