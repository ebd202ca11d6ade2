import { ListedStrategy, routingStrategies } from '@fairway/contract'
import { Button, Skeleton, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ApiError, type FieldProblem } from '../../../api/api-error.ts'
import { useRead } from '../../../api/queries.ts'
import { useChange } from '../../../api/use-change.ts'
import { FailureNotice } from '../../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { Copy } from '../../../ui/marks/copy.tsx'
import { type Place, strategiesInput } from '../strategies-read.ts'
import { inputOf } from '../strategy-input.ts'
import { readWritten } from '../strategy-text.ts'
import { TextProblems } from '../text-problems.tsx'
import classes from './text-dialog.module.css'

const Written = z.array(ListedStrategy)

type TextDialogProps = { place: Place; onClose: () => void }

/** All strategies as the JSON that the API takes, in the order they are read; what is saved replaces the list. */
export function TextDialog({ place, onClose }: TextDialogProps) {
  const { t } = useTranslation(['routing-strategies', 'shell'])
  const show = useSnackbar()
  const { data, error } = useRead(routingStrategies.routes.list, strategiesInput(place))
  const [typed, setTyped] = useState<string | null>(null)
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const replace = useChange(routingStrategies.routes.replace, {
    subject: null,
    onDone: ({ data: { strategies } }) => {
      show('strategies', { message: t('text.done', { count: strategies.length }) })
      onClose()
    },
  })
  const saved =
    data &&
    JSON.stringify(
      data.data.map((strategy) => ({ id: strategy.id, ...inputOf(strategy) })),
      null,
      2,
    )
  const text = typed ?? saved ?? ''
  const wrong = replace.error instanceof ApiError ? replace.error.fields : problems
  const save = () => {
    const read = readWritten(Written, text)
    setProblems(read.problems)
    replace.reset()
    if (read.value) replace.mutate({ ...place, strategies: read.value })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('text.title')}
      size={720}
      tall
      footer={
        <>
          <Copy value={text} name={t('text.copied')} />
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={replace.isPending} disabled={saved === undefined} onClick={save}>
            {t('text.save')}
          </Button>
        </>
      }
    >
      <div className={classes.root}>
        <p className={classes.about}>{t('text.about')}</p>
        {error && <FailureNotice title={t('text.away')} error={error} />}
        {saved === undefined ? (
          !error && <Skeleton height={320} />
        ) : (
          <Textarea
            aria-label={t('text.label')}
            classNames={{ input: classes.code }}
            value={text}
            onChange={(event) => setTyped(event.currentTarget.value)}
            rows={22}
            spellCheck={false}
            error={wrong.length > 0}
          />
        )}
        {replace.error && <FailureNotice title={t('text.failed')} error={replace.error} />}
        <TextProblems problems={wrong} />
      </div>
    </Dialog>
  )
}
