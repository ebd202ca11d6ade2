import { ByoTestProblem } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'

/** How the last test of a key ended. */
export function TestPill({ testedAt, problem }: { testedAt: string | null; problem: string | null }) {
  const { t } = useTranslation('byo-cdn-keys')
  const format = useFormat()
  if (testedAt === null) return <Pill tone="neutral">{t('untested')}</Pill>
  return (
    <Pill tone={problem === null ? 'ok' : 'bad'} title={format.exact(Date.parse(testedAt))}>
      {t(problem === null ? 'works' : `problemShort.${known(problem)}`)}
    </Pill>
  )
}

/** The same in a sentence, with the vendor's own words. */
export function TestNotice({ problem, detail }: { problem: string | null; detail: string | null }) {
  const { t } = useTranslation('byo-cdn-keys')
  if (problem === null)
    return (
      <Notice tone="info" title={t('works')}>
        {t('worksText')}
      </Notice>
    )
  return (
    <Notice tone="bad" title={t(`problemShort.${known(problem)}`)}>
      {t(`problem.${known(problem)}`)}
      {detail !== null && (
        <>
          <br />
          <code>{detail}</code>
        </>
      )}
    </Notice>
  )
}

const known = (problem: string): ByoTestProblem => ByoTestProblem.catch('unexpected').parse(problem)
