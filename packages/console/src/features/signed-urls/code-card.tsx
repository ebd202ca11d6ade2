import { type ScriptLanguage, type SignedUrls, SCRIPT_LANGUAGES } from '@fairway/contract'
import { KEY_FILE, cloudfrontScript, signScript } from '@fairway/domain'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './signed-urls.module.css'

const NAMES: Record<ScriptLanguage, string> = { python: 'Python', php: 'PHP', go: 'Go', node: 'Node.js' }

/** What the customer's server runs, for one of the keys and the newest video. */
export function CodeCard({ of }: { of: SignedUrls }) {
  const { t } = useTranslation('signed-urls')
  const [language, setLanguage] = useState<ScriptLanguage>('node')
  // What CloudFront does not know yet cannot be signed with.
  const cloudfront = of.cloudfront?.state === 'removing' ? null : (of.cloudfront?.host ?? null)
  const keys = of.keys.filter(({ kind, keyPairId }) => kind === 'ecdsa-p256' || (cloudfront && keyPairId !== null))
  const newest = keys.findLast(({ kind }) => kind === 'ecdsa-p256') ?? keys.at(-1)
  const [chosen, setChosen] = useState<string | null>(null)
  const key = keys.find(({ keyId }) => keyId === chosen) ?? newest
  if (key === undefined) return null
  const sample = of.sample ?? { folder: '/00000000-0000-0000-0000-000000000000/', file: 'master.m3u8' }
  const script =
    key.kind === 'rsa-2048'
      ? cloudfrontScript(language, { keyPairId: key.keyPairId ?? '', origin: `https://${cloudfront}`, ...sample })
      : signScript(language, { keyId: key.keyId, origin: of.origin, ...sample })
  return (
    <Card title={t('code.title')}>
      <div className={classes.page}>
        <p className={classes.quiet}>{t('code.text', { file: KEY_FILE })}</p>
        {of.sample === null && <p className={classes.quiet}>{t('code.noVideo')}</p>}
        <div className={classes.line}>
          <Segmented
            label={t('code.language')}
            value={language}
            onChange={setLanguage}
            options={SCRIPT_LANGUAGES.map((value) => ({ value, label: NAMES[value] }))}
          />
          {keys.length > 1 && (
            <Select
              aria-label={t('keyId')}
              allowDeselect={false}
              data={keys.map(({ keyId, kind }) => ({ value: keyId, label: `${keyId} · ${t(`kinds.${kind}`)}` }))}
              value={key.keyId}
              onChange={setChosen}
            />
          )}
        </div>
        {key.kind === 'rsa-2048' && <p className={classes.quiet}>{t('code.cloudfront')}</p>}
        <CodeSnippet label={script.file} code={script.text} />
        <CodeSnippet label={t('code.try')} code={`curl -L "$(${script.command})"`} />
      </div>
    </Card>
  )
}
