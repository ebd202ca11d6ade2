import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './confirm-by-name.module.css'
import { Dialog } from './dialog.tsx'

type ConfirmByNameProps = {
  opened: boolean
  onClose: () => void
  title: string
  /** What has to be typed. */
  name: string
  children: ReactNode
  /** What is asked for besides. */
  fields?: ReactNode
  verb: string
  busy?: boolean
  onConfirm: () => void
}

/** For what is gone for good: its name has to be typed. */
export function ConfirmByName(props: ConfirmByNameProps) {
  // A new dialog starts with an empty field.
  return props.opened ? <OpenedConfirm {...props} /> : null
}

function OpenedConfirm({
  opened,
  onClose,
  title,
  name,
  children,
  fields,
  verb,
  busy = false,
  onConfirm,
}: ConfirmByNameProps) {
  const { t } = useTranslation(['shell', 'validation'])
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  const matches = typed.trim() === name
  const confirm = () => {
    setAsked(true)
    if (matches) onConfirm()
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={busy} onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      <div className={classes.text}>{children}</div>
      {fields !== undefined && <div className={classes.fields}>{fields}</div>}
      <TextInput
        label={t('typeName', { name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') confirm()
        }}
        error={asked && !matches ? t('validation:matchInputString') : null}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </Dialog>
  )
}
