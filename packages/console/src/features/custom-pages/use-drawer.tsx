import { PAGE_FIELDS, PageKind, type PageUse, customPages } from '@fairway/contract'
import { Button, Select, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import classes from './custom-pages.module.css'

type UseDrawerProps = { site: string; domain: string; onClose: () => void }

/** The pages of one domain, and the switch that closes it for visitors. */
export function UseDrawer({ site, domain, onClose }: UseDrawerProps) {
  const { t } = useTranslation('custom-pages')
  const { data } = useRead(customPages.routes.uses, { site })
  const use = data?.data.find(({ domainId }) => domainId === domain)
  if (!use)
    return (
      <SideDrawer opened onClose={onClose} title={t('tab.domains')}>
        <Skeleton height={240} radius="md" />
      </SideDrawer>
    )
  return <UseForm site={site} use={use} onClose={onClose} />
}

type Wanted = Pick<PageUse, (typeof PAGE_FIELDS)[PageKind] | 'inMaintenance'>

function UseForm({ site, use, onClose }: { site: string; use: PageUse; onClose: () => void }) {
  const { t } = useTranslation('custom-pages')
  const format = useFormat()
  const show = useSnackbar()
  const mayEdit = useCanCall(customPages.routes.use)
  const { data: pages } = useRead(customPages.routes.list, { site, page_size: -1 })
  const [saved] = useState<Wanted>({
    errorsPageId: use.errorsPageId,
    maintenancePageId: use.maintenancePageId,
    blockedPageId: use.blockedPageId,
    rateLimitedPageId: use.rateLimitedPageId,
    challengePageId: use.challengePageId,
    captchaPageId: use.captchaPageId,
    inMaintenance: use.inMaintenance,
  })
  const [wanted, setWanted] = useState(saved)
  const place = { site, domain: use.domainId }
  const back = useChange(customPages.routes.use)
  const save = useChange(customPages.routes.use, {
    subject: null,
    onDone: () => {
      show('page-use', {
        message: t('use.saved', { domain: use.domain }),
        undo: () => back.mutate({ ...place, ...saved }),
      })
      onClose()
    },
  })
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(saved)
  const silent = use.cdns.filter(({ shows }) => !shows).map(({ name }) => name)
  const choice = (kind: PageKind) => (
    <Select
      key={kind}
      label={t(`use.${kind}`)}
      description={t(`kindText.${kind}`)}
      value={wanted[PAGE_FIELDS[kind]] ?? BRAND}
      allowDeselect={false}
      disabled={!mayEdit}
      onChange={(value) => setWanted((old) => ({ ...old, [PAGE_FIELDS[kind]]: value === BRAND ? null : value }))}
      data={[
        { value: BRAND, label: t('brand.name') },
        ...(pages?.data ?? []).filter((page) => page.kind === kind).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={use.domain}
      keepOpen={isChanged}
      onSubmit={() => {
        if (isChanged) save.mutate({ ...place, ...wanted })
      }}
      footer={
        mayEdit && (
          <>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!isChanged}>
              {t('save')}
            </Button>
          </>
        )
      }
    >
      <div className={classes.form}>
        {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
        {PageKind.options.map(choice)}
        <SwitchRow
          label={t('use.closed')}
          text={t('use.closedText')}
          checked={wanted.inMaintenance}
          disabled={!mayEdit}
          onChange={(inMaintenance) => setWanted((old) => ({ ...old, inMaintenance }))}
        />
        {wanted.inMaintenance && !saved.inMaintenance && (
          <Notice tone="warn" title={t('use.closing', { domain: use.domain })}>
            {t('use.closingText')}
          </Notice>
        )}
        {silent.length > 0 && (
          <Notice tone="info" title={t('use.silent')}>
            {t('use.silentText', { names: format.list(silent) })}
          </Notice>
        )}
      </div>
    </SideDrawer>
  )
}

/** No id of a page is called so. */
const BRAND = 'brand'
