import {
  PARTNER_FILE_BYTES,
  PARTNER_FILE_TYPES,
  type Partner,
  type PartnerFileKind,
  PartnerFileKind as Kind,
  partners,
} from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { base64Of } from '../../ui/forms/base64-of.ts'
import { Upload } from '../../ui/forms/upload.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './partners.module.css'

/** Logo, white logo and favicon; each is saved as soon as it is chosen. */
export function PartnerPictures({ partner }: { partner: Partner }) {
  const { t } = useTranslation('partners')
  const format = useFormat()
  return (
    <Card title={t('card.pictures')} hint={t('picture.hint', { size: format.bytes(PARTNER_FILE_BYTES) })}>
      <div className={classes.pictures}>
        {Kind.options.map((kind) => (
          <Picture key={kind} kind={kind} partner={partner} />
        ))}
      </div>
    </Card>
  )
}

function Picture({ kind, partner }: { kind: PartnerFileKind; partner: Partner }) {
  const { t } = useTranslation(['partners', 'errors', 'validation'])
  const [problem, setProblem] = useState<string | null>(null)
  const upload = useRefreshing(partners.routes.upload, '/operator/v2/partners/', () => setProblem(null), {
    ownError: true,
  })
  const remove = useRefreshing(partners.routes.removeFile, '/operator/v2/partners/')
  const file = partner.files[kind]
  const send = async (chosen: File) => {
    if (chosen.size > PARTNER_FILE_BYTES) return setProblem(t('errors:errorMessage.413'))
    const data = base64Of(new Uint8Array(await chosen.arrayBuffer()))
    upload.mutate(
      { partner: partner.id, kind, data },
      {
        onError: (error) =>
          setProblem(
            (error instanceof ApiError ? validationText(t, error.fields[0]?.message) : null) ?? failureText(t, error),
          ),
      },
    )
  }
  return (
    <div className={classes.picture}>
      <div className={classes.pictureHead}>
        <span>{t(`partners:picture.${kind}`)}</span>
        {file !== undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ partner: partner.id, kind })}
          >
            {t('partners:picture.remove')}
          </Button>
        )}
      </div>
      {file !== undefined && (
        <div className={classes.pictureShown} data-dark={kind === 'logoWordWhite' || undefined}>
          <img src={file} alt={t(`partners:picture.${kind}`)} />
        </div>
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      <Upload
        text={t('partners:picture.drop')}
        verb={t('partners:picture.choose')}
        accept={PARTNER_FILE_TYPES.join(',')}
        busy={upload.isPending}
        onFile={(chosen) => void send(chosen)}
      />
    </div>
  )
}
