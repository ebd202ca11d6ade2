import { operatorArea } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './operator.module.css'
import { useRefreshing } from './use-refreshing.ts'

/**
 * A letter as its receiver sees it. Its links work from here, so that an installation without a mail server can be
 * used.
 */
export function LetterDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const show = useSnackbar()
  const [form, setForm] = useState<'html' | 'text'>('html')
  const kept = useRef(id)
  if (id !== undefined) kept.current = id
  const letter = kept.current ?? ''
  const { data, error, refetch } = useRead(operatorArea.routes.letter, { letter }, { enabled: id !== undefined })
  const resend = useRefreshing(operatorArea.routes.resendLetter, '/operator/v2/letters/', () =>
    show(`letter ${letter}`, { message: t('letters.resent') }),
  )
  return (
    <SideDrawer
      opened={id !== undefined}
      onClose={onClose}
      size={720}
      title={data?.subject ?? t('letters.letter')}
      footer={
        data && (
          <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate({ letter })}>
            {t('letters.resend')}
          </Button>
        )
      }
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} />}
      {data && (
        <div className={classes.stack}>
          <dl className={classes.facts}>
            <dt>{t('letters.from')}</dt>
            <dd>{data.from}</dd>
            <dt>{t('letters.to')}</dt>
            <dd>{data.to}</dd>
            <dt>{t('letters.written')}</dt>
            <dd>
              <Age at={data.createdAt} />
            </dd>
          </dl>
          {data.problem !== null && (
            <Notice tone={data.state === 'failed' ? 'bad' : 'warn'} title={t('letters.problem')}>
              {data.problem}
            </Notice>
          )}
          <Segmented
            label={t('letters.form')}
            value={form}
            onChange={setForm}
            options={[
              { value: 'html', label: t('letters.html') },
              { value: 'text', label: t('letters.text') },
            ]}
          />
          {/* Without scripts and of no origin; what is clicked opens beside the console. */}
          {form === 'html' && (
            <iframe
              className={classes.frame}
              title={data.subject}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              srcDoc={data.html.replace(/<head([^>]*)>/, '<head$1><base target="_blank">')}
            />
          )}
          {form === 'text' && (
            <pre className={classes.text} tabIndex={0} aria-label={data.subject}>
              {data.text}
            </pre>
          )}
        </div>
      )}
    </SideDrawer>
  )
}
