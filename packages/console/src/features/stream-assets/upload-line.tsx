import { LIMITS, VIDEO_ENDINGS, isErrorCode } from '@fairway/contract'
import { Button, Progress, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { otherName } from './other-name.ts'
import { type UploadRow, uploads } from './uploads.ts'
import classes from './stream-assets.module.css'

/** One file that is sent: how far it is, what is in its way, and what to do about that. */
export function UploadLine({ row }: { row: UploadRow }) {
  const { t } = useTranslation('stream-assets')
  const format = useFormat()
  const { key, name, loaded, size, state, code } = row
  return (
    <>
      <span className={classes.name}>{name}</span>
      <span className={classes.quiet}>
        {format.bytes(loaded)} / {format.bytes(size)} · {format.percent(Math.floor((loaded / size) * 100))}
      </span>
      <Progress
        value={(loaded / size) * 100}
        color={state === 'failed' ? 'red' : state === 'done' ? 'teal' : 'blue'}
        aria-label={name}
      />
      <span className={classes.line}>
        <span role="status">
          <Standing row={row} />
        </span>
        <span className={classes.line}>
          {(state === 'going' || state === 'retrying') && (
            <Button size="compact-xs" variant="default" onClick={() => uploads.pause(key)}>
              {t('pause')}
            </Button>
          )}
          {(state === 'paused' || (state === 'failed' && row.uploadUrl !== null)) && (
            <Button size="compact-xs" variant="default" onClick={() => uploads.resume(key)}>
              {t('resume')}
            </Button>
          )}
          {(state === 'failed' || state === 'done') && (
            <Button size="compact-xs" variant="default" onClick={() => uploads.forget(key)}>
              {t('dismiss')}
            </Button>
          )}
        </span>
      </span>
      {code === TAKEN && <OtherName row={row} />}
    </>
  )
}

const TAKEN = 30007
/** What to do, where the sentence of the code does not say it. */
const ADVICE = [30004, 30008, 30009, 30030, 920902] as const

function Standing({ row: { state, code } }: { row: UploadRow }) {
  const { t } = useTranslation(['stream-assets', 'errors'])
  const advice = ADVICE.find((one) => one === code)
  if (code === null) return t(`upload_${state}`)
  const why =
    code === 0 ? t('noLine') : t(isErrorCode(code) ? `errors:errorMessage.${code}` : 'errors:errorMessage.unknown')
  return (
    <>
      {why} {state === 'retrying' && t('goesOn')}
      {state === 'failed' &&
        advice !== undefined &&
        t(`todo.${advice}`, { count: LIMITS.streamSources, formats: VIDEO_ENDINGS.join(', ') })}
    </>
  )
}

/** A name that is free most likely, to be changed or taken as it is. */
function OtherName({ row: { key, name } }: { row: UploadRow }) {
  const { t } = useTranslation('stream-assets')
  const [text, setText] = useState(otherName(name))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') uploads.rename(key, text.trim())
  }
  return (
    <form className={classes.line} onSubmit={submit}>
      <TextInput
        className={classes.grow}
        size="xs"
        aria-label={t('otherName')}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="xs" type="submit">
        {t('sendAs')}
      </Button>
    </form>
  )
}
