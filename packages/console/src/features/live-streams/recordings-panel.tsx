import { type LiveRecording, type LiveStream, liveStreams } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { lengthText } from '../stream-assets/length-text.ts'
import classes from './live-streams.module.css'

const OFTEN_MS = 2_000
const STEADY_MS = 10_000
const TONE: Record<LiveRecording['state'], Tone> = { running: 'bad', sealed: 'info', kept: 'ok', refused: 'warn' }

/** Whether broadcasts are kept, and what was. */
export function RecordingsPanel({ stream, onChange }: { stream: LiveStream; onChange: () => void }) {
  const { t } = useTranslation('live-streams')
  const mayEdit = useCanCall(liveStreams.routes.setRecording)
  const change = useChange(liveStreams.routes.setRecording, { onDone: onChange })
  const { data, error, refetch } = useRead(
    liveStreams.routes.recordings,
    { id: stream.id },
    {
      everyMs: (list) =>
        stream.isRecorded || list?.data.some(({ state }) => state === 'running' || state === 'sealed')
          ? OFTEN_MS
          : STEADY_MS,
    },
  )
  return (
    <div className={classes.page}>
      <Card>
        <SwitchRow
          label={t('recording.switch')}
          text={t('recording.switchText')}
          checked={stream.isRecorded}
          disabled={!mayEdit || change.isPending}
          onChange={(on) => change.mutate({ id: stream.id, on })}
        />
      </Card>
      <Card title={t('tab.recordings')} flush={data !== undefined && data.data.length > 0}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={120} radius="lg" />}
        {data?.data.length === 0 && <p className={classes.quiet}>{t('recording.none')}</p>}
        {data && data.data.length > 0 && <Rows rows={data.data} />}
      </Card>
    </div>
  )
}

function Rows({ rows }: { rows: readonly LiveRecording[] }) {
  const { t } = useTranslation('live-streams')
  const format = useFormat()
  return (
    <FlushTable
      label={t('tab.recordings')}
      head={[
        { key: 'begun', text: t('recording.begun') },
        { key: 'state', text: t('recording.state') },
        { key: 'length', text: t('recording.length'), number: true },
        { key: 'size', text: t('recording.size'), number: true, wide: true },
        { key: 'video', text: t('recording.video') },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">{format.dateTime(Date.parse(row.startedAt))}</th>
          <td>
            <Pill tone={TONE[row.state]} busy={row.state === 'sealed'}>
              {t(`recording.is.${row.state}`)}
            </Pill>
            {row.reason !== '' && <p className={classes.quiet}>{t(`recording.why.${row.reason}`)}</p>}
          </td>
          <td data-number>{row.state === 'refused' ? '—' : lengthText(row.seconds)}</td>
          <td data-number data-wide>
            {row.state === 'refused' ? '—' : format.bytes(row.bytes)}
          </td>
          <td>
            {row.asset === null ? (
              '—'
            ) : (
              <Link to="/stream/assets/detail/$vid" params={{ vid: row.asset.id }}>
                {row.asset.name}
              </Link>
            )}
          </td>
        </tr>
      ))}
    </FlushTable>
  )
}
