import { accessControl } from '@fairway/contract'
import type { AccessList } from '@fairway/contract'
import { Button, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { Upload } from '../../ui/forms/upload.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import { BackTestPanel } from '../web-security/back-test-panel.tsx'
import { RuleFailure } from '../web-security/quota.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { Lockout } from './lockout.tsx'
import classes from './access-control.module.css'

type AddressDrawerProps = { opened: boolean; onClose: () => void; place: Place; list: AccessList }

/** Addresses and blocks, typed in or from a file, one a line. */
export function AddressDrawer({ opened, onClose, place, list }: AddressDrawerProps) {
  const { t } = useTranslation(['access-control', 'shell', 'validation'])
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [expiresAt, setExpiresAt] = useState<string | null>(null)
  const lines = note.trim() === '' ? text : withNote(text, note.trim())
  const close = () => {
    setText('')
    setNote('')
    save.reset()
    onClose()
  }
  const save = useChange(accessControl.routes.import, {
    subject: null,
    onDone: ({ data, meta }) => {
      show('access-control', {
        message: t('imported', { count: data.added, duplicates: data.duplicates }),
        ...undo(meta.version),
      })
      // What could not be read stays to be mended.
      if (data.refused.length === 0) close()
      else setText(data.refused.map((one) => one.text).join('\n'))
    },
  })
  const refused = save.data?.data.refused ?? []
  const submit = () => {
    if (text.trim() !== '') save.mutate({ ...place, list, text: lines, expiresAt })
  }
  return (
    <SideDrawer
      opened={opened}
      onClose={close}
      title={t(`address.addTo.${list}`)}
      keepOpen={text !== ''}
      onSubmit={submit}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={text.trim() === ''}>
            {t('address.add')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {save.error && <RuleFailure place={place} part="access-control" title={t('notSaved')} error={save.error} />}
        <Textarea
          label={t('address.lines')}
          description={t('address.linesHelp')}
          placeholder={'203.0.113.9\n198.51.100.0/24 # office\n2001:db8::/32'}
          value={text}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={2_000_000}
          spellCheck={false}
          classNames={{ input: classes.mono }}
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {refused.length > 0 && (
          <ul className={classes.refused} role="alert">
            {refused.map(({ line, text: words, message }) => (
              <li key={line}>{`${words}: ${validationText(t, message) ?? message}`}</li>
            ))}
          </ul>
        )}
        <Upload
          text={t('address.drop')}
          verb={t('address.choose')}
          accept=".txt,.csv,.list,text/plain"
          onFile={(file) => void file.text().then(setText)}
        />
        <TextInput
          label={t('note')}
          description={t('noteHelp')}
          value={note}
          maxLength={200}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ExpiryField value={expiresAt} onChange={setExpiresAt} />
        <Lockout place={place} change={text.trim() === '' ? null : { text: { list, lines } }} />
        <BackTestPanel place={place} change={text.trim() === '' ? null : { access: { text: { list, lines } } }} />
      </div>
    </SideDrawer>
  )
}

/** Lines that have no note of their own get this one. */
const withNote = (text: string, note: string): string =>
  text
    .split('\n')
    .map((line) => (line.trim() === '' || line.includes('#') ? line : `${line} # ${note}`))
    .join('\n')
