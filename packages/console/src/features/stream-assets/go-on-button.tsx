import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { ACCEPT } from './accepted.ts'
import { uploads, useIsSending } from './uploads.ts'

const Confirm = onDemand(async () => (await import('../../ui/layers/confirm.tsx')).Confirm)
type Props = {
  /** What the file is of: new videos, or the id of the video that it replaces. */
  of: string
  /** As it was announced. */
  name: string
  size: number
  uploadUrl: string | null
  onMoved: () => void
}

/**
 * Goes on with an upload that was begun before this page was opened: a browser gives a file only to who chooses it
 * again. Another size is another file; another name may be one.
 */
export function GoOnButton({ of, name, size, uploadUrl, onMoved }: Props) {
  const { t } = useTranslation('stream-assets')
  const format = useFormat()
  const show = useSnackbar()
  const isSending = useIsSending(uploadUrl)
  const [odd, setOdd] = useState<File | null>(null)
  if (uploadUrl === null || isSending) return null
  const send = (file: File) => {
    setOdd(null)
    uploads.goOn(file, { of, uploadUrl, onMoved })
  }
  const take = (file: File | null) => {
    if (!file) return
    if (file.size !== size)
      return show('stream-assets', {
        message: t('otherSize', { name: file.name, size: format.bytes(file.size), begun: format.bytes(size) }),
        tone: 'bad',
      })
    if (file.name === name) send(file)
    else setOdd(file)
  }
  return (
    <>
      <FileButton accept={ACCEPT} onChange={take}>
        {(props) => (
          <Button
            {...props}
            size="compact-xs"
            variant="default"
            title={t('goOnHint')}
            aria-label={t('goOnNamed', { name })}
          >
            {t('goOn')}
          </Button>
        )}
      </FileButton>
      <Confirm
        opened={odd !== null}
        onClose={() => setOdd(null)}
        title={t('otherFile')}
        verb={t('goOnAnyway')}
        onConfirm={() => odd && send(odd)}
      >
        {t('otherFileText', { name: odd?.name ?? '', begun: name })}
      </Confirm>
    </>
  )
}
