import { type Caption, streamCaptions } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buildCall } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { languageName } from './language-name.ts'
import { whereOf } from './where-of.ts'
import classes from './stream-captions.module.css'

const SOON_MS = 1_000
const STEADY_MS = 30_000
const CaptionDrawer = onDemand(async () => (await import('./caption-drawer.tsx')).CaptionDrawer)

type Props = {
  asset: string
  isPlayable: boolean
  /** Length of the film, where it is known. */ seconds: number | null
}

/** Captions of one video, in every language there is; a change is with viewers a moment later. */
export function CaptionsCard({ asset, isPlayable, seconds }: Props) {
  const { t } = useTranslation('stream-captions')
  const [editing, setEditing] = useState<Caption | 'new' | null>(null)
  const mayEdit = useCanCall(streamCaptions.routes.create)
  const { data, error, refetch } = useRead(
    streamCaptions.routes.list,
    { asset },
    { everyMs: (list) => (isPlayable && list?.data.some(({ isLive }) => !isLive) ? SOON_MS : STEADY_MS) },
  )
  const isFull = data !== undefined && data.data.length >= data.limit
  const add = mayEdit && (
    <Button
      size="xs"
      leftSection={<IconPlus size={15} stroke={1.9} />}
      disabled={isFull}
      {...(isFull ? { title: t('full') } : {})}
      onClick={() => setEditing('new')}
    >
      {t('add')}
    </Button>
  )
  const rows = data?.data ?? []
  return (
    <Card title={t('title')} hint={t('meaning')} end={rows.length > 0 && add} flush={rows.length > 0}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} radius="md" />}
      {data && rows.length === 0 && <EmptyTeach title={t('empty.title')} text={t('empty.text')} action={add} />}
      {rows.length > 0 && (
        <CaptionsTable
          rows={rows}
          asset={asset}
          isPlayable={isPlayable}
          seconds={seconds}
          onEdit={mayEdit ? setEditing : null}
          onDone={() => void refetch()}
        />
      )}
      {editing !== null && (
        <CaptionDrawer
          opened
          asset={asset}
          caption={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={() => void refetch()}
        />
      )}
    </Card>
  )
}

type TableProps = Props & {
  rows: readonly Caption[]
  onEdit: ((caption: Caption) => void) | null
  onDone: () => void
}

function CaptionsTable({ rows, asset, isPlayable, seconds, onEdit, onDone }: TableProps) {
  const { t } = useTranslation('stream-captions')
  const format = useFormat()
  const show = useSnackbar()
  const [removing, setRemoving] = useState<Caption | null>(null)
  const remove = useChange(streamCaptions.routes.remove, {
    onDone: () => {
      show('stream-captions', { message: t('removed', { name: removing?.label }) })
      setRemoving(null)
      onDone()
    },
  })
  return (
    <>
      <FlushTable
        label={t('title')}
        head={[
          { key: 'label', text: t('label') },
          { key: 'language', text: t('language'), wide: true },
          { key: 'kind', text: t('kindLabel'), wide: true },
          { key: 'cues', text: t('cues'), number: true, wide: true },
          { key: 'state', text: t('state') },
          { key: 'actions', text: '' },
        ]}
      >
        {rows.map((caption) => (
          <tr key={caption.id}>
            <th scope="row">
              <span className={classes.name}>{caption.label}</span>
              {caption.isDefault && <span className={classes.mark}>{t('isDefault')}</span>}
            </th>
            <td data-wide>
              {languageName(caption.language, format.language) || caption.language}{' '}
              <code className={classes.quiet}>{caption.language}</code>
            </td>
            <td data-wide>{t(`kind.${caption.kind}`)}</td>
            <td className="num" data-number data-wide>
              {format.number(caption.cues)}
            </td>
            <td>
              <Pill tone={caption.isLive ? 'ok' : 'info'} busy={!caption.isLive && isPlayable}>
                {t(`where.${whereOf(caption, isPlayable)}`)}
              </Pill>
              {seconds !== null && caption.endsAt > seconds + 1 && <span className={classes.warn}>{t('tooLong')}</span>}
            </td>
            <td className={classes.rowEnd}>
              <Button
                component="a"
                size="xs"
                variant="default"
                href={buildCall(streamCaptions.routes.file, { asset, id: caption.id }).url}
                download
                aria-label={t('downloadNamed', { name: caption.label })}
              >
                {t('download')}
              </Button>
              {onEdit && (
                <>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('changeNamed', { name: caption.label })}
                    onClick={() => onEdit(caption)}
                  >
                    {t('change')}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    color="red"
                    aria-label={t('removeNamed', { name: caption.label })}
                    onClick={() => setRemoving(caption)}
                  >
                    {t('remove')}
                  </Button>
                </>
              )}
            </td>
          </tr>
        ))}
      </FlushTable>
      <Confirm
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('removeAsk', { name: removing?.label })}
        verb={t('remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate({ asset, id: removing.id })}
      >
        {t('removeText')}
      </Confirm>
    </>
  )
}
