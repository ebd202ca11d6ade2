import { FEED_SNIPPETS, feedSnippets, type FeedSnippet } from '@fairway/domain'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import classes from './screen.module.css'

const NAMES: Record<FeedSnippet, string> = { curl: 'curl', node: 'Node.js', python: 'Python' }

/** A program that posts, in the language of one's choice. */
export function FeedCode({ url, cdnId }: { url: string; cdnId: string }) {
  const { t } = useTranslation('outside-feeds')
  const [language, setLanguage] = useState<FeedSnippet>('curl')
  return (
    <div className={classes.moves}>
      <Segmented
        label={t('code.language')}
        value={language}
        onChange={setLanguage}
        options={FEED_SNIPPETS.map((value) => ({ value, label: NAMES[value] }))}
      />
      <CodeSnippet label={NAMES[language]} code={feedSnippets({ url, cdn: cdnId })[language]} />
      <p className={classes.about}>{t('code.about')}</p>
    </div>
  )
}
