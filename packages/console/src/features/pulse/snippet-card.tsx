import type { PulseSettings } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './pulse.module.css'
import { type PulseTab, SNIPPET_WAYS } from './search.ts'
import { usePlace } from './use-place.ts'

/** What to paste, for each way of getting it on a page. */
export function SnippetCard({ of, tab }: { of: PulseSettings; tab: PulseTab }) {
  const { t } = useTranslation('pulse')
  const format = useFormat()
  const { way, choose } = usePlace()
  return (
    <Card title={t('snippet')} hint={t('scriptSize', { size: format.bytes(of.script.gzipBytes) })}>
      <div className={classes.fields}>
        <p className={classes.quiet}>{t(`tabMeaning.${tab}`)}</p>
        {of.settings.targets.length === 0 && <Notice tone="info">{t('noTargets')}</Notice>}
        <Segmented
          label={t('way.label')}
          value={way}
          onChange={(next) => choose({ way: next === 'script' ? undefined : next })}
          options={SNIPPET_WAYS.map((value) => ({ value, label: t(`way.${value}`) }))}
        />
        <CodeSnippet label={t(`way.${way}`)} code={of[tab][way]} />
        <p className={classes.quiet}>{t(`wayMeaning.${way}`)}</p>
        <CodeSnippet label="Content-Security-Policy" code={of.csp} />
        <p className={classes.quiet}>{t('cspMeaning')}</p>
      </div>
    </Card>
  )
}
