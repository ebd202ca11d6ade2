import type { RecordHint } from '@fairway/domain'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { sentenceOf } from '../../i18n/sentence-of.ts'

export type RecordWords = ReturnType<typeof useRecordWords>

/** What every row of the table says, translated once for all of them. */
export function useRecordWords() {
  const { t } = useTranslation(['dns-records', 'shell'])
  const { seconds } = useFormat()
  return useMemo(
    () => ({
      auto: t('auto'),
      weight: t('weight'),
      tag: t('tags'),
      commented: sentenceOf((name) => t('commented', { text: name })),
      direct: t('direct'),
      cdns: (count: number) => t('cdns', { count }),
      seconds,
      hint: (hint: RecordHint) => t(`hint.${hint}`),
      copy: sentenceOf((name) => t('shell:copyNamed', { name })),
      menuOf: sentenceOf((name) => t('menuOf', { name })),
      multiCdnOf: sentenceOf((name) => t('multiCdnOf', { name })),
      turned: (on: boolean, name: string, cdns: number) =>
        on || cdns === 0 ? t(on ? 'turnedOn' : 'turnedOff', { name }) : t('turnedOffKept', { name, count: cdns }),
    }),
    [t, seconds],
  )
}
