import { certificates } from '@fairway/contract'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { CertificateFacts } from './certificate-facts.tsx'
import classes from './certificates.module.css'
import type { FormProps } from './form-props.ts'

const FIELDS = ['certificate', 'privateKey', 'chain'] as const

/** Paste or choose files, look at what was read, confirm. */
export function UploadForm({ site, before, opened, onClose, onMade }: FormProps) {
  const { t } = useTranslation('certificates')
  const [texts, setTexts] = useState({ certificate: '', privateKey: '', chain: '' })
  const check = useChange(certificates.routes.checkUpload, { subject: null })
  const upload = useChange(certificates.routes.upload, { subject: null, onDone: ({ data }) => onMade(data.id) })
  const set = (field: (typeof FIELDS)[number], text: string) => {
    check.reset()
    upload.reset()
    setTexts((old) => ({ ...old, [field]: text }))
  }
  const isFilled = texts.certificate.trim() !== '' && texts.privateKey.trim() !== ''
  const read = check.data
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('setup')}
      size={720}
      keepOpen={isFilled}
      onSubmit={() => {
        if (read) upload.mutate({ site: site.id, ...texts })
        else if (isFilled) check.mutate({ site: site.id, ...texts })
      }}
      footer={
        <>
          <Button variant="default" onClick={read ? () => check.reset() : onClose}>
            {t(read ? 'back' : 'cancel')}
          </Button>
          <Button type="submit" loading={check.isPending || upload.isPending} disabled={!isFilled}>
            {t(read ? 'install' : 'check')}
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        {!read && before}
        {(check.error ?? upload.error) && (
          <FailureNotice
            title={t('notUploaded')}
            error={(check.error ?? upload.error) as NonNullable<typeof check.error>}
          />
        )}
        {!read &&
          FIELDS.map((field) => (
            <Textarea
              key={field}
              label={t(`field.${field}`)}
              description={t(`field.${field}Hint`)}
              value={texts[field]}
              onChange={(event) => set(field, event.currentTarget.value)}
              autosize
              minRows={field === 'chain' ? 2 : 4}
              maxRows={8}
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: classes.mono }}
              required={field !== 'chain'}
            />
          ))}
        {read && (
          <>
            <CertificateFacts challenge={null} details={read.details} />
            {read.uncovered.length > 0 && (
              <Notice tone="info" title={t('uncovered')}>
                {read.uncovered.join(', ')}
              </Notice>
            )}
            {read.elsewhere.length > 0 && (
              <Notice tone="warn" title={t('elsewhere', { site: site.domainName })}>
                {read.elsewhere.join(', ')}
              </Notice>
            )}
          </>
        )}
      </div>
    </SideDrawer>
  )
}
