import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PreviewErrors } from './preview-errors.tsx'
import { useRowWords } from './row-words.ts'
import { type PartsImport, SHOWN_LEFT } from './use-parts-import.ts'
import classes from './zone-files.module.css'

/** How far a large file is: read, then taken part by part; and what of it was left out. */
export function PartsPanel({ state }: { state: PartsImport }) {
  const { t } = useTranslation('zone-files')
  const format = useFormat()
  const words = useRowWords()
  if (state.phase === 'broken') return <PreviewErrors errors={state.errors} />
  if (state.phase === 'reading')
    return (
      <p className={classes.hindrance} role="status">
        {t('parts.reading', { records: format.number(state.read) })}
      </p>
    )
  const { phase, split, taken, counts, left, error } = state
  const count = split.parts.length
  return (
    <>
      <Notice tone="info" title={t('parts.title', { records: format.number(split.records), count })}>
        {t('parts.text')}
      </Notice>
      {phase !== 'ready' && (
        <>
          <Progress value={(taken / count) * 100} aria-label={t('parts.progress')} />
          <p role="status">
            {t(`parts.${phase}`, { taken: format.number(taken), count })}{' '}
            {t('parts.counts', {
              added: format.number(counts.added),
              changed: format.number(counts.changed),
              skipped: format.number(counts.skipped),
            })}
          </p>
        </>
      )}
      {error !== null && <FailureNotice title={t('parts.failed', { part: format.number(taken + 1) })} error={error} />}
      {left.length > 0 && (
        <Notice tone="warn" title={t('parts.left', { count: left.length })}>
          <ul className={classes.errors} aria-label={t('parts.leftList')} tabIndex={0}>
            {left.slice(0, SHOWN_LEFT).map((row) => (
              <li key={`${row.line} ${row.name} ${row.type} ${row.value}`}>
                {row.line !== null && <span className={classes.place}>{t('parts.line', { line: row.line })}</span>}{' '}
                <code>{`${row.name} ${row.type}`}</code> {words(row)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
