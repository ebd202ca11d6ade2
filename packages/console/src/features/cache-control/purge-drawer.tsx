import { purges } from '@fairway/contract'
import type { Purge, PurgeReceipt } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './screen.module.css'

/** A purge's receipts: one for each CDN, by what was seen and not by what it said. */
export function PurgeDrawer({ purge, onClose }: { purge: Purge; onClose: () => void }) {
  const { t } = useTranslation('cache-control')
  const { site } = useScope()
  const mayUndo = useCanCall(purges.routes.undo)
  const undo = useChange(purges.routes.undo)
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={t('purge.receipts')}
      {...(purge.soft && purge.undoneAt === null && mayUndo
        ? {
            footer: (
              <Button
                variant="default"
                loading={undo.isPending}
                onClick={() => undo.mutate({ site: site.id, id: purge.id })}
              >
                {t('purge.undo')}
              </Button>
            ),
          }
        : {})}
    >
      <div className={classes.form}>
        {purge.undoneAt !== null && (
          <Notice tone="info">
            {t('purge.undoneText')} <Age inside at={purge.undoneAt} />
          </Notice>
        )}
        <div className={classes.group}>
          <span className={classes.label}>
            {t(`kind.${purge.kind}`)}
            {purge.soft && <> · {t('purge.soft')}</>}
          </span>
          {purge.targets.map((target) => (
            <code key={target} className={classes.code}>
              {target}
            </code>
          ))}
        </div>
        <div>
          {purge.receipts.map((receipt) => (
            <Receipt key={receipt.cdnId} receipt={receipt} />
          ))}
        </div>
      </div>
    </SideDrawer>
  )
}

function Receipt({
  receipt: { name, series, status, detail, looked, objects, bytes, finishedAt },
}: {
  receipt: PurgeReceipt
}) {
  const { t } = useTranslation('cache-control')
  const format = useFormat()
  return (
    <section className={classes.receipt} aria-label={name}>
      <div className={classes.receiptHead}>
        <CdnName name={name} series={series} strong />
        <StatusPill state={status} />
      </div>
      {detail && (
        <p>
          {t(`detail.${detail.code}`, {
            count: detail.count ?? 0,
            path: detail.path ?? '',
            date: detail.date ?? '',
            why: detail.why ?? '',
          })}
        </p>
      )}
      <p className={classes.quiet}>
        {looked || objects > 0
          ? t('purge.held', { count: objects, bytes: format.bytes(bytes) })
          : t('purge.heldUnknown')}
        {finishedAt !== null && (
          <>
            {' '}
            · <Age inside at={finishedAt} />
          </>
        )}
      </p>
    </section>
  )
}
