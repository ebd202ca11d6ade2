import { LIMITS, type EntityChange, type SiteVersion } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Age } from '../../ui/marks/age.tsx'
import { DiffView, diffRows } from '../../ui/marks/diff-view.tsx'
import { FoldingItem } from '../../ui/page/folding-item.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { spoken, useChangeWords } from './change-words.ts'
import classes from './version-history.module.css'

type VersionItemProps = { version: SiteVersion; onRevert: (() => void) | null }

/** One version: number, what it did, who and when; opened, its diff. */
export function VersionItem({ version, onRevert }: VersionItemProps) {
  const { t } = useTranslation('versions')
  const words = useChangeWords()
  return (
    <FoldingItem
      lead={<span className={classes.number}>{version.number}</span>}
      title={words.title(version)}
      by={
        <>
          {t('by', { author: version.author, source: t(`source.${version.source}`) })} ·{' '}
          <Age inside at={version.createdAt} />
        </>
      }
      end={<StatusPill state={version.state} since={Date.parse(version.createdAt)} />}
    >
      {() => (
        <>
          {version.changes.map((change) => (
            <ChangeDiff key={`${change.entity} ${change.id}`} change={change} named={version.changes.length > 1} />
          ))}
          {version.changes.length >= LIMITS.versionChanges && version.changeCount > version.changes.length && (
            <p className={classes.none}>{t('compare.rest', { count: version.changeCount - version.changes.length })}</p>
          )}
          {version.changes.length === 0 && <p className={classes.none}>{t('noChanges')}</p>}
          {onRevert && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconArrowBackUp size={15} stroke={1.65} />}
              onClick={onRevert}
            >
              {version.changeCount > version.changes.length
                ? t('revertAll', { count: version.changeCount })
                : t('revert')}
            </Button>
          )}
        </>
      )}
    </FoldingItem>
  )
}

/** Named only among several: a single one is what the version's own line says. */
export function ChangeDiff({ change, named }: { change: EntityChange; named: boolean }) {
  const words = useChangeWords()
  const rows = diffRows(spoken(change.before), spoken(change.after), words.value, words.field)
  return (
    <div className={classes.change}>
      {named && <p className={classes.changeTitle}>{words.did(change)}</p>}
      <DiffView rows={rows} />
    </div>
  )
}
