import { SigningKeyInput, type SigningKind, signedUrls } from '@fairway/contract'
import { KEY_FILE } from '@fairway/domain'
import { Button, Checkbox, Textarea } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './signed-urls.module.css'

type KeyDialogProps = { opened: boolean; onClose: () => void; onMade: () => void }
type Made = { keyId: string; privateKey: string }

/** A new key: a pair made here, whose private half is shown this once, or the public half of one made elsewhere. */
export function KeyDialog({ opened, onClose, onMade }: KeyDialogProps) {
  const [made, setMade] = useState<Made | null>(null)
  const close = () => {
    setMade(null)
    onClose()
  }
  return (
    <>
      <NewKey opened={opened && made === null} onClose={close} onMade={onMade} onPair={setMade} />
      {made && <PrivateKey made={made} onClose={close} />}
    </>
  )
}

function NewKey({ opened, onClose, onMade, onPair }: KeyDialogProps & { onPair: (made: Made) => void }) {
  const { t } = useTranslation(['signed-urls', 'shell'])
  const [from, setFrom] = useState<'here' | 'elsewhere'>('here')
  const [kind, setKind] = useState<SigningKind>('ecdsa-p256')
  const form = useZodForm<z.input<typeof SigningKeyInput>>(SigningKeyInput, { kind, publicKey: '' })
  const create = useChange(signedUrls.routes.createKey, {
    subject: null,
    onDone: ({ data, privateKey }) => {
      onMade()
      form.reset()
      if (privateKey === null) onClose()
      else onPair({ keyId: data.keyId, privateKey })
    },
  })
  const close = () => {
    create.reset()
    form.reset()
    onClose()
  }
  const submit = form.handleSubmit(({ publicKey }) =>
    create.mutate(from === 'here' ? { kind } : { kind, publicKey: publicKey ?? '' }, {
      onError: (error) => form.takeFieldErrors(error),
    }),
  )
  const isField = form.formState.errors.publicKey !== undefined
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t('newKey')}
      size={560}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button loading={create.isPending} onClick={() => void submit()} data-autofocus>
            {t(from === 'here' ? 'makePair' : 'addPublic')}
          </Button>
        </>
      }
    >
      <div className={classes.page}>
        {create.error && !isField && <FailureNotice title={t('notAdded')} error={create.error} />}
        <Segmented
          label={t('kind')}
          value={kind}
          onChange={setKind}
          options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
        <p className={classes.quiet}>{t(`kindText.${kind}`)}</p>
        <Segmented
          label={t('from')}
          value={from}
          onChange={setFrom}
          options={(['here', 'elsewhere'] as const).map((value) => ({ value, label: t(`fromWhere.${value}`) }))}
        />
        <p className={classes.quiet}>{t(`fromText.${from}`)}</p>
        {from === 'elsewhere' && (
          <>
            <Textarea
              label={t('publicKey')}
              autosize
              minRows={4}
              maxRows={8}
              placeholder="-----BEGIN PUBLIC KEY-----"
              error={form.problem('publicKey')}
              classNames={{ input: classes.mono }}
              {...form.register('publicKey')}
            />
            <CodeSnippet label="OpenSSL" code={OPENSSL[kind]} />
          </>
        )}
      </div>
    </Dialog>
  )
}

const KINDS = ['ecdsa-p256', 'rsa-2048'] as const satisfies readonly SigningKind[]

/** How a pair is made elsewhere. */
const OPENSSL: Record<SigningKind, string> = {
  'ecdsa-p256': `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ${KEY_FILE}
openssl pkey -in ${KEY_FILE} -pubout`,
  'rsa-2048': `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out ${KEY_FILE}
openssl pkey -in ${KEY_FILE} -pubout`,
}

/** Nobody will see it again, so it closes when it has been kept, and not by a slip. */
function PrivateKey({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('signed-urls')
  const [isKept, setKept] = useState(false)
  return (
    <Dialog
      opened
      onClose={() => isKept && onClose()}
      title={t('privateKeyTitle')}
      size={640}
      footer={
        <Button disabled={!isKept} onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className={classes.page}>
        <Notice tone="warn">{t('privateKeyText')}</Notice>
        <CodeSnippet label={`${t('keyId')} ${made.keyId}`} code={made.privateKey} />
        <div>
          <Button
            component="a"
            variant="default"
            size="xs"
            href={`data:application/x-pem-file;charset=utf-8,${encodeURIComponent(made.privateKey)}`}
            download={KEY_FILE}
            leftSection={<IconDownload size={15} stroke={1.65} />}
          >
            {t('download')}
          </Button>
        </div>
        <Checkbox label={t('kept')} checked={isKept} onChange={({ currentTarget }) => setKept(currentTarget.checked)} />
      </div>
    </Dialog>
  )
}
