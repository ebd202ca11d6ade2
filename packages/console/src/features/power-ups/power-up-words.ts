import type { PowerUp } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useLocalText } from '../billing/use-money.ts'

/** Name and introduction in the language of the page; what has no words of its own has those of its driver. */
export function usePowerUpWords() {
  const { t } = useTranslation('power-ups')
  const text = useLocalText()
  return {
    nameOf: ({ name }: Pick<PowerUp, 'name'>): string => text(name),
    introductionOf: ({ introduction, driver }: Pick<PowerUp, 'introduction' | 'driver'>): string =>
      introduction === null ? t(`driver.${driver ?? 'custom'}`) : text(introduction),
    featuresOf: ({ features, review }: Pick<PowerUp, 'features' | 'review'>): string[] => [
      ...(features === null
        ? []
        : (['websocket', 'wildcard', 'icpCheck'] as const)
            .filter((feature) => features[feature])
            .map((feature) => t(`feature.${feature}`))),
      ...(review ? [t('feature.review')] : []),
    ],
  }
}
