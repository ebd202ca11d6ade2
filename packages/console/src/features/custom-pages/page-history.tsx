import { type CustomPageDetail, customPages } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './custom-pages.module.css'
import { PagePreview } from './page-preview.tsx'

/** Every text that the page has had, to look at and to bring back. */
export function PageHistory({ page, mayEdit }: { page: CustomPageDetail; mayEdit: boolean }) {
  const { t } = useTranslation('custom-pages')
  const format = useFormat()
  const show = useSnackbar()
  const [looked, setLooked] = useState<number | null>(null)
  const place = { site: page.siteId, id: page.id }
  const back = useChange(customPages.routes.update)
  const restore = useChange(customPages.routes.update, {
    onDone: () =>
      show('page', { message: t('history.restored'), undo: () => back.mutate({ ...place, digest: page.digest }) }),
  })
  return (
    <>
      <ol className={classes.revisions}>
        {page.revisions
          .map((revision) => ({ ...revision, isOpen: looked === revision.version }))
          .map(({ version, author, createdAt, digest, sizeBytes, current, isOpen }) => (
            <li key={version} className={classes.revision}>
              <div className={classes.revisionHead}>
                <span className={classes.name}>{t('history.version', { version })}</span>
                {current && <Pill tone="ok">{t('history.current')}</Pill>}
                <span className={classes.quiet}>
                  {author} · <Age inside at={createdAt} /> · {format.bytes(sizeBytes)}
                </span>
                <span className={classes.revisionActions}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-expanded={isOpen}
                    onClick={() => setLooked(isOpen ? null : version)}
                  >
                    {t(isOpen ? 'history.hide' : 'history.look')}
                  </Button>
                  {mayEdit && !current && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={restore.isPending && restore.variables?.digest === digest}
                      onClick={() => restore.mutate({ ...place, digest })}
                    >
                      {t('history.restore')}
                    </Button>
                  )}
                </span>
              </div>
              {isOpen && <PagePreview site={page.siteId} kind={page.kind} digest={digest} />}
            </li>
          ))}
      </ol>
      <p className={classes.quiet}>{t('history.text')}</p>
    </>
  )
}
