import { type Chapters, LIMITS, streamChapters } from '@fairway/contract'
import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { ApiError } from '../../api/api-error.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { whereOf } from '../stream-captions/where-of.ts'
import { timeOf, timeText } from './time-text.ts'
import classes from './stream-chapters.module.css'

const SOON_MS = 1_000
type Row = { key: number; time: string; title: string }
type Props = { asset: string; isPlayable: boolean; seconds: number | null }

/** Chapters of one video: written here, in the player a moment after they are saved. */
export function ChaptersCard({ asset, isPlayable, seconds }: Props) {
  const { t } = useTranslation('stream-chapters')
  const { data, error, refetch } = useRead(
    streamChapters.routes.get,
    { asset },
    { everyMs: (chapters) => (isPlayable && chapters?.isLive === false ? SOON_MS : false) },
  )
  return (
    <Card
      title={t('title')}
      hint={t('meaning')}
      end={
        data &&
        data.data.length > 0 && (
          <Pill tone={data.isLive ? 'ok' : 'info'} busy={!data.isLive && isPlayable}>
            {t(`where.${whereOf(data, isPlayable)}`)}
          </Pill>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} radius="md" />}
      {data && (
        <Editor
          key={JSON.stringify(data.data)}
          asset={asset}
          saved={data}
          seconds={seconds}
          onDone={() => void refetch()}
        />
      )}
    </Card>
  )
}

type EditorProps = { asset: string; saved: Chapters; seconds: number | null; onDone: () => void }

function Editor({ asset, saved, seconds, onDone }: EditorProps) {
  const { t } = useTranslation(['stream-chapters', 'validation', 'errors'])
  const show = useSnackbar()
  const mayEdit = useCanCall(streamChapters.routes.set)
  const before = saved.data.map(({ start, title }, key): Row => ({ key, time: timeText(start), title }))
  const [rows, setRows] = useState<readonly Row[]>(before)
  const set = useChange(streamChapters.routes.set, {
    subject: null,
    onDone: ({ data }) => {
      show('stream-chapters', { message: t('saved', { count: data.length }) })
      onDone()
    },
  })
  const edit = (key: number, change: Partial<Row>) => {
    set.reset()
    setRows((old) => old.map((row) => (row.key === key ? { ...row, ...change } : row)))
  }
  const add = () =>
    setRows((old) => [
      ...old,
      { key: Math.max(-1, ...old.map(({ key }) => key)) + 1, time: old.length === 0 ? '0:00' : '', title: '' },
    ])
  const problemOf = ({ key, time }: Row): string | null => {
    const at = timeOf(time)
    if (at === null) return time === '' ? null : t('noTime')
    if (seconds !== null && at >= seconds) return t('validation:chapterLate')
    return rows.some((other) => other.key !== key && timeOf(other.time) === at) ? t('validation:chapterTwice') : null
  }
  const isGood = rows.every((row) => problemOf(row) === null && timeOf(row.time) !== null && row.title.trim() !== '')
  const isChanged =
    JSON.stringify(rows.map(({ time, title }) => [time, title])) !==
    JSON.stringify(before.map(({ time, title }) => [time, title]))
  const adder = mayEdit && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={15} stroke={1.9} />}
      disabled={rows.length >= LIMITS.chapters}
      onClick={add}
    >
      {t('add')}
    </Button>
  )
  if (rows.length === 0 && saved.data.length === 0)
    return <EmptyTeach title={t('empty.title')} text={t('empty.text')} action={adder} />
  const said = set.error instanceof ApiError ? validationText(t, set.error.fields[0]?.message) : null
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isGood)
          set.mutate({ asset, chapters: rows.map(({ time, title }) => ({ start: timeOf(time) ?? 0, title })) })
      }}
    >
      {set.error && <FailureNotice title={said ?? t('notSaved')} error={set.error} />}
      <ol className={classes.rows} aria-label={t('title')}>
        {rows.map((row, index) => (
          <li key={row.key} className={classes.row}>
            <TextInput
              className={classes.time}
              aria-label={t('timeOf', { number: index + 1 })}
              placeholder="1:02:03"
              maxLength={14}
              value={row.time}
              error={problemOf(row)}
              disabled={!mayEdit}
              onChange={({ currentTarget: { value } }) => edit(row.key, { time: value })}
            />
            <TextInput
              className={classes.title}
              aria-label={t('titleOf', { number: index + 1 })}
              placeholder={t('titlePlaceholder')}
              maxLength={120}
              value={row.title}
              disabled={!mayEdit}
              onChange={({ currentTarget: { value } }) => edit(row.key, { title: value })}
            />
            {mayEdit && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('removeOf', { number: index + 1 })}
                onClick={() => setRows((old) => old.filter(({ key }) => key !== row.key))}
              >
                <IconTrash size={16} stroke={1.65} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ol>
      {mayEdit && (
        <div className={classes.line}>
          {adder}
          <Button size="xs" type="submit" disabled={!isGood || !isChanged} loading={set.isPending}>
            {t('save')}
          </Button>
        </div>
      )}
      {saved.jsonUrl !== null && (
        <p className={classes.quiet}>
          {t('others')} <code>{saved.jsonUrl}</code> <Copy value={saved.jsonUrl} />
        </p>
      )}
    </form>
  )
}
