import { type RoutingStrategy, StrategyInput, routingStrategies } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change, useChange } from '../../../api/use-change.ts'
import { FailureNotice } from '../../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { useReportFailure, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import type { Place } from '../strategies-read.ts'
import { inputOf } from '../strategy-input.ts'

const MOST_LETTERS = 80

type DuplicateDialogProps = {
  place: Place
  strategy: RoutingStrategy
  rows: readonly RoutingStrategy[]
  onClose: () => void
}

/** Makes another strategy like one, right behind it and off, so that nobody is moved by it. */
export function DuplicateDialog({ place, strategy, rows, onClose }: DuplicateDialogProps) {
  const { t } = useTranslation(['routing-strategies', 'shell', 'validation'])
  const show = useSnackbar()
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  const [name, setName] = useState(() => t('duplicate.suggested', { name: strategy.name }).slice(0, MOST_LETTERS))
  const isValid = StrategyInput.shape.name.safeParse(name).success
  // A new one is made last; putting it in its place is a second call, and the strategy stays when that fails.
  const create = useChange(routingStrategies.routes.create, {
    subject: null,
    onDone: async ({ data }) => {
      show('strategy', { message: t('duplicate.done', { name: data.name }) })
      onClose()
      const ids = rows.map(({ id }) => id)
      const at = ids.indexOf(strategy.id) + 1
      if (at < ids.length)
        await change(queryClient, routingStrategies.routes.reorder, {
          ...place,
          ids: [...ids.slice(0, at), data.id, ...ids.slice(at)],
        }).catch((error: unknown) => reportFailure('strategy', error))
    },
  })
  const save = () => {
    if (isValid && !create.isPending) create.mutate({ ...place, ...inputOf(strategy), name, enabled: false })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('duplicate.title', { name: strategy.name })}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={create.isPending} onClick={save}>
            {t('duplicate.verb')}
          </Button>
        </>
      }
    >
      {create.error && <FailureNotice title={t('notSaved')} error={create.error} />}
      <TextInput
        label={t('name')}
        description={t('duplicate.about')}
        value={name}
        maxLength={MOST_LETTERS}
        data-autofocus
        error={isValid ? null : t('validation:required')}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      />
    </Dialog>
  )
}
