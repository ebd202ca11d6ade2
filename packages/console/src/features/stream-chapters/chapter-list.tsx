import { streamChapters } from '@fairway/contract'
import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { timeText } from './time-text.ts'
import classes from './stream-chapters.module.css'

/** Chapters beside a player: a click goes there. Nothing while there are none. */
export function ChapterList({ asset, at, onSeek }: { asset: string; at: number; onSeek: (seconds: number) => void }) {
  const { t } = useTranslation('stream-chapters')
  const { data } = useRead(streamChapters.routes.get, { asset })
  const chapters = data?.data ?? []
  if (chapters.length === 0) return null
  const current = chapters.findLastIndex(({ start }) => start <= at + 0.01)
  return (
    <ol className={classes.list} aria-label={t('title')}>
      {chapters.map(({ start, title }, index) => (
        <li key={start}>
          <UnstyledButton
            className={classes.jump}
            aria-current={index === current ? 'true' : undefined}
            onClick={() => onSeek(start)}
          >
            <span className="num">{timeText(start)}</span>
            <span className={classes.name}>{title}</span>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  )
}
