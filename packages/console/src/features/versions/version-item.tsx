import type { EntityChange, SiteVersion } from '@fairway/contract'
import { Button, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Age } from '../../ui/age.tsx'
import { DiffView, diffRows } from '../../ui/diff-view.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { spoken, useChangeWords } from './change-words.ts'
import classes from './version-history.module.css'

type VersionItemProps = { version: SiteVersion; onRevert: (() => void) | null }

/** One version: number, what it did, who and when; opened, its diff. */
export function VersionItem({ version, onRevert }: VersionItemProps) {
  const { t } = useTranslation('versions')
  const words = useChangeWords()
  const [opened, setOpened] = useState(false)
  const id = useId()
  return (
    <li className={classes.item} data-opened={opened || undefined}>
      <UnstyledButton className={classes.line} aria-expanded={opened} aria-controls={id} onClick={() => setOpened(!opened)}>
        <IconChevronRight className={classes.chevron} size={15} stroke={1.8} aria-hidden />
        <span className={classes.number}>{version.number}</span>
        <span className={classes.what}>
          <span className={classes.title}>{words.title(version)}</span>
          <span className={classes.by}>{t('by', { author: version.author, source: t(`source.${version.source}`) })} · <Age at={version.createdAt} /></span>
        </span>
        <StatusPill state={version.state} since={Date.parse(version.createdAt)} />
      </UnstyledButton>
      {opened && (
        <div className={classes.detail} id={id}>
          {version.changes.map((change) => <ChangeDiff key={`${change.entity} ${change.id}`} change={change} named={version.changes.length > 1} />)}
          {version.changes.length === 0 && <p className={classes.none}>{t('noChanges')}</p>}
          {onRevert && <Button variant="default" size="xs" leftSection={<IconArrowBackUp size={15} stroke={1.65} />} onClick={onRevert}>{t('revert')}</Button>}
        </div>
      )}
    </li>
  )
}

/** Named only among several: a single one is what the version's own line says. */
function ChangeDiff({ change, named }: { change: EntityChange; named: boolean }) {
  const words = useChangeWords()
  const rows = diffRows(spoken(change.before), spoken(change.after), words.value, words.field)
  return (
    <div className={classes.change}>
      {named && <p className={classes.changeTitle}>{words.did(change)}</p>}
      <DiffView rows={rows} />
    </div>
  )
}
