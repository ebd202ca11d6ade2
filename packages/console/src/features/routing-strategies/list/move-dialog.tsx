import { Button, NumberInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/layers/dialog.tsx'

type MoveDialogProps = {
  opened: boolean
  name: string
  position: number
  total: number
  onClose: () => void
  onMove: (position: number) => void
}

/** Puts a strategy at a position by its number, for long lists and for hands that do not drag. */
export function MoveDialog({ opened, name, position, total, onClose, onMove }: MoveDialogProps) {
  const { t } = useTranslation(['routing-strategies', 'shell'])
  const [typed, setTyped] = useState<number | string>(position)
  useEffect(() => {
    if (opened) setTyped(position)
  }, [opened, position])
  const to = Number(typed)
  const isValid = Number.isInteger(to) && to >= 1 && to <= total
  const move = () => {
    if (isValid) onMove(to)
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('moveToTitle', { name })}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button onClick={move}>{t('moveVerb')}</Button>
        </>
      }
    >
      <NumberInput
        label={t('position', { total })}
        description={t('positionHelp')}
        value={typed}
        onChange={setTyped}
        min={1}
        max={total}
        allowDecimal={false}
        clampBehavior="none"
        data-autofocus
        error={isValid ? null : t('positionWrong', { total })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') move()
        }}
      />
    </Dialog>
  )
}
