import { SCRIPT_LANGUAGES, apiProtection } from '@fairway/contract'
import type { ApiRule, ScriptLanguage } from '@fairway/contract'
import { tokenScript } from '@fairway/domain'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import classes from '../firewall-rules/editor.module.css'
import type { Place } from '../routing-strategies/strategies-read.ts'

const NAMES: Record<ScriptLanguage, string> = { python: 'Python', php: 'PHP', go: 'Go', node: 'Node.js' }

/** What runs on the customer's server, with the key in it for those who may see that, and a way to try it. */
export function Scripts({ place, rule }: { place: Place; rule: ApiRule }) {
  const { t } = useTranslation('api-protection')
  const { domain } = useScope()
  const [language, setLanguage] = useState<ScriptLanguage>(rule.language)
  const maySee = useCanCall(apiProtection.routes.key)
  const { data } = useRead(apiProtection.routes.key, { ...place, id: rule.id }, { enabled: maySee })
  const { parameter, path } = rule
  const script = tokenScript(language, { key: data?.key ?? t('keyHere'), parameter, path })
  return (
    <Card title={t('scripts.title')}>
      <div className={classes.fields}>
        {rule.mode === 'simulate' && <Notice tone="info" title={t('scripts.simulate')} />}
        <p className={classes.quiet}>{t('scripts.text')}</p>
        <div className={classes.buttons}>
          <Segmented
            label={t('field.language')}
            value={language}
            onChange={setLanguage}
            options={SCRIPT_LANGUAGES.map((value) => ({ value, label: NAMES[value] }))}
          />
        </div>
        <CodeSnippet label={script.file} code={script.text} />
        <CodeSnippet label={t('scripts.try')} code={`curl "https://${domain?.name ?? ''}$(${script.command})"`} />
        {!maySee && <p className={classes.quiet}>{t('scripts.noKey')}</p>}
      </div>
    </Card>
  )
}
