import { LIMITS, type Thumbnail, type ThumbnailInput, type VideoSource, streamThumbnails } from '@fairway/contract'
import { imageFormat, spriteOf, tileAt } from '@fairway/domain'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { base64Of } from '../../ui/forms/base64-of.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Upload } from '../../ui/forms/upload.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { timeOf, timeText } from '../stream-chapters/time-text.ts'
import classes from './stream-thumbnails.module.css'

const SOON_MS = 1_000
const TONE: Record<Thumbnail['state'], Tone> = { live: 'ok', making: 'info', failed: 'bad' }
const KINDS = ['automatic', 'moment', 'picture'] as const satisfies Thumbnail['kind'][]
type Props = { asset: string; isPlayable: boolean; source: VideoSource | null }

/** The picture that stands for a video: the automatic one, a moment of it, or one of your own. */
export function ThumbnailCard({ asset, isPlayable, source }: Props) {
  const { t } = useTranslation(['stream-thumbnails', 'errors'])
  const mayEdit = useCanCall(streamThumbnails.routes.set)
  const { data, error, refetch } = useRead(
    streamThumbnails.routes.get,
    { asset },
    { everyMs: (thumbnail) => (isPlayable && thumbnail?.state === 'making' ? SOON_MS : false) },
  )
  return (
    <Card
      title={t('title')}
      hint={t('meaning')}
      end={
        data?.url && (
          <Pill tone={TONE[data.state]} busy={data.state === 'making' && isPlayable}>
            {t(`state.${data.state}`)}
          </Pill>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={220} radius="md" />}
      {data && source === null && <p className={classes.quiet}>{t('waiting')}</p>}
      {data && source !== null && (
        <div className={classes.form}>
          {data.state === 'failed' && data.reasonCode !== null && (
            <Notice tone="bad" title={t(`errors:errorMessage.${data.reasonCode}`)}>
              {t('kept')} {data.reason}
            </Notice>
          )}
          {data.previewUrl === null ? (
            <p className={classes.quiet}>{t('none')}</p>
          ) : (
            <img className={classes.picture} src={data.previewUrl} alt={t('now')} />
          )}
          {data.url !== null && (
            <p className={classes.quiet}>
              {t('address')} <code>{data.url}</code> <Copy value={data.url} />
            </p>
          )}
          {mayEdit && (
            <Editor key={data.changedAt} asset={asset} saved={data} source={source} onDone={() => void refetch()} />
          )}
        </div>
      )}
    </Card>
  )
}

type EditorProps = { asset: string; saved: Thumbnail; source: VideoSource; onDone: () => void }
type Chosen = { name: string; data: string; problem: 'thumbnailFormat' | 'tooLarge' | null }

function Editor({ asset, saved, source, onDone }: EditorProps) {
  const { t } = useTranslation(['stream-thumbnails', 'validation'])
  const show = useSnackbar()
  const [kind, setKind] = useState<Thumbnail['kind']>(saved.kind)
  const [time, setTime] = useState(saved.at === null ? '' : timeText(saved.at))
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const set = useChange(streamThumbnails.routes.set, {
    subject: null,
    onDone: () => {
      show('stream-thumbnails', { message: t('saved') })
      onDone()
    },
  })
  const take = async (file: File) => {
    set.reset()
    if (file.size > LIMITS.thumbnailBytes) return setChosen({ name: file.name, data: '', problem: 'tooLarge' })
    const bytes = new Uint8Array(await file.arrayBuffer())
    setChosen(
      imageFormat(bytes) === null
        ? { name: file.name, data: '', problem: 'thumbnailFormat' }
        : { name: file.name, data: base64Of(bytes), problem: null },
    )
  }
  const at = timeOf(time)
  const problem =
    time === '' ? null : at === null ? t('noTime') : at >= source.seconds ? t('validation:thumbnailLate') : null
  const wanted = wantedOf(kind, problem === null ? at : null, chosen)
  const isSame =
    wanted?.kind === saved.kind && (wanted.kind === 'automatic' || (wanted.kind === 'moment' && wanted.at === saved.at))
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted) set.mutate({ asset, thumbnail: wanted })
      }}
    >
      {set.error && <FailureNotice title={t('notSaved')} error={set.error} />}
      <Segmented
        label={t('kindLabel')}
        value={kind}
        onChange={setKind}
        options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <p className={classes.quiet}>{t(`kindText.${kind}`)}</p>
      {kind === 'moment' && (
        <>
          {saved.spriteUrl !== null && <Strip url={saved.spriteUrl} source={source} at={at} onChoose={setTime} />}
          <TextInput
            className={classes.time}
            label={t('time')}
            placeholder="1:02.5"
            maxLength={14}
            value={time}
            error={problem}
            onChange={({ currentTarget: { value } }) => {
              set.reset()
              setTime(value)
            }}
          />
        </>
      )}
      {kind === 'picture' && (
        <>
          <Upload
            text={t('drop')}
            verb={t('choose')}
            accept=".jpg,.jpeg,.png,.webp"
            onFile={(file) => void take(file)}
          />
          {chosen && (
            <Notice tone={chosen.problem === null ? 'info' : 'bad'} title={chosen.name}>
              {chosen.problem === null
                ? t('chosen')
                : chosen.problem === 'tooLarge'
                  ? t('tooLarge')
                  : t('validation:thumbnailFormat')}
            </Notice>
          )}
        </>
      )}
      <div>
        <Button
          size="xs"
          type="submit"
          disabled={!wanted || (isSame && saved.state !== 'failed')}
          loading={set.isPending}
        >
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

function wantedOf(kind: Thumbnail['kind'], at: number | null, chosen: Chosen | null): ThumbnailInput | null {
  if (kind === 'automatic') return { kind }
  if (kind === 'moment') return at === null ? null : { kind, at }
  return chosen?.problem === null ? { kind, file: chosen.data } : null
}

const SHOWN = 8
type StripProps = { url: string; source: VideoSource; at: number | null; onChoose: (time: string) => void }

/** Some pictures from all of the film, to begin with; the time beside them is exact. */
function Strip({ url, source, at, onChoose }: StripProps) {
  const { t } = useTranslation('stream-thumbnails')
  const sprite = spriteOf(source)
  const count = Math.min(SHOWN, sprite.count)
  const times = Array.from(
    { length: count },
    (_, index) => Math.floor((index * sprite.count) / count) * sprite.everySeconds,
  )
  return (
    <div className={classes.strip} role="group" aria-label={t('strip')}>
      {times.map((seconds) => {
        const { x, y } = tileAt(sprite, seconds)
        return (
          <button
            key={seconds}
            type="button"
            className={classes.tile}
            aria-pressed={at === seconds}
            aria-label={t('at', { time: timeText(seconds) })}
            style={{
              width: sprite.width,
              height: sprite.height,
              backgroundImage: `url("${url}")`,
              backgroundPosition: `-${x}px -${y}px`,
            }}
            onClick={() => onChoose(timeText(seconds))}
          />
        )
      })}
    </div>
  )
}
