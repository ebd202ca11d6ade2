import { BULK_TABS, type BulkTab } from '@fairway/contract'
import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Draft } from './draft.ts'
import classes from './bulk-configure.module.css'
import { CacheFields } from './cache-fields.tsx'
import { CdnFields } from './cdn-fields.tsx'
import { GeneralFields } from './general-fields.tsx'
import { SecurityFields } from './security-fields.tsx'

type Props = {
  tab: BulkTab
  draft: Draft
  problems: Readonly<Record<string, string>> | null
  /** Continue was pressed with nothing chosen. */
  isEmpty: boolean
  hasWildcard: boolean
  onTab: (tab: BulkTab) => void
  onDraft: (field: string, value: string) => void
}

/** What every chosen domain is to have. A job is about one tab; what is left open stays as each domain has it. */
export function SettingsStep({ tab, draft, problems, isEmpty, hasWildcard, onTab, onDraft }: Props) {
  const { t } = useTranslation('bulk-configure')
  const form = { draft, problems, onDraft }
  return (
    <Tabs
      value={tab}
      onChange={(next) => {
        const known = BULK_TABS.find((one) => one === next)
        if (known) onTab(known)
      }}
      keepMounted={false}
    >
      <Tabs.List>
        {BULK_TABS.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <div className={classes.panels}>
        {isEmpty && (
          <Notice tone="bad" title={t('nothing')}>
            {t('nothingText')}
          </Notice>
        )}
        <Tabs.Panel value="general">
          <GeneralFields {...form} />
        </Tabs.Panel>
        <Tabs.Panel value="multi-cdn">
          <Card title={t('cdn.title')} hint={t('cdn.hint')}>
            <CdnFields {...form} />
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <Card title={t('tab.security')} hint={t('keepHint')}>
            <SecurityFields {...form} />
          </Card>
        </Tabs.Panel>
        <Tabs.Panel value="cache">
          <CacheFields {...form} hasWildcard={hasWildcard} />
        </Tabs.Panel>
      </div>
    </Tabs>
  )
}
