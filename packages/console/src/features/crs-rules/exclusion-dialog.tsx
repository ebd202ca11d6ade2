import { crsRules, CrsExclusionInput } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './crs-rules.module.css'

const FIELDS = ['ruleId', 'path', 'parameter', 'note'] as const
type Fields = Record<(typeof FIELDS)[number], string>
const EMPTY: Fields = { ruleId: '', path: '', parameter: '', note: '' }
const inputOf = ({ ruleId, ...rest }: Fields) => ({ ...rest, ruleId: ruleId.trim() === '' ? null : Number(ruleId) })
// Holds because `inputOf` takes exactly what the form holds.
const schema = z.preprocess((fields) => inputOf(fields as Fields), CrsExclusionInput) as z.ZodType<unknown, Fields>

export function ExclusionDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const { t } = useTranslation('crs-rules')
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const form = useZodForm<Fields>(schema, EMPTY)
  const exclude = useChange(crsRules.routes.exclude, {
    subject: null,
    onDone: ({ meta }) => {
      show('exclusion', { message: t('exclusion.added'), ...undo(meta.version) })
      onClose()
    },
  })
  const submit = form.handleSubmit((fields) =>
    exclude.mutate({ ...place, ...inputOf(fields) }, { onError: (error) => void form.takeFieldErrors(error) }),
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('exclusion.add')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={exclude.isPending} onClick={() => void submit()}>
            {t('exclusion.add')}
          </Button>
        </>
      }
    >
      <form
        className={classes.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p className={classes.help}>{t('exclusion.meaning')}</p>
        {exclude.error && <FailureNotice title={t('notSaved')} error={exclude.error} />}
        {FIELDS.map((name) => (
          <TextInput
            key={name}
            label={t(`exclusion.${name}`)}
            description={name === 'note' ? undefined : t(`exclusion.${name}Help`)}
            placeholder={name === 'note' ? undefined : { ruleId: '942100', path: '/posts/*', parameter: 'body' }[name]}
            error={form.problem(name)}
            autoComplete="off"
            spellCheck={false}
            {...form.register(name)}
          />
        ))}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
