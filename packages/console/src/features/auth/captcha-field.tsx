import { auth } from '@fairway/contract'
import type { CaptchaAnswer } from '@fairway/contract'
import { ActionIcon, Button, Skeleton, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { failureText } from '../../ui/layers/snackbar.tsx'
import classes from './captcha-field.module.css'
import { solveWork } from './solve-work.ts'

type CaptchaFieldProps = {
  /** Another number asks for another task: one is judged once. */
  round: number
  onRenew: () => void
  onAnswer: (answer: CaptchaAnswer | null) => void
  problem: string | null
}

/** Four characters of a picture, or work that the browser does for those who cannot read it. */
export function CaptchaField({ round, onRenew, onAnswer, problem }: CaptchaFieldProps) {
  const { t } = useTranslation(['auth', 'errors'])
  const [kind, setKind] = useState<'picture' | 'work'>('picture')
  const [text, setText] = useState('')
  const task = useQuery({
    queryKey: [auth.routes.captcha.path, kind, round],
    queryFn: ({ signal }) => api(auth.routes.captcha, { kind }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const worked = useWork(kind === 'work' ? task.data : undefined, onAnswer)
  useEffect(() => setText(''), [round, kind])
  const type = (typed: string) => {
    setText(typed)
    onAnswer(typed.trim() === '' || !task.data ? null : { id: task.data.id, text: typed })
  }
  if (kind === 'work') {
    return (
      <div className={classes.work} role="status">
        {worked ? (
          <>
            <IconCheck size={16} stroke={2} className={classes.done} aria-hidden />
            {t('captcha.worked')}
          </>
        ) : (
          t('captcha.working')
        )}
        {problem !== null && <span className={classes.problem}>{problem}</span>}
      </div>
    )
  }
  return (
    <div className={classes.field}>
      <div className={classes.row}>
        <TextInput
          className={classes.text}
          label={t('captcha.label')}
          description={t('captcha.help')}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          error={problem ?? (task.isError ? failureText(t, task.error) : null)}
          maxLength={8}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <div className={classes.picture}>
          {task.data?.picture ? (
            <img
              src={`data:image/svg+xml;utf8,${encodeURIComponent(task.data.picture)}`}
              width={119}
              height={36}
              alt={t('captcha.picture')}
            />
          ) : (
            <Skeleton width={119} height={36} />
          )}
          <Tooltip label={t('captcha.renew')}>
            <ActionIcon size={24} aria-label={t('captcha.renew')} onClick={onRenew}>
              <IconRefresh size={15} stroke={1.65} />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      {window.isSecureContext && (
        <Button
          className={classes.other}
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            onAnswer(null)
            setKind('work')
          }}
        >
          {t('captcha.cannotRead')}
        </Button>
      )}
    </div>
  )
}

/** Does the work as soon as there is some. True when it is done. */
function useWork(
  task: { id: string; work: Parameters<typeof solveWork>[0] | null } | undefined,
  onAnswer: CaptchaFieldProps['onAnswer'],
): boolean {
  const [doneFor, setDoneFor] = useState<string | null>(null)
  useEffect(() => {
    if (!task?.work) return
    const given = new AbortController()
    void solveWork(task.work, given.signal).then((proof) => {
      if (!proof) return
      setDoneFor(task.id)
      onAnswer({ id: task.id, proof })
    })
    return () => given.abort()
  }, [task, onAnswer])
  return task !== undefined && doneFor === task.id
}
